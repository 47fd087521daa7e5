package main

import (
	"slices"

	"github.com/nfa-cli/nfa/internal/tui"
)

// choices are the words behind a command whose shelf is opened without them: the items
// that Enter would take.
func choices(open func() *tui.Shelf) func(args string) []string {
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

// toolNames are the words behind /tools: the tools and the skills that are some.
func (h *house) toolNames(args string) []string {
	if args != "" {
		return nil
	}
	var names []string
	for _, t := range h.set.WithWorkflows(h.router).Tools() {
		names = append(names, t.Name)
	}
	return names
}
