package marketplace

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/sample"
	"github.com/nfa-cli/nfa/internal/market/symbology"
)

// Sources lists who is asked for what, the best first; the embedded sample stands
// behind all of them.
func (m *Market) Sources() market.Sources {
	if m.o.SampleAlone {
		return sampleOnly(sample.New(), symbology.New())
	}
	embedded := behind{sample.New()}
	p := m.providers()
	var (
		coins  = market.Only("coingecko", p.coingecko, isCoin)
		pairs  = market.Only("binance", p.binance, isCoin)
		tiingo = market.Only("tiingo", p.tiingo, isAmerican)
		cboe   = market.Only("cboe", p.cboe, isAmerican)
		nasdaq = market.Only("nasdaq", p.nasdaq, isAmerican)
		alpha  = market.Only("alphavantage", p.alphavantage, isAmerican)
		mass   = market.Only("massive", p.massive, isAmerican)
	)
	return market.Sources{
		Quotes: []market.QuoteSource{p.yahoo, coins, pairs, tiingo, p.finnhub, cboe, nasdaq, p.fmp, mass, alpha, embedded},
		// Binance before CoinGecko, which has a year.
		Bars: []market.BarSource{
			m.kept("yahoo", p.yahoo), m.kept("binance", pairs), m.kept("coingecko", coins), m.kept("tiingo", tiingo),
			m.kept("nasdaq", nasdaq), m.kept("cboe", cboe), m.kept("massive", mass), m.kept("alphavantage", alpha), embedded,
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

func sampleOnly(embedded *sample.Source, table *symbology.Table) market.Sources {
	return market.Sources{
		Quotes: []market.QuoteSource{embedded}, Bars: []market.BarSource{embedded}, Statements: []market.StatementSource{embedded},
		Filings: []market.FilingSource{embedded}, Series: []market.SeriesSource{embedded}, Searches: []market.SearchSource{table},
	}
}

// isCoin knows pairs of a coin and a currency.
func isCoin(sym market.Symbol) bool {
	_, ok := sym.CoinPair()
	return ok
}

// isAmerican knows what trades on the exchanges of the United States: symbols
// without the suffix of another.
func isAmerican(sym market.Symbol) bool {
	if _, ok := symbology.MIC(sym); ok || isCoin(sym) {
		return false
	}
	return !strings.ContainsAny(string(sym), "=&")
}
