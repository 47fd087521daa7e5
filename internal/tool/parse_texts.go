package tool

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// parseTexts reads arguments that were sent as text: all of them as one string of JSON, or single
// ones whose schema asks for a list, an object, a number or a boolean. A list of words may be
// separated by commas. changed is false if there is no such text.
func (t Tool) parseTexts(raw string) (parsed string, changed bool) {
	var all string
	if json.Unmarshal([]byte(raw), &all) == nil {
		raw, changed = all, true
	}
	var args map[string]json.RawMessage
	if json.Unmarshal([]byte(raw), &args) != nil || args == nil {
		return raw, changed
	}
	schema := t.input().resolved().Schema()
	for name, value := range args {
		var text string
		if property := schema.Properties[name]; property != nil && json.Unmarshal(value, &text) == nil {
			if value, ok := parseText(property, text); ok {
				args[name], changed = value, true
			}
		}
	}
	if !changed {
		return raw, false
	}
	encoded, err := json.Marshal(args)
	return string(encoded), err == nil
}

// parseText is a text as its schema asks for; ok is false if the schema takes a text, or if the
// text is nothing else.
func parseText(schema *jsonschema.Schema, text string) (value json.RawMessage, ok bool) {
	types := append(slices.Clone(schema.Types), schema.Type)
	if slices.Contains(types, "string") {
		return nil, false
	}
	text = strings.TrimSpace(text)
	if json.Valid([]byte(text)) {
		return json.RawMessage(text), true
	}
	if !slices.Contains(types, "array") || schema.Items == nil || schema.Items.Type != "string" {
		return nil, false
	}
	var words []string
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.TrimSpace(word); word != "" {
			words = append(words, word)
		}
	}
	value, err := json.Marshal(words)
	return value, err == nil
}
