package yahoo_test

import (
	"errors"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/market/yahoo"
)

func TestQuote_PreviousIsTheSessionBeforeNotTheChartBefore(t *testing.T) {
	sheet := markettest.NewYahooChart("AAA", "2025-02-13", 100, 101, 102, 103, 104)
	sheet.Meta["chartPreviousClose"] = 50
	q := chartQuote(t, sheet.String(), "AAA")
	if !q.Price.Equal(chartDecimal("104")) || !q.Previous.Valid || !q.Previous.Decimal.Equal(chartDecimal("103")) || !q.PreviousAsOf.Equal(chartDay("2025-02-18")) {
		t.Errorf("quote = %s, before %v of %v; want 104 and 103 of 2025-02-18", q.Price, q.Previous, q.PreviousAsOf)
	}
	if _, ok := sheet.Meta["previousClose"]; ok {
		t.Fatal("the sheet tells the previous close itself: the test proves nothing")
	}
}

// A row from weeks ago is not the previous session, because a change since then is not a daily change.
func TestQuote_ARowOfWeeksAgoIsNoPreviousSession(t *testing.T) {
	sheet := markettest.NewYahooChart("AAA", "2025-01-06", 50, 104)
	const weeks = 6 * 7 * 24 * 3600
	sheet.Rows[1].At += weeks
	sheet.Meta["regularMarketTime"] = sheet.Rows[1].At + 6*3600
	if q := chartQuote(t, sheet.String(), "AAA"); q.Previous.Valid || !q.PreviousAsOf.IsZero() {
		t.Errorf("previous = %v of %v, want none", q.Previous, q.PreviousAsOf)
	}
}

func TestQuote_WithoutBarsTakesThePreviousCloseOfTheDay(t *testing.T) {
	sheet := markettest.NewYahooChart("AAA", "2025-02-19", 104)
	sheet.Meta["previousClose"] = 103.5
	if q := chartQuote(t, sheet.String(), "AAA"); !q.Previous.Valid || !q.Previous.Decimal.Equal(chartDecimal("103.5")) || !q.PreviousAsOf.IsZero() {
		t.Errorf("previous = %v of %v, want 103.5 without a date", q.Previous, q.PreviousAsOf)
	}
	delete(sheet.Meta, "previousClose")
	if q := chartQuote(t, sheet.String(), "AAA"); q.Previous.Valid {
		t.Errorf("previous = %v, want it absent", q.Previous)
	}
}

func TestQuote_PhaseIsOfTheTradingPeriods(t *testing.T) {
	sheet := markettest.NewYahooChart("AAA", "2025-02-20", 104)
	opening := sheet.Rows[0].At
	period := func(from, to int64) map[string]any {
		return map[string]any{"start": opening + from, "end": opening + to}
	}
	sheet.Meta["currentTradingPeriod"] = map[string]any{"pre": period(-19800, 0), "regular": period(0, 23400), "post": period(23400, 37800)}
	for _, row := range []struct {
		after int64
		want  market.Phase
	}{
		{-20000, market.PhaseClosed}, {-60, market.PhasePre}, {0, market.PhaseRegular}, {23399, market.PhaseRegular},
		{23400, market.PhasePost}, {37800, market.PhaseClosed},
	} {
		q, err := quoteAt(sheet.String(), "AAA", time.Unix(opening+row.after, 0))
		if err != nil || q.Provenance.Phase != row.want {
			t.Errorf("%d s after the opening: phase = %q, %v; want %q", row.after, q.Provenance.Phase, err, row.want)
		}
	}
}

func TestQuote_IsInPoundsWhereverYahooSendsPence(t *testing.T) {
	for _, row := range []struct {
		name   string
		price  any
		closes []any
	}{
		{"pence in both", 306, []any{300, 305}},
		{"pounds in the price", 3.06, []any{300, 305}},
		{"pounds in the bars", 306, []any{3, 3.05}},
	} {
		sheet := markettest.NewYahooChart("OCDO.L", "2025-02-18", row.closes...)
		sheet.Meta["currency"], sheet.Meta["regularMarketPrice"] = "GBp", row.price
		q := chartQuote(t, sheet.String(), "OCDO.L")
		if !q.Price.Equal(chartDecimal("3.06")) || !q.Previous.Decimal.Equal(chartDecimal("3")) || q.Provenance.Currency != "GBP" {
			t.Errorf("%s: %s after %s in %s, want 3.06 after 3 in GBP", row.name, q.Price, q.Previous.Decimal, q.Provenance.Currency)
		}
	}
}

