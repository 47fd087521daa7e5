package screens

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// schemaJSON holds the parts of a JSON schema that the screen shows.
type schemaJSON struct {
	Type        any                   `json:"type"`
	Description string                `json:"description"`
	Properties  map[string]schemaJSON `json:"properties"`
	Required    []string              `json:"required"`
	Items       *schemaJSON           `json:"items"`
	Enum        []any                 `json:"enum"`
}

// write lists the properties, required ones first, with nested properties indented.
func (s schemaJSON) write(b *strings.Builder, indent string) {
	names := slices.SortedFunc(maps.Keys(s.Properties), func(a, b string) int {
		return cmp.Or(cmp.Compare(s.order(a), s.order(b)), cmp.Compare(a, b))
	})
	for _, name := range names {
		p := s.Properties[name]
		kind := p.kind()
		if slices.Contains(s.Required, name) {
			kind += ", required"
		}
		fmt.Fprintf(b, "%s- %s (%s)", indent, markdown.QuoteCode(name), kind)
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

// order returns the position of a property. Required properties come first.
func (s schemaJSON) order(name string) int {
	if index := slices.Index(s.Required, name); index >= 0 {
		return index
	}
	return len(s.Required)
}

// kind returns the type in plain English.
func (s schemaJSON) kind() string {
	if len(s.Enum) > 0 {
		names := make([]string, len(s.Enum))
		for i, e := range s.Enum {
			names[i] = fmt.Sprint(e)
		}
		return strings.Join(names, " | ")
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
	names := map[string]string{"string": "text", "boolean": "true or false", "integer": "whole number", "array": "list"}
	return cmp.Or(names[name], name)
}
