package feed

import (
	"github.com/nfa-cli/nfa/internal/market/alphavantage"
	"github.com/nfa-cli/nfa/internal/market/binance"
	"github.com/nfa-cli/nfa/internal/market/cboe"
	"github.com/nfa-cli/nfa/internal/market/coingecko"
	"github.com/nfa-cli/nfa/internal/market/ecb"
	"github.com/nfa-cli/nfa/internal/market/edgar"
	"github.com/nfa-cli/nfa/internal/market/finnhub"
	"github.com/nfa-cli/nfa/internal/market/fmp"
	"github.com/nfa-cli/nfa/internal/market/frankfurter"
	"github.com/nfa-cli/nfa/internal/market/fred"
	"github.com/nfa-cli/nfa/internal/market/massive"
	"github.com/nfa-cli/nfa/internal/market/nasdaq"
	"github.com/nfa-cli/nfa/internal/market/rss"
	"github.com/nfa-cli/nfa/internal/market/tiingo"
	"github.com/nfa-cli/nfa/internal/market/treasury"
	"github.com/nfa-cli/nfa/internal/market/yahoo"
	"github.com/nfa-cli/nfa/internal/websearch"
)

// providers holds the live sources, each made once, so that all callers share what one
// remembers: a cookie, a list of tickers, a pause that the server asked for.
type providers struct {
	alphavantage *alphavantage.Source
	binance      *binance.Source
	brave        *websearch.Brave
	cboe         *cboe.Source
	coingecko    *coingecko.Source
	ecb          *ecb.Source
	edgar        *edgar.Source
	finnhub      *finnhub.Source
	fmp          *fmp.Source
	frankfurter  *frankfurter.Source
	fred         *fred.Source
	massive      *massive.Source
	nasdaq       *nasdaq.Source
	rss          *rss.Source
	searxng      *websearch.SearXNG
	tavily       *websearch.Tavily
	tiingo       *tiingo.Source
	treasury     *treasury.Source
	yahoo        *yahoo.Source
}

// providers makes them, a line each. Nothing is opened or asked.
func (m *Market) providers() providers {
	return providers{
		yahoo:       yahoo.New(m.o.Client, yahoo.Options{BaseURL: m.o.Base("yahoo"), Dir: m.o.Dir, Now: m.o.Now, Fresh: m.trading.quoteFresh, LastSession: m.trading.lastSession}),
		edgar:       edgar.New(m.o.Client, edgar.Options{BaseURL: m.o.Base("edgar"), Contact: m.o.Contact, Now: m.o.Now}),
		fred:        fred.New(m.o.Client, fred.Options{BaseURL: m.o.Base("fred"), Key: m.lazyKey("fred"), Now: m.o.Now}),
		treasury:    treasury.New(m.o.Client, treasury.Options{BaseURL: m.o.Base("treasury"), Now: m.o.Now}),
		ecb:         ecb.New(m.o.Client, ecb.Options{BaseURL: m.o.Base("ecb"), Now: m.o.Now}),
		frankfurter: frankfurter.New(m.o.Client, frankfurter.Options{BaseURL: m.o.Base("frankfurter"), Now: m.o.Now}),
		coingecko:   coingecko.New(m.o.Client, coingecko.Options{BaseURL: m.o.Base("coingecko"), Key: m.lazyKey("coingecko"), Now: m.o.Now}),
		binance:     binance.New(m.o.Client, binance.Options{BaseURL: m.o.Base("binance"), Now: m.o.Now}),
		rss:         rss.New(m.o.Client, rss.Options{BaseURL: m.o.Base("rss")}),
		nasdaq:      nasdaq.New(m.o.Client, nasdaq.Options{BaseURL: m.o.Base("nasdaq"), Now: m.o.Now}),
		cboe:        cboe.New(m.o.Client, cboe.Options{BaseURL: m.o.Base("cboe"), Now: m.o.Now}),

		tiingo:       tiingo.New(m.o.Client, tiingo.Options{BaseURL: m.o.Base("tiingo"), Key: m.lazyKey("tiingo"), Now: m.o.Now}),
		alphavantage: alphavantage.New(m.o.Client, alphavantage.Options{BaseURL: m.o.Base("alphavantage"), Key: m.lazyKey("alphavantage"), Now: m.o.Now}),
		finnhub:      finnhub.New(m.o.Client, finnhub.Options{BaseURL: m.o.Base("finnhub"), Key: m.lazyKey("finnhub"), Now: m.o.Now}),
		fmp:          fmp.New(m.o.Client, fmp.Options{BaseURL: m.o.Base("fmp"), Key: m.lazyKey("fmp"), Now: m.o.Now}),
		massive:      massive.New(m.o.Client, massive.Options{BaseURL: m.o.Base("massive"), Key: m.lazyKey("massive"), Now: m.o.Now}),
		tavily:       websearch.NewTavily(m.o.Client, websearch.TavilyOptions{BaseURL: m.o.Base("tavily"), Key: m.lazyKey("tavily")}),
		brave:        websearch.NewBrave(m.o.Client, websearch.BraveOptions{BaseURL: m.o.Base("brave"), Key: m.lazyKey("brave")}),
		searxng:      websearch.NewSearXNG(m.o.Client, websearch.SearXNGOptions{BaseURL: m.o.SearXNG}),
	}
}
