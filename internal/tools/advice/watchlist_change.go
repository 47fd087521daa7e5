package advice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// planAdd prepares watching a symbol or changing a watch. An unknown symbol is refused with
// suggestions. Only targets need a price: they are in its currency.
func (w *watchlistTool) planAdd(ctx context.Context, in watchlistInput) toolkit.MutationPlan {
	if err := toolkit.CheckWritable(w.Prices); err != nil {
		return toolkit.RefusedPlan(err)
	}
	sym, q, err := w.findSymbol(ctx, in)
	if err != nil {
		return toolkit.RefusedPlan(err)
	}
	have, exists, err := w.loadWatch(ctx, sym)
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
		target, err := parseTarget(t.side, t.price, in.Currency, *q)
		if err != nil {
			return toolkit.RefusedPlan(err)
		}
		after.Targets = append(slices.DeleteFunc(after.Targets, func(o investor.PriceTarget) bool { return o.Side == t.side }), target)
	}
	if err := after.Validate(); err != nil {
		return toolkit.RefusedPlan(toolkit.InvalidArgs(err))
	}
	return w.planChange(have, after, exists, q)
}

// findSymbol returns the symbol to watch, with its price if there are targets. Without targets, a
// symbol that is not in the directory is looked up, but it may be added if no source responds.
func (w *watchlistTool) findSymbol(ctx context.Context, in watchlistInput) (market.Symbol, *market.Quote, error) {
	if in.Above == "" && in.Below == "" {
		sym, err := toolkit.ResolveSymbol(ctx, w.Directory, in.Symbol)
		if err != nil {
			return "", nil, err
		}
		listed, err := w.Directory.Instruments(ctx)
		if err == nil && slices.ContainsFunc(listed, func(i market.Instrument) bool { return i.Symbol == sym }) {
			return sym, nil, nil
		}
		if _, err := w.FindPrice(ctx, in.Symbol); err != nil && !errors.Is(err, market.ErrUnavailable) {
			return "", nil, err
		}
		return sym, nil, nil
	}
	q, err := w.FindPrice(ctx, in.Symbol)
	return q.Symbol, &q, err
}

// parseTarget returns a target in the currency of the price, because a target in another currency
// can never be judged. For an index it is in points.
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
		return investor.PriceTarget{}, toolkit.InvalidArgsf("the currency of %s is unknown, so it cannot have a target; add it without a target", q.Symbol)
	case unit == "" && code != "":
		return investor.PriceTarget{}, toolkit.InvalidArgsf("%s is an index; give the target in points, without a currency", q.Symbol)
	case code != "" && code != unit:
		return investor.PriceTarget{}, toolkit.InvalidArgsf("%s is priced in %s; give the target in %s", q.Symbol, unit, unit)
	}
	return investor.PriceTarget{Side: side, Price: price, Currency: unit}, nil
}

