package tui_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/tui"
)

func TestCommand_WithArgumentsShowsInsteadOfOpeningItsListScreen(t *testing.T) {
	l := newLibrary()
	both := func() tui.Config {
		cfg := l.keeping()
		cfg.Commands[0].Run = tui.TextCommand(func(args string) (string, error) { return "took " + args, nil })
		return cfg
	}
	onScreen(t, both, 80, 24, func(s *screen) {
		s.ask("/skills gpt-5")
		s.shows("took gpt-5")
		s.showsNot("DCF valuation")
		s.ask("/skills")
		s.shows("› Compare assets")
	})
}
