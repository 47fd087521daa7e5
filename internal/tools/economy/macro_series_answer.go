package economy

import (
	"encoding/json"
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
	day market.Date

	Date     string          `json:"date"`
	Value    decimal.Decimal `json:"value"`
	Released string          `json:"released,omitempty"`
}

func newMacroPoint(o market.Observation) macroPoint {
	return macroPoint{o.Date, toolkit.FormatDate(o.Date), o.Value.Decimal, toolkit.FormatDate(o.Released)}
}

type macroAnswer struct {
	SeriesID  market.SeriesID  `json:"series_id"`
	Title     string           `json:"title"`
	Unit      string           `json:"unit"`
	Units     market.Change    `json:"units"`
	Frequency market.Frequency `json:"frequency"`
	Seasonal  market.Seasonal  `json:"seasonal_adjustment"`
	Publisher string           `json:"publisher"`
	Vintage   string           `json:"vintage,omitempty"`
	toolkit.Origin
	Warnings     []string     `json:"warnings"`
	Count        int          `json:"count"`
	Missing      []string     `json:"missing"`
	Latest       macroPoint   `json:"latest"`
	Previous     *macroPoint  `json:"previous,omitempty"`
	YearAgo      *macroPoint  `json:"year_ago,omitempty"`
	High         macroPoint   `json:"high"`
	Low          macroPoint   `json:"low"`
	Observations []macroPoint `json:"observations"`
	Thinned      string       `json:"observations_note,omitempty"`
}

func (d Deps) newMacroAnswer(s market.EconomicSeries, change market.Change) macroAnswer {
	a := macroAnswer{
		SeriesID: s.ID, Title: s.Title, Unit: s.Unit, Units: change, Frequency: s.Frequency, Seasonal: s.Seasonal,
		Publisher: s.Publisher, Vintage: toolkit.FormatDate(s.Vintage), Origin: toolkit.OriginOf(s.Provenance).WithoutAdjustment(),
		Warnings: d.vintageWarnings(s), Missing: []string{},
	}
	for _, observation := range s.Observations {
		switch {
		case !observation.Value.Valid && (a.Observations == nil || s.Frequency == market.FrequencyDaily):
			continue // the data begin here, or the market was closed
		case !observation.Value.Valid:
			a.Missing = append(a.Missing, toolkit.FormatDate(observation.Date))
			continue
		}
		a.Observations = append(a.Observations, newMacroPoint(observation))
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
		a.Previous = &a.Observations[a.Count-2]
	}
	a.YearAgo = a.yearBefore(s.Frequency)
	return a
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

// vintageWarnings says where the values may not be those of the day asked about.
func (d Deps) vintageWarnings(s market.EconomicSeries) []string {
	day := toolkit.Today(d.Now())
	switch {
	case s.Vintage.After(day):
		return []string{fmt.Sprintf("not vintage-true: these are the values as published on %s; on %s some were others, revised since", toolkit.FormatDate(s.Vintage), toolkit.FormatDate(day))}
	case s.Vintage.IsZero() && !s.Provenance.FetchedAt.Before(toolkit.EndOfDay(d.Now())):
		return []string{fmt.Sprintf("not vintage-true: the day whose published values these are is not known; on %s some may have been others", toolkit.FormatDate(day))}
	}
	return []string{}
}

// sampled is the answer as a model gets it.
func (a macroAnswer) sampled() macroAnswer {
	n := len(a.Observations)
	if n <= maxObservations {
		return a
	}
	all := a.Observations
	a.Observations = make([]macroPoint, maxObservations)
	for i := range a.Observations {
		a.Observations[i] = all[i*(n-1)/(maxObservations-1)]
	}
	a.Thinned = fmt.Sprintf("%d of %s observations, evenly spaced; ask for a shorter range to see every one", maxObservations, toolkit.FormatCount(n))
	return a
}

func (a macroAnswer) result() (tool.Result, error) {
	model := a.sampled()
	text, err := json.Marshal(model)
	if err != nil {
		return tool.Result{}, fmt.Errorf("encoding %s: %w", a.SeriesID, err)
	}
	return tool.Result{
		Value: a, ForModel: string(text), ForUser: a.markdown(),
		Title:   fmt.Sprintf("%s · %s", a.SeriesID, a.Units),
		Summary: strings.TrimSpace(fmt.Sprintf("%s %s · %s %s", a.Latest.Value, a.Unit, a.Latest.Date, a.FlagText())),
		Figures: model.figures(),
	}, nil
}
