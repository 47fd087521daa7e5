package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/command"
	"github.com/nfa-cli/nfa/internal/tui/keymap"
)

// What "/" reaches: package command says what each of them is.
type (
	Command    = command.Command    // something that "/" offers
	Kind       = command.Kind       // what it does
	NeedsError = command.NeedsError // what it returns to ask for values
)

// Kinds of command.
const (
	KindCommand = command.KindCommand // shows something; nothing is sent to the model
	KindSkill   = command.KindSkill   // becomes a turn
)

// own is something that the view does itself.
type own struct {
	Command
	act func(m *Model, args string) tea.Cmd
}

// IsOwnCommand reports whether the chat itself has a command of that name.
func IsOwnCommand(name string) bool { return ownAct(name) != nil }

// OwnCommands are the names of what the chat itself does, and what it is about. A
// chat that is not drawn does it in its own way.
func OwnCommands() []Command {
	var commands []Command
	for _, o := range ownCommands() {
		commands = append(commands, o.Command)
	}
	return commands
}

// ownAct is what the view does for the command of that name, or nil: no other is called
// so in a set that begins with its own.
func ownAct(name string) func(m *Model, args string) tea.Cmd {
	for _, o := range ownCommands() {
		if o.Name == name {
			return o.act
		}
	}
	return nil
}

// ownCommands are the view's own actions.
func ownCommands() []own {
	return []own{
		{Command{Name: "help", About: "keys and commands"}, plainly(func(m *Model) tea.Cmd { return m.showHelp(keymap.Writing) })},
		{Command{Name: "copy", About: "copy the last answer; Tab chooses another"}, plainly((*Model).copyLast)},
		{Command{Name: "clear", About: "begin a new conversation; this one is kept"}, plainly((*Model).clear)},
		{Command{Name: "theme", Hint: "[auto | dark | light | plain]", About: "the colours of the screen, for now; without a word, the next", Words: firstWord(themeNames)}, (*Model).changeTheme},
		{Command{Name: "quit", About: "leave; the conversation is kept"}, plainly((*Model).quit)},
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
