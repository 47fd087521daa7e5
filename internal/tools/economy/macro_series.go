package economy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type macroSeriesInput struct {
	SeriesID string `json:"series_id,omitempty" jsonschema:"FRED ID, such as CPIAUCSL, UNRATE, GDPC1, FEDFUNDS or DGS10."`
	Query    string `json:"query,omitempty" jsonschema:"Search words instead of series_id, such as core inflation."`
	From     string `json:"from,omitempty" jsonschema:"Start date: YYYY, YYYY-MM or YYYY-MM-DD. Default: five years ago."`
	To       string `json:"to,omitempty" jsonschema:"End date: YYYY, YYYY-MM or YYYY-MM-DD."`
	Units    string `json:"units,omitempty" jsonschema:"change, change_1y, pct_change, pct_change_1y or pct_change_annualized"`
}

const macroSeriesDescription = `One economic series (inflation, unemployment, GDP, policy rate, yields): newest, previous and year-ago value, high and low. Use for "where is inflation"; for a whole curve use yield_curve. Inflation is pct_change_1y of a price index; missing is not zero.`

const macroSeriesDetails = `Give series_id if you know it, otherwise query. One match returns the series; several are listed under matches. The result has observations, unit, frequency, seasonal adjustment, publisher, source and date. The default period is the five years before the last observation.
units: level is as published. change is from the previous period and change_1y from the year before, in the unit of the series (percentage points for a rate in percent). pct_change, pct_change_1y and pct_change_annualized (the change of one period compounded over a year, for GDP) are in percent. Do not use pct_change for a rate.
A monthly, quarterly or yearly observation has the date of the first day of its period: 2025-09-01 is September 2025. missing lists periods without a published figure or without a base for the change; do not draw a trend across them. Daily series omit days without trading. Figures are revised: vintage is the day on which these values were published, and a warning says if it is later than the requested day.
The model receives at most 60 observations; longer series are reduced to evenly spaced observations, and observations_note says so.`

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

// defaultYears is the default period, as on most dashboards.
const defaultYears = 5

// newMacroSeries returns the tool for economic series.
func newMacroSeries(d Deps) tool.Tool {
	return toolkit.New("macro_series", macroSeriesDescription, tool.Reads, d.macroSeries).WithDetails(macroSeriesDetails).Find("macro", macroSeriesKeywords, macroSeriesPhrasings...)
}

// errSeries marks invalid arguments of macro_series.
var errSeries = toolkit.InvalidArgs(errors.New("economic series"))

func (d Deps) macroSeries(ctx context.Context, in macroSeriesInput) (toolkit.Answer, error) {
	sp, err := toolkit.ParsePeriod("", in.From, in.To, "max")
	if err != nil {
		return nil, err
	}
	change, err := parseChange(in.Units)
	if err != nil {
		return nil, err
	}
	id, matches, err := d.findSeries(ctx, in)
	if err != nil {
		return nil, err
	}
	if len(matches) > 0 {
		return newMacroMatches(cmp.Or(in.Query, in.SeriesID), matches), nil
	}
	series, err := d.economicSeries(ctx, id, sp, change)
	if byID := strings.TrimSpace(in.SeriesID); byID != "" && errors.Is(err, market.ErrUnknownSymbol) {
		// Words such as "unemployment" are not FRED identifiers, but a search may find a series.
		if found, _ := d.Series.FindSeries(ctx, byID); len(found) > 0 {
			return d.macroSeries(ctx, macroSeriesInput{Query: byID, From: in.From, To: in.To, Units: in.Units})
		}
	}
	if err != nil {
		return nil, err
	}
	return d.newMacroAnswer(series, change), nil
}

// parseChange parses units, including FRED's codes.
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
	return "", toolkit.InvalidArgsf("unknown units %q; use level, change, change_1y, pct_change, pct_change_1y or pct_change_annualized", text)
}

