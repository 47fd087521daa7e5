package tiingo

import (
	"net/url"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// symbolPath is the symbol as it stands in an address, with a hyphen before the class of
// a share.
func symbolPath(sym market.Symbol) string { return url.PathEscape(client.HyphenateClass(sym)) }

// symbolOf is nfa's spelling of a ticker in an answer, empty where it has none.
func symbolOf(ticker string) market.Symbol {
	sym, err := market.ParseSymbol(ticker)
	if err != nil {
		return ""
	}
	return sym
}
