package yahoo_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func chartCloses(s market.Series) string {
	var out []string
	for _, b := range s.Bars {
		out = append(out, b.Date.Format("01-02")+"="+b.Close.String())
	}
	return strings.Join(out, " ")
}

func TestSeries_EastOfGreenwichAreOfTheLocalDay(t *testing.T) {
	// Sydney opens at 10:00, which is 23:00 UTC of the day before during its daylight saving time, and
	// midnight UTC after it.
	sheet := markettest.NewYahooChart("ALL.AX", "2020-01-01")
	sheet.Meta["exchangeTimezoneName"], sheet.Meta["gmtoffset"], sheet.Meta["currency"] = "Australia/Sydney", 36000, "AUD"
	for _, at := range []string{"2024-04-04T23:00:00Z", "2024-04-08T00:00:00Z"} {
		opening, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		sheet.Rows = append(sheet.Rows, markettest.YahooChartRow{At: opening.Unix(), Close: 20})
	}
	sheet.Meta["regularMarketPrice"], sheet.Meta["regularMarketTime"] = 20, sheet.Rows[1].At+3600
	if got, want := chartCloses(chartSeries(t, sheet.String(), "ALL.AX")), "04-05=20 04-08=20"; got != want {
		t.Errorf("bars = %s, want %s", got, want)
	}
}

func TestSeries_MissingClosesAreLeftOutButToday(t *testing.T) {
	sheet := markettest.NewYahooChart("AAA", "2025-02-14", 10, nil, 11, 12, nil) // Friday to Thursday, which has no close yet
	sheet.Meta["regularMarketPrice"], sheet.Meta["regularMarketTime"] = 12.5, sheet.Rows[4].At+60
	s := chartSeries(t, sheet.String(), "AAA")
	if got, want := chartCloses(s), "02-14=10 02-18=11 02-19=12 02-20=12.5"; got != want {
		t.Errorf("bars = %s, want %s", got, want)
	}
	if !s.Provenance.Has(market.FlagProvisional) || !s.Provenance.AsOf.Equal(time.Unix(sheet.Rows[4].At+60, 0)) {
		t.Errorf("today's bar: %+v, want it provisional and as of the last trade", s.Provenance)
	}
}

func TestSeries_MissingCloseOfADayWithoutTradesIsNoPrice(t *testing.T) {
	sheet := markettest.NewYahooChart("AAA", "2025-02-18", 10, 11, nil) // the last trade was on 2025-02-19
	if got, want := chartCloses(chartSeries(t, sheet.String(), "AAA")), "02-18=10 02-19=11"; got != want {
		t.Errorf("bars = %s, want %s", got, want)
	}
}

func TestSeries_TodayIsProvisionalUntilTwentyMinutesAfterTheClose(t *testing.T) {
	sheet := markettest.NewYahooChart("AAA", "2025-02-18", 10, 11)
	opening := sheet.Rows[1].At
	sheet.Meta["currentTradingPeriod"] = map[string]any{"regular": map[string]any{"start": opening, "end": opening + 6*3600 + 1800}}
	closing := time.Unix(opening, 0).Add(6*time.Hour + 30*time.Minute)
	for _, row := range []struct {
		name string
		now  time.Time
		want bool
	}{
		{"while it trades", closing.Add(-time.Hour), true},
		{"nineteen minutes after", closing.Add(19 * time.Minute), true},
		{"twenty-one minutes after", closing.Add(21 * time.Minute), false},
	} {
		s, err := seriesAt(sheet.String(), "AAA", row.now)
		if got := s.Provenance.Has(market.FlagProvisional); err != nil || got != row.want {
			t.Errorf("%s: provisional = %v, %v; want %v", row.name, got, err, row.want)
		}
	}
}

func TestSeries_LastTradeJoinsTheDaysBar(t *testing.T) {
	sheet := markettest.NewYahooChart("AAA", "2025-02-18", 10, 11)
	sheet.Rows[1].High, sheet.Rows[1].Low = 11.5, 10.5
	sheet.Rows = append(sheet.Rows, markettest.YahooChartRow{At: sheet.Rows[1].At + 3600, Open: 12, High: 12, Low: 12, Close: 12, Volume: 0})
	b := chartSeries(t, sheet.String(), "AAA").Bars
	if len(b) != 2 {
		t.Fatalf("%d bars, want 2", len(b))
	}
	want := [5]string{"11", "12", "10.5", "12", "1000"}
	got := [5]string{b[1].Open.Decimal.String(), b[1].High.Decimal.String(), b[1].Low.Decimal.String(), b[1].Close.String(), b[1].Volume.Decimal.String()}
	if got != want {
		t.Errorf("open, high, low, close, volume = %v, want %v", got, want)
	}
}

