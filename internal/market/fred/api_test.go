package fred_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func TestSource_KeepsTheContractWithAKey(t *testing.T) {
	markettest.RunSeries(t, func(*testing.T) markettest.SeriesSubject {
		return markettest.SeriesSubject{Source: keyed(fakeArchive{}), Listed: "UNRATE", Words: "unemployment rate"}
	})
}

// On 2025-01-14, four values were known, before their revision.
func TestEconomicSeries_WithAKeyAreAsTheyWereKnown(t *testing.T) {
	for _, row := range []struct {
		known, last, value, vintage string
	}{
		{"2025-01-14", "2024-12-01", "4.9", "2025-01-14"}, {"2025-01-15", "2024-12-01", "4.4", "2025-01-15"},
		{"2024-10-07", "2024-09-01", "4.6", "2024-10-07"}, {"2024-10-06", "2024-08-01", "4.5", "2024-10-06"},
		{"2025-02-20", "2025-01-01", "4.5", "2025-02-20"},
	} {
		got, err := keyed(fakeArchive{}).EconomicSeries(t.Context(), "UNRATE", market.SeriesQuery{KnownOn: day(row.known)})
		if err != nil {
			t.Errorf("known on %s: %v", row.known, err)
			continue
		}
		last, _ := got.Latest()
		if !last.Date.Equal(day(row.last)) || !last.Value.Decimal.Equal(dec(row.value)) || !got.Vintage.Equal(day(row.vintage)) {
			t.Errorf("known on %s: %+v of %v; want %s of %s", row.known, last, got.Vintage, row.value, row.last)
		}
		// Filtering the result again must not remove values known on the day.
		if again := got.KnownOn(day(row.known)); len(again.Observations) != len(got.Observations) {
			t.Errorf("known on %s: %d of %d observations left by a second cut", row.known, len(again.Observations), len(got.Observations))
		}
	}
}

func TestEconomicSeries_BeforeTheArchiveAreTheNewestOnesOfThen(t *testing.T) {
	script := markettest.NewScript(nil).Respond(valuesPath,
		markettest.Response{Status: 400, Body: []byte(`{"error_code":400,"error_message":"Bad Request.  The series does not exist in ALFRED but may exist in FRED."}`)},
		markettest.JSONResponse(values("2025-02-20", value{"1999-01-01", "4.3"}, value{"1999-02-01", "4.4"})))
	got, err := keyed(script).EconomicSeries(t.Context(), "UNRATE", market.SeriesQuery{KnownOn: day("1999-03-01")})
	if err != nil || len(got.Observations) != 1 || !got.Vintage.Equal(day("2025-02-20")) {
		t.Errorf("EconomicSeries = %+v of %v, %v; want January of the newest vintage", got.Observations, got.Vintage, err)
	}
}

func TestEconomicSeries_OutsideTheTableIsDescribedByTheAPI(t *testing.T) {
	script := markettest.NewScript(map[string]markettest.Response{
		infoPath:   markettest.JSONResponse(info("DEXBZUS", "Brazilian Reals to U.S. Dollar Spot Exchange Rate", "Brazilian Reals to One U.S. Dollar", "D", "NSA", "Copyright, 2016, somebody.")),
		valuesPath: markettest.JSONResponse(recorded(t, "observations-DEXBZUS.json")),
	})
	got, err := keyed(script).EconomicSeries(t.Context(), "DEXBZUS", market.SeriesQuery{})
	if err != nil || len(got.Observations) != 10 || !got.Vintage.Equal(day("2026-03-19")) || !got.Observations[9].Value.Decimal.Equal(dec("5.2914")) {
		t.Fatalf("EconomicSeries = %+v of %v, %v", got.Observations, got.Vintage, err)
	}
	want := market.SeriesInfo{
		ID: "DEXBZUS", Title: "Brazilian Reals to U.S. Dollar Spot Exchange Rate", Unit: "Brazilian Reals to One U.S. Dollar",
		Frequency: market.FrequencyDaily, Seasonal: market.SeasonalNone, Publisher: "publisher unknown; distributed by FRED", ReleaseLag: 7,
	}
	if diff := cmp.Diff(want, got.SeriesInfo); diff != "" {
		t.Errorf("info (-want +got):\n%s", diff)
	}
	if !strings.Contains(got.Provenance.License, "personal use") {
		t.Errorf("licence = %q, want it to say that the notes claim a copyright", got.Provenance.License)
	}
}

