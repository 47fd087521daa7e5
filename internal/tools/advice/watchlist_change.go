package advice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// planAdd makes a symbol ready to be watched, or what is new of one that is. It is
// priced first: one that nobody knows is refused with what could be meant.
func (w *watchlistTool) planAdd(ctx context.Context, in watchlistInput) toolkit.MutationPlan {
	if err := toolkit.CheckWritable(w.Prices); err != nil {
		return toolkit.RefusedPlan(err)
	}
	q, err := w.FindPrice(ctx, in.Symbol)
	if err != nil {
		return toolkit.RefusedPlan(err)
	}
	have, exists, err := w.loadWatch(ctx, q.Symbol)
	if err != nil {
		return toolkit.RefusedPlan(err)
	}
	after := have
	after.Targets = slices.Clone(have.Targets)
	if in.Note != "" {
		after.Note = in.Note
	}
	for _, t := range []struct {
		side  investor.TargetSide
		price json.Number
	}{{investor.Above, in.Above}, {investor.Below, in.Below}} {
		if t.price == "" {
			continue
		}
		target, err := parseTarget(t.side, t.price, in.Currency, q)
		if err != nil {
			return toolkit.RefusedPlan(err)
		}
		after.Targets = append(slices.DeleteFunc(after.Targets, func(o investor.PriceTarget) bool { return o.Side == t.side }), target)
	}
	if err := after.Validate(); err != nil {
		return toolkit.RefusedPlan(toolkit.InvalidArgs(err))
	}
	return w.planChange(have, after, exists, &q)
}

// parseTarget is a target in the currency of the price, since in another it would never
// be judged. Of an index it is in points.
func parseTarget(side investor.TargetSide, text json.Number, currency string, q market.Quote) (investor.PriceTarget, error) {
	price, err := toolkit.ParseExact(string(side), text)
	if err != nil {
		return investor.PriceTarget{}, toolkit.InvalidArgs(err)
	}
	code, err := toolkit.ParseCurrency(currency)
	if err != nil {
		return investor.PriceTarget{}, toolkit.InvalidArgs(err)
	}
	unit := q.Provenance.Currency
	switch {
	case unit == "" && q.Kind != "index":
		return investor.PriceTarget{}, toolkit.InvalidArgsf("in which currency %s is priced is not known, and a target needs it; watch it without a target", q.Symbol)
	case unit == "" && code != "":
		return investor.PriceTarget{}, toolkit.InvalidArgsf("%s is an index and has no currency; give the target in points, without one", q.Symbol)
	case code != "" && code != unit:
		return investor.PriceTarget{}, toolkit.InvalidArgsf("%s is priced in %s; give the target in %s", q.Symbol, unit, unit)
	}
	return investor.PriceTarget{Side: side, Price: price, Currency: unit}, nil
}

// planChange is the act that makes after of before. there tells whether it is watched
// already; q is its price, nil where nobody asked for one.
func (w *watchlistTool) planChange(before, after investor.WatchedSymbol, exists bool, q *market.Quote) toolkit.MutationPlan {
	plan := watchPlan(before, after, exists)
	if len(plan) == 0 {
		return toolkit.ReadOnlyPlan(func(ctx context.Context) (tool.Result, error) { return w.showResult(ctx, string(after.Symbol)) })
	}
	if q != nil {
		plan = append(plan, w.reachedWarnings(after, *q)...)
	}
	a := toolkit.MutationPlan{Changes: plan, Run: func(ctx context.Context) (tool.Result, error) { return w.saveWatch(ctx, before, after, exists) }}
	if !exists {
		a.ApprovalKey = "add"
	}
	return a
}

// saveWatch keeps what the user was shown, where the watch still is what they saw.
func (w *watchlistTool) saveWatch(ctx context.Context, before, after investor.WatchedSymbol, exists bool) (tool.Result, error) {
	w.saving.Lock()
	defer w.saving.Unlock()
	if err := w.checkUnchanged(ctx, before, exists); err != nil {
		return toolkit.RefusalResult(err)
	}
	if err := w.Watchlist.PutWatch(ctx, after); err != nil {
		return tool.Result{}, fmt.Errorf("watching %s: %w", after.Symbol, err)
	}
	return w.showResult(ctx, string(after.Symbol))
}

