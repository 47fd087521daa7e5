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

// Command is a slash command or a skill. A skill has Prepare. A command has Run or Open; if it has
// both, Open handles a call without arguments and Run a call with arguments. Prepare and Run may be
// slow: they run outside the update loop.
type Command struct {
	Name        string // without the slash
	DisplayName string // the completion finds it too
	Hint        string // its arguments: "<symbol> [range]"
	About       string
	Kind        CommandKind
	Hidden      bool                                   // not listed; found only by its exact name
	Activity    string                                 // shown while it runs, "Checking your portfolio"; default the name
	Prepare     func(args string) (agent.Input, error) // the turn to run; a *MissingInputError opens a form
	// Run starts after the running turn. A *MissingInputError opens a form. ctx ends when the user
	// stops the command or leaves the session; Run must then return ctx's error and change nothing.
	Run func(ctx context.Context, args string) (CommandOutput, error)
	// StartsSession means that the result is saved even if the session has no messages yet.
	StartsSession bool
	Open          func() *ListScreen // returns the list screen to open, or nil; must be fast
	// PlainText means that Run without arguments shows the content of the list screen as text.
	PlainText bool
	// Filters reports whether arguments filter the list of Open and are not for Run. Nil means never.
	Filters func(args string) bool
	// CompleteArgs returns values for the argument after the complete ones, best first. It may be
	// slow and may be nil.
	CompleteArgs func(args string) []string
}

// CommandOutput is what a command shows.
type CommandOutput struct {
	Chart    *chart.Spec // above the text, or nil
	Markdown string
	View     *agent.CommandView // of a tool's result, drawn instead of Markdown; or nil
	// Screen is opened instead of showing Markdown, and nothing is recorded. It may be nil.
	Screen *ListScreen
}

// TextCommand returns a function for Command.Run that only returns Markdown and cannot be stopped.
func TextCommand(show func(args string) (string, error)) func(context.Context, string) (CommandOutput, error) {
	return func(_ context.Context, args string) (CommandOutput, error) {
		text, err := show(args)
		return CommandOutput{Markdown: text}, err
	}
}

// OpensScreen reports whether the command opens its list screen with these arguments.
func (c Command) OpensScreen(args string) bool {
	return c.Open != nil && (args == "" || c.Run == nil || c.Filters != nil && c.Filters(args))
}

// CommandSet holds the commands and skills with their functions. The zero CommandSet is empty.
type CommandSet struct {
	widget.CommandIndex
	commands []Command // by their indexes in the CommandIndex
}

// NewCommandSet returns the set of own and added. If names are equal, the first command is kept.
func NewCommandSet(own, added []Command) CommandSet {
	commands := slices.Concat(own, added)
	items := make([]widget.CommandItem, len(commands))
	for i, c := range commands {
		items[i] = widget.CommandItem{Name: c.Name, DisplayName: c.DisplayName, Hint: c.Hint, About: c.About, Skill: c.Kind == KindSkill, Hidden: c.Hidden, Order: (i + len(added)) % len(commands)} // the own commands last
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
		{Command{Name: "theme", Hint: "[auto | dark | light | plain | no-color]", About: "change the theme for this chat; without a name, switch to the next theme", CompleteArgs: firstArgument(themeNames)}, (*Model).changeTheme},
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
