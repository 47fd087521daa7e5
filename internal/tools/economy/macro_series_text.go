package economy

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// macroMatches is the answer where words describe several series.
type macroMatches struct {
	Query   string              `json:"query"`
	Matches []market.SeriesInfo `json:"matches"`
	Note    string              `json:"note"`
}

// maxMatches is what a model can choose from at a glance.
const maxMatches = 20

func matchesResult(query string, found []market.SeriesInfo) tool.Result {
	a := macroMatches{
		Query: query, Matches: found[:min(len(found), maxMatches)],
		Note: "no figures yet: call again with the series_id of the one that is meant",
	}
	rows := make([][]string, len(a.Matches))
	for i, match := range a.Matches {
		rows[i] = []string{string(match.ID), match.Title, match.Unit, string(match.Frequency), string(match.Seasonal)}
	}
	return tool.Result{
		Value: a, ForUser: toolkit.MarkdownTable([]string{"series", "title", "unit", "frequency", "seasonally"}, rows),
		Title: toolkit.Abbreviate(query), Summary: toolkit.FormatCount(len(found)) + " series match",
	}
}

func (a macroAnswer) markdown() string {
	places := a.places()
	rows := [][]string{{"latest", a.Latest.Value.StringFixed(places), a.Latest.Date}}
	for _, row := range []struct {
		name  string
		point *macroPoint
	}{{"before", a.Previous}, {"a year ago", a.YearAgo}, {"highest", &a.High}, {"lowest", &a.Low}} {
		if row.point != nil {
			rows = append(rows, []string{row.name, row.point.Value.StringFixed(places), row.point.Date})
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** %s · %s · %s · %s observations\n\n", toolkit.TableCell(string(a.SeriesID)), toolkit.TableCell(a.Title), a.Units, a.Frequency, toolkit.FormatCount(a.Count))
	b.WriteString(toolkit.MarkdownTable([]string{"value", a.Unit + ":", "period"}, rows))
	if n := len(a.Missing); n > 0 {
		fmt.Fprintf(&b, "\n! without a figure: %s\n", toolkit.Abbreviate(strings.Join(a.Missing, ", ")))
	}
	for _, w := range a.Warnings {
		b.WriteString("\n! " + w + "\n")
	}
	note := "seasonal adjustment: " + string(a.Seasonal)
	if a.Note != "" {
		note += " · " + a.Note
	}
	o := a.Origin
	o.Note = note
	b.WriteString("\n" + o.Footer() + "\n")
	return b.String()
}

// places is how many decimals the most precise value has: a column of 9 and 2.71
// would look as if they were rounded differently.
func (a macroAnswer) places() int32 {
	var places int32
	for _, p := range a.Observations {
		places = max(places, -p.Value.Exponent())
	}
	return places
}

// figures are the numbers that the model was given, no more.
func (a macroAnswer) figures() []tool.Figure {
	figure := func(id, label string, p macroPoint) tool.Figure {
		f := tool.Figure{
			ID: string(a.SeriesID) + "." + id, Label: fmt.Sprintf("%s %s", a.SeriesID, label),
			Value: p.Value, Unit: a.Unit, AsOf: p.day, Source: a.Source,
		}
		if a.Units != market.ChangeNone {
			f.Formula = string(a.Units)
		}
		return f
	}
	out := []tool.Figure{figure("latest", "latest, "+a.Latest.Date, a.Latest), figure("high", "highest", a.High), figure("low", "lowest", a.Low)}
	if a.Previous != nil {
		out = append(out, figure("previous", "the period before", *a.Previous))
	}
	if a.YearAgo != nil {
		out = append(out, figure("year_ago", "a year ago", *a.YearAgo))
	}
	for _, p := range a.Observations {
		out = append(out, figure(p.Date, p.Date, p))
	}
	return out
}
