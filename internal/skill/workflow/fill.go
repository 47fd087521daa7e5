package workflow

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// maxArgumentBytes limits the arguments of one step, in bytes, because a few templates that each
// repeat an earlier result could double in size with every step.
const maxArgumentBytes = 8 << 20

// maxPlannedBytes limits the values filled into all steps of a plan before it runs, because they
// are shown to the user.
const maxPlannedBytes = 256 << 10

// templateFiller fills values into the arguments of one step.
type templateFiller struct {
	parameterScope
	results map[string]json.RawMessage // of completed steps
	limit   int                        // maximum of size
	size    int                        // of all values filled in so far
	unknown int                        // templates left unfilled
	step    Step                       // whose templates are filled
	item    json.RawMessage            // of a step with for_each, nil while it is unknown
}

// templatePosition states where a template is.
type templatePosition int

const (
	wholeText    templatePosition = iota // it is the whole text
	insideText                           // it is a part of a text
	inExpression                         // it is a number of an arithmetic expression
)

// expressionArgument is the name of arguments that are arithmetic expressions.
const expressionArgument = "expression"

// arguments returns the step's arguments as an object, without changing With of the skill's step.
func (f *templateFiller) arguments(s Step) (json.RawMessage, error) {
	f.step = s
	filled, err := f.members(s.With)
	if err != nil {
		return nil, err
	}
	raw, err := encodeJSON(filled)
	if err != nil {
		return nil, fmt.Errorf("encode the arguments as JSON: %w", err)
	}
	return raw, nil
}

// list returns the items of a step with for_each; known is false if they depend on a step that has not
// run.
func (f *templateFiller) list(s Step) (items []json.RawMessage, known bool, err error) {
	filled, keep, err := f.value(s.ForEach)
	if err != nil || f.unknown > 0 {
		return nil, false, err
	}
	if !keep {
		return nil, true, nil
	}
	raw, err := encodeJSON(filled)
	if err == nil {
		err = json.Unmarshal(raw, &items)
	}
	if err != nil {
		return nil, true, fmt.Errorf("for_each: %s is not a list", shorten(string(raw)))
	}
	if len(items) > maxItems {
		return nil, true, fmt.Errorf("for_each has %d items; use at most %d", len(items), maxItems)
	}
	return items, true, nil
}

// itemCalls returns the call for each item of a step with for_each.
func (f *templateFiller) itemCalls(s Step) ([]ItemCall, error) {
	items, known, err := f.list(s)
	if err != nil {
		return nil, err
	}
	if !known {
		return nil, errors.New("the for_each list is unknown")
	}
	calls := make([]ItemCall, 0, len(items))
	for _, item := range items {
		f.item = item
		arguments, err := f.arguments(s)
		if err == nil && f.unknown > 0 {
			err = errors.New("some values in the arguments are unknown")
		}
		if err != nil {
			return nil, fmt.Errorf("item %s: %w", shorten(string(item)), err)
		}
		calls = append(calls, ItemCall{item, arguments})
	}
	return calls, nil
}

// value fills v; keep is false if the value must be omitted.
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
		if text, ok := v.(string); ok && key == expressionArgument {
			expression, err := f.join(splitTemplates(text), inExpression)
			if err != nil {
				return nil, err
			}
			filled[key] = expression
			continue
		}
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

// text fills a text. A text that is a single template becomes the value itself, with its type.
func (f *templateFiller) text(text string) (filled any, keep bool, err error) {
	pieces := splitTemplates(text)
	if len(pieces) == 1 && pieces[0].template {
		value, known, err := f.resolve(text, wholeText)
		if !known {
			return text, true, err
		}
		return value, value != nil, err
	}
	joined, err := f.join(pieces, insideText)
	return joined, true, err
}

// join fills the templates of a longer text.
func (f *templateFiller) join(pieces []textPiece, position templatePosition) (string, error) {
	var b strings.Builder
	for _, p := range pieces {
		replacement, err := f.expand(p, position)
		if err != nil {
			return "", err
		}
		b.WriteString(replacement)
	}
	return b.String(), nil
}

// expand returns the replacement of a piece inside a longer text.
func (f *templateFiller) expand(p textPiece, position templatePosition) (string, error) {
	if !p.template {
		return p.text, nil
	}
	value, known, err := f.resolve(p.text, position)
	if err != nil || !known {
		return p.text, err
	}
	text, err := textValue(value)
	if position == inExpression && strings.HasPrefix(text, "-") {
		text = "(" + text + ")" // so that {{x}}^2 is the square of x
	}
	return text, err
}

// resolve returns the value of a template, if known; nil for an optional parameter without a value.
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
	if elements, isItem, err := f.step.itemPath(template); isItem {
		if err != nil || f.item == nil {
			return nil, false, nil
		}
		value, err = lookup(f.item, f.step.As, elements)
		return value, true, err
	}
	r, err := parseReference(template, f.declared)
	if err != nil {
		return nil, false, nil // Check reports what is wrong with it
	}
	if r.parameter != nil {
		return f.argumentValue(r, position)
	}
	result, ran := f.results[r.step]
	if !ran {
		return nil, false, nil
	}
	value, err = lookup(result, "steps."+r.step, r.path)
	return value, true, err
}

// argumentValue returns the value of a parameter as tools accept it, also inside a text: 1,250.50
// in a formula is 1250.50. Only a list is inserted as written. In an expression money is its number,
// and a percentage a fraction.
func (s parameterScope) argumentValue(r reference, position templatePosition) (value json.RawMessage, known bool, err error) {
	input, ok := s.values[r.parameter.Name]
	if !ok {
		return nil, !r.parameter.Required, nil
	}
	typed := input.Typed
	kind, _ := r.parameter.Kind()
	_, list := typed.([]string)
	switch {
	case r.currency:
		_, currency := splitMoney(input.Text)
		if currency == "" {
			return nil, true, nil
		}
		typed = currency
	case typed == nil, list && position != wholeText:
		typed = input.Text
	case position != inExpression:
	case kind == KindMoney:
		typed, _ = splitMoney(input.Text)
	case kind == KindPercent:
		if percent, ok := typed.(json.Number); ok {
			typed = percentFraction(percent)
		}
	}
	value, err = encodeJSON(typed)
	return value, true, err
}
