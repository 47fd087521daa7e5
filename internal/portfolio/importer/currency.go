package importer

import (
	"fmt"

	"github.com/nfa-cli/nfa/internal/market"
)

// ValidCurrency reports whether text has the form of an ISO 4217 code.
func ValidCurrency(text string) bool {
	return len(text) == 3 && isUpper(text[0]) && isUpper(text[1]) && isUpper(text[2])
}

// IsFiat tells the currencies of states from coins, of which many have codes of three
// letters too.
func IsFiat(code string) bool {
	switch code {
	case "USD", "EUR", "GBP", "CHF", "JPY", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "BGN", "TRY", "ILS", "ZAR",
		"BRL", "MXN", "ARS", "CLP", "COP", "INR", "IDR", "MYR", "PHP", "SGD", "HKD", "CNY", "TWD", "KRW", "THB", "VND", "AED", "SAR", "RUB", "UAH", "ISK":
		return true
	}
	return false
}

// rejectMinorUnits refuses sums in a hundredth of a currency: a balance of pence beside one of
// pounds is the same money by two names.
func rejectMinorUnits(currency string) error {
	if major, _ := market.MinorUnit(currency); major != "" {
		return fmt.Errorf("sums in %s, a part of one %s, and nothing in the file proves that all of them are: record the line by hand in %s", currency, major, major)
	}
	return nil
}
