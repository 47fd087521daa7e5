package openai

import (
	"bytes"
	"encoding/json"
	"strings"
)

// details collects reasoning_details: a list whose text entries arrive in fragments and must be sent back
// complete and in order.
type details struct {
	entries []*detail
	size    int // bytes of their fields, plus the size of an empty entry
}

// emptyEntry is the approximate size of an empty entry, which a server may send without end.
const emptyEntry = 128

// detail keeps its fields as received. Fragmented fields are joined in buffers, because repeated copying
// would take quadratic time.
type detail struct {
	fields map[string]json.RawMessage
	joined map[string]*bytes.Buffer
}

// fragmented reports whether streams cut this field of an entry into pieces.
func fragmented(name string) bool { return name == "text" || name == "summary" }

func (d *details) add(raw []json.RawMessage) {
	for _, r := range raw {
		var fields map[string]json.RawMessage
		if json.Unmarshal(r, &fields) != nil {
			continue
		}
		if n := len(d.entries); n > 0 && d.entries[n-1].continues(fields) {
			d.size += d.entries[n-1].merge(fields)
			continue
		}
		e := &detail{fields: map[string]json.RawMessage{}, joined: map[string]*bytes.Buffer{}}
		d.size += emptyEntry + e.merge(fields)
		d.entries = append(d.entries, e)
	}
}

// continues reports whether more is a further fragment of e. Encrypted entries are never split.
func (e *detail) continues(more map[string]json.RawMessage) bool {
	kind := scalar(more["type"])
	if kind != "reasoning.text" && kind != "reasoning.summary" {
		return false
	}
	return kind == scalar(e.fields["type"]) && bytes.Equal(more["index"], e.fields["index"])
}

// merge adds fields and returns by how many bytes e grew.
func (e *detail) merge(more map[string]json.RawMessage) (grown int) {
	for name, value := range more {
		var piece string
		switch _, known := e.fields[name]; {
		case fragmented(name) && isPresent(value) && json.Unmarshal(value, &piece) == nil:
			if e.joined[name] == nil {
				e.joined[name] = &bytes.Buffer{}
			}
			e.joined[name].WriteString(piece)
			grown += len(piece)
		case !known || isPresent(value):
			grown += len(value) - len(e.fields[name])
			e.fields[name] = value
		}
	}
	return grown
}

// raw returns the list to send back, or nil.
func (d *details) raw() json.RawMessage {
	if len(d.entries) == 0 {
		return nil
	}
	out := make([]map[string]json.RawMessage, 0, len(d.entries))
	for _, e := range d.entries {
		for name, b := range e.joined {
			e.fields[name] = quote(b.String())
		}
		out = append(out, e.fields)
	}
	return encode(out)
}

// detailText returns the reasoning in raw entries, for servers that send it nowhere else.
func detailText(raw []json.RawMessage) string {
	var b strings.Builder
	for _, r := range raw {
		var entry struct{ Text, Summary string }
		// An entry of another shape has no text.
		_ = json.Unmarshal(r, &entry)
		b.WriteString(entry.Text + entry.Summary)
	}
	return b.String()
}

func quote(s string) json.RawMessage { return encode(s) }

// encode returns v as JSON without HTML escapes, which would change the data. It cannot fail, because v
// consists of strings and valid JSON.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
