// Package command is what "/" reaches: commands and skills, as the program around a chat
// gives them, and the values that one of them may ask for. What a chat does itself is a
// Command by its name alone. Whether a chat is drawn or written in lines is not its
// affair.
package command

import (
	"context"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tui/browsing"
)

// Kind says what a Command does.
type Kind int

// Kinds of command.
const (
	KindCommand Kind = iota // shows something; nothing is sent to the model
	KindSkill               // becomes a turn
)

// Command is something that "/" offers. A skill has Prepare, a command has Work, or
// Open or Show, or both: then Open is for the name alone, and Show for the words after
// it. Prepare, Show, Draw and Work may take their time, they run beside the screen.
type Command struct {
	Name        string // as typed after the slash
	DisplayName string // also found by the completion
	Hint        string // its arguments: "<symbol> [range]"
	About       string
	Kind        Kind
	Prepare     func(args string) (agent.Input, error) // the turn to run; a *NeedsError opens a form
	Show        func(args string) (string, error)      // Markdown to show
	// Draw is Show with a chart above it, or nil: a chat that is drawn calls it where
	// there is one.
	Draw func(args string) (*chart.Spec, string, error)
	// Work is Show for what may take long: it waits for the turn that runs, and the chat
	// says that it is at it. ctx ends when the user stops it; then it has to end, with an
	// error, and everything has to be as it was.
	Work func(ctx context.Context, args string) (string, error)
	Open func() *browsing.Shelf // the shelf to open; it only makes it, and nil opens none
	// Words are what may come next, best first, behind the arguments that are written to
	// their end. It may take its time; nil offers none.
	Words func(args string) []string
}
