package screens_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// The help page skips commands that do not exist, so a renamed command would be missing.
func TestHelp_HasAllItsCommands(t *testing.T) {
	subject := tui.HelpSubject{Scope: widget.ScopeWriting, Keys: widget.DefaultKeyMap()}
	for _, c := range app.Commands() {
		if c.Slash != "" {
			subject.Commands = append(subject.Commands, widget.CommandItem{Name: c.Slash})
		}
	}
	page := tui.HelpScreen(subject).Overview(widget.NewStyles(markdown.PlainTheme()), 80, 24)
	if n := strings.Count(strings.Join(page, "\n"), "  /"); n != 8 {
		t.Errorf("the help page has %d commands, want 8:\n%s", n, strings.Join(page, "\n"))
	}
}
