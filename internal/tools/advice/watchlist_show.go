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
	Currency string              `json:"currency,omitempty"` // empty for an index
	// Reached and DistancePct are null if the target cannot be compared with the price; Reason
	// explains it.
	Reached     *bool            `json:"reached"`
	DistancePct *decimal.Decimal `json:"distance_pct"`
	Reason      string           `json:"reason,omitempty"`
}

// watchLine is a watched symbol. Without a price, Error is set.
type watchLine struct {
	Symbol  market.Symbol    `json:"symbol" label:"symbol"`
	Name    string           `json:"name" label:"name"`
	Price   *decimal.Decimal `json:"price" label:"price" as:"price" currency:"PriceUnit"`
	Day     string           `json:"-" label:"as of"`
	Note    toolkit.OwnWords `json:"watch_note,omitempty" label:"note"`
	Added   string           `json:"added"`
	Targets []watchTarget    `json:"targets"`
	Error   string           `json:"error,omitempty" model:"-"` // shown among the warnings
	*toolkit.Origin

	PriceUnit string `json:"-"`
	quote     market.Quote
}

type watchlistAnswer struct {
	Saved    string        `json:"saved,omitempty"` // the targets that the call saved
	Watches  []watchLine   `json:"watches" table:"Watchlist" max:"fit"`
	Reached  int           `json:"reached" label:"targets reached" unit:"targets" row:"-"`
	Warnings toolkit.Notes `json:"warnings,omitempty"`
}

const watchlistSource = "watchlist, saved by the user"

// showResult shows the watchlist, or one symbol of it.
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
		return toolkit.RefusalResult(toolkit.NoDataf("the watchlist is empty; add a symbol with nfa watchlist add SYMBOL, or ask for it in the chat"))
	}
	a, err := w.answer(ctx, all)
	if err != nil {
		return tool.Result{}, err
	}
	return toolkit.Render(a), nil
}

// answer returns the watches with their prices.
func (w *watchlistTool) answer(ctx context.Context, all []investor.WatchedSymbol) (watchlistAnswer, error) {
	symbols := make([]market.Symbol, len(all))
	for i, watch := range all {
		symbols[i] = watch.Symbol
	}
	found, err := w.PriceAll(ctx, symbols)
	if err != nil {
		return watchlistAnswer{}, fmt.Errorf("fetch prices of the watchlist: %w", err)
	}
	a := watchlistAnswer{Watches: make([]watchLine, len(all))}
	for i, watch := range all {
		a.Watches[i] = newWatchLine(watch, found[i])
	}
	a.Reached = len(a.reachedTargets())
	a.warnUnpriced()
	return a, nil
}

func newWatchLine(w investor.WatchedSymbol, p toolkit.PriceResult) watchLine {
	line := watchLine{Symbol: w.Symbol, Name: p.Quote.Name, Added: toolkit.FormatDate(w.Added), Note: toolkit.OwnWords(w.Note), Targets: []watchTarget{}, quote: p.Quote}
	checks, err := investor.CheckTargets(w, p.Quote)
	if err = cmp.Or(p.Err, err); err != nil {
		line.Error, checks = err.Error(), nil
		for _, t := range w.Targets {
			checks = append(checks, investor.TargetCheck{PriceTarget: t, Reason: "no price"})
		}
	} else {
		origin := toolkit.OriginOf(p.Quote.Provenance)
		line.Price, line.Origin, line.PriceUnit = &p.Quote.Price, &origin, priceUnit(p.Quote.Provenance)
		line.Day = strings.TrimSpace(origin.AsOf + " " + origin.FlagText())
	}
	for _, c := range checks {
		t := watchTarget{Side: c.Side, Price: c.Price, Currency: c.Currency, Reason: c.Reason}
		if c.Comparable {
			t.Reached, t.DistancePct = &c.Reached, new(c.Distance.Decimal.Shift(2))
		}
		line.Targets = append(line.Targets, t)
	}
	return line
}

// warnUnpriced reports why symbols have no price, once for all with the same reason.
func (a *watchlistAnswer) warnUnpriced() {
	symbols := map[string][]string{}
	var reasons []string
	for _, line := range a.Watches {
		if line.Error == "" {
			continue
		}
		if symbols[line.Error] == nil {
			reasons = append(reasons, line.Error)
		}
		symbols[line.Error] = append(symbols[line.Error], string(line.Symbol))
	}
	for _, reason := range reasons {
		a.Warnings.Warn("no_price", "%s: %s", toolkit.JoinFew(symbols[reason]), reason)
	}
}

// reachedTargets lists the reached targets: "VTI below 125.00 USD".
func (a watchlistAnswer) reachedTargets() []string {
	var out []string
	for _, line := range a.Watches {
		for _, t := range line.Targets {
			if t.Reached != nil && *t.Reached {
				out = append(out, fmt.Sprintf("%s %s", line.Symbol, t.text()))
			}
		}
	}
	return out
}

func (a watchlistAnswer) targets() int {
	n := 0
	for _, line := range a.Watches {
		n += len(line.Targets)
	}
	return n
}