// findSeries returns the requested series, or the candidates if the query matches several.
func (d Deps) findSeries(ctx context.Context, in macroSeriesInput) (market.SeriesID, []market.SeriesInfo, error) {
	query := strings.TrimSpace(in.Query)
	switch {
	case strings.TrimSpace(in.SeriesID) == "" && query == "":
		return "", nil, fmt.Errorf(`%w: series_id or query is required; call macro_series with {"series_id": "CPIAUCSL"} or a query`, errSeries)
	case strings.TrimSpace(in.SeriesID) != "":
		if id, err := market.ParseSeriesID(in.SeriesID); err == nil || !strings.Contains(in.SeriesID, " ") {
			return id, nil, err
		}
		query = strings.TrimSpace(in.SeriesID)
	}
	found, err := d.Series.FindSeries(ctx, query)
	switch {
	case err != nil:
		return "", nil, toolkit.WithContext(err, "search economic series for %q", query)
	case len(found) == 0:
		return "", nil, &unknownSeriesError{query, d.availableSeries(ctx)}
	case len(found) == 1:
		return found[0].ID, nil, nil
	}
	return "", found, nil
}

// unknownSeriesError means that no series has that identifier or those words. It unwraps to ErrUnknownSymbol.
type unknownSeriesError struct{ text, next string }

func (e *unknownSeriesError) Error() string {
	return fmt.Sprintf("no economic series %.60q; %s", e.text, e.next)
}

func (e *unknownSeriesError) Unwrap() error { return market.ErrUnknownSymbol }

// availableSeries lists the available series, if there are few enough.
func (d Deps) availableSeries(ctx context.Context) string {
	all, err := d.Series.FindSeries(ctx, "")
	if err != nil || len(all) == 0 || len(all) > toolkit.MaxListedSymbols {
		return "try other words or the FRED ID"
	}
	ids := make([]string, len(all))
	for i, info := range all {
		ids[i] = string(info.ID)
	}
	return "available: " + strings.Join(ids, ", ")
}

// economicSeries fetches the values known at d.Now in the requested units and limits them to the period. It
// computes changes first, because the first year needs the year before.
func (d Deps) economicSeries(ctx context.Context, id market.SeriesID, sp toolkit.Period, change market.Change) (market.EconomicSeries, error) {
	day := toolkit.Today(d.Now())
	query := market.SeriesQuery{Range: market.Range{To: sp.To}, KnownOn: day}
	if !sp.From.IsZero() {
		query.From = sp.From.AddDate(-1, 0, -31)
	}
	s, err := d.Series.EconomicSeries(ctx, id, query)
	if errors.Is(err, market.ErrUnknownSymbol) {
		return s, &unknownSeriesError{string(id), d.availableSeries(ctx)}
	}
	if err != nil {
		return s, toolkit.WithContext(err, "economic series %s", id)
	}
	// Filter the result, because a source may return later values.
	s, ok := s.Within(query.Range).KnownOn(day).ApplyChange(change)
	if !ok {
		return s, fmt.Errorf("%w: %s is %s; pct_change_annualized works only for monthly, quarterly and annual series", errSeries, id, s.Frequency)
	}
	last, ok := s.Latest()
	if !ok {
		return s, fmt.Errorf("%w: no value for %s (%s) was known on %s", market.ErrNoData, id, change, toolkit.FormatDate(day))
	}
	shown := market.Range{From: sp.From, To: sp.To}
	if sp.From.IsZero() && sp.To.IsZero() {
		shown.From = last.Date.AddDate(-defaultYears, 0, 0)
	}
	cut := s.Within(shown)
	if _, ok := cut.Latest(); !ok {
		return s, fmt.Errorf("%w: no value for %s from %s to %s; the last one is for %s", market.ErrNoData, id, toolkit.FormatDate(sp.From), toolkit.FormatDate(sp.To), toolkit.FormatDate(last.Date))
	}
	return cut, nil
}

const maxObservations = 60

// macroPoint is one observation for output.
type macroPoint struct {
	Date     string          `json:"date" label:"period"`
	Value    decimal.Decimal `json:"value" label:"." as:"number"`
	Released string          `json:"released,omitempty"`

	day     market.Date
	unit    string
	formula string
	named   bool // shown on its own, not in a table
}

func (p macroPoint) Explain(field string) toolkit.Explanation {
	e := toolkit.Explanation{AsOf: p.day, Unit: p.unit, Formula: p.formula, Omit: p.named && field == "date"}
	switch {
	case p.named:
		e.Basis = p.Date
	case field == "value":
		e.Label = "value"
	}
	return e
}

