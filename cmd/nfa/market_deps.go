package main

import (
	"path/filepath"
	"strings"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/reference"
	"github.com/nfa-cli/nfa/internal/tools"
)

// cacheFolder returns the folder of cached answers in a home.
func cacheFolder(home string) string { return filepath.Join(home, "cache") }

// newBarStore returns the store of price history in a home.
func newBarStore(home string, log zerolog.Logger) *app.BarStore {
	return app.NewBarStore(filepath.Join(cacheFolder(home), "bars.db"), clock, func(text string) { log.Warn().Msg(text) })
}

// newMarket returns the market data sources for the settings. Answers are cached in the home, unless
// bars is nil.
func newMarket(g *globals, cfg *config.Config, home string, log zerolog.Logger, bars market.BarStore) *feed.Market {
	dir := ""
	if bars != nil {
		dir = cacheFolder(home)
	}
	return feed.New(feed.Options{
		SampleOnly: sampleOnly(cfg), Bars: bars, Dir: dir, Client: client.New(client.Options{Dir: dir, Now: clock, Log: log}),
		Base: func(provider string) string {
			return strings.TrimSpace(g.env("NFA_" + strings.ToUpper(provider) + "_URL"))
		},
		Key: newDataKeyLookup(cfg, home, g.env, log), Contact: cfg.Data.SECContact, SearXNG: cfg.Data.SearXNG, Now: clock, Log: log,
	})
}

// dataProviders are the sources of data that take a key.
func dataProviders() []catalog.Provider {
	var all []catalog.Provider
	for _, k := range feed.KeyedProviders() {
		all = append(all, catalog.Provider{Name: k.Name, Title: k.Title, KeyVars: k.KeyVars})
	}
	return all
}

// marketDeps gives the tools the sources that are available. A tool without a source is not
// offered.
func (p *program) marketDeps(d tools.Deps) tools.Deps {
	s := p.market.Sources()
	source := market.Observe(market.NewFallback(s), p.seenData.Record)
	d.Quotes, d.Bars, d.Statements, d.Filings, d.Series, d.Searches = source, source, source, source, source, source
	d.Directory = reference.NewSymbolTable()
	if p.sampleOnly() {
		// What the sample has is what can be had: its own list offers no more.
		d.Directory = feed.NewSampleSource()
	}
	if len(s.Profiles) > 0 {
		d.Profiles = source
	}
	if len(s.Insiders) > 0 {
		d.Insiders = source
	}
	if len(s.News) > 0 {
		d.News = source
	}
	if len(s.Curves) > 0 {
		d.Curves = source
	}
	if len(s.Rates) > 0 {
		d.Rates = source
	}
	if len(s.Options) > 0 {
		d.Options = source
	}
	if len(s.Web) > 0 {
		d.WebSearch = source
	}
	d.Replay = p.asOf != ""
	return d
}
