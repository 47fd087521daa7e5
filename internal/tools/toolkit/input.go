package toolkit

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// ParseCurrency returns a currency code in upper case, or "" for no text.
func ParseCurrency(text string) (string, error) {
	text = strings.ToUpper(strings.TrimSpace(text))
	if text == "" {
		return "", nil
	}
	if len(text) != 3 || strings.ContainsFunc(text, func(r rune) bool { return r < 'A' || r > 'Z' }) {
		return "", InvalidArgsf("invalid currency %.10q; use an ISO 4217 code such as USD", text)
	}
	return text, nil
}

// ParseDay parses the date in the argument name.
func ParseDay(name, text string) (market.Date, error) {
	d, err := time.Parse(time.DateOnly, strings.TrimSpace(text))
	if err != nil {
		return market.Date{}, InvalidArgsf("%s: %.20q is not a date; use YYYY-MM-DD", name, text)
	}
	if d.Year() < 1700 || d.Year() > 2400 {
		return market.Date{}, InvalidArgsf("%s: %s is out of range; use a year from 1700 to 2400", name, d.Format(time.DateOnly))
	}
	return d, nil
}

// Currencies with other than two decimals.
// Source: ISO 4217, minor units.
const (
	zeroDecimalCurrencies  = " BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF "
	threeDecimalCurrencies = " BHD IQD JOD KWD LYD OMR TND "
)

// CurrencyPlaces returns how many decimals amounts in a currency have; two for "".
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

// ParseExact parses the number in the argument name without rounding. It refuses numbers with too
// many digits before any arithmetic: an exponent of a billion takes a few bytes to write but
// gigabytes to add.
func ParseExact(name string, text json.Number) (decimal.Decimal, error) {
	const finest, largest, digits, longest = -18, 18, 38, 64
	if len(text) > longest {
		return decimal.Decimal{}, InvalidArgsf("%s %.40q is not a number with at most %d digits", name, text.String(), digits)
	}
	n, err := decimal.NewFromString(text.String())
	if err != nil || n.Exponent() < finest || n.Exponent() > largest || n.NumDigits() > digits {
		return decimal.Decimal{}, InvalidArgsf("%s %.40q is not a number with at most %d digits", name, text.String(), digits)
	}
	return n, nil
}

// ParseLimit returns limit, which must be from 1 to most, or standard if it is zero.
func ParseLimit(limit, standard, most int) (int, error) {
	if limit < 0 || limit > most {
		return 0, InvalidArgsf("limit %d is out of range; use 1 to %d", limit, most)
	}
	return cmp.Or(limit, standard), nil
}

// ParseSymbols returns the distinct symbols of a list and of a comma-separated text, in order.
func ParseSymbols(list []string, text string) []string {
	var out []string
	for _, text := range append(slices.Clone(list), text) {
		for symbol := range strings.SplitSeq(text, ",") {
			symbol = strings.TrimSpace(symbol)
			same := func(have string) bool { return strings.EqualFold(have, symbol) }
			if symbol != "" && !slices.ContainsFunc(out, same) {
				out = append(out, symbol)
			}
		}
	}
	return out
}

// ParseDays parses the dates of the caller's own closes: oldest first, without duplicates.
func ParseDays(texts []string) ([]market.Date, error) {
	days := make([]market.Date, len(texts))
	for i, text := range texts {
		day, err := ParseDay("date", text)
		switch {
		case err != nil:
			return nil, err
		case i > 0 && !day.After(days[i-1]):
			return nil, InvalidArgsf("date %.20s follows %.20s; list dates oldest first, each once", text, texts[i-1])
		}
		days[i] = day
	}
	return days, nil
}
