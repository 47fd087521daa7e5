package workflow

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
)

// PythonTool is the tool name of a Python step in calls and allowed-tools.
const PythonTool = "python"

// Step is one call: a tool with arguments, or a Python script with input.
type Step struct {
	ID     string         // unique in its workflow; by position if not given
	Tool   string         // a tool's name; "" for a Python step
	Python string         // path of a script inside the skill's directory, with slashes
	Code   string         // inline Python
	With   map[string]any // arguments of the tool or input of the script, with templates
	About  string         // what the step does, for people; may be empty
	// ForEach is a list, or a template of one: the step is called once per item. As is the name of the
	// item in its templates. ForEach is nil for a single call.
	ForEach any
	As      string
	// Optional means that the steps after it run even if it fails.
	Optional bool
	Fault    string // why it cannot be run; "" if it can
}

// Call is a step with its arguments filled in.
type Call struct {
	Step      string // step ID
	Tool      string // PythonTool for a Python step
	Python    string
	Code      string
	Arguments json.RawMessage // an object; for a list of items, of the first one
	Items     []ItemCall      // calls of a step with for_each; nil for a single call
}

// ItemCall is the call for one item of a list.
type ItemCall struct {
	Item      json.RawMessage
	Arguments json.RawMessage
}

// Caller runs one call. Its result is a JSON value for templates of later steps; an empty result
// counts as null.
type Caller interface {
	Call(ctx context.Context, c Call) (json.RawMessage, error)
}

// Environment describes the available tools and scripts. A nil function checks nothing.
type Environment struct {
	// CheckTool returns why a tool cannot be used: it is missing, or disabled.
	CheckTool func(name string) error
	// CheckArguments validates complete arguments against a tool's schema.
	CheckArguments func(tool string, arguments json.RawMessage) error
	// CheckArgumentNames validates argument names whose values are unknown yet against a tool's
	// schema. A named argument may still be omitted in the call.
	CheckArgumentNames func(tool string, names []string) error
	// Compute returns the result of a tool that only calculates, before the run. ok is false for
	// other tools.
	Compute func(tool string, arguments json.RawMessage) (result json.RawMessage, ok bool, err error)
	// CheckScript returns why a script cannot be run.
	CheckScript func(path string) error
	// AllowedTools lists the tools that the steps may call; nil allows all, an empty list none.
	AllowedTools []string
}

// Plan is a checked workflow with its arguments: it can be run, or Problems has all reasons why
// not. Create it with NewPlan.
type Plan struct {
	Steps    []PlannedStep
	Problems []Problem

	parameters  parameterScope
	computed    map[string]json.RawMessage // results known before the run, by step
	filledBytes int                        // bytes filled into the steps so far
}

// PlannedStep is a step with the arguments known before the run.
type PlannedStep struct {
	Step
	Arguments json.RawMessage // unknown values are left as templates
	Complete  bool            // all arguments are known: the step is called with exactly these bytes
	Needs     []string        // IDs of the steps whose results it uses, in order
}

// Call returns the call of the step with the arguments known so far.
func (p PlannedStep) Call() Call {
	c := Call{Step: p.ID, Tool: p.Tool, Python: p.Python, Code: p.Code, Arguments: p.Arguments}
	if p.IsPython() {
		c.Tool = PythonTool
	}
	return c
}

// IsPython reports whether the step runs Python instead of a tool.
func (s Step) IsPython() bool { return s.Python != "" || s.Code != "" }

// Problem is one reason why a workflow cannot be run.
type Problem struct {
	Step    string `json:"step,omitempty"` // step ID; "" if no single step is the reason
	Message string `json:"message"`
}

// String formats the problem on one line.
func (p Problem) String() string {
	if p.Step == "" {
		return p.Message
	}
	return "step " + p.Step + ": " + p.Message
}

// PlanError has all problems of a plan.
type PlanError struct{ Problems []Problem }

func (e *PlanError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "; ")
}

// Err returns a *PlanError with the plan's problems, or nil if it can be run.
func (p Plan) Err() error {
	if len(p.Problems) == 0 {
		return nil
	}
	return &PlanError{Problems: p.Problems}
}

// parameterScope resolves the parameters of a run.
type parameterScope struct {
	declared []Parameter
	values   map[string]ParameterValue
}

// Result is the result of one step.
type Result struct {
	Step   PlannedStep
	Call   Call // as executed; as planned if its arguments could not be filled in
	Output json.RawMessage
	Err    error
}

// StepError is the error of a step that ended the run.
type StepError struct {
	Step string // step ID
	Err  error
}

func (e *StepError) Error() string { return "step " + e.Step + ": " + e.Err.Error() }

// Unwrap returns the step's error.
func (e *StepError) Unwrap() error { return e.Err }

// maxItems is the maximum number of items of a step with for_each.
const maxItems = 64

// Run runs the steps in order and stops at the first error. The results are those of all started
// steps, the failed one last. The error is that of ctx once it has ended, otherwise a *StepError; a
// plan with problems returns its *PlanError and runs nothing.
func Run(ctx context.Context, p Plan, c Caller) ([]Result, error) {
	if err := p.Err(); err != nil {
		return nil, err
	}
	results := make([]Result, 0, len(p.Steps))
	outputs := make(map[string]json.RawMessage, len(p.Steps))
	for _, s := range p.Steps {
		if err := ctx.Err(); err != nil {
			return results, err
		}
		r := p.run(ctx, s, outputs, c)
		results = append(results, r)
		if r.Err != nil {
			// The error of an interrupted step ("signal: killed") is not the cause.
			if err := ctx.Err(); err != nil {
				return results, err
			}
			if s.Optional {
				continue
			}
			return results, &StepError{Step: s.ID, Err: r.Err}
		}
		outputs[s.ID] = r.Output
	}
	return results, nil
}

func (p Plan) run(ctx context.Context, s PlannedStep, outputs map[string]json.RawMessage, c Caller) Result {
	r := Result{Step: s, Call: s.Call()}
	if s.ForEach != nil {
		f := templateFiller{parameterScope: p.parameters, results: outputs, limit: maxArgumentBytes}
		if r.Call.Items, r.Err = f.itemCalls(s.Step); r.Err != nil {
			return r
		}
	} else if !s.Complete {
		f := templateFiller{parameterScope: p.parameters, results: outputs, limit: maxArgumentBytes}
		arguments, err := f.arguments(s.Step)
		if err == nil && f.unknown > 0 {
			err = errors.New("some values in the arguments are unknown")
		}
		if r.Err = err; err != nil {
			return r
		}
		r.Call.Arguments = arguments
	}
	r.Output, r.Err = c.Call(ctx, r.Call)
	if r.Err != nil {
		return r
	}
	if len(r.Output) == 0 {
		r.Output = json.RawMessage("null")
	}
	if !json.Valid(r.Output) {
		r.Err = errors.New("the result is not JSON")
	}
	return r
}
