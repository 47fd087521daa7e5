package analysis

import (
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

func (c comparison) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\n%s\n\n%s", toolkit.TableCell(strings.Join(c.Correlation.Symbols, ", ")), windowHeading(c.Window), c.table())
	fmt.Fprintf(&b, "\nCorrelation of %s returns\n\n%s", toolkit.FormatCount(c.Correlation.Returns), c.correlation.table())
	for _, w := range c.Warnings {
		b.WriteString("\n! " + w + "\n")
	}
	for _, a := range c.Assets {
		for _, w := range a.Warnings {
			fmt.Fprintf(&b, "\n! %s: %s\n", a.Symbol, w)
		}
	}
	b.WriteString("\n" + alignedOrigins(c.correlation.aligned) + "\n")
	return b.String()
}

// table has a row for each measure and a column for each asset.
func (c comparison) table() string {
	head := []string{"measure"}
	for _, a := range c.Assets {
		head = append(head, string(a.Symbol)+":")
	}
	row := func(label string, of func(returnsStats) string) []string {
		out := []string{label}
		for _, a := range c.Assets {
			out = append(out, of(a))
		}
		return out
	}
	return toolkit.MarkdownTable(head, [][]string{
		row("total return", func(a returnsStats) string { return toolkit.FormatRate(a.TotalReturn) }),
		row("annual return", func(a returnsStats) string { return orNone(a.AnnualReturn, toolkit.FormatRate) }),
		row("volatility", func(a returnsStats) string {
			return orNone(a.AnnualVolatility, func(v float64) string { return toolkit.FractionToPercent(v).StringFixed(2) + " %" })
		}),
		row("worst drawdown", func(a returnsStats) string { return toolkit.FormatRate(a.MaxDrawdown) }),
		row("from → to", returnsStats.fallDates),
		row("recovered", returnsStats.recoveryDate),
		row("current drawdown", func(a returnsStats) string { return toolkit.FormatRate(a.CurrentDrawdown) }),
		row(fmt.Sprintf("%d became", rebasedTo), func(a returnsStats) string {
			levels := c.Rebased.Series[string(a.Symbol)]
			return decimal.NewFromFloat(levels[len(levels)-1]).StringFixed(2)
		}),
		row("counted in", func(a returnsStats) string { return toolkit.UnitOf(a.series.Provenance) }),
	})
}

func orNone(v *float64, text func(float64) string) string {
	if v == nil {
		return "n/a"
	}
	return text(*v)
}

func (r returnsStats) fallDates() string {
	if r.perf.MaxDrawdown.Depth == 0 {
		return "none"
	}
	return *r.PeakDate + " → " + *r.TroughDate
}

func (r returnsStats) recoveryDate() string {
	switch {
	case r.perf.MaxDrawdown.Depth == 0:
		return "none"
	case r.RecoveryDate == nil:
		return "not by " + r.To
	}
	return *r.RecoveryDate
}

// figures are those of each asset, of the correlations, and of the rebased rows
// that the model was given.
func (c comparison) figures(shown rebased) []tool.Figure {
	var out []tool.Figure
	for _, a := range c.Assets {
		for _, f := range a.figures() {
			f.ID, f.Label = fmt.Sprintf("%s.%s", a.Symbol, f.ID), fmt.Sprintf("%s %s", a.Symbol, f.Label)
			out = append(out, f)
		}
		for i, v := range shown.Series[string(a.Symbol)] {
			// The days were written by dated, so that they read as dates.
			day, _ := time.Parse(time.DateOnly, shown.Dates[i])
			out = append(out, tool.Figure{
				ID: fmt.Sprintf("%s.rebased.%s", a.Symbol, shown.Dates[i]), Label: fmt.Sprintf("%s rebased on %s", a.Symbol, shown.Dates[i]),
				Value: decimal.NewFromFloat(v), Unit: "of 100", AsOf: day, Source: a.Source, Formula: "100 * close / first close",
				Inputs: []string{fmt.Sprintf("first close %s on %s", a.FirstClose, a.From)},
			})
		}
	}
	return append(out, c.correlation.figures()...)
}
