package ecb_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// The rates of the day are 1.25 dollars, 187.5 yen, 0.8 pounds and 20000 rupiah:
// 187.5 / 1.25 = 150, 0.8 / 187.5 = 0.0042666..., 1 / 20000 = 0.00005.
func TestRates_AnyPairIsCrossedThroughTheEuro(t *testing.T) {
	for _, row := range []struct{ pair, want, note string }{
		{"EURUSD", "1.25", "Reference rate"}, {"USDEUR", "0.8", "1 divided by USD per euro"},
		{"USDJPY", "150", "JPY per euro divided by USD per euro"}, {"GBPUSD", "1.5625", "same day"},
		{"JPYGBP", "0.004266666667", "GBP per euro divided by JPY"}, {"IDREUR", "0.00005", "IDR"},
	} {
		got, err := sourceOf(fixtureScript(t)).Rates(t.Context(), pair(row.pair), market.Range{})
		if err != nil || len(got.Rates) != 1 || !got.Rates[0].Value.Equal(dec(row.want)) || !got.Rates[0].Date.Equal(day("2026-04-13")) {
			t.Errorf("Rates(%s) = %+v, %v; want %s", row.pair, got.Rates, err, row.want)
			continue
		}
		if !strings.Contains(got.Provenance.Note, row.note) {
			t.Errorf("Rates(%s): note %q does not say %q", row.pair, got.Provenance.Note, row.note)
		}
	}
}

func TestRates_SayWhatTheyAre(t *testing.T) {
	got, err := sourceOf(fixtureScript(t)).Rates(t.Context(), pair("EURJPY"), market.Range{From: day("2026-04-01")})
	if err != nil {
		t.Fatalf("Rates = %v", err)
	}
	want := market.RateSeries{
		Pair:  pair("EURJPY"),
		Rates: []market.Rate{{Date: day("2026-04-10"), Value: dec("180")}, {Date: day("2026-04-13"), Value: dec("187.5")}},
		Provenance: market.Provenance{
			Source: "ecb", Endpoint: "eurofxref 90 days", AsOf: day("2026-04-13"), FetchedAt: evening, Currency: "JPY", Unit: "rate",
			Adjustment: market.AdjustmentUnknown,
		},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(market.Provenance{}, "License", "Note")); diff != "" {
		t.Errorf("Rates (-want +got):\n%s", diff)
	}
}

func TestRates_AsksForTheSmallestFileThatAnswers(t *testing.T) {
	for _, row := range []struct {
		name, pair, from, to string
		asked                []string
		dates                string // the first and the last one
	}{
		{"newest", "EURUSD", "", "", []string{"eurofxref-daily.xml"}, "2026-04-13 2026-04-13"},
		{"today", "EURUSD", "", "2026-04-13", []string{"eurofxref-daily.xml"}, "2026-04-13 2026-04-13"},
		{"a weekend of late", "EURUSD", "", "2026-04-12", []string{"eurofxref-hist-90d.xml"}, "2026-04-10 2026-04-10"},
		{"some weeks", "USDJPY", "2026-02-01", "2026-04-11", []string{"eurofxref-hist-90d.xml"}, "2026-04-10 2026-04-10"},
		{"a day of old", "EURUSD", "", "2026-01-01", []string{"eurofxref-hist.zip"}, "2025-12-31 2025-12-31"},
		{"both legs of one day", "USDJPY", "", "2026-01-01", []string{"eurofxref-hist.zip"}, "2025-12-30 2025-12-30"},
		{"years", "EURUSD", "2022-03-02", "2026-01-02", []string{"eurofxref-hist.zip"}, "2022-03-02 2026-01-02"},
		{"a currency that ended", "EURHRK", "", "", []string{"eurofxref-daily.xml", "eurofxref-hist.zip"}, "2022-12-30 2022-12-30"},
	} {
		t.Run(row.name, func(t *testing.T) {
			script := fixtureScript(t)
			var r market.Range
			if row.from != "" {
				r.From = day(row.from)
			}
			if row.to != "" {
				r.To = day(row.to)
			}
			got, err := sourceOf(script).Rates(t.Context(), pair(row.pair), r)
			if err != nil {
				t.Fatalf("Rates = %v", err)
			}
			dates := got.Rates[0].Date.Format("2006-01-02") + " " + got.Rates[len(got.Rates)-1].Date.Format("2006-01-02")
			if dates != row.dates || !slices.Equal(requestedPaths(script), row.asked) {
				t.Errorf("rates %s of %q, want %s of %q", dates, requestedPaths(script), row.dates, row.asked)
			}
		})
	}
}

