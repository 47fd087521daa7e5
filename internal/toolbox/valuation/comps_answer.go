package valuation

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

func (a compsAnswer) result() tool.Result {
	s := present.Sheet{Tool: "comps_valuation", Currency: a.Currency}
	if a.PerShare != nil {
		inputs := []string{fmt.Sprintf("medians of %d multiples", a.used)}
		s.Add(present.Line{ID: "value_per_share", Label: "value a share, middle of the medians", Value: present.Significant(a.PerShare.Median, 4), Unit: s.Money(), Formula: "median of what each multiple's median gives", Inputs: inputs})
		s.Add(present.Line{ID: "value_per_share_low", Label: "lowest of the medians", Value: present.Significant(a.PerShare.Low, 4), Unit: s.Money(), Formula: "least of them", Inputs: inputs})
		s.Add(present.Line{ID: "value_per_share_high", Label: "highest of the medians", Value: present.Significant(a.PerShare.High, 4), Unit: s.Money(), Formula: "most of them", Inputs: inputs})
	}
	if a.Upside != nil {
		s.Add(present.Line{ID: "upside", Label: "value above the price", Value: present.RoundedPercent(*a.Upside, 2), Unit: "%", Formula: "value a share / price - 1", Inputs: []string{fmt.Sprintf("price %v", *a.Price)}})
	}
	for _, l := range a.Lines {
		l.figures(&s)
	}
	summary := "no value"
	if a.PerShare != nil {
		summary = fmt.Sprintf("%v %s a share, %v to %v", present.Significant(a.PerShare.Median, 2), s.Money(), present.Significant(a.PerShare.Low, 2), present.Significant(a.PerShare.High, 2))
	}
	return tool.Result{
		Value: a, ForUser: s.Table(strings.TrimSpace("Comparable businesses "+present.Cell(a.Target)), a.Warnings) + "\n" + a.multiplesTable() + a.excluded(),
		Title: strings.TrimSpace("comparables " + present.Abridged(a.Target)), Summary: summary, Figures: s.Figures(),
	}
}

// figures are the numbers of a multiple, which stand in a table of their own.
func (l multipleJSON) figures(s *present.Sheet) {
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
			s.AddUnseen(present.Line{ID: l.Name + "_" + q.id, Label: l.Label + " of the peers, " + q.label, Value: present.Significant(q.pick(*l.Spread), 4), Unit: "x", Formula: q.label, Inputs: peers})
		}
		if l.Values != nil {
			s.AddUnseen(present.Line{ID: "value_by_" + l.Name + "_" + q.id, Label: "value a share by " + l.Label + ", " + q.label, Value: present.Significant(q.pick(*l.Values), 4), Unit: s.Money(), Formula: "(multiple * figure - net debt for a multiple of the firm) / shares", Inputs: peers})
		}
	}
	if l.Target != nil {
		s.AddUnseen(present.Line{ID: "target_" + l.Name, Label: l.Label + " of the target at its price", Value: present.Significant(*l.Target, 4), Unit: "x", Formula: "(price * shares + net debt for a multiple of the firm) / figure"})
	}
}

func (a compsAnswer) multiplesTable() string {
	var rows [][]string
	shown := func(v float64) string { return present.Significant(v, 2).String() }
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
	return present.Table([]string{"multiple", "peers:", "first quartile:", "median:", "third quartile:", "target:", "value a share:"}, rows)
}

func (a compsAnswer) excluded() string {
	var b strings.Builder
	for _, l := range a.Lines {
		for _, e := range l.Excluded {
			fmt.Fprintf(&b, "\n- %s without %s: %s", l.Label, present.Cell(e.Peer), e.Reason)
		}
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	return b.String()
}
