package shelves

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
)

// Tools are what can be called.
type Tools struct {
	Base *tool.Router                    // of all tools but those that skills bring
	With func(*tool.Router) *tool.Router // adds those
	May  func(name string) bool          // whether the agent that answers may use one
}

// Shelf is /tools: what can be called, to read about.
func (s Tools) Shelf() *tui.Shelf {
	return &tui.Shelf{Title: "Tools", Items: s.items, Read: s.read, Empty: "There are no tools."}
}

func (s Tools) items() []tui.Item {
	all := s.With(s.Base).Tools()
	slices.SortStableFunc(all, func(a, b tool.Tool) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.Name, b.Name))
	})
	items := make([]tui.Item, len(all))
	for i, t := range all {
		items[i] = tui.Item{Name: t.Name, Group: cmp.Or(t.Heading, "Brought by skills"), About: console.FirstSentence(t.Description), Marks: s.marks(t)}
	}
	return items
}

// place is where a tool is listed; one that has none is listed last.
func place(t tool.Tool) int {
	if t.Heading == "" {
		return math.MaxInt
	}
	return t.Place
}

func (s Tools) marks(t tool.Tool) []string {
	var marks []string
	if t.Effect != tool.Reads {
		marks = append(marks, t.Effect.String())
	}
	if !s.May(t.Name) {
		marks = append(marks, "not this agent's")
	}
	return marks
}

// read is what the pane holds of a tool.
func (s Tools) read(name string) (string, error) {
	t, ok := s.With(s.Base).Lookup(name)
	if !ok {
		return "", fmt.Errorf("there is no tool %s; /tools lists them", name)
	}
	return toolPage(t), nil
}

// effects say what a tool does to the world and whether it asks.
func effects(t tool.Tool) string {
	switch {
	case t.Effect == tool.Executes:
		return "runs programs; asks first"
	case t.Effect == tool.Writes:
		return "writes; asks first"
	case t.Preview != nil:
		return "reads; asks where a call would write"
	}
	return "reads"
}

// toolPage describes a tool: what it gives, does and takes.
func toolPage(t tool.Tool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**: %s\n\n%s\n\n## Parameters\n\n", t.Name, effects(t), t.Description)
	var takes schemaJSON
	if err := json.Unmarshal(t.Spec().Parameters, &takes); err != nil || len(takes.Properties) == 0 {
		b.WriteString("none\n")
		return b.String()
	}
	takes.write(&b, "")
	return b.String()
}

// Show describes the tool that is named; without a name it lists all.
func (s Tools) Show(words string) (string, error) {
	name := strings.TrimSpace(words)
	if t, ok := s.With(s.Base).Lookup(name); ok {
		return toolPage(t), nil
	}
	if name != "" {
		return "", s.noSuchTool(name)
	}
	var b strings.Builder
	for _, t := range s.Base.Tools() {
		fmt.Fprintf(&b, "- **%s** (%s): %s\n", t.Name, t.Effect, console.FirstSentence(t.Description))
	}
	return b.String(), nil
}

// noSuchTool says which tools have the word in their name.
func (s Tools) noSuchTool(word string) error {
	var near []string
	for _, t := range s.With(s.Base).Tools() {
		if strings.Contains(strings.ToLower(t.Name), strings.ToLower(word)) {
			near = append(near, t.Name)
		}
	}
	if len(near) == 0 {
		return fmt.Errorf("there is no tool %q; /tools lists them", word)
	}
	return fmt.Errorf("there is no tool %q; there are: %s", word, strings.Join(near, ", "))
}

// Words are the words behind /tools: the tools and the skills that are some.
func (s Tools) Words(args string) []string {
	if args != "" {
		return nil
	}
	var names []string
	for _, t := range s.With(s.Base).Tools() {
		names = append(names, t.Name)
	}
	return names
}
