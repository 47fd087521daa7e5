package advice

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// checkupAnswer has no amount: numbers are fractions, counts and ratios.
type checkupAnswer struct {
	AsOf      string                  `json:"as_of"`
	Currency  string                  `json:"currency"`
	Accounts  []string                `json:"accounts"`
	Failed    int                     `json:"failed"`
	Passed    int                     `json:"passed"`
	NotJudged int                     `json:"not_judged"`
	Rows      []rebalance.CheckResult `json:"rules"`
	// Notes is never null: none is an answer too.
	Notes   []string `json:"notes"`
	Hidden  string   `json:"amounts,omitempty"`
	Note    string   `json:"note"`
	Sources origins  `json:"sources"`

	day market.Date
}

// caution belongs to every result.
const caution = "Standard thresholds are conventions and know nothing of you. Facts about the book, not advice"

func newCheckupAnswer(o positions.Portfolio, v positions.Valuation, rows []rebalance.CheckResult, profile investorProfile) checkupAnswer {
	a := checkupAnswer{
		AsOf: toolkit.FormatDate(v.Day), Currency: v.Base, Accounts: v.Accounts, Rows: rows, Notes: append([]string{}, o.LaterWarnings...), Note: caution,
		Failed: rebalance.CountOutcome(rows, rebalance.Fail), Passed: rebalance.CountOutcome(rows, rebalance.Pass), NotJudged: rebalance.CountOutcome(rows, rebalance.NotJudged),
		day: v.AsOf, Sources: valuationOrigins(v),
	}
	if profile.Note != "" {
		a.Notes = append(a.Notes, profile.Note)
	}
	if loud := a.Sources.flagText(); loud != "" {
		a.Notes = append(a.Notes, loud+": the prices are not those of the market now")
	}
	return a
}

func (a checkupAnswer) result(hide bool) (tool.Result, error) {
	model := a
	if hide {
		model.Hidden = toolkit.AmountsHiddenNote
	}
	text, err := toolkit.EncodeResult(model)
	if err != nil {
		return tool.Result{}, err
	}
	summary := fmt.Sprintf("%d fail, %d pass, %d not judged", a.Failed, a.Passed, a.NotJudged)
	return tool.Result{
		Value: a, ForModel: text, ForUser: a.markdown(summary), Figures: a.figures(),
		Title: toolkit.Abbreviate("checkup · " + a.AsOf), Summary: strings.TrimSpace(summary + " " + a.Sources.flagText()),
	}, nil
}

// formatMeasure is a number of a rule as people read it.
func formatMeasure(n decimal.NullDecimal, unit string) string {
	switch {
	case !n.Valid:
		return absentMeasure
	case unit == rebalance.UnitFraction:
		return formatPercent(n.Decimal)
	}
	return n.Decimal.Round(3).String()
}

const absentMeasure = "–"

func (a checkupAnswer) markdown(summary string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**Checkup** of the book in %s on %s: %s\n\n", a.Currency, a.AsOf, summary)
	rows := make([][]string, len(a.Rows))
	for i, r := range a.Rows {
		threshold := absentMeasure
		if r.Threshold.Valid {
			threshold = string(r.Bound) + " " + formatMeasure(r.Threshold, r.Unit)
		}
		outcome := string(r.Outcome)
		if r.Outcome == rebalance.Fail {
			outcome = "**FAIL**"
		}
		rows[i] = []string{r.Measures, formatMeasure(r.Number, r.Unit), threshold, outcome}
	}
	b.WriteString(toolkit.MarkdownTable([]string{"rule", "value:", "threshold:", "result"}, rows))
	b.WriteString(a.outcomeSection("What fails", rebalance.Fail, func(r rebalance.CheckResult) string {
		return joinSentences(r.Meaning, "("+strings.Join(r.Inputs, "; ")+")", "Threshold: "+r.Reason+".")
	}))
	b.WriteString(a.outcomeSection("Not judged", rebalance.NotJudged, func(r rebalance.CheckResult) string {
		if r.Fix == "" {
			return r.Missing
		}
		return r.Missing + "; " + r.Fix
	}))
	for _, n := range a.Notes {
		b.WriteString("\n! " + toolkit.TableCell(n) + "\n")
	}
	fmt.Fprintf(&b, "\n%s\n\n%s.\n", a.Sources.footers(), a.Note)
	return b.String()
}

// outcomeSection lists what there is to say of the rules of an outcome.
func (a checkupAnswer) outcomeSection(heading string, o rebalance.Outcome, text func(rebalance.CheckResult) string) string {
	var b strings.Builder
	for _, r := range a.Rows {
		if r.Outcome == o {
			fmt.Fprintf(&b, "- %s: %s\n", r.Measures, toolkit.TableCell(text(r)))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n**" + heading + "**\n\n" + b.String()
}

// joinSentences writes sentences one after the other; empty ones are left out.
func joinSentences(parts ...string) string {
	var sentences []string
	for _, p := range parts {
		if p != "" && p != "()" {
			sentences = append(sentences, p)
		}
	}
	return strings.Join(sentences, " ")
}

// figures are the numbers of the rules, and the thresholds.
func (a checkupAnswer) figures() []tool.Figure {
	var out []tool.Figure
	for _, r := range a.Rows {
		add := func(suffix, label string, n decimal.NullDecimal, formula string, inputs []string) {
			if !n.Valid {
				return
			}
			f := tool.Figure{ID: string(r.Rule) + suffix, Label: label, Value: n.Decimal, Unit: r.Unit, AsOf: a.day, Source: a.Sources.source(), Formula: formula, Inputs: inputs}
			if r.Unit == rebalance.UnitFraction {
				f.Value, f.Unit = n.Decimal.Shift(2).Round(4), "%"
			}
			out = append(out, f)
		}
		add("", r.Measures, r.Number, r.Formula, r.Inputs)
		add("_threshold", r.Measures+", "+string(r.Bound), r.Threshold, r.Reason, nil)
	}
	for _, c := range []struct {
		o rebalance.Outcome
		n int
	}{{rebalance.Fail, a.Failed}, {rebalance.Pass, a.Passed}, {rebalance.NotJudged, a.NotJudged}} {
		out = append(out, tool.Figure{
			ID: strings.ReplaceAll(string(c.o), " ", "_"), Label: "rules: " + string(c.o), Value: decimal.NewFromInt(int64(c.n)), Unit: "rules", AsOf: a.day, Source: a.Sources.source(), Formula: "count",
		})
	}
	return out
}
