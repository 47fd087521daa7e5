package holdings

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// oldPrice is how long a price may be the newest one: longer than any holidays.
const oldPrice = 7 * 24 * time.Hour

// positionWarnings are what nobody may miss, the worst first.
func (d Deps) positionWarnings(o book.Opened, v book.Valuation, a *positionsAnswer) []string {
	warnings, unchecked := disputes(o, v)
	if len(unchecked) > 0 {
		a.Notes = append(a.Notes, "splits since the purchase could not be checked, since no source tells them as they were: "+listed(unchecked))
	}
	if !v.Whole {
		warnings = append(warnings, fmt.Sprintf("the total and all weights are of a part: %d of %d have no value", len(a.Unvalued), len(v.Lines)+len(v.Cash)))
	}
	return append(warnings, priceWarnings(v)...)
}

// priceWarnings say of which prices nobody may think that they are the market's of
// now.
func priceWarnings(v book.Valuation) []string {
	warnings := []string{}
	loud := map[string][]market.Symbol{}
	for _, l := range v.Lines {
		if !l.Value.Valid {
			continue
		}
		if flags := present.OriginOf(l.Price.Provenance).Loud(); flags != "" {
			loud[flags] = append(loud[flags], l.Symbol)
		}
		if asOf := l.Price.Provenance.AsOf; v.Day.Sub(asOf) > oldPrice {
			warnings = append(warnings, fmt.Sprintf("OLD: the newest price of %s is of %s", l.Symbol, present.Dated(asOf)))
		}
	}
	for _, flags := range slices.Sorted(maps.Keys(loud)) {
		warnings = append(warnings, fmt.Sprintf("%s: %s", flags, listed(loud[flags])))
	}
	return warnings
}

// unvaluedOf names what has no value in the base currency, with what to do.
func unvaluedOf(v book.Valuation) []unvalued {
	out := []unvalued{}
	for _, l := range v.Lines {
		switch {
		case l.Base.Valid:
		case l.Value.Valid:
			out = append(out, unvalued{string(l.Symbol), l.Missing, "ask in another currency, or look with fx_rate whether there is a rate"})
		default:
			out = append(out, unvalued{string(l.Symbol), l.Missing, howToPrice(l)})
		}
	}
	for _, c := range v.Cash {
		if !c.Base.Valid {
			out = append(out, unvalued{"cash in " + c.Currency, c.Missing, "ask in another currency, or look with fx_rate whether there is a rate"})
		}
	}
	return out
}

// howToPrice is the next move for a security without a price.
func howToPrice(l book.Line) string {
	name := string(l.Symbol)
	if l.ISIN != "" && l.ISIN != name {
		name = fmt.Sprintf("%s (ISIN %s)", l.Symbol, l.ISIN)
	}
	return fmt.Sprintf(`where %s goes by another symbol, find it with search_symbol and name it: portfolio_settings {"aliases":{%q:"SYMBOL"}} (nfa portfolio name %s SYMBOL)`, name, l.Symbol, l.Symbol)
}

// ratesOf are the exchange rates that a valuation counts with, once each.
func ratesOf(v book.Valuation) []rateLine {
	out := []rateLine{}
	add := func(r book.Rate) {
		same := func(have rateLine) bool { return have.Pair == r.Pair.String() }
		if r.Provenance.Source == "" || slices.ContainsFunc(out, same) {
			return
		}
		p := r.Provenance
		p.AsOf = r.Rate.Date
		out = append(out, rateLine{Pair: r.Pair.String(), Rate: r.Value, Date: present.Dated(r.Rate.Date), day: r.Rate.Date, Origin: present.OriginOf(p).WithoutAdjustment()})
	}
	for _, l := range v.Lines {
		add(l.Rate)
	}
	for _, c := range v.Cash {
		add(c.Rate)
	}
	return out
}

// untracked says of which accounts the book has no cash.
func untracked(o book.Opened, accounts []string) []string {
	var names []string
	for _, a := range o.Ledger.Accounts {
		if a.Cash == portfolio.CashUntracked && slices.Contains(accounts, a.Name) {
			names = append(names, a.Name)
		}
	}
	if len(names) == 0 {
		return []string{}
	}
	return []string{"the book does not keep the cash of " + strings.Join(names, ", ") + ": it is not in the total"}
}

// loudOf are the flags of several origins, once each: they stand in a summary.
func loudOf(origins []priceOrigin) string {
	var flags []string
	for _, o := range origins {
		if loud := o.Loud(); loud != "" && !slices.Contains(flags, loud) {
			flags = append(flags, loud)
		}
	}
	return strings.Join(flags, " ")
}

// summed is a summary with how many warnings there are, and the flags of prices.
func summed(summary string, warnings []string, loud string) string {
	switch n := len(warnings); n {
	case 0:
	case 1:
		summary += " · 1 warning"
	default:
		summary += fmt.Sprintf(" · %d warnings", n)
	}
	if loud != "" {
		summary += " · " + loud
	}
	return summary
}

func listed(symbols []market.Symbol) string {
	words := make([]string, len(symbols))
	for i, s := range symbols {
		words[i] = string(s)
	}
	return strings.Join(words, ", ")
}
