package advice

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

func (a reviewAnswer) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "**Review of the journal**, %s: %s\n\n", a.Day, a.Summary.Says)
	if a.Summary.MeanEdgePct != nil {
		fmt.Fprintf(&b, "Mean edge over the benchmark: %s %% per decision\n\n", toolkit.FormatSigned(*a.Summary.MeanEdgePct, 2))
	}
	if a.Summary.Brier != nil {
		fmt.Fprintf(&b, "Brier score of your confidence: %s over %d (0 is perfect, 0.25 is a coin)\n\n", a.Summary.Brier, a.Summary.Confidents)
	}
	var rows [][]string
	for _, line := range a.Scores {
		rows = append(rows, line.row())
	}
	b.WriteString(toolkit.MarkdownTable([]string{"date", "decision", "days:", "return:", "benchmark:", "edge:", "result", "state", "id"}, rows) + "\n")
	b.WriteString(a.openTexts())
	for _, line := range a.Scores {
		if line.Right == nil && len(line.Notes) > 0 {
			fmt.Fprintf(&b, "! %s: %s\n\n", line.ID, toolkit.TableCell(strings.Join(line.Notes, "; ")))
		}
	}
	var prices []toolkit.NamedOrigin
	for _, p := range a.Prices {
		prices = append(prices, toolkit.NamedOrigin{Name: string(p.Symbol), Origin: p.Origin})
	}
	b.WriteString(strings.Join(append(toolkit.OriginFooters(prices), a.Footer()), "\n\n") + "\n")
	return b.String()
}

// openTexts are thesis and disproof of what is to be looked at now.
func (a reviewAnswer) openTexts() string {
	var b strings.Builder
	for _, line := range a.Scores {
		if line.Disproof == "" {
			continue
		}
		due := ""
		if line.Due {
			due = ", due since " + line.ReviewOn
		}
		fmt.Fprintf(&b, "**%s %s** of %s%s (`%s`)\n\n", line.Decision, joinSymbols(line.decision), line.Date, due, line.ID)
		fmt.Fprintf(&b, "- thesis: %s\n- what would disprove it: %s\n", collapseSpace(line.Thesis), collapseSpace(line.Disproof))
		if line.Outcome != "" {
			fmt.Fprintf(&b, "- outcome: %s\n", collapseSpace(line.Outcome))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func (line scoreLine) row() []string {
	result := ""
	if line.Right != nil {
		result = map[bool]string{true: "right", false: "wrong"}[*line.Right]
	}
	if line.Right == nil && line.EdgePct != nil && line.EdgePct.IsZero() {
		result = "even"
	}
	state := "open"
	switch {
	case line.Closed != "":
		state = "closed " + line.Closed
	case line.Due:
		state = "DUE"
	}
	benchmark := signedOrAbsent(line.BenchmarkPct)
	if line.Benchmark != "" {
		benchmark = strings.TrimSpace(benchmark + " " + string(line.Benchmark))
	}
	return []string{
		line.Date, fmt.Sprintf("%s %s", line.Decision, joinSymbols(line.decision)), fmt.Sprint(line.Days), signedOrAbsent(line.ReturnPct), benchmark,
		signedOrAbsent(line.EdgePct), result, state, line.ID,
	}
}

func signedOrAbsent(pct *decimal.Decimal) string {
	if pct == nil {
		return ""
	}
	return toolkit.FormatSigned(*pct, 2) + " %"
}
