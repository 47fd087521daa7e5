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
	// Intraday is optional; nil leaves daily bars and longer.
	Intraday market.IntradaySource
	// Options is optional; nil omits its tool.
	Options market.OptionSource
	// Searches finds instruments that are not in the Directory; optional.
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
