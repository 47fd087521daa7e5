package tool

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// parseTexts converts arguments that were sent as text: all of them as one JSON string, or individual
// ones whose schema requires a list, an object, a number or a boolean. A list of words may be
// comma-separated. changed is false if there is no such text.
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

// parseText converts a text to the type in its schema; ok is false if the schema accepts text, or
// if the text cannot be converted.
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
