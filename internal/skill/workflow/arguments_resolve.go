package workflow

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"
)

// Arguments are the arguments of a skill.
type Arguments struct {
	// Text is the text after the skill's name, as written.
	Text string
	// Values are the parameters by name: those given and those with a default.
	Values map[string]ParameterValue
}

// InvalidValue is an invalid value of a parameter.
type InvalidValue struct {
	Parameter string
	Reason    string
}

// ArgumentError has all problems of arguments. The arguments returned with it have the valid
// values, to prefill a form.
type ArgumentError struct {
	Missing []string // required parameters without a value, in declared order
	Invalid []InvalidValue
	// Other has problems without a parameter: an unknown name, too many arguments.
	Other []string
}

func (e *ArgumentError) Error() string {
	var faults []string
	if len(e.Missing) > 0 {
		faults = append(faults, "missing: "+strings.Join(e.Missing, ", "))
	}
	for _, v := range e.Invalid {
		faults = append(faults, v.Parameter+": "+v.Reason)
	}
	return strings.Join(append(faults, e.Other...), "; ")
}

func (e *ArgumentError) orNil() error {
	if len(e.Missing)+len(e.Invalid)+len(e.Other) == 0 {
		return nil
	}
	return e
}

// ReadArguments checks values by parameter name, from a form, a command line or the model's JSON:
// text, numbers, booleans, and lists of these, which become text with commas. Empty text and null
// count as missing. The error is an *ArgumentError.
func ReadArguments(declared []Parameter, input map[string]any) (Arguments, error) {
	written := make(map[string]string, len(input))
	faults := &ArgumentError{}
	for _, name := range slices.Sorted(maps.Keys(input)) {
		p, ok := findParameter(declared, name)
		text, plain := plainText(input[name])
		switch {
		case !ok:
			faults.Other = append(faults.Other, unknownParameterMessage(declared, name))
		case !plain:
			faults.Invalid = append(faults.Invalid, InvalidValue{p.Name, "must be a single value"})
		case text != "":
			written[p.Name] = text
		}
	}
	a := resolveArguments(declared, written, faults)
	a.Text = formatArguments(declared, written)
	return a, faults.orNil()
}

// resolveArguments converts text to values, adds defaults, and records invalid and missing ones. A
// parameter that is already invalid is not also missing.
func resolveArguments(declared []Parameter, written map[string]string, faults *ArgumentError) Arguments {
	a := Arguments{Values: make(map[string]ParameterValue, len(declared))}
	for _, p := range declared {
		text, isSet := written[p.Name]
		if fallback, _ := plainText(p.Default); !isSet {
			text = fallback
		}
		faulty := slices.ContainsFunc(faults.Invalid, func(v InvalidValue) bool { return v.Parameter == p.Name })
		if faulty {
			continue
		}
		if text == "" {
			if p.Required {
				faults.Missing = append(faults.Missing, p.Name)
			}
			continue
		}
		value, err := p.Read(text)
		if err != nil {
			reason := err.Error()
			if !isSet {
				reason = "the skill's default: " + reason
			}
			faults.Invalid = append(faults.Invalid, InvalidValue{p.Name, reason})
			continue
		}
		a.Values[p.Name] = value
	}
	return a
}

// formatArguments formats values as a person would write them, in declared order.
func formatArguments(declared []Parameter, written map[string]string) string {
	var pairs []string
	for _, p := range declared {
		if text, ok := written[p.Name]; ok {
			if strings.ContainsAny(text, `"'`) || strings.ContainsFunc(text, unicode.IsSpace) {
				text = `"` + quoteEscapes.Replace(text) + `"`
			}
			pairs = append(pairs, p.Name+"="+text)
		}
	}
	return strings.Join(pairs, " ")
}

