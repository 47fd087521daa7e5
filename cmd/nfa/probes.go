package main

import (
	"context"
	"slices"
	"time"

	"github.com/nfa-cli/nfa/internal/llm/openai/provider"
	"github.com/nfa-cli/nfa/internal/market"
)

// need is what a provider wants before it can be asked.
type need string

// Needs of providers.
const (
	needNothing need = ""
	needKey     need = "key"
	needContact need = "sec.contact"
	needServer  need = "searxng_url"
)

// probe is one cheap question to a provider, by which doctor finds out whether it
// answers.
type probe struct {
	name  string // of the provider, as in NFA_<NAME>_URL
	gives string // what it is asked for
	needs need
	ask   func(context.Context) (market.Provenance, error)
}

// What probes ask for: what every provider of its kind has.
const (
	probeShare = market.Symbol("AAPL")
	probeCoin  = market.Symbol("BTC-USD")
	probeWords = "interest rates"
)

// probes has one for each provider, in the order in which people should read of
// them.
func (m *marketplace) probes() []probe {
	p := m.providers()
	return []probe{
		{"yahoo", "prices, statements, options, news", needNothing, quoting(p.yahoo, probeShare)},
		{"edgar", "filings and statements of US companies", needContact, reading(p.edgar, market.NewsQuery{Limit: 1})},
		{"nasdaq", "US prices", needNothing, quoting(p.nasdaq, probeShare)},
		{"cboe", "US prices", needNothing, quoting(p.cboe, probeShare)},
		{"binance", "coins", needNothing, quoting(p.binance, probeCoin)},
		{"coingecko", "coins", needNothing, quoting(p.coingecko, probeCoin)},
		{"rss", "news", needNothing, reading(p.rss, market.NewsQuery{Text: probeWords, Limit: 1})},
		{"treasury", "US yield curves", needNothing, curving(p.treasury, market.CurveTreasury)},
		{"ecb", "exchange rates, euro yield curve", needNothing, rating(p.ecb)},
		{"frankfurter", "exchange rates", needNothing, rating(p.frankfurter)},
		{"fred", "economic series", needNothing, counting(p.fred)},
		{"tiingo", "US prices, news", needKey, quoting(p.tiingo, probeShare)},
		{"finnhub", "US prices, news", needKey, quoting(p.finnhub, probeShare)},
		{"fmp", "US prices, profiles", needKey, quoting(p.fmp, probeShare)},
		{"massive", "US prices, news", needKey, profiling(p.massive)},
		{"alphavantage", "US prices, profiles", needKey, quoting(p.alphavantage, probeShare)},
		{"tavily", "web search", needKey, searching(p.tavily)},
		{"brave", "web search", needKey, searching(p.brave)},
		{"searxng", "web search", needServer, searching(p.searxng)},
	}
}

// keyOf looks up a provider's key when it is needed.
func (m *marketplace) keyOf(name string) func() string {
	all := dataProviders()
	if at := slices.IndexFunc(all, func(p provider.Provider) bool { return p.Name == name }); at >= 0 {
		return m.key(name, all[at].KeyVars...)
	}
	return func() string { return "" }
}

// asking is a probe of one kind of source.
type asking = func(context.Context) (market.Provenance, error)

func quoting(s market.QuoteSource, sym market.Symbol) asking {
	return func(ctx context.Context) (market.Provenance, error) {
		q, err := s.Quote(ctx, sym)
		return q.Provenance, err
	}
}

func profiling(s market.ProfileSource) asking {
	return func(ctx context.Context) (market.Provenance, error) {
		p, err := s.Profile(ctx, probeShare)
		return p.Provenance, err
	}
}

func reading(s market.NewsSource, q market.NewsQuery) asking {
	return func(ctx context.Context) (market.Provenance, error) {
		found, err := s.News(ctx, q)
		return originOf(found, err, func(a market.Article) market.Provenance { return a.Provenance })
	}
}

func curving(s market.CurveSource, curve string) asking {
	return func(ctx context.Context) (market.Provenance, error) {
		found, err := s.YieldCurves(ctx, curve, market.Range{})
		return originOf(found, err, func(c market.YieldCurve) market.Provenance { return c.Provenance })
	}
}

func rating(s market.RateSource) asking {
	return func(ctx context.Context) (market.Provenance, error) {
		r, err := s.Rates(ctx, market.Pair{Base: "EUR", Quote: "USD"}, market.Range{})
		return r.Provenance, err
	}
}

func counting(s market.SeriesSource) asking {
	return func(ctx context.Context) (market.Provenance, error) {
		since := clock().UTC().Truncate(24*time.Hour).AddDate(-1, 0, 0)
		found, err := s.EconomicSeries(ctx, "UNRATE", market.SeriesQuery{Range: market.Range{From: since}})
		return found.Provenance, err
	}
}

func searching(s market.WebSource) asking {
	return func(ctx context.Context) (market.Provenance, error) {
		found, err := s.SearchWeb(ctx, probeWords, 1)
		return originOf(found, err, func(r market.WebResult) market.Provenance { return r.Provenance })
	}
}

// originOf is the provenance of a list. Nothing found is an answer, too.
func originOf[T any](found []T, err error, of func(T) market.Provenance) (market.Provenance, error) {
	if err != nil || len(found) == 0 {
		return market.Provenance{}, err
	}
	return of(found[0]), nil
}
