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

// Command is a command or skill that "/" offers. A skill has Prepare. A command has RunTask, Open
// or Show; if it has both Open and Show, Open is called without arguments and Show with arguments.
// Prepare, Show, Draw and RunTask may be slow: they run outside the update loop.
type Command struct {
	Name        string // as typed after the slash
	DisplayName string // also found by the completion
	Hint        string // its arguments: "<symbol> [range]"
	About       string
	Kind        CommandKind
	Prepare     func(args string) (agent.Input, error) // the turn to run; a *MissingInputError opens a form
	Show        func(args string) (string, error)      // Markdown to show
	// Draw is Show with a chart, or nil. A chat with a screen calls it instead of Show.
	Draw func(args string) (*chart.Spec, string, error)
	// RunTask is Show for slow commands: it starts after the running turn, and the chat shows that
	// it is running. ctx ends when the user stops it; RunTask must then return an error and leave
	// everything unchanged.
	RunTask func(ctx context.Context, args string) (string, error)
	Open    func() *ListScreen // returns the list screen to open; it only creates it, and nil opens none
	// CompleteArgs are what may come next, best first, behind the arguments that are written to
	// their end. It may take its time; nil offers none.
	CompleteArgs func(args string) []string
}
