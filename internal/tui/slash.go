package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// Kind says what a Command does.
type Kind int

// Kinds of command.
const (
	KindCommand Kind = iota // shows something; nothing is sent to the model
	KindSkill               // becomes a turn
)

// String is the word shown beside the name.
func (k Kind) String() string {
	if k == KindSkill {
		return "skill"
	}
	return "command"
}

// Command is something that "/" offers. A skill has Prepare, a command has Open
// or Show. Prepare and Show may take their time, they run beside the screen.
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

// ownCommands are the view's own actions.
func ownCommands() []Command {
	return []Command{
		{Name: "help", About: "keys and commands", act: (*Model).showHelp},
		{Name: "clear", About: "begin a new conversation; this one is kept", act: (*Model).clear},
		{Name: "quit", About: "leave; the conversation is kept", act: (*Model).quit},
	}
}

// skillPrefix reaches a skill whose name a command has.
const skillPrefix = "skill:"

// commandSet is all that "/" offers, by name.
type commandSet struct {
	sorted []Command
	byName map[string]Command
}

// newCommandSet puts the view's own first, then commands, then skills: an
// earlier name wins, and a skill that loses stays reachable by its prefix.
func newCommandSet(given []Command) commandSet {
	set := commandSet{byName: map[string]Command{}}
	byKind := slices.SortedStableFunc(slices.Values(given), func(a, b Command) int { return cmp.Compare(a.Kind, b.Kind) })
	for _, c := range slices.Concat(ownCommands(), byKind) {
		if c.Kind == KindSkill {
			set.byName[skillPrefix+c.Name] = c
			if _, taken := set.byName[c.Name]; taken {
				c.Name = skillPrefix + c.Name
			}
		}
		if _, taken := set.byName[c.Name]; taken && c.Kind != KindSkill {
			continue
		}
		set.byName[c.Name] = c
		set.sorted = append(set.sorted, c)
	}
	slices.SortStableFunc(set.sorted, func(a, b Command) int { return cmp.Compare(a.Name, b.Name) })
	return set
}

// match ranks the commands for what was typed after the slash: the exact name,
// then names that begin with it, then names and display names that contain it,
// each in the order of the alphabet.
func (s commandSet) match(typed string) []Command {
	typed = strings.ToLower(typed)
	var ranked [3][]Command
	for _, c := range s.sorted {
		name := strings.ToLower(c.Name)
		bare := strings.TrimPrefix(name, skillPrefix)
		switch {
		case name == typed || bare == typed:
			ranked[0] = append(ranked[0], c)
		case strings.HasPrefix(name, typed) || strings.HasPrefix(bare, typed):
			ranked[1] = append(ranked[1], c)
		case strings.Contains(name, typed) || strings.Contains(strings.ToLower(c.DisplayName), typed):
			ranked[2] = append(ranked[2], c)
		}
	}
	return slices.Concat(ranked[0], ranked[1], ranked[2])
}

// parseSlash takes "/name args" apart. A path such as /etc/hosts has no name.
func parseSlash(text string) (name, args string, ok bool) {
	rest, ok := strings.CutPrefix(text, "/")
	if !ok {
		return "", "", false
	}
	if cut := strings.IndexAny(rest, " \t\n"); cut >= 0 {
		return rest[:cut], strings.TrimSpace(rest[cut:]), true
	}
	return rest, "", true
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
	for _, c := range m.commands.sorted {
		fmt.Fprintf(&b, "- `%s`: %s", strings.TrimSpace("/"+c.Name+" "+c.Hint), draw.OneLine(c.About))
		if c.Kind == KindSkill {
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
