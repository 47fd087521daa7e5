package tui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tui/widget"
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
	Hidden      bool                                   // it works and is not offered
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

// OpensScreen reports whether the command opens its list screen with these arguments.
func (c Command) OpensScreen(args string) bool { return c.Open != nil && (args == "" || c.Show == nil) }

// CommandSet holds the commands and skills that "/" offers, with their functions. The zero
// CommandSet offers nothing.
type CommandSet struct {
	widget.CommandIndex
	commands []Command // by their places in the widget.CommandIndex
}

// NewCommandSet returns the set of own and added. The chat's own commands come first, and an
// earlier name wins.
func NewCommandSet(own, added []Command) CommandSet {
	commands := slices.Concat(own, added)
	items := make([]widget.CommandItem, len(commands))
	for i, c := range commands {
		items[i] = widget.CommandItem{Name: c.Name, DisplayName: c.DisplayName, Hint: c.Hint, About: c.About, Skill: c.Kind == KindSkill, Hidden: c.Hidden}
	}
	return CommandSet{CommandIndex: widget.NewCommandIndex(items), commands: commands}
}

// Lookup returns the command that name selects, with the name shown in the list.
func (s CommandSet) Lookup(name string) (Command, bool) {
	item, place, ok := s.Find(name)
	if !ok {
		return Command{}, false
	}
	c := s.commands[place]
	c.Name = item.Name
	return c, true
}

// ownCommand is a command that the chat implements itself.
type ownCommand struct {
	Command
	run func(m *Model, args string) tea.Cmd
}

// IsOwnCommand reports whether the chat itself has a command of that name.
func IsOwnCommand(name string) bool { return ownCommandAction(name) != nil }

// OwnCommands returns the commands that the chat implements itself, with their descriptions only.
// A chat without a screen implements them in its own way.
func OwnCommands() []Command {
	var commands []Command
	for _, o := range ownCommands() {
		commands = append(commands, o.Command)
	}
	return commands
}

// ownCommandAction returns the function of the chat's own command with that name, or nil. Own
// commands come first in a CommandSet, so no other command has the name.
func ownCommandAction(name string) func(m *Model, args string) tea.Cmd {
	for _, o := range ownCommands() {
		if o.Name == name {
			return o.run
		}
	}
	return nil
}

// ownCommands returns the chat's own commands with their functions.
func ownCommands() []ownCommand {
	return []ownCommand{
		{Command{Name: "help", About: "keys and commands"}, func(m *Model, _ string) tea.Cmd { return m.showHelp(widget.ScopeWriting) }},
		{Command{Name: "copy", About: "copy the last answer; Tab chooses another"}, func(m *Model, _ string) tea.Cmd { return m.copyText(m.transcript.LastAnswer()) }},
		{Command{Name: "clear", About: "begin a new conversation; this one is kept"}, func(m *Model, _ string) tea.Cmd { return m.clear() }},
		{Command{Name: "theme", Hint: "[auto | dark | light | plain]", About: "the colours of the screen, for now; without a word, the next", CompleteArgs: firstArgument(themeNames)}, (*Model).changeTheme},
		{Command{Name: "quit", About: "leave; the conversation is kept"}, func(*Model, string) tea.Cmd { return tea.Quit }},
	}
}

// firstArgument completes the first argument only.
func firstArgument(words func() []string) func(string) []string {
	return func(args string) []string {
		if args != "" {
			return nil
		}
		return words()
	}
}
