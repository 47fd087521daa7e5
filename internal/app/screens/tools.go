package screens

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
)

// Tools is the screen of the tools.
type Tools struct{ App *app.App }

// all returns all tools except find_tools.
func (s Tools) all() *tool.Router {
	return s.App.AllTools().Only(func(name string) bool { return name != tool.FindToolsName })
}

// Screen returns the list for /tools.
func (s Tools) Screen() *tui.ListScreen {
	return &tui.ListScreen{Title: "Tools", Items: s.items, Read: s.read, Empty: "No tools."}
}

func (s Tools) items() []tui.ListItem {
	all := s.all().Tools()
	slices.SortStableFunc(all, func(a, b tool.Tool) int {
		return cmp.Or(cmp.Compare(toolOrder(a), toolOrder(b)), cmp.Compare(a.Name, b.Name))
	})
	items := make([]tui.ListItem, len(all))
	for i, t := range all {
		items[i] = tui.ListItem{Name: t.Name, Group: cmp.Or(t.Heading, "From skills"), About: cli.FirstSentence(t.Description), Marks: s.marks(t)}
	}
	return items
}

// toolOrder returns the position of a tool in the list. Tools without one come last.
func toolOrder(t tool.Tool) int {
	if t.Heading == "" {
		return math.MaxInt
	}
	return t.Order
}

func (s Tools) marks(t tool.Tool) []string {
	var marks []string
	if t.Effect != tool.Reads {
		marks = append(marks, t.Effect.String())
	}
	if !s.App.Agents.Active().Profile.Allows(t.Name) {
		marks = append(marks, "not available to this agent")
	}
	return marks
}

// read returns the text of the pane for a tool.
func (s Tools) read(name string) (string, error) {
	t, ok := s.all().Lookup(name)
	if !ok {
		return "", fmt.Errorf("no tool %s; see /tools", name)
	}
	return toolPage(t), nil
}

// effectText states whether a tool reads, writes or runs programs, and whether it asks for
// approval.
func effectText(t tool.Tool) string {
	switch {
	case t.Effect == tool.Executes:
		return "runs programs; asks first"
	case t.Effect == tool.Writes:
		return "writes; asks first"
	case t.Preview != nil:
		return "reads; asks before a call that writes"
	}
	return "reads"
}

// toolPage describes a tool: its result, its effect and its parameters.
func toolPage(t tool.Tool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**: %s\n\n%s\n\n", t.Name, effectText(t), t.Description)
	if t.Details != "" {
		b.WriteString(t.Details + "\n\n")
	}
	b.WriteString("## Parameters\n\n")
	var schema schemaJSON
	if err := json.Unmarshal(t.Spec().Parameters, &schema); err != nil || len(schema.Properties) == 0 {
		b.WriteString("none\n")
		return b.String()
	}
	schema.write(&b, "")
	return b.String()
}

// Command describes the named tool, or lists all tools.
func (s Tools) Command(input string) (string, error) {
	name := strings.TrimSpace(input)
	if t, ok := s.all().Lookup(name); ok {
		return toolPage(t), nil
	}
	if name != "" {
		return "", s.unknownTool(name)
	}
	var b strings.Builder
	for _, t := range s.App.Tools.Tools() {
		fmt.Fprintf(&b, "- **%s** (%s): %s\n", t.Name, t.Effect, cli.FirstSentence(t.Description))
	}
	return b.String(), nil
}

// unknownTool returns an error that suggests tools with the word in their name.
func (s Tools) unknownTool(word string) error {
	var near []string
	for _, t := range s.all().Tools() {
		if strings.Contains(strings.ToLower(t.Name), strings.ToLower(word)) {
			near = append(near, t.Name)
		}
	}
	if len(near) == 0 {
		return fmt.Errorf("no tool %q; see /tools", word)
	}
	return fmt.Errorf("no tool %q; available: %s", word, strings.Join(near, ", "))
}

// Completions returns the completions for /tools: tools and workflows.
func (s Tools) Completions(args string) []string {
	if args != "" {
		return nil
	}
	var names []string
	for _, t := range s.all().Tools() {
		names = append(names, t.Name)
	}
	return names
}
