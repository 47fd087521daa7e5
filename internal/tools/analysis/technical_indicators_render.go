package analysis

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

func (t technicalIndicators) markdown() string {
	var rows [][]string
	for _, line := range t.Indicators {
		for _, output := range line.spec.outputNames() {
			values := t.Series[line.spec.column(output)]
			text := "n/a"
			if v := values[len(values)-1]; v != nil {
				text = decimal.NewFromFloat(*v).String()
			}
			rows = append(rows, []string{line.spec.column(output), text, line.Unit, line.spec.formula(line.spec.parameters)})
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s · latest of %s %s, %s → %s\n\n", t.heading(), toolkit.FormatCount(t.Count), t.bars(), t.From, t.To)
	b.WriteString(toolkit.MarkdownTable([]string{"indicator", "latest:", "unit", "what"}, append([][]string{{"close", t.lastClose(), toolkit.UnitOf(t.series.Provenance), "on " + t.To}}, rows...)))
	for _, r := range t.Rejected {
		fmt.Fprintf(&b, "\n! %s: %s\n", toolkit.TableCell(r.Indicator), r.Reason)
	}
	for _, w := range t.Warnings {
		b.WriteString("\n! " + w + "\n")
	}
	b.WriteString("\n" + t.Footer() + "\n")
	return b.String()
}

func (t technicalIndicators) heading() string {
	if t.Symbol == "" {
		return "**Given bars**"
	}
	return toolkit.InstrumentHeading(t.series.Instrument)
}

func (t technicalIndicators) bars() string { return strings.TrimSpace(string(t.Interval) + " bars") }

func (t technicalIndicators) lastClose() string { return t.series.Bars[t.Count-1].Close.String() }

// figures are the values that the model was given: those of the rows shown.
func (t technicalIndicators) figures(shown technicalIndicators) []tool.Figure {
	priced := toolkit.UnitOf(t.series.Provenance)
	label := strings.TrimSpace(string(t.Symbol) + " ")
	out := []tool.Figure{{
		ID: "count", Label: strings.TrimSpace(label + " number of bars"), Value: decimal.NewFromInt(int64(t.Count)), Unit: "bars",
		AsOf: t.series.Bars[t.Count-1].Date, Source: t.Source,
	}}
	column := func(name, unit, formula string, inputs ...string) {
		for i, v := range shown.Series[name] {
			if v == nil {
				continue
			}
			at := t.series.Bars[t.Count-len(shown.Dates)+i].Date
			id, rowLabel := shown.Dates[i]+"."+name, name+" on "+shown.Dates[i]
			if i == len(shown.Dates)-1 {
				id = "latest." + name
			}
			out = append(out, tool.Figure{
				ID: id, Label: strings.TrimSpace(label + " " + rowLabel), Value: decimal.NewFromFloat(*v), Unit: unit, AsOf: at, Source: t.Source,
				Formula: formula, Inputs: inputs,
			})
		}
	}
	column("close", priced, "")
	for _, line := range t.Indicators {
		for _, output := range line.spec.outputNames() {
			column(line.spec.column(output), line.Unit, line.spec.formula(line.spec.parameters), fmt.Sprintf("%s to %s", t.bars(), t.To))
		}
	}
	return out
}
