package main

import (
	"strings"
	"testing"
)

func TestCompact_SaysHowMuchIsLeftOrThatNothingCanBeLeftOut(t *testing.T) {
	h := sessionHouse(t)
	c := h.begin(t.Context())
	h.enter(c)
	ask(t, c, "hello")
	if said, err := h.compact(t.Context(), ""); err != nil || !strings.Contains(said, "nothing to leave out") {
		t.Errorf("after a greeting compact says %q, %v", said, err)
	}
	ask(t, c, "How risky is MSFT?")
	ask(t, c, "price of IBM")
	ask(t, c, "price of AAPL")
	if said, err := h.compact(t.Context(), ""); err != nil || !strings.Contains(said, "tokens, instead of") || strings.Contains(said, "wrote no summary") {
		t.Errorf("after three questions compact says %q, %v", said, err)
	}
	_, entries, err := h.store.Load(t.Context(), c.ID())
	if err != nil || len(entries) == 0 || entries[0].Message.Content != "hello" {
		t.Errorf("the transcript begins with %+v, %v", entries[:min(len(entries), 1)], err)
	}
	ask(t, c, "price of AAPL")
}
