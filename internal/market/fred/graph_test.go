package fred_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// graphScript has one series; other requests yield a 404.
func graphScript() *markettest.Script {
	return markettest.NewScript(map[string]markettest.Response{graphPath + "?id=UNRATE": dated(unrate, noon)})
}

func TestSource_KeepsTheContractWithoutAKey(t *testing.T) {
	markettest.RunSeries(t, func(*testing.T) markettest.SeriesSubject {
		return markettest.SeriesSubject{Source: keyless(graphScript()), Listed: "UNRATE", Words: "unemployment rate"}
	})
}

func TestEconomicSeries_SaysWhatItIs(t *testing.T) {
	got, err := keyless(graphScript()).EconomicSeries(t.Context(), "UNRATE", market.SeriesQuery{Range: market.Range{From: day("2024-10-01"), To: day("2024-11-30")}})
	if err != nil {
		t.Fatalf("EconomicSeries = %v", err)
	}
	want := market.EconomicSeries{
		SeriesInfo: market.SeriesInfo{
			ID: "UNRATE", Title: "Unemployment Rate", Unit: "percent", Frequency: market.FrequencyMonthly, Seasonal: market.SeasonalAdjusted,
			Publisher: "US Bureau of Labor Statistics", ReleaseLag: 10,
		},
		Observations: []market.Observation{{Date: day("2024-10-01")}, {Date: day("2024-11-01"), Value: decimal.NewNullDecimal(dec("4.2"))}},
		Vintage:      day("2025-02-20"),
		Provenance: market.Provenance{
			Source: "fred", Endpoint: "fredgraph.csv", License: "public domain; cite the publisher and FRED", AsOf: day("2024-11-01"), FetchedAt: noon,
			Unit: "percent", Adjustment: market.AdjustmentUnknown,
		},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("EconomicSeries (-want +got):\n%s", diff)
	}
}

func TestEconomicSeries_OneAnswerServesEveryRange(t *testing.T) {
	script := graphScript()
	for _, r := range []market.Range{{}, {From: day("2024-12-01")}} {
		if _, err := keyless(script).EconomicSeries(t.Context(), "UNRATE", market.SeriesQuery{Range: r}); err != nil {
			t.Fatalf("EconomicSeries = %v", err)
		}
	}
	if a := script.Requests(); a[0].URL.String() != a[1].URL.String() {
		t.Errorf("asked for %s and %s, want the same", a[0].URL, a[1].URL)
	}
}

func TestEconomicSeries_BothFormsOfTheTable(t *testing.T) {
	old := "DATE,UNRATE\n2024-08-01,4.2\n2024-09-01,.\n2024-10-01,0.0\n"
	got, err := keyless(answering(graphPath, old)).EconomicSeries(t.Context(), "UNRATE", market.SeriesQuery{})
	if err != nil || len(got.Observations) != 3 {
		t.Fatalf("EconomicSeries = %+v, %v", got.Observations, err)
	}
	if o := got.Observations; o[1].Value.Valid || !o[2].Value.Valid || !o[2].Value.Decimal.IsZero() {
		t.Errorf("observations = %+v, want the dot absent and the zero a zero", o)
	}
}

func TestEconomicSeries_OfARecordedTable(t *testing.T) {
	got, err := keyless(answering(graphPath, recorded(t, "fredgraph-DGS10-2023-2024.csv"))).EconomicSeries(t.Context(), "DGS10", market.SeriesQuery{})
	if err != nil {
		t.Fatalf("EconomicSeries = %v", err)
	}
	first, last := got.Observations[0], got.Observations[len(got.Observations)-1]
	if len(got.Observations) != 522 || !first.Date.Equal(day("2023-01-02")) || first.Value.Valid || !last.Value.Decimal.Equal(dec("4.58")) || !got.Provenance.AsOf.Equal(day("2024-12-31")) {
		t.Errorf("%d observations from %+v to %+v as of %v", len(got.Observations), first, last, got.Provenance.AsOf)
	}
}

// The month's figure was published earlier than usual: it is known once fetched, but not on the day before.
func TestEconomicSeries_WhatWasSeenWasOut(t *testing.T) {
	body := strings.Replace(unrate, "2025-01-01,4.0", "2025-01-01,4.0\n2025-02-01,4.1", 1)
	seen := time.Date(2025, 3, 7, 14, 0, 0, 0, time.UTC)
	script := markettest.NewScript(map[string]markettest.Response{graphPath: dated(body, seen)})
	for known, want := range map[string]string{"2025-03-07": "2025-02-01", "2025-03-06": "2025-01-01", "2025-02-10": "2025-01-01", "2025-02-09": "2024-12-01"} {
		got, err := keyless(script).EconomicSeries(t.Context(), "UNRATE", market.SeriesQuery{KnownOn: day(known)})
		if err != nil || !got.Observations[len(got.Observations)-1].Date.Equal(day(want)) || !got.Vintage.Equal(day("2025-03-07")) {
			t.Errorf("known on %s: %+v of %v, %v; want up to %s of the vintage 2025-03-07", known, got.Observations, got.Vintage, err, want)
		}
	}
}

func TestEconomicSeries_WithoutAServersClockNothingIsSaidOfTheVintage(t *testing.T) {
	script := markettest.NewScript(map[string]markettest.Response{graphPath: markettest.JSONResponse(unrate)})
	got, err := keyless(script).EconomicSeries(t.Context(), "UNRATE", market.SeriesQuery{})
	if err != nil || !got.Vintage.IsZero() || !got.Observations[5].Released.IsZero() {
		t.Errorf("vintage %v, released %v, %v; want neither known", got.Vintage, got.Observations[5].Released, err)
	}
}

