package main

import (
	"path/filepath"
	"strings"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/llm/openai/provider"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/sample"
	"github.com/nfa-cli/nfa/internal/market/symbology"
	"github.com/nfa-cli/nfa/internal/marketplace"
	"github.com/nfa-cli/nfa/internal/toolbox"
)

// marketOf are the sources of these settings. With kept, answers stay in the home and
// are taken from there.
func marketOf(g *globals, cfg *config.Config, home string, log zerolog.Logger, kept bool) *marketplace.Market {
	dir := ""
	if kept {
		dir = filepath.Join(home, "cache")
	}
	return marketplace.New(marketplace.Options{
		SampleAlone: onSample(cfg), Dir: dir, Client: fetch.New(fetch.Options{Dir: dir, Now: clock, Log: log}),
		Base: func(provider string) string {
			return strings.TrimSpace(g.env("NFA_" + strings.ToUpper(provider) + "_URL"))
		},
		Key: dataKeys(cfg, home, g.env, log), Contact: cfg.Data.SECContact, SearXNG: cfg.Data.SearXNG, Now: clock, Log: log,
	})
}

// dataProviders are the sources of data that take a key.
func dataProviders() []provider.Provider {
	var all []provider.Provider
	for _, k := range marketplace.KeyedProviders() {
		all = append(all, provider.Provider{Name: k.Name, Title: k.Title, KeyVars: k.KeyVars})
	}
	return all
}

// inMarket gives the tools the sources that there are: what has none has no tool.
func (h *house) inMarket(d toolbox.Deps) toolbox.Deps {
	s := h.market.Sources()
	all := market.Watch(market.NewFallback(s), h.data.Note)
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
