package main

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/app/screens"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/session"
)

// TestSessions_WhatWasSharedBeforeIsNotSentOnceAmountsAreHidden continues a session with hidden
// amounts that began with shared amounts. The earlier tool results are not sent again, and a notice
// says so.
func TestSessions_WhatWasSharedBeforeIsNotSentOnceAmountsAreHidden(t *testing.T) {
	server := llmtest.StartServer(llmtest.Answers(
		llmtest.Call(toolCallOf("c1", "portfolio_positions", nil), toolCallOf("c2", "portfolio_transactions", nil), toolCallOf("c3", "quote", map[string]any{"symbols": []string{"AAPL"}})),
		llmtest.Call(toolCallOf("c4", "add_transaction", map[string]any{"kind": "sell", "symbol": "AAPL", "quantity": 9000, "price": 1, "date": "2021-02-01"})),
		llmtest.Say("You own Apple."), llmtest.Say("Yes."),
		llmtest.Call(toolCallOf("c5", "portfolio_positions", nil)), llmtest.Say("Apple weighs the most."))...)
	t.Cleanup(server.Close)
	nfa := runnerInFolderOf(t, server, "NFA_COLOR", "never")
	write(t, "book.csv", []byte(schwabFile))
	wantSent := func(want string, args ...string) {
		t.Helper()
		if code, _, errOut := nfa(args...); code != exitOK || strings.Contains(errOut, "start a new session") != (want != "") {
			t.Fatalf("nfa %v = %d, %s; want a notice %q", args, code, errOut, want)
		}
	}
	wantSent("", "portfolio", "import", "book.csv", "--yes")
	wantSent("", "ask", "--yes", "what do I own?")
	wantSent("", "ask", "--continue", "is that right?")
	canaries := regexp.MustCompile(`7,?654|995,?06|1,?052,?00|1,?001,?03|2,?05[0-9],?[0-9]{3}`)
	if sent := string(server.Requests()[3].Body); !canaries.MatchString(sent) {
		t.Fatalf("with amounts shared the model was not sent them: the test sees nothing. %s", sent)
	}
	_, path, _ := nfa("config", "path")
	write(t, strings.TrimSpace(path), []byte("share_amounts: false\n"))
	wantSent(app.AmountsSharedNotice, "ask", "--continue", "and how large is it?")
	for _, r := range server.Requests()[4:] {
		var body struct {
			Messages []struct{ Role, Content string }
		}
		if err := json.Unmarshal(r.Body, &body); err != nil {
			t.Fatal(err)
		}
		results := 0
		for _, m := range body.Messages {
			if m.Role != "tool" {
				continue
			}
			results++
			if found := canaries.FindString(m.Content); found != "" {
				t.Errorf("a result reaches the model with %q: %s", found, m.Content)
			}
		}
		if results < 4 || !strings.Contains(string(r.Body), "137.44") {
			t.Errorf("%d results, want all calls answered and the price of AAPL left", results)
		}
	}
	if last := string(server.Requests()[5].Body); !strings.Contains(last, "weight_pct") {
		t.Errorf("in the next turn the portfolio tools return %.300s; want weights", last)
	}
}

// TestSessionScreen_SaysThatEarlierAnswersMayNameAmounts checks that the chat shows the notice below
// the earlier messages.
func TestSessionScreen_SaysThatEarlierAnswersMayNameAmounts(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", filepath.Join(home, "user"))
	t.Setenv("USERPROFILE", filepath.Join(home, "user"))
	t.Chdir(t.TempDir())
	g := &globals{home: filepath.Join(home, "nfa"), offline: true}
	g.env = func(key string) string { return map[string]string{"NFA_SHARE_AMOUNTS": "false"}[key] }
	p, err := g.open(t.Context(), app.Options{Agent: true, Notice: func(s string) { t.Errorf("unexpected notice: %s", s) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	id := keepSession(t, p, "What do I own?", "advisor", 0)
	call, result := session.Entry{Kind: session.KindAssistant}, session.Entry{Kind: session.KindTool}
	call.Message.Role, result.Message.Role = "assistant", "tool"
	call.Message.ToolCalls = append(call.Message.ToolCalls, toolCallOf("c1", "portfolio_positions", nil))
	result.Message.ToolCallID, result.Message.ToolName, result.Message.Content = "c1", "portfolio_positions", "824640 USD"
	if err := sessionStore(t, p).Append(t.Context(), id, call, result); err != nil {
		t.Fatal(err)
	}
	back := press(t, screens.Sessions{App: p}.Screen(), "enter", id).Resume
	if back == nil || len(back.History) != 4 || agent.DisplayOf(back.History[3]).Text != app.AmountsSharedNotice {
		t.Errorf("resume = %+v, want the sentence below what was said", back)
	}
}
