package personal

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/act"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

const watchlistDescription = `Gives the user's watchlist with the newest price of each symbol, how far it is from its targets and which targets are reached; and adds or removes symbols, notes and target prices.
Use it for "what am I watching", "has X reached my price", "watch VTI and tell me below 200". action show (the standard) prices all; add keeps symbol with note, above (look when the price is there or higher) and below (there or lower); remove takes it away, or with target only its price above or below. Who is watched already keeps what the call does not name; a new target takes the place of the old one of its side. The user is asked before anything is written. nfa does not alert: targets are checked when somebody looks.
distance_pct is how far the price must go to the target, in per cent of the price: 5 means that it must rise by 5 %. Prices are as old as as_of says: give that date and the flags with them. A target in another currency than the price, or against the embedded sample, is not judged and says why.`

type watchlistInput struct {
	Action   string  `json:"action,omitempty" jsonschema:"show (the standard), add or remove"`
	Symbol   string  `json:"symbol,omitempty" jsonschema:"what to add or remove, such as VTI or Apple; with show only this one"`
	Note     string  `json:"note,omitempty" jsonschema:"with add: why it is watched, in the user's words"`
	Above    float64 `json:"above,omitempty" jsonschema:"with add: a price to look at from below"`
	Below    float64 `json:"below,omitempty" jsonschema:"with add: a price to look at from above"`
	Currency string  `json:"currency,omitempty" jsonschema:"of above and below; that of the price when left out"`
	Target   string  `json:"target,omitempty" jsonschema:"with remove: above or below, to take away that target alone"`

	above, below json.Number // digit by digit; "" where none was given
}

// UnmarshalJSON keeps the prices as they were written: a float64 would round them.
func (in *watchlistInput) UnmarshalJSON(raw []byte) error {
	type plain watchlistInput
	as := struct {
		*plain
		Above json.Number `json:"above"`
		Below json.Number `json:"below"`
	}{plain: (*plain)(in)}
	err := json.Unmarshal(raw, &as)
	in.above, in.below = as.Above, as.Below
	return err
}

// watchlist is the tool of the watchlist.
type watchlist struct {
	Deps
	// saving keeps calls of one step from taking back each other's targets: the store
	// keeps a watch whole.
	saving sync.Mutex
}

func newWatchlist(d Deps) tool.Tool {
	w := &watchlist{Deps: d}
	return act.New("watchlist", watchlistDescription, w.ready)
}

func (w *watchlist) ready(ctx context.Context, in watchlistInput) act.Act {
	if err := in.check(); err != nil {
		return act.Refusing(err)
	}
	switch in.Action {
	case "add":
		return w.readyAdd(ctx, in)
	case "remove":
		return w.readyRemove(ctx, in)
	}
	return act.Reading(func(ctx context.Context) (tool.Result, error) { return w.show(ctx, in.Symbol) })
}

func (in watchlistInput) check() error {
	priced := in.above != "" || in.below != "" || in.Currency != "" || in.Note != ""
	switch {
	case !slices.Contains([]string{"", "show", "add", "remove"}, in.Action):
		return act.Invalidf("action %.40q: give show, add or remove", in.Action)
	case priced && in.Action != "add":
		return act.Invalidf("note, above, below and currency are kept with action add")
	case in.Target != "" && in.Action != "remove":
		return act.Invalidf("target belongs to action remove; a target is set by above or below")
	case in.Target != "" && in.Target != string(journal.Above) && in.Target != string(journal.Below):
		return act.Invalidf("target %.40q: give above or below", in.Target)
	case in.Symbol == "" && in.Action != "" && in.Action != "show":
		return act.Invalidf(`no symbol; give {"action": %q, "symbol": "VTI"}`, in.Action)
	case in.Currency != "" && in.above == "" && in.below == "":
		return act.Invalidf("currency is that of above or below, and neither is given")
	}
	return nil
}

// watches are those of the clock: one that was added later was not known then.
func (d Deps) watches(ctx context.Context) ([]journal.Watch, error) {
	all, err := d.Watchlist.Watches(ctx)
	if err != nil {
		return nil, fmt.Errorf("loading the watchlist: %w", err)
	}
	today := d.Today()
	return slices.DeleteFunc(slices.Clone(all), func(w journal.Watch) bool { return w.Added.After(today) }), nil
}

// watched is the watch of a symbol, and false where there is none.
func (d Deps) watched(ctx context.Context, sym market.Symbol) (journal.Watch, bool, error) {
	all, err := d.watches(ctx)
	if err != nil {
		return journal.Watch{}, false, err
	}
	for _, w := range all {
		if w.Symbol == sym {
			return w, true, nil
		}
	}
	return journal.Watch{Symbol: sym, Added: d.Today()}, false, nil
}

// readyRemove makes ready to take a watch away, or one of its targets. The symbol
// need not be known to any source: it may have been delisted.
func (w *watchlist) readyRemove(ctx context.Context, in watchlistInput) act.Act {
	if err := act.Writable(w.Prices); err != nil {
		return act.Refusing(err)
	}
	have, ok, err := w.named(ctx, in.Symbol)
	switch {
	case err != nil:
		return act.Refusing(err)
	case !ok:
		return act.Refusing(w.notWatched(ctx, in.Symbol))
	}
	if in.Target == "" {
		return act.Act{Plan: removing(have), Run: func(ctx context.Context) (tool.Result, error) { return w.remove(ctx, have) }}
	}
	after := have
	side := journal.Side(in.Target)
	after.Targets = slices.DeleteFunc(slices.Clone(have.Targets), func(t journal.Target) bool { return t.Side == side })
	if len(after.Targets) == len(have.Targets) {
		return act.Refusing(act.Invalidf("%s has no target %s", have.Symbol, side))
	}
	return w.changing(have, after, true, nil)
}

// named is the watch that text names: its symbol as it stands in the list, else what
// the directory knows by that name.
func (w *watchlist) named(ctx context.Context, text string) (journal.Watch, bool, error) {
	if sym, err := market.ParseSymbol(text); err == nil {
		if have, ok, err := w.watched(ctx, sym); ok || err != nil {
			return have, ok, err
		}
	}
	sym, err := question.Meant(ctx, w.Directory, text)
	if err != nil {
		return journal.Watch{}, false, nil
	}
	return w.watched(ctx, sym)
}

func (w *watchlist) notWatched(ctx context.Context, text string) error {
	all, err := w.watches(ctx)
	if err != nil {
		return err
	}
	var symbols []string
	for _, one := range all {
		symbols = append(symbols, string(one.Symbol))
	}
	if symbols == nil {
		return act.Invalidf("%.40q is not watched; the watchlist is empty", text)
	}
	return act.Invalidf("%.40q is not watched; watched are %s", text, strings.Join(symbols, ", "))
}

// removing are the lines of what goes.
func removing(have journal.Watch) []string {
	plan := []string{fmt.Sprintf("removes %s from the watchlist, watched since %s", have.Symbol, present.Dated(have.Added))}
	for _, t := range have.Targets {
		plan = append(plan, fmt.Sprintf("  with its target %s", t.Words()))
	}
	if have.Note != "" {
		plan = append(plan, "  with its note: "+present.Abridged(have.Note))
	}
	return plan
}
