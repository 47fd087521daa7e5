package advice

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type watchTarget struct {
	Side     investor.TargetSide `json:"side"`
	Price    decimal.Decimal     `json:"price"`
	Currency string              `json:"currency,omitempty"` // none of an index
	// Reached and DistancePct are null where the target cannot be judged; Reason says
	// why.
	Reached     *bool            `json:"reached"`
	DistancePct *decimal.Decimal `json:"distance_pct"`
	Reason      string           `json:"reason,omitempty"`
}

type watchLine struct {
	Symbol market.Symbol `json:"symbol"`
	Name   string        `json:"name"`
	Added  string        `json:"added"`
	Note   string        `json:"watch_note,omitempty"`
	// Price is null where there is none; Error says why.
	Price   *decimal.Decimal `json:"price"`
	Targets []watchTarget    `json:"targets"`
	Error   string           `json:"error,omitempty"`
	*toolkit.Origin

	quote market.Quote
}

type watchlistAnswer struct {
	Watches []watchLine `json:"watches"`
	Reached int         `json:"reached"` // targets
	Amounts string      `json:"amounts,omitempty"`
	Next    string      `json:"next,omitempty"`
	LeftOut int         `json:"left_out,omitempty"` // watches, where there are too many
}

// showResult prices the watchlist, or one symbol of it.
func (w *watchlistTool) showResult(ctx context.Context, text string) (tool.Result, error) {
	var all []investor.WatchedSymbol
	var err error
	if text == "" {
		all, err = w.loadWatches(ctx)
	} else {
		var watch investor.WatchedSymbol
		var ok bool
		if watch, ok, err = w.findWatch(ctx, text); err == nil && !ok {
			err = w.notWatchedError(ctx, text)
		}
		all = []investor.WatchedSymbol{watch}
	}
	if err != nil {
		return toolkit.RefusalResult(err)
	}
	if len(all) == 0 {
		return toolkit.RefusalResult(toolkit.NoDataf("the watchlist is empty; nfa watch add SYMBOL adds to it, and in the chat it is enough to ask for it"))
	}
	answer, err := w.priceWatches(ctx, all)
	if err != nil {
		return tool.Result{}, err
	}
	return answer.result(w.ProfileDeps)
}

func (w *watchlistTool) priceWatches(ctx context.Context, all []investor.WatchedSymbol) (watchlistAnswer, error) {
	symbols := make([]market.Symbol, len(all))
	for i, watch := range all {
		symbols[i] = watch.Symbol
	}
	found, err := w.PriceAll(ctx, symbols)
	if err != nil {
		return watchlistAnswer{}, fmt.Errorf("pricing the watchlist: %w", err)
	}
	a := watchlistAnswer{Watches: make([]watchLine, len(all))}
	for i, watch := range all {
		a.Watches[i] = newWatchLine(watch, found[i])
		for _, t := range a.Watches[i].Targets {
			if t.Reached != nil && *t.Reached {
				a.Reached++
			}
		}
	}
	return a, nil
}

func newWatchLine(w investor.WatchedSymbol, p toolkit.PriceResult) watchLine {
	line := watchLine{Symbol: w.Symbol, Name: p.Quote.Name, Added: toolkit.FormatDate(w.Added), Note: w.Note, Targets: []watchTarget{}, quote: p.Quote}
	checks, err := investor.CheckTargets(w, p.Quote)
	if err = cmp.Or(p.Err, err); err != nil {
		line.Error, checks = err.Error(), nil
		for _, t := range w.Targets {
			checks = append(checks, investor.TargetCheck{PriceTarget: t, Reason: "there is no price"})
		}
	} else {
		origin := toolkit.OriginOf(p.Quote.Provenance)
		line.Price, line.Origin = &p.Quote.Price, &origin
	}
	for _, c := range checks {
		t := watchTarget{Side: c.Side, Price: c.Price, Currency: c.Currency, Reason: c.Reason}
		if c.Comparable {
			pct := c.Distance.Decimal.Shift(2).Round(2)
			t.Reached, t.DistancePct = &c.Reached, &pct
		}
		line.Targets = append(line.Targets, t)
	}
	return line
}

func (a watchlistAnswer) result(d ProfileDeps) (tool.Result, error) {
	model, err := toolkit.FitToLimit(len(a.Watches), func(n int) any { return a.forModel(d, n) })
	if err != nil {
		return tool.Result{}, err
	}
	var figures []tool.Figure
	var symbols []string
	for _, line := range a.Watches {
		figures = append(figures, line.figures()...)
		symbols = append(symbols, string(line.Symbol))
	}
	return tool.Result{
		Value: a, ForModel: model, ForUser: a.markdown(), Figures: figures, Title: toolkit.Abbreviate(strings.Join(symbols, ", ")),
		Summary: fmt.Sprintf("%d watched · %d targets reached", len(a.Watches), a.Reached),
	}, nil
}

// forModel is the answer with the first n watches, as a model may read it.
func (a watchlistAnswer) forModel(d ProfileDeps, n int) watchlistAnswer {
	a.LeftOut, a.Watches = len(a.Watches)-n, slices.Clone(a.Watches[:n])
	if a.LeftOut > 0 {
		a.Next = "the list is too long for one answer; ask for a symbol by itself"
	}
	for i := range a.Watches {
		a.Watches[i].Note = d.maskNote(a.Watches[i].Note)
	}
	if d.HideAmounts {
		a.Amounts = toolkit.AmountsHiddenNote
	}
	return a
}
