package decision

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/act"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

const (
	noBenchmark = "none"
	// oldestPrice is how old a price may be to stand for the day of a decision.
	oldestPrice = 14 * 24 * time.Hour
	statedPrice = "the user"
)

// readyRecord makes a decision ready to be kept, with the prices of its day.
func (j *decisions) readyRecord(ctx context.Context, in decisionInput) act.Act {
	if err := act.Writable(j.Prices); err != nil {
		return act.Refusing(err)
	}
	if err := in.checkRecord(); err != nil {
		return act.Refusing(err)
	}
	d, err := in.decision(j.Today())
	if err != nil {
		return act.Refusing(err)
	}
	then := j.At(d.Date)
	var remarks []string
	for i, text := range question.Symbols(in.Symbols, in.Symbol) {
		mark, err := marked(ctx, then, text)
		if err == nil && i == 0 && in.price != "" {
			mark, err = in.stated(ctx, then, mark, d.Date)
		}
		if err != nil {
			return act.Refusing(err)
		}
		d.Marks, remarks = append(d.Marks, mark.Mark), append(remarks, mark.remarks...)
	}
	against, remark, err := j.benchmark(ctx, then, in, d)
	if err != nil {
		return act.Refusing(err)
	}
	d.Benchmark, remarks = against, append(remarks, remark...)
	if d.ID, err = j.NewID(); err != nil {
		return act.Refusing(fmt.Errorf("naming the decision: %w", err))
	}
	if err := d.Validate(); err != nil {
		return act.Refusing(act.Invalid(err))
	}
	return act.Act{
		Plan: append(recordPlan(d), remarks...), Standing: "record",
		Run: func(ctx context.Context) (tool.Result, error) { return j.keep(ctx, d, remarks) },
	}
}

// checkRecord asks for what a decision is nothing without.
func (in decisionInput) checkRecord() error {
	switch {
	case len(question.Symbols(in.Symbols, in.Symbol)) == 0:
		return act.Invalidf("no symbol: say what the decision is about")
	case !slices.Contains(journal.Actions(), journal.Action(in.Decision)):
		return act.Invalidf("decision %.40q: give buy, sell, hold, avoid or other", in.Decision)
	case strings.TrimSpace(in.Thesis) == "":
		return act.Invalidf("no thesis: why it was decided, in the words of who decided")
	case strings.TrimSpace(in.Disproof) == "":
		return act.Invalidf(`no disproof: "what would disprove it?", in the words of who decided`)
	case in.Currency != "" && in.price == "":
		return act.Invalidf("currency is that of price, and none is given")
	}
	return nil
}

// decision is what a call says by itself.
func (in decisionInput) decision(today market.Date) (journal.Decision, error) {
	d := journal.Decision{Date: today, Action: journal.Action(in.Decision), Thesis: strings.TrimSpace(in.Thesis), Disproof: strings.TrimSpace(in.Disproof)}
	var err error
	if in.Date != "" {
		if d.Date, err = question.Day("date", in.Date); err != nil {
			return d, act.Invalid(err)
		}
		if d.Date.After(today) {
			return d, act.Invalidf("date %s is still to come", present.Dated(d.Date))
		}
	}
	if in.ReviewOn != "" {
		if d.ReviewOn, err = question.Day("review_on", in.ReviewOn); err != nil {
			return d, act.Invalid(err)
		}
		if !d.ReviewOn.After(today) {
			return d, act.Invalidf("review_on %s is not after today, %s", present.Dated(d.ReviewOn), present.Dated(today))
		}
	}
	if in.confidence != "" {
		sure, err := question.Exact("confidence", in.confidence)
		if err != nil {
			return d, act.Invalid(err)
		}
		d.Confidence = decimal.NewNullDecimal(sure)
	}
	return d, nil
}

// recordPlan says what would be written.
func recordPlan(d journal.Decision) []string {
	plan := []string{fmt.Sprintf("records the decision of %s: %s %s", present.Dated(d.Date), d.Action, symbolsOf(d))}
	for _, m := range d.Marks {
		plan = append(plan, "  price: "+markText(m))
	}
	if d.Benchmark != nil {
		plan = append(plan, "  benchmark: "+markText(*d.Benchmark))
	}
	plan = append(plan, "  thesis: "+oneLine(d.Thesis), "  disproof: "+oneLine(d.Disproof))
	if d.Confidence.Valid {
		plan = append(plan, "  confidence: "+d.Confidence.Decimal.Shift(2).String()+" %")
	}
	if !d.ReviewOn.IsZero() {
		plan = append(plan, "  review on "+present.Dated(d.ReviewOn))
	}
	return plan
}

func markText(m journal.Mark) string {
	if !m.Price.Valid {
		return fmt.Sprintf("%s, price not known", m.Symbol)
	}
	return fmt.Sprintf("%s %s %s, %s, %s", m.Symbol, m.Price.Decimal, currencyOr(m.Currency), present.Dated(m.AsOf), m.Source)
}

func currencyOr(code string) string {
	if code == "" {
		return "points"
	}
	return code
}

// oneLine is all of a text on one line: what is approved is seen whole.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// keep writes the decision that the user saw.
func (j *decisions) keep(ctx context.Context, d journal.Decision, remarks []string) (tool.Result, error) {
	j.saving.Lock()
	defer j.saving.Unlock()
	all, err := j.Journal.Decisions(ctx)
	if err != nil {
		return tool.Result{}, fmt.Errorf("loading the journal: %w", err)
	}
	if slices.ContainsFunc(all, func(o journal.Decision) bool { return o.ID == d.ID }) {
		return tool.Result{}, fmt.Errorf("recording the decision: the id %s is taken", d.ID)
	}
	if err := j.Journal.PutDecision(ctx, d); err != nil {
		return tool.Result{}, fmt.Errorf("recording the decision: %w", err)
	}
	return j.shown([]journal.Decision{d}, listOptions{full: true, title: "decision recorded", remarks: remarks})
}
