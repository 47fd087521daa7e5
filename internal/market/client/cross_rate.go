package client

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Euro is the base currency of the published reference rates.
const Euro = "EUR"

// crossRateDigits is the number of significant digits of a cross rate; published rates have six.
const crossRateDigits = 10

// CrossRate returns the rate of a pair from euro rates of one day: quote per euro divided by base
// per euro. It reports false if one of them is missing.
func CrossRate(pair market.Pair, perEuro map[string]decimal.Decimal) (decimal.Decimal, bool) {
	leg := func(code string) (decimal.Decimal, bool) {
		if code == Euro {
			return decimal.NewFromInt(1), true
		}
		rate, ok := perEuro[code]
		return rate, ok && rate.IsPositive()
	}
	base, hasBase := leg(pair.Base)
	quote, hasQuote := leg(pair.Quote)
	if !hasBase || !hasQuote {
		return decimal.Decimal{}, false
	}
	if pair.Base == Euro {
		return quote, true
	}
	value := RoundSignificant(quote.DivRound(base, 3*crossRateDigits), crossRateDigits)
	return value, value.IsPositive()
}

// CrossRateNote describes how the rate of a pair was computed from reference rates.
func CrossRateNote(pair market.Pair) string {
	switch {
	case pair.Base == Euro:
		return "Reference rate of the ECB, about 14:15 CET; not a trading price."
	case pair.Quote == Euro:
		return fmt.Sprintf("Reference rate of the ECB, about 14:15 CET: 1 divided by %s per euro.", pair.Base)
	}
	return fmt.Sprintf("Cross rate of ECB reference rates of the same day: %s per euro divided by %s per euro.", pair.Quote, pair.Base)
}

// RoundSignificant rounds d to a number of significant digits.
func RoundSignificant(d decimal.Decimal, digits int) decimal.Decimal {
	return d.Round(int32(digits - d.NumDigits() - int(d.Exponent())))
}
