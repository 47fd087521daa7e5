package planning

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// Title implements [toolkit.Titled].
func (a backtestResult) Title() string {
	return fmt.Sprintf("%s · %s to %s", strings.ReplaceAll(a.Strategy, "_", " "), a.From, a.To)
}

// Explain implements [toolkit.Explainer].
func (a backtestResult) Explain(field string) toolkit.Explanation {
	e := toolkit.Explanation{Source: a.source, AsOf: a.asOf, Inputs: append([]string{fmt.Sprintf("%s, %s to %s", strings.Join(a.Symbols, ", "), a.From, a.To)}, a.Assumptions...)}
	switch field {
	case "result.total_return":
		e.Key = 1
	case "benchmark.total_return":
		e.Key = 2
	case "result.annual_return":
		e.Key = 3
	case "result.max_drawdown":
		e.Key = 4
	case "beta":
		e.Omit = a.Beta == nil
	}
	return e
}

// Headline implements [toolkit.Answer].
func (a backtestResult) Headline(lang string) string {
	rule, total, other := strings.ReplaceAll(a.Strategy, "_", " "), toolkit.Format(a.Result.Total, toolkit.Change, ""), toolkit.Format(a.Benchmark.Total, toolkit.Change, "")
	if lang == "zh" {
		return fmt.Sprintf("假设：%s 至 %s，%s 策略的总回报为 %s，基准（%s）为 %s。", a.From, a.To, rule, total, a.Benchmark.Name, other)
	}
	return fmt.Sprintf("Hypothetically, %s returned %s from %s to %s, against %s for %s.", rule, total, a.From, a.To, other, a.Benchmark.Name)
}

// Chart implements [toolkit.Charter].
func (a backtestResult) Chart() *chart.Spec { return a.chart }
