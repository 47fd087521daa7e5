package main

import (
	"github.com/nfa-cli/nfa/internal/market/alphavantage"
	"github.com/nfa-cli/nfa/internal/market/binance"
	"github.com/nfa-cli/nfa/internal/market/brave"
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
	"github.com/nfa-cli/nfa/internal/market/searxng"
	"github.com/nfa-cli/nfa/internal/market/tavily"
	"github.com/nfa-cli/nfa/internal/market/tiingo"
	"github.com/nfa-cli/nfa/internal/market/treasury"
	"github.com/nfa-cli/nfa/internal/market/yahoo"
)

// providers are the live sources, each made once: what one remembers (a cookie, a
// list of tickers, a pause it was told to make) counts for all that ask it.
type providers struct {
	alphavantage *alphavantage.Source
	binance      *binance.Source
	brave        *brave.Source
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
	searxng      *searxng.Source
	tavily       *tavily.Source
	tiingo       *tiingo.Source
	treasury     *treasury.Source
	yahoo        *yahoo.Source
}

// providers makes them, a line each. Nothing is opened or asked.
func (m *marketplace) providers() providers {
	return providers{
		yahoo:       yahoo.New(m.client, yahoo.Options{BaseURL: m.base("yahoo"), Dir: m.dir, Now: clock, Fresh: m.trading.quoteFresh, LastSession: m.trading.lastSession}),
		edgar:       edgar.New(m.client, edgar.Options{BaseURL: m.base("edgar"), Contact: m.cfg.Data.SECContact, Now: clock}),
		fred:        fred.New(m.client, fred.Options{BaseURL: m.base("fred"), Key: m.keyOf("fred"), Now: clock}),
		treasury:    treasury.New(m.client, treasury.Options{BaseURL: m.base("treasury"), Now: clock}),
		ecb:         ecb.New(m.client, ecb.Options{BaseURL: m.base("ecb"), Now: clock}),
		frankfurter: frankfurter.New(m.client, frankfurter.Options{BaseURL: m.base("frankfurter"), Now: clock}),
		coingecko:   coingecko.New(m.client, coingecko.Options{BaseURL: m.base("coingecko"), Key: m.keyOf("coingecko"), Now: clock}),
		binance:     binance.New(m.client, binance.Options{BaseURL: m.base("binance"), Now: clock}),
		rss:         rss.New(m.client, rss.Options{BaseURL: m.base("rss")}),
		nasdaq:      nasdaq.New(m.client, nasdaq.Options{BaseURL: m.base("nasdaq"), Now: clock}),
		cboe:        cboe.New(m.client, cboe.Options{BaseURL: m.base("cboe"), Now: clock}),

		tiingo:       tiingo.New(m.client, tiingo.Options{BaseURL: m.base("tiingo"), Key: m.keyOf("tiingo"), Now: clock}),
		alphavantage: alphavantage.New(m.client, alphavantage.Options{BaseURL: m.base("alphavantage"), Key: m.keyOf("alphavantage"), Now: clock}),
		finnhub:      finnhub.New(m.client, finnhub.Options{BaseURL: m.base("finnhub"), Key: m.keyOf("finnhub"), Now: clock}),
		fmp:          fmp.New(m.client, fmp.Options{BaseURL: m.base("fmp"), Key: m.keyOf("fmp"), Now: clock}),
		massive:      massive.New(m.client, massive.Options{BaseURL: m.base("massive"), Key: m.keyOf("massive"), Now: clock}),
		tavily:       tavily.New(m.client, tavily.Options{BaseURL: m.base("tavily"), Key: m.keyOf("tavily")}),
		brave:        brave.New(m.client, brave.Options{BaseURL: m.base("brave"), Key: m.keyOf("brave")}),
		searxng:      searxng.New(m.client, searxng.Options{BaseURL: m.cfg.Data.SearXNG}),
	}
}
