package binance_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/binance"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func TestSource_KeepsTheContractOfPrices(t *testing.T) {
	markettest.RunPrices(t, func(*testing.T) markettest.PriceSubject {
		return markettest.PriceSubject{Source: sourceOf(fakeServer{pair: "BTCUSDT", first: day("2025-02-11"), days: 10}), Listed: "BTC-USD"}
	})
}

func TestBars_ADollarIsAskedAsTheStablecoinAndSaysSo(t *testing.T) {
	s, err := sourceOf(fakeServer{pair: "BTCUSDT", first: day("2025-02-18"), days: 3}).Bars(t.Context(), "BTC-USD", market.Range{})
	if err != nil {
		t.Fatalf("Bars = %v", err)
	}
	want := market.Provenance{
		Source: "binance", Endpoint: "v3 klines", AsOf: noon, FetchedAt: noon, Currency: "USD", QuotedCurrency: "USDT", Unit: "price",
		Adjustment: market.AdjustmentRaw, Phase: market.PhaseRegular, Flags: []market.Flag{market.FlagProvisional},
	}
	if diff := cmp.Diff(want, s.Provenance, cmpopts.IgnoreFields(market.Provenance{}, "License", "Note")); diff != "" {
		t.Errorf("provenance (-want +got):\n%s", diff)
	}
	if !strings.Contains(s.Provenance.Note, "not exactly 1 USD") {
		t.Errorf("note %q does not say that USDT is no dollar", s.Provenance.Note)
	}
	if total, err := s.TotalReturn(); err != nil || len(total.Bars) != 3 {
		t.Errorf("TotalReturn = %d bars, %v; a coin has no actions to adjust for", len(total.Bars), err)
	}
}

func TestBars_OtherCurrenciesAreTheirOwn(t *testing.T) {
	s, err := sourceOf(fakeServer{pair: "ETHEUR", first: day("2025-02-10"), days: 3}).Bars(t.Context(), "ETH-EUR", market.Range{})
	if err != nil {
		t.Fatalf("Bars = %v", err)
	}
	p := s.Provenance
	if p.Currency != "EUR" || p.QuotedCurrency != "" || p.Note != "" || p.Has(market.FlagProvisional) || !p.AsOf.Equal(day("2025-02-12")) {
		t.Errorf("provenance = %+v, want settled euros as of the last day", p)
	}
}

func TestBars_LongHistoryComesInPages(t *testing.T) {
	var requests []string
	e := fakeServer{pair: "BTCUSDT", first: day("2020-01-01"), days: 1878, requests: &requests} // to 2025-02-20
	s, err := sourceOf(e).Bars(t.Context(), "BTC-USD", market.Range{})
	if err != nil || len(s.Bars) != 1878 {
		t.Fatalf("Bars = %d bars, %v; want 1878", len(s.Bars), err)
	}
	markettest.CheckBars(t, s.Bars)
	if want := []string{"0-", "1664236800000-"}; !cmp.Equal(want, requests) { // a thousand days after 2020-01-01: 2022-09-27
		t.Errorf("asked for %q, want %q", requests, want)
	}
}

func TestBars_OfThePastAreAskedToTheirEnd(t *testing.T) {
	var requests []string
	e := fakeServer{pair: "BTCUSDT", first: day("2020-01-01"), days: 1878, requests: &requests}
	s, err := sourceOf(e).Bars(t.Context(), "BTC-USD", market.Range{From: day("2024-01-01"), To: day("2024-01-31")})
	if err != nil || len(s.Bars) != 31 || !s.Provenance.AsOf.Equal(day("2024-01-31")) {
		t.Fatalf("Bars = %d bars as of %v, %v; want January", len(s.Bars), s.Provenance.AsOf, err)
	}
	if want := []string{"1704067200000-1706745599999"}; !cmp.Equal(want, requests) {
		t.Errorf("asked for %q, want %q", requests, want)
	}
}

