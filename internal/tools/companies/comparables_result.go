package companies

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

func (a compsResult) result() tool.Result {
	s := toolkit.CalculationSheet{Tool: "comps_valuation", Currency: a.Currency}
	if a.PerShare != nil {
		inputs := []string{fmt.Sprintf("medians of %d multiples", a.used)}
		s.Add(toolkit.SheetLine{ID: "value_per_share", Label: "value a share, middle of the medians", Value: toolkit.RoundDecimalSignificant(a.PerShare.Median, 4), Unit: s.MoneyUnit(), Formula: "median of what each multiple's median gives", Inputs: inputs})
		s.Add(toolkit.SheetLine{ID: "value_per_share_low", Label: "lowest of the medians", Value: toolkit.RoundDecimalSignificant(a.PerShare.Low, 4), Unit: s.MoneyUnit(), Formula: "least of them", Inputs: inputs})
		s.Add(toolkit.SheetLine{ID: "value_per_share_high", Label: "highest of the medians", Value: toolkit.RoundDecimalSignificant(a.PerShare.High, 4), Unit: s.MoneyUnit(), Formula: "most of them", Inputs: inputs})
	}
	if a.Upside != nil {
		s.Add(toolkit.SheetLine{ID: "upside", Label: "value above the price", Value: toolkit.RoundPercent(*a.Upside, 2), Unit: "%", Formula: "value a share / price - 1", Inputs: []string{fmt.Sprintf("price %v", *a.Price)}})
	}
	for _, l := range a.Lines {
		l.figures(&s)
	}
	summary := "no value"
	if a.PerShare != nil {
		summary = fmt.Sprintf("%v %s a share, %v to %v", toolkit.RoundDecimalSignificant(a.PerShare.Median, 2), s.MoneyUnit(), toolkit.RoundDecimalSignificant(a.PerShare.Low, 2), toolkit.RoundDecimalSignificant(a.PerShare.High, 2))
	}
	return tool.Result{
		Value: a, ForUser: s.Table(strings.TrimSpace("Comparable businesses "+toolkit.TableCell(a.Target)), a.Warnings) + "\n" + a.multiplesTable() + a.excludedText(),
		Title: strings.TrimSpace("comparables " + toolkit.Abbreviate(a.Target)), Summary: summary, Figures: s.Figures(),
	}
}

// figures are the numbers of a multiple, which stand in a table of their own.
func (l multipleJSON) figures(s *toolkit.CalculationSheet) {
	peers := []string{fmt.Sprintf("%d peers", l.Count)}
	for _, q := range []struct {
		id, label string
		pick      func(spreadJSON) float64
	}{
		{"low", "lowest", func(v spreadJSON) float64 { return v.Low }}, {"first_quartile", "first quartile", func(v spreadJSON) float64 { return v.First }},
		{"median", "median", func(v spreadJSON) float64 { return v.Median }}, {"third_quartile", "third quartile", func(v spreadJSON) float64 { return v.Third }},
		{"high", "highest", func(v spreadJSON) float64 { return v.High }},
	} {
		if l.Count > 0 {
			s.AddFigure(toolkit.SheetLine{ID: l.Name + "_" + q.id, Label: l.Label + " of the peers, " + q.label, Value: toolkit.RoundDecimalSignificant(q.pick(*l.Spread), 4), Unit: "x", Formula: q.label, Inputs: peers})
		}
		if l.Values != nil {
			s.AddFigure(toolkit.SheetLine{ID: "value_by_" + l.Name + "_" + q.id, Label: "value a share by " + l.Label + ", " + q.label, Value: toolkit.RoundDecimalSignificant(q.pick(*l.Values), 4), Unit: s.MoneyUnit(), Formula: "(multiple * figure - net debt for a multiple of the firm) / shares", Inputs: peers})
		}
	}
	if l.Target != nil {
		s.AddFigure(toolkit.SheetLine{ID: "target_" + l.Name, Label: l.Label + " of the target at its price", Value: toolkit.RoundDecimalSignificant(*l.Target, 4), Unit: "x", Formula: "(price * shares + net debt for a multiple of the firm) / figure"})
	}
}

func (a compsResult) multiplesTable() string {
	var rows [][]string
	shown := func(v float64) string { return toolkit.RoundDecimalSignificant(v, 2).String() }
	for _, l := range a.Lines {
		row := []string{l.Label, fmt.Sprint(l.Count), "–", "–", "–", "–", l.Reason}
		if l.Spread != nil {
			row[2], row[3], row[4] = shown(l.Spread.First), shown(l.Spread.Median), shown(l.Spread.Third)
		}
		if l.Target != nil {
			row[5] = shown(*l.Target)
		}
		if l.Values != nil {
			row[6] = fmt.Sprintf("%s (%s to %s)", shown(l.Values.Median), shown(l.Values.First), shown(l.Values.Third))
		}
		rows = append(rows, row)
	}
	return toolkit.MarkdownTable([]string{"multiple", "peers:", "first quartile:", "median:", "third quartile:", "target:", "value a share:"}, rows)
}

func (a compsResult) excludedText() string {
	var b strings.Builder
	for _, l := range a.Lines {
		for _, e := range l.Excluded {
			fmt.Fprintf(&b, "\n- %s without %s: %s", l.Label, toolkit.TableCell(e.Peer), e.Reason)
		}
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	return b.String()
}
