package tui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// CommandKind is the type of a Command.
type CommandKind int

// Kinds of command.
const (
	KindCommand CommandKind = iota // shows something; nothing is sent to the model
	KindSkill                      // becomes a turn
)

// Command is a slash command or a skill. A skill has Prepare. A command has RunTask, Open or Show; if
// it has both Open and Show, Open handles a call without arguments and Show a call with arguments.
// Prepare, Show, Draw and RunTask may be slow: they run outside the update loop.
type Command struct {
	Name        string // without the slash
	DisplayName string // the completion finds it too
	Hint        string // its arguments: "<symbol> [range]"
	About       string
	Kind        CommandKind
	Hidden      bool                                   // not listed; found only by its exact name
	Prepare     func(args string) (agent.Input, error) // the turn to run; a *MissingInputError opens a form
	Show        func(args string) (string, error)      // Markdown to show
	// Draw is Show with a chart, or nil. A chat with a screen calls it instead of Show.
	Draw func(args string) (*chart.Spec, string, error)
	// RunTask is Show for slow commands: it starts after the running turn, with an activity line. ctx
	// ends when the user stops it; RunTask must then return an error and change nothing.
	RunTask func(ctx context.Context, args string) (string, error)
	Open    func() *ListScreen // returns the list screen to open, or nil; must be fast
	// CompleteArgs returns values for the argument after the complete ones, best first. It may be
	// slow and may be nil.
	CompleteArgs func(args string) []string
}

// OpensScreen reports whether the command opens its list screen with these arguments.
func (c Command) OpensScreen(args string) bool { return c.Open != nil && (args == "" || c.Show == nil) }

// CommandSet holds the commands and skills with their functions. The zero CommandSet is empty.
type CommandSet struct {
	widget.CommandIndex
	commands []Command // by their indexes in the CommandIndex
}

// NewCommandSet returns the set of own and added. Of equal names the first wins.
func NewCommandSet(own, added []Command) CommandSet {
	commands := slices.Concat(own, added)
	items := make([]widget.CommandItem, len(commands))
	for i, c := range commands {
		items[i] = widget.CommandItem{Name: c.Name, DisplayName: c.DisplayName, Hint: c.Hint, About: c.About, Skill: c.Kind == KindSkill, Hidden: c.Hidden}
	}
	return CommandSet{CommandIndex: widget.NewCommandIndex(items), commands: commands}
}

// Lookup returns the command that name selects. Its Name is the one in the command list.
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

// OwnCommands returns the commands that the chat implements itself, without their functions: the
// line-by-line chat implements them differently.
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
		{Command{Name: "copy", About: "copy the last answer (Tab selects another)"}, func(m *Model, _ string) tea.Cmd { return m.copyText(m.transcript.LastAnswer()) }},
		{Command{Name: "clear", About: "start a new session (this one is saved)"}, func(m *Model, _ string) tea.Cmd { return m.clear() }},
		{Command{Name: "theme", Hint: "[auto | dark | light | plain]", About: "change the colors for this chat; without a name, the next theme", CompleteArgs: firstArgument(themeNames)}, (*Model).changeTheme},
		{Command{Name: "quit", About: "quit (the session is saved)"}, func(*Model, string) tea.Cmd { return tea.Quit }},
	}
}

// firstArgument completes the first argument only.
func firstArgument(values func() []string) func(string) []string {
	return func(args string) []string {
		if args != "" {
			return nil
		}
		return values()
	}
}
