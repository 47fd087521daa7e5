package toolkit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
)

// Significant digits of numbers for the model. More would be noise that it copies.
const (
	modelFloatDigits   = 6
	modelDecimalDigits = 10
	// redactedDigits limits percentages if amounts are hidden. With more digits, the rounding to
	// whole shares and cents would reveal the size of the portfolio.
	redactedDigits = 4
)

// modelText returns the answer for the model: JSON with the same fields, rounded, without empty
// ones. redacted omits amounts.
func modelText(plan *typePlan, v reflect.Value, redacted bool) string {
	rows := -1
	if plan.fits {
		rows = MaxEncodedBytes / leastRow // more cannot fit
	}
	for {
		e := modelEncoder{redacted: redacted, currency: plan.currency(v), rows: rows}
		e.object(plan, v)
		if redacted {
			note, _ := json.Marshal(AmountsHiddenNote) // encoding a string cannot fail
			e.Truncate(e.Len() - 1)
			if e.Len() > 1 {
				e.WriteByte(',')
			}
			fmt.Fprintf(&e, `"amounts":%s}`, note)
		}
		if !plan.fits || e.Len() <= MaxEncodedBytes || e.longest == 0 {
			return e.String()
		}
		rows = min(e.longest-1, e.longest*MaxEncodedBytes/e.Len())
	}
}

// leastRow is the length of the shortest row of a table, such as "A" and its comma.
const leastRow = 4

type modelEncoder struct {
	bytes.Buffer
	redacted bool
	currency string
	rows     int // rows of tables that are cut to fit; -1 for all
	longest  int // rows of the longest of these tables
}

func (e *modelEncoder) object(plan *typePlan, v reflect.Value) {
	e.WriteByte('{')
	start := e.Len()
	name := func(name string) {
		if e.Len() > start {
			e.WriteByte(',')
		}
		fmt.Fprintf(e, "%q:", name)
	}
	for i := range plan.fields {
		f := &plan.fields[i]
		value, known := f.value(v)
		switch {
		case !value.IsValid(), f.skip, e.redacted && f.sensitive, known && (f.absent(value) || isEmpty(value)), !known && f.omitEmpty:
		case !known:
			name(f.name)
			e.WriteString("null")
		case value.Type() == typeNotes:
			if texts := e.noteTexts(value.Interface().(Notes), true); len(texts) > 0 {
				name(f.name)
				e.encode(texts)
			}
		case value.Type() == typeBackground:
			name(f.name)
			e.encode(e.noteTexts(value.Interface().(BackgroundNotes), false))
		case f.list || f.nested != nil && value.Kind() == reflect.Slice:
			name(f.name)
			if omitted := e.array(f, value); omitted > 0 {
				name(f.name + "_omitted")
				fmt.Fprint(e, omitted)
			}
		default:
			name(f.name)
			e.value(f, value)
		}
	}
	e.WriteByte('}')
}

// array writes the rows for the model and returns how many it omits.
func (e *modelEncoder) array(f *fieldPlan, list reflect.Value) (omitted int) {
	sent, first := f.sent(list.Len()), true
	if f.fit {
		n := list.Len()
		if e.rows >= 0 {
			n = min(n, e.rows)
			sent = func(i int) bool { return i < n }
		}
		e.longest = max(e.longest, n)
	}
	e.WriteByte('[')
	for i := range list.Len() {
		if !sent(i) {
			omitted++
			continue
		}
		if !first {
			e.WriteByte(',')
		}
		first = false
		value, known := deref(list.Index(i))
		if !known {
			e.WriteString("null")
			continue
		}
		e.value(f, value)
	}
	e.WriteByte(']')
	return omitted
}

func (e *modelEncoder) value(f *fieldPlan, v reflect.Value) {
	if f.nested != nil && v.Kind() == reflect.Struct {
		e.object(f.nested(), v)
		return
	}
	switch n := v.Interface().(type) {
	case tool.Redactor:
		if e.redacted {
			e.encode(n.Redacted())
			return
		}
		e.encode(n)
	case decimal.Decimal:
		if !f.exact && f.style != Exact {
			n = significant(n, e.digits(f, modelDecimalDigits))
		}
		e.encode(n)
	case decimal.NullDecimal:
		n.Decimal = significant(n.Decimal, e.digits(f, modelDecimalDigits))
		e.encode(n)
	default:
		switch {
		case v.CanFloat():
			e.float(f, v.Float())
		case !f.exact && holdsFloats(v.Type()):
			e.encode(roundedValue(v, e.digits(f, modelFloatDigits)))
		default:
			e.encode(n)
		}
	}
}

// digits returns how many significant digits of a field the model reads.
func (e *modelEncoder) digits(f *fieldPlan, most int32) int32 {
	if e.redacted && f.style.fraction() {
		return redactedDigits
	}
	return most
}

// holdsFloats reports whether a type is a list or a map of floats, or of lists of floats.
func holdsFloats(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Float64:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return !t.Implements(typeMarshaler) && holdsFloats(t.Elem())
	}
	return false
}

// roundedValue returns a value for which holdsFloats is true, with its floats rounded.
func roundedValue(v reflect.Value, digits int32) any {
	v, known := deref(v)
	switch {
	case !known:
		return nil
	case v.Kind() == reflect.Map:
		out := make(map[string]any, v.Len())
		for key, value := range v.Seq2() {
			out[fmt.Sprint(key)] = roundedValue(value, digits)
		}
		return out
	case v.Kind() == reflect.Slice:
		out := make([]any, v.Len())
		for i := range out {
			out[i] = roundedValue(v.Index(i), digits)
		}
		return out
	}
	return roundedFloat(v.Float(), digits)
}

// roundedFloat rounds to the digits that the model reads.
func roundedFloat(v float64, digits int32) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', int(digits), 64), 64)
	return v
}

// float writes a rounded float; an amount keeps the decimals of its currency.
func (e *modelEncoder) float(f *fieldPlan, v float64) {
	if d, ok := fromFloat(v); ok && f.style.money() && f.style != Price && magnitude(d) > 0 && magnitude(d) <= modelDecimalDigits+3 {
		e.WriteString(d.Round(CurrencyPlaces(e.currency)).String())
		return
	}
	if !f.exact {
		v = roundedFloat(v, e.digits(f, modelFloatDigits))
	}
	e.encode(v)
}

// encode writes JSON without escaping < and >. A value that cannot be encoded becomes null.
func (e *modelEncoder) encode(v any) {
	start := e.Len()
	enc := json.NewEncoder(&e.Buffer)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		e.Truncate(start)
		e.WriteString("null")
		return
	}
	e.Truncate(e.Len() - 1) // the encoder ends with a line feed
}

// noteTexts returns the sentences of notes, each once.
func (e *modelEncoder) noteTexts(notes []tool.Note, warnings bool) []string {
	var out []string
	for _, n := range notes {
		text := n.Text
		if e.redacted {
			text = n.Public
		}
		if (n.Warning || !warnings) && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// isEmpty reports whether a value is an empty list or text.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String:
		return v.Len() == 0
	}
	return false
}
