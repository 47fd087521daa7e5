package chart

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// exchangeLetters are the suffixes of one letter that name an exchange: London,
// Tokyo, Frankfurt and the Toronto venture exchange. Any other is a share class.
const exchangeLetters = "LTFV"

// Spelled is a symbol as Yahoo spells it: share classes stand after a hyphen.
func Spelled(sym market.Symbol) string {
	s := string(sym)
	n := len(s)
	if n < 3 || s[n-2] != '.' || strings.IndexByte(exchangeLetters, s[n-1]) >= 0 || s[n-1] < 'A' || s[n-1] > 'Z' {
		return s
	}
	return s[:n-2] + "-" + s[n-1:]
}

// SymbolOf is nfa's spelling of one of Yahoo's. It reports false for one that nfa
// cannot write in a way that leads back to it.
func SymbolOf(text string) (market.Symbol, bool) {
	sym, err := market.ParseSymbol(text)
	if err != nil || !strings.EqualFold(Spelled(sym), text) {
		return "", false
	}
	return sym, true
}

// SameSymbol reports whether Yahoo answered for what was asked. It leaves the
// dollar out of the name of a pair that begins with it.
func SameSymbol(asked, answered string) bool {
	return strings.EqualFold(asked, answered) ||
		strings.HasSuffix(asked, "=X") && len(asked) == len("USDEUR=X") && strings.EqualFold(asked, "USD"+answered)
}