func TestBars_WhatIsOddIsSaid(t *testing.T) {
	body := "[" + kline(day("2025-02-16"), "10", "11", "9", "10.5") + "," + kline(day("2025-02-17"), "10", "9", "11", "10") + "," +
		kline(day("2025-02-18"), "0", "0", "0", "0") + "," + kline(day("2025-02-19"), "0.00000001", "2", "0.00000001", "1") + "]"
	s, err := answering(klinesPath, body).Bars(t.Context(), "AAA-USD", market.Range{})
	if err != nil || len(s.Bars) != 3 {
		t.Fatalf("Bars = %+v, %v; want three: the day without trade is none", s.Bars, err)
	}
	if b := s.Bars[0]; !b.High.Decimal.Equal(dec("11")) || !b.Low.Decimal.Equal(dec("9")) || !b.Volume.Decimal.Equal(dec("12.5")) {
		t.Errorf("bar = %+v, want 10, 11, 9, 10.5 and volume 12.5", b)
	}
	if b := s.Bars[1]; b.Open.Valid || b.High.Valid || b.Low.Valid || !b.Close.Equal(dec("10")) {
		t.Errorf("crossed bar = %+v, want its close alone", b)
	}
	if !s.Provenance.Has(market.FlagSuspect) || !strings.Contains(s.Provenance.Note, "contradict") {
		t.Errorf("provenance = %+v, want it suspect", s.Provenance)
	}
}

// The recorded sample has weekly bars, but daily ones were requested.
func TestBars_RecordedKlineOfAWeekIsNoDay(t *testing.T) {
	text := recorded(t, "GetKlines.json")
	if _, err := answering(klinesPath, text).Bars(t.Context(), "AAA-BTC", market.Range{}); !errors.Is(err, market.ErrMalformed) {
		t.Errorf("Bars = %v, want ErrMalformed", err)
	}
	text = strings.Replace(text, "1499644799999", "1499126399999", 1)
	s, err := answering(klinesPath, text).Bars(t.Context(), "AAA-BTC", market.Range{})
	if err != nil || len(s.Bars) != 1 {
		t.Fatalf("Bars of it as a day = %+v, %v", s.Bars, err)
	}
	want := market.Bar{
		Date: day("2017-07-03"), Open: valid("0.0163479"), High: valid("0.8"), Low: valid("0.015758"), Close: dec("0.015771"), Volume: valid("148976.11427815"),
	}
	if diff := cmp.Diff(want, s.Bars[0]); diff != "" {
		t.Errorf("bar (-want +got):\n%s", diff)
	}
}

func valid(text string) decimal.NullDecimal { return decimal.NewNullDecimal(dec(text)) }

func TestQuote_OfARecordedTicker(t *testing.T) {
	q, err := answering(tickerPath, recorded(t, "GetTicker.json")).Quote(t.Context(), "BNB-BTC")
	if err != nil {
		t.Fatalf("Quote = %v", err)
	}
	if !q.Price.Equal(dec("4.000002")) || !q.Previous.Decimal.Equal(dec("99")) || !q.PreviousAsOf.Equal(time.UnixMilli(1499783499040)) {
		t.Errorf("quote = %s after %s of %v", q.Price, q.Previous.Decimal, q.PreviousAsOf)
	}
	if !q.Provenance.AsOf.Equal(time.UnixMilli(1499869899040)) || !q.Provenance.Has(market.FlagStale) {
		t.Errorf("provenance = %+v, want it stale and as of the last trade", q.Provenance)
	}
}

// The lightweight service reports no time, and a price without one is not a quote.
func TestQuote_RecordedPriceWithoutATimeIsRefused(t *testing.T) {
	_, err := answering(tickerPath, recorded(t, "GetPrice.json")).Quote(t.Context(), "LTC-BTC")
	if !errors.Is(err, market.ErrMalformed) {
		t.Errorf("Quote = %v, want ErrMalformed", err)
	}
}

