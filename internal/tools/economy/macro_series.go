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
	SeriesID string `json:"series_id,omitempty" jsonschema:"identifier at the St. Louis Fed (FRED) such as CPIAUCSL, UNRATE, GDPC1, FEDFUNDS or DGS10, in any case"`
	Query    string `json:"query,omitempty" jsonschema:"words that describe the series, such as core inflation; instead of series_id, where the identifier is not known"`
	From     string `json:"from,omitempty" jsonschema:"first day, YYYY-MM-DD; a year or a month means its first day; five years before the last observation when neither from nor to is given"`
	To       string `json:"to,omitempty" jsonschema:"last day, YYYY-MM-DD; a year or a month means its last day"`
	Units    string `json:"units,omitempty" jsonschema:"level, change, change_1y, pct_change, pct_change_1y or pct_change_annualized; level, as published, when left out"`
}

const macroSeriesDescription = `Gives one economic series (inflation, unemployment, growth, policy rate, yields): its newest value, the one before, that of a year ago, the highest and lowest, and the observations, with unit, frequency, seasonal adjustment, publisher, source and as-of date.
Use it for "where is inflation", "is unemployment rising", "what did rates do". One call per series; several calls run at once. Give series_id where you know it, else query: one match is answered, several are listed under matches for you to choose from.
units: change is on the period before and change_1y on the year before, in the unit of the series (percentage points for a rate in percent); pct_change, pct_change_1y and pct_change_annualized (one period's change compounded over a year, for GDP) are in per cent. Inflation is pct_change_1y of a price index; never take the pct_change of a rate.
A monthly, quarterly or yearly observation is dated by the first day of its period: 2025-09-01 is September 2025. missing lists periods whose figure was not published, or whose change has nothing to be measured against: they are no zeros, and no trend may be drawn across them. Days without a market are left out of daily series. Figures are revised: vintage is the day whose published values these are, and a warning says when that is later than the day of the question. The flag "sample" means embedded data that end on as_of.
You see at most 60 observations: of more, evenly spaced ones (observations_note says so).`

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
			return matchesResult(in.Query, matches), nil
		}
		series, err := d.economicSeries(ctx, id, sp, change)
		switch {
		case errors.Is(err, errSeries):
			return toolkit.InvalidResult(err)
		case err != nil:
			return toolkit.SourceErrorResult(err)
		}
		return d.newMacroAnswer(series, change).result()
	})
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
