package question

import "github.com/nfa-cli/nfa/internal/pattern"

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
