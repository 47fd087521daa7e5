package guidance

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/checkup"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// checkupAnswer has no amount: numbers are fractions, counts and ratios.
type checkupAnswer struct {
	AsOf      string        `json:"as_of"`
	Currency  string        `json:"currency"`
	Accounts  []string      `json:"accounts"`
	Failed    int           `json:"failed"`
	Passed    int           `json:"passed"`
	NotJudged int           `json:"not_judged"`
	Rows      []checkup.Row `json:"rules"`
	// Notes is never null: none is an answer too.
	Notes   []string `json:"notes"`
	Hidden  string   `json:"amounts,omitempty"`
	Note    string   `json:"note"`
	Sources origins  `json:"sources"`

	day market.Date
}

// caution belongs to every result.
const caution = "Standard thresholds are conventions and know nothing of you. Facts about the book, not advice"

func answerOf(o book.Opened, v book.Valuation, rows []checkup.Row, who person) checkupAnswer {
	a := checkupAnswer{
		AsOf: present.Dated(v.Day), Currency: v.Base, Accounts: v.Accounts, Rows: rows, Notes: append([]string{}, o.Ahead...), Note: caution,
		Failed: checkup.Count(rows, checkup.Fail), Passed: checkup.Count(rows, checkup.Pass), NotJudged: checkup.Count(rows, checkup.NotJudged),
		day: v.AsOf, Sources: originsOf(v),
	}
	if who.Note != "" {
		a.Notes = append(a.Notes, who.Note)
	}
	if loud := a.Sources.loud(); loud != "" {
		a.Notes = append(a.Notes, loud+": the prices are not those of the market now")
	}
	return a
}

func (a checkupAnswer) result(hide bool) (tool.Result, error) {
	model := a
	if hide {
		model.Hidden = present.AmountsHidden
	}
	text, err := present.Encoded(model)
	if err != nil {
		return tool.Result{}, err
	}
	summary := fmt.Sprintf("%d fail, %d pass, %d not judged", a.Failed, a.Passed, a.NotJudged)
	return tool.Result{
		Value: a, ForModel: text, ForUser: a.markdown(summary), Figures: a.figures(),
		Title: present.Abridged("checkup · " + a.AsOf), Summary: strings.TrimSpace(summary + " " + a.Sources.loud()),
	}, nil
}

// shown is a number of a rule as people read it.
func shown(n decimal.NullDecimal, unit string) string {
	switch {
	case !n.Valid:
		return absent
	case unit == checkup.Fraction:
		return percent(n.Decimal)
	}
	return n.Decimal.Round(3).String()
}

const absent = "–"

func (a checkupAnswer) markdown(summary string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**Checkup** of the book in %s on %s: %s\n\n", a.Currency, a.AsOf, summary)
	rows := make([][]string, len(a.Rows))
	for i, r := range a.Rows {
		threshold := absent
		if r.Threshold.Valid {
			threshold = string(r.Bound) + " " + shown(r.Threshold, r.Unit)
		}
		outcome := string(r.Outcome)
		if r.Outcome == checkup.Fail {
			outcome = "**FAIL**"
		}
		rows[i] = []string{r.Measures, shown(r.Number, r.Unit), threshold, outcome}
	}
	b.WriteString(present.Table([]string{"rule", "value:", "threshold:", "result"}, rows))
	b.WriteString(a.said("What fails", checkup.Fail, func(r checkup.Row) string {
		return join(r.Meaning, "("+strings.Join(r.Inputs, "; ")+")", "Threshold: "+r.Reason+".")
	}))
	b.WriteString(a.said("Not judged", checkup.NotJudged, func(r checkup.Row) string {
		if r.Mend == "" {
			return r.Missing
		}
		return r.Missing + "; " + r.Mend
	}))
	for _, n := range a.Notes {
		b.WriteString("\n! " + present.Cell(n) + "\n")
	}
	fmt.Fprintf(&b, "\n%s\n\n%s.\n", a.Sources.footers(), a.Note)
	return b.String()
}

// said lists what there is to say of the rules of an outcome.
func (a checkupAnswer) said(heading string, o checkup.Outcome, what func(checkup.Row) string) string {
	var b strings.Builder
	for _, r := range a.Rows {
		if r.Outcome == o {
			fmt.Fprintf(&b, "- %s: %s\n", r.Measures, present.Cell(what(r)))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n**" + heading + "**\n\n" + b.String()
}

// join writes sentences one after the other; empty ones are left out.
func join(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" && p != "()" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, " ")
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
			if r.Unit == checkup.Fraction {
				f.Value, f.Unit = n.Decimal.Shift(2).Round(4), "%"
			}
			out = append(out, f)
		}
		add("", r.Measures, r.Number, r.Formula, r.Inputs)
		add("_threshold", r.Measures+", "+string(r.Bound), r.Threshold, r.Reason, nil)
	}
	for _, c := range []struct {
		o checkup.Outcome
		n int
	}{{checkup.Fail, a.Failed}, {checkup.Pass, a.Passed}, {checkup.NotJudged, a.NotJudged}} {
		out = append(out, tool.Figure{
			ID: strings.ReplaceAll(string(c.o), " ", "_"), Label: "rules: " + string(c.o), Value: decimal.NewFromInt(int64(c.n)), Unit: "rules", AsOf: a.day, Source: a.Sources.source(), Formula: "count",
		})
	}
	return out
}
