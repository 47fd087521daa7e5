package workflow

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Values stay in the JSON they came in. Decoded and encoded again a number could
// lose digits and an object would lose the order of its members.

// lookup follows a path into a value, which its errors call by name.
func lookup(value json.RawMessage, name string, path []element) (json.RawMessage, error) {
	for _, e := range path {
		inner, err := e.in(value)
		if err != nil {
			return nil, fmt.Errorf("%s %w", shortened(name), err)
		}
		value, name = inner, name+e.String()
	}
	return value, nil
}

// in is the value that e leads to. The error goes on from the name of the value.
func (e element) in(value json.RawMessage) (json.RawMessage, error) {
	switch kind(value) {
	case '{':
		var members map[string]json.RawMessage
		if err := json.Unmarshal(value, &members); err != nil {
			return nil, fmt.Errorf("cannot be read: %w", err)
		}
		inner, there := members[e.key]
		if e.place != noPlace || !there {
			return nil, fmt.Errorf("has no %s; %s", e, listed(members))
		}
		return inner, nil
	case '[':
		var items []json.RawMessage
		if err := json.Unmarshal(value, &items); err != nil {
			return nil, fmt.Errorf("cannot be read: %w", err)
		}
		if e.place == noPlace || e.place >= len(items) {
			return nil, fmt.Errorf("has no %s; it is a list of %d, counted from [0]", e, len(items))
		}
		return items[e.place], nil
	case '"':
		return nil, fmt.Errorf("has no %s; it is text", e)
	}
	return nil, fmt.Errorf("has no %s; it is %s", e, shortened(string(value)))
}

// kind is the byte a value begins with.
func kind(value json.RawMessage) byte {
	value = bytes.TrimLeft(value, " \t\r\n")
	if len(value) == 0 {
		return 0
	}
	return value[0]
}

func listed(members map[string]json.RawMessage) string {
	const most = 12
	if len(members) == 0 {
		return "it is an object without members"
	}
	names := slices.Sorted(maps.Keys(members))
	rest := ""
	if len(names) > most {
		rest = fmt.Sprintf(" and %d others", len(names)-most)
		names = names[:most]
	}
	for i, name := range names {
		names[i] = element{key: name, place: noPlace}.String()
	}
	return "it has " + strings.Join(names, ", ") + rest
}

// textOf is a value as it reads inside a longer text: text without its quotes,
// everything else as JSON without blanks.
func textOf(value json.RawMessage) (string, error) {
	switch kind(value) {
	case 0:
		return "", nil
	case '"':
		var text string
		err := json.Unmarshal(value, &text)
		return text, err
	}
	var compact bytes.Buffer
	err := json.Compact(&compact, value)
	return compact.String(), err
}

// encode writes < and & as they are: what a person confirms should read as what
// the author wrote.
func encode(value any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}
