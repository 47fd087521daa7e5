package book

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// OldPrice is how long a price may be the newest one: longer than any holidays.
const OldPrice = 7 * 24 * time.Hour

// PriceWarnings say of which prices nobody may think that they are the market's of
// now.
func (v Valuation) PriceWarnings() []string {
	warnings := []string{}
	loud := map[string][]market.Symbol{}
	for _, l := range v.Lines {
		if !l.Value.Valid {
			continue
		}
		if flags := present.OriginOf(l.Price.Provenance).Loud(); flags != "" {
			loud[flags] = append(loud[flags], l.Symbol)
		}
		if asOf := l.Price.Provenance.AsOf; v.Day.Sub(asOf) > OldPrice {
			warnings = append(warnings, fmt.Sprintf("OLD: the newest price of %s is of %s", l.Symbol, present.Dated(asOf)))
		}
	}
	for _, flags := range slices.Sorted(maps.Keys(loud)) {
		warnings = append(warnings, fmt.Sprintf("%s: %s", flags, Listed(loud[flags])))
	}
	return warnings
}

// Lack is what a total leaves out.
type Lack struct {
	What   string `json:"what"`
	Reason string `json:"reason"`
	Do     string `json:"do"`
}

// Lacks names what has no value in the base currency, with what to do.
func (v Valuation) Lacks() []Lack {
	out := []Lack{}
	for _, l := range v.Lines {
		switch {
		case l.Base.Valid:
		case l.Value.Valid:
			out = append(out, Lack{string(l.Symbol), l.Missing, noRate})
		default:
			out = append(out, Lack{string(l.Symbol), l.Missing, howToPrice(l)})
		}
	}
	for _, c := range v.Cash {
		if !c.Base.Valid {
			out = append(out, Lack{"cash in " + c.Currency, c.Missing, noRate})
		}
	}
	return out
}

// noRate is the next move for a sum that could not be converted.
const noRate = "another currency may do; whether there is a rate says fx_rate (nfa fx)"

// howToPrice is the next move for a security without a price.
func howToPrice(l Line) string {
	name := string(l.Symbol)
	if l.ISIN != "" && l.ISIN != name {
		name = fmt.Sprintf("%s (ISIN %s)", l.Symbol, l.ISIN)
	}
	return fmt.Sprintf(`where %s goes by another symbol, find it with search_symbol (nfa search) and name it: portfolio_settings {"aliases":{%q:"SYMBOL"}} (nfa portfolio name %s SYMBOL)`, name, l.Symbol, l.Symbol)
}

// Listed are symbols as a sentence lists them.
func Listed(symbols []market.Symbol) string {
	words := make([]string, len(symbols))
	for i, s := range symbols {
		words[i] = string(s)
	}
	return strings.Join(words, ", ")
}
