package offline

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/shopspring/decimal"
)

// ResultObject is a JSON object of a result, field by field. A result that was cut
// short or never was JSON has the fields that came whole, perhaps none: what is
// missing reads as absent, and is written as n/a.
type ResultObject struct {
	fields    map[string]json.RawMessage
	truncated bool
}

// DecodeResult reads an object as far as it came.
func DecodeResult(text string) ResultObject {
	o := ResultObject{fields: map[string]json.RawMessage{}}
	d := json.NewDecoder(strings.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return o
	}
	last := ""
	for d.More() {
		key, err := d.Token()
		name, ok := key.(string)
		if err != nil || !ok {
			return o.truncateAfter(last)
		}
		// The comma before name shows that the field before it was whole.
		last = name
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return o.truncateAfter(last)
		}
		o.fields[name] = value
	}
	if _, err := d.Token(); err != nil {
		return o.truncateAfter(last)
	}
	return o
}

// truncateAfter leaves out the last field: 0.05 may have been 0.057.
func (o ResultObject) truncateAfter(last string) ResultObject {
	delete(o.fields, last)
	o.truncated = true
	return o
}

// Text is a field's string, or the digits of its number, on one line; "" when it
// has neither.
func (o ResultObject) Text(name string) string { return CleanLine(o.Raw(name), MaxQuoteBytes) }

// Raw is Text as it came.
func (o ResultObject) Raw(name string) string {
	value := bytes.TrimSpace(o.fields[name])
	if len(value) == 0 {
		return ""
	}
	var s string
	if value[0] == '"' {
		if err := json.Unmarshal(value, &s); err != nil {
			return ""
		}
		return s
	}
	var n json.Number
	if err := json.Unmarshal(value, &n); err != nil {
		return ""
	}
	return n.String()
}

// null reports whether the field is there and says null: known to be nothing,
// as against not known.
func (o ResultObject) null(name string) bool {
	return string(bytes.TrimSpace(o.fields[name])) == "null"
}

// number is a field's number, whether it came as one or as a string.
func (o ResultObject) number(name string) (decimal.Decimal, bool) {
	text := strings.TrimSpace(o.Raw(name))
	// No price has more, and 1e999999999 would fill the memory when written.
	const longest, widest = 60, 40
	if text == "" || len(text) > longest {
		return decimal.Decimal{}, false
	}
	d, err := decimal.NewFromString(text)
	if err != nil || d.Exponent() > widest || d.Exponent() < -longest {
		return decimal.Decimal{}, false
	}
	return d, true
}

// Object is a field's object, empty when it has none.
func (o ResultObject) Object(name string) ResultObject { return DecodeResult(string(o.fields[name])) }

// maxItems bounds the elements read from a list.
const maxItems = 64

// objects is a field's list of objects.
func (o ResultObject) objects(name string) []ResultObject {
	var raw []json.RawMessage
	if err := json.Unmarshal(o.fields[name], &raw); err != nil {
		return nil
	}
	var out []ResultObject
	for _, r := range raw[:min(len(raw), maxItems)] {
		out = append(out, DecodeResult(string(r)))
	}
	return out
}

// Texts is a field's list of strings, without the empty ones.
func (o ResultObject) Texts(name string) []string {
	var raw []any
	if err := json.Unmarshal(o.fields[name], &raw); err != nil {
		return nil
	}
	var out []string
	for _, r := range raw[:min(len(raw), maxItems)] {
		if s, ok := r.(string); ok && strings.TrimSpace(s) != "" {
			out = append(out, CleanLine(s, MaxQuoteBytes))
		}
	}
	return out
}

// Keys are the keys of a field's object, in the order in which they are written.
func (o ResultObject) Keys(name string) []string {
	d := json.NewDecoder(bytes.NewReader(o.fields[name]))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var out []string
	for d.More() && len(out) < maxItems {
		key, err := d.Token()
		one, ok := key.(string)
		var value json.RawMessage
		if err != nil || !ok || d.Decode(&value) != nil {
			return out
		}
		out = append(out, one)
	}
	return out
}
