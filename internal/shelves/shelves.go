// Package shelves has the lists of the chat: what each shows, what its pane says, and
// what its keys do. Skills, Models, Sessions, Agents, Tools and Symbols take what they
// need of the program and give a tui.Shelf; Choices are the words behind the command
// that opens one.
package shelves

import (
	"slices"

	"github.com/nfa-cli/nfa/internal/tui"
)

// Choices are the words behind a command whose shelf is opened without them: the items
// that Enter would take.
func Choices(open func() *tui.Shelf) func(args string) []string {
	return func(args string) []string {
		shelf := open()
		enter := slices.IndexFunc(shelf.Actions, func(a tui.Action) bool { return a.Key == "enter" })
		if args != "" || enter < 0 {
			return nil
		}
		var names []string
		for _, i := range shelf.Items() {
			if offer := shelf.Actions[enter].Offer; !i.Problem && (offer == nil || offer(i)) {
				names = append(names, i.Name)
			}
		}
		return names
	}
}
