package widget

import (
	"encoding/json"
	"strconv"
	"strings"
)

// toolArgument is one of a call's arguments as the model wrote it.
type toolArgument struct {
	name  string
	value json.RawMessage
}

// exact shows the value so that nothing in it can hide: control characters,
// line breaks and bidirectional overrides appear as escapes.
func (a toolArgument) exact() string {
	if s, ok := a.text(); ok {
		return strconv.Quote(s)
	}
	return EscapeInvisible(string(a.value))
}

// plain is a string without its quotes, anything else as JSON.
func (a toolArgument) plain() string {
	if s, ok := a.text(); ok {
		return s
	}
	return string(a.value)
}

// text is the value where it is a string. A null would decode as one, too.
func (a toolArgument) text() (s string, ok bool) {
	if !strings.HasPrefix(string(a.value), `"`) {
		return "", false
	}
	return s, json.Unmarshal(a.value, &s) == nil
}

// parseArguments takes the JSON object of a call apart in order, repeated names
// included: a decoder would show the last value of a name and hide the others.
// What is not one JSON object has no arguments, and ok is false.
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

// FormatArguments returns a call's arguments in one line: the values in the order in which the
// model wrote them.
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

// FormatExactArguments returns all of a call's arguments in lines of at most width columns,
// escaped so that nothing in them can control the terminal or hide.
func FormatExactArguments(raw string, width int) []string {
	arguments, ok := parseArguments(raw)
	if !ok {
		return WrapText("arguments "+strconv.Quote(raw), width)
	}
	column := 0
	for _, a := range arguments {
		column = min(max(column, len(EscapeInvisible(a.name))), width/3)
	}
	var rows []string
	for _, a := range arguments {
		name := EscapeInvisible(a.name)
		name += strings.Repeat(" ", max(column-len(name), 0)) + "  "
		for i, row := range WrapText(a.exact(), max(width-len(name), 8)) {
			if i > 0 {
				name = strings.Repeat(" ", len(name))
			}
			rows = append(rows, FitLine(name+row, width))
		}
	}
	return rows
}
