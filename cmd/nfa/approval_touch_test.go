package main

import (
	"context"
	"testing"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Chat, section 7: the question of a change to the user's own data says who asks and what it may touch.
func TestApproval_OfTheUsersDataSaysWhoAsksAndWhatItTouches(t *testing.T) {
	g := &globals{home: t.TempDir(), offline: true}
	g.env = func(string) string { return "" }
	var asked []tool.Approval
	p, err := g.open(t.Context(), app.Options{Agent: true, Approver: tool.ApproverFunc(func(_ context.Context, a tool.Approval) (tool.Answer, error) {
		asked = append(asked, a)
		return tool.Answer{}, nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	c := p.StartConversation(t.Context())
	for _, row := range []struct{ message, network string }{
		{"watch AAPL", tool.MarketSources},
		{"I bought 3 shares of AAPL at 100 USD on 2022-01-03", "no"},
	} {
		asked = nil
		for _, err := range c.Run(t.Context(), agent.Input{Text: row.message}) {
			if err != nil {
				t.Fatal(err)
			}
		}
		if len(asked) != 1 {
			t.Fatalf("%s: %d questions, want one", row.message, len(asked))
		}
		want := tool.Touch{Files: "your data in " + humanize.ShortPath(p.Home), Network: row.network}
		if asked[0].AskedBy != row.message || asked[0].Touch != want {
			t.Errorf("%s: asked by %q, may touch %+v; want %+v", row.message, asked[0].AskedBy, asked[0].Touch, want)
		}
	}
}
