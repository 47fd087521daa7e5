package tui

import (
	"context"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
)

// CommandKind says what a Command does.
type CommandKind int

// Kinds of command.
const (
	KindCommand CommandKind = iota // shows something; nothing is sent to the model
	KindSkill                      // becomes a turn
)

// Command is something that "/" offers. A skill has Prepare, a command has Work, or
// Open or Show, or both: then Open is for the name alone, and Show for the words after
// it. Prepare, Show, Draw and Work may take their time, they run beside the screen.
type Command struct {
	Name        string // as typed after the slash
	DisplayName string // also found by the completion
	Hint        string // its arguments: "<symbol> [range]"
	About       string
	Kind        CommandKind
	Prepare     func(args string) (agent.Input, error) // the turn to run; a *MissingInputError opens a form
	Show        func(args string) (string, error)      // Markdown to show
	// Draw is Show with a chart above it, or nil: a chat that is drawn calls it where
	// there is one.
	Draw func(args string) (*chart.Spec, string, error)
	// RunTask is Show for what may take long: it waits for the turn that runs, and the chat
	// says that it is at it. ctx ends when the user stops it; then it has to end, with an
	// error, and everything has to be as it was.
	RunTask func(ctx context.Context, args string) (string, error)
	Open    func() *ListScreen // the shelf to open; it only makes it, and nil opens none
	// CompleteArgs are what may come next, best first, behind the arguments that are written to
	// their end. It may take its time; nil offers none.
	CompleteArgs func(args string) []string
}