// removeWatch takes a watch away, where it still is what the user saw.
func (w *watchlistTool) removeWatch(ctx context.Context, have investor.WatchedSymbol) (tool.Result, error) {
	w.saving.Lock()
	defer w.saving.Unlock()
	if err := w.checkUnchanged(ctx, have, true); err != nil {
		return toolkit.RefusalResult(err)
	}
	err := w.Watchlist.RemoveWatch(ctx, have.Symbol)
	if err != nil && !errors.Is(err, investor.ErrEntryNotFound) {
		return tool.Result{}, fmt.Errorf("removing %s from the watchlist: %w", have.Symbol, err)
	}
	remaining, err := w.loadWatches(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	return toolkit.Render(removedWatch{have.Symbol, len(remaining)}), nil
}

type removedWatch struct {
	Removed market.Symbol `json:"removed"`
	Left    int           `json:"left"`
}

// Headline implements [toolkit.Answer].
func (a removedWatch) Headline(lang string) string {
	if lang == "zh" {
		return fmt.Sprintf("已从自选股移除 %s，还剩 %d 个。", a.Removed, a.Left)
	}
	return fmt.Sprintf("Removed %s; %d left on the watchlist.", a.Removed, a.Left)
}

func (w *watchlistTool) checkUnchanged(ctx context.Context, before investor.WatchedSymbol, exists bool) error {
	current, ok, err := w.loadWatch(ctx, before.Symbol)
	switch {
	case err != nil:
		return err
	case ok != exists || ok && (current.Note != before.Note || !slices.EqualFunc(current.Targets, before.Targets, sameTarget)):
		return toolkit.InvalidArgsf("%s was changed on the watchlist meanwhile; ask again", before.Symbol)
	}
	return nil
}

func sameTarget(a, b investor.PriceTarget) bool {
	return a.Side == b.Side && a.Currency == b.Currency && a.Price.Equal(b.Price)
}

// watchPlan says what would be written, a line for each thing; none where nothing
// is new.
func watchPlan(before, after investor.WatchedSymbol, exists bool) []string {
	var plan []string
	if !exists {
		plan = append(plan, fmt.Sprintf("watches %s from %s on", after.Symbol, toolkit.FormatDate(after.Added)))
	}
	for _, side := range []investor.TargetSide{investor.Above, investor.Below} {
		previous, current := targetsText(before, side), targetsText(after, side)
		if previous != current {
			plan = append(plan, fmt.Sprintf("%s: target %s: %s (was %s)", after.Symbol, side, textOrNothing(current), textOrNothing(previous)))
		}
	}
	if before.Note != after.Note {
		plan = append(plan, fmt.Sprintf("%s: note: %s (was %s)", after.Symbol, toolkit.Abbreviate(after.Note), textOrNothing(toolkit.Abbreviate(before.Note))))
	}
	return plan
}

func targetsText(w investor.WatchedSymbol, side investor.TargetSide) (text string) {
	for _, t := range w.Targets {
		if t.Side == side {
			text = joinParts(text, t.Price.String()+" "+targetUnit(t.Currency))
		}
	}
	return text
}

// targetUnit is what a target is counted in; without a currency it is of an index.
func targetUnit(currency string) string {
	if currency == "" {
		return "points"
	}
	return currency
}

func textOrNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}

// reachedWarnings says which targets the price has reached before they are kept: they may be
// meant the other way round.
func (w *watchlistTool) reachedWarnings(after investor.WatchedSymbol, q market.Quote) []string {
	checks, err := investor.CheckTargets(after, q)
	if err != nil {
		return nil // the price is of another symbol, and says nothing of this one
	}
	plan := []string{fmt.Sprintf("  it costs %s %s, %s", q.Price, priceUnit(q.Provenance), toolkit.FormatDate(q.Provenance.AsOf))}
	for _, c := range checks {
		if c.Reached {
			plan = append(plan, fmt.Sprintf("  %s is reached already", c.Describe()))
		}
	}
	return plan
}
