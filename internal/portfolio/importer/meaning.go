package importer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// CheckMeanings returns an error for a meaning that Mapping.Kinds does not allow.
func CheckMeanings(meanings map[string]string) error {
	for word, meaning := range meanings {
		if !slices.Contains(mappingMeanings(), meaning) {
			return fmt.Errorf("meaning of %q is %q: use one of %s", Shorten(word), Shorten(meaning), strings.Join(mappingMeanings(), ", "))
		}
	}
	return nil
}

// meaningRule returns the rule for a word that the user explained, or nil.
func (o Options) meaningRule(word string) *rule {
	for explained, meaning := range o.Meanings {
		if foldWord(explained) == foldWord(word) {
			r := ruleOf(word, meaning)
			r.book = nil
			return &r
		}
	}
	return nil
}

// meaning returns the kind of a payment whose words the user explained.
func (o Options) meaning(words string, amount decimal.Decimal) (portfolio.Kind, bool) {
	r := o.meaningRule(words)
	switch {
	case r == nil || r.ignore != "":
		return "", false
	case r.kind != "":
		return r.kind, true
	}
	return kindBySign(amount, r.in, r.out), true
}

// ruleOf returns the rule for one of a mapping's meanings.
func ruleOf(word, meaning string) rule {
	r := rule{words: foldWord(word), literal: true}
	switch meaning {
	case MeaningIgnore:
		r.ignore = "ignored as you requested"
	case MeaningTrade:
		r.in, r.out = portfolio.KindBuy, portfolio.KindSell
	case MeaningCash:
		r.in, r.out = portfolio.KindDeposit, portfolio.KindWithdrawal
	case MeaningCharge:
		r.in, r.out = portfolio.KindFeeRefund, portfolio.KindFee
	case MeaningLevy:
		r.in, r.out = portfolio.KindTaxRefund, portfolio.KindTax
	default:
		r.kind = portfolio.Kind(meaning)
	}
	return r
}
