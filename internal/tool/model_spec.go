package tool

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nfa-cli/nfa/internal/llm"
)

// The model receives a shorter schema than the one that validates arguments. The tag arg of a field
// controls how it is sent:
//
//	arg:"rare"     only inside the object details
//	arg:"unsent"   not at all; an older or alternative form that is still accepted
//	arg:"explain"  with its description, although it is one of sharedArguments
//	arg:"brief"    an object or a list of objects without its fields: the description names them
const detailsArgument = "details"

// sharedArguments are described once, in the system prompt.
var sharedArguments = []string{"symbol", "symbols", "range", "from", "to", "currency", "account", "accounts"}

// sentArguments lists the arguments that the model's schema shows differently.
type sentArguments struct {
	rare, unsent, explained, brief []string
}

func sentArgumentsOf(t reflect.Type) sentArguments {
	var s sentArguments
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return s
	}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch f.Tag.Get("arg") {
		case "rare":
			s.rare = append(s.rare, name)
		case "unsent":
			s.unsent = append(s.unsent, name)
		case "explain":
			s.explained = append(s.explained, name)
		case "brief":
			s.brief = append(s.brief, name)
		}
	}
	return s
}

// ModelSpec returns the short schema for the model. Arguments that match it also match the full
// schema, once Check has unfolded details.
func (t Tool) ModelSpec() llm.ToolSpec {
	return llm.ToolSpec{Name: t.Name, Description: t.Description, Parameters: t.input().sent()}
}

// modelSchema returns the schema for the model: no null types, no additionalProperties, no
// descriptions of shared arguments, and rare arguments folded into one object.
func modelSchema(s *jsonschema.Schema, args sentArguments) (json.RawMessage, error) {
	top := compact(s)
	for _, name := range append(slices.Clone(args.rare), args.unsent...) {
		delete(top.Properties, name)
		top.Required = slices.DeleteFunc(top.Required, func(r string) bool { return r == name })
	}
	for name, p := range top.Properties {
		if slices.Contains(sharedArguments, name) && !slices.Contains(args.explained, name) {
			p.Description = ""
		}
		if slices.Contains(args.brief, name) {
			for ; p.Items != nil; p = p.Items {
			}
			p.Properties, p.PropertyOrder, p.Required = nil, nil, nil
		}
	}
	if len(args.rare) > 0 {
		top.Properties[detailsArgument] = &jsonschema.Schema{Type: "object", Description: "rare: " + strings.Join(args.rare, ", ")}
		top.PropertyOrder = append(top.PropertyOrder, detailsArgument)
	}
	return encodeSchema(top)
}

// compact returns a copy of a schema with only what a model needs.
func compact(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	out := &jsonschema.Schema{Type: s.Type, Types: s.Types, Description: s.Description, Enum: s.Enum, Required: slices.Clone(s.Required), PropertyOrder: slices.Clone(s.PropertyOrder), Items: compact(s.Items)}
	if len(s.Types) > 0 {
		rest := slices.DeleteFunc(slices.Clone(s.Types), func(name string) bool { return name == "null" })
		if len(rest) == 1 {
			out.Type, out.Types = rest[0], nil
		} else {
			out.Types = rest
		}
	}
	if s.Properties != nil {
		out.Properties = map[string]*jsonschema.Schema{}
		for name, p := range s.Properties {
			out.Properties[name] = compact(p)
		}
	}
	return out
}

// unfoldDetails moves the arguments in details to the top level. The error for an unknown key lists
// the keys.
func (t Tool) unfoldDetails(object map[string]any) (changed bool, err error) {
	rare := t.input().args.rare
	folded, ok := object[detailsArgument]
	if !ok || len(rare) == 0 {
		return false, nil
	}
	if text, isText := folded.(string); isText {
		var parsed map[string]any
		if json.Unmarshal([]byte(text), &parsed) == nil {
			folded = parsed
		}
	}
	details, ok := folded.(map[string]any)
	if !ok {
		return false, fmt.Errorf("details: must be an object with any of %s", strings.Join(rare, ", "))
	}
	for key, value := range details {
		if !slices.Contains(rare, key) {
			return false, fmt.Errorf("details: unknown key %q; allowed keys: %s", key, strings.Join(rare, ", "))
		}
		if _, twice := object[key]; twice {
			return false, fmt.Errorf("%s appears twice: at the top level and in details", key)
		}
		object[key] = value
	}
	delete(object, detailsArgument)
	return true, nil
}

// mergeDetails returns the arguments with the content of details at the top level. Numbers keep
// their digits.
func (t Tool) mergeDetails(raw string) (json.RawMessage, error) {
	var args, details map[string]json.RawMessage
	if err := json.Unmarshal([]byte(raw), &args); err != nil {
		return nil, err
	}
	folded := args[detailsArgument]
	var text string
	if json.Unmarshal(folded, &text) == nil {
		folded = json.RawMessage(text)
	}
	if err := json.Unmarshal(folded, &details); err != nil {
		return nil, err
	}
	delete(args, detailsArgument)
	maps.Copy(args, details)
	return json.Marshal(args)
}
