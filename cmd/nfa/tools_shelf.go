package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
)

// toolShelf is /tools: what can be called, to read about.
type toolShelf struct{ *house }

func (h *house) toolShelf() *tui.Shelf {
	s := toolShelf{h}
	return &tui.Shelf{Title: "Tools", Items: s.items, Read: s.read, Empty: "There are no tools."}
}

func (s toolShelf) items() []tui.Item {
	all := s.set.WithWorkflows(s.router).Tools()
	slices.SortStableFunc(all, func(a, b tool.Tool) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.Name, b.Name))
	})
	items := make([]tui.Item, len(all))
	for i, t := range all {
		items[i] = tui.Item{Name: t.Name, Group: cmp.Or(t.Heading, "Brought by skills"), About: firstSentence(t.Description), Marks: s.marks(t)}
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

func (s toolShelf) marks(t tool.Tool) []string {
	var marks []string
	if t.Effect != tool.Reads {
		marks = append(marks, t.Effect.String())
	}
	if !s.speaking.Load().profile.May(t.Name) {
		marks = append(marks, "not this agent's")
	}
	return marks
}

// read is what the pane holds of a tool.
func (s toolShelf) read(name string) (string, error) {
	t, ok := s.set.WithWorkflows(s.router).Lookup(name)
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

// schemaJSON is what is told of a JSON schema.
type schemaJSON struct {
	Type        any                   `json:"type"`
	Description string                `json:"description"`
	Properties  map[string]schemaJSON `json:"properties"`
	Required    []string              `json:"required"`
	Items       *schemaJSON           `json:"items"`
	Enum        []any                 `json:"enum"`
}

// write lists the properties, the required ones first, with those of the objects in
// them set in.
func (s schemaJSON) write(b *strings.Builder, indent string) {
	names := slices.SortedFunc(maps.Keys(s.Properties), func(a, b string) int {
		return cmp.Or(cmp.Compare(s.place(a), s.place(b)), cmp.Compare(a, b))
	})
	for _, name := range names {
		p := s.Properties[name]
		kind := p.kind()
		if slices.Contains(s.Required, name) {
			kind += ", required"
		}
		fmt.Fprintf(b, "%s- %s (%s)", indent, markdown.Code(name), kind)
		if p.Description != "" {
			b.WriteString(": " + p.Description)
		}
		b.WriteString("\n")
		if p.Items != nil {
			p = *p.Items
		}
		if len(indent) < 8 {
			p.write(b, indent+"  ")
		}
	}
}

// place puts what is required first, in the order of the schema.
func (s schemaJSON) place(name string) int {
	if at := slices.Index(s.Required, name); at >= 0 {
		return at
	}
	return len(s.Required)
}

// kind is the type as people say it.
func (s schemaJSON) kind() string {
	if len(s.Enum) > 0 {
		words := make([]string, len(s.Enum))
		for i, e := range s.Enum {
			words[i] = fmt.Sprint(e)
		}
		return strings.Join(words, " | ")
	}
	name, _ := s.Type.(string)
	if several, ok := s.Type.([]any); ok {
		for _, t := range several {
			if text, ok := t.(string); ok && text != "null" {
				name = text
			}
		}
	}
	switch {
	case name == "array" && s.Items != nil:
		return "list of " + s.Items.kind()
	case name == "":
		return "anything"
	}
	words := map[string]string{"string": "text", "boolean": "true or false", "integer": "whole number", "array": "list"}
	return cmp.Or(words[name], name)
}
