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
	}{{investor.Above, in.above}, {investor.Below, in.below}} {
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
	answer := struct {
		Removed market.Symbol `json:"removed"`
		Left    int           `json:"left"`
	}{have.Symbol, len(remaining)}
	return tool.Result{
		Value: answer, ForUser: fmt.Sprintf("Removed %s; %d left on the watchlist.\n", have.Symbol, len(remaining)),
		Title: string(have.Symbol), Summary: "removed from the watchlist",
	}, nil
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
