package economy

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type macroSeriesInput struct {
	SeriesID string `json:"series_id,omitempty" jsonschema:"FRED identifier: CPIAUCSL, UNRATE, GDPC1, FEDFUNDS or DGS10."`
	Query    string `json:"query,omitempty" jsonschema:"Instead of series_id: words such as core inflation."`
	From     string `json:"from,omitempty" jsonschema:"Start date: YYYY, YYYY-MM or YYYY-MM-DD. Default: five years back."`
	To       string `json:"to,omitempty" jsonschema:"End date: YYYY, YYYY-MM or YYYY-MM-DD."`
	Units    string `json:"units,omitempty" jsonschema:"change, change_1y, pct_change, pct_change_1y or pct_change_annualized"`
}

const macroSeriesDescription = `One economic series (inflation, unemployment, GDP, policy rate, yields): newest value, previous, year ago, high and low. Use for "where is inflation"; for a whole curve use yield_curve. Inflation is pct_change_1y of a price index; missing is not zero.`

const macroSeriesDetails = `Give series_id if you know it, otherwise query: one match is answered, several are listed under matches to choose from. The result has observations, unit, frequency, seasonal adjustment, publisher, source and date. The default period is the five years before the last observation.
units: level is as published. change is from the previous period and change_1y from the year before, in the unit of the series (percentage points for a rate in percent). pct_change, pct_change_1y and pct_change_annualized (the change of one period compounded over a year, for GDP) are in percent. Do not use pct_change for a rate.
A monthly, quarterly or yearly observation has the date of the first day of its period: 2025-09-01 is September 2025. missing lists periods whose figure was not published or whose change has no base; no trend may be drawn across them. Days without a market are left out of daily series. Figures are revised: vintage is the day whose published values these are, and a warning says if it is later than the day of the question.
The model receives at most 60 observations; longer series are reduced to evenly spaced ones, and observations_note says so.`

const macroSeriesKeywords = `macro economy economic inflation cpi unemployment gdp growth fed funds policy rate interest mortgage payrolls jobs recession treasury fred indicator consumer prices 通胀 通货膨胀 失业率 利率 国内生产总值 经济 加息 物价 就业 宏观 美联储`

var macroSeriesPhrasings = []string{
	"where is inflation right now",
	"is unemployment rising",
	"what is the fed funds rate",
	"how did gdp grow since <num>",
	"average mortgage rate since <num>",
	"美国现在的通胀率是多少",
	"最近的失业率走势",
	"美联储的利率是多少",
}

// defaultYears is what a dashboard shows when nobody says otherwise.
const defaultYears = 5

// newMacroSeries is the tool that gives an economic series.
func newMacroSeries(d Deps) tool.Tool {
	return tool.New("macro_series", macroSeriesDescription, tool.Reads, func(ctx context.Context, in macroSeriesInput) (tool.Result, error) {
		sp, err := toolkit.ParsePeriod("", in.From, in.To, "max")
		if err != nil {
			return toolkit.InvalidResult(err)
		}
		change, err := parseChange(in.Units)
		if err != nil {
			return toolkit.InvalidResult(err)
		}
		id, matches, err := d.findSeries(ctx, in)
		switch {
		case errors.Is(err, errSeries):
			return toolkit.InvalidResult(err)
		case err != nil:
			return toolkit.SourceErrorResult(err)
		case len(matches) > 0:
			return toolkit.Render(newMacroMatches(in.Query, matches)), nil
		}
		series, err := d.economicSeries(ctx, id, sp, change)
		switch {
		case errors.Is(err, errSeries):
			return toolkit.InvalidResult(err)
		case err != nil:
			return toolkit.SourceErrorResult(err)
		}
		return d.newMacroAnswer(series, change).result(), nil
	}).WithDetails(macroSeriesDetails).Find("macro", macroSeriesKeywords, macroSeriesPhrasings...)
}

// errSeries marks arguments that name no series or ask the wrong thing of one.
var errSeries = errors.New("economic series")

