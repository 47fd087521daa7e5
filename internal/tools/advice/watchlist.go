package advice

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

const watchlistDescription = `The user's watchlist: latest price of each symbol, distance to its target prices, targets reached. Adds or removes symbols after the user confirms. Use for "what am I watching" or "watch VTI below 200". New targets are also alert rules.`

const watchlistDetails = `show returns prices for all symbols, or only for symbol. add saves a symbol with note and the target prices above (reached at this price or higher) and below (at this price or lower). For a symbol already on the list, omitted fields are unchanged, and a new target replaces the previous one on its side. remove takes the symbol off the list, or with target only its above or below price.
distance_pct is the price change in percent that reaches the target: 5 means that the price must rise by 5%. A new target also creates an alert rule; removing the target removes the rule. A target whose currency differs from the price, or whose price is sample data, is not evaluated; the reason is shown.`

const watchlistKeywords = "watchlist watch watching follow track list alert target price below above reach interesting star favorites add remove 自选 自选股 关注 观察 盯盘 提醒 目标价"

var watchlistPhrasings = []string{
	"add <sym> to my watchlist",
	"what is on my watchlist",
	"watch <sym> and look again below <num>",
	"has <sym> reached my target price",
	"stop watching <sym>",
	"把<sym>加入自选",
	"看看我的自选股",
	"<sym>跌到<num>提醒我",
}

type watchlistInput struct {
	Action   string      `json:"action,omitempty" jsonschema:"show, add or remove. Default show."`
	Symbol   string      `json:"symbol,omitempty" jsonschema:"Symbol or name, such as VTI or Apple. Optional for show."`
	Note     string      `json:"note,omitempty" jsonschema:"For add: the user's reason."`
	Above    json.Number `json:"above,omitempty" jsonschema:"For add: target at or above this price."`
	Below    json.Number `json:"below,omitempty" jsonschema:"For add: target at or below this price."`
	Currency string      `json:"currency,omitempty" jsonschema:"Currency of above and below. Default: the price's currency."`
	Target   string      `json:"target,omitempty" arg:"rare" jsonschema:"For remove: above or below, to remove only that target."`
}

// watchlistTool is the watchlist tool.
type watchlistTool struct {
	ProfileDeps
	// saving serializes writes, because the store saves a whole entry and parallel calls would
	// overwrite each other's targets.
	saving sync.Mutex
}

func newWatchlist(d ProfileDeps) tool.Tool {
	w := &watchlistTool{ProfileDeps: d}
	return toolkit.NewMutationTool("watchlist", watchlistDescription, tool.Reads, w.plan).Asks("Change your watchlist?").WithDetails(watchlistDetails).Find("ledger", watchlistKeywords, watchlistPhrasings...)
}

func (w *watchlistTool) plan(ctx context.Context, in watchlistInput) toolkit.MutationPlan {
	if err := in.check(); err != nil {
		return toolkit.RefusedPlan(err)
	}
	switch in.Action {
	case "add":
		return w.planAdd(ctx, in)
	case "remove":
		return w.planRemove(ctx, in)
	}
	return toolkit.ReadOnlyPlan(func(ctx context.Context) (tool.Result, error) { return w.showResult(ctx, in.Symbol) })
}

func (in watchlistInput) check() error {
	priced := in.Above != "" || in.Below != "" || in.Currency != "" || in.Note != ""
	switch {
	case !slices.Contains([]string{"", "show", "add", "remove"}, in.Action):
		return toolkit.InvalidArgsf("unknown action %.40q; use show, add or remove", in.Action)
	case priced && in.Action != "add":
		return toolkit.InvalidArgsf("note, above, below and currency are only for action add")
	case in.Target != "" && in.Action != "remove":
		return toolkit.InvalidArgsf("target is only for action remove; to set a target, use above or below")
	case in.Target != "" && in.Target != string(investor.Above) && in.Target != string(investor.Below):
		return toolkit.InvalidArgsf("unknown target %.40q; use above or below", in.Target)
	case in.Symbol == "" && in.Action != "" && in.Action != "show":
		return toolkit.InvalidArgsf(`symbol is required: {"action": %q, "symbol": "VTI"}`, in.Action)
	case in.Currency != "" && in.Above == "" && in.Below == "":
		return toolkit.InvalidArgsf("currency requires above or below")
	}
	return nil
}

