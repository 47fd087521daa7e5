package prices

import (
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// Deps are the sources of the data.
type Deps struct {
	toolkit.Prices
	Quotes market.QuoteSource
	// Intraday is optional; without it, only daily and longer bars are available.
	Intraday market.IntradaySource
	// Options is optional; without it, option_chain is not available.
	Options market.OptionSource
	// Searches finds instruments that are not in the Directory. It is optional.
	Searches market.SearchSource
}

func (d Deps) latest() toolkit.LatestPrices {
	return toolkit.LatestPrices{Prices: d.Prices, Quotes: d.Quotes}
}

// Tools returns the tools for prices and instruments.
func Tools(d Deps) []tool.Tool {
	tools := []tool.Tool{
		newQuote(d),
		newPriceHistory(d),
		newCryptoPrice(d),
		newDividendsSplits(d),
		newSearchSymbol(d),
		newMarketStatus(d),
	}
	if d.Options != nil {
		tools = append(tools, newOptionChain(d))
	}
	return tools
}