// parseChange reads units, also in the codes that FRED uses for them.
func parseChange(text string) (market.Change, error) {
	word := strings.ToLower(strings.TrimSpace(text))
	for _, alias := range []struct {
		code   string
		change market.Change
	}{
		{"", market.ChangeNone}, {"lin", market.ChangeNone}, {"chg", market.ChangeDifference}, {"ch1", market.ChangeYearDifference},
		{"pch", market.ChangePercent}, {"pc1", market.ChangeYearPercent}, {"pca", market.ChangeAnnualizedPercent},
	} {
		if word == alias.code {
			return alias.change, nil
		}
	}
	if change := market.Change(word); change.Valid() {
		return change, nil
	}
	return "", fmt.Errorf("units %q are not offered; use level, change, change_1y, pct_change, pct_change_1y or pct_change_annualized", text)
}

// findSeries is the series that a call means, or the several that it may mean.
func (d Deps) findSeries(ctx context.Context, in macroSeriesInput) (market.SeriesID, []market.SeriesInfo, error) {
	query := strings.TrimSpace(in.Query)
	switch {
	case strings.TrimSpace(in.SeriesID) == "" && query == "":
		return "", nil, fmt.Errorf(`%w: none named; call macro_series with {"series_id": "CPIAUCSL"} or with a query`, errSeries)
	case strings.TrimSpace(in.SeriesID) != "":
		id, err := market.ParseSeriesID(in.SeriesID)
		return id, nil, err
	}
	found, err := d.Series.FindSeries(ctx, query)
	switch {
	case err != nil:
		return "", nil, fmt.Errorf("searching economic series for %q: %w", query, err)
	case len(found) == 0:
		return "", nil, fmt.Errorf("%w: no economic series is described by %q; %s", market.ErrNoData, query, d.availableSeries(ctx))
	case len(found) == 1:
		return found[0].ID, nil, nil
	}
	return "", found, nil
}

// availableSeries lists what there is where that is little enough.
func (d Deps) availableSeries(ctx context.Context) string {
	all, err := d.Series.FindSeries(ctx, "")
	if err != nil || len(all) == 0 || len(all) > toolkit.MaxListedSymbols {
		return "try other words, or the identifier at FRED"
	}
	ids := make([]string, len(all))
	for i, info := range all {
		ids[i] = string(info.ID)
	}
	return "available: " + strings.Join(ids, ", ")
}

// economicSeries fetches what was known at d.Now of the span, changed as asked.
// The change is made before the cut: the first year shown needs the one before.
func (d Deps) economicSeries(ctx context.Context, id market.SeriesID, sp toolkit.Period, change market.Change) (market.EconomicSeries, error) {
	day := toolkit.Today(d.Now())
	query := market.SeriesQuery{Range: market.Range{To: sp.To}, KnownOn: day}
	if !sp.From.IsZero() {
		query.From = sp.From.AddDate(-1, 0, -31)
	}
	s, err := d.Series.EconomicSeries(ctx, id, query)
	if errors.Is(err, market.ErrUnknownSymbol) {
		return s, fmt.Errorf("%w; %s", err, d.availableSeries(ctx))
	}
	if err != nil {
		return s, fmt.Errorf("economic series %s: %w", id, err)
	}
	// A source that knows no clock must not show the future either.
	s, ok := s.Within(query.Range).KnownOn(day).ApplyChange(change)
	if !ok {
		return s, fmt.Errorf("%w: pct_change_annualized of %s, which is %s; it is for monthly, quarterly and annual series", errSeries, id, s.Frequency)
	}
	last, ok := s.Latest()
	if !ok {
		return s, fmt.Errorf("%w: no value of %s (%s) was known on %s", market.ErrNoData, id, change, toolkit.FormatDate(day))
	}
	shown := market.Range{From: sp.From, To: sp.To}
	if sp.From.IsZero() && sp.To.IsZero() {
		shown.From = last.Date.AddDate(-defaultYears, 0, 0)
	}
	cut := s.Within(shown)
	if _, ok := cut.Latest(); !ok {
		return s, fmt.Errorf("%w: no value of %s from %s to %s; the last one is of %s", market.ErrNoData, id, toolkit.FormatDate(sp.From), toolkit.FormatDate(sp.To), toolkit.FormatDate(last.Date))
	}
	return cut, nil
}
