package workflow

import (
	"encoding/json"
	"fmt"
	"strings"
)

// maxArgumentBytes bounds what one step is given, in bytes. A few lines of templates
// that each hold the result of the step before would else double their way to
// any size.
const maxArgumentBytes = 8 << 20

// maxPlannedBytes bounds what is put into all steps of a plan before the first is run:
// it is shown to somebody.
const maxPlannedBytes = 256 << 10

// templateFiller puts values into the arguments of one step.
type templateFiller struct {
	parameterScope
	results map[string]json.RawMessage // of the steps that were run
	limit   int                        // of size
	size    int                        // of all values put in so far
	unknown int                        // templates that had to stay as they are
}

// templatePosition is where a template stands: as the whole of a text, or within a longer one.
type templatePosition bool

const (
	wholeText  templatePosition = false
	insideText templatePosition = true
)

// arguments gives the step's arguments as an object. The With of the step
// belongs to its skill and is left alone.
func (f *templateFiller) arguments(s Step) (json.RawMessage, error) {
	filled, err := f.members(s.With)
	if err != nil {
		return nil, err
	}
	raw, err := encodeJSON(filled)
	if err != nil {
		return nil, fmt.Errorf("writing the arguments as JSON: %w", err)
	}
	return raw, nil
}

// value fills in v; keep is false where nothing is to stand in its place.
func (f *templateFiller) value(v any) (filled any, keep bool, err error) {
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

func (f *templateFiller) members(fields map[string]any) (map[string]any, error) {
	filled := make(map[string]any, len(fields))
	for key, v := range fields {
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

func (f *templateFiller) items(list []any) ([]any, error) {
	filled := make([]any, 0, len(list))
	for _, v := range list {
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
func (f *templateFiller) text(text string) (filled any, keep bool, err error) {
	pieces := splitTemplates(text)
	if len(pieces) == 1 && pieces[0].template {
		value, known, err := f.resolve(text, wholeText)
		if !known {
			return text, true, err
		}
		return value, value != nil, err
	}
	var b strings.Builder
	for _, p := range pieces {
		replacement, err := f.expand(p)
		if err != nil {
			return nil, false, err
		}
		b.WriteString(replacement)
	}
	return b.String(), true, nil
}

// expand is what stands for a piece inside a longer text.
func (f *templateFiller) expand(p textPiece) (string, error) {
	if !p.template {
		return p.text, nil
	}
	value, known, err := f.resolve(p.text, insideText)
	if err != nil || !known {
		return p.text, err
	}
	return textValue(value)
}

// resolve is the value that a template stands for, if that is known; nil for a
// parameter that was not given and need not be.
func (f *templateFiller) resolve(template string, position templatePosition) (value json.RawMessage, known bool, err error) {
	value, known, err = f.lookUp(template, position)
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", shorten(template), err)
	}
	if !known {
		f.unknown++
	}
	if f.size += len(value); f.size > f.limit {
		return nil, false, fmt.Errorf("with %s the arguments are larger than %d MB", shorten(template), maxArgumentBytes>>20)
	}
	return value, known, nil
}

func (f *templateFiller) lookUp(template string, position templatePosition) (value json.RawMessage, known bool, err error) {
	r, err := parseReference(template, f.declared)
	if err != nil {
		return nil, false, nil // Check says what is wrong with it
	}
	if r.parameter != nil {
		return f.argumentValue(*r.parameter, position)
	}
	result, ran := f.results[r.step]
	if !ran {
		return nil, false, nil
	}
	value, err = lookup(result, "steps."+r.step, r.path)
	return value, true, err
}

// argumentValue is the value of a parameter as tools take it, inside a text as well:
// 1,250.50 in a formula is 1250.50. Only a list reads there as it was written.
func (s parameterScope) argumentValue(p Parameter, position templatePosition) (value json.RawMessage, known bool, err error) {
	input, ok := s.values[p.Name]
	if !ok {
		return nil, !p.Required, nil
	}
	typed := input.Typed
	if _, list := typed.([]string); typed == nil || list && position == insideText {
		typed = input.Text
	}
	value, err = encodeJSON(typed)
	return value, true, err
}
