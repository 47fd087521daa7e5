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

// checkupAnswer is the result of the checkup. It has no amounts: its numbers are fractions, counts and
// ratios.
type checkupAnswer struct {
	AsOf      string                  `json:"as_of"`
	Currency  string                  `json:"currency"`
	Accounts  []string                `json:"accounts"`
	Failed    int                     `json:"failed" label:"failed" unit:"checks" key:"1"`
	Passed    int                     `json:"passed" label:"passed" unit:"checks" key:"2"`
	NotJudged int                     `json:"not_judged" label:"not checked" unit:"checks" key:"3"`
	Rows      []rebalance.CheckResult `json:"rules"`
	Warnings  toolkit.Notes           `json:"warnings"`
	Notes     toolkit.BackgroundNotes `json:"notes"`
	Note      string                  `json:"note"`
	Sources   []toolkit.NamedOrigin   `json:"sources"`

	day market.Date
}

// caution is part of every result.
const caution = "The default thresholds are conventions that ignore your situation. These are facts about the portfolio, not advice"

func newCheckupAnswer(o positions.Portfolio, v positions.Valuation, rows []rebalance.CheckResult, profile investorProfile) checkupAnswer {
	a := checkupAnswer{
		AsOf: toolkit.FormatDate(v.Day), Currency: v.Base, Accounts: v.Accounts, Rows: rows, Note: caution,
		Failed: rebalance.CountOutcome(rows, rebalance.Fail), Passed: rebalance.CountOutcome(rows, rebalance.Pass), NotJudged: rebalance.CountOutcome(rows, rebalance.NotJudged),
		day: v.AsOf, Sources: valuationOrigins(v),
	}
	a.Warnings.WarnEach("later_transactions", o.LaterWarnings...)
	warnOfFlags(&a.Warnings, a.Sources)
	a.Warnings.Note(tool.CodeNotice, "%s.", caution)
	if profile.Note != "" {
		a.Notes.Add("no_profile", "%s", profile.Note)
	}
	return a
}

// Headline implements [toolkit.Answer].
func (a checkupAnswer) Headline(lang string) string {
	worst := ""
	for _, r := range a.Rows {
		if r.Outcome == rebalance.Fail && r.Number.Valid && r.Threshold.Valid {
			worst = fmt.Sprintf("%s %s, %s %s", r.Measures, formatMeasure(r.Number, r.Unit), r.Bound, formatMeasure(r.Threshold, r.Unit))
			break
		}
	}
	if lang == "zh" {
		return fmt.Sprintf("%d 项检查中：%d 项未通过，%d 项通过，%d 项无法判断。", len(a.Rows), a.Failed, a.Passed, a.NotJudged)
	}
	if worst != "" {
		worst = " (" + worst + ")"
	}
	return fmt.Sprintf("Of %d checks, %d failed%s, %d passed and %d could not be performed.", len(a.Rows), a.Failed, worst, a.Passed, a.NotJudged)
}

// Title implements [toolkit.Titled].
func (a checkupAnswer) Title() string { return "checkup · " + a.AsOf + " · " + a.Currency }

// Summary implements [toolkit.Summarizer].
func (a checkupAnswer) Summary() string {
	return fmt.Sprintf("%d fail, %d pass, %d not checked", a.Failed, a.Passed, a.NotJudged)
}

// Explain implements [toolkit.Explainer].
func (a checkupAnswer) Explain(string) toolkit.Explanation { return figureOrigin(a.Sources, a.day) }

// formatMeasure formats the number of a rule.
func formatMeasure(n decimal.NullDecimal, unit string) string {
	if n.Valid && unit == rebalance.UnitFraction {
		return formatShare(n.Decimal)
	}
	return toolkit.Format(n, toolkit.Number, "")
}

// Tables implements [toolkit.Tabler]. The unit of a number depends on its rule.
func (a checkupAnswer) Tables() []toolkit.Table {
	out := toolkit.Table{Title: "Checks", Columns: []string{"check", "value:", "threshold:", "result"}}
	origin := figureOrigin(a.Sources, a.day)
	for i, r := range a.Rows {
		threshold := strings.TrimSpace(string(r.Bound) + " " + formatMeasure(r.Threshold, r.Unit))
		if !r.Threshold.Valid {
			threshold = toolkit.NotAvailable
		}
		out.Rows = append(out.Rows, []string{r.Measures, formatMeasure(r.Number, r.Unit), threshold, loudOutcome(string(r.Outcome))})
		for _, n := range []struct {
			field, label, formula string
			value                 decimal.NullDecimal
			inputs                []string
		}{{"number", r.Measures, r.Formula, r.Number, r.Inputs}, {"threshold", r.Measures + ", " + string(r.Bound), r.Reason, r.Threshold, nil}} {
			if !n.value.Valid {
				continue
			}
			f := tool.Figure{ID: fmt.Sprintf("rules.%d.%s", i, n.field), Label: n.label, Value: n.value.Decimal, Unit: r.Unit, AsOf: origin.AsOf, Source: origin.Source, Formula: n.formula, Inputs: n.inputs}
			out.Figures = append(out.Figures, inPercent(f))
		}
	}
	return []toolkit.Table{out}
}

// inPercent converts a fraction to percent.
func inPercent(f tool.Figure) tool.Figure {
	if f.Unit == rebalance.UnitFraction {
		f.Value, f.Unit = f.Value.Shift(2), "%"
	}
	return f
}

// loudOutcome returns an outcome for people. Failures stand out.
func loudOutcome(outcome string) string {
	switch outcome {
	case string(rebalance.Fail):
		return "**FAIL**"
	case string(rebalance.NotJudged):
		return "not checked"
	}
	return outcome
}

// Text implements [toolkit.Texter]: what each failure means, and what each unjudged rule needs.
func (a checkupAnswer) Text() string {
	return a.outcomeSection("Failed", rebalance.Fail, func(r rebalance.CheckResult) string {
		inputs := ""
		if len(r.Inputs) > 0 {
			inputs = "(" + strings.Join(r.Inputs, "; ") + ")"
		}
		return strings.Join([]string{r.Meaning, inputs, "Threshold: " + r.Reason + "."}, " ")
	}) + a.outcomeSection("Not checked", rebalance.NotJudged, func(r rebalance.CheckResult) string {
		return strings.TrimSuffix(r.Missing+"; "+r.Fix, "; ")
	})
}

// outcomeSection lists texts for all rules with an outcome.
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
	return "**" + heading + "**\n\n" + b.String() + "\n"
}
