package openai

import (
	"bytes"
	"encoding/json"
	"strings"
)

// details gathers reasoning_details: a list whose text entries come in
// fragments and must go back whole, in order, with nothing lost.
type details struct {
	entries []*detail
	size    int // bytes of their fields, plus the size of an empty entry
}

// emptyEntry is the approximate size of an empty entry, which a server may send without end.
const emptyEntry = 128

// detail keeps its fields as they came; those cut into fragments are joined in
// buffers, so that a long train of thought costs no quadratic copying.
type detail struct {
	fields map[string]json.RawMessage
	joined map[string]*bytes.Buffer
}

// fragmented are the fields of an entry that a stream cuts into pieces.
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

// raw is the list as it goes back, or nil.
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

// detailText is the thinking in raw entries, for servers that show it nowhere else.
func detailText(raw []json.RawMessage) string {
	var b strings.Builder
	for _, r := range raw {
		var entry struct{ Text, Summary string }
		// An entry of another shape shows nothing.
		_ = json.Unmarshal(r, &entry)
		b.WriteString(entry.Text + entry.Summary)
	}
	return b.String()
}

func quote(s string) json.RawMessage { return encode(s) }

// encode is JSON without the escapes for HTML, which would not be verbatim. v
// is made of strings and valid JSON, so that it cannot fail.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
