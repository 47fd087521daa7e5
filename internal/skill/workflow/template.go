package workflow

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// textPiece is a part of a text: a template with its braces, or text around templates.
type textPiece struct {
	text     string
	template bool
}

// splitTemplates splits a text into pieces. In {{{x}}} the inner braces are the template's, as in a
// skill's body.
func splitTemplates(text string) []textPiece {
	var pieces []textPiece
	plain := 0 // start of the text that is not yet in a piece
	for position := 0; ; {
		closing := strings.Index(text[position:], "}}")
		if closing < 0 {
			break
		}
		end := position + closing + len("}}")
		opening := strings.LastIndex(text[position:position+closing], "{{")
		if opening >= 0 {
			start := position + opening
			if plain < start {
				pieces = append(pieces, textPiece{text: text[plain:start]})
			}
			pieces = append(pieces, textPiece{text: text[start:end], template: true})
			plain = end
		}
		position = end
	}
	if plain < len(text) {
		pieces = append(pieces, textPiece{text: text[plain:]})
	}
	return pieces
}

// reference is the target of a template: a parameter, or part of a step's result.
type reference struct {
	parameter *Parameter // nil for a step
	currency  bool       // the currency of the parameter instead of its value
	step      string
	path      []pathElement
}

// pathElement selects a value inside another: a member of an object or, with an index, an element
// of a list.
type pathElement struct {
	key   string
	index int // -1 for a member
}

const noIndex = -1

// maxPathDepth is deeper than any real path, and limits the cost of very long ones.
const maxPathDepth = 32

var (
	elementForm = lazyregexp.New(`^(?:\.([^.\[\]"\s]+)|\[(\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\])`)
	plainKey    = lazyregexp.New(`^[\pL_][\pL\d_-]*$`)
)

// String returns the element as in a template.
func (e pathElement) String() string {
	switch {
	case e.index != noIndex:
		return "[" + strconv.Itoa(e.index) + "]"
	case plainKey().MatchString(e.key):
		return "." + shorten(e.key)
	}
	return "[" + strconv.Quote(shorten(e.key)) + "]"
}

// errNotReference means that a template is neither a parameter nor a step result.
var errNotReference = errors.New("neither a parameter nor a step result")

// parseReference parses a template. If a name is both, the parameter wins.
func parseReference(template string, declared []Parameter) (reference, error) {
	inner := strings.TrimSuffix(strings.TrimPrefix(template, "{{"), "}}")
	for i, p := range declared {
		if p.Name == inner {
			return reference{parameter: &declared[i]}, nil
		}
		if kind, _ := p.Kind(); kind == KindMoney && p.Name+".currency" == inner {
			return reference{parameter: &declared[i], currency: true}, nil
		}
	}
	rest, isStep := strings.CutPrefix(inner, "steps.")
	if !isStep {
		return reference{}, errNotReference
	}
	end := strings.IndexAny(rest, ".[")
	if end < 0 {
		end = len(rest)
	}
	path, err := readPath(rest[end:])
	return reference{step: rest[:end], path: path}, err
}

func readPath(text string) ([]pathElement, error) {
	var path []pathElement
	for text != "" {
		match := elementForm().FindStringSubmatch(text)
		if match == nil {
			return nil, fmt.Errorf("invalid path at %q; write a path such as .key[0][\"a key\"]", shorten(text))
		}
		e := pathElement{key: match[1], index: noIndex}
		switch {
		case match[2] != "":
			e.index, _ = strconv.Atoi(match[2]) // nine digits always fit
		case match[3] != "":
			if err := json.Unmarshal([]byte(match[3]), &e.key); err != nil {
				return nil, fmt.Errorf("key %s in the path: %w", shorten(match[3]), err)
			}
		}
		if path = append(path, e); len(path) > maxPathDepth {
			return nil, fmt.Errorf("the path has more than %d levels", maxPathDepth)
		}
		text = text[len(match[0]):]
	}
	return path, nil
}

// shorten shortens text in messages.
func shorten(text string) string {
	const enough = 80
	letters := []rune(strings.Join(strings.Fields(text), " "))
	if len(letters) <= enough {
		return string(letters)
	}
	return string(letters[:enough]) + "…"
}
