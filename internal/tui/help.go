package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// showHelp opens the keys and commands over the transcript.
func (m *Model) showHelp(here widget.KeyScope) tea.Cmd {
	subject := HelpSubject{Scope: here, Keys: m.chat.Keys, Commands: m.chat.Commands.Items()}
	if m.chat.Picker == nil {
		subject.HiddenKeys = []string{"pick"}
	}
	return m.openListScreen(HelpScreen(subject), "")
}

// HelpSubject is what a help screen is about: a place in the chat, its keys and the commands.
type HelpSubject struct {
	Scope      widget.KeyScope // where the reader is
	Keys       widget.KeyMap
	Commands   []widget.CommandItem
	HiddenKeys []string // the names of bindings that do nothing in this chat
}

// HelpScreen returns the help for a subject.
func HelpScreen(s HelpSubject) *ListScreen {
	return &ListScreen{
		Title: "Help",
		Items: func() []ListItem { return slices.Concat(s.keyItems(), commandItems(s.Commands)) },
		Read: func(name string) (string, error) {
			if text, ok := commandHelp(s.Commands, name); ok {
				return text, nil
			}
			return s.keyPage(name), nil
		},
		Actions: []ListAction{{
			Action: "shelf-enter", Name: "write", About: "write the command",
			AppliesTo: func(i ListItem) bool { return strings.HasPrefix(i.Name, "/") },
			Run: func(name string) (ActionResult, error) {
				return ActionResult{Compose: name + " "}, nil
			},
		}},
	}
}

// commandItems returns the list items of the commands. The description of a command is on its
// page, not in its row, because the row shows how to write it. The filter finds it too.
func commandItems(commands []widget.CommandItem) []ListItem {
	items := make([]ListItem, len(commands))
	for i, c := range commands {
		items[i] = ListItem{Name: "/" + c.Name, Group: "Commands", FullText: "/" + c.Name + ": " + c.About, SearchTerms: c.About}
		if c.Skill {
			items[i].Group = "Skills"
		}
	}
	return items
}

func commandHelp(commands []widget.CommandItem, name string) (string, bool) {
	at := slices.IndexFunc(commands, func(c widget.CommandItem) bool { return "/"+c.Name == name })
	if at < 0 {
		return "", false
	}
	c := commands[at]
	usage := strings.TrimSpace("/" + c.Name + " " + c.Hint)
	return fmt.Sprintf("`%s`\n\n%s\n", strings.ReplaceAll(markdown.SanitizeLine(usage), "`", "'"), markdown.SanitizeLine(c.About)), true
}

// scopesFrom returns all scopes: first here, then the scopes whose keys also work there.
func scopesFrom(here widget.KeyScope) []widget.KeyScope {
	first := []widget.KeyScope{here, widget.ScopeReading, widget.ScopeAnywhere}
	return append(first, slices.DeleteFunc(widget.KeyScopes(), func(s widget.KeyScope) bool { return slices.Contains(first, s) })...)
}

// keyItems returns the bindings of the map, grouped by scope.
func (s HelpSubject) keyItems() []ListItem {
	var items []ListItem
	for _, scope := range scopesFrom(s.Scope) {
		for _, b := range s.Keys.Bindings(scope) {
			if slices.Contains(s.HiddenKeys, b.Name) {
				continue
			}
			title := cmp.Or(b.Labels(), "no key")
			items = append(items, ListItem{
				Name: b.Name, Title: title, Group: string(scope), About: b.About, SearchTerms: b.Labels(),
				FullText: cmp.Or(s.Keys.Label(b.Name), title) + ": " + b.About,
			})
		}
	}
	return items
}

// keyPage says what a key does, which keys are near it, and how to change it.
func (s HelpSubject) keyPage(name string) string {
	for _, scope := range widget.KeyScopes() {
		bindings := s.Keys.Bindings(scope)
		at := slices.IndexFunc(bindings, func(b widget.KeyBinding) bool { return b.Name == name })
		if at < 0 {
			continue
		}
		var out strings.Builder
		for _, b := range bindings {
			fmt.Fprintf(&out, "- **%s**: %s\n", cmp.Or(b.Labels(), "no key"), strings.ReplaceAll(b.About, `\`, `\\`))
		}
		fmt.Fprintf(&out, "\nOther keys, in the settings:\n\n```yaml\nkeys:\n  %s: %s\n```\n", name, configKeys(bindings[at]))
		return out.String()
	}
	return ""
}

// configKeys is a binding's keys as the settings have them.
func configKeys(b widget.KeyBinding) string {
	quoted := make([]string, len(b.Keys))
	for i, key := range b.Keys {
		quoted[i] = fmt.Sprintf("%q", key)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