func TestQuote_WithoutPriceTimeOrCurrencyIsNone(t *testing.T) {
	for _, row := range []struct {
		name, gone string
		put        any
		want       error
	}{
		{"no price", "regularMarketPrice", nil, market.ErrNoData},
		{"zero", "regularMarketPrice", 0, market.ErrNoData},
		{"below zero", "regularMarketPrice", -3, market.ErrNoData},
		{"no time", "regularMarketTime", nil, market.ErrMalformed},
		{"no currency", "currency", nil, market.ErrMalformed},
		{"another symbol", "symbol", "BBB", market.ErrMalformed},
	} {
		sheet := markettest.NewYahooChart("AAA", "2025-02-19", 104)
		sheet.Meta[row.gone] = row.put
		_, err := quoteAt(sheet.String(), "AAA", chartNoon)
		if !errors.Is(err, row.want) {
			t.Errorf("%s: Quote = %v, want %v", row.name, err, row.want)
		}
	}
}

func TestQuote_IsDelayedByTheRuleOfItsExchange(t *testing.T) {
	for _, row := range []struct {
		code    string
		minutes int
		delayed bool
	}{{"NMS", 0, false}, {"NYQ", 0, false}, {"LSE", 15, true}, {"GER", 0, true}, {"PNK", 0, true}, {"CCC", 0, false}, {"", 0, false}} {
		sheet := markettest.NewYahooChart("AAA", "2025-02-19", 104)
		sheet.Meta["exchangeName"] = row.code
		p := chartQuote(t, sheet.String(), "AAA").Provenance
		if p.DelayMinutes != row.minutes || p.Has(market.FlagDelayed) != row.delayed {
			t.Errorf("%s: %d minutes, %v; want %d, delayed %v", row.code, p.DelayMinutes, p.Flags, row.minutes, row.delayed)
		}
	}
}

// A response without rows has only the previous close to compare a price with.
func TestMeta_QuoteInPenceIsDoubtedFarFromThePreviousClose(t *testing.T) {
	for _, row := range []struct {
		name            string
		price, previous string
		suspect         bool
	}{{"near", "306", "305", false}, {"far above", "30600", "305", true}, {"far below", "3.06", "305", true}, {"none", "306", "0", false}} {
		m := yahoo.Meta{Symbol: "AAA", Currency: "GBp", InstrumentType: "EQUITY", RegularMarketTime: chartNoon.Unix()}
		m.RegularMarketPrice.Decimal, m.RegularMarketPrice.Valid = chartDecimal(row.price), true
		m.PreviousClose.Decimal, m.PreviousClose.Valid = chartDecimal(row.previous), true
		q, err := m.Quote("AAA", chartProvenance(chartNoon))
		if err != nil || !q.Price.Equal(chartDecimal(row.price).Shift(-2)) || q.Provenance.Has(market.FlagSuspect) != row.suspect {
			t.Errorf("%s: %s, %v, %v; want suspect %v", row.name, q.Price, q.Provenance, err, row.suspect)
		}
		p, factor := m.PriceProvenance(chartProvenance(chartNoon))
		if p.Currency != "GBP" || p.QuotedCurrency != "GBp" || !factor.Equal(chartDecimal("0.01")) || p.Has(market.FlagSuspect) != row.suspect {
			t.Errorf("%s: Priced = %+v, %s; want a hundredth of a pound", row.name, p, factor)
		}
	}
}

func TestMeta_ZoneIsTheExchangesOwnOrNotKnown(t *testing.T) {
	for _, row := range []struct {
		name   string
		meta   yahoo.Meta
		offset int // in February
		known  bool
	}{
		{"by name", yahoo.Meta{ExchangeTimezoneName: "Australia/Sydney", GMTOffset: 36000}, 39600, true},
		{"by offset", yahoo.Meta{GMTOffset: -18000}, -18000, true},
		{"a name that is none", yahoo.Meta{ExchangeTimezoneName: "Mars/Olympus", GMTOffset: 3600}, 3600, true},
		{"an offset beyond the earth", yahoo.Meta{GMTOffset: 1 << 30}, 14 * 3600, true},
		{"nothing", yahoo.Meta{}, 0, false},
	} {
		zone := row.meta.Zone()
		if (zone != nil) != row.known {
			t.Errorf("%s: zone %v, want one: %v", row.name, zone, row.known)
			continue
		}
		if zone == nil {
			continue
		}
		if _, got := chartNoon.In(zone).Zone(); got != row.offset {
			t.Errorf("%s: %d s from universal time, want %d", row.name, got, row.offset)
		}
	}
}
