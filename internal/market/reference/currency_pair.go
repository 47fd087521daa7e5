package reference

import (
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// currencies returns the ISO 4217 codes of currencies with daily quotes.
func currencies() []string {
	return []string{
		"AED", "ARS", "AUD", "BGN", "BRL", "CAD", "CHF", "CLP", "CNH", "CNY", "COP", "CZK", "DKK", "EGP", "EUR", "GBP",
		"HKD", "HUF", "IDR", "ILS", "INR", "ISK", "JPY", "KRW", "KWD", "MXN", "MYR", "NOK", "NZD", "PEN", "PHP", "PLN",
		"QAR", "RON", "RSD", "SAR", "SEK", "SGD", "THB", "TRY", "TWD", "UAH", "USD", "UYU", "VND", "ZAR",
	}
}

func isCurrency(code string) bool {
	_, found := slices.BinarySearch(currencies(), code)
	return found
}

// pair parses pairs that are not in the table: two currencies ("EUR/USD", "EURUSD=X", "eurusd"), or a coin of
// the table in a currency other than the dollar ("BTC-EUR", "BTC/EUR").
func (ix *symbolIndex) pair(text string) (market.Instrument, bool) {
	spelled := strings.ToUpper(strings.TrimSpace(text))
	base, quote, cut := strings.Cut(strings.NewReplacer("/", "-", " ", "").Replace(spelled), "-")
	if !cut {
		letters := strings.TrimSuffix(base, "=X")
		if len(letters) != 6 {
			return market.Instrument{}, false
		}
		base, quote = letters[:3], letters[3:]
	}
	if base == quote || !isCurrency(quote) {
		return market.Instrument{}, false
	}
	if isCurrency(base) {
		return market.Instrument{Symbol: market.Symbol(base + quote + "=X"), Name: base + "/" + quote, Kind: "currency"}, true
	}
	place, known := ix.bySymbol(market.Symbol(base + "-USD"))
	if !cut || !known {
		return market.Instrument{}, false
	}
	listed := ix.instrument(place)
	if listed.Kind != "crypto" {
		return market.Instrument{}, false
	}
	coin, _, _ := strings.Cut(listed.Name, " in ")
	if quote == "USD" {
		return listed, true
	}
	return market.Instrument{Symbol: market.Symbol(base + "-" + quote), Name: coin + " in " + quote, Kind: "crypto"}, true
}
