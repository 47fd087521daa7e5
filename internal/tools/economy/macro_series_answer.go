package economy

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

const maxObservations = 60

// macroPoint is one observation as it is shown.
type macroPoint struct {
	Date     string          `json:"date" label:"period"`
	Value    decimal.Decimal `json:"value" label:"." as:"exact"`
	Released string          `json:"released,omitempty"`

	day     market.Date
	unit    string
	formula string
	named   bool // it stands alone and not in a table
}

// Explain implements [toolkit.Explainer].
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

// Headline implements [toolkit.Answer].
func (a macroAnswer) Headline(lang string) string {
	value := func(p macroPoint) string { return toolkit.Format(p.Value, toolkit.Exact, "") + " " + a.Unit }
	if lang == "zh" {
		text := fmt.Sprintf("%s（%s）%s 为 %s", a.Heading, a.SeriesID, a.Latest.Date, value(a.Latest))
		if a.YearAgo != nil {
			text += fmt.Sprintf("，一年前为 %s", value(*a.YearAgo))
		}
		return text + "。"
	}
	text := fmt.Sprintf("%s (%s) was %s in the period of %s", a.Heading, a.SeriesID, value(a.Latest), a.Latest.Date)
	if a.YearAgo != nil {
		text += fmt.Sprintf(", against %s a year before", value(*a.YearAgo))
	}
	return text + "."
}

// Title implements [toolkit.Titled].
func (a macroAnswer) Title() string { return fmt.Sprintf("%s · %s", a.SeriesID, a.Units) }

// Summary implements [toolkit.Summarizer].
func (a macroAnswer) Summary() string {
	return fmt.Sprintf("%s %s · %s", a.Latest.Value, a.Unit, a.Latest.Date)
}

// KeyFigures implements [toolkit.Keyed].
func (a macroAnswer) KeyFigures() []tool.KeyFigure {
	key := func(label string, p *macroPoint) tool.KeyFigure {
		return tool.KeyFigure{Label: label + ", " + p.Date, Text: toolkit.Format(p.Value, toolkit.Exact, "") + " " + a.Unit}
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

// Text implements [toolkit.Texter].
func (a macroAnswer) Text() string {
	text := fmt.Sprintf("%s · %s · %s observations · seasonal adjustment: %s", toolkit.EscapeMarkdown(a.Heading), a.Frequency, toolkit.Format(a.Count, toolkit.Count, ""), a.Seasonal)
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
			continue // the data begin here, or the market was closed
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

// alone is a copy of an observation that stands next to its name.
func alone(p *macroPoint) *macroPoint {
	if p == nil {
		return nil
	}
	point := *p
	point.named = true
	return &point
}

// yearBefore is the observation of a year before the latest: of the same period, or
// for days and weeks the last one within a week of it.
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

// warnOfVintage warns if the values may not be those known on the day asked about.
func (d Deps) warnOfVintage(s market.EconomicSeries, notes *toolkit.Notes) {
	day := toolkit.Today(d.Now())
	switch {
	case s.Vintage.After(day):
		notes.Warn("vintage", "not vintage-true: these values were published on %s; some were different on %s", toolkit.FormatDate(s.Vintage), toolkit.FormatDate(day))
	case s.Vintage.IsZero() && !s.Provenance.FetchedAt.Before(toolkit.EndOfDay(d.Now())):
		notes.Warn("vintage", "not vintage-true: the publication day of these values is unknown; some may have been different on %s", toolkit.FormatDate(day))
	}
}

// result is the answer; a model gets at most maxObservations of its observations.
func (a macroAnswer) result() tool.Result {
	sampled := a
	if n := len(a.Observations); n > maxObservations {
		sampled.Observations = toolkit.Spaced(a.Observations, maxObservations)
		sampled.Thinned = fmt.Sprintf("%d of %s observations, evenly spaced; ask for a shorter range to see every one", maxObservations, toolkit.FormatCount(n))
	}
	res := toolkit.Render(sampled)
	res.Value = a
	return res
}

// macroMatches is the answer if words describe several series.
type macroMatches struct {
	Query   string              `json:"query"`
	Matches []market.SeriesInfo `json:"matches"`
	Note    string              `json:"note"`

	found int
}

// maxMatches is what a model can choose from at a glance.
const maxMatches = 20

func newMacroMatches(query string, found []market.SeriesInfo) macroMatches {
	return macroMatches{
		Query: query, Matches: found[:min(len(found), maxMatches)], found: len(found),
		Note: "no figures yet: call again with the series_id of the right one",
	}
}

// Headline implements [toolkit.Answer].
func (a macroMatches) Headline(lang string) string {
	if lang == "zh" {
		return fmt.Sprintf("有 %d 个数据系列符合 “%s”，请选择一个。", a.found, a.Query)
	}
	return fmt.Sprintf("%d series match %q; choose one.", a.found, a.Query)
}

// Title implements [toolkit.Titled].
func (a macroMatches) Title() string { return toolkit.Abbreviate(a.Query) }

// Summary implements [toolkit.Summarizer].
func (a macroMatches) Summary() string { return fmt.Sprintf("%d series match", a.found) }

// Tables implements [toolkit.Tabler].
func (a macroMatches) Tables() []toolkit.Table {
	rows := make([][]string, len(a.Matches))
	for i, match := range a.Matches {
		rows[i] = []string{string(match.ID), match.Title, match.Unit, string(match.Frequency), string(match.Seasonal)}
	}
	return []toolkit.Table{{Columns: []string{"series", "title", "unit", "frequency", "seasonally"}, Rows: rows}}
}