func TestSeries_OddPricesAreLeftOutAndSaid(t *testing.T) {
	for _, r := range []struct {
		name    string
		change  func(*markettest.YahooChartRow)
		wantLow bool // open, high and low are not dropped
		suspect bool
	}{
		{"high below the close", func(r *markettest.YahooChartRow) { r.High = 9 }, false, true},
		{"low above the open", func(r *markettest.YahooChartRow) { r.Low = 12; r.High = 13 }, false, true},
		{"noise of single precision", func(r *markettest.YahooChartRow) {
			r.High, r.Close, r.Open = 14.5500001907349, 14.5500004291534, 14.5
			r.Low = 14.5
		}, true, false},
		{"zero is no price", func(r *markettest.YahooChartRow) { r.Open = 0 }, true, false},
		{"negative is no price", func(r *markettest.YahooChartRow) { r.Low = -1 }, false, false},
	} {
		t.Run(r.name, func(t *testing.T) {
			sheet := markettest.NewYahooChart("AAA", "2025-02-17", 11, 11, 11)
			r.change(&sheet.Rows[1])
			s := chartSeries(t, sheet.String(), "AAA")
			if len(s.Bars) != 3 || s.Bars[1].Low.Valid != r.wantLow {
				t.Errorf("bars = %+v, want the low kept: %v", s.Bars, r.wantLow)
			}
			if got := s.Provenance.Has(market.FlagSuspect); got != r.suspect || r.suspect && !strings.Contains(s.Provenance.Note, "2025-02-18") {
				t.Errorf("suspect = %v, note %q; want %v", got, s.Provenance.Note, r.suspect)
			}
		})
	}
}

func TestSeries_ClosesThatCannotBeAreNoBars(t *testing.T) {
	s := chartSeries(t, markettest.NewYahooChart("AAA", "2025-02-17", 11, 0, -3, 12).String(), "AAA")
	if got, want := chartCloses(s), "02-17=11 02-20=12"; got != want {
		t.Errorf("bars = %s, want %s", got, want)
	}
}

func TestSeries_AVolumeBelowZeroIsAbsent(t *testing.T) {
	sheet := markettest.NewYahooChart("AAA", "2025-02-17", 10)
	sheet.Rows[0].Volume = -5
	if got := chartSeries(t, sheet.String(), "AAA").Bars[0].Volume; got.Valid {
		t.Errorf("volume = %s, want none", got.Decimal)
	}
}

func TestSeries_VolumeOfWhatIsNotCountedIsAbsent(t *testing.T) {
	for _, r := range []struct {
		kind string
		want bool
	}{{"CURRENCY", false}, {"INDEX", false}, {"MUTUALFUND", false}, {"EQUITY", true}, {"CRYPTOCURRENCY", true}} {
		sheet := markettest.NewYahooChart("AAA", "2025-02-17", 11)
		sheet.Meta["instrumentType"], sheet.Rows[0].Volume = r.kind, 0
		if got := chartSeries(t, sheet.String(), "AAA").Bars[0].Volume.Valid; got != r.want {
			t.Errorf("%s: zero volume is known = %v, want %v", r.kind, got, r.want)
		}
	}
}

func TestSeries_OfAnIndexTellNoDividends(t *testing.T) {
	sheet := markettest.NewYahooChart("^GSPC", "2025-02-17", 6000, 6010)
	sheet.Meta["instrumentType"], sheet.Meta["exchangeName"] = "INDEX", "SNP"
	s := chartSeries(t, sheet.String(), "^GSPC")
	if s.Provenance.Currency != "" || s.Provenance.Unit != "index points" || s.Actions != nil {
		t.Errorf("index: currency %q, unit %q, actions %v; want points and no actions known", s.Provenance.Currency, s.Provenance.Unit, s.Actions)
	}
	if _, err := s.TotalReturn(); !errors.Is(err, market.ErrActionsUnknown) {
		t.Errorf("TotalReturn of a price index = %v, want ErrActionsUnknown", err)
	}
}

