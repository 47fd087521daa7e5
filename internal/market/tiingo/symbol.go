package tiingo

import (
	"net/url"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// symbolPath is the symbol as it stands in an address, with a hyphen before the class of
// a share. It is false for what is not listed in the United States.
func symbolPath(sym market.Symbol) (string, bool) {
	return url.PathEscape(client.HyphenateClass(sym)), client.IsUSListed(sym)
}

// symbolOf is nfa's spelling of a ticker in an answer, empty where it has none.
func symbolOf(ticker string) market.Symbol {
	sym, err := market.ParseSymbol(ticker)
	if err != nil {
		return ""
	}
	return sym
}

// newPriceProvenance returns the provenance of prices.
func (s *Source) newPriceProvenance(endpoint string, asOf time.Time, answer client.Response) market.Provenance {
	p := s.client.NewProvenance(endpoint, asOf, answer)
	p.Currency, p.Unit, p.Adjustment = "USD", "price", market.AdjustmentRaw
	return p
}
