package tui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tui/keymap"
	"github.com/nfa-cli/nfa/internal/tui/slash"
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
	Open func() *Shelf // the shelf to open; it only makes it, and nil opens none
	// Words are what may come next, best first, behind the arguments that are written to
	// their end. It may take its time; nil offers none.
	Words func(args string) []string

	act func(m *Model, args string) tea.Cmd // what the view does itself
}

// IsOwnCommand reports whether the chat itself has a command of that name.
func IsOwnCommand(name string) bool {
	return slices.ContainsFunc(ownCommands(), func(c Command) bool { return c.Name == name })
}

// OwnCommands are the names of what the chat itself does, and what it is about. A
// chat that is not drawn does it in its own way.
func OwnCommands() []Command {
	own := ownCommands()
	for i := range own {
		own[i].act = nil
	}
	return own
}

// ownCommands are the view's own actions.
func ownCommands() []Command {
	return []Command{
		{Name: "help", About: "keys and commands", act: plainly(func(m *Model) tea.Cmd { return m.showHelp(keymap.Writing) })},
		{Name: "copy", About: "copy the last answer; Tab chooses another", act: plainly((*Model).copyLast)},
		{Name: "clear", About: "begin a new conversation; this one is kept", act: plainly((*Model).clear)},
		{Name: "theme", Hint: "[auto | dark | light | plain]", About: "the colours of the screen, for now; without a word, the next", Words: firstWord(themeNames), act: (*Model).changeTheme},
		{Name: "quit", About: "leave; the conversation is kept", act: plainly((*Model).quit)},
	}
}

// firstWord offers words where none is written yet.
func firstWord(words func() []string) func(string) []string {
	return func(args string) []string {
		if args != "" {
			return nil
		}
		return words()
	}
}

// plainly makes an action of one that takes no words.
func plainly(act func(*Model) tea.Cmd) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd { return act(m) }
}

// commandSet is all that "/" offers, with what it does.
type commandSet struct {
	slash.Set
	commands []Command // by their places in the Set
}

// newCommandSet puts the view's own first: an earlier name wins.
func newCommandSet(given []Command) commandSet {
	commands := slices.Concat(ownCommands(), given)
	return commandSet{Set: slash.NewSet(Items(commands)), commands: commands}
}

// Items are the commands as they are found and listed, in their order.
func Items(commands []Command) []slash.Item {
	items := make([]slash.Item, len(commands))
	for i, c := range commands {
		items[i] = slash.Item{Name: c.Name, DisplayName: c.DisplayName, Hint: c.Hint, About: c.About, Skill: c.Kind == KindSkill}
	}
	return items
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