// If the clock is set back, the files are from a later time: they do not go back as far as their names say,
// and rates after the set date are omitted.
func TestRates_FilesOfALaterTimeAreNotTakenForTheWhole(t *testing.T) {
	got, err := sourceAt(fixtureScript(t), day("2026-04-11")).Rates(t.Context(), pair("EURUSD"), market.Range{From: day("2026-01-02"), To: day("2026-04-11")})
	if err != nil || len(got.Rates) != 2 || !got.Rates[0].Date.Equal(day("2026-01-02")) {
		t.Errorf("Rates of a range = %+v, %v; want those of January and April", got.Rates, err)
	}
	got, err = sourceAt(fixtureScript(t), day("2026-04-11")).Rates(t.Context(), pair("EURUSD"), market.Range{To: day("2026-04-11")})
	if err != nil || len(got.Rates) != 1 || !got.Rates[0].Date.Equal(day("2026-04-10")) {
		t.Errorf("last rate = %+v, %v; want that of 2026-04-10", got.Rates, err)
	}
}

func TestRates_OfCurrenciesThatEnded(t *testing.T) {
	late := market.Range{From: day("2026-01-02"), To: day("2026-04-13")}
	for code, last := range map[string]string{"BGN": "2025-12-31", "HRK": "2022-12-30", "RUB": "2022-03-01"} {
		_, err := sourceOf(fixtureScript(t)).Rates(t.Context(), pair("EUR"+code), late)
		if !errors.Is(err, market.ErrNoData) || !strings.Contains(err.Error(), last) {
			t.Errorf("EUR/%s of 2026 = %v, want ErrNoData that tells %s", code, err, last)
		}
		got, err := sourceOf(fixtureScript(t)).Rates(t.Context(), pair("EUR"+code), market.Range{From: day("2022-01-01")})
		if err != nil || !got.Provenance.AsOf.Equal(day(last)) || !strings.Contains(got.Provenance.Note, "no rates after "+last) {
			t.Errorf("EUR/%s since 2022 is as of %v and says %q, %v; want a note about its end", code, got.Provenance.AsOf, got.Provenance.Note, err)
		}
		if _, err := got.On(day("2026-04-13")); !errors.Is(err, market.ErrNoData) {
			t.Errorf("EUR/%s on 2026-04-13 = %v, want ErrNoData", code, err)
		}
	}
}

func TestRates_RefusesWhatIsNoPair(t *testing.T) {
	for _, row := range []struct {
		name string
		pair market.Pair
		r    market.Range
		want error
	}{
		{"never quoted", pair("EURXAU"), market.Range{}, market.ErrUnknownSymbol},
		{"neither leg", pair("XAUXAG"), market.Range{}, market.ErrUnknownSymbol},
		{"in itself", pair("EUREUR"), market.Range{}, market.ErrUnknownSymbol},
		{"ends swapped", pair("EURUSD"), market.Range{From: day("2026-04-13"), To: day("2026-04-10")}, market.ErrNoData},
		{"before the euro", pair("EURUSD"), market.Range{To: day("1998-12-31")}, market.ErrNoData},
		{"the future", pair("EURUSD"), market.Range{From: day("2026-04-14")}, market.ErrNoData},
	} {
		if _, err := sourceOf(fixtureScript(t)).Rates(t.Context(), row.pair, row.r); !errors.Is(err, row.want) {
			t.Errorf("%s: Rates = %v, want %v", row.name, err, row.want)
		}
	}
}

func TestRates_OfRecordings(t *testing.T) {
	history := recorded(t, "eurofxref-hist-head600.csv")
	for _, row := range []struct {
		name, path string
		body       []byte
		pair       string
		r          market.Range
		n          int
		last       string
	}{
		{"XML of 2013", dailyPath, recorded(t, "eurofxref-daily-2013-08-20.xml"), "EURHRK", market.Range{}, 1, "7.5395"},
		{"CSV of a day", historyPath, recorded(t, "eurofxref.csv"), "EURZAR", market.Range{From: day("2026-01-01")}, 1, "19.3849"},
		{"history", historyPath, history, "EURUSD", market.Range{From: day("2023-12-01")}, 600, "1.1684"},
		// 186.75 / 1.1684 = 159.833961...
		{"history crossed", historyPath, history, "USDJPY", market.Range{To: day("2026-04-13")}, 1, "159.8339610"},
		{"archive", historyPath, zipped(t, "eurofxref-hist.csv", history), "EURBGN", market.Range{From: day("2023-12-01")}, 530, "1.9558"},
	} {
		t.Run(row.name, func(t *testing.T) {
			script := markettest.NewScript(map[string]markettest.Response{row.path: {Body: row.body}})
			if row.path == historyPath {
				script.Respond(dailyPath, markettest.Response{Body: recorded(t, "eurofxref-daily-2013-08-20.xml")})
			}
			now := evening
			if row.path == historyPath {
				now = day("2027-01-01")
			}
			got, err := sourceAt(script, now).Rates(t.Context(), pair(row.pair), row.r)
			if err != nil || len(got.Rates) != row.n {
				t.Fatalf("Rates(%s) = %d rates, %v; want %d", row.pair, len(got.Rates), err, row.n)
			}
			if last := got.Rates[row.n-1].Value; !last.Equal(dec(row.last)) {
				t.Errorf("Rates(%s) end with %s, want %s", row.pair, last, row.last)
			}
		})
	}
}

