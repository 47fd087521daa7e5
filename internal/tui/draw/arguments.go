package draw

import (
	"encoding/json"
	"strconv"
	"strings"
)

// argument is one of a call's arguments as the model wrote it.
type argument struct {
	name  string
	value json.RawMessage
}

// exact shows the value so that nothing in it can hide: control characters,
// line breaks and bidirectional overrides appear as escapes.
func (a argument) exact() string {
	if s, ok := a.text(); ok {
		return strconv.Quote(s)
	}
	return Visible(string(a.value))
}

// plain is a string without its quotes, anything else as JSON.
func (a argument) plain() string {
	if s, ok := a.text(); ok {
		return s
	}
	return string(a.value)
}

// text is the value where it is a string. A null would decode as one, too.
func (a argument) text() (s string, ok bool) {
	if !strings.HasPrefix(string(a.value), `"`) {
		return "", false
	}
	return s, json.Unmarshal(a.value, &s) == nil
}

// parseArguments takes the JSON object of a call apart in order, repeated names
// included: a decoder would show the last value of a name and hide the others.
// What is not one JSON object has no arguments, and ok is false.
func parseArguments(raw string) (arguments []argument, ok bool) {
	dec := json.NewDecoder(strings.NewReader(raw))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, false
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, false
		}
		a := argument{name: key.(string)}
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

// Arguments reads a call's arguments in a line: the values in the order the
// model wrote them.
func Arguments(raw string) string {
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

// ExactArguments shows all of a call's arguments in lines of at most width
// columns, so that nothing in them can act or hide.
func ExactArguments(raw string, width int) []string {
	arguments, ok := parseArguments(raw)
	if !ok {
		return Wrap("arguments "+strconv.Quote(raw), width)
	}
	column := 0
	for _, a := range arguments {
		column = min(max(column, len(Visible(a.name))), width/3)
	}
	var rows []string
	for _, a := range arguments {
		name := Visible(a.name)
		name += strings.Repeat(" ", max(column-len(name), 0)) + "  "
		for i, row := range Wrap(a.exact(), max(width-len(name), 8)) {
			if i > 0 {
				name = strings.Repeat(" ", len(name))
			}
			rows = append(rows, Fit(name+row, width))
		}
	}
	return rows
}
