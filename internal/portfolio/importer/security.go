package importer

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/market"
)

// ParseSecurity returns the ticker in nfa's spelling and the ISIN. If the ticker is missing the
// ISIN takes its place until an alias maps it to a better symbol. An ISIN with a wrong check digit
// is an error, and so is a line with neither.
func ParseSecurity(ticker, isin string) (market.Symbol, string, error) {
	ticker, isin = strings.TrimSpace(ticker), strings.ToUpper(strings.TrimSpace(isin))
	if isin != "" && !ValidISIN(isin) {
		return "", "", fmt.Errorf("ISIN %q has a wrong check digit: check the number", Shorten(isin))
	}
	switch {
	case ticker == "" && isin == "":
		return "", "", fmt.Errorf("missing security")
	case ticker == "":
		return market.Symbol(isin), isin, nil
	}
	symbol, err := ParseTicker(ticker)
	if err != nil {
		return "", "", err
	}
	return symbol, isin, nil
}

// optionPattern matches option symbols of US exchanges: "AAPL 240119C00150000".
var optionPattern = lazyregexp.New(`^[A-Z0-9.]{1,6} *[0-9]{6}[CP][0-9]{8}$`)

// ParseTicker returns a ticker in nfa's spelling. An option symbol is an error, because its price
// is per share and its contract for a hundred.
func ParseTicker(text string) (market.Symbol, error) {
	if optionPattern().MatchString(strings.ToUpper(strings.TrimSpace(text))) {
		return "", fmt.Errorf("option %s: options are not supported; enter the cash received or paid by hand", Shorten(text))
	}
	return market.ParseSymbol(text)
}

// CoinSymbol returns the symbol of a coin: its pair with the dollar, whatever currency was paid, so that it
// is the same position everywhere. Invalid codes and currencies are errors.
func CoinSymbol(code string) (market.Symbol, error) {
	if IsFiat(strings.ToUpper(strings.TrimSpace(code))) {
		return "", fmt.Errorf("%s is a currency, not a coin; enter the transaction by hand as an exchange, or as a sale of the coin", Shorten(code))
	}
	symbol, err := market.ParseSymbol(strings.TrimSpace(code) + "-USD")
	if _, pair := symbol.CoinPair(); err != nil || !pair {
		return "", fmt.Errorf("%q is not a coin code; enter the transaction by hand", Shorten(code))
	}
	return symbol, nil
}

// ValidISIN reports whether text is an International Securities Identification Number (ISO 6166)
// with a valid check digit: two letters, nine letters or digits, and the digit that makes the Luhn
// sum a multiple of ten, each letter counting as a two-digit number from 10.
func ValidISIN(text string) bool {
	if len(text) != 12 || !isUpper(text[0]) || !isUpper(text[1]) || !isDigit(text[11]) {
		return false
	}
	sum, double := 0, false
	add := func(d int) {
		if double {
			d = d*2/10 + d*2%10
		}
		sum, double = sum+d, !double
	}
	for i := len(text) - 1; i >= 0; i-- {
		switch c := text[i]; {
		case isDigit(c):
			add(int(c - '0'))
		case isUpper(c):
			value := int(c-'A') + 10
			add(value % 10)
			add(value / 10)
		default:
			return false
		}
	}
	return sum%10 == 0
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
