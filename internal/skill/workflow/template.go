package workflow

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/nfa-cli/nfa/internal/pattern"
	"github.com/nfa-cli/nfa/internal/skill/parameter"
)

// piece is a stretch of a text: a template with its braces, or what stands
// around templates.
type piece struct {
	text     string
	template bool
}

// split takes a text apart; its pieces put together are the text again. In
// {{{x}}} the inner braces are the template's, as they are in a skill's body.
func split(text string) []piece {
	var pieces []piece
	plain := 0 // where the text not yet in a piece begins
	for at := 0; ; {
		closing := strings.Index(text[at:], "}}")
		if closing < 0 {
			break
		}
		end := at + closing + len("}}")
		opening := strings.LastIndex(text[at:at+closing], "{{")
		if opening >= 0 {
			start := at + opening
			if plain < start {
				pieces = append(pieces, piece{text: text[plain:start]})
			}
			pieces = append(pieces, piece{text: text[start:end], template: true})
			plain = end
		}
		at = end
	}
	if plain < len(text) {
		pieces = append(pieces, piece{text: text[plain:]})
	}
	return pieces
}

// reference is what a template stands for: a parameter, or something in the
// result of a step.
type reference struct {
	parameter *parameter.Parameter // nil for a step
	step      string
	path      []element
}

// element leads from a value to one inside it: a member of an object or, with a
// place, a value of a list.
type element struct {
	key   string
	place int // -1 for a member
}

const noPlace = -1

// maxPath is deeper than anything a person would look up, and keeps a path of
// ten thousand brackets from costing time.
const maxPath = 32

var (
	elementForm = pattern.Lazy(`^(?:\.([^.\[\]"\s]+)|\[(\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\])`)
	plainKey    = pattern.Lazy(`^[\pL_][\pL\d_-]*$`)
)

// String is the element as a template has it.
func (e element) String() string {
	switch {
	case e.place != noPlace:
		return "[" + strconv.Itoa(e.place) + "]"
	case plainKey().MatchString(e.key):
		return "." + shortened(e.key)
	}
	return "[" + strconv.Quote(shortened(e.key)) + "]"
}

// errNoReference is that a template is neither of the two kinds.
var errNoReference = errors.New("neither a parameter nor the result of a step")

// refer reads a template. A parameter wins over a step, whatever its name is.
func refer(template string, declared []parameter.Parameter) (reference, error) {
	inner := strings.TrimSuffix(strings.TrimPrefix(template, "{{"), "}}")
	for i, p := range declared {
		if p.Name == inner {
			return reference{parameter: &declared[i]}, nil
		}
	}
	rest, isStep := strings.CutPrefix(inner, "steps.")
	if !isStep {
		return reference{}, errNoReference
	}
	end := strings.IndexAny(rest, ".[")
	if end < 0 {
		end = len(rest)
	}
	path, err := readPath(rest[end:])
	return reference{step: rest[:end], path: path}, err
}

func readPath(written string) ([]element, error) {
	var path []element
	for written != "" {
		found := elementForm().FindStringSubmatch(written)
		if found == nil {
			return nil, fmt.Errorf("its path cannot be read from %q on; a path is such as .key[0][\"a key\"]", shortened(written))
		}
		e := element{key: found[1], place: noPlace}
		switch {
		case found[2] != "":
			e.place, _ = strconv.Atoi(found[2]) // nine digits always fit
		case found[3] != "":
			if err := json.Unmarshal([]byte(found[3]), &e.key); err != nil {
				return nil, fmt.Errorf("the key %s in its path: %w", shortened(found[3]), err)
			}
		}
		if path = append(path, e); len(path) > maxPath {
			return nil, fmt.Errorf("its path is more than %d deep", maxPath)
		}
		written = written[len(found[0]):]
	}
	return path, nil
}

// shortened keeps a page that was put where a name belongs out of a message.
func shortened(text string) string {
	const enough = 80
	letters := []rune(strings.Join(strings.Fields(text), " "))
	if len(letters) <= enough {
		return string(letters)
	}
	return string(letters[:enough]) + "…"
}
