package app_test

import (
	"context"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func TestDataState_SaysWhatTheLatestAnswersWere(t *testing.T) {
	live := market.Provenance{Source: "yahoo"}
	for _, tt := range []struct {
		name, mode, asOf string
		turns            [][]market.Provenance
		want             string
	}{
		{"nothing was asked yet", "live", "", nil, ""},
		{"live", "live", "", [][]market.Provenance{{live}}, "live data"},
		{"delayed by rule", "live", "", [][]market.Provenance{{live, {DelayMinutes: 15}, live}}, "delayed data"},
		{"delayed", "live", "", [][]market.Provenance{{live.With(market.FlagDelayed)}}, "delayed data"},
		{"kept from before, for the source is silent", "live", "", [][]market.Provenance{{{Cache: market.CacheStale, DelayMinutes: 15}}}, "stale data"},
		{"one of several is a sample", "live", "", [][]market.Provenance{{live, live.With(market.FlagSample), live.With(market.FlagStale)}}, "SAMPLE DATA"},
		{"the latest turn counts", "live", "", [][]market.Provenance{{live.With(market.FlagSample)}, {live}}, "live data"},
		{"a turn without data changes nothing", "live", "", [][]market.Provenance{{live.With(market.FlagSample)}, {}, {}}, "SAMPLE DATA"},
		{"the sample alone", "sample", "", nil, "SAMPLE DATA"},
		{"the sample alone, of a day", "sample", "2019-05-01", nil, "SAMPLE DATA as of 2019-05-01"},
		{"a day, before anything was asked", "live", "2024-06-30", nil, "as of 2024-06-30"},
		{"a day", "live", "2024-06-30", [][]market.Provenance{{live}}, "data as of 2024-06-30"},
		{"a day of the sample", "live", "2019-05-01", [][]market.Provenance{{live.With(market.FlagSample)}}, "SAMPLE DATA as of 2019-05-01"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &app.Market{Mode: feed.DataMode{SampleOnly: tt.mode == "sample", AsOf: tt.asOf}}
			got := m.Status()
			for _, turn := range tt.turns {
				m.Seen.BeginTurn()
				for _, origin := range turn {
					m.Seen.Record(origin)
				}
				got = m.Status()
			}
			if got != tt.want {
				t.Errorf("dataState = %q, want %q", got, tt.want)
			}
		})
	}
}

// The status line is updated after each step, and after forms and screens.
func TestDataState_IsTheWorstOfTheTurnHoweverOftenItIsAsked(t *testing.T) {
	m := &app.Market{}
	live := market.Provenance{Source: "yahoo"}
	m.Seen.BeginTurn()
	for _, origin := range []market.Provenance{live, live.With(market.FlagSample), live} {
		m.Seen.Record(origin)
		m.Status()
	}
	for range 3 {
		if got := m.Status(); got != feed.StateSample {
			t.Fatalf("dataState = %q under an answer of sample prices, want %q", got, feed.StateSample)
		}
	}
	m.Seen.BeginTurn()
	if got := m.Status(); got != feed.StateSample {
		t.Errorf("dataState = %q before the next turn has any data, want %q", got, feed.StateSample)
	}
	m.Seen.Record(live)
	if got := m.Status(); got != feed.StateLive {
		t.Errorf("dataState = %q in a turn of live data, want %q", got, feed.StateLive)
	}
}

// statementSource is a source of statements of one origin.
type statementSource struct {
	origin market.Provenance
	err    error
}

func (r statementSource) Statements(context.Context, market.Symbol, market.StatementQuery) ([]market.Statement, error) {
	return []market.Statement{{Provenance: r.origin}}, r.err
}

func TestDataState_SampleStatementsBesideALiveQuoteAreSample(t *testing.T) {
	m := &app.Market{}
	silent := &market.SourceError{Source: "edgar", Err: market.ErrUnavailable}
	all := market.Observe(market.NewFallback(market.Sources{
		Quotes:     []market.QuoteSource{markettest.NewSource(markettest.Daily("MSFT", time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), "500"))},
		Statements: []market.StatementSource{statementSource{err: silent}, statementSource{origin: market.Provenance{Flags: []market.Flag{market.FlagSample}}}},
	}), m.Seen.Record)
	if _, err := all.Quote(t.Context(), "MSFT"); err != nil || m.Status() != feed.StateLive {
		t.Fatalf("dataState = %q after a live quote, %v; want %q", m.Status(), err, feed.StateLive)
	}
	if _, err := all.Statements(t.Context(), "MSFT", market.StatementQuery{}); err != nil || m.Status() != feed.StateSample {
		t.Errorf("dataState = %q with statements of the sample, %v; want %q", m.Status(), err, feed.StateSample)
	}
}
