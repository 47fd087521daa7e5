package tiingo

import (
	"net/url"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/wire"
)

// path is the symbol as it stands in an address, with a hyphen before the class of
// a share. It is false for what is not listed in the United States.
func path(sym market.Symbol) (string, bool) {
	return url.PathEscape(wire.Hyphened(sym)), wire.American(sym)
}

// symbolOf is nfa's spelling of a ticker in an answer, empty where it has none.
func symbolOf(ticker string) market.Symbol {
	sym, err := market.ParseSymbol(ticker)
	if err != nil {
		return ""
	}
	return sym
}

// origin begins the provenance of prices.
func origin(endpoint string, answer fetch.Response) market.Provenance {
	return answer.Stamped(market.Provenance{
		Source: name, Endpoint: endpoint, Licence: licence, Currency: "USD", Unit: "price", Adjustment: market.AdjustmentRaw,
	})
}
