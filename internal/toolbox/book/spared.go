package book

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

// Spared are the words with digits that tell nothing of the size of the book, so that
// they may stay where amounts are hidden: symbols, ISINs, accounts, the ratios of
// splits, and what the transactions of splits are named by. A ratio of the book is one
// of them in its lowest terms alone: else its numbers may be those that were held.
func (o Opened) Spared(series ...market.Series) []string {
	words := map[string]bool{}
	ratio := func(fresh, old decimal.Decimal) {
		words[fmt.Sprintf("%s:%s", fresh, old)] = true
		words[fmt.Sprintf(`"new":%s,"old":%s`, fresh, old)] = true
		words[fmt.Sprintf("--new %s --old %s", fresh, old)] = true
	}
	for _, a := range o.Ledger.Accounts {
		words[a.Name] = true
	}
	for _, t := range o.Transactions {
		for _, word := range wordsOf(t) {
			words[word] = true
		}
		if t.Kind != portfolio.KindSplit && t.Kind != portfolio.KindReverseSplit {
			continue
		}
		words[t.ID] = true
		if lowest(t.New, t.Old) {
			ratio(t.New, t.Old)
		}
	}
	for _, s := range series {
		words[string(s.Symbol)] = true
		for _, a := range s.Actions {
			if a.Kind != market.ActionDividend {
				ratio(a.New, a.Old)
			}
		}
	}
	return slices.Sorted(maps.Keys(withDigits(words)))
}

// wordsOf are those by which a transaction names securities.
func wordsOf(t portfolio.Transaction) []string {
	return []string{string(t.Symbol), t.ISIN, string(t.ToSymbol)}
}

func withDigits(words map[string]bool) map[string]bool {
	maps.DeleteFunc(words, func(word string, _ bool) bool { return !strings.ContainsAny(word, "0123456789") })
	return words
}

// lowest reports a ratio of whole numbers that have no common divisor.
func lowest(fresh, old decimal.Decimal) bool {
	if !fresh.IsInteger() || !old.IsInteger() {
		return false
	}
	return new(big.Int).GCD(nil, nil, fresh.BigInt(), old.BigInt()).Cmp(big.NewInt(1)) == 0
}

// Spared are the words of a valuation's book that stay where amounts are hidden.
func (v Valuation) Spared(o Opened) []string {
	series := make([]market.Series, len(v.Lines))
	for i, l := range v.Lines {
		series[i] = l.Price.Series
	}
	return o.Spared(series...)
}
