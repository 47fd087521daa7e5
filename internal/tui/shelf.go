package tui

import "github.com/nfa-cli/nfa/internal/tui/browsing"

// What the program around the chat makes screens of: package browsing says what each
// of them is.
type (
	Shelf   = browsing.Shelf   // a screen of things to browse, read and act on
	Item    = browsing.Item    // a thing on it
	Action  = browsing.Action  // what a key of it does
	Outcome = browsing.Outcome // what that came to
	Form    = browsing.Form    // values that it needs
	Confirm = browsing.Confirm // a yes that it needs
	Resume  = browsing.Resume  // a conversation to go on with
	Exec    = browsing.Exec    // a program that takes the terminal
)
