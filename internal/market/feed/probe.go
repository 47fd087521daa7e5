package feed

import (
	"context"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// Requirement is what a provider wants before it can be asked.
type Requirement string

// Requirements of providers. All but RequiresKey are named like the setting that meets them.
const (
	RequiresNothing Requirement = ""
	RequiresKey     Requirement = "key"
	RequiresContact Requirement = "sec.contact"
	RequiresServer  Requirement = "searxng_url"
)

// Probe is one cheap question to a provider, by which one finds out whether it
// answers.
type Probe struct {
	Name     string // of the provider
	Provides string // what it is asked for
	Requires Requirement
	// Run puts it, and gives the origin of what was answered.
	Run func(context.Context) (market.Provenance, error)
}

// What probes ask for: what every provider of its kind has.
const (
	probeShare = market.Symbol("AAPL")
	probeCoin  = market.Symbol("BTC-USD")
	probeWords = "interest rates"
)

// Probes has one for each provider, in the order in which people should read of
// them.
func (m *Market) Probes() []Probe {
	p := m.providers()
	return []Probe{
		{"yahoo", "prices, statements, options, news", RequiresNothing, probeQuote(p.yahoo, probeShare)},
		{"edgar", "filings and statements of US companies", RequiresContact, probeNews(p.edgar, market.NewsQuery{Limit: 1})},
		{"nasdaq", "US prices", RequiresNothing, probeQuote(p.nasdaq, probeShare)},
		{"cboe", "US prices", RequiresNothing, probeQuote(p.cboe, probeShare)},
		{"binance", "coins", RequiresNothing, probeQuote(p.binance, probeCoin)},
		{"coingecko", "coins", RequiresNothing, probeQuote(p.coingecko, probeCoin)},
		{"rss", "news", RequiresNothing, probeNews(p.rss, market.NewsQuery{Text: probeWords, Limit: 1})},
		{"treasury", "US yield curves", RequiresNothing, probeCurve(p.treasury, market.CurveTreasury)},
		{"ecb", "exchange rates, euro yield curve", RequiresNothing, probeRate(p.ecb)},
		{"frankfurter", "exchange rates", RequiresNothing, probeRate(p.frankfurter)},
		{"fred", "economic series", RequiresNothing, probeSeries(p.fred, m.o.Now)},
		{"tiingo", "US prices, news", RequiresKey, probeQuote(p.tiingo, probeShare)},
		{"finnhub", "US prices, news", RequiresKey, probeQuote(p.finnhub, probeShare)},
		{"fmp", "US prices, profiles", RequiresKey, probeQuote(p.fmp, probeShare)},
		{"massive", "US prices, news", RequiresKey, probeProfile(p.massive)},
		{"alphavantage", "US prices, profiles", RequiresKey, probeQuote(p.alphavantage, probeShare)},
		{"tavily", "web search", RequiresKey, probeWebSearch(p.tavily)},
		{"brave", "web search", RequiresKey, probeWebSearch(p.brave)},
		{"searxng", "web search", RequiresServer, probeWebSearch(p.searxng)},
	}
}

// MissingSetup reports whether a provider has not been given what it needs to be asked;
// key says whether there is one for it.
func (m *Market) MissingSetup(p Probe, hasKey bool) bool {
	switch p.Requires {
	case RequiresKey:
		return !hasKey
	case RequiresContact:
		return m.o.Contact == ""
	case RequiresServer:
		return m.o.SearXNG == ""
	}
	return false
}

// probeFunc is a probe of one kind of source.
type probeFunc = func(context.Context) (market.Provenance, error)

func probeQuote(s market.QuoteSource, sym market.Symbol) probeFunc {
	return func(ctx context.Context) (market.Provenance, error) {
		q, err := s.Quote(ctx, sym)
		return q.Provenance, err
	}
}

func probeProfile(s market.ProfileSource) probeFunc {
	return func(ctx context.Context) (market.Provenance, error) {
		p, err := s.Profile(ctx, probeShare)
		return p.Provenance, err
	}
}

func probeNews(s market.NewsSource, q market.NewsQuery) probeFunc {
	return func(ctx context.Context) (market.Provenance, error) {
		found, err := s.News(ctx, q)
		return originOf(found, err, func(a market.Article) market.Provenance { return a.Provenance })
	}
}

func probeCurve(s market.CurveSource, curve string) probeFunc {
	return func(ctx context.Context) (market.Provenance, error) {
		found, err := s.YieldCurves(ctx, curve, market.Range{})
		return originOf(found, err, func(c market.YieldCurve) market.Provenance { return c.Provenance })
	}
}

func probeRate(s market.RateSource) probeFunc {
	return func(ctx context.Context) (market.Provenance, error) {
		r, err := s.Rates(ctx, market.Pair{Base: "EUR", Quote: "USD"}, market.Range{})
		return r.Provenance, err
	}
}

func probeSeries(s market.SeriesSource, now func() time.Time) probeFunc {
	return func(ctx context.Context) (market.Provenance, error) {
		since := now().UTC().Truncate(24*time.Hour).AddDate(-1, 0, 0)
		found, err := s.EconomicSeries(ctx, "UNRATE", market.SeriesQuery{Range: market.Range{From: since}})
		return found.Provenance, err
	}
}

func probeWebSearch(s market.WebSource) probeFunc {
	return func(ctx context.Context) (market.Provenance, error) {
		found, err := s.SearchWeb(ctx, probeWords, 1)
		return originOf(found, err, func(r market.WebResult) market.Provenance { return r.Provenance })
	}
}

// originOf is the provenance of a list. Nothing found is an answer, too.
func originOf[T any](found []T, err error, provenance func(T) market.Provenance) (market.Provenance, error) {
	if err != nil || len(found) == 0 {
		return market.Provenance{}, err
	}
	return provenance(found[0]), nil
}
