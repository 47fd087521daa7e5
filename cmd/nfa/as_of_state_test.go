package main

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
)

func TestDataState_ATurnBeginsItAndAnotherConversationKnowsNothingOfIt(t *testing.T) {
	p := newSessionProgram(t)
	p.Market.Mode.SampleOnly = false // the sample still answers; it is not known beforehand
	c := p.StartConversation(t.Context())
	p.SetConversation(c)
	ask(t, c, "price of AAPL")
	if got := p.Market.Status(); got != feed.StateSample {
		t.Fatalf("dataState = %q after an answer from the sample, want %q", got, feed.StateSample)
	}
	ask(t, c, "hello")
	p.Market.Seen.Record(market.Provenance{Source: "yahoo"})
	if got := p.Market.Status(); got != feed.StateLive {
		t.Errorf("dataState = %q in a turn of live data, want %q", got, feed.StateLive)
	}
	p.SetConversation(p.StartConversation(t.Context()))
	if got := p.Market.Status(); got != "" {
		t.Errorf("dataState = %q in a conversation in which nothing was asked, want nothing", got)
	}
}
