package main

import (
	"strings"
	"testing"
)

func TestCompact_SaysHowMuchIsLeftOrThatNothingCanBeLeftOut(t *testing.T) {
	p := newSessionProgram(t)
	c := p.startConversation(t.Context())
	p.setConversation(c)
	ask(t, c, "hello")
	if message, err := p.compact(t.Context(), ""); err != nil || !strings.Contains(message, "nothing to leave out") {
		t.Errorf("after a greeting compact says %q, %v", message, err)
	}
	ask(t, c, "How risky is MSFT?")
	ask(t, c, "price of IBM")
	ask(t, c, "price of AAPL")
	if message, err := p.compact(t.Context(), ""); err != nil || !strings.Contains(message, "tokens, instead of") || strings.Contains(message, "wrote no summary") {
		t.Errorf("after three questions compact says %q, %v", message, err)
	}
	_, entries, err := p.sessions.Load(t.Context(), c.ID())
	if err != nil || len(entries) == 0 || entries[0].Message.Content != "hello" {
		t.Errorf("the transcript begins with %+v, %v", entries[:min(len(entries), 1)], err)
	}
	ask(t, c, "price of AAPL")
}
