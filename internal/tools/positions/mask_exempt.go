package positions

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// MaskExemptions are words with digits that do not reveal the size of the portfolio, so that
// they may stay if amounts are hidden: symbols, ISINs, accounts, split ratios, and the IDs of
// split transactions. A ratio is exempt only in its lowest terms, because otherwise its numbers
// may be quantities that were held.
func (o Portfolio) MaskExemptions(series ...market.Series) []string {
	exempt := map[string]bool{}
	ratio := func(fresh, old decimal.Decimal) {
		exempt[fmt.Sprintf("%s:%s", fresh, old)] = true
		exempt[fmt.Sprintf(`"new":%s,"old":%s`, fresh, old)] = true
		exempt[fmt.Sprintf("--new %s --old %s", fresh, old)] = true
	}
	for _, a := range o.Ledger.Accounts {
		exempt[a.Name] = true
	}
	for _, t := range o.Transactions {
		for _, name := range securityNames(t) {
			exempt[name] = true
		}
		if t.Kind != portfolio.KindSplit && t.Kind != portfolio.KindReverseSplit {
			continue
		}
		exempt[t.ID] = true
		if inLowestTerms(t.New, t.Old) {
			ratio(t.New, t.Old)
		}
	}
	for _, s := range series {
		exempt[string(s.Symbol)] = true
		for _, a := range s.Actions {
			if a.Kind != market.ActionDividend {
				ratio(a.New, a.Old)
			}
		}
	}
	return slices.Sorted(maps.Keys(keepWithDigits(exempt)))
}

// securityNames are those by which a transaction names securities.
func securityNames(t portfolio.Transaction) []string {
	return []string{string(t.Symbol), t.ISIN, string(t.ToSymbol)}
}

func keepWithDigits(texts map[string]bool) map[string]bool {
	maps.DeleteFunc(texts, func(text string, _ bool) bool { return !strings.ContainsAny(text, "0123456789") })
	return texts
}

// inLowestTerms reports a ratio of whole numbers that have no common divisor.
func inLowestTerms(fresh, old decimal.Decimal) bool {
	if !fresh.IsInteger() || !old.IsInteger() {
		return false
	}
	return new(big.Int).GCD(nil, nil, fresh.BigInt(), old.BigInt()).Cmp(big.NewInt(1)) == 0
}

// MaskExemptions are the words of a valued portfolio that stay if amounts are hidden.
func (v Valuation) MaskExemptions(o Portfolio) []string {
	series := make([]market.Series, len(v.Lines))
	for i, l := range v.Lines {
		series[i] = l.Price.Series
	}
	return o.MaskExemptions(series...)
}
