// Package marketdata holds the tools that hand on what the sources know: prices,
// economic series and filings, each with where it is from and how old it is. A
// new one is a file of its own and a line in Tools.
package marketdata

import (
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// Deps are the sources of the data.
type Deps struct {
	question.Prices
	Quotes market.QuoteSource
	// Series and Filings may be missing, and then so are their tools.
	Series  market.SeriesSource
	Filings market.FilingSource
}

// Tools lists the tools of the room, one line each.
func Tools(d Deps) []tool.Tool {
	tools := []tool.Tool{
		newQuote(d),
		newPriceHistory(d),
	}
	if d.Series != nil {
		tools = append(tools, newMacroSeries(d))
	}
	if d.Filings != nil {
		tools = append(tools, newFilings(d), newFilingSection(d))
	}
	return tools
}
