// Package help is the keys and the commands as a shelf to browse: the keys of where the
// reader is first. It is made of the key map and of what "/" offers, so that it cannot
// name what is not there.
package help

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/browsing"
	"github.com/nfa-cli/nfa/internal/tui/keymap"
	"github.com/nfa-cli/nfa/internal/tui/slash"
)

// Subject is what there is help for.
type Subject struct {
	Here     keymap.Scope // where the reader is
	Keys     keymap.Map
	Commands []slash.Item
	Without  []string // the names of bindings that do nothing in this chat
}

// Shelf is the help for a subject.
func Shelf(s Subject) *browsing.Shelf {
	return &browsing.Shelf{
		Title: "Help",
		Items: func() []browsing.Item { return slices.Concat(s.keyItems(), commandItems(s.Commands)) },
		Read: func(name string) (string, error) {
			if text, ok := commandPage(s.Commands, name); ok {
				return text, nil
			}
			return s.keyPage(name), nil
		},
		Actions: []browsing.Action{{
			Key: "enter", Name: "write", About: "write the command",
			Offer: func(i browsing.Item) bool { return strings.HasPrefix(i.Name, "/") },
			Run: func(name string) (browsing.Outcome, error) {
				return browsing.Outcome{Compose: name + " "}, nil
			},
		}},
	}
}

// commandItems leaves what a command is about to its page where one is beside the list:
// it says so behind how the command is written. The filter finds it all the same.
func commandItems(commands []slash.Item) []browsing.Item {
	items := make([]browsing.Item, len(commands))
	for i, c := range commands {
		items[i] = browsing.Item{Name: "/" + c.Name, Group: "Commands", Alone: "/" + c.Name + ": " + c.About, Words: c.About}
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
func (s Subject) keyItems() []browsing.Item {
	var items []browsing.Item
	for _, scope := range near(s.Here) {
		for _, b := range s.Keys.Bindings(scope) {
			if slices.Contains(s.Without, b.Name) {
				continue
			}
			title := cmp.Or(b.Labels(), "no key")
			items = append(items, browsing.Item{
				Name: b.Name, Title: title, Group: string(scope), About: b.About, Words: b.Labels(),
				Alone: cmp.Or(s.Keys.Label(b.Name), title) + ": " + b.About,
			})
		}
	}
	return items
}

// keyPage says what a key does, with its neighbours, and how it is given another.
func (s Subject) keyPage(name string) string {
	for _, scope := range keymap.Scopes() {
		bindings := s.Keys.Bindings(scope)
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
