package treasury_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/market/treasury"
	"github.com/nfa-cli/nfa/internal/recordings"
)

// noon is Wednesday, 2026-01-07, in New York.
var noon = time.Date(2026, 1, 7, 17, 0, 0, 0, time.UTC)

func sourceAt(script *markettest.Script, now time.Time, dir string) *treasury.Source {
	clock := func() time.Time { return now }
	return treasury.New(client.New(client.Options{Transport: script, Now: clock, Dir: dir}), client.ProviderOptions{BaseURL: "http://127.0.0.1", Now: clock})
}

func file(year int) string {
	return fmt.Sprintf("/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv/%d/all", year)
}

// fixtureScript has the year 2026 of both curves, which a script distinguishes only by path.
func fixtureScript(body string) *markettest.Script {
	return markettest.NewScript(map[string]markettest.Response{file(2026): markettest.JSONResponse(body)})
}

func readFile(t testing.TB, path ...string) string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// recorded reads a recording of the Treasury's answers.
func recorded(t testing.TB, name string) string {
	t.Helper()
	return string(recordings.Read(t, "market", "treasury", name))
}

func day(text string) market.Date {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

// line describes a curve in one line: "2026-01-02 1M=0 2M=3.77".
func line(c market.YieldCurve) string {
	parts := []string{c.Date.Format(time.DateOnly)}
	for _, t := range c.Tenors {
		parts = append(parts, t.Label+"="+t.Yield.String())
	}
	return strings.Join(parts, " ")
}

func lines(curves []market.YieldCurve) []string {
	var out []string
	for _, c := range curves {
		out = append(out, line(c))
	}
	return out
}

func TestYieldCurves_OfARangeOldestFirst(t *testing.T) {
	s := sourceAt(fixtureScript(readFile(t, "testdata", "par-2026.csv")), noon, "")
	got, err := s.YieldCurves(t.Context(), market.CurveTreasury, market.Range{From: day("2026-01-02"), To: day("2026-01-05")})
	if err != nil {
		t.Fatalf("YieldCurves = %v", err)
	}
	want := []string{"2026-01-02 1M=0 1.5M=3.74 2M=3.77 10Y=4.44", "2026-01-05 1M=3.67 2M=3.72 10Y=4.48"}
	if diff := cmp.Diff(want, lines(got)); diff != "" {
		t.Errorf("curves, without the cells that are blank (-want +got):\n%s", diff)
	}
	origin := market.Provenance{
		Source: "treasury", Endpoint: "daily treasury yield curve", AsOf: day("2026-01-05"), FetchedAt: noon, Unit: "percent", Adjustment: market.AdjustmentUnknown,
	}
	if diff := cmp.Diff(origin, got[1].Provenance, cmpopts.IgnoreFields(market.Provenance{}, "License")); diff != "" {
		t.Errorf("provenance (-want +got):\n%s", diff)
	}
	if months := got[0].Tenors[1].Months.String() + " " + got[0].Tenors[3].Months.String(); months != "1.5 120" {
		t.Errorf("months of 1.5M and 10Y = %s", months)
	}
}

func TestYieldCurves_AnOpenBeginMeansTheLastOne(t *testing.T) {
	for _, row := range []struct{ to, want string }{
		{"", "2026-01-06"}, {"2026-01-05", "2026-01-05"}, {"2026-01-04", "2026-01-02"}, {"2030-01-01", "2026-01-06"},
	} {
		var r market.Range
		if row.to != "" {
			r.To = day(row.to)
		}
		got, err := sourceAt(fixtureScript(readFile(t, "testdata", "par-2026.csv")), noon, "").YieldCurves(t.Context(), market.CurveTreasury, r)
		if err != nil || len(got) != 1 || !got[0].Date.Equal(day(row.want)) {
			t.Errorf("YieldCurves to %q = %v, %v; want that of %s", row.to, lines(got), err, row.want)
		}
	}
}

func TestYieldCurves_InTheFirstDaysOfAYearIsThatOfTheLast(t *testing.T) {
	script := fixtureScript("Date,\"1 Mo\"\n")
	script.Respond(file(2025), markettest.JSONResponse("Date,\"1 Mo\"\n12/31/2025,3.5\n"))
	got, err := sourceAt(script, noon, "").YieldCurves(t.Context(), market.CurveTreasury, market.Range{To: day("2026-01-01")})
	if err != nil || len(got) != 1 || line(got[0]) != "2025-12-31 1M=3.5" {
		t.Errorf("YieldCurves = %v, %v; want New Year's Eve", lines(got), err)
	}
}

func TestYieldCurves_OnlyTheYearsOfTheRangeAreAsked(t *testing.T) {
	script := markettest.NewScript(nil)
	for year := 2022; year <= 2024; year++ {
		script.Respond(file(year), markettest.JSONResponse(fmt.Sprintf("Date,\"1 Mo\"\n06/30/%d,3.5\n", year)))
	}
	got, err := sourceAt(script, noon, "").YieldCurves(t.Context(), market.CurveTreasury, market.Range{From: day("2022-07-01"), To: day("2024-07-01")})
	if err != nil || len(got) != 2 || len(script.Requests()) != 3 {
		t.Errorf("YieldCurves = %v, %v after %d requests; want two curves after three", lines(got), err, len(script.Requests()))
	}
}

func TestYieldCurves_BeforeTheFirstYearNothingIsAsked(t *testing.T) {
	for curve, last := range map[string]string{market.CurveTreasury: "1989-12-29", market.CurveTreasuryReal: "2002-12-31"} {
		for _, from := range []market.Date{{}, day("1980-01-01")} {
			script := markettest.NewScript(nil)
			_, err := sourceAt(script, noon, "").YieldCurves(t.Context(), curve, market.Range{From: from, To: day(last)})
			if !errors.Is(err, market.ErrNoData) || len(script.Requests()) > 0 {
				t.Errorf("%s from %v to %s = %v after %d requests, want ErrNoData unasked", curve, from, last, err, len(script.Requests()))
			}
		}
	}
}

func TestYieldCurves_RealYieldsMayBeNegative(t *testing.T) {
	script := fixtureScript(readFile(t, "testdata", "real-2026.csv"))
	got, err := sourceAt(script, noon, "").YieldCurves(t.Context(), market.CurveTreasuryReal, market.Range{To: day("2026-01-02")})
	if err != nil || len(got) != 1 || line(got[0]) != "2026-01-02 5Y=-0.05 7Y=1.6 10Y=1.83 30Y=2.5" || got[0].Name != "US Treasury par real yield curve" {
		t.Errorf("YieldCurves = %v, %v", lines(got), err)
	}
	if kind := script.Requests()[0].URL.Query().Get("type"); kind != "daily_treasury_real_yield_curve" {
		t.Errorf("asked for %q", kind)
	}
}

func TestYieldCurves_UnknownCurveIsNotAsked(t *testing.T) {
	script := fixtureScript("")
	if _, err := sourceAt(script, noon, "").YieldCurves(t.Context(), market.CurveEuro, market.Range{}); !errors.Is(err, market.ErrUnknownSymbol) || len(script.Requests()) > 0 {
		t.Errorf("YieldCurves(%s) = %v", market.CurveEuro, err)
	}
}

func TestYieldCurves_OfRecordings(t *testing.T) {
	for _, row := range []struct {
		name, file string
		year, n    int
		want       string
	}{
		{"thirteen maturities", "daily-treasury-rates-2023.csv", 2023, 169,
			"2023-09-01 1M=5.51 2M=5.55 3M=5.53 4M=5.58 6M=5.47 1Y=5.36 2Y=4.87 3Y=4.57 5Y=4.29 7Y=4.27 10Y=4.18 20Y=4.48 30Y=4.29"},
		{"fourteen", "daily-treasury-rates-2026-07-head.csv", 2026, 3,
			"2026-07-02 1M=3.7 1.5M=3.73 2M=3.81 3M=3.82 4M=3.91 6M=3.98 1Y=3.96 2Y=4.14 3Y=4.16 5Y=4.23 7Y=4.35 10Y=4.49 20Y=4.99 30Y=4.98"},
	} {
		t.Run(row.name, func(t *testing.T) {
			script := markettest.NewScript(map[string]markettest.Response{file(row.year): markettest.JSONResponse(recorded(t, row.file))})
			year := market.Range{From: day(fmt.Sprintf("%d-01-01", row.year)), To: day(fmt.Sprintf("%d-12-31", row.year))}
			all, err := sourceAt(script, day("2026-08-01"), "").YieldCurves(t.Context(), market.CurveTreasury, year)
			if err != nil || len(all) != row.n || line(all[len(all)-1]) != row.want {
				t.Errorf("%d curves, %v; the last %v; want %d to\n%s", len(all), err, lines(all[max(len(all)-1, 0):]), row.n, row.want)
			}
		})
	}
}

func TestSource_BadDaysEndInTheirSentinel(t *testing.T) {
	good := readFile(t, "testdata", "par-2026.csv")
	for _, bad := range markettest.BadResponses([]byte(good)) {
		if bad.Name == "404" {
			bad.Want = market.ErrUnavailable // the URL is fixed
		}
		t.Run(bad.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				script := markettest.NewScript(map[string]markettest.Response{file(2026): bad.Response})
				_, err := sourceAt(script, noon, "").YieldCurves(t.Context(), market.CurveTreasury, market.Range{})
				var from *market.SourceError
				if !errors.Is(err, bad.Want) || !errors.As(err, &from) || from.Source != "treasury" {
					t.Errorf("YieldCurves = %v, want %v from treasury", err, bad.Want)
				}
			})
		})
	}
}

