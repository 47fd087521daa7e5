package workflow

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// textPiece is a stretch of a text: a template with its braces, or what stands
// around templates.
type textPiece struct {
	text     string
	template bool
}

// splitTemplates takes a text apart; its pieces put together are the text again. In
// {{{x}}} the inner braces are the template's, as they are in a skill's body.
func splitTemplates(text string) []textPiece {
	var pieces []textPiece
	plain := 0 // where the text not yet in a piece begins
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

// reference is what a template stands for: a parameter, or something in the
// result of a step.
type reference struct {
	parameter *Parameter // nil for a step
	step      string
	path      []pathElement
}

// pathElement leads from a value to one inside it: a member of an object or, with a
// place, a value of a list.
type pathElement struct {
	key   string
	index int // -1 for a member
}

const noIndex = -1

// maxPathDepth is deeper than anything a person would look up, and keeps a path of
// ten thousand brackets from costing time.
const maxPathDepth = 32

var (
	elementForm = lazyregexp.New(`^(?:\.([^.\[\]"\s]+)|\[(\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\])`)
	plainKey    = lazyregexp.New(`^[\pL_][\pL\d_-]*$`)
)

// String is the element as a template has it.
func (e pathElement) String() string {
	switch {
	case e.index != noIndex:
		return "[" + strconv.Itoa(e.index) + "]"
	case plainKey().MatchString(e.key):
		return "." + shorten(e.key)
	}
	return "[" + strconv.Quote(shorten(e.key)) + "]"
}

// errNotReference is that a template is neither of the two kinds.
var errNotReference = errors.New("neither a parameter nor the result of a step")

// parseReference reads a template. A parameter wins over a step, whatever its name is.
func parseReference(template string, declared []Parameter) (reference, error) {
	inner := strings.TrimSuffix(strings.TrimPrefix(template, "{{"), "}}")
	for i, p := range declared {
		if p.Name == inner {
			return reference{parameter: &declared[i]}, nil
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
			return nil, fmt.Errorf("its path cannot be read from %q on; a path is such as .key[0][\"a key\"]", shorten(text))
		}
		e := pathElement{key: match[1], index: noIndex}
		switch {
		case match[2] != "":
			e.index, _ = strconv.Atoi(match[2]) // nine digits always fit
		case match[3] != "":
			if err := json.Unmarshal([]byte(match[3]), &e.key); err != nil {
				return nil, fmt.Errorf("the key %s in its path: %w", shorten(match[3]), err)
			}
		}
		if path = append(path, e); len(path) > maxPathDepth {
			return nil, fmt.Errorf("its path is more than %d deep", maxPathDepth)
		}
		text = text[len(match[0]):]
	}
	return path, nil
}

// shorten keeps a page that was put where a name or a value belongs out of a message.
func shorten(text string) string {
	const enough = 80
	letters := []rune(strings.Join(strings.Fields(text), " "))
	if len(letters) <= enough {
		return string(letters)
	}
	return string(letters[:enough]) + "…"
}
