package fred_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// describing returns a FRED with one value of a series and its description.
func describing(id, units string) *markettest.Script {
	return markettest.NewScript(map[string]markettest.Response{
		infoPath:   markettest.JSONResponse(info(id, "Some title", units, "Q", "SAAR", "")),
		valuesPath: markettest.JSONResponse(values("2025-02-20", value{"2024-10-01", "23536.2"})),
	})
}

func TestEconomicSeries_WithAKeyTheUnitIsAsFREDStatesIt(t *testing.T) {
	got, err := keyed(describing("GDPC1", "Billions of Chained 2022 Dollars")).EconomicSeries(t.Context(), "GDPC1", market.SeriesQuery{})
	if err != nil || got.Unit != "Billions of Chained 2022 Dollars" || got.Provenance.Unit != got.Unit {
		t.Fatalf("EconomicSeries = in %q and %q, %v; want FRED's own unit", got.Unit, got.Provenance.Unit, err)
	}
	if !strings.Contains(got.Provenance.Note, "billions of chained 2017 dollars") {
		t.Errorf("note = %q, want it to say what the table has", got.Provenance.Note)
	}
	if got.Title != "Real Gross Domestic Product" || got.Publisher != "US Bureau of Economic Analysis" {
		t.Errorf("info = %+v, want the rest from the table", got.SeriesInfo)
	}
}

// Base years change: output as known in 2020 was in dollars of 2012.
func TestEconomicSeries_WithAKeyTheUnitIsThatOfTheDay(t *testing.T) {
	script := describing("GDPC1", "Billions of Chained 2012 Dollars")
	script.Respond(valuesPath, markettest.JSONResponse(values("2020-02-03", value{"2019-10-01", "19219.8"})))
	got, err := keyed(script).EconomicSeries(t.Context(), "GDPC1", market.SeriesQuery{KnownOn: day("2020-02-03")})
	if err != nil || got.Unit != "Billions of Chained 2012 Dollars" {
		t.Fatalf("EconomicSeries = in %q, %v; want the unit of then", got.Unit, err)
	}
	requests := script.Requests()
	if last := requests[len(requests)-1].URL.String(); !strings.Contains(last, infoPath+"?") || !strings.Contains(last, "realtime_start=2020-02-03") || !strings.Contains(last, "realtime_end=2020-02-03") {
		t.Errorf("asked %s, want the description of 2020-02-03", last)
	}
}

// If FRED's unit has the same meaning, the more precise wording of the table is kept.
func TestEconomicSeries_AUnitThatIsTheSameStaysInTheWordsOfTheTable(t *testing.T) {
	for id, row := range map[market.SeriesID][2]string{
		"UNRATE": {"Percent", "percent"}, "CPIAUCSL": {"Index 1982-1984=100", "index 1982-1984=100"}, "T10Y2Y": {"Percent", "percentage points"},
		"WALCL": {"Millions of U.S. Dollars", "millions of dollars"}, "RRPONTSYD": {"Billions of US Dollars", "billions of dollars"},
		"DEXUSUK": {"U.S. Dollars to One U.K. Pound Sterling", "U.S. dollars to one pound sterling"},
		"JTSJOL":  {"Level in Thousands", "thousands"}, "DEXUSEU": {"U.S. Dollars to One Euro", "U.S. dollars to one euro"},
	} {
		got, err := keyed(describing(string(id), row[0])).EconomicSeries(t.Context(), id, market.SeriesQuery{})
		if err != nil || got.Unit != row[1] || got.Provenance.Note != "" {
			t.Errorf("%s in %q: unit %q, note %q, %v; want %q and no note", id, row[0], got.Unit, got.Provenance.Note, err, row[1])
		}
	}
}

func TestEconomicSeries_WhereFREDDoesNotTellTheUnitTheTableStandsInAndSaysSo(t *testing.T) {
	script := describing("UNRATE", "")
	got, err := keyed(script).EconomicSeries(t.Context(), "UNRATE", market.SeriesQuery{})
	if err != nil || got.Unit != "percent" || !strings.Contains(got.Provenance.Note, "nfa's own table") {
		t.Errorf("EconomicSeries = in %q, note %q, %v; want the unit of the table, and that it is", got.Unit, got.Provenance.Note, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := keyed(script).EconomicSeries(ctx, "UNRATE", market.SeriesQuery{}); !errors.Is(err, context.Canceled) {
		t.Errorf("EconomicSeries of a caller who gave up = %v", err)
	}
}

// Output as known in 2015 was in dollars of 2009; the table has dollars of 2017.
func TestEconomicSeries_WhereTheTableStandsInForAPastDayItsUnitIsSaidToBeTheNewest(t *testing.T) {
	for name, response := range map[string]markettest.Response{
		"without a unit": markettest.JSONResponse(info("GDPC1", "Some title", "", "Q", "SAAR", "")),
		"not archived":   {Status: 400, Body: []byte(`{"error_code":400,"error_message":"Bad Request.  The series does not exist in ALFRED but may exist in FRED."}`)},
	} {
		script := describing("GDPC1", "").Respond(infoPath, response)
		script.Respond(valuesPath, markettest.JSONResponse(values("2015-02-20", value{"2014-10-01", "16311.6"})))
		got, err := keyed(script).EconomicSeries(t.Context(), "GDPC1", market.SeriesQuery{KnownOn: day("2015-02-20")})
		if note := got.Provenance.Note; err != nil || got.Unit != "billions of chained 2017 dollars" ||
			!strings.Contains(note, "nfa's own table") || !strings.Contains(note, "newest values") || !strings.Contains(note, "another base year") {
			t.Errorf("%s: EconomicSeries = in %q, note %q, %v; want the unit of the table, and whose that is", name, got.Unit, note, err)
		}
		script.Respond(valuesPath, markettest.JSONResponse(values("2025-02-20", value{"2024-10-01", "23536.2"})))
		got, err = keyed(script).EconomicSeries(t.Context(), "GDPC1", market.SeriesQuery{})
		if note := got.Provenance.Note; err != nil || !strings.Contains(note, "nfa's own table") || strings.Contains(note, "base year") {
			t.Errorf("%s: EconomicSeries of today, note %q, %v; want no doubt of the base year", name, note, err)
		}
	}
}

func TestEconomicSeries_AUnitWithoutABaseYearIsNotDoubtedForOne(t *testing.T) {
	script := describing("UNRATE", "").Respond(infoPath, markettest.JSONResponse(info("UNRATE", "Some title", "", "M", "SA", "")))
	script.Respond(valuesPath, markettest.JSONResponse(values("2015-02-20", value{"2015-01-01", "5.7"})))
	got, err := keyed(script).EconomicSeries(t.Context(), "UNRATE", market.SeriesQuery{KnownOn: day("2015-02-20")})
	if note := got.Provenance.Note; err != nil || got.Unit != "percent" || !strings.Contains(note, "nfa's own table") || strings.Contains(note, "base year") {
		t.Errorf("EconomicSeries = in %q, note %q, %v; want per cent of the table and no base year", got.Unit, note, err)
	}
}

// Differences of percentages are in points, regardless of the case of FRED's unit.
func TestEconomicSeries_OutsideTheTablePercentIsSpeltAsElsewhere(t *testing.T) {
	got, err := keyed(describing("IRLTLT01DEM156N", "Percent")).EconomicSeries(t.Context(), "IRLTLT01DEM156N", market.SeriesQuery{})
	if err != nil || got.Unit != "percent" {
		t.Errorf("EconomicSeries = in %q, %v; want percent", got.Unit, err)
	}
}
