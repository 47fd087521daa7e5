package tool

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// encodeSchema returns the same bytes as json.Marshal, but faster. The library's encoder parses the
// output of every nested level again, which took a tenth of the time of a short answer. Schemas
// with uncommon keywords are left to the library.
func encodeSchema(s *jsonschema.Schema) (json.RawMessage, error) {
	e := schemaEncoder{}
	e.schema(s)
	return e.out, e.err
}

type schemaEncoder struct {
	out []byte
	err error
}

func (e *schemaEncoder) schema(s *jsonschema.Schema) {
	switch {
	case refusesAll(s):
		e.out = append(e.out, "false"...)
		return
	case !isSimpleSchema(s):
		e.value(s)
		return
	}
	begin := len(e.out)
	if s.Type != "" {
		e.field(begin, "type", func() { e.text(s.Type) })
	} else if s.Types != nil {
		e.field(begin, "type", func() { e.value(s.Types) })
	}
	if s.Properties != nil {
		e.field(begin, "properties", func() { e.properties(s) })
	}
	if s.Items != nil {
		e.field(begin, "items", func() { e.schema(s.Items) })
	}
	if s.Description != "" {
		e.field(begin, "description", func() { e.text(s.Description) })
	}
	if len(s.Enum) > 0 {
		e.field(begin, "enum", func() { e.value(s.Enum) })
	}
	if len(s.Required) > 0 {
		e.field(begin, "required", func() { e.value(s.Required) })
	}
	if s.AdditionalProperties != nil {
		e.field(begin, "additionalProperties", func() { e.schema(s.AdditionalProperties) })
	}
	if len(e.out) == begin {
		e.out = append(e.out, "true"...) // an empty schema
		return
	}
	e.out = append(e.out, '}')
}

// properties writes the properties of an object: first those in PropertyOrder, then the others by name.
func (e *schemaEncoder) properties(s *jsonschema.Schema) {
	names := make([]string, 0, len(s.Properties))
	for _, name := range s.PropertyOrder {
		if s.Properties[name] != nil {
			names = append(names, name)
		}
	}
	ordered := len(names)
	for name := range s.Properties {
		if !slices.Contains(names[:ordered], name) {
			names = append(names, name)
		}
	}
	slices.Sort(names[ordered:])
	if len(names) == 0 {
		e.out = append(e.out, "{}"...)
		return
	}
	begin := len(e.out)
	for _, name := range names {
		e.field(begin, name, func() { e.schema(s.Properties[name]) })
	}
	e.out = append(e.out, '}')
}

// field writes a member of the object that starts at begin.
func (e *schemaEncoder) field(begin int, name string, value func()) {
	if len(e.out) == begin {
		e.out = append(e.out, '{')
	} else {
		e.out = append(e.out, ',')
	}
	e.text(name)
	e.out = append(e.out, ':')
	value()
}

// text writes a string; most need no escape.
func (e *schemaEncoder) text(s string) {
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' || strings.ContainsRune(`"\\<>&`, r) }) {
		e.value(s)
		return
	}
	e.out = append(append(append(e.out, '"'), s...), '"')
}

func (e *schemaEncoder) value(v any) {
	raw, err := json.Marshal(v)
	if err != nil && e.err == nil {
		e.err = err
	}
	e.out = append(e.out, raw...)
}

// refusesAll reports whether s is the schema that encodes as false.
func refusesAll(s *jsonschema.Schema) bool {
	if s == nil || s.Not == nil || s.Type != "" || !reflect.ValueOf(s.Not).Elem().IsZero() {
		return false
	}
	rest := *s
	rest.Not = nil
	return reflect.ValueOf(&rest).Elem().IsZero()
}

// isSimpleSchema reports whether encodeSchema can write s itself.
func isSimpleSchema(s *jsonschema.Schema) bool {
	if s == nil || s.Not != nil || s.Type != "" && s.Types != nil {
		return false
	}
	// Leave cases that the library rejects or orders differently to the library.
	for i, name := range s.PropertyOrder {
		if slices.Contains(s.PropertyOrder[:i], name) {
			return false
		}
	}
	for _, property := range s.Properties {
		if property == nil {
			return false
		}
	}
	rest := *s
	rest.Type, rest.Types, rest.Description, rest.Enum, rest.Required = "", nil, "", nil, nil
	rest.Properties, rest.PropertyOrder, rest.Items, rest.AdditionalProperties = nil, nil, nil, nil
	return reflect.ValueOf(&rest).Elem().IsZero()
}