func TestEconomicSeries_OutsideTheTableIsDescribedByItsDates(t *testing.T) {
	for _, row := range []struct {
		dates string
		want  market.Frequency
	}{
		{"2025-01-02 2025-01-03 2025-01-06", market.FrequencyDaily}, {"2025-01-04 2025-01-11 2025-01-18", market.FrequencyWeekly},
		{"2024-11-01 2024-12-01 2025-01-01", market.FrequencyMonthly}, {"2024-01-01 2024-04-01 2024-07-01", market.FrequencyQuarterly},
		{"2022-01-01 2023-01-01 2024-01-01", market.FrequencyAnnual}, {"2024-01-01", market.FrequencyAnnual},
	} {
		body := "observation_date,XX1\n" + strings.ReplaceAll(row.dates, " ", ",1\n") + ",1\n"
		got, err := keyless(answering(graphPath, body)).EconomicSeries(t.Context(), "XX1", market.SeriesQuery{})
		if err != nil || got.Frequency != row.want || got.Seasonal != market.SeasonalUnknown || !strings.Contains(got.Provenance.Note, "series/XX1") {
			t.Errorf("%s: %+v, %q, %v; want %s", row.dates, got.SeriesInfo, got.Provenance.Note, err, row.want)
		}
	}
}

func TestEconomicSeries_GraphsOwnRefusals(t *testing.T) {
	page := "<!DOCTYPE html><html><head><title>%s</title></head></html>"
	for _, row := range []struct {
		name   string
		status int
		body   string
		want   error
	}{
		{"unknown, in FRED's dress", 200, strings.Replace(page, "%s", "Error | FRED | St. Louis Fed", 1), market.ErrUnknownSymbol},
		{"unknown with a status", 400, "Bad Request", market.ErrUnknownSymbol},
		{"a page in the way", 200, strings.Replace(page, "%s", "Just a moment...", 1), market.ErrMalformed},
		{"another series", 200, strings.Replace(unrate, "UNRATE", "U6RATE", 1), market.ErrMalformed},
		{"two series", 200, "observation_date,UNRATE,U6RATE\n2024-08-01,4,5\n", market.ErrMalformed},
		{"other columns", 200, "when,UNRATE\n2024-08-01,4.2\n", market.ErrMalformed},
		{"no date", 200, "DATE,UNRATE\nAugust,4.2\n", market.ErrMalformed},
		{"a word", 200, "DATE,UNRATE\n2024-08-01,n/a\n", market.ErrMalformed},
		{"without end", 200, "DATE,UNRATE\n2024-08-01,1e999\n", market.ErrMalformed},
		{"out of order", 200, "DATE,UNRATE\n2024-08-01,1\n2024-07-01,1\n", market.ErrMalformed},
		{"no rows", 200, "DATE,UNRATE\n", market.ErrNoData},
		{"no values", 200, "DATE,UNRATE\n2024-08-01,.\n", market.ErrNoData},
	} {
		t.Run(row.name, func(t *testing.T) {
			script := markettest.NewScript(map[string]markettest.Response{graphPath: {Status: row.status, Body: []byte(row.body)}})
			if _, err := keyless(script).EconomicSeries(t.Context(), "UNRATE", market.SeriesQuery{}); !errors.Is(err, row.want) || !strings.Contains(err.Error(), "UNRATE") {
				t.Errorf("EconomicSeries = %v, want %v", err, row.want)
			}
		})
	}
	script := markettest.NewScript(nil)
	if _, err := keyless(script).EconomicSeries(t.Context(), "a&b", market.SeriesQuery{}); !errors.Is(err, market.ErrUnknownSymbol) || len(script.Requests()) > 0 {
		t.Errorf("EconomicSeries(a&b) = %v, want ErrUnknownSymbol unasked", err)
	}
}

func TestGraph_BadDaysEndInTheirSentinel(t *testing.T) {
	for _, bad := range markettest.BadResponses([]byte(unrate)) {
		t.Run(bad.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				script := markettest.NewScript(map[string]markettest.Response{graphPath: bad.Response})
				_, err := keyless(script).EconomicSeries(t.Context(), "UNRATE", market.SeriesQuery{})
				checkSentinel(t, err)
				if !errors.Is(err, bad.Want) {
					t.Errorf("EconomicSeries = %v, want %v", err, bad.Want)
				}
			})
		})
	}
}

// checkSentinel fails on an error that wraps no sentinel of market.
func checkSentinel(t *testing.T, err error) {
	t.Helper()
	var from *market.SourceError
	if err != nil && (!errors.As(err, &from) || from.Source != "fred") {
		t.Errorf("error %v is no *market.SourceError of fred", err)
	}
}

func FuzzGraph(f *testing.F) {
	f.Add(unrate)
	f.Add("DATE,UNRATE\n2024-08-01,.\n9999-12-31,-0\n")
	f.Fuzz(func(t *testing.T, body string) {
		got, err := keyless(answering(graphPath, body)).EconomicSeries(t.Context(), "UNRATE", market.SeriesQuery{KnownOn: noon})
		checkSentinel(t, err)
		for i, o := range got.Observations {
			if i > 0 && !o.Date.After(got.Observations[i-1].Date) {
				t.Errorf("observation of %v after %v", o.Date, got.Observations[i-1].Date)
			}
		}
	})
}
