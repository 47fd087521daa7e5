package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/keymap"
	"github.com/nfa-cli/nfa/internal/tui/slash"
)

// showHelp opens the keys and commands over the transcript: the keys of where the
// reader is first. It is made of the key map and of what "/" offers, so that it cannot
// name what is not there.
func (m *Model) showHelp(here keymap.Scope) tea.Cmd {
	commands := m.commands.Items()
	return m.browse(&Shelf{
		Title: "Help",
		Items: func() []Item { return slices.Concat(m.keyItems(here), commandItems(commands)) },
		Read: func(name string) (string, error) {
			if text, ok := commandPage(commands, name); ok {
				return text, nil
			}
			return m.keyPage(name), nil
		},
		Actions: []Action{{
			Key: "enter", Name: "write", About: "write the command",
			Offer: func(i Item) bool { return strings.HasPrefix(i.Name, "/") },
			Run:   func(name string) (Outcome, error) { return Outcome{Compose: name + " "}, nil },
		}},
	}, "")
}

// commandItems leaves what a command is about to its page where one is beside the list:
// it says so behind how the command is written. The filter finds it all the same.
func commandItems(commands []slash.Item) []Item {
	items := make([]Item, len(commands))
	for i, c := range commands {
		items[i] = Item{Name: "/" + c.Name, Group: "Commands", Alone: "/" + c.Name + ": " + c.About, Words: c.About}
		if c.Skill {
			items[i].Group = "Skills"
		}
	}
	return items
}

func commandPage(commands []slash.Item, name string) (string, bool) {
	at := slices.IndexFunc(commands, func(c slash.Item) bool { return "/"+c.Name == name })
	if at < 0 {
		return "", false
	}
	c := commands[at]
	usage := strings.TrimSpace("/" + c.Name + " " + c.Hint)
	return fmt.Sprintf("`%s`\n\n%s\n", strings.ReplaceAll(markdown.SanitizeLine(usage), "`", "'"), markdown.SanitizeLine(c.About)), true
}

// near are all scopes, first here and those that hold there as well.
func near(here keymap.Scope) []keymap.Scope {
	first := []keymap.Scope{here, keymap.Reading, keymap.Anywhere}
	return append(first, slices.DeleteFunc(keymap.Scopes(), func(s keymap.Scope) bool { return slices.Contains(first, s) })...)
}

// keyItems are the bindings of the map, under where they hold.
func (m *Model) keyItems(here keymap.Scope) []Item {
	var items []Item
	for _, scope := range near(here) {
		for _, b := range m.keys.Bindings(scope) {
			if b.Name == "pick" && m.cfg.Picker == nil {
				continue
			}
			title := cmp.Or(b.Labels(), "no key")
			items = append(items, Item{
				Name: b.Name, Title: title, Group: string(scope), About: b.About, Words: b.Labels(),
				Alone: cmp.Or(m.keys.Label(b.Name), title) + ": " + b.About,
			})
		}
	}
	return items
}

// keyPage says what a key does, with its neighbours, and how it is given another.
func (m *Model) keyPage(name string) string {
	for _, scope := range keymap.Scopes() {
		bindings := m.keys.Bindings(scope)
		at := slices.IndexFunc(bindings, func(b keymap.Binding) bool { return b.Name == name })
		if at < 0 {
			continue
		}
		var out strings.Builder
		for _, b := range bindings {
			fmt.Fprintf(&out, "- **%s**: %s\n", cmp.Or(b.Labels(), "no key"), strings.ReplaceAll(b.About, `\`, `\\`))
		}
		fmt.Fprintf(&out, "\nOther keys, in the settings:\n\n```yaml\nkeys:\n  %s: %s\n```\n", name, written(bindings[at]))
		return out.String()
	}
	return ""
}

// written is a binding's keys as the settings have them.
func written(b keymap.Binding) string {
	quoted := make([]string, len(b.Keys))
	for i, key := range b.Keys {
		quoted[i] = fmt.Sprintf("%q", key)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
