package widget

import (
	"encoding/json"
	"strings"
)

// toolArgument is an argument of a tool call as the model wrote it.
type toolArgument struct {
	name  string
	value json.RawMessage
}

// plain returns a string without its quotes, a list of strings without brackets, anything else as JSON.
func (a toolArgument) plain() string {
	if s, ok := a.text(); ok {
		return s
	}
	var list []string
	if strings.HasPrefix(string(a.value), "[") && json.Unmarshal(a.value, &list) == nil {
		return strings.Join(list, ", ")
	}
	return string(a.value)
}

// text returns the value of a string. It checks the quote because null also decodes into a string.
func (a toolArgument) text() (s string, ok bool) {
	if !strings.HasPrefix(string(a.value), `"`) {
		return "", false
	}
	return s, json.Unmarshal(a.value, &s) == nil
}

// parseArguments returns the members of the JSON object of a call in order, including repeated names,
// of which a map would hide all but the last. ok is false if raw is not one JSON object.
func parseArguments(raw string) (arguments []toolArgument, ok bool) {
	dec := json.NewDecoder(strings.NewReader(raw))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, false
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, false
		}
		a := toolArgument{name: key.(string)}
		if err := dec.Decode(&a.value); err != nil {
			return nil, false
		}
		arguments = append(arguments, a)
	}
	if _, err := dec.Token(); err != nil || dec.More() {
		return nil, false
	}
	return arguments, true
}

// FormatArguments returns the values of a call's arguments in one line, in the order of raw.
func FormatArguments(raw string) string {
	arguments, ok := parseArguments(raw)
	if !ok {
		return OneLine(raw)
	}
	values := make([]string, 0, len(arguments))
	for _, a := range arguments {
		values = append(values, OneLine(a.plain()))
	}
	return strings.Join(values, " · ")
}
