package eval

import (
	"encoding/json"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// reader reads a YAML tree and collects its problems.
type reader struct{ problems Problems }

func (r *reader) problem(n *yaml.Node, format string, args ...any) {
	r.problemAt(n.Line, format, args...)
}

func (r *reader) problemAt(line int, format string, args ...any) {
	r.problems = append(r.problems, Problem{line, fmt.Sprintf(format, args...)})
}

// refuseAliases rejects anchors, so that a small file cannot expand to a large one.
func (r *reader) refuseAliases(n *yaml.Node) {
	if n.Anchor != "" || n.ShortTag() == "!!merge" {
		r.problem(n, "YAML anchors and aliases are not supported; write the value itself")
		return
	}
	for _, child := range n.Content {
		r.refuseAliases(child)
	}
}

// field is a key that a mapping may have, and the function that reads its value.
type field struct {
	key  string
	read func(*yaml.Node)
}

// mapping reads the fields of n, and reports whether n is a mapping.
func (r *reader) mapping(n *yaml.Node, what string, fields ...field) bool {
	if n.Kind != yaml.MappingNode {
		r.problem(n, "%s holds %s; expected %s", what, describe(n), keys(fields))
		return false
	}
	for key, value := range r.pairs(n) {
		known := false
		for _, f := range fields {
			if f.key == key.Value {
				f.read(value)
				known = true
			}
		}
		if !known {
			r.problem(key, "unknown key %q in %s; known: %s", key.Value, what, keys(fields))
		}
	}
	return true
}

func keys(fields []field) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.key
	}
	return strings.Join(names, ", ")
}

// pairs returns the keys and values of a mapping, each key once.
func (r *reader) pairs(n *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(key, value *yaml.Node) bool) {
		seen := map[string]int{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if key.Kind != yaml.ScalarNode {
				r.problem(key, "keys must be text, not %s", describe(key))
				continue
			}
			if first, twice := seen[key.Value]; twice {
				r.problem(key, "%s is set twice, first on line %d", key.Value, first)
				continue
			}
			seen[key.Value] = key.Line
			if !yield(key, n.Content[i+1]) {
				return
			}
		}
	}
}

func list[T any](r *reader, n *yaml.Node, what string, item func(*yaml.Node) T) []T {
	if n.Kind != yaml.SequenceNode {
		r.problem(n, "%s holds %s; expected a list", what, describe(n))
		return nil
	}
	out := make([]T, len(n.Content))
	for i, child := range n.Content {
		out[i] = item(child)
	}
	return out
}

// text requires a string. A number to search for must be quoted, because 5.70 as a number is 5.7.
func (r *reader) text(n *yaml.Node, what string) string {
	switch {
	case n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str":
		r.problem(n, "%s holds %s; expected text (quote it if needed)", what, describe(n))
		return ""
	case strings.TrimSpace(n.Value) == "":
		r.problem(n, "%s is empty", what)
	}
	return n.Value
}

// userInput returns text as typed by a user, which may be empty.
func (r *reader) userInput(n *yaml.Node, what string) string {
	nothing := n.ShortTag() == "!!null" || n.ShortTag() == "!!str" && strings.TrimSpace(n.Value) == ""
	if n.Kind == yaml.ScalarNode && nothing {
		return ""
	}
	return r.text(n, what)
}

func (r *reader) count(n *yaml.Node, what string) int {
	v, err := strconv.Atoi(n.Value)
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int" || err != nil || v < 0 {
		r.problem(n, "%s holds %s; expected a number of 0 or more", what, describe(n))
		return 0
	}
	return v
}

func (r *reader) object(n *yaml.Node, what string) map[string]any {
	if n.Kind != yaml.MappingNode {
		r.problem(n, "%s holds %s; expected names with values", what, describe(n))
		return nil
	}
	out := map[string]any{}
	for key, value := range r.pairs(n) {
		out[key.Value] = r.value(value)
	}
	return out
}

// value returns n as a JSON value.
func (r *reader) value(n *yaml.Node) any {
	switch n.Kind {
	case yaml.MappingNode:
		return r.object(n, "a value")
	case yaml.SequenceNode:
		return list(r, n, "a value", r.value)
	}
	switch n.ShortTag() {
	case "!!str", "!!timestamp": // JSON has no dates; tools take them as text
		return n.Value
	case "!!null":
		return nil
	case "!!bool":
		var b bool
		if n.Decode(&b) == nil {
			return b
		}
	case "!!int", "!!float":
		if number, ok := jsonNumber(n); ok {
			return number
		}
	}
	r.problem(n, "%q is not a valid JSON value", n.Value)
	return nil
}

// jsonNumber returns a number with its digits as written, if JSON allows that notation. It reports false for
// numbers that JSON cannot represent.
func jsonNumber(n *yaml.Node) (json.Number, bool) {
	var v json.Number
	if json.Unmarshal([]byte(n.Value), &v) == nil && v != "" {
		return v, true
	}
	var f float64
	if n.Decode(&f) != nil {
		return "", false
	}
	b, err := json.Marshal(f)
	return json.Number(b), err == nil // not for infinities
}

// describe returns the type of a node in words.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a section"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.ShortTag() {
	case "!!null":
		return "nothing"
	case "!!bool":
		return "true or false"
	case "!!int", "!!float":
		return "the number " + n.Value
	case "!!timestamp":
		return "the date " + n.Value
	case "!!str":
		return "text"
	}
	return "a value of type " + n.ShortTag()
}