func TestYieldCurves_WhatIsNoCurveIsMalformed(t *testing.T) {
	for name, body := range map[string]string{
		"no date column":    "Day,\"1 Mo\"\n01/02/2026,3\n",
		"no maturity":       "Date,Value\n01/02/2026,3\n",
		"a maturity twice":  "Date,\"1 Mo\",\"1 MO\"\n01/02/2026,3,3\n",
		"a day twice":       "Date,\"1 Mo\"\n01/02/2026,3\n01/02/2026,3\n",
		"another year":      "Date,\"1 Mo\"\n01/02/2025,3\n",
		"no date":           "Date,\"1 Mo\"\nsoon,3\n",
		"a word":            "Date,\"1 Mo\"\n01/02/2026,high\n",
		"a yield of a tale": "Date,\"1 Mo\"\n01/02/2026,400\n",
		"no end":            "Date,\"1 Mo\"\n01/02/2026,1e9\n",
		"a short row":       "Date,\"1 Mo\"\n01/02/2026\n",
		"JSON":              `{"error":"no"}`,
	} {
		if _, err := sourceAt(fixtureScript(body), noon, "").YieldCurves(t.Context(), market.CurveTreasury, market.Range{}); !errors.Is(err, market.ErrMalformed) {
			t.Errorf("%s: YieldCurves = %v, want ErrMalformed", name, err)
		}
	}
}

