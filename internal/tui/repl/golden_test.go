package repl_test

import (
	"errors"
	"flag"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/golden"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/repl"
)

var update = flag.Bool("update", false, "rewrite the golden output")

// choosing returns a list whose items can be used. The used item is stored in used.
func choosing(used *string) tui.Command {
	c := listCommand()
	open := c.Open
	c.Open = func() *tui.ListScreen {
		s := open()
		s.Actions = []tui.ListAction{{Action: "screen-enter", Name: "use", AppliesTo: func(i tui.ListItem) bool { return !i.Problem }, Run: func(name string) (tui.ActionResult, error) {
			*used = name
			return tui.ActionResult{Compose: "/" + name + " "}, nil
		}}}
		return s
	}
	return c
}

// Chat, section 10: the line-by-line chat only appends, and writes no escape sequences.
func TestPlain_LooksAsDrawn(t *testing.T) {
	var used string
	var answer tool.Answer
	quoted := tool.Outcome{Call: call("c1", "quote", `{"symbols":["AAPL"]}`), Result: tool.Result{Title: "AAPL", Summary: "70.70 USD, SAMPLE"}}
	for _, row := range []struct {
		name, script string
		cfg          func() repl.Config
	}{
		{"plain-answer", "What does AAPL cost?\n", func() repl.Config {
			return chatWith(turnWithEvents(agent.TurnDone{Reason: agent.StopAnswered}, nil, agent.ToolStarted{Call: quoted.Call}, agent.ToolFinished{Outcome: quoted},
				agent.TextDelta{Text: "AAPL closed at **70.70 USD**.\n\n| symbol | price | date |\n|---|---:|---|\n| AAPL | 70.70 | 2020-04-17 |\n"}))
		}},
		{"plain-list", "/skills\n1\n", withCommands(choosing(&used))},
		{"plain-approval", "save it\nn, not yet\n", approving(&answer, tool.Approval{Call: call("w1", "write_report", `{"path":"aapl.md"}`), Effect: tool.Writes}, time.Second)},
		{"plain-command-failed", "/why\n/wyh 3\n", withCommands(showing("why", func(string) (string, error) { return "", errors.New("nothing to explain") }))},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, _, err := inLines(t, row.script, row.cfg)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(got, "\x1b") {
				t.Errorf("written with an escape: %q", got)
			}
			golden.CheckFile(t, filepath.Join("testdata", row.name+".txt"), got, *update)
		})
	}
}

// Chat, section 10: a list is numbered and answered by number.
func TestPlain_AListIsAnsweredByNumber(t *testing.T) {
	for _, row := range []struct{ script, used, want string }{
		{"/skills\n1\n", "get-price", "Notice: Type: /get-price\n"},
		{"/skills\n2\n", "", "Error: broken: no front matter\n"}, // it has no action: it is read
		{"/skills\n4\n", "", "Assistant: Sent.\n"},               // no such item: a message
		{"/skills\nhello\n1\n", "", "Assistant: Sent.\n"},        // another line came between
		{"1\n", "", "Assistant: Sent.\n"},
	} {
		var used string
		got, _, err := inLines(t, row.script, withCommands(choosing(&used)))
		if err != nil || used != row.used || !strings.HasSuffix(got, row.want) {
			t.Errorf("%q used %q, %v; want %q and %q:\n%s", row.script, used, err, row.used, row.want, got)
		}
	}
}
