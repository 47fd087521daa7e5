package toolkit

import (
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// ParseCurrency tidies a currency that a call names; none is "".
func ParseCurrency(text string) (string, error) {
	text = strings.ToUpper(strings.TrimSpace(text))
	if text == "" {
		return "", nil
	}
	if len(text) != 3 || strings.ContainsFunc(text, func(r rune) bool { return r < 'A' || r > 'Z' }) {
		return "", fmt.Errorf("currency %.10q: give an ISO 4217 code such as USD", text)
	}
	return text, nil
}

// ParseDay reads a whole day of a call, by the name of its argument.
func ParseDay(name, text string) (market.Date, error) {
	d, err := time.Parse(time.DateOnly, strings.TrimSpace(text))
	if err != nil {
		return market.Date{}, fmt.Errorf("%s %.20q is no date; write YYYY-MM-DD", name, text)
	}
	if d.Year() < 1700 || d.Year() > 2400 {
		return market.Date{}, fmt.Errorf("%s %s is too far away", name, d.Format(time.DateOnly))
	}
	return d, nil
}

// The currencies that have no hundredths: none below the whole, or thousandths.
// Source: ISO 4217, minor units.
const (
	zeroDecimalCurrencies  = " BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF "
	threeDecimalCurrencies = " BHD IQD JOD KWD LYD OMR TND "
)

// CurrencyPlaces is how many decimals sums of a currency have: two where it is not named.
func CurrencyPlaces(currency string) int32 {
	code := " " + currency + " "
	switch {
	case currency == "":
	case strings.Contains(zeroDecimalCurrencies, code):
		return 0
	case strings.Contains(threeDecimalCurrencies, code):
		return 3
	}
	return 2
}
