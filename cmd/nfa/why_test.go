package main

import (
	"strings"
	"testing"
)

func TestWhy_ShowsTheChainOfAFigureOfTheLastAnswer(t *testing.T) {
	p := newSessionProgram(t)
	c := p.StartConversation(t.Context())
	p.SetConversation(c)
	if text, err := runSlash(t, p, "why", "1"); err != nil || !strings.Contains(text, "Nothing to explain yet") {
		t.Errorf("why before any answer = %q, %v", text, err)
	}
	ask(t, c, "price of AAPL")
	text, err := runSlash(t, p, "why", "1")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"**137.44 USD** AAPL price", "- call: quote AAPL", "- source: SAMPLE DATA: ", "as of 2022-06-28"} {
		if !strings.Contains(text, want) {
			t.Errorf("why 1 lacks %q:\n%s", want, text)
		}
	}
	if all, err := runSlash(t, p, "why", ""); err != nil || !strings.Contains(all, "| 137.44 USD | AAPL price |") || !strings.Contains(all, "3 traced · 0 not traced") {
		t.Errorf("why = %q, %v, want a list of the notes", all, err)
	}
	if none, err := runSlash(t, p, "why", "99.9%"); err != nil || !strings.Contains(none, "No answer contains the figure `99.9%`") {
		t.Errorf("why 99.9%% = %q, %v", none, err)
	}
}
