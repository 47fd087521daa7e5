package workflow

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/skill/parameter"
)

// maxArguments bounds what one step is given, in bytes. A few lines of templates
// that each hold the result of the step before would else double their way to
// any size.
const maxArguments = 8 << 20

// maxPlanned bounds what is put into all steps of a plan before the first is run:
// it is shown to somebody.
const maxPlanned = 256 << 10

// filler puts values into the arguments of one step.
type filler struct {
	scope
	results map[string]json.RawMessage // of the steps that were run
	limit   int                        // of size
	size    int                        // of all values put in so far
	unknown int                        // templates that had to stay as they are
}

// place is where a template stands: as the whole of a text, or within a longer one.
type place bool

const (
	alone  place = false
	inText place = true
)

// arguments gives the step's arguments as an object. The With of the step
// belongs to its skill and is left alone.
func (f *filler) arguments(s Step) (json.RawMessage, error) {
	filled, err := f.members(s.With)
	if err != nil {
		return nil, err
	}
	raw, err := encode(filled)
	if err != nil {
		return nil, fmt.Errorf("writing the arguments as JSON: %w", err)
	}
	return raw, nil
}

// value fills in v; keep is false where nothing is to stand in its place.
func (f *filler) value(v any) (filled any, keep bool, err error) {
	switch v := v.(type) {
	case string:
		return f.text(v)
	case map[string]any:
		filled, err = f.members(v)
		return filled, true, err
	case []any:
		filled, err = f.items(v)
		return filled, true, err
	}
	return v, true, nil
}

func (f *filler) members(of map[string]any) (map[string]any, error) {
	filled := make(map[string]any, len(of))
	for key, v := range of {
		member, keep, err := f.value(v)
		if err != nil {
			return nil, err
		}
		if keep {
			filled[key] = member
		}
	}
	return filled, nil
}

func (f *filler) items(of []any) ([]any, error) {
	filled := make([]any, 0, len(of))
	for _, v := range of {
		item, keep, err := f.value(v)
		if err != nil {
			return nil, err
		}
		if keep {
			filled = append(filled, item)
		}
	}
	return filled, nil
}

// text fills in a text. One that is a single template becomes the value itself,
// with its type.
func (f *filler) text(text string) (filled any, keep bool, err error) {
	pieces := split(text)
	if len(pieces) == 1 && pieces[0].template {
		value, known, err := f.known(text, alone)
		if !known {
			return text, true, err
		}
		return value, value != nil, err
	}
	var b strings.Builder
	for _, p := range pieces {
		put, err := f.put(p)
		if err != nil {
			return nil, false, err
		}
		b.WriteString(put)
	}
	return b.String(), true, nil
}

// put is what stands for a piece inside a longer text.
func (f *filler) put(p piece) (string, error) {
	if !p.template {
		return p.text, nil
	}
	value, known, err := f.known(p.text, inText)
	if err != nil || !known {
		return p.text, err
	}
	return textOf(value)
}

// known is the value that a template stands for, if that is known; nil for a
// parameter that was not given and need not be.
func (f *filler) known(template string, at place) (value json.RawMessage, known bool, err error) {
	value, known, err = f.find(template, at)
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", shortened(template), err)
	}
	if !known {
		f.unknown++
	}
	if f.size += len(value); f.size > f.limit {
		return nil, false, fmt.Errorf("with %s the arguments are larger than %d MB", shortened(template), maxArguments>>20)
	}
	return value, known, nil
}

func (f *filler) find(template string, at place) (value json.RawMessage, known bool, err error) {
	r, err := refer(template, f.declared)
	if err != nil {
		return nil, false, nil // Check says what is wrong with it
	}
	if r.parameter != nil {
		return f.argument(*r.parameter, at)
	}
	result, done := f.results[r.step]
	if !done {
		return nil, false, nil
	}
	value, err = lookup(result, "steps."+r.step, r.path)
	return value, true, err
}

// argument is the value of a parameter as tools take it, inside a text as well:
// 1,250.50 in a formula is 1250.50. Only a list reads there as it was written.
func (s scope) argument(p parameter.Parameter, at place) (value json.RawMessage, known bool, err error) {
	given, ok := s.values[p.Name]
	if !ok {
		return nil, !p.Required, nil
	}
	typed := given.Typed
	if _, list := typed.([]string); typed == nil || list && at == inText {
		typed = given.Text
	}
	value, err = encode(typed)
	return value, true, err
}