type macroAnswer struct {
	SeriesID  market.SeriesID  `json:"series_id"`
	Heading   string           `json:"title"`
	Unit      string           `json:"unit"`
	Units     market.Change    `json:"units"`
	Frequency market.Frequency `json:"frequency"`
	Seasonal  market.Seasonal  `json:"seasonal_adjustment"`
	Publisher string           `json:"publisher"`
	Vintage   string           `json:"vintage,omitempty"`
	toolkit.Origin
	Warnings     toolkit.Notes `json:"warnings"`
	Count        int           `json:"count" label:"observations" unit:"observations" row:"-"`
	Missing      []string      `json:"missing"`
	Latest       macroPoint    `json:"latest" label:"latest"`
	Previous     *macroPoint   `json:"previous,omitempty" label:"previous"`
	YearAgo      *macroPoint   `json:"year_ago,omitempty" label:"a year ago"`
	High         macroPoint    `json:"high" label:"highest"`
	Low          macroPoint    `json:"low" label:"lowest"`
	Observations []macroPoint  `json:"observations" table:"-"`
	Thinned      string        `json:"observations_note,omitempty"`
}

func (a macroAnswer) Headline(lang string) string {
	if lang == "zh" {
		text := fmt.Sprintf("%s（%s）%s 为 %s", a.Heading, a.SeriesID, a.Latest.Date, a.value(a.Latest))
		if a.YearAgo != nil {
			text += fmt.Sprintf("，一年前为 %s", a.value(*a.YearAgo))
		}
		return text + "。"
	}
	text := fmt.Sprintf("%s (%s) was %s for %s", a.Heading, a.SeriesID, a.value(a.Latest), a.Latest.Date)
	if a.YearAgo != nil {
		text += fmt.Sprintf(", compared with %s a year earlier", a.value(*a.YearAgo))
	}
	return text + "."
}

// value formats an observation with its unit. A change has one more decimal than publishers use.
func (a macroAnswer) value(p macroPoint) string {
	if a.Units != market.ChangeNone {
		p.Value = p.Value.Round(2)
	}
	return toolkit.WithUnit(toolkit.Format(p.Value, toolkit.Number, ""), a.Unit)
}

func (a macroAnswer) Title() string {
	title := fmt.Sprintf("%s (%s)", a.Heading, a.SeriesID)
	if a.Units == market.ChangeNone {
		return title
	}
	return title + " · " + changeNames[a.Units]
}

// changeNames names the changes for people.
var changeNames = map[market.Change]string{
	market.ChangeDifference: "change from the previous period", market.ChangeYearDifference: "change from a year before",
	market.ChangePercent: "percent change from the previous period", market.ChangeYearPercent: "percent change from a year before",
	market.ChangeAnnualizedPercent: "percent change, annualized",
}

func (a macroAnswer) Summary() string { return a.value(a.Latest) + " · " + a.Latest.Date }

func (a macroAnswer) KeyFigures() []tool.KeyFigure {
	key := func(label string, p *macroPoint) tool.KeyFigure {
		return tool.KeyFigure{Label: label + ", " + p.Date, Text: a.value(*p)}
	}
	keys := []tool.KeyFigure{key("latest", &a.Latest)}
	if a.Previous != nil {
		keys = append(keys, key("previous", a.Previous))
	}
	if a.YearAgo != nil {
		keys = append(keys, key("a year ago", a.YearAgo))
	}
	return keys
}

func (a macroAnswer) Text() string {
	text := fmt.Sprintf("%s · %s observations · seasonal adjustment: %s", a.Frequency, toolkit.Format(a.Count, toolkit.Count, ""), a.Seasonal)
	if len(a.Missing) > 0 {
		text += "\n\nNo value for " + toolkit.Abbreviate(strings.Join(a.Missing, ", "))
	}
	return text
}

