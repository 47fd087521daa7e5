package yahoo

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// exchangeSuffixes are the suffixes of one letter that name an exchange: London,
// Tokyo, Frankfurt and the Toronto venture exchange. Any other is a share class.
const exchangeSuffixes = "LTFV"

// YahooSymbol is a symbol as Yahoo spells it: share classes stand after a hyphen.
func YahooSymbol(sym market.Symbol) string {
	s := string(sym)
	n := len(s)
	if n < 3 || s[n-2] != '.' || strings.IndexByte(exchangeSuffixes, s[n-1]) >= 0 || s[n-1] < 'A' || s[n-1] > 'Z' {
		return s
	}
	return s[:n-2] + "-" + s[n-1:]
}

// ParseYahooSymbol is nfa's spelling of one of Yahoo's. It reports false for one that nfa
// cannot write in a way that leads back to it.
func ParseYahooSymbol(text string) (market.Symbol, bool) {
	sym, err := market.ParseSymbol(text)
	if err != nil || !strings.EqualFold(YahooSymbol(sym), text) {
		return "", false
	}
	return sym, true
}

// SameYahooSymbol reports whether Yahoo answered for what was asked. It leaves the
// dollar out of the name of a pair that begins with it.
func SameYahooSymbol(requested, answered string) bool {
	return strings.EqualFold(requested, answered) ||
		strings.HasSuffix(requested, "=X") && len(requested) == len("USDEUR=X") && strings.EqualFold(requested, "USD"+answered)
}
