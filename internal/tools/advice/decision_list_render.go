package advice

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

func (a decisionsAnswer) markdown() string {
	var b strings.Builder
	if len(a.Decisions) == 1 {
		b.WriteString(a.Decisions[0].card())
	} else {
		var rows [][]string
		for _, line := range a.Decisions {
			rows = append(rows, []string{line.Date, string(line.Decision), joinSymbols(line.decision), decisionMarks(line.decision), line.state(), line.Thesis, line.ID})
		}
		b.WriteString(toolkit.MarkdownTable([]string{"date", "decision", "symbols", "price:", "state", "thesis", "id"}, rows) + "\n")
	}
	if a.LeftOut > 0 {
		fmt.Fprintf(&b, "%d older ones are not shown.\n\n", a.LeftOut)
	}
	for _, remark := range a.Remarks {
		fmt.Fprintf(&b, "! %s\n\n", toolkit.TableCell(remark))
	}
	b.WriteString(a.Footer() + "\n")
	return b.String()
}

// card is one decision in full.
func (line decisionLine) card() string {
	rows := [][]string{{"id", line.ID}, {"date", line.Date}, {"state", line.state()}}
	for _, m := range line.decision.Assets {
		rows = append(rows, []string{"price", markText(m)})
	}
	if line.decision.Benchmark != nil {
		rows = append(rows, []string{"benchmark", markText(*line.decision.Benchmark)})
	}
	rows = append(rows, []string{"thesis", line.Thesis}, []string{"what would disprove it", line.Disproof})
	if line.Confidence != nil {
		rows = append(rows, []string{"confidence", line.Confidence.Shift(2).String() + " %"})
	}
	if line.Outcome != "" {
		rows = append(rows, []string{"outcome", line.Outcome})
	}
	return toolkit.MarkdownTable([]string{"decision", fmt.Sprintf("%s %s", line.Decision, joinSymbols(line.decision))}, rows) + "\n"
}

func (line decisionLine) state() string {
	switch {
	case line.Closed != "":
		return "closed " + line.Closed
	case line.Due:
		return "DUE since " + line.ReviewOn
	case line.ReviewOn != "":
		return "review " + line.ReviewOn
	}
	return "open"
}

func decisionMarks(d investor.Decision) string {
	m := d.Assets[0]
	if !m.Price.Valid {
		return ""
	}
	return m.Price.Decimal.String() + " " + currencyOr(m.Currency)
}

func (line decisionLine) figures() []tool.Figure {
	var out []tool.Figure
	marks := line.decision.Assets
	if line.decision.Benchmark != nil {
		marks = append(slices.Clone(marks), *line.decision.Benchmark)
	}
	for _, m := range marks {
		if m.Price.Valid {
			out = append(out, tool.Figure{
				ID: fmt.Sprintf("%s.%s.price", line.ID, m.Symbol), Label: fmt.Sprintf("%s at the decision of %s", m.Symbol, line.Date),
				Value: m.Price.Decimal, Unit: currencyOr(m.Currency), AsOf: m.AsOf, Source: m.Source,
			})
		}
	}
	if line.Confidence != nil {
		out = append(out, tool.Figure{
			ID: line.ID + ".confidence", Label: "confidence of the decision of " + line.Date, Value: *line.Confidence, Unit: "probability",
			AsOf: line.decision.Date, Source: decisionSource,
		})
	}
	return out
}
