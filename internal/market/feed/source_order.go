package feed

import (
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
)

// Sources lists the sources for each kind of data, best first: live ones, then stored prices, and, in a data
// folder that has never been online, the sample data. Providers not preferred for a kind follow in the order
// of Providers.
func (m *Market) Sources() market.Sources {
	if m.o.SampleOnly {
		return sampleOnly(NewSampleSource(), reference.NewSymbolTable())
	}
	s, embedded := m.OwnSources(), sampleFallback{sample: NewSampleSource(), replaced: m.online.everOnline}
	s.Quotes, s.Bars = append(s.Quotes, embedded), append(s.Bars, embedded)
	s.Statements, s.Filings, s.Series = append(s.Statements, embedded), append(s.Filings, embedded), append(s.Series, embedded)
	return s
}

// liveSources lists the sources that use the network.
func (m *Market) liveSources() market.Sources {
	live := m.built()
	var bars []market.BarSource
	for _, p := range m.barProviders() {
		bars = append(bars, m.cacheBars(p.Name, p.source.(market.BarSource)))
	}
	return market.Sources{
		Quotes:     sourcesOf[market.QuoteSource](m.covered(), "yahoo", "coingecko", "binance", "tiingo", "finnhub", "cboe", "nasdaq"),
		Bars:       bars,
		Intraday:   sourcesOf[market.IntradaySource](live, "yahoo", "binance"),
		Earnings:   sourcesOf[market.EarningsSource](live),
		Statements: sourcesOf[market.StatementSource](live, "edgar"),
		Profiles:   sourcesOf[market.ProfileSource](live, "edgar", "yahoo", "tiingo", "fmp"),
		Filings:    sourcesOf[market.FilingSource](live),
		Insiders:   sourcesOf[market.InsiderSource](live),
		News:       sourcesOf[market.NewsSource](live, "yahoo", "rss"),
		Series:     sourcesOf[market.SeriesSource](live),
		Curves:     sourcesOf[market.CurveSource](live),
		Rates:      sourcesOf[market.RateSource](live),
		Options:    sourcesOf[market.OptionSource](live),
		Searches:   sourcesOf[market.SearchSource](live), // the symbol table is searched first, as the Directory
		Web:        sourcesOf[market.WebSource](live),
	}
}

func sampleOnly(embedded *SampleSource, table *reference.SymbolTable) market.Sources {
	return market.Sources{
		Quotes: []market.QuoteSource{embedded}, Bars: []market.BarSource{embedded}, Statements: []market.StatementSource{embedded},
		Filings: []market.FilingSource{embedded}, Series: []market.SeriesSource{embedded}, Searches: []market.SearchSource{table},
	}
}

// preferred returns all with the named ones first, in the order of the names.
func preferred[P any](all []P, name func(P) string, names ...string) []P {
	rank := func(p P) int {
		if at := slices.Index(names, name(p)); at >= 0 {
			return at
		}
		return len(names)
	}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b P) int { return rank(a) - rank(b) })
	return all
}

// sourcesOf returns the sources of one kind, the named providers first.
func sourcesOf[S any](all []builtProvider, names ...string) []S {
	var out []S
	for _, p := range preferred(all, func(p builtProvider) string { return p.Name }, names...) {
		if s, ok := p.source.(S); ok {
			out = append(out, s)
		}
	}
	return out
}

// barProviders returns the providers of bars, the best first.
func (m *Market) barProviders() []builtProvider {
	all := slices.DeleteFunc(m.covered(), func(p builtProvider) bool {
		_, ok := p.source.(market.BarSource)
		return !ok
	})
	// Binance before CoinGecko, which has only one year.
	return preferred(all, func(p builtProvider) string { return p.Name }, "yahoo", "binance", "coingecko", "tiingo")
}

// priceSources returns the providers with their price sources restricted: a source is used only for symbols
// that it covers, and not again for a symbol that it did not know.
func (m *Market) priceSources() []builtProvider {
	all := slices.Clone(m.built())
	for i, p := range all {
		prices, ok := p.source.(market.PriceSource)
		if !ok {
			continue
		}
		prices = rememberUnknown(p.Name, prices)
		if p.Covers != nil {
			prices = market.RestrictCoverage(p.Name, prices, p.Covers)
		}
		all[i].source = prices
	}
	return all
}