func TestSeries_PenceBecomePoundsAfterAScaleCheck(t *testing.T) {
	for _, r := range []struct {
		name     string
		currency string
		closes   []any
		price    float64
		years    int // between the last bar and the price
		want     string
		major    string
		suspect  bool
	}{
		{"pence", "GBp", []any{300, 305}, 306, 0, "02-17=3 02-18=3.05", "GBP", false},
		{"bars in pounds already", "GBp", []any{3, 3.05}, 306, 0, "02-17=3 02-18=3.05", "GBP", false},
		{"price in pounds already", "GBp", []any{300, 305}, 3.06, 0, "02-17=3 02-18=3.05", "GBP", false},
		{"years between them", "GBp", []any{300, 305}, 900, 5, "02-17=3 02-18=3.05", "GBP", false},
		{"a hundredfold over years", "GBp", []any{3, 3.05}, 306, 5, "02-17=0.03 02-18=0.0305", "GBP", true},
		{"too far apart", "GBp", []any{300, 305}, 3050, 0, "02-17=3 02-18=3.05", "GBP", true},
		{"cents of South Africa", "ZAc", []any{5000}, 5000, 0, "02-17=50", "ZAR", false},
		{"agorot", "ILA", []any{5000}, 5000, 0, "02-17=50", "ILS", false},
		{"cents of the United States, of grain", "USX", []any{450.25}, 450.25, 0, "02-17=4.5025", "USD", false},
		{"fils, a thousand of them", "KWF", []any{5000}, 5000, 0, "02-17=5", "KWD", false},
		{"pounds", "GBP", []any{300}, 300, 0, "02-17=300", "GBP", false},
	} {
		t.Run(r.name, func(t *testing.T) {
			sheet := markettest.NewYahooChart("OCDO.L", "2025-02-17", r.closes...)
			sheet.Meta["currency"], sheet.Meta["regularMarketPrice"] = r.currency, r.price
			sheet.Meta["regularMarketTime"] = sheet.Rows[len(sheet.Rows)-1].At + int64(r.years)*365*86400
			s := chartSeries(t, sheet.String(), "OCDO.L")
			if got := chartCloses(s); got != r.want || s.Provenance.Currency != r.major {
				t.Errorf("bars = %s in %s, want %s in %s", got, s.Provenance.Currency, r.want, r.major)
			}
			if s.Provenance.Has(market.FlagSuspect) != r.suspect || s.Provenance.Has(market.FlagConverted) != (r.currency != r.major) {
				t.Errorf("flags %v, note %q; want suspect %v", s.Provenance.Flags, s.Provenance.Note, r.suspect)
			}
		})
	}
}

func TestSeries_ActionsAreInTheUnitOfThePrices(t *testing.T) {
	sheet := markettest.NewYahooChart("VOD.L", "2025-02-17", 100, 100, 98, 98)
	sheet.Meta["currency"] = "GBp"
	sheet.Rows[0].Adjusted, sheet.Rows[1].Adjusted = 98, 98
	sheet.Events = map[string]any{"dividends": markettest.YahooChartEvent(sheet.Rows[2].At, map[string]any{"amount": 2})}
	s := chartSeries(t, sheet.String(), "VOD.L")
	want := []market.Action{{Kind: market.ActionDividend, Date: chartDay("2025-02-19"), Amount: chartDecimal("0.02")}}
	if diff := cmp.Diff(want, s.Actions); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
}