// Headline implements [toolkit.Answer].
func (a watchlistAnswer) Headline(lang string) string {
	n, targets, first := len(a.Watches), a.targets(), ""
	if a.Saved != "" {
		return a.savedText(lang)
	}
	if one := a.Watches[0]; n == 1 && one.Price != nil {
		first = fmt.Sprintf("%s: %s", one.Symbol, toolkit.Format(one.Price, toolkit.Price, one.PriceUnit))
	}
	if lang == "zh" {
		text := cmp.Or(first, fmt.Sprintf("自选股共 %d 个", n))
		if targets > 0 {
			text += fmt.Sprintf("；%d 个目标价中已达到 %d 个", targets, a.Reached)
		}
		return text + "。"
	}
	text := cmp.Or(first, counted(n, "symbol")+" watched")
	if targets > 0 {
		text += fmt.Sprintf("; %d of %s reached", a.Reached, counted(targets, "target"))
	}
	if reached := a.reachedTargets(); len(reached) > 0 && len(reached) < 3 {
		text += ": " + strings.Join(reached, ", ")
	}
	return text + "."
}

// savedText says what was saved, and the price now.
func (a watchlistAnswer) savedText(lang string) string {
	saved, now := "Saved: ", ". Current price: "
	if lang == "zh" {
		saved, now = "已保存：", "。现价："
	}
	line := a.Watches[0]
	if line.Price == nil {
		return saved + a.Saved
	}
	return saved + a.Saved + now + toolkit.Format(line.Price, toolkit.Price, line.PriceUnit) + ", " + line.Day
}

// Text implements [toolkit.Texter]: the note of the watch that was saved, whose table is not shown.
func (a watchlistAnswer) Text() string {
	if a.Saved == "" || a.Watches[0].Note == "" {
		return ""
	}
	return "Note: " + toolkit.EscapeMarkdown(string(a.Watches[0].Note))
}

// Title implements [toolkit.Titled].
func (a watchlistAnswer) Title() string {
	if a.Saved != "" {
		return a.savedText("en")
	}
	var symbols []string
	for _, line := range a.Watches {
		symbols = append(symbols, string(line.Symbol))
	}
	return toolkit.Abbreviate(strings.Join(symbols, ", "))
}

// Summary implements [toolkit.Summarizer].
func (a watchlistAnswer) Summary() string {
	if a.Saved != "" {
		return "saved: " + a.Saved
	}
	return fmt.Sprintf("%d watched · %s reached", len(a.Watches), counted(a.Reached, "target"))
}

// Explain implements [toolkit.Explainer].
func (a watchlistAnswer) Explain(field string) (e toolkit.Explanation) {
	switch field {
	case "reached":
		e.Source, e.Omit = watchlistSource, a.targets() == 0 || a.Saved != ""
	case "watches":
		e.Silent = a.Saved != ""
	case "watches.watch_note":
		e.Omit = !slices.ContainsFunc(a.Watches, func(line watchLine) bool { return line.Note != "" })
	}
	return e
}

// Tables implements [toolkit.Tabler].
func (a watchlistAnswer) Tables() []toolkit.Table {
	t := toolkit.Table{Title: "Targets", Columns: []string{"symbol", "target", "price must move:", "state"}}
	for i, line := range a.Watches {
		for j, target := range line.Targets {
			distance := "" // reached
			if target.Reached == nil {
				distance = toolkit.NotAvailable
			} else if !*target.Reached {
				distance = toolkit.Format(target.DistancePct.Shift(-2), toolkit.Change, "")
			}
			t.Rows = append(t.Rows, []string{string(line.Symbol), target.text(), distance, target.state()})
			t.Figures = append(t.Figures, line.targetFigures(target, fmt.Sprintf("watches.%d.targets.%d", i, j))...)
		}
	}
	if t.Rows == nil {
		return nil
	}
	return []toolkit.Table{t}
}

// text formats a target for display: "above 200.00 USD".
func (t watchTarget) text() string {
	return string(t.Side) + " " + toolkit.Format(t.Price, toolkit.Price, currencyOr(t.Currency))
}

func (t watchTarget) state() string {
	switch {
	case t.Reached == nil:
		return "not judged: " + t.Reason
	case *t.Reached:
		return "reached"
	}
	return "not reached"
}

// targetFigures returns the price of a target and its distance.
func (line watchLine) targetFigures(t watchTarget, path string) []tool.Figure {
	label := fmt.Sprintf("%s target %s", line.Symbol, t.Side)
	out := []tool.Figure{{ID: path + ".price", Label: label, Value: t.Price, Unit: currencyOr(t.Currency), Source: watchlistSource}}
	if t.DistancePct == nil {
		return out
	}
	p := line.quote.Provenance
	return append(out, tool.Figure{
		ID: path + ".distance_pct", Label: "distance to " + label, Value: *t.DistancePct, Unit: "%", AsOf: p.AsOf, Source: p.Source, Formula: "(target / price - 1) * 100",
		Inputs: []string{"target " + t.Price.String() + " " + currencyOr(t.Currency), "price " + line.Price.String() + " of " + line.AsOf},
	})
}

// priceUnit returns the unit of a price. An unknown currency is stated, because readers would
// assume their own.
func priceUnit(p market.Provenance) string {
	if unit := toolkit.UnitOf(p); unit != "" && unit != "price" {
		return unit
	}
	return "of unknown currency"
}
