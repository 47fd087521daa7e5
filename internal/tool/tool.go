package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/llm"
)

// Effect is the effect of a tool outside the session. It determines whether the tool needs
// approval.
type Effect int

// The effects, from least to most risky. Reads runs in parallel without approval; the others need
// approval and run one at a time.
const (
	Reads Effect = iota
	Writes
	Executes
)

// String returns the word shown to people: "reads", "writes", "executes".
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

// Tool is a function with typed arguments that a model or a person can call. Make one with New.
type Tool struct {
	Name        string
	Label       string   // for people, on a card: "Prices"; at most 10 letters
	Description string   // for the model: what it returns, when to use another tool; at most 260 characters
	Details     string   // for people, in addition: formulas, limits, examples
	Group       string   // the group in find_tools: "market", "portfolio"
	Keywords    string   // search words for find_tools, in English and Chinese
	Phrasings   []string // requests it answers: "price of a bond"; numbers as <num>, symbols as <sym>
	Effect      Effect
	Timeout     time.Duration // zero means the Router's default
	Grace       time.Duration // time to return after its context has ended; zero means graceTime
	Question    string        // question of the approval; "" if Preview provides it
	UserOnly    bool          // only the user may call it; models do not see it
	Private     bool          // its results may hold the user's amounts
	Owner       string        // whose data it reads or changes; "" for the user's own
	// Data is the kind of private data that results may contain: PublicData (also ""), PortfolioData or
	// FileData.
	Data string
	// SendsTo is who receives the texts of the arguments: "" for nobody, MarketSources, or a host. A tool
	// of another server (MCP) must set it. Web addresses in the arguments always count as requests.
	SendsTo string
	// Sends returns what a call sends out if that depends on more than SendsTo; nil if SendsTo is enough.
	Sends func(args json.RawMessage) []Send
	// WritesTo returns the files that a call writes or, if its arguments do not name them, their folder; nil
	// if it writes no files.
	WritesTo func(args json.RawMessage) []string
	Pure     bool   // its result depends only on the arguments, and is computed at once
	Heading  string // heading in the list for people; "" is listed last
	Order    int    // position in the list, from 1
	// Output returns the JSON schema of the part of a result that a model reads; nil if a result is text or
	// has no fixed form.
	Output func() *jsonschema.Schema
	// Preview returns what a call would do, for the approval; nil if the arguments are enough. If
	// it returns an error, the model receives it and the tool does not run.
	Preview func(ctx context.Context, args json.RawMessage) (Preview, error)

	input func() *inputSchema
	run   func(ctx context.Context, args json.RawMessage) (Result, error)
}

// Find sets the texts by which find_tools finds the tool.
func (t Tool) Find(group, keywords string, phrasings ...string) Tool {
	t.Group, t.Keywords, t.Phrasings = group, keywords, phrasings
	return t
}

// Asks sets the question of an approval.
func (t Tool) Asks(question string) Tool {
	t.Question = question
	return t
}

// Computes marks a tool as Pure.
func (t Tool) Computes() Tool {
	t.Pure = true
	return t
}

// Compute returns the result of a Pure tool before the call is made, for the plan of a workflow.
func (t Tool) Compute(ctx context.Context, raw json.RawMessage) (Result, error) {
	args, err := t.check(string(raw))
	if err != nil {
		return Result{}, err
	}
	return t.run(ctx, args)
}

// WithDetails sets the text that people read and models do not.
func (t Tool) WithDetails(text string) Tool {
	t.Details = text
	return t
}

// WithOutput sets Output.
func (t Tool) WithOutput(schema func() *jsonschema.Schema) Tool {
	t.Output = schema
	return t
}

type inputSchema struct {
	raw  json.RawMessage
	args sentArguments
	sent func() json.RawMessage
	// resolved validates arguments. It is built on demand: the model receives the schema of every
	// tool but calls only a few.
	resolved func() *jsonschema.Resolved
}