// Yahoo may report the currency in which a dividend was paid. A split has no currency, so it is returned in
// either case.
func TestSeries_DividendsAreInTheCurrencyOfThePricesOrUnknown(t *testing.T) {
	for _, r := range []struct {
		name          string
		prices, paid  string
		amount        any
		want, foreign string
	}{
		{"nothing said, of pence", "GBp", "", 2, "0.02", ""},
		{"pence of pence", "GBp", "GBp", 2, "0.02", ""},
		{"pounds of pence", "GBp", "GBP", 0.02, "0.02", ""},
		{"pence of pounds", "GBP", "GBp", 2, "0.02", ""},
		{"pence of pounds under another name", "GBP", "GBX", 2, "0.02", ""},
		{"dollars of dollars", "USD", "USD", 0.5, "0.5", ""},
		{"dollars of pence", "GBp", "USD", 0.5, "", "USD"},
		{"euros of dollars", "USD", "EUR", 0.5, "", "EUR"},
	} {
		t.Run(r.name, func(t *testing.T) {
			sheet := markettest.NewYahooChart("HSBA.L", "2025-02-17", 100, 98)
			sheet.Meta["currency"] = r.prices
			sheet.Rows[0].Adjusted = 98
			paid := map[string]any{"amount": r.amount}
			if r.paid != "" {
				paid["currency"] = r.paid
			}
			sheet.Events = map[string]any{
				"dividends": markettest.YahooChartEvent(sheet.Rows[1].At, paid),
				"splits":    markettest.YahooChartEvent(sheet.Rows[0].At, map[string]any{"numerator": 4, "denominator": 1}),
			}
			s := chartSeries(t, sheet.String(), "HSBA.L")
			if r.foreign != "" {
				split := []market.Action{{Kind: market.ActionSplit, Date: chartDay("2025-02-17"), New: chartDecimal("4"), Old: chartDecimal("1")}}
				if diff := cmp.Diff(split, s.Actions); diff != "" || !s.DividendsUnknown || !strings.Contains(s.Provenance.Note, "reported in "+r.foreign) {
					t.Errorf("dividends unknown %v, note %q; want them so, for %s; actions (-want +got):\n%s", s.DividendsUnknown, s.Provenance.Note, r.foreign, diff)
				}
				if _, err := s.TotalReturn(); !errors.Is(err, market.ErrActionsUnknown) {
					t.Errorf("TotalReturn = %v, want ErrActionsUnknown", err)
				}
				return
			}
			if len(s.Actions) != 2 || s.DividendsUnknown || !s.Actions[1].Amount.Equal(chartDecimal(r.want)) {
				t.Errorf("actions = %+v, want a dividend of %s after the split", s.Actions, r.want)
			}
		})
	}
}

func TestSeries_DividendAsLargeAsThePriceIsInTheMinorUnit(t *testing.T) {
	sheet := markettest.NewYahooChart("VOD.L", "2025-02-17", 100, 98)
	sheet.Meta["currency"] = "GBp"
	sheet.Events = map[string]any{"dividends": markettest.YahooChartEvent(sheet.Rows[1].At, map[string]any{"amount": 200})}
	s := chartSeries(t, sheet.String(), "VOD.L")
	a := s.Actions[0]
	if !a.Amount.Equal(chartDecimal("0.02")) || len(a.Flags) != 2 || !s.Provenance.Has(market.FlagSuspect) {
		t.Errorf("dividend = %+v, series %v; want 0.02 pounds, flagged", a, s.Provenance.Flags)
	}
}

func TestSeries_SplitsAreToldFromSpinOffs(t *testing.T) {
	for _, r := range []struct {
		name     string
		new, old any
		want     market.ActionKind
		suspect  bool
	}{
		{"four for one", 4, 1, market.ActionSplit, false},
		{"one for twenty-five", 1, 25, market.ActionSplit, false},
		{"three for two", 3, 2, market.ActionSplit, false},
		{"stock dividend of five per cent", 1.05, 1, market.ActionSplit, false},
		{"spin-off written as a split", 1046, 1000, market.ActionSpinOff, true},
		{"the same as a fraction", 1.046, 1, market.ActionSpinOff, true},
		{"odd consolidation", 0.4406, 1, market.ActionSplit, true},
	} {
		t.Run(r.name, func(t *testing.T) {
			sheet := markettest.NewYahooChart("AAA", "2025-02-17", 10, 10)
			sheet.Events = map[string]any{"splits": markettest.YahooChartEvent(sheet.Rows[1].At, map[string]any{"numerator": r.new, "denominator": r.old})}
			a := chartSeries(t, sheet.String(), "AAA").Actions
			if len(a) != 1 || a[0].Kind != r.want || (len(a[0].Flags) == 1) != r.suspect {
				t.Errorf("actions = %+v, want one %s, suspect %v", a, r.want, r.suspect)
			}
		})
	}
}
