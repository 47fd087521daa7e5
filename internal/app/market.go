package app

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/reference"
	"github.com/nfa-cli/nfa/internal/tools"
)

// Market is the market data of one run: the allowed sources, as of now or of a past day.
type Market struct {
	*feed.Market
	Mode feed.DataMode
	Seen feed.StateTracker // records what sources returned
}

// OpenMarket builds the market data. bars stores price history, and a folder in home caches
// responses; nil and "" disable them. It sends no request.
func OpenMarket(s Settings, log zerolog.Logger, bars market.BarStore) *Market {
	dir := ""
	if bars != nil {
		dir = filepath.Join(s.Home, "cache")
	}
	return &Market{
		Mode: feed.DataMode{SampleOnly: s.SampleOnly(), AsOf: s.AsOf},
		Market: feed.New(feed.Options{
			SampleOnly: s.SampleOnly(), Bars: bars, Dir: dir, Client: client.New(client.Options{Dir: dir, Now: s.Now, Log: log}),
			Base: func(provider string) string {
				return strings.TrimSpace(s.Env("NFA_" + strings.ToUpper(provider) + "_URL"))
			},
			Key: s.dataKeys(log), Contact: s.Data.SECContact, SearXNG: s.Data.SearXNG, Now: s.Now, Log: log,
		}),
	}
}

// dataKeys returns a function that looks up the key of a data source. It reads a key only when
// needed, because a keyring may prompt for a password.
func (s Settings) dataKeys(log zerolog.Logger) func(client.Provider) string {
	store := sync.OnceValue(func() *credential.Store { return s.openKeys(log) })
	stored := sync.OnceValue(func() map[string]bool {
		names := map[string]bool{}
		entries, _ := store().List() // nfa auth list reports the error
		for _, e := range entries {
			names[e.Name] = true
		}
		return names
	})
	return func(p client.Provider) string {
		for _, v := range p.KeyVars {
			if key := strings.TrimSpace(s.Env(v)); key != "" {
				return key
			}
		}
		if !stored()[p.Name] {
			return ""
		}
		key, err := store().Get(context.Background(), p.Name)
		if err != nil {
			return ""
		}
		return key
	}
}

// dataProviders returns the data sources that accept a key.
func dataProviders() []catalog.Provider {
	var all []catalog.Provider
	for _, k := range feed.KeyedProviders() {
		all = append(all, catalog.Provider{Name: k.Name, Title: k.Title, KeyVars: k.KeyVars})
	}
	return all
}

// Directory lists the known instruments without a request. With sample data it lists only that,
// because nothing else has prices.
func (m *Market) Directory() market.Directory {
	if m.Mode.SampleOnly {
		return feed.NewSampleSource()
	}
	return reference.NewSymbolTable()
}

// Until returns the last day with visible prices, or zero.
func (m *Market) Until() market.Date {
	day, err := time.Parse(time.DateOnly, m.Mode.AsOf)
	if err != nil {
		return market.Date{}
	}
	return day
}

// Status returns the text for the status line.
func (m *Market) Status() string { return m.Mode.StatusText(&m.Seen) }

// addTo adds the available sources to the tools. A tool without a source is not offered.
func (m *Market) addTo(d *tools.Deps) {
	s := m.Sources()
	record := func(p market.Provenance) { m.Seen.Record(p); m.NoteAnswer(p) }
	source := market.Observe(market.NewFallback(s), record)
	own := market.Observe(market.NewFallback(m.OwnSources()), record)
	d.OwnQuotes, d.OwnBars = own, own
	d.Quotes, d.Bars, d.Statements, d.Filings, d.Series, d.Searches = source, source, source, source, source, source
	d.Directory, d.Replay = m.Directory(), m.Mode.AsOf != ""
	if len(s.Profiles) > 0 {
		d.Profiles = source
	}
	if len(s.Earnings) > 0 {
		d.Earnings = source
	}
	if len(s.Intraday) > 0 {
		d.Intraday = source
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
}
