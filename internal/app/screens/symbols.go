package screens

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tui"
)

// Symbols is the screen of the known symbols.
type Symbols struct{ App *app.App }

// Screen returns the list for /symbols. It makes no network request.
func (s Symbols) Screen() *tui.ListScreen {
	return &tui.ListScreen{
		Title: "Symbols", Items: s.items, Read: s.read, Empty: "No symbols.",
		Actions: []tui.ListAction{{Action: "screen-enter", Name: "write", About: "type the symbol", Run: s.write}},
	}
}

// items lists the user's own symbols first, then all others by kind.
func (s Symbols) items() []tui.ListItem {
	ctx := context.Background()
	listed, err := s.App.Market.Directory().Instruments(ctx)
	if err != nil {
		return []tui.ListItem{{Name: "table", Title: "Cannot read the symbols", About: err.Error(), Problem: true}}
	}
	names := map[string]market.Instrument{}
	for _, i := range listed {
		names[string(i.Symbol)] = i
	}
	var items []tui.ListItem
	userOwned := map[string]bool{}
	for _, o := range cli.UserSymbols(ctx, s.App.Stores.Portfolio) {
		i := names[o.Symbol]
		group := map[string]string{"held": "In your portfolio", "watched": "On your watchlist"}[o.Kind]
		items = append(items, tui.ListItem{Name: o.Symbol, Group: group, About: cmp.Or(i.Name, o.Name), Marks: nonEmpty(i.Exchange)})
		userOwned[o.Symbol] = true
	}
	slices.SortStableFunc(listed, func(a, b market.Instrument) int { return cmp.Compare(kindOrder(a.Kind), kindOrder(b.Kind)) })
	for _, i := range listed {
		if !userOwned[string(i.Symbol)] {
			items = append(items, tui.ListItem{Name: string(i.Symbol), Group: s.origin() + kindHeading(i.Kind), About: i.Name, Marks: nonEmpty(i.Exchange)})
		}
	}
	return items
}

// origin returns the prefix of the headings of symbols that are not the user's own.
func (s Symbols) origin() string {
	if s.App.Market.Mode.SampleOnly {
		return "Sample: "
	}
	return ""
}

func nonEmpty(values ...string) []string {
	return slices.DeleteFunc(values, func(w string) bool { return w == "" })
}

// kinds lists kinds of instruments in display order, with their headings.
func kinds() [][2]string {
	return [][2]string{{"equity", "Shares"}, {"fund", "Funds"}, {"index", "Indices"}, {"currency", "Currencies"}, {"crypto", "Coins"}}
}

func kindOrder(kind string) int {
	all := kinds()
	if index := slices.IndexFunc(all, func(k [2]string) bool { return k[0] == kind }); index >= 0 {
		return index
	}
	return len(all)
}

func kindHeading(kind string) string {
	if index := kindOrder(kind); index < len(kinds()) {
		return kinds()[index][1]
	}
	return "Others"
}

// read returns the text of the pane for a symbol. It omits unknown values.
func (s Symbols) read(name string) (string, error) {
	ctx := context.Background()
	i, kind, err := s.instrument(ctx, market.Symbol(name))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	line := func(label, value string) {
		if value != "" {
			fmt.Fprintf(&b, "- %s: %s\n", label, value)
		}
	}
	quote, found := s.App.Market.Latest(ctx, market.Symbol(name), s.App.Market.Until())
	exchange := i.Exchange
	if i.MIC != "" {
		exchange = strings.TrimSpace(exchange + " (" + i.MIC + ")")
	}
	line("name", i.Name)
	line("kind", i.Kind)
	line("exchange", exchange)
	line("ISIN", i.ISIN)
	line("also called", strings.Join(i.Aliases, ", "))
	line("yours", kind)
	if !found {
		b.WriteString("\nNo saved price. `/quote " + name + "` fetches one.\n")
		return b.String(), nil
	}
	line("currency", quote.Provenance.Currency)
	line("latest saved price", priceText(quote))
	return b.String(), nil
}

// priceText formats a price with its date and its source.
func priceText(q market.Quote) string {
	p := q.Provenance
	text := fmt.Sprintf("%s, close of %s, from %s", strings.TrimSpace(q.Price.String()+" "+cmp.Or(p.Currency, p.Unit)), toolkit.FormatDate(p.AsOf), p.Source)
	if p.Has(market.FlagSample) {
		text += " (SAMPLE)"
	}
	if p.Has(market.FlagProvisional) {
		text += "; not yet the final close"
	}
	return text
}

// instrument returns the known facts about a symbol, and its kind in the user's list if it is in there.
func (s Symbols) instrument(ctx context.Context, sym market.Symbol) (i market.Instrument, kind string, err error) {
	listed, err := s.App.Market.Directory().Instruments(ctx)
	if err != nil {
		return i, "", err
	}
	index := slices.IndexFunc(listed, func(i market.Instrument) bool { return i.Symbol == sym })
	if index >= 0 {
		i = listed[index]
	}
	for _, o := range cli.UserSymbols(ctx, s.App.Stores.Portfolio) {
		if o.Symbol == string(sym) {
			i.Name = cmp.Or(i.Name, o.Name)
			return i, o.Kind, nil
		}
	}
	if index < 0 {
		return i, "", fmt.Errorf("%s is no longer listed", sym)
	}
	return i, "", nil
}

func (s Symbols) write(name string) (tui.ActionResult, error) {
	return tui.ActionResult{Compose: "$" + name + " "}, nil
}
