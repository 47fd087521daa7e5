package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tui/draw"
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

// helpKeys are the keys as /help explains them.
func (m *Model) helpKeys() [][2]string {
	keys := [][2]string{
		{"Enter", "send; while an answer comes, queue"},
		{"Alt+Enter, Ctrl+J, Shift+Enter", "new line (so does Enter after a \\)"},
		{"Esc", "stop the answer and keep what came"},
		{"Up, Down", "earlier messages, from an empty line; a queued one first"},
		{"/", "commands and skills: Tab completes, Enter runs, or completes first when arguments are wanted"},
		{"Ctrl+O", "open or fold all cards"},
		{"Tab", "from an empty line: choose a card; Enter opens or folds it"},
		{"In a form", "Tab, Up, Down move; Left, Right go through choices; Enter goes on, and runs at the end; Ctrl+R runs at once, and so does Ctrl+Enter where the terminal tells it; Esc gives the line back"},
		{"PgUp, PgDn, wheel", "scroll; Home and End from an empty line"},
		{"?", "this help, from an empty line"},
		{"Ctrl+C twice, Ctrl+D", "leave"},
		{"Ctrl+Z, Ctrl+L", "suspend; draw the screen anew"},
	}
	if m.cfg.Picker != nil {
		keys = slices.Insert(keys, 5, [2]string{"Ctrl+P", "pick from a list what to write; ? lists its keys"})
	}
	return keys
}

func (m *Model) helpText() string {
	var b strings.Builder
	b.WriteString("**Keys**\n\n")
	for _, k := range m.helpKeys() {
		fmt.Fprintf(&b, "- **%s**: %s\n", k[0], strings.ReplaceAll(k[1], `\`, `\\`))
	}
	b.WriteString("\n**Commands and skills**\n\n")
	for _, c := range m.commands.Items() {
		fmt.Fprintf(&b, "- `%s`: %s", strings.TrimSpace("/"+c.Name+" "+c.Hint), draw.OneLine(c.About))
		if c.Skill {
			b.WriteString(" (skill)")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func (m *Model) showHelp() tea.Cmd {
	m.transcript.Show(m.helpText())
	return nil
}
