package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nfa-cli/nfa/internal/llm"
)

// Effect is what a tool does outside of the conversation, which decides whether it needs approval.
type Effect int

// The effects, mildest first. Reads runs at once and in parallel; the others ask
// first and run alone.
const (
	Reads Effect = iota
	Writes
	Executes
)

// String is the word shown to people: "reads", "writes", "executes".
func (e Effect) String() string {
	switch e {
	case Writes:
		return "writes"
	case Executes:
		return "executes"
	default:
		return "reads"
	}
}

// Tool is one act with typed arguments. Make one with New.
type Tool struct {
	Name        string
	Description string   // for the model: what it returns, when to use another tool; at most 260 characters
	Details     string   // for people, in addition: formulas, limits, examples
	Group       string   // "market", "portfolio": what find_tools lists together
	Keywords    string   // words, in English and Chinese, by which find_tools finds it
	Phrasings   []string // requests it answers: "price of a bond"; numbers as <num>, symbols as <sym>
	Effect      Effect
	Timeout     time.Duration // zero means the Router's default
	Grace       time.Duration // to answer in once its context has ended; zero is a moment
	UserOnly    bool          // only the user may call it; it is not offered to a model
	Private     bool          // its results may hold the user's amounts
	Heading     string        // what people find it under; "" behind all that have one
	Order       int           // among all that are listed, the first being 1
	// Preview says what would be done, before anybody is asked; nil where the
	// arguments say it all. An error is told to the model, and nothing is run.
	Preview func(ctx context.Context, args json.RawMessage) (Preview, error)

	input func() *inputSchema
	run   func(ctx context.Context, args json.RawMessage) (Result, error)
}

// Find sets the words by which find_tools finds the tool.
func (t Tool) Find(group, keywords string, phrasings ...string) Tool {
	t.Group, t.Keywords, t.Phrasings = group, keywords, phrasings
	return t
}

// WithDetails sets the text that people read and a model does not.
func (t Tool) WithDetails(text string) Tool {
	t.Details = text
	return t
}

type inputSchema struct {
	raw  json.RawMessage
	args sentArguments
	sent func() json.RawMessage
	// resolved is what arguments are checked by. A model is sent the schemas of all
	// tools at each start, and calls a few.
	resolved func() *jsonschema.Resolved
}

// numberSchemas make a json.Number of the arguments a number: it keeps the digits as they were
// written, where a float64 would round them.
var numberSchemas = map[reflect.Type]*jsonschema.Schema{reflect.TypeFor[json.Number](): {Type: "number"}}

// New makes a tool whose arguments are an In, a struct with json tags and
// jsonschema tags that hold each field's description. Fields without omitempty
// are required.
//
// What the model can mend is returned with Errorf; a Go error is for
// cancellation and broken infrastructure. It panics when In has no JSON schema,
// at the first use of the tool: that is a fault of the program.
func New[In any](name, description string, effect Effect, run func(context.Context, In) (Result, error)) Tool {
	return Tool{
		Name: name, Description: description, Effect: effect,
		// Reflection over every argument type would be paid at each start, also
		// by verbs that call no tool.
		input: sync.OnceValue(func() *inputSchema {
			schema, err := jsonschema.For[In](&jsonschema.ForOptions{TypeSchemas: numberSchemas})
			if err != nil {
				panic(fmt.Sprintf("tool %s: schema of its arguments: %v", name, err))
			}
			raw, err := encodeSchema(schema)
			if err != nil {
				panic(fmt.Sprintf("tool %s: encoding its schema: %v", name, err))
			}
			args := sentArgumentsOf(reflect.TypeFor[In]())
			return &inputSchema{raw: raw, args: args, sent: sentSchema(name, schema, args), resolved: sync.OnceValue(func() *jsonschema.Resolved {
				resolved, err := schema.Resolve(nil)
				if err != nil {
					panic(fmt.Sprintf("tool %s: resolving its schema: %v", name, err))
				}
				return resolved
			})}
		}),
		run: func(ctx context.Context, args json.RawMessage) (Result, error) {
			var in In
			if err := json.Unmarshal(args, &in); err != nil {
				return invalidArguments(name, err), nil
			}
			return run(ctx, in)
		},
	}
}

// NewDynamic makes a tool whose arguments are known only while the program runs:
// a JSON object that fits schema. run gets it as the caller wrote it.
func NewDynamic(name, description string, effect Effect, schema *jsonschema.Schema, run func(context.Context, json.RawMessage) (Result, error)) (Tool, error) {
	input, err := readSchema(schema)
	if err != nil {
		return Tool{}, fmt.Errorf("tool %s: %w", name, err)
	}
	return Tool{
		Name: name, Description: description, Effect: effect,
		input: func() *inputSchema { return input }, run: run,
	}, nil
}

func readSchema(schema *jsonschema.Schema) (*inputSchema, error) {
	resolved, err := schema.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("resolving its schema: %w", err)
	}
	raw, err := encodeSchema(schema)
	if err != nil {
		return nil, fmt.Errorf("encoding its schema: %w", err)
	}
	return &inputSchema{raw: raw, sent: sentSchema("", schema, sentArguments{}), resolved: func() *jsonschema.Resolved { return resolved }}, nil
}

func sentSchema(name string, schema *jsonschema.Schema, args sentArguments) func() json.RawMessage {
	return sync.OnceValue(func() json.RawMessage {
		raw, err := modelSchema(schema, args)
		if err != nil {
			panic(fmt.Sprintf("tool %s: encoding its schema for a model: %v", name, err))
		}
		return raw
	})
}

// Check reports why raw arguments do not fit the tool's schema, or nil.
func (t Tool) Check(raw json.RawMessage) error {
	_, err := t.check(string(raw))
	return err
}

// Spec describes the tool with its full schema, for people and checks. A model receives ModelSpec.
func (t Tool) Spec() llm.ToolSpec {
	return llm.ToolSpec{Name: t.Name, Description: t.Description, Parameters: t.input().raw}
}

// check validates raw arguments against the schema and gives them back as an
// object; empty arguments count as {}. Arguments that some servers send as text are read as
// what the schema asks for.
func (t Tool) check(raw string) (json.RawMessage, error) {
	args, err := t.checkAsSent(raw)
	if err == nil {
		return args, nil
	}
	parsed, changed := t.parseTexts(raw)
	if !changed {
		return nil, err
	}
	if args, parsedErr := t.checkAsSent(parsed); parsedErr == nil {
		return args, nil
	}
	return nil, err
}

func (t Tool) checkAsSent(raw string) (json.RawMessage, error) {
	if raw == "" {
		raw = "{}"
	}
	var object map[string]any
	if err := json.Unmarshal([]byte(raw), &object); err != nil {
		return nil, fmt.Errorf("not a JSON object: %w", err)
	}
	if object == nil {
		object, raw = map[string]any{}, "{}"
	}
	changed, err := t.unfoldDetails(object)
	if err != nil {
		return nil, err
	}
	if err := t.input().resolved().Validate(object); err != nil {
		return nil, err
	}
	if changed {
		return t.mergeDetails(raw)
	}
	return json.RawMessage(raw), nil
}
