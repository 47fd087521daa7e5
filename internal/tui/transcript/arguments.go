package transcript

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// Argument is one of a call's arguments as the model wrote it.
type Argument struct {
	Name  string
	value json.RawMessage
}

// Exact shows the value so that nothing in it can hide: control characters,
// line breaks and bidirectional overrides appear as escapes.
func (a Argument) Exact() string {
	if s, ok := a.text(); ok {
		return strconv.Quote(s)
	}
	return draw.Visible(string(a.value))
}

// plain is a string without its quotes, anything else as JSON.
func (a Argument) plain() string {
	if s, ok := a.text(); ok {
		return s
	}
	return string(a.value)
}

// text is the value where it is a string. A null would decode as one, too.
func (a Argument) text() (s string, ok bool) {
	if !strings.HasPrefix(string(a.value), `"`) {
		return "", false
	}
	return s, json.Unmarshal(a.value, &s) == nil
}

// ParseArguments takes the JSON object of a call apart in order, repeated names
// included: a decoder would show the last value of a name and hide the others.
// What is not one JSON object has no arguments, and ok is false.
func ParseArguments(raw string) (arguments []Argument, ok bool) {
	dec := json.NewDecoder(strings.NewReader(raw))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, false
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, false
		}
		a := Argument{Name: key.(string)}
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

// brief reads a call's arguments in a line: the values in the order the model
// wrote them.
func brief(raw string) string {
	arguments, ok := ParseArguments(raw)
	if !ok {
		return draw.OneLine(raw)
	}
	values := make([]string, 0, len(arguments))
	for _, a := range arguments {
		values = append(values, draw.OneLine(a.plain()))
	}
	return strings.Join(values, " · ")
}
