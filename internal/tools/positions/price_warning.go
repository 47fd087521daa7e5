package positions

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// StalePriceAge is the age at which the latest price counts as old. No holiday lasts longer.
const StalePriceAge = 7 * 24 * time.Hour

// warn adds warnings about a valuation, the most important first. It returns the securities whose
// splits no source reports.
func (v Valuation) warn(o Portfolio, n *toolkit.Notes) (unchecked []market.Symbol) {
	n.WarnEach("later_transactions", o.LaterWarnings...)
	unchecked = o.WarnOfSplits(v, n)
	if missing := groupMissing(v.MissingValues()); len(missing) <= maxReasons {
		for _, m := range missing {
			n.Warn("no_value", "No market value, so excluded from the total and the weights: %s. %s", m.What, m.sentence())
		}
	} else {
		var names []string
		for _, m := range v.MissingValues() {
			names = append(names, m.What)
		}
		n.Warn("no_value", "No market value, so excluded from the total and the weights: %s.", toolkit.JoinFew(names))
	}
	v.WarnOfPrices(n)
	return unchecked
}

// WarnOfPrices warns about prices that are old or flagged.
func (v Valuation) WarnOfPrices(n *toolkit.Notes) {
	type doubt struct{ day, flags string }
	doubted := map[doubt][]market.Symbol{}
	for _, l := range v.Lines {
		if !l.Value.Valid {
			continue
		}
		d := doubt{flags: toolkit.OriginOf(l.Price.Provenance).FlagText()}
		if asOf := l.Price.Provenance.AsOf; v.Day.Sub(asOf) > StalePriceAge {
			d.day = toolkit.FormatDate(asOf)
		}
		if d != (doubt{}) {
			doubted[d] = append(doubted[d], l.Symbol)
		}
	}
	for _, d := range slices.SortedFunc(maps.Keys(doubted), func(x, y doubt) int {
		return cmp.Or(cmp.Compare(y.day, x.day), cmp.Compare(x.flags, y.flags))
	}) {
		symbols := JoinSymbols(doubted[d])
		switch {
		case d.flags == "":
			n.Warn("old_price", "The newest price of %s is as of %s.", symbols, d.day)
		case d.day == "":
			n.Warn("flagged_price", "%s: %s.", d.flags, symbols)
		default:
			n.Warn("flagged_price", "%s: the newest price of %s is as of %s.", d.flags, symbols, d.day)
		}
	}
}

// MissingValue is a position or cash balance without a market value.
type MissingValue struct {
	What   string `json:"what"`
	Reason string `json:"reason"`
	Do     string `json:"do"`
}

// maxReasons is the maximum number of reasons for missing values in warnings; a table lists more of them.
const maxReasons = 2

// groupMissing combines what has no value for the same reason.
func groupMissing(all []MissingValue) []MissingValue {
	var groups []MissingValue
	names := map[MissingValue][]string{}
	for _, m := range all {
		key := MissingValue{Reason: strings.TrimPrefix(m.Reason, "no price for "+m.What+": "), Do: m.Do}
		if len(names[key]) == 0 {
			groups = append(groups, key)
		}
		names[key] = append(names[key], m.What)
	}
	for i, key := range groups {
		groups[i].What = toolkit.JoinFew(names[key])
	}
	return groups
}

// sentence says why there is no value and, unless it is only to wait, what to do.
func (m MissingValue) sentence() string {
	text := strings.ToUpper(m.Reason[:1]) + m.Reason[1:]
	if m.Do != tryLater {
		text += "; " + m.Do
	}
	return strings.TrimSuffix(text, ".") + "."
}

// MissingValues lists what has no value in the base currency, with the next step.
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

// tryLater is the next step if the sources may have a price.
const tryLater = "try again later"

// noRateAdvice is the next step for an amount that could not be converted.
const noRateAdvice = "try another currency; fx_rate (nfa fx) shows which rates are available"

// pricingAdvice returns the next step for a security without a price.
func pricingAdvice(l ValuedPosition) string {
	if !l.Unlisted {
		return tryLater
	}
	name := string(l.Symbol)
	if l.ISIN != "" && l.ISIN != name {
		name = fmt.Sprintf("%s (ISIN %s)", l.Symbol, l.ISIN)
	}
	return fmt.Sprintf(`if %s has another symbol, find it with search_symbol (nfa search), then map it: portfolio_settings {"aliases":{%q:"SYMBOL"}} (nfa portfolio map %s SYMBOL)`, name, l.Symbol, l.Symbol)
}

// JoinSymbols joins symbols as a list in a sentence.
func JoinSymbols(symbols []market.Symbol) string {
	var names []string
	for _, s := range symbols {
		if !slices.Contains(names, string(s)) {
			names = append(names, string(s))
		}
	}
	return strings.Join(names, ", ")
}
