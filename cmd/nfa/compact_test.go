package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/app/screens"
	"github.com/nfa-cli/nfa/internal/tui"
)

func TestCompact_SaysHowMuchIsLeftOrThatNothingCanBeLeftOut(t *testing.T) {
	p := newSessionProgram(t)
	c := p.StartConversation(t.Context())
	p.SetConversation(c)
	ask(t, c, "hello")
	if message, err := runSlash(t, p, "compact", ""); err != nil || !strings.Contains(message, "Nothing to compact") {
		t.Errorf("after a greeting compact says %q, %v", message, err)
	}
	ask(t, c, "How risky is MSFT?")
	ask(t, c, "price of IBM")
	ask(t, c, "price of AAPL")
	if message, err := runSlash(t, p, "compact", ""); err != nil || !strings.Contains(message, "->") || strings.Contains(message, "wrote no summary") {
		t.Errorf("after three questions compact says %q, %v", message, err)
	}
	_, entries, err := p.LoadSession(t.Context(), c.ID())
	if err != nil || len(entries) == 0 || entries[0].Message.Content != "hello" {
		t.Errorf("the transcript begins with %+v, %v", entries[:min(len(entries), 1)], err)
	}
	ask(t, c, "price of AAPL")
}

// slashCommand returns a command of the chat.
func slashCommand(t *testing.T, a *app.App, name string) tui.Command {
	t.Helper()
	commands := screens.Commands(a, screens.Environment{})
	i := slices.IndexFunc(commands, func(c tui.Command) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("there is no /%s", name)
	}
	return commands[i]
}

// runSlash returns the Markdown of a slash command.
func runSlash(t *testing.T, a *app.App, name, args string) (string, error) {
	t.Helper()
	out, err := slashCommand(t, a, name).Run(t.Context(), args)
	return out.Markdown, err
}
