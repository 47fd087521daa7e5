package main

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/app/screens"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/tui"
)

// completionsAfter returns what the chat offers after a command and its arguments.
func completionsAfter(t *testing.T, commands []tui.Command, name, args string) []string {
	t.Helper()
	at := slices.IndexFunc(commands, func(c tui.Command) bool { return c.Name == name })
	if at < 0 || commands[at].CompleteArgs == nil {
		t.Fatalf("/%s has no words", name)
	}
	return commands[at].CompleteArgs(args)
}

func TestWords_BehindChartAreARangeAndAKindEachOnce(t *testing.T) {
	commands := screens.Commands(newSessionProgram(t), screens.Environment{})
	ranges := []string{"1m", "6m", "1y", "5y", "10y", "ytd", "max"}
	one := []string{"line", "candles", "drawdown", "histogram"}
	for _, row := range []struct {
		args string
		want []string
	}{
		{"", nil},
		{"AAPL", slices.Concat(ranges, one)},
		{"AAPL 5y", one},
		{"AAPL candles", ranges},
		{"AAPL candles 5y", nil},
		{"AAPL,MSFT 5y", []string{"compare"}},
	} {
		if diff := cmp.Diff(row.want, completionsAfter(t, commands, "chart", row.args)); diff != "" {
			t.Errorf("behind /chart %s (-want +got):\n%s", row.args, diff)
		}
	}
}

// Every completion must be an argument that the command accepts.
func TestWords_BehindAgentModelAndToolsAreThoseThatAreTaken(t *testing.T) {
	p := programWithAgents(t, map[string]string{"devil": "---\ndescription: argues\n---\nArgue.\n", "broken": "no front matter"})
	commands := screens.Commands(p, screens.Environment{})
	agents := completionsAfter(t, commands, "agent", "")
	if !slices.Contains(agents, "devil") || slices.ContainsFunc(agents, func(name string) bool { return name == "broken" || name == p.Agents.Active().Profile.Name }) {
		t.Errorf("behind /agent: %q, want devil, and neither what is broken nor who answers", agents)
	}
	for _, name := range agents {
		if _, err := (screens.Agents{App: p}).Command(name); err != nil {
			t.Errorf("/agent %s: %v", name, err)
		}
	}
	tools := completionsAfter(t, commands, "tools", "")
	if !slices.Contains(tools, "quote") {
		t.Errorf("behind /tools: %q, want quote among them", tools)
	}
	for _, name := range tools {
		if _, err := (screens.Tools{App: p}).Command(name); err != nil {
			t.Errorf("/tools %s: %v", name, err)
		}
	}
	for _, name := range []string{"agent", "model", "tools"} {
		if completions := completionsAfter(t, commands, name, "one"); len(completions) > 0 {
			t.Errorf("behind a second word of /%s: %q", name, completions)
		}
	}
}

func TestWords_BehindModelAreThoseToHand(t *testing.T) {
	p, screen := openModelScreen(t, map[string]string{"XAI_API_KEY": "sk-script-12345678"})
	got := completionsAfter(t, screens.Commands(p, screens.Environment{}), "model", "")
	for _, name := range got {
		if item := modelItem(t, screen, name); slices.Contains(item.Marks, "no key") || slices.Contains(item.Marks, "not running") {
			t.Errorf("%s is offered, which is marked %q", name, item.Marks)
		}
	}
	if !slices.Contains(got, catalog.Offline) || !slices.Contains(got, "xai/grok-4.5") {
		t.Errorf("behind /model: %q, want the built-in assistant and the one with a key among them", got)
	}
}