// loadWatches returns the watches as of the clock, without those added later.
func (d ProfileDeps) loadWatches(ctx context.Context) ([]investor.WatchedSymbol, error) {
	all, err := d.Watchlist.Watches(ctx)
	if err != nil {
		return nil, fmt.Errorf("load watchlist: %w", err)
	}
	today := d.Today()
	return slices.DeleteFunc(slices.Clone(all), func(w investor.WatchedSymbol) bool { return w.Added.After(today) }), nil
}

// loadWatch returns the watch of a symbol, or false if it is not watched.
func (d ProfileDeps) loadWatch(ctx context.Context, sym market.Symbol) (investor.WatchedSymbol, bool, error) {
	all, err := d.loadWatches(ctx)
	if err != nil {
		return investor.WatchedSymbol{}, false, err
	}
	for _, w := range all {
		if w.Symbol == sym {
			return w, true, nil
		}
	}
	return investor.WatchedSymbol{Symbol: sym, Added: d.Today()}, false, nil
}

// planRemove prepares removing a watch or one of its targets. The symbol may be unknown to all
// sources, because it may have been delisted.
func (w *watchlistTool) planRemove(ctx context.Context, in watchlistInput) toolkit.MutationPlan {
	if err := toolkit.CheckWritable(w.Prices); err != nil {
		return toolkit.RefusedPlan(err)
	}
	have, ok, err := w.findWatch(ctx, in.Symbol)
	switch {
	case err != nil:
		return toolkit.RefusedPlan(err)
	case !ok:
		return toolkit.RefusedPlan(w.notWatchedError(ctx, in.Symbol))
	}
	if in.Target == "" {
		return toolkit.MutationPlan{Changes: removalPlan(have), Run: func(ctx context.Context) (tool.Result, error) { return w.removeWatch(ctx, have) }}
	}
	after := have
	side := investor.TargetSide(in.Target)
	after.Targets = slices.DeleteFunc(slices.Clone(have.Targets), func(t investor.PriceTarget) bool { return t.Side == side })
	if len(after.Targets) == len(have.Targets) {
		return toolkit.RefusedPlan(toolkit.InvalidArgsf("%s has no %s target", have.Symbol, side))
	}
	return w.planChange(have, after, true, nil)
}

// findWatch returns the watch that text names, by its symbol on the list, else by a name in the
// directory.
func (w *watchlistTool) findWatch(ctx context.Context, text string) (investor.WatchedSymbol, bool, error) {
	if sym, err := market.ParseSymbol(text); err == nil {
		if have, ok, err := w.loadWatch(ctx, sym); ok || err != nil {
			return have, ok, err
		}
	}
	sym, err := toolkit.ResolveSymbol(ctx, w.Directory, text)
	if err != nil {
		return investor.WatchedSymbol{}, false, nil
	}
	return w.loadWatch(ctx, sym)
}

func (w *watchlistTool) notWatchedError(ctx context.Context, text string) error {
	all, err := w.loadWatches(ctx)
	if err != nil {
		return err
	}
	var symbols []string
	for _, watch := range all {
		symbols = append(symbols, string(watch.Symbol))
	}
	if symbols == nil {
		return toolkit.InvalidArgsf("%.40q is not on the watchlist, which is empty", text)
	}
	return toolkit.InvalidArgsf("%.40q is not on the watchlist; choose from %s", text, strings.Join(symbols, ", "))
}

// removalPlan describes the removal.
func removalPlan(have investor.WatchedSymbol) []string {
	plan := []string{fmt.Sprintf("removes %s from the watchlist, watched since %s", have.Symbol, toolkit.FormatDate(have.Added))}
	for _, t := range have.Targets {
		plan = append(plan, fmt.Sprintf("  with its target %s", t.Describe()))
	}
	if have.Note != "" {
		plan = append(plan, "  with its note: "+toolkit.Abbreviate(have.Note))
	}
	return plan
}
