package screens

import (
	"slices"

	"github.com/nfa-cli/nfa/internal/tui"
)

// ItemNames returns a function that completes the argument of a command with the items of its
// screen that Enter accepts.
func ItemNames(open func() *tui.ListScreen) func(args string) []string {
	return func(args string) []string {
		screen := open()
		enter := slices.IndexFunc(screen.Actions, func(a tui.ListAction) bool { return a.Key == "enter" })
		if args != "" || enter < 0 {
			return nil
		}
		var names []string
		for _, i := range screen.Items() {
			if offer := screen.Actions[enter].AppliesTo; !i.Problem && (offer == nil || offer(i)) {
				names = append(names, i.Name)
			}
		}
		return names
	}
}