func TestEconomicSeries_APIsOwnRefusals(t *testing.T) {
	refused := func(words string) string { return `{"error_code":400,"error_message":"Bad Request.  ` + words + `"}` }
	for _, row := range []struct {
		name   string
		status int
		body   string
		want   error
	}{
		{"unknown series", 400, refused("The series does not exist."), market.ErrUnknownSymbol},
		{"wrong key", 400, refused("The value for variable api_key (" + secret + ") is not registered."), market.ErrAuth},
		{"too many", 429, `{"error_code":429,"error_message":"Too Many Requests.  Exceeded Rate Limit"}`, market.ErrRateLimited},
		{"something else", 400, refused("Variable limit is not between 1 and 100000."), market.ErrUnavailable},
		{"cut short", 200, strings.Replace(values("2025-02-20", value{"2025-01-01", "4"}), `"count":1`, `"count":2`, 1), market.ErrMalformed},
		{"changed", 200, strings.Replace(values("2025-02-20", value{"2025-01-01", "4"}), `"lin"`, `"pch"`, 1), market.ErrMalformed},
		{"no vintage", 200, strings.ReplaceAll(values("2025-02-20", value{"2025-01-01", "4"}), "2025-02-20", "now"), market.ErrMalformed},
		{"a word", 200, values("2025-02-20", value{"2025-01-01", "four"}), market.ErrMalformed},
		{"dots alone", 200, values("2025-02-20", value{"2025-01-01", "."}), market.ErrNoData},
		{"nothing", 200, strings.Replace(values("2025-02-20"), "null", "[]", 1), market.ErrNoData},
		{"null", 200, values("2025-02-20"), market.ErrMalformed},
	} {
		t.Run(row.name, func(t *testing.T) {
			script := markettest.NewScript(map[string]markettest.Response{valuesPath: {Status: row.status, Body: []byte(row.body)}})
			_, err := keyed(script).EconomicSeries(t.Context(), "UNRATE", market.SeriesQuery{})
			if !errors.Is(err, row.want) || strings.Contains(err.Error(), secret) {
				t.Errorf("EconomicSeries = %v, want %v without the key", err, row.want)
			}
		})
	}
}

func TestEconomicSeries_OfAnotherVintageAreMalformed(t *testing.T) {
	script := markettest.NewScript(map[string]markettest.Response{valuesPath: markettest.JSONResponse(values("2025-02-20", value{"2024-01-01", "4"}))})
	if _, err := keyed(script).EconomicSeries(t.Context(), "UNRATE", market.SeriesQuery{KnownOn: day("2024-06-01")}); !errors.Is(err, market.ErrMalformed) {
		t.Errorf("EconomicSeries = %v, want ErrMalformed: these are values of another day", err)
	}
}

func TestAPI_BadDaysEndInTheirSentinel(t *testing.T) {
	for _, bad := range markettest.BadResponses([]byte(values("2025-02-20", value{"2025-01-01", "4"}))) {
		t.Run(bad.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, err := keyed(markettest.NewScript(map[string]markettest.Response{valuesPath: bad.Response})).EconomicSeries(t.Context(), "UNRATE", market.SeriesQuery{})
				if checkSentinel(t, err); !errors.Is(err, bad.Want) {
					t.Errorf("EconomicSeries = %v, want %v", err, bad.Want)
				}
			})
		})
	}
}

