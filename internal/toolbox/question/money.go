package question

import (
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// Currency tidies a currency that a call names; none is "".
func Currency(text string) (string, error) {
	text = strings.ToUpper(strings.TrimSpace(text))
	if text == "" {
		return "", nil
	}
	if len(text) != 3 || strings.ContainsFunc(text, func(r rune) bool { return r < 'A' || r > 'Z' }) {
		return "", fmt.Errorf("currency %.10q: give an ISO 4217 code such as USD", text)
	}
	return text, nil
}

// Day reads a whole day of a call, by the name of its argument.
func Day(name, text string) (market.Date, error) {
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
	wholeUnits  = " BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF "
	thousandths = " BHD IQD JOD KWD LYD OMR TND "
)

// PlacesOf is how many decimals sums of a currency have: two where it is not named.
func PlacesOf(currency string) int32 {
	code := " " + currency + " "
	switch {
	case currency == "":
	case strings.Contains(wholeUnits, code):
		return 0
	case strings.Contains(thousandths, code):
		return 3
	}
	return 2
}
