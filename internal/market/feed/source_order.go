package feed

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
)

// Sources lists who is asked for what, the best first; the embedded sample stands
// behind all of them.
func (m *Market) Sources() market.Sources {
	if m.o.SampleOnly {
		return sampleOnly(NewSampleSource(), reference.NewSymbolTable())
	}
	embedded := sampleFallback{NewSampleSource()}
	p := m.providers()
	var (
		coins  = market.RestrictCoverage("coingecko", p.coingecko, isCoinPair)
		pairs  = market.RestrictCoverage("binance", p.binance, isCoinPair)
		tiingo = market.RestrictCoverage("tiingo", p.tiingo, isUSListed)
		cboe   = market.RestrictCoverage("cboe", p.cboe, isUSListed)
		nasdaq = market.RestrictCoverage("nasdaq", p.nasdaq, isUSListed)
		alpha  = market.RestrictCoverage("alphavantage", p.alphavantage, isUSListed)
		mass   = market.RestrictCoverage("massive", p.massive, isUSListed)
	)
	return market.Sources{
		Quotes: []market.QuoteSource{p.yahoo, coins, pairs, tiingo, p.finnhub, cboe, nasdaq, p.fmp, mass, alpha, embedded},
		// Binance before CoinGecko, which has a year.
		Bars: []market.BarSource{
			m.cacheBars("yahoo", p.yahoo), m.cacheBars("binance", pairs), m.cacheBars("coingecko", coins), m.cacheBars("tiingo", tiingo),
			m.cacheBars("nasdaq", nasdaq), m.cacheBars("cboe", cboe), m.cacheBars("massive", mass), m.cacheBars("alphavantage", alpha), embedded,
		},
		Statements: []market.StatementSource{p.edgar, p.yahoo, embedded},
		Profiles:   []market.ProfileSource{p.edgar, p.yahoo, p.tiingo, p.fmp, p.finnhub, p.massive, p.alphavantage},
		Filings:    []market.FilingSource{p.edgar, embedded},
		Insiders:   []market.InsiderSource{p.edgar},
		News:       []market.NewsSource{p.yahoo, p.rss, p.edgar, p.tiingo, p.finnhub, p.massive},
		Series:     []market.SeriesSource{p.fred, embedded},
		Curves:     []market.CurveSource{p.treasury, p.ecb},
		Rates:      []market.RateSource{p.ecb, p.frankfurter},
		Options:    []market.OptionSource{p.yahoo},
		Searches:   []market.SearchSource{p.yahoo, p.edgar, p.coingecko}, // the table is looked at first, as the Directory
		Web:        []market.WebSource{p.tavily, p.brave, p.searxng},
	}
}

func sampleOnly(embedded *SampleSource, table *reference.SymbolTable) market.Sources {
	return market.Sources{
		Quotes: []market.QuoteSource{embedded}, Bars: []market.BarSource{embedded}, Statements: []market.StatementSource{embedded},
		Filings: []market.FilingSource{embedded}, Series: []market.SeriesSource{embedded}, Searches: []market.SearchSource{table},
	}
}

// isCoinPair knows pairs of a coin and a currency.
func isCoinPair(sym market.Symbol) bool {
	_, ok := sym.CoinPair()
	return ok
}

// isUSListed knows what trades on the exchanges of the United States: symbols
// without the suffix of another.
func isUSListed(sym market.Symbol) bool {
	if _, ok := reference.MICOf(sym); ok || isCoinPair(sym) {
		return false
	}
	return !strings.ContainsAny(string(sym), "=&")
}