func TestSource_WhatIsNoCoinIsNotAsked(t *testing.T) {
	for _, sym := range []market.Symbol{"AAPL", "^GSPC", "EURUSD=X", "USDT-USD", "BTC-BTC", "", "BTC-"} {
		script := markettest.NewScript(nil)
		_, quote := sourceOf(script).Quote(t.Context(), sym)
		_, bars := sourceOf(script).Bars(t.Context(), sym, market.Range{})
		if !errors.Is(quote, market.ErrUnknownSymbol) || !errors.Is(bars, market.ErrUnknownSymbol) || len(script.Requests()) > 0 {
			t.Errorf("%q: Quote = %v, Bars = %v, asked %d times; want ErrUnknownSymbol unasked", sym, quote, bars, len(script.Requests()))
		}
	}
}

func TestSource_BadDaysEndInTheirSentinel(t *testing.T) {
	for name, call := range map[string]struct {
		path, good string
		ask        func(*testing.T, *binance.Source) error
	}{
		"bars": {klinesPath, klines("2025-02-17", "10", "11"), func(t *testing.T, s *binance.Source) error {
			_, err := s.Bars(t.Context(), "BTC-USD", market.Range{})
			return err
		}},
		"quote": {tickerPath, ticker("BTCUSDT", "10", noon), func(t *testing.T, s *binance.Source) error {
			_, err := s.Quote(t.Context(), "BTC-USD")
			return err
		}},
	} {
		if err := call.ask(t, answering(call.path, call.good)); err != nil {
			t.Errorf("%s on a good day = %v", name, err)
		}
		for _, bad := range markettest.BadResponses([]byte(call.good)) {
			if bad.Name == "403" {
				bad.Want = market.ErrUnavailable // the firewall has refused: there is no key
			}
			t.Run(name+"/"+bad.Name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					err := call.ask(t, sourceOf(markettest.NewScript(map[string]markettest.Response{call.path: bad.Response})))
					var from *market.SourceError
					if !errors.Is(err, bad.Want) || !errors.As(err, &from) || from.Source != "binance" {
						t.Errorf("%s = %v, want %v from binance", name, err, bad.Want)
					}
				})
			})
		}
	}
}

func TestSource_BinancesOwnRefusals(t *testing.T) {
	for _, row := range []struct {
		name   string
		status int
		body   string
		want   error
		says   string
	}{
		{"unknown pair", 400, `{"code":-1121,"msg":"Invalid symbol."}`, market.ErrUnknownSymbol, "Invalid symbol"},
		{"characters of no pair", 400, `{"code":-1100,"msg":"Illegal characters found in parameter 'symbol'."}`, market.ErrUnknownSymbol, "Illegal"},
		{"error with status 200", 200, `{"code":-1121,"msg":"Invalid symbol."}`, market.ErrUnknownSymbol, ""},
		{"region", 451, `{"code":0,"msg":"Service unavailable from a restricted location"}`, market.ErrUnavailable, "region"},
		{"banned for going on", 418, `{"code":-1003,"msg":"Way too much request weight used"}`, market.ErrRateLimited, "weight"},
		{"too many", 200, `{"code":-1003,"msg":"Too many requests"}`, market.ErrRateLimited, ""},
		{"something else", 400, `{"code":-1000,"msg":"An unknown error occurred"}`, market.ErrUnavailable, "unknown error"},
		{"nothing", 200, `[]`, market.ErrNoData, ""},
		{"null", 200, `null`, market.ErrMalformed, ""},
		{"short rows", 200, `[[1,"2"]]`, market.ErrMalformed, "2 columns"},
		{"an hour", 200, `[[1739750400000,"1","1","1","1","1",1739753999999]]`, market.ErrMalformed, "not a daily bar"},
		{"a price without end", 200, `[[1739750400000,"1e9999999","1","1","1","1",1739836799999]]`, market.ErrMalformed, "invalid price"},
		{"days out of order", 200, "[" + kline(day("2025-02-17"), "1", "1", "1", "1") + "," + kline(day("2025-02-16"), "1", "1", "1", "1") + "]", market.ErrMalformed, "out of order"},
		{"nothing but zeros", 200, klines("2025-02-17", "0", "0"), market.ErrNoData, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			script := markettest.NewScript(map[string]markettest.Response{klinesPath: {Status: row.status, Body: []byte(row.body)}})
			_, err := sourceOf(script).Bars(t.Context(), "BTC-USD", market.Range{})
			if !errors.Is(err, row.want) || !strings.Contains(err.Error(), row.says) || !strings.Contains(err.Error(), "BTC-USD") {
				t.Errorf("Bars = %v, want %v that says %q", err, row.want, row.says)
			}
		})
	}
}