func TestFindSeries_KnowsTheWordsOfPeople(t *testing.T) {
	for words, want := range map[string]market.SeriesID{
		"core inflation": "CPILFESL", "jobless claims": "ICSA", "fed funds": "FEDFUNDS", "10-year treasury yield": "DGS10", "oil WTI": "DCOILWTICO",
		"recession sahm": "SAHMREALTIME", "mortgage 30": "MORTGAGE30US", "vix": "VIXCLS", "m2 money": "M2SL",
	} {
		found, err := keyless(markettest.NewScript(nil)).FindSeries(t.Context(), words)
		if err != nil {
			t.Errorf("FindSeries(%q) = %v", words, err)
			continue
		}
		var ids []market.SeriesID
		for _, one := range found[:min(len(found), 3)] {
			ids = append(ids, one.ID)
		}
		if !strings.Contains(strings.Join(texts(ids), " "), string(want)) {
			t.Errorf("FindSeries(%q) = %v, want %s among the first three", words, ids, want)
		}
	}
}

func texts(ids []market.SeriesID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = string(id)
	}
	return out
}

func TestFindSeries_WithAKeySearchesAllOfThem(t *testing.T) {
	script := markettest.NewScript(map[string]markettest.Response{
		searchPath: markettest.JSONResponse(info("WPU0811", "Producer Price Index: Lumber", "Index 1982=100", "M", "NSA", "")),
	})
	found, err := keyed(script).FindSeries(t.Context(), "lumber")
	if err != nil || len(found) != 1 || found[0].ID != "WPU0811" || found[0].Unit != "Index 1982=100" {
		t.Errorf("FindSeries(lumber) = %+v, %v", found, err)
	}
	if found, err := keyed(script).FindSeries(t.Context(), "unemployment"); err != nil || len(found) == 0 || len(script.Requests()) != 1 {
		t.Errorf("FindSeries(unemployment) = %v, %v after %d requests; the table answers", found, err, len(script.Requests()))
	}
}

func TestTable_DescribesEachSeriesOnce(t *testing.T) {
	text, err := os.ReadFile("series.psv")
	if err != nil {
		t.Fatal(err)
	}
	all, err := keyless(markettest.NewScript(nil)).FindSeries(t.Context(), "")
	if err != nil || len(all) != strings.Count(string(text), "\n") || len(all) < 60 {
		t.Fatalf("%d series of %d lines, %v; want every line read", len(all), strings.Count(string(text), "\n"), err)
	}
	seen := map[market.SeriesID]bool{}
	for _, one := range all {
		if id, err := market.ParseSeriesID(string(one.ID)); err != nil || id != one.ID || seen[id] {
			t.Errorf("%s is no identifier, or stands there twice", one.ID)
		}
		seen[one.ID] = true
		if one.Title == "" || one.Unit == "" || !one.Frequency.Valid() || one.Seasonal == market.SeasonalUnknown || strings.Contains(one.Publisher, "not told") || one.ReleaseLag < 0 {
			t.Errorf("described badly: %+v", one)
		}
	}
}

func FuzzAPI(f *testing.F) {
	f.Add(values("2025-02-20", value{"2025-01-01", "4"}), info("XX1", "T", "Percent", "M", "SA", ""))
	f.Add(`{"error_code":400,"error_message":"Bad Request.  The series does not exist."}`, `{"seriess":[{}]}`)
	f.Fuzz(func(t *testing.T, observations, described string) {
		script := markettest.NewScript(map[string]markettest.Response{
			valuesPath: markettest.JSONResponse(observations), infoPath: markettest.JSONResponse(described), searchPath: markettest.JSONResponse(described),
		})
		_, err := keyed(script).EconomicSeries(t.Context(), "XX1", market.SeriesQuery{KnownOn: noon})
		checkSentinel(t, err)
		found, err := keyed(script).FindSeries(t.Context(), "zzqx")
		checkSentinel(t, err)
		for _, one := range found {
			if !one.Frequency.Valid() || one.Title == "" || strings.ContainsAny(one.Title+one.Unit, "\x1b\n\x00") {
				t.Errorf("found %+v", one)
			}
		}
	})
}