// findParameter finds a parameter ignoring case and accepting "file-path" for "file_path".
func findParameter(declared []Parameter, name string) (Parameter, bool) {
	loose := strings.NewReplacer("-", "_")
	for _, match := range []func(string) bool{
		func(s string) bool { return s == name },
		func(s string) bool { return strings.EqualFold(loose.Replace(s), loose.Replace(name)) },
	} {
		if i := slices.IndexFunc(declared, func(p Parameter) bool { return match(p.Name) }); i >= 0 {
			return declared[i], true
		}
	}
	return Parameter{}, false
}

func unknownParameterMessage(declared []Parameter, name string) string {
	names := make([]string, len(declared))
	for i, p := range declared {
		names[i] = p.Name
	}
	if len(names) == 0 {
		return fmt.Sprintf("unknown parameter %s; the skill has no parameters", shorten(name))
	}
	return fmt.Sprintf("unknown parameter %s; use one of: %s (quote text that contains =)", shorten(name), strings.Join(names, ", "))
}

// plainText returns a scalar, or a list of scalars, as text.
func plainText(value any) (text string, ok bool) {
	switch v := value.(type) {
	case nil:
		return "", true
	case string:
		return strings.TrimSpace(v), true
	case json.Number:
		return v.String(), true
	case bool:
		return strconv.FormatBool(v), true
	case int:
		return strconv.Itoa(v), true
	case int64:
		return strconv.FormatInt(v, 10), true
	case uint64:
		return strconv.FormatUint(v, 10), true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			if _, nested := item.([]any); nested {
				return "", false
			}
			if items[i], ok = plainText(item); !ok {
				return "", false
			}
		}
		return strings.Join(items, ", "), true
	}
	return "", false
}

// ParameterSchema returns the JSON schema of an object with a member per parameter.
func ParameterSchema(declared []Parameter) (json.RawMessage, error) {
	object := &jsonschema.Schema{
		Type:                 "object",
		Properties:           make(map[string]*jsonschema.Schema, len(declared)),
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
	for _, p := range declared {
		if _, seen := object.Properties[p.Name]; seen {
			continue
		}
		object.Properties[p.Name] = p.schema()
		object.PropertyOrder = append(object.PropertyOrder, p.Name)
		if fallback, _ := plainText(p.Default); p.Required && fallback == "" {
			object.Required = append(object.Required, p.Name)
		}
	}
	raw, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("encode the parameter schema: %w", err)
	}
	return raw, nil
}

func (p Parameter) schema() *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	form := ""
	switch kind, _ := p.Kind(); kind {
	case KindNumber:
		s.Type = "number"
	case KindInteger:
		s.Type = "integer"
	case KindBoolean:
		s.Type = "boolean"
	case KindDate:
		form = "A date such as 2026-01-31."
		s.Format = "date"
	case KindPercent:
		s.Type, form = "number", "In percent: 5 means 5%."
	case KindMoney:
		form = "An amount with its currency, such as 1000.50 USD."
	case KindSymbol:
		form = "A symbol such as AAPL."
	case KindList:
		s.Type, s.Items = "array", &jsonschema.Schema{Type: "string"}
	}
	for _, value := range p.Enum {
		s.Enum = append(s.Enum, value)
	}
	if len(p.Enum) > 0 {
		s.Type, s.Format = "string", ""
	}
	s.Description = strings.TrimSpace(strings.TrimSpace(p.Description) + " " + form)
	if fallback, _ := plainText(p.Default); fallback != "" {
		s.Default = p.defaultAs(s.Type, fallback)
	}
	return s
}

// defaultAs encodes the default in the type of its schema. An invalid default is omitted here and
// reported when used.
func (p Parameter) defaultAs(jsonType, written string) json.RawMessage {
	value, err := p.Read(written)
	if err != nil {
		return nil
	}
	encode := value.Typed
	if jsonType == "string" {
		encode = value.Text
	}
	raw, err := json.Marshal(encode)
	if err != nil {
		return nil
	}
	return raw
}
