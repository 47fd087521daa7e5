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

// ParseCurrency tidies a currency that a call names; none is "".
func ParseCurrency(text string) (string, error) {
	text = strings.ToUpper(strings.TrimSpace(text))
	if text == "" {
		return "", nil
	}
	if len(text) != 3 || strings.ContainsFunc(text, func(r rune) bool { return r < 'A' || r > 'Z' }) {
		return "", InvalidArgsf("currency %.10q: give an ISO 4217 code such as USD", text)
	}
	return text, nil
}

// ParseDay reads a whole day of a call, by the name of its argument.
func ParseDay(name, text string) (market.Date, error) {
	d, err := time.Parse(time.DateOnly, strings.TrimSpace(text))
	if err != nil {
		return market.Date{}, InvalidArgsf("%s %.20q is no date; write YYYY-MM-DD", name, text)
	}
	if d.Year() < 1700 || d.Year() > 2400 {
		return market.Date{}, InvalidArgsf("%s %s is too far away", name, d.Format(time.DateOnly))
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

// ParseExact is a number of a call digit by digit as it was written, by the name of its
// argument. Digits beyond those that are kept are refused before anybody reckons with
// them: an exponent of a billion is a few bytes to write and gigabytes to add.
func ParseExact(name string, text json.Number) (decimal.Decimal, error) {
	const finest, largest, digits, longest = -18, 18, 38, 64
	if len(text) > longest {
		return decimal.Decimal{}, InvalidArgsf("%s %.40q is no number of at most %d digits", name, text.String(), digits)
	}
	n, err := decimal.NewFromString(text.String())
	if err != nil || n.Exponent() < finest || n.Exponent() > largest || n.NumDigits() > digits {
		return decimal.Decimal{}, InvalidArgsf("%s %.40q is no number of at most %d digits", name, text.String(), digits)
	}
	return n, nil
}

// ParseLimit reads how many of something a call asks for, from 1 to most; standard if it does not say.
func ParseLimit(limit, standard, most int) (int, error) {
	if limit < 0 || limit > most {
		return 0, InvalidArgsf("limit %d; it is from 1 to %d", limit, most)
	}
	return cmp.Or(limit, standard), nil
}

// ParseSymbols lists the symbols of a call once each and in order: those of a list,
// and those of one text, divided by commas.
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

// ParseDays reads the dates of a caller's own closes, which are oldest first and each
// of another day.
func ParseDays(texts []string) ([]market.Date, error) {
	days := make([]market.Date, len(texts))
	for i, text := range texts {
		day, err := ParseDay("date", text)
		switch {
		case err != nil:
			return nil, err
		case i > 0 && !day.After(days[i-1]):
			return nil, InvalidArgsf("%.20s after %.20s; give the dates oldest first, each once", text, texts[i-1])
		}
		days[i] = day
	}
	return days, nil
}
