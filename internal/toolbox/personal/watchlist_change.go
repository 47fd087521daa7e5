package personal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/act"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// readyAdd makes a symbol ready to be watched, or what is new of one that is. It is
// priced first: one that nobody knows is refused with what could be meant.
func (w *watchlist) readyAdd(ctx context.Context, in watchlistInput) act.Act {
	if err := act.Writable(w.Prices); err != nil {
		return act.Refusing(err)
	}
	q, err := w.Find(ctx, in.Symbol)
	if err != nil {
		return act.Refusing(err)
	}
	have, there, err := w.watched(ctx, q.Symbol)
	if err != nil {
		return act.Refusing(err)
	}
	after := have
	after.Targets = slices.Clone(have.Targets)
	if in.Note != "" {
		after.Note = in.Note
	}
	for _, t := range []struct {
		side  journal.Side
		price json.Number
	}{{journal.Above, in.above}, {journal.Below, in.below}} {
		if t.price == "" {
			continue
		}
		target, err := targetOf(t.side, t.price, in.Currency, q)
		if err != nil {
			return act.Refusing(err)
		}
		after.Targets = append(slices.DeleteFunc(after.Targets, func(o journal.Target) bool { return o.Side == t.side }), target)
	}
	if err := after.Validate(); err != nil {
		return act.Refusing(act.Invalid(err))
	}
	return w.changing(have, after, there, &q)
}

// targetOf is a target in the currency of the price, since in another it would never
// be judged. Of an index it is in points.
func targetOf(side journal.Side, text json.Number, currency string, q market.Quote) (journal.Target, error) {
	price, err := question.Exact(string(side), text)
	if err != nil {
		return journal.Target{}, act.Invalid(err)
	}
	code, err := question.Currency(currency)
	if err != nil {
		return journal.Target{}, act.Invalid(err)
	}
	of := q.Provenance.Currency
	switch {
	case of == "" && q.Kind != "index":
		return journal.Target{}, act.Invalidf("in which currency %s is priced is not known, and a target needs it; watch it without a target", q.Symbol)
	case of == "" && code != "":
		return journal.Target{}, act.Invalidf("%s is an index and has no currency; give the target in points, without one", q.Symbol)
	case code != "" && code != of:
		return journal.Target{}, act.Invalidf("%s is priced in %s; give the target in %s", q.Symbol, of, of)
	}
	return journal.Target{Side: side, Price: price, Currency: of}, nil
}

// changing is the act that makes after of before. there tells whether it is watched
// already; q is its price, nil where nobody asked for one.
func (w *watchlist) changing(before, after journal.Watch, there bool, q *market.Quote) act.Act {
	plan := changePlan(before, after, there)
	if len(plan) == 0 {
		return act.Reading(func(ctx context.Context) (tool.Result, error) { return w.show(ctx, string(after.Symbol)) })
	}
	if q != nil {
		plan = append(plan, w.reached(after, *q)...)
	}
	a := act.Act{Plan: plan, Run: func(ctx context.Context) (tool.Result, error) { return w.put(ctx, before, after, there) }}
	if !there {
		a.Standing = "add"
	}
	return a
}

// put keeps what the user was shown, where the watch still is what they saw.
func (w *watchlist) put(ctx context.Context, before, after journal.Watch, there bool) (tool.Result, error) {
	w.saving.Lock()
	defer w.saving.Unlock()
	if err := w.unchanged(ctx, before, there); err != nil {
		return act.Refusal(err)
	}
	if err := w.Watchlist.PutWatch(ctx, after); err != nil {
		return tool.Result{}, fmt.Errorf("watching %s: %w", after.Symbol, err)
	}
	return w.show(ctx, string(after.Symbol))
}

// remove takes a watch away, where it still is what the user saw.
func (w *watchlist) remove(ctx context.Context, have journal.Watch) (tool.Result, error) {
	w.saving.Lock()
	defer w.saving.Unlock()
	if err := w.unchanged(ctx, have, true); err != nil {
		return act.Refusal(err)
	}
	err := w.Watchlist.RemoveWatch(ctx, have.Symbol)
	if err != nil && !errors.Is(err, journal.ErrNotFound) {
		return tool.Result{}, fmt.Errorf("removing %s from the watchlist: %w", have.Symbol, err)
	}
	left, err := w.watches(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	gone := struct {
		Removed market.Symbol `json:"removed"`
		Left    int           `json:"left"`
	}{have.Symbol, len(left)}
	return tool.Result{
		Value: gone, ForUser: fmt.Sprintf("Removed %s; %d left on the watchlist.\n", have.Symbol, len(left)),
		Title: string(have.Symbol), Summary: "removed from the watchlist",
	}, nil
}

func (w *watchlist) unchanged(ctx context.Context, before journal.Watch, there bool) error {
	now, ok, err := w.watched(ctx, before.Symbol)
	switch {
	case err != nil:
		return err
	case ok != there || ok && (now.Note != before.Note || !slices.EqualFunc(now.Targets, before.Targets, sameTarget)):
		return act.Invalidf("%s was changed on the watchlist meanwhile; ask again", before.Symbol)
	}
	return nil
}

func sameTarget(a, b journal.Target) bool {
	return a.Side == b.Side && a.Currency == b.Currency && a.Price.Equal(b.Price)
}
