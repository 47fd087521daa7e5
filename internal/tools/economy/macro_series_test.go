package economy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/economy"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// seriesDeps returns dependencies that have only the given economic series.
func seriesDeps(t testing.TB, at string, series ...market.EconomicSeries) economy.Deps {
	t.Helper()
	return economy.Deps{Series: markettest.NewSeriesSource(series...), Now: toolstest.Clock(t, at)}
}

func TestMacroSeries_InflationIsTheYearlyChangeOfTheIndex(t *testing.T) {
	res, got := group.CallOK(t, deps(t), "macro_series", args{"series_id": "cpiaucsl", "units": "pct_change_1y"})
	toolstest.WantFields(t, got, map[string]any{
		"series_id": "CPIAUCSL", "unit": "percent", "units": "pct_change_1y", "frequency": "monthly", "seasonal_adjustment": "adjusted",
		"as_of": "2025-11-01", "vintage": "2026-01-02", "flags": []any{"sample"}, "missing": []any{"2025-10-01"}, "warnings": []any{},
		// 325.031 / 316.449 = 1.02712
		"latest":   map[string]any{"date": "2025-11-01", "value": "2.71196938527219"},
		"previous": map[string]any{"date": "2025-09-01", "value": "3.02269962617238"},
		"year_ago": map[string]any{"date": "2024-11-01", "value": "2.71416840048428"},
		// 295.072 / 270.71 = 1.08999
		"high": map[string]any{"date": "2022-06-01", "value": "8.99929814192309"},
	})
	f := toolstest.Figure(t, res, "latest.value")
	if f.Value.String() != "2.71196938527219" || f.Unit != "percent" || f.Formula != "pct_change_1y" || !f.AsOf.Equal(toolstest.MustDay("2025-11-01")) {
		t.Errorf("figure = %+v", f)
	}
	for _, part := range []string{"| latest | 2.712% | 2025-11-01 |", "| highest | 8.9993% |", "No value for 2025-10-01", "SAMPLE"} {
		if !strings.Contains(res.UserText(), part) {
			t.Errorf("shown without %q:\n%s", part, res.UserText())
		}
	}
}

func TestMacroSeries_Units(t *testing.T) {
	for _, row := range []struct{ id, units, unit, latest string }{
		{"UNRATE", "", "percent", "4.6"},
		{"UNRATE", "change_1y", "percentage points", "0.4"},
		{"UNRATE", "ch1", "percentage points", "0.4"},
		{"FEDFUNDS", "chg", "percentage points", "-0.21"},
		{"GDPC1", "pct_change_annualized", "percent", "4.34278443849255"},
		{"GDPC1", "PCA", "percent", "4.34278443849255"},
		{"GDPC1", "lin", "billions of chained 2017 dollars", "24024.957"},
		{"DGS10", "level", "percent", "4.58"},
	} {
		_, got := group.CallOK(t, deps(t), "macro_series", args{"series_id": row.id, "units": row.units})
		latest := got["latest"].(map[string]any)["value"]
		if got["unit"] != row.unit || latest != row.latest {
			t.Errorf("%s as %q = %v %v, want %s %s", row.id, row.units, latest, got["unit"], row.latest, row.unit)
		}
	}
	toolstest.WantError(t, group.Call(t, deps(t), "macro_series", args{"series_id": "UNRATE", "units": "yoy"}), tool.CodeValidation, "pct_change_1y")
	toolstest.WantError(t, group.Call(t, deps(t), "macro_series", args{"series_id": "DGS10", "units": "pca"}), tool.CodeValidation, "monthly, quarterly and annual")
}

