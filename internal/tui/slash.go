package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tui/slash"
)

// Kind says what a Command does.
type Kind int

// Kinds of command.
const (
	KindCommand Kind = iota // shows something; nothing is sent to the model
	KindSkill               // becomes a turn
)

// Command is something that "/" offers. A skill has Prepare, a command has Open
// or Show, or both: then Open is for the name alone, and Show for the words after
// it. Prepare and Show may take their time, they run beside the screen.
type Command struct {
	Name        string // as typed after the slash
	DisplayName string // also found by the completion
	Hint        string // its arguments: "<symbol> [range]"
	About       string
	Kind        Kind
	Prepare     func(args string) (agent.Input, error) // the turn to run; a *NeedsError opens a form
	Show        func(args string) (string, error)      // Markdown to show
	Open        func() *Shelf                          // the shelf to open; it only makes it, and nil opens none

	act func(*Model) tea.Cmd // what the view does itself
}

// IsOwnCommand reports whether the chat itself has a command of that name.
func IsOwnCommand(name string) bool {
	return slices.ContainsFunc(ownCommands(), func(c Command) bool { return c.Name == name })
}

// ownCommands are the view's own actions.
func ownCommands() []Command {
	return []Command{
		{Name: "help", About: "keys and commands", act: (*Model).showHelp},
		{Name: "clear", About: "begin a new conversation; this one is kept", act: (*Model).clear},
		{Name: "quit", About: "leave; the conversation is kept", act: (*Model).quit},
	}
}

// commandSet is all that "/" offers, with what it does.
type commandSet struct {
	slash.Set
	commands []Command // by their places in the Set
}

// newCommandSet puts the view's own first: an earlier name wins.
func newCommandSet(given []Command) commandSet {
	commands := slices.Concat(ownCommands(), given)
	items := make([]slash.Item, len(commands))
	for i, c := range commands {
		items[i] = slash.Item{Name: c.Name, DisplayName: c.DisplayName, Hint: c.Hint, About: c.About, Skill: c.Kind == KindSkill}
	}
	return commandSet{Set: slash.NewSet(items), commands: commands}
}

// named gives the command that name reaches, called what the list calls it.
func (s commandSet) named(name string) (Command, bool) {
	item, place, ok := s.Find(name)
	if !ok {
		return Command{}, false
	}
	c := s.commands[place]
	c.Name = item.Name
	return c, true
}
