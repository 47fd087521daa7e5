package positions

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// StalePriceAge is how long a price may be the newest one: longer than any holidays.
const StalePriceAge = 7 * 24 * time.Hour

// PriceWarnings say of which prices nobody may think that they are the market's of
// now.
func (v Valuation) PriceWarnings() []string {
	warnings := []string{}
	loud := map[string][]market.Symbol{}
	for _, l := range v.Lines {
		if !l.Value.Valid {
			continue
		}
		if flags := toolkit.OriginOf(l.Price.Provenance).FlagText(); flags != "" {
			loud[flags] = append(loud[flags], l.Symbol)
		}
		if asOf := l.Price.Provenance.AsOf; v.Day.Sub(asOf) > StalePriceAge {
			warnings = append(warnings, fmt.Sprintf("OLD: the newest price of %s is of %s", l.Symbol, toolkit.FormatDate(asOf)))
		}
	}
	for _, flags := range slices.Sorted(maps.Keys(loud)) {
		warnings = append(warnings, fmt.Sprintf("%s: %s", flags, JoinSymbols(loud[flags])))
	}
	return warnings
}

// MissingValue is what a total leaves out.
type MissingValue struct {
	What   string `json:"what"`
	Reason string `json:"reason"`
	Do     string `json:"do"`
}

// MissingValues names what has no value in the base currency, with what to do.
func (v Valuation) MissingValues() []MissingValue {
	out := []MissingValue{}
	for _, l := range v.Lines {
		switch {
		case l.Base.Valid:
		case l.Value.Valid:
			out = append(out, MissingValue{string(l.Symbol), l.Missing, noRateAdvice})
		default:
			out = append(out, MissingValue{string(l.Symbol), l.Missing, pricingAdvice(l)})
		}
	}
	for _, c := range v.Cash {
		if !c.Base.Valid {
			out = append(out, MissingValue{"cash in " + c.Currency, c.Missing, noRateAdvice})
		}
	}
	return out
}

// noRateAdvice is the next move for a sum that could not be converted.
const noRateAdvice = "another currency may do; whether there is a rate says fx_rate (nfa fx)"

// pricingAdvice is the next move for a security without a price.
func pricingAdvice(l ValuedPosition) string {
	name := string(l.Symbol)
	if l.ISIN != "" && l.ISIN != name {
		name = fmt.Sprintf("%s (ISIN %s)", l.Symbol, l.ISIN)
	}
	return fmt.Sprintf(`where %s goes by another symbol, find it with search_symbol (nfa search) and name it: portfolio_settings {"aliases":{%q:"SYMBOL"}} (nfa portfolio name %s SYMBOL)`, name, l.Symbol, l.Symbol)
}

// JoinSymbols are symbols as a sentence lists them.
func JoinSymbols(symbols []market.Symbol) string {
	names := make([]string, len(symbols))
	for i, s := range symbols {
		names[i] = string(s)
	}
	return strings.Join(names, ", ")
}
