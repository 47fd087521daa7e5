package screens

import (
	"context"
	"strings"
	"sync"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// Watchlist is the screen of the watched symbols. It shows what the tool watchlist returns.
type Watchlist struct{ App *app.App }

// watchedSymbol holds what the screen shows of a row of the tool.
type watchedSymbol struct {
	Symbol   string           `json:"symbol"`
	Name     string           `json:"name"`
	Price    *decimal.Decimal `json:"price"`
	Currency string           `json:"currency"`
	AsOf     string           `json:"as_of"`
	Note     string           `json:"watch_note"`
	Targets  []struct {
		Side    string          `json:"side"`
		Price   decimal.Decimal `json:"price"`
		Reached *bool           `json:"reached"`
	} `json:"targets"`
}

// Screen returns the list for /watchlist.
func (s Watchlist) Screen() *tui.ListScreen {
	var mu sync.Mutex
	var source string // of the prices
	send := func(command string) func(string) (tui.ActionResult, error) {
		return func(symbol string) (tui.ActionResult, error) {
			return tui.ActionResult{Send: command + " " + symbol}, nil
		}
	}
	watched := func(i tui.ListItem) bool { return !i.Problem }
	return &tui.ListScreen{
		Title: "Watchlist", Empty: "No symbols yet. Add one: /watchlist add AAPL",
		Items: func() []tui.ListItem {
			items, from := s.items()
			mu.Lock()
			defer mu.Unlock()
			source = from
			return items
		},
		Frame: func(_ *widget.Styles, _ int, _ string) widget.BrowserFrame {
			mu.Lock()
			defer mu.Unlock()
			return widget.BrowserFrame{End: nonEmpty(source)}
		},
		Actions: []tui.ListAction{
			{Action: "screen-enter", Name: "quote", About: "show its price", AppliesTo: watched, Run: send("/quote")},
			{Action: "c", Name: "chart", About: "draw its prices", AppliesTo: watched, Run: send("/chart")},
			{Action: "r", Name: "remove", About: "remove it from the list", AppliesTo: watched, Run: send("/watchlist remove")},
			{Action: "a", Name: "add", About: "add a symbol", WithoutItem: true, Run: func(string) (tui.ActionResult, error) {
				return tui.ActionResult{Compose: "/watchlist add "}, nil
			}},
		},
	}
}

func (s Watchlist) items() (items []tui.ListItem, source string) {
	if s.App.HasNoData(context.Background(), "watchlist") {
		return nil, ""
	}
	var list struct {
		Watches []watchedSymbol `json:"watches"`
	}
	result, err := callTool(s.App, "watchlist", &list)
	if err != nil {
		return []tui.ListItem{{Name: "watchlist", Title: "Cannot read the watchlist", About: err.Error(), Problem: true}}, ""
	}
	for _, w := range list.Watches {
		price := "n/a"
		if w.Price != nil {
			price = toolkit.Format(*w.Price, toolkit.Price, w.Currency)
		}
		items = append(items, tui.ListItem{
			Name: w.Symbol, SearchTerms: w.Name + " " + w.Note, Columns: []string{w.Name, price, w.AsOf, strings.Join(nonEmpty(append(w.targets(), w.Note)...), ", ")},
		})
	}
	return items, result.Source.Line(0, 0)
}

// targets describes the target prices: "below 250, reached".
func (w watchedSymbol) targets() []string {
	var out []string
	for _, t := range w.Targets {
		text := t.Side + " " + toolkit.Format(t.Price, toolkit.Price, "")
		if t.Reached != nil && *t.Reached {
			text += ", reached"
		}
		out = append(out, text)
	}
	return out
}