func TestRates_BadDaysEndInTheirSentinel(t *testing.T) {
	for path, good := range map[string][]byte{dailyPath: testdata(t, "daily.xml"), historyPath: zipped(t, "x.csv", testdata(t, "history.csv"))} {
		r := market.Range{}
		if path == historyPath {
			r.From = day("2022-01-01")
		}
		for _, bad := range markettest.BadResponses(good) {
			if bad.Name == "404" {
				bad.Want = market.ErrUnavailable // the file is gone, not the currency
			}
			t.Run(path+"/"+bad.Name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					script := markettest.NewScript(map[string]markettest.Response{path: bad.Response})
					_, err := sourceOf(script).Rates(t.Context(), pair("EURUSD"), r)
					var from *market.SourceError
					if !errors.Is(err, bad.Want) || !errors.As(err, &from) || from.Source != "ecb" {
						t.Errorf("Rates = %v, want %v from ecb", err, bad.Want)
					}
				})
			})
		}
	}
}

func TestRates_WhatIsNoRateIsMalformed(t *testing.T) {
	for name, body := range map[string]string{
		"zero":               "Date, USD, \n13 April 2026, 0, \n",
		"below zero":         "Date, USD, \n13 April 2026, -1, \n",
		"a word":             "Date, USD, \n13 April 2026, high, \n",
		"without end":        "Date, USD, \n13 April 2026, 1e9999, \n",
		"no date":            "Date, USD, \nyesterday, 1, \n",
		"no currency":        "Date, usd, \n13 April 2026, 1, \n",
		"a currency twice":   "Date, USD, USD, \n13 April 2026, 1, 2, \n",
		"a day twice":        "Date, USD, \n13 April 2026, 1, \n2026-04-13, 1, \n",
		"no day":             "Date, USD, \n",
		"a rate before days": "<Cube><Cube currency='USD' rate='1'/></Cube>",
		"no archive":         "PK\x03\x04 and no more",
	} {
		script := markettest.NewScript(map[string]markettest.Response{historyPath: {Body: []byte(body)}})
		if _, err := sourceOf(script).Rates(t.Context(), pair("EURUSD"), market.Range{From: day("2022-01-01")}); !errors.Is(err, market.ErrMalformed) {
			t.Errorf("%s: Rates = %v, want ErrMalformed", name, err)
		}
	}
}

func FuzzRates(f *testing.F) {
	f.Add(testdata(f, "daily.xml"))
	f.Add(testdata(f, "history.csv"))
	f.Add(zipped(f, "eurofxref-hist.csv", testdata(f, "history.csv")))
	f.Add([]byte("Date, USD, JPY, \n13 April 2026, 1.1684, 186.75, \n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		script := markettest.NewScript(map[string]markettest.Response{historyPath: {Body: body}})
		got, err := sourceOf(script).Rates(t.Context(), pair("USDJPY"), market.Range{From: day("1990-01-01")})
		var from *market.SourceError
		if err != nil && !errors.As(err, &from) {
			t.Errorf("error %v is no *market.SourceError", err)
		}
		for i, one := range got.Rates {
			if !one.Value.IsPositive() || i > 0 && !one.Date.After(got.Rates[i-1].Date) {
				t.Errorf("rate %s of %v", one.Value, one.Date)
			}
		}
	})
}

// The whole history has seven thousand days of forty currencies.
func BenchmarkRates(b *testing.B) {
	var body strings.Builder
	codes := []string{"USD", "JPY"}
	for i := range 38 {
		codes = append(codes, "A"+string(rune('A'+i/26))+string(rune('A'+i%26)))
	}
	body.WriteString("Date," + strings.Join(codes, ",") + ",\n")
	for d := day("1999-01-04"); d.Before(day("2026-04-13")); d = d.AddDate(0, 0, 1) {
		if d.Weekday() != 0 && d.Weekday() != 6 {
			body.WriteString(d.Format("2006-01-02") + strings.Repeat(",1.1684", 40) + ",\n")
		}
	}
	script := markettest.NewScript(map[string]markettest.Response{historyPath: {Body: zipped(b, "eurofxref-hist.csv", []byte(body.String()))}})
	s := sourceOf(script)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Rates(b.Context(), pair("USDJPY"), market.Range{From: day("1999-01-04")}); err != nil {
			b.Fatal(err)
		}
	}
}
