package offline

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// currencyWords are the ways in which people name a currency.
var currencyWords = map[string]string{
	"euro": "EUR", "euros": "EUR", "€": "EUR", "pound": "GBP", "pounds": "GBP", "sterling": "GBP", "british pounds": "GBP", "pounds sterling": "GBP", "£": "GBP", "yen": "JPY",
	"franc": "CHF", "francs": "CHF", "franken": "CHF", "swiss francs": "CHF", "yuan": "CNY", "renminbi": "CNY", "rmb": "CNY", "rupees": "INR",
	"dollar": "USD", "dollars": "USD", "bucks": "USD", "$": "USD", "us$": "USD", "us dollar": "USD", "us dollars": "USD",
	"canadian dollars": "CAD", "c$": "CAD", "ca$": "CAD", "australian dollars": "AUD", "a$": "AUD", "au$": "AUD", "hong kong dollars": "HKD", "hk$": "HKD",
	"singapore dollars": "SGD", "s$": "SGD", "new zealand dollars": "NZD", "nz$": "NZD",
	"swedish krona": "SEK", "swedish kronor": "SEK", "norwegian kroner": "NOK", "nok": "NOK", "danish kroner": "DKK", "zloty": "PLN", "mexican pesos": "MXN", "reais": "BRL", "korean won": "KRW", "rand": "ZAR",
}

// currencyCodes are the codes by which a currency is named. None is taken for a
// ticker; NOK is one, too (namesCurrency).
const currencyCodes = `USD EUR GBP JPY CHF CNY INR CAD AUD HKD SGD NZD SEK DKK PLN CZK HUF MXN BRL KRW ZAR TWD THB TRY ILS`

var currencies = sync.OnceValue(func() map[string]string {
	out := maps.Clone(currencyWords)
	for code := range strings.FieldsSeq(currencyCodes) {
		out[strings.ToLower(code)] = code
	}
	return out
})

// currencyPattern compiles a pattern at its first use. In it ‹currency› is the name,
// the code or the sign of a currency, ‹sign› a sign alone.
func currencyPattern(source string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		var all, signs []string
		for word := range currencies() {
			all = append(all, regexp.QuoteMeta(word))
			if strings.ContainsAny(word, "$€£") {
				signs = append(signs, regexp.QuoteMeta(word))
			}
		}
		return regexp.MustCompile(strings.NewReplacer("‹currency›", alternatives(slices.Values(all)), "‹sign›", alternatives(slices.Values(signs))).Replace(source))
	})
}

var inCurrency = currencyPattern(`(?:^|\s)(?:in|into|to|en) (?:the )?(‹currency›)(?:$|[\s?!.,;])`)

// findCurrency is the currency that an answer is asked for in, or "".
func findCurrency(low string) string {
	if m := inCurrency().FindStringSubmatch(low); m != nil {
		return currencies()[m[1]]
	}
	return ""
}
