package offline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/pattern"
)

// currencyWords are the ways in which people name a currency.
var currencyWords = map[string]string{
	"euro": "EUR", "euros": "EUR", "eur": "EUR", "€": "EUR", "pound": "GBP", "pounds": "GBP", "sterling": "GBP", "gbp": "GBP", "£": "GBP",
	"yen": "JPY", "jpy": "JPY", "franc": "CHF", "francs": "CHF", "chf": "CHF", "yuan": "CNY", "renminbi": "CNY", "rmb": "CNY", "cny": "CNY",
	"rupees": "INR", "inr": "INR", "cad": "CAD", "aud": "AUD", "dollar": "USD", "dollars": "USD", "usd": "USD", "bucks": "USD", "$": "USD",
}

var inCurrency = pattern.Lazy(`(?:^|\s)(?:in|into|to|en) (?:the |us |swiss |british )?(euros?|eur|€|pounds?|sterling|gbp|£|yen|jpy|francs?|chf|yuan|renminbi|rmb|cny|rupees|inr|cad|aud|dollars?|usd)(?:$|[\s?!.,;])`)

// findCurrency is the currency that an answer is asked for in, or "".
func findCurrency(low string) string {
	if m := inCurrency().FindStringSubmatch(low); m != nil {
		return currencyWords[m[1]]
	}
	return ""
}

// unconverted says that figures are in another currency than was asked for.
func (in intent) unconverted(outcomes []outcome) string {
	if in.currency == "" {
		return ""
	}
	var units []string
	for _, o := range outcomes {
		for _, priced := range append(o.result.objects("quotes"), o.result) {
			if u := priced.unit(); u != "" && u != in.currency && !slices.Contains(units, u) {
				units = append(units, u)
			}
		}
	}
	if len(units) == 0 {
		return ""
	}
	return fmt.Sprintf("! You asked in %s; no conversion is available here. The figures are in %s.", in.currency, strings.Join(units, " and "))
}
