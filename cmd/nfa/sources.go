package main

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/cached"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/sample"
	"github.com/nfa-cli/nfa/internal/market/symbology"
	"github.com/nfa-cli/nfa/internal/sqlite"
	"github.com/nfa-cli/nfa/internal/toolbox"
)

// marketplace makes the sources of market data. Making one costs nothing: files,
// keys and servers are looked at when a tool asks.
type marketplace struct {
	cfg     *config.Config
	env     func(string) string
	key     func(name string, vars ...string) func() string
	dir     string // of the cache
	log     zerolog.Logger
	trading *tradingDays
	client  *fetch.Client
	bars    *barStore
}

func newMarketplace(g *globals, h *house) *marketplace {
	dir := filepath.Join(h.home, "cache")
	m := &marketplace{
		cfg: h.cfg, env: g.env, key: dataKeys(h.cfg, h.home, g.env, h.log), dir: dir, log: h.log, trading: newTradingDays(),
		client: fetch.New(fetch.Options{Dir: dir, Now: clock, Log: h.log}),
		bars:   &barStore{path: filepath.Join(dir, "bars.db"), log: h.log},
	}
	h.closers = append(h.closers, m.bars.close)
	return m
}

// base is where a provider's requests go instead of its own servers: a mirror, or
// a test's.
func (m *marketplace) base(provider string) string {
	return strings.TrimSpace(m.env("NFA_" + strings.ToUpper(provider) + "_URL"))
}

// sources lists who is asked for what, the best first; the embedded sample stands
// behind all of them.
func (m *marketplace) sources() market.Sources {
	if m.cfg.Offline || m.cfg.Data.Mode == "sample" {
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

// kept keeps the bars of a source on the disk.
func (m *marketplace) kept(name string, from market.BarSource) market.BarSource {
	return cached.New(from, m.bars, cached.Options{Name: name, Fresh: m.trading.barsFresh, Now: clock, Log: m.log})
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

// inMarket gives the tools the sources that there are: what has none has no tool.
func (h *house) inMarket(g *globals, d toolbox.Deps) toolbox.Deps {
	s := newMarketplace(g, h).sources()
	all := market.Watch(market.NewFallback(s), h.data.note)
	d.Quotes, d.Bars, d.Statements, d.Filings, d.Series, d.Searches = all, all, all, all, all, all
	d.Directory = symbology.New()
	if h.onSample() {
		// What the sample has is what can be had: its own list offers no more.
		d.Directory = sample.New()
	}
	if len(s.Profiles) > 0 {
		d.Profiles = all
	}
	if len(s.Insiders) > 0 {
		d.Insiders = all
	}
	if len(s.News) > 0 {
		d.News = all
	}
	if len(s.Curves) > 0 {
		d.Curves = all
	}
	if len(s.Rates) > 0 {
		d.Rates = all
	}
	if len(s.Options) > 0 {
		d.Options = all
	}
	if len(s.Web) > 0 {
		d.WebSearch = all
	}
	d.Replay = h.asOf != ""
	return d
}

// barStore opens the file of bars when they are first asked for: most runs of the
// program ask for none.
type barStore struct {
	path string
	log  zerolog.Logger

	once   sync.Once
	opened *sqlite.Bars
	err    error
}

func (b *barStore) open(ctx context.Context) (*sqlite.Bars, error) {
	b.once.Do(func() {
		b.opened, b.err = sqlite.OpenBars(context.WithoutCancel(ctx), b.path, sqlite.Options{Now: clock, Notice: func(text string) { b.log.Warn().Msg(text) }})
	})
	return b.opened, b.err
}

// Load is what is kept of a series.
func (b *barStore) Load(ctx context.Context, k cached.Key, r market.Range) (cached.Record, bool, error) {
	bars, err := b.open(ctx)
	if err != nil {
		return cached.Record{}, false, err
	}
	return bars.Load(ctx, k, r)
}

// Save keeps a series.
func (b *barStore) Save(ctx context.Context, k cached.Key, rec cached.Record, since market.Date) error {
	bars, err := b.open(ctx)
	if err != nil {
		return err
	}
	return bars.Save(ctx, k, rec, since)
}

func (b *barStore) close() error {
	if b.opened == nil {
		return nil
	}
	return b.opened.Close()
}

var _ cached.Store = (*barStore)(nil)

// provisionalFor is how long the price of a session that goes on stays good enough
// for a chart.
const provisionalFor = 15 * time.Minute