// A file is requested again only when it may have a new day.
func TestYieldCurves_AreKeptUntilTheNextRelease(t *testing.T) {
	newYork := func(text string) time.Time {
		at, err := time.Parse("2006-01-02 15:04 -0700", text+" -0500")
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	for _, row := range []struct {
		name, first, second string
		requests            int
	}{
		{"the same morning", "2026-01-07 08:00", "2026-01-07 14:30", 1},
		{"since yesterday evening", "2026-01-06 18:30", "2026-01-07 14:30", 1},
		{"before and at the release", "2026-01-07 14:50", "2026-01-07 15:30", 2},
		{"twice while it is due", "2026-01-07 15:31", "2026-01-07 15:45", 2},
		{"over the weekend", "2026-01-09 18:30", "2026-01-12 14:00", 1},
		{"from before the release to the night", "2026-01-07 17:59", "2026-01-07 22:00", 2},
	} {
		t.Run(row.name, func(t *testing.T) {
			script, dir := fixtureScript(readFile(t, "testdata", "par-2026.csv")), t.TempDir()
			for _, at := range []string{row.first, row.second} {
				if _, err := sourceAt(script, newYork(at), dir).YieldCurves(t.Context(), market.CurveTreasury, market.Range{}); err != nil {
					t.Fatalf("YieldCurves at %s = %v", at, err)
				}
			}
			if n := len(script.Requests()); n != row.requests {
				t.Errorf("%d requests, want %d", n, row.requests)
			}
		})
	}
}

func TestYieldCurves_AnOldFileStandsInForASilentServer(t *testing.T) {
	script, dir := fixtureScript(readFile(t, "testdata", "par-2026.csv")), t.TempDir()
	if _, err := sourceAt(script, noon, dir).YieldCurves(t.Context(), market.CurveTreasury, market.Range{}); err != nil {
		t.Fatalf("YieldCurves = %v", err)
	}
	script.Respond(file(2026), markettest.Response{Status: 500})
	got, err := sourceAt(script, noon.AddDate(0, 0, 7), dir).YieldCurves(t.Context(), market.CurveTreasury, market.Range{})
	if err != nil || len(got) != 1 || got[0].Provenance.Cache != market.CacheStale || !got[0].Provenance.Has(market.FlagStale) || !got[0].Provenance.FetchedAt.Equal(noon) {
		t.Errorf("YieldCurves a week later = %+v, %v; want the file of then, stale", got, err)
	}
	if _, err := sourceAt(script, noon.AddDate(0, 2, 0), dir).YieldCurves(t.Context(), market.CurveTreasury, market.Range{}); !errors.Is(err, market.ErrUnavailable) {
		t.Errorf("YieldCurves two months later = %v, want ErrUnavailable", err)
	}
}

func FuzzYear(f *testing.F) {
	f.Add(readFile(f, "testdata", "par-2026.csv"))
	f.Add(readFile(f, "testdata", "real-2026.csv"))
	f.Add("Date,\"1.5 Month\"\n2026-01-02,-0.5\n")
	f.Fuzz(func(t *testing.T, body string) {
		got, err := sourceAt(fixtureScript(body), noon, "").YieldCurves(t.Context(), market.CurveTreasury, market.Range{From: day("2026-01-01")})
		var from *market.SourceError
		if err != nil && !errors.As(err, &from) {
			t.Errorf("error %v is no *market.SourceError", err)
		}
		for i, c := range got {
			if len(c.Tenors) == 0 || i > 0 && !c.Date.After(got[i-1].Date) {
				t.Errorf("curve %s after %v", line(c), got[max(i-1, 0)].Date)
			}
		}
	})
}
