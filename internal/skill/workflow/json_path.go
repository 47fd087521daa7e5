package workflow

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// lookup follows a path into a value; name identifies the value in errors. Values remain raw JSON,
// because decoding and encoding could lose digits of a number or the order of members.
func lookup(value json.RawMessage, name string, path []pathElement) (json.RawMessage, error) {
	for _, e := range path {
		inner, err := e.valueIn(value)
		if err != nil {
			return nil, fmt.Errorf("%s %w", shorten(name), err)
		}
		value, name = inner, name+e.String()
	}
	return value, nil
}

// valueIn returns the element e of value. The error is a continuation of the value's name.
func (e pathElement) valueIn(value json.RawMessage) (json.RawMessage, error) {
	switch jsonKind(value) {
	case '{':
		var members map[string]json.RawMessage
		if err := json.Unmarshal(value, &members); err != nil {
			return nil, fmt.Errorf("cannot be read: %w", err)
		}
		inner, exists := members[e.key]
		if e.index != noIndex || !exists {
			return nil, fmt.Errorf("has no %s; %s", e, memberList(members))
		}
		return inner, nil
	case '[':
		var items []json.RawMessage
		if err := json.Unmarshal(value, &items); err != nil {
			return nil, fmt.Errorf("cannot be read: %w", err)
		}
		if e.index == noIndex || e.index >= len(items) {
			return nil, fmt.Errorf("has no %s; it is a list of length %d, starting at [0]", e, len(items))
		}
		return items[e.index], nil
	case '"':
		return nil, fmt.Errorf("has no %s; it is text", e)
	}
	return nil, fmt.Errorf("has no %s; it is %s", e, shorten(string(value)))
}

// jsonKind returns the first byte of a value.
func jsonKind(value json.RawMessage) byte {
	value = bytes.TrimLeft(value, " \t\r\n")
	if len(value) == 0 {
		return 0
	}
	return value[0]
}

func memberList(members map[string]json.RawMessage) string {
	const most = 12
	if len(members) == 0 {
		return "it is an empty object"
	}
	names := slices.Sorted(maps.Keys(members))
	rest := ""
	if len(names) > most {
		rest = fmt.Sprintf(" and %d others", len(names)-most)
		names = names[:most]
	}
	for i, name := range names {
		names[i] = pathElement{key: name, index: noIndex}.String()
	}
	return "it has " + strings.Join(names, ", ") + rest
}

// textValue returns a value as part of a longer text: text without quotes, everything else as
// compact JSON.
func textValue(value json.RawMessage) (string, error) {
	switch jsonKind(value) {
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

// encodeJSON does not escape < and &, so that the user confirms the text that the author wrote.
func encodeJSON(value any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}
