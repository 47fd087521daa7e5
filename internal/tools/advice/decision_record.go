package advice

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

const (
	noBenchmark = "none"
	// maxMarkAge is how old a price may be to stand for the day of a decision.
	maxMarkAge  = 14 * 24 * time.Hour
	statedPrice = "the user"
)

// planRecord makes a decision ready to be kept, with the prices of its day.
func (j *journalTool) planRecord(ctx context.Context, in decisionInput) toolkit.MutationPlan {
	if err := toolkit.CheckWritable(j.Prices); err != nil {
		return toolkit.RefusedPlan(err)
	}
	if err := in.checkRecord(); err != nil {
		return toolkit.RefusedPlan(err)
	}
	d, err := in.decision(j.Today())
	if err != nil {
		return toolkit.RefusedPlan(err)
	}
	prices := j.At(d.Date)
	var remarks []string
	for i, text := range toolkit.ParseSymbols(in.Symbols, in.Symbol) {
		mark, err := priceMark(ctx, prices, text)
		if err == nil && i == 0 && in.price != "" {
			mark, err = in.applyStatedPrice(ctx, prices, mark, d.Date)
		}
		if err != nil {
			return toolkit.RefusedPlan(err)
		}
		d.Assets, remarks = append(d.Assets, mark.PricedAsset), append(remarks, mark.notes...)
	}
	against, remark, err := j.benchmarkMark(ctx, prices, in, d)
	if err != nil {
		return toolkit.RefusedPlan(err)
	}
	d.Benchmark, remarks = against, append(remarks, remark...)
	if d.ID, err = j.NewID(); err != nil {
		return toolkit.RefusedPlan(fmt.Errorf("naming the decision: %w", err))
	}
	if err := d.Validate(); err != nil {
		return toolkit.RefusedPlan(toolkit.InvalidArgs(err))
	}
	return toolkit.MutationPlan{
		Changes: append(recordPlan(d), remarks...), ApprovalKey: "record",
		Run: func(ctx context.Context) (tool.Result, error) { return j.saveDecision(ctx, d, remarks) },
	}
}

// checkRecord asks for what a decision is nothing without.
func (in decisionInput) checkRecord() error {
	switch {
	case len(toolkit.ParseSymbols(in.Symbols, in.Symbol)) == 0:
		return toolkit.InvalidArgsf("no symbol: say what the decision is about")
	case !slices.Contains(investor.DecisionActions(), investor.DecisionAction(in.Decision)):
		return toolkit.InvalidArgsf("decision %.40q: give buy, sell, hold, avoid or other", in.Decision)
	case strings.TrimSpace(in.Thesis) == "":
		return toolkit.InvalidArgsf("no thesis: why it was decided, in the words of who decided")
	case strings.TrimSpace(in.Disproof) == "":
		return toolkit.InvalidArgsf(`no disproof: "what would disprove it?", in the words of who decided`)
	case in.Currency != "" && in.price == "":
		return toolkit.InvalidArgsf("currency is that of price, and none is given")
	}
	return nil
}

// decision is what a call says by itself.
func (in decisionInput) decision(today market.Date) (investor.Decision, error) {
	d := investor.Decision{Date: today, Action: investor.DecisionAction(in.Decision), Thesis: strings.TrimSpace(in.Thesis), Invalidation: strings.TrimSpace(in.Disproof)}
	var err error
	if in.Date != "" {
		if d.Date, err = toolkit.ParseDay("date", in.Date); err != nil {
			return d, toolkit.InvalidArgs(err)
		}
		if d.Date.After(today) {
			return d, toolkit.InvalidArgsf("date %s is still to come", toolkit.FormatDate(d.Date))
		}
	}
	if in.ReviewOn != "" {
		if d.ReviewOn, err = toolkit.ParseDay("review_on", in.ReviewOn); err != nil {
			return d, toolkit.InvalidArgs(err)
		}
		if !d.ReviewOn.After(today) {
			return d, toolkit.InvalidArgsf("review_on %s is not after today, %s", toolkit.FormatDate(d.ReviewOn), toolkit.FormatDate(today))
		}
	}
	if in.confidence != "" {
		sure, err := toolkit.ParseExact("confidence", in.confidence)
		if err != nil {
			return d, toolkit.InvalidArgs(err)
		}
		d.Confidence = decimal.NewNullDecimal(sure)
	}
	return d, nil
}

// recordPlan says what would be written.
func recordPlan(d investor.Decision) []string {
	plan := []string{fmt.Sprintf("records the decision of %s: %s %s", toolkit.FormatDate(d.Date), d.Action, joinSymbols(d))}
	for _, m := range d.Assets {
		plan = append(plan, "  price: "+markText(m))
	}
	if d.Benchmark != nil {
		plan = append(plan, "  benchmark: "+markText(*d.Benchmark))
	}
	plan = append(plan, "  thesis: "+collapseSpace(d.Thesis), "  disproof: "+collapseSpace(d.Invalidation))
	if d.Confidence.Valid {
		plan = append(plan, "  confidence: "+d.Confidence.Decimal.Shift(2).String()+" %")
	}
	if !d.ReviewOn.IsZero() {
		plan = append(plan, "  review on "+toolkit.FormatDate(d.ReviewOn))
	}
	return plan
}

func markText(m investor.PricedAsset) string {
	if !m.Price.Valid {
		return fmt.Sprintf("%s, price not known", m.Symbol)
	}
	return fmt.Sprintf("%s %s %s, %s, %s", m.Symbol, m.Price.Decimal, currencyOr(m.Currency), toolkit.FormatDate(m.AsOf), m.Source)
}

func currencyOr(code string) string {
	if code == "" {
		return "points"
	}
	return code
}

// collapseSpace is all of a text on one line: what is approved is seen whole.
func collapseSpace(text string) string { return strings.Join(strings.Fields(text), " ") }

// saveDecision writes the decision that the user saw.
func (j *journalTool) saveDecision(ctx context.Context, d investor.Decision, remarks []string) (tool.Result, error) {
	j.saving.Lock()
	defer j.saving.Unlock()
	all, err := j.Journal.Decisions(ctx)
	if err != nil {
		return tool.Result{}, fmt.Errorf("loading the journal: %w", err)
	}
	if slices.ContainsFunc(all, func(o investor.Decision) bool { return o.ID == d.ID }) {
		return tool.Result{}, fmt.Errorf("recording the decision: the id %s is taken", d.ID)
	}
	if err := j.Journal.PutDecision(ctx, d); err != nil {
		return tool.Result{}, fmt.Errorf("recording the decision: %w", err)
	}
	return j.listResult([]investor.Decision{d}, listOptions{full: true, title: "decision recorded", remarks: remarks})
}
