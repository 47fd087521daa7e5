package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/widget"
)

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
		{Command{Name: "help", About: "keys and commands"}, withoutArgs(func(m *Model) tea.Cmd { return m.showHelp(widget.ScopeWriting) })},
		{Command{Name: "copy", About: "copy the last answer; Tab chooses another"}, withoutArgs((*Model).copyLast)},
		{Command{Name: "clear", About: "begin a new conversation; this one is kept"}, withoutArgs((*Model).clear)},
		{Command{Name: "theme", Hint: "[auto | dark | light | plain]", About: "the colours of the screen, for now; without a word, the next", CompleteArgs: firstArgument(themeNames)}, (*Model).changeTheme},
		{Command{Name: "quit", About: "leave; the conversation is kept"}, withoutArgs((*Model).quit)},
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

// withoutArgs adapts a function that takes no arguments.
func withoutArgs(act func(*Model) tea.Cmd) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd { return act(m) }
}