func TestMacroSeries_TheFirstYearShownIsMeasuredAgainstTheOneBefore(t *testing.T) {
	_, got := group.CallOK(t, deps(t), "macro_series", args{"series_id": "CPIAUCSL", "units": "pct_change_1y", "from": "2024", "to": "2024-03"})
	var shown []string
	for _, o := range got["observations"].([]any) {
		shown = append(shown, fmt.Sprint(o.(map[string]any)["date"], " ", o.(map[string]any)["value"]))
	}
	// 309.794 / 300.456, 311.022 / 301.476, 312.107 / 301.643
	if diff := cmp.Diff([]string{"2024-01-01 3.1079425939239", "2024-02-01 3.16642120765832", "2024-03-01 3.46900143547173"}, shown); diff != "" {
		t.Errorf("observations (-want +got):\n%s", diff)
	}
}

func TestMacroSeries_FiveYearsUnlessAskedOtherwise(t *testing.T) {
	_, got := group.CallOK(t, deps(t), "macro_series", args{"series_id": "UNRATE"})
	first := got["observations"].([]any)[0].(map[string]any)
	if first["date"] != "2020-11-01" || got["count"] != 60.0 {
		t.Errorf("starts with %v and has %v, want November 2020 and 61 months minus the missing one", first, got["count"])
	}
}

func TestMacroSeries_AModelSeesSixtyAndIsToldSo(t *testing.T) {
	res, whole := group.CallOK(t, deps(t), "macro_series", args{"series_id": "DGS10", "from": "2023"})
	if whole["count"] != 500.0 || len(whole["observations"].([]any)) != 500 || len(whole["missing"].([]any)) != 0 {
		t.Errorf("%v days, %v missing; want the 500 on which there was a market", whole["count"], whole["missing"])
	}
	model := toolstest.Object(t, res.ModelText())
	if n := len(model["observations"].([]any)); n != 60 || !strings.Contains(fmt.Sprint(model["observations_note"]), "60 of 500") {
		t.Errorf("the model sees %d observations, note %v", n, model["observations_note"])
	}
}

func TestMacroSeries_WordsLeadToASeriesOrToAChoice(t *testing.T) {
	_, one := group.CallOK(t, deps(t), "macro_series", args{"query": "core inflation"})
	toolstest.WantFields(t, one, map[string]any{"series_id": "CPILFESL", "as_of": "2025-11-01"})
	res, several := group.CallOK(t, deps(t), "macro_series", args{"query": "inflation"})
	if n := len(several["matches"].([]any)); n != 2 || len(res.Figures) != 0 || !strings.Contains(res.UserText(), "CPILFESL") {
		t.Errorf("%d matches with %d figures, shown as %q; want two, none, and both", n, len(res.Figures), res.UserText())
	}
	toolstest.WantError(t, group.Call(t, deps(t), "macro_series", args{"query": "bitcoin"}), market.CodeUnknownSymbol, "available: CPIAUCSL")
	toolstest.WantError(t, group.Call(t, deps(t), "macro_series", args{"series_id": "T10YIE"}), market.CodeUnknownSymbol, "available: CPIAUCSL")
	for _, words := range []string{"core inflation", "unemployment"} { // words instead of an identifier
		_, byQuery := group.CallOK(t, deps(t), "macro_series", args{"query": words})
		_, byID := group.CallOK(t, deps(t), "macro_series", args{"series_id": words})
		if diff := cmp.Diff(byQuery, byID); diff != "" {
			t.Errorf("series_id %q and the same query differ:\n%s", words, diff)
		}
	}
	toolstest.WantError(t, group.Call(t, deps(t), "macro_series", args{}), tool.CodeValidation, "series_id")
	toolstest.WantError(t, group.Call(t, deps(t), "macro_series", args{"series_id": "UNRATE", "from": "2030"}), tool.CodeNoData, "2020-01-01 to 2025-11-01")
	toolstest.WantError(t, group.Call(t, deps(t), "macro_series", args{"series_id": "UNRATE", "from": "soon"}), tool.CodeValidation, "YYYY-MM-DD")
}