// planChange returns the plan that changes before to after. exists is true if the symbol is already
// watched. q is its price, nil if it was not fetched.
func (w *watchlistTool) planChange(before, after investor.WatchedSymbol, exists bool, q *market.Quote) toolkit.MutationPlan {
	plan := watchPlan(before, after, exists)
	if len(plan) == 0 {
		return toolkit.ReadOnlyPlan(func(ctx context.Context) (tool.Result, error) { return w.showResult(ctx, string(after.Symbol)) })
	}
	if w.SyncTargets != nil {
		for _, rule := range targetRules(after) {
			if !slices.Contains(targetRules(before), rule) {
				plan = append(plan, "adds the alert rule: "+rule)
			}
		}
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

// saveWatch saves the previewed watch if it is still as previewed.
func (w *watchlistTool) saveWatch(ctx context.Context, before, after investor.WatchedSymbol, exists bool) (tool.Result, error) {
	w.saving.Lock()
	defer w.saving.Unlock()
	if err := w.checkUnchanged(ctx, before, exists); err != nil {
		return toolkit.RefusalResult(err)
	}
	if err := w.Watchlist.PutWatch(ctx, after); err != nil {
		return tool.Result{}, fmt.Errorf("watch %s: %w", after.Symbol, err)
	}
	if err := w.syncTargets(ctx, before, after); err != nil {
		return tool.Result{}, fmt.Errorf("alert rules for %s: %w", after.Symbol, err)
	}
	if len(after.Targets) > 0 {
		a, err := w.answer(ctx, []investor.WatchedSymbol{after})
		if err != nil {
			return tool.Result{}, err
		}
		a.Saved = savedTargets(after)
		return toolkit.Render(a), nil
	}
	all, err := w.loadWatches(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	return toolkit.Render(savedWatch{after.Symbol, toolkit.OwnWords(after.Note), len(all)}), nil
}

func (w *watchlistTool) syncTargets(ctx context.Context, before, after investor.WatchedSymbol) error {
	if w.SyncTargets == nil {
		return nil
	}
	return w.SyncTargets(ctx, before, after)
}

// savedWatch is the answer for a watch without targets, which needs no price.
type savedWatch struct {
	Symbol market.Symbol    `json:"symbol"`
	Note   toolkit.OwnWords `json:"watch_note,omitempty"`
	Count  int              `json:"count"`
}

// Headline implements [toolkit.Answer].
func (a savedWatch) Headline(lang string) string {
	if lang == "zh" {
		return fmt.Sprintf("%s 已在自选股中，共 %d 个。", a.Symbol, a.Count)
	}
	return fmt.Sprintf("%s is on your watchlist (%s).", a.Symbol, humanize.Count(a.Count, "symbol", "symbols"))
}

// removeWatch removes a watch if it is still as previewed.
func (w *watchlistTool) removeWatch(ctx context.Context, have investor.WatchedSymbol) (tool.Result, error) {
	w.saving.Lock()
	defer w.saving.Unlock()
	if err := w.checkUnchanged(ctx, have, true); err != nil {
		return toolkit.RefusalResult(err)
	}
	err := w.Watchlist.RemoveWatch(ctx, have.Symbol)
	if err != nil && !errors.Is(err, investor.ErrEntryNotFound) {
		return tool.Result{}, fmt.Errorf("remove %s from the watchlist: %w", have.Symbol, err)
	}
	if err := w.syncTargets(ctx, have, investor.WatchedSymbol{Symbol: have.Symbol}); err != nil {
		return tool.Result{}, fmt.Errorf("alert rules for %s: %w", have.Symbol, err)
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
	case ok != exists || ok && !sameEntry(current, before):
		return toolkit.InvalidArgsf("%s has changed on the watchlist since the preview; call again", before.Symbol)
	}
	return nil
}

// watchPlan describes what will be saved, one line each; empty if nothing changes.
func watchPlan(before, after investor.WatchedSymbol, exists bool) []string {
	var plan []string
	if !exists {
		plan = append(plan, fmt.Sprintf("adds %s to the watchlist on %s", after.Symbol, toolkit.FormatDate(after.Added)))
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
			text = joinParts(text, t.Price.String()+" "+currencyOr(t.Currency))
		}
	}
	return text
}

// savedTargets names the targets of a watch: "AAPL below 120 USD, above 200 USD".
func savedTargets(w investor.WatchedSymbol) string {
	targets := make([]string, len(w.Targets))
	for i, t := range w.Targets {
		targets[i] = t.Describe()
	}
	return string(w.Symbol) + " " + strings.Join(targets, ", ")
}

func textOrNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}

// reachedWarnings names targets that are reached before they are saved, because above and below may
// be swapped.
func (w *watchlistTool) reachedWarnings(after investor.WatchedSymbol, q market.Quote) []string {
	checks, err := investor.CheckTargets(after, q)
	if err != nil {
		return nil // the price is for another symbol
	}
	plan := []string{fmt.Sprintf("  current price %s %s, %s", q.Price, priceUnit(q.Provenance), toolkit.FormatDate(q.Provenance.AsOf))}
	for _, c := range checks {
		if c.Reached {
			plan = append(plan, fmt.Sprintf("  already reached: %s", c.Describe()))
		}
	}
	return plan
}