// numberSchemas maps json.Number to a JSON number. A json.Number keeps the digits as written; a
// float64 would round them.
var numberSchemas = map[reflect.Type]*jsonschema.Schema{reflect.TypeFor[json.Number](): {Type: "number"}}

// New returns a tool whose arguments are an In: a struct with json tags, and jsonschema tags that
// hold the description of each field. Fields without omitempty are required.
//
// Return errors that the model can correct with Errorf; a Go error is for cancellation and broken
// infrastructure. The first use of the tool panics if In has no JSON schema, which is a bug.
func New[In any](name, description string, effect Effect, run func(context.Context, In) (Result, error)) Tool {
	return Tool{
		Name: name, Description: description, Effect: effect,
		// Delayed, because reflection over every argument type would slow down each start.
		input: sync.OnceValue(func() *inputSchema {
			schema, err := jsonschema.For[In](&jsonschema.ForOptions{TypeSchemas: numberSchemas})
			if err != nil {
				panic(fmt.Sprintf("tool %s: derive schema: %v", name, err))
			}
			raw, err := encodeSchema(schema)
			if err != nil {
				panic(fmt.Sprintf("tool %s: encode schema: %v", name, err))
			}
			args := sentArgumentsOf(reflect.TypeFor[In]())
			return &inputSchema{raw: raw, args: args, sent: sentSchema(name, schema, args), resolved: sync.OnceValue(func() *jsonschema.Resolved {
				resolved, err := schema.Resolve(nil)
				if err != nil {
					panic(fmt.Sprintf("tool %s: resolve schema: %v", name, err))
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

// NewDynamic returns a tool whose schema is known only at run time. run receives the arguments, a
// JSON object that matches schema, as the caller wrote them.
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
		return nil, fmt.Errorf("resolve schema: %w", err)
	}
	raw, err := encodeSchema(schema)
	if err != nil {
		return nil, fmt.Errorf("encode schema: %w", err)
	}
	return &inputSchema{raw: raw, sent: sentSchema("", schema, sentArguments{}), resolved: func() *jsonschema.Resolved { return resolved }}, nil
}

func sentSchema(name string, schema *jsonschema.Schema, args sentArguments) func() json.RawMessage {
	return sync.OnceValue(func() json.RawMessage {
		raw, err := modelSchema(schema, args)
		if err != nil {
			panic(fmt.Sprintf("tool %s: encode schema for the model: %v", name, err))
		}
		return raw
	})
}

// Check returns nil if raw arguments match the tool's schema, or why they do not.
func (t Tool) Check(raw json.RawMessage) error {
	_, err := t.check(string(raw))
	return err
}

// Spec returns the tool's full schema, for people and checks. A model receives ModelSpec.
func (t Tool) Spec() llm.ToolSpec {
	return llm.ToolSpec{Name: t.Name, Description: t.Description, Parameters: t.input().raw}
}

// check validates raw arguments against the schema and returns them as an object; empty arguments
// count as {}. Some servers send lists and numbers as text: these are converted to the schema's type.
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

// schemaError matches the errors of package jsonschema: the path of the value, the violated keyword and the
// reason.
var schemaError = lazyregexp.New(`^(?:validating (\S+): )+(?:\w+: )?(.*)$`)

// plainSchemaError returns an error that names the argument instead of its path in the schema.
func plainSchemaError(err error) error {
	m := schemaError().FindStringSubmatch(err.Error())
	if m == nil {
		return err
	}
	name := strings.NewReplacer("/properties/", ".", "/items", "").Replace(m[1])
	if name = strings.Trim(name, "."); name == "root" {
		return errors.New(m[2])
	}
	return fmt.Errorf("%s: %s", name, m[2])
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
		return nil, plainSchemaError(err)
	}
	if changed {
		return t.mergeDetails(raw)
	}
	return json.RawMessage(raw), nil
}
