package feed

import (
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
)

// Sources lists who is asked for what, the best first; the sample data comes last. Providers that
// are not named for a kind of data follow in the order of Providers.
func (m *Market) Sources() market.Sources {
	if m.o.SampleOnly {
		return sampleOnly(NewSampleSource(), reference.NewSymbolTable())
	}
	embedded := sampleFallback{NewSampleSource()}
	live := m.built()
	var bars []market.BarSource
	for _, p := range m.barProviders() {
		bars = append(bars, m.cacheBars(p.Name, p.source.(market.BarSource)))
	}
	return market.Sources{
		Quotes:     append(sourcesOf[market.QuoteSource](m.covered(), "yahoo", "coingecko", "binance", "tiingo", "finnhub", "cboe", "nasdaq"), embedded),
		Bars:       append(bars, embedded),
		Statements: append(sourcesOf[market.StatementSource](live, "edgar"), embedded),
		Profiles:   sourcesOf[market.ProfileSource](live, "edgar", "yahoo", "tiingo", "fmp"),
		Filings:    append(sourcesOf[market.FilingSource](live), embedded),
		Insiders:   sourcesOf[market.InsiderSource](live),
		News:       sourcesOf[market.NewsSource](live, "yahoo", "rss"),
		Series:     append(sourcesOf[market.SeriesSource](live), embedded),
		Curves:     sourcesOf[market.CurveSource](live),
		Rates:      sourcesOf[market.RateSource](live),
		Options:    sourcesOf[market.OptionSource](live),
		Searches:   sourcesOf[market.SearchSource](live), // the table is looked at first, as the Directory
		Web:        sourcesOf[market.WebSource](live),
	}
}

func sampleOnly(embedded *SampleSource, table *reference.SymbolTable) market.Sources {
	return market.Sources{
		Quotes: []market.QuoteSource{embedded}, Bars: []market.BarSource{embedded}, Statements: []market.StatementSource{embedded},
		Filings: []market.FilingSource{embedded}, Series: []market.SeriesSource{embedded}, Searches: []market.SearchSource{table},
	}
}
