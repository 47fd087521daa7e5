package toolkit

import (
	"context"
	"reflect"
	"slices"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
)

// New returns a tool that answers with a struct.
func New[In any, A Answer](name, description string, effect tool.Effect, answer func(context.Context, In) (A, error)) tool.Tool {
	t := tool.New(name, description, effect, Answering(answer))
	t.Output = OutputSchema[A]()
	return t
}

// OutputSchema returns the JSON schema of what a model reads of an answer. No field is required,
// because empty ones and hidden amounts are left out.
func OutputSchema[A Answer]() func() *jsonschema.Schema {
	return sync.OnceValue(func() *jsonschema.Schema { return objectSchema(derefType(reflect.TypeFor[A]()), nil) })
}

func derefType(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// objectSchema returns the schema of a struct as modelEncoder writes it. within are the structs around
// it: one that contains itself is any object.
func objectSchema(t reflect.Type, within []reflect.Type) *jsonschema.Schema {
	out := &jsonschema.Schema{Type: "object"}
	if t.Kind() != reflect.Struct || slices.Contains(within, t) {
		return out
	}
	out.Properties = map[string]*jsonschema.Schema{}
	plan := planOf(t)
	for i := range plan.fields {
		f := &plan.fields[i]
		if f.skip {
			continue
		}
		out.PropertyOrder = append(out.PropertyOrder, f.name)
		out.Properties[f.name] = fieldSchema(t.FieldByIndex(f.index).Type, append(slices.Clone(within), t))
	}
	return out
}

var typeDecimal, typeNullDecimal = reflect.TypeFor[decimal.Decimal](), reflect.TypeFor[decimal.NullDecimal]()

// fieldSchema returns the schema of a value. A type that encodes itself may be anything.
func fieldSchema(t reflect.Type, within []reflect.Type) *jsonschema.Schema {
	nullable := t.Kind() == reflect.Pointer
	t = derefType(t)
	out := &jsonschema.Schema{}
	switch kind := t.Kind(); {
	case t == typeNotes, t == typeBackground:
		return &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}}
	case t == typeDecimal, t == typeNullDecimal:
		out.Type, nullable = "string", nullable || t == typeNullDecimal
	case isScalar(t), t.Implements(typeRedactor), kind == reflect.Interface:
		return out
	case kind == reflect.Struct:
		out = objectSchema(t, within)
	case kind == reflect.Slice, kind == reflect.Array:
		out.Type, out.Items = "array", fieldSchema(t.Elem(), within)
	case kind == reflect.Map:
		out.Type, out.AdditionalProperties = "object", fieldSchema(t.Elem(), within)
	case kind == reflect.Float64, kind == reflect.Float32:
		out.Type = "number"
	case kind >= reflect.Int && kind <= reflect.Uint64:
		out.Type = "integer"
	case kind == reflect.Bool:
		out.Type = "boolean"
	case kind == reflect.String:
		out.Type = "string"
	}
	if nullable && out.Type != "" {
		out.Types, out.Type = []string{out.Type, "null"}, ""
	}
	return out
}
