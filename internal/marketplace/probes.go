package marketplace

import (
	"context"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// Need is what a provider wants before it can be asked.
type Need string

// Needs of providers; but for the key they are named as settings.
const (
	NeedNothing Need = ""
	NeedKey     Need = "key"
	NeedContact Need = "sec.contact"
	NeedServer  Need = "searxng_url"
)

// Probe is one cheap question to a provider, by which one finds out whether it
// answers.
type Probe struct {
	Name  string // of the provider
	Gives string // what it is asked for
	Needs Need
	// Ask puts it, and gives the origin of what was answered.
	Ask func(context.Context) (market.Provenance, error)
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
		{"yahoo", "prices, statements, options, news", NeedNothing, quoting(p.yahoo, probeShare)},
		{"edgar", "filings and statements of US companies", NeedContact, reading(p.edgar, market.NewsQuery{Limit: 1})},
		{"nasdaq", "US prices", NeedNothing, quoting(p.nasdaq, probeShare)},
		{"cboe", "US prices", NeedNothing, quoting(p.cboe, probeShare)},
		{"binance", "coins", NeedNothing, quoting(p.binance, probeCoin)},
		{"coingecko", "coins", NeedNothing, quoting(p.coingecko, probeCoin)},
		{"rss", "news", NeedNothing, reading(p.rss, market.NewsQuery{Text: probeWords, Limit: 1})},
		{"treasury", "US yield curves", NeedNothing, curving(p.treasury, market.CurveTreasury)},
		{"ecb", "exchange rates, euro yield curve", NeedNothing, rating(p.ecb)},
		{"frankfurter", "exchange rates", NeedNothing, rating(p.frankfurter)},
		{"fred", "economic series", NeedNothing, counting(p.fred, m.o.Now)},
		{"tiingo", "US prices, news", NeedKey, quoting(p.tiingo, probeShare)},
		{"finnhub", "US prices, news", NeedKey, quoting(p.finnhub, probeShare)},
		{"fmp", "US prices, profiles", NeedKey, quoting(p.fmp, probeShare)},
		{"massive", "US prices, news", NeedKey, profiling(p.massive)},
		{"alphavantage", "US prices, profiles", NeedKey, quoting(p.alphavantage, probeShare)},
		{"tavily", "web search", NeedKey, searching(p.tavily)},
		{"brave", "web search", NeedKey, searching(p.brave)},
		{"searxng", "web search", NeedServer, searching(p.searxng)},
	}
}

// Lacks reports whether a provider has not been given what it needs to be asked;
// key says whether there is one for it.
func (m *Market) Lacks(p Probe, key bool) bool {
	switch p.Needs {
	case NeedKey:
		return !key
	case NeedContact:
		return m.o.Contact == ""
	case NeedServer:
		return m.o.SearXNG == ""
	}
	return false
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

func counting(s market.SeriesSource, now func() time.Time) asking {
	return func(ctx context.Context) (market.Provenance, error) {
		since := now().UTC().Truncate(24*time.Hour).AddDate(-1, 0, 0)
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
