package tui_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
)

// lookupFailure is a row of the table in section 6 of the chat's design: a cause, with the sentence for
// people.
type lookupFailure struct {
	frame, symbol string
	err           error
	want          string
}

// noPrices returns the error after all sources of prices failed.
func noPrices(symbol market.Symbol, failures ...market.SourceError) error {
	var sources market.Sources
	for i := range failures {
		sources.Bars = append(sources.Bars, failingBars{&failures[i]})
	}
	_, err := market.NewFallback(sources).Bars(context.Background(), symbol, market.Range{})
	return err
}

type failingBars struct{ err error }

func (f failingBars) Bars(context.Context, market.Symbol, market.Range) (market.Series, error) {
	return market.Series{}, f.err
}

func lookupFailures() []lookupFailure {
	unreachable := func(source string) market.SourceError {
		return market.SourceError{Source: source, Err: market.ErrUnavailable, Detail: "no address found for query2.example.com", Unreachable: true, URL: "https://query2.example.com/VTI"}
	}
	unlisted := func(source string) market.SourceError {
		return market.SourceError{Source: source, Err: market.ErrUnknownSymbol, Status: 404}
	}
	return []lookupFailure{
		{"network", "VTI", noPrices("VTI", unreachable("yahoo"), unreachable("cboe"), market.SourceError{Source: "sample", Err: market.ErrNotCovered, Offline: "^GSPC, ^IXIC and 8 companies"}),
			"No prices for VTI: cannot reach the internet. Offline data covers ^GSPC, ^IXIC and 8 companies (/symbols)."},
		{"symbol", "APPL", &market.UnknownSymbolError{Text: "APPL", Near: []market.Instrument{{Symbol: "AAPL", Name: "Apple Inc."}}},
			`No symbol "APPL". Did you mean AAPL (Apple Inc.)?`},
		{"unlisted", "600519.SS", noPrices("600519.SS", unlisted("yahoo"), unlisted("nasdaq"), unlisted("cboe"), market.SourceError{Source: "tiingo", Err: market.ErrNotConfigured, NeedsKey: true}),
			"No prices for 600519.SS: none of 3 sources lists it. A Tiingo key adds more: /setup."},
		{"rate", "VTI", noPrices("VTI", market.SourceError{Source: "yahoo", Err: market.ErrRateLimited, Status: 429, RetryAt: time.Date(2026, 11, 20, 14, 32, 0, 0, time.UTC)}),
			"No prices for VTI: Yahoo Finance limits requests until 14:32 UTC. Another source: /setup."},
		{"contact", "AAPL", noPrices("AAPL", market.SourceError{Source: "sec-edgar", Err: market.ErrNotConfigured, Detail: "filings need a contact email for the SEC: /setup"}),
			"Filings need a contact email for the SEC: /setup."},
		{"timeout", "AAPL", noPrices("AAPL", market.SourceError{Source: "sec-edgar", Err: market.ErrUnavailable, Waited: 10 * time.Second, URL: "https://data.sec.example/AAPL"}),
			"No prices for AAPL: SEC EDGAR did not answer within 10 s."},
	}
}

// chat returns a chat whose answer is the sentence, as the built-in assistant's is.
func (f lookupFailure) chat() tui.Config {
	o := outcome("c1", "price_history", fmt.Sprintf(`{"symbol":%q}`, f.symbol), tool.FailedError(market.ErrorCode(f.err), f.err), time.Millisecond)
	return talk(calls(strings.ReplaceAll(f.want, "^", `\^`), o))()
}

// failureFrames returns the states in which a lookup or the model failed.
func failureFrames() []frame {
	rejected := &llm.Error{Kind: llm.KindAuth, Sentence: "OpenAI rejected the API key from OPENAI_API_KEY. Fix it with /setup, or switch with /model."}
	all := []frame{{"card-failed-model", talk(func(context.Context, agent.Input, emit) (agent.TurnDone, error) {
		return agent.TurnDone{Reason: agent.StopProvider}, rejected
	}), func(s *screen) { s.ask("Prices of VTI") }}}
	for _, f := range lookupFailures() {
		all = append(all, frame{"card-failed-" + f.frame, f.chat, func(s *screen) { s.ask("Prices of " + f.symbol) }})
	}
	return all
}

// Section 6: each cause of a failure is one sentence, which appears once on the screen. The expanded card
// lists the sources with status and address.
func TestCard_AFailureIsOneSentenceOnce(t *testing.T) {
	for _, f := range lookupFailures() {
		t.Run(f.frame, func(t *testing.T) {
			onScreen(t, f.chat, 100, 30, func(s *screen) {
				s.ask("Prices of " + f.symbol)
				folded := strings.Join(strings.Fields(s.view()), " ")
				if n := strings.Count(folded, f.want); n != 1 {
					t.Errorf("%q stands %d times in\n%s", f.want, n, s.view())
				}
				for _, bad := range []string{"source unavailable", "example.com", "sec.example", "404", "429"} {
					if strings.Contains(folded, bad) {
						t.Errorf("the screen shows %q:\n%s", bad, s.view())
					}
				}
				s.press("ctrl+o")
				if exhausted, ok := errors.AsType[*market.ExhaustedError](f.err); ok {
					for _, line := range exhausted.Details() {
						if !strings.Contains(strings.Join(strings.Fields(strings.ReplaceAll(s.view(), "│", " ")), " "), line) {
							t.Errorf("the opened card lacks %q:\n%s", line, s.view())
						}
					}
				}
			})
		})
	}
}
