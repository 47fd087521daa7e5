package offline

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/shopspring/decimal"
)

// object is a JSON object of a result, field by field. A result that was cut
// short or never was JSON has the fields that came whole, perhaps none: what is
// missing reads as absent, and is written as n/a.
type object struct {
	fields map[string]json.RawMessage
	cut    bool
}

func decodeObject(text string) object {
	o := object{fields: map[string]json.RawMessage{}}
	d := json.NewDecoder(strings.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return o
	}
	last := ""
	for d.More() {
		key, err := d.Token()
		name, ok := key.(string)
		if err != nil || !ok {
			return o.cutAfter(last)
		}
		// The comma before name shows that the field before it was whole.
		last = name
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return o.cutAfter(last)
		}
		o.fields[name] = value
	}
	if _, err := d.Token(); err != nil {
		return o.cutAfter(last)
	}
	return o
}

// cutAfter leaves out the last field: 0.05 may have been 0.057.
func (o object) cutAfter(last string) object {
	delete(o.fields, last)
	o.cut = true
	return o
}

// text is a field's string, or the digits of its number, on one line; "" when it
// has neither.
func (o object) text(name string) string { return oneLine(o.raw(name), maxQuoted) }

// raw is text as it came.
func (o object) raw(name string) string {
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
func (o object) null(name string) bool {
	return string(bytes.TrimSpace(o.fields[name])) == "null"
}

// number is a field's number, whether it came as one or as a string.
func (o object) number(name string) (decimal.Decimal, bool) {
	text := strings.TrimSpace(o.raw(name))
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

// object is a field's object, empty when it has none.
func (o object) object(name string) object { return decodeObject(string(o.fields[name])) }

// maxItems bounds the elements read from a list.
const maxItems = 64

// objects is a field's list of objects.
func (o object) objects(name string) []object {
	var raw []json.RawMessage
	if err := json.Unmarshal(o.fields[name], &raw); err != nil {
		return nil
	}
	var out []object
	for _, r := range raw[:min(len(raw), maxItems)] {
		out = append(out, decodeObject(string(r)))
	}
	return out
}

// texts is a field's list of strings, without the empty ones.
func (o object) texts(name string) []string {
	var raw []any
	if err := json.Unmarshal(o.fields[name], &raw); err != nil {
		return nil
	}
	var out []string
	for _, r := range raw[:min(len(raw), maxItems)] {
		if s, ok := r.(string); ok && strings.TrimSpace(s) != "" {
			out = append(out, oneLine(s, maxQuoted))
		}
	}
	return out
}