func TestMacroSeries_AMissingMonthIsNeitherZeroNorFilled(t *testing.T) {
	d := seriesDeps(t, "2021-01-01T00:00:00Z", markettest.Monthly("RATE", toolstest.MustDay("2020-01-01"), "3.5", ".", "4.4"))
	_, got := group.CallOK(t, d, "macro_series", args{"series_id": "RATE"})
	toolstest.WantFields(t, got, map[string]any{
		"count": 2.0, "missing": []any{"2020-02-01"},
		"previous": map[string]any{"date": "2020-01-01", "value": "3.5"}, "low": map[string]any{"date": "2020-01-01", "value": "3.5"},
	})
	toolstest.WantError(t, group.Call(t, d, "macro_series", args{"series_id": "RATE", "units": "change"}), tool.CodeNoData, "no value for RATE (change)")
	toolstest.WantError(t, group.Call(t, d, "macro_series", args{"series_id": "RATE", "from": "2020-02", "to": "2020-02"}), tool.CodeNoData, "the last one is for")
}

// Values that were not yet published are hidden, whatever the source does. Later revisions cannot be
// undone, so there is a warning.
func TestMacroSeries_AClockSetBackHidesLaterReleases(t *testing.T) {
	s := markettest.Monthly("RATE", toolstest.MustDay("2020-01-01"), "1", "2", "3")
	s.Vintage = toolstest.MustDay("2020-06-01")
	forgetful := markettest.NewSeriesSource(s)
	forgetful.IgnoresQuery = true
	d := deps(t)
	// February is published on March 10.
	for at, want := range map[string]string{"2020-03-09T23:00:00Z": "2020-01-01", "2020-03-10T08:00:00Z": "2020-02-01"} {
		for name, source := range map[string]market.SeriesSource{"honest": markettest.NewSeriesSource(s), "forgetful": forgetful} {
			d.Series, d.Now = source, toolstest.Clock(t, at)
			res, got := group.CallOK(t, d, "macro_series", args{"series_id": "RATE", "to": "2020-12"})
			if got["as_of"] != want || !strings.Contains(fmt.Sprint(got["warnings"]), "values are as published on 2020-06-01") {
				t.Errorf("%s source at %s: as of %v, warnings %v; want %s and the vintage", name, at, got["as_of"], got["warnings"], want)
			}
			if !strings.Contains(res.UserText(), "as published on") || len(res.Figures) == 0 {
				t.Errorf("%s source at %s: shown without the warning: %s", name, at, res.UserText())
			}
		}
	}
	d.Now = toolstest.Clock(t, "2020-01-31T00:00:00Z")
	toolstest.WantError(t, group.Call(t, d, "macro_series", args{"series_id": "RATE"}), tool.CodeNoData, "")
	d.Now = toolstest.Clock(t, "2020-07-01T00:00:00Z")
	_, now := group.CallOK(t, d, "macro_series", args{"series_id": "RATE"})
	toolstest.WantFields(t, now, map[string]any{"as_of": "2020-03-01", "warnings": []any{}})
}

func TestMacroSeries_WithoutAVintageTheFetchDayIsTheLimit(t *testing.T) {
	s := markettest.Monthly("RATE", toolstest.MustDay("2020-01-01"), "1", "2", "3")
	_, got := group.CallOK(t, seriesDeps(t, "2020-03-20T00:00:00Z", s), "macro_series", args{"series_id": "RATE"})
	if !strings.Contains(fmt.Sprint(got["warnings"]), "is unknown; some may have been revised since 2020-03-20") {
		t.Errorf("warnings %v, want that the vintage is not known", got["warnings"])
	}
}

func TestMacroSeries_SourceOutOfReachIsNotNoData(t *testing.T) {
	s := markettest.NewSeriesSource(markettest.Monthly("RATE", toolstest.MustDay("2020-01-01"), "1"))
	s.Err = fmt.Errorf("fred: status 503: %w", market.ErrUnavailable)
	d := deps(t)
	d.Series = s
	toolstest.WantError(t, group.Call(t, d, "macro_series", args{"series_id": "RATE"}), "", "status 503")
	toolstest.WantError(t, group.Call(t, d, "macro_series", args{"query": "rate"}), "", "status 503")
}