func (d Deps) newMacroAnswer(s market.EconomicSeries, change market.Change) macroAnswer {
	a := macroAnswer{
		SeriesID: s.ID, Heading: s.Title, Unit: s.Unit, Units: change, Frequency: s.Frequency, Seasonal: s.Seasonal,
		Publisher: s.Publisher, Vintage: toolkit.FormatDate(s.Vintage), Origin: toolkit.OriginOf(s.Provenance).WithoutAdjustment(),
		Missing: []string{},
	}
	d.warnOfVintage(s, &a.Warnings)
	formula := ""
	if change != market.ChangeNone {
		formula = string(change)
	}
	for _, observation := range s.Observations {
		switch {
		case !observation.Value.Valid && (a.Observations == nil || s.Frequency == market.FrequencyDaily):
			continue // before the start of the data, or the market was closed
		case !observation.Value.Valid:
			a.Missing = append(a.Missing, toolkit.FormatDate(observation.Date))
			continue
		}
		a.Observations = append(a.Observations, macroPoint{
			Date: toolkit.FormatDate(observation.Date), Value: observation.Value.Decimal, Released: toolkit.FormatDate(observation.Released),
			day: observation.Date, unit: s.Unit, formula: formula,
		})
	}
	a.Count = len(a.Observations)
	a.Latest, a.High, a.Low = a.Observations[a.Count-1], a.Observations[0], a.Observations[0]
	for _, p := range a.Observations {
		if p.Value.GreaterThan(a.High.Value) {
			a.High = p
		}
		if p.Value.LessThan(a.Low.Value) {
			a.Low = p
		}
	}
	if a.Count > 1 {
		a.Previous = alone(&a.Observations[a.Count-2])
	}
	a.YearAgo = alone(a.yearBefore(s.Frequency))
	a.Latest, a.High, a.Low = *alone(&a.Latest), *alone(&a.High), *alone(&a.Low)
	return a
}

// alone returns a copy of an observation that is shown on its own.
func alone(p *macroPoint) *macroPoint {
	if p == nil {
		return nil
	}
	point := *p
	point.named = true
	return &point
}

// yearBefore returns the observation a year before the latest one: for the same period or, for daily and
// weekly data, the last one in the week before that day.
func (a macroAnswer) yearBefore(f market.Frequency) *macroPoint {
	day := a.Latest.day.AddDate(-1, 0, 0)
	within := f == market.FrequencyDaily || f == market.FrequencyWeekly
	for i := a.Count - 1; i >= 0; i-- {
		p := &a.Observations[i]
		if p.day.Equal(day) || within && p.day.Before(day) && !p.day.Before(day.AddDate(0, 0, -7)) {
			return p
		}
	}
	return nil
}

// warnOfVintage warns if the values may differ from those known on the requested day.
func (d Deps) warnOfVintage(s market.EconomicSeries, notes *toolkit.Notes) {
	day := toolkit.Today(d.Now())
	switch {
	case s.Vintage.After(day):
		notes.Warn("vintage", "values are as published on %s; some may have been revised since %s", toolkit.FormatDate(s.Vintage), toolkit.FormatDate(day))
	case s.Vintage.IsZero() && !s.Provenance.FetchedAt.Before(toolkit.EndOfDay(d.Now())):
		notes.Warn("vintage", "the publication date of these values is unknown; some may have been revised since %s", toolkit.FormatDate(day))
	}
}

func (a macroAnswer) Sampled() toolkit.Answer {
	if n := len(a.Observations); n > maxObservations {
		a.Observations = toolkit.Spaced(a.Observations, maxObservations)
		a.Thinned = fmt.Sprintf("%d of %s observations, evenly spaced; use a shorter range to see all", maxObservations, toolkit.FormatCount(n))
	}
	return a
}

// macroMatches is the answer if a query matches several series.
type macroMatches struct {
	Query   string              `json:"query"`
	Matches []market.SeriesInfo `json:"matches"`
	Note    string              `json:"note"`

	found int
}

// maxMatches is the maximum number of series that a model can choose from.
const maxMatches = 20

func newMacroMatches(query string, found []market.SeriesInfo) macroMatches {
	return macroMatches{
		Query: query, Matches: found[:min(len(found), maxMatches)], found: len(found),
		Note: "no figures yet: call again with the series_id of the right series",
	}
}

func (a macroMatches) Headline(lang string) string {
	if lang == "zh" {
		return fmt.Sprintf("有 %d 个数据系列符合“%s”，请选择一个。", a.found, a.Query)
	}
	return fmt.Sprintf("%d series match %q; choose one.", a.found, a.Query)
}

func (a macroMatches) Title() string { return toolkit.Abbreviate(a.Query) }

func (a macroMatches) Summary() string { return fmt.Sprintf("%d series match", a.found) }

func (a macroMatches) Tables() []toolkit.Table {
	rows := make([][]string, len(a.Matches))
	for i, match := range a.Matches {
		rows[i] = []string{string(match.ID), match.Title, match.Unit, string(match.Frequency), string(match.Seasonal)}
	}
	return []toolkit.Table{{Columns: []string{"series", "title", "unit", "frequency", "seasonal adjustment"}, Rows: rows}}
}