func TestQuote_OfAnotherPairOrNothingIsRefused(t *testing.T) {
	for _, row := range []struct {
		name, body string
		want       error
	}{
		{"another pair", ticker("ETHUSDT", "10", noon), market.ErrMalformed},
		{"never traded", ticker("BTCUSDT", "0.00000000", noon), market.ErrNoData},
		{"a word", ticker("BTCUSDT", "soon", noon), market.ErrMalformed},
	} {
		if _, err := answering(tickerPath, row.body).Quote(t.Context(), "BTC-USD"); !errors.Is(err, row.want) {
			t.Errorf("%s: Quote = %v, want %v", row.name, err, row.want)
		}
	}
}

func FuzzKlines(f *testing.F) {
	f.Add(klines("2025-02-17", "10", "0", "0.5"))
	f.Add(`[[1739750400000,"1","1","1","1","1",1739836799999]]`)
	f.Add(`{"code":-1121,"msg":"Invalid symbol."}`)
	f.Fuzz(func(t *testing.T, body string) {
		s, err := answering(klinesPath, body).Bars(t.Context(), "BTC-USD", market.Range{To: day("2025-02-18")})
		var from *market.SourceError
		if err != nil && !errors.As(err, &from) {
			t.Errorf("error %v is no *market.SourceError", err)
		}
		markettest.CheckBars(t, s.Bars)
	})
}

func FuzzTicker(f *testing.F) {
	f.Add(ticker("BTCUSDT", "10", noon))
	f.Add(`{"symbol":"BTCUSDT","lastPrice":"1e99","openPrice":"","openTime":-1,"closeTime":9223372036854775807}`)
	f.Fuzz(func(t *testing.T, body string) {
		q, err := answering(tickerPath, body).Quote(t.Context(), "BTC-USD")
		var from *market.SourceError
		if err != nil && !errors.As(err, &from) || err == nil && !q.Price.IsPositive() {
			t.Errorf("Quote = %s, %v", q.Price, err)
		}
	})
}

// C21: hours and five minutes, in UTC.
func TestIntraday_BarsStartInUTC(t *testing.T) {
	const hour = 3600_000
	row := func(opened int64, price string) string {
		return fmt.Sprintf(`[%d,%q,%q,%q,%q,"1.5",%d,"1.0",7,"1.0","1.0","0"]`, opened, price, price, price, price, opened+hour-1)
	}
	ten := noon.Add(-2 * time.Hour).UnixMilli()
	s, err := answering(klinesPath, "["+row(ten, "96000.5")+","+row(ten+hour, "96100")+","+row(ten+2*hour, "96050")+"]").Intraday(t.Context(), "BTC-USD", market.Hourly, market.Range{From: day("2025-02-20")})
	if err != nil || len(s.Bars) != 3 {
		t.Fatalf("Intraday = %d bars, %v", len(s.Bars), err)
	}
	if got := s.Bars[2]; s.Interval != market.Hourly || !got.Date.Equal(noon) || !got.Close.Equal(dec("96050")) || !s.Provenance.Has(market.FlagProvisional) {
		t.Errorf("%s bars end with %+v, %v", s.Interval, got, s.Provenance.Flags)
	}
	if _, err := answering(klinesPath, "[]").Intraday(t.Context(), "AAPL", market.Hourly, market.Range{}); !errors.Is(err, market.ErrNotCovered) {
		t.Errorf("Intraday of a share = %v, want ErrNotCovered", err)
	}
}
