package workflow

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
)

// PythonTool is the name by which a Python step is called and fenced.
const PythonTool = "python"

// Step is one call: a tool with arguments, or a Python script with an input.
type Step struct {
	ID     string         // unique in its workflow; by position where none is given
	Tool   string         // a tool's name; "" for a Python step
	Python string         // path of a script below the skill's directory, with slashes
	Code   string         // inline Python
	With   map[string]any // arguments of the tool or input of the script, with templates in their texts
	About  string         // what the step does, for people; "" where it does not say
	Fault  string         // why it cannot be run as it is written; "" where it can
}

// Call is a step with its arguments put in.
type Call struct {
	Step      string // its ID
	Tool      string // PythonTool for a Python step
	Python    string
	Code      string
	Arguments json.RawMessage // an object
}

// Caller does one call. What it returns is what templates of later steps read:
// a JSON value, of which none at all counts as null.
type Caller interface {
	Call(ctx context.Context, c Call) (json.RawMessage, error)
}

// Environment is what a check needs to know of what is around. A function left nil
// checks nothing.
type Environment struct {
	// CheckTool says why a tool cannot be used: it is not there, or switched off.
	CheckTool func(name string) error
	// CheckArguments holds arguments that are wholly known against a tool's schema.
	CheckArguments func(tool string, arguments json.RawMessage) error
	// CheckArgumentNames holds the names of arguments whose values are not known yet against a
	// tool's schema. One that is named may be left out of the call all the same.
	CheckArgumentNames func(tool string, names []string) error
	// CheckScript says why a script cannot be run.
	CheckScript func(path string) error
	// AllowedTools is all that the steps may call; nil is no fence, and an empty one lets
	// nothing through.
	AllowedTools []string
}

// Plan is a workflow with its arguments, checked: it can be run, or its Problems
// say why not, all at once. Make one with NewPlan.
type Plan struct {
	Steps    []PlannedStep
	Problems []Problem

	parameters  parameterScope
	filledBytes int // bytes put into the steps so far
}

// PlannedStep is a step with the arguments known before the first step is run.
type PlannedStep struct {
	Step
	Arguments json.RawMessage // what is not known yet stands there as its template
	Complete  bool            // whether all of them are known: the step is called with these very bytes
	Needs     []string        // IDs of the steps whose results it takes, in their order
}

// Call is the call of the step as far as it is known.
func (p PlannedStep) Call() Call {
	c := Call{Step: p.ID, Tool: p.Tool, Python: p.Python, Code: p.Code, Arguments: p.Arguments}
	if p.IsPython() {
		c.Tool = PythonTool
	}
	return c
}

// IsPython tells a step that runs Python from one that calls a tool.
func (s Step) IsPython() bool { return s.Python != "" || s.Code != "" }

// Problem is one reason why a workflow cannot be run.
type Problem struct {
	Step    string `json:"step,omitempty"` // its ID; "" where no single step is to blame
	Message string `json:"message"`
}

// String is the problem in one line.
func (p Problem) String() string {
	if p.Step == "" {
		return p.Message
	}
	return "step " + p.Step + ": " + p.Message
}

// PlanError is a plan's problems, all of them.
type PlanError struct{ Problems []Problem }

func (e *PlanError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "; ")
}

// Err is an *Error with the plan's problems, or nil when it can be run.
func (p Plan) Err() error {
	if len(p.Problems) == 0 {
		return nil
	}
	return &PlanError{Problems: p.Problems}
}

// parameterScope is what the parameters of a run stand for.
type parameterScope struct {
	declared []Parameter
	values   map[string]ParameterValue
}

// Result is what came of one step.
type Result struct {
	Step   PlannedStep
	Call   Call // as it was made; as it was planned where its arguments could not be put in
	Output json.RawMessage
	Err    error
}

// StepError is the failure of a step, which ended the run.
type StepError struct {
	Step string // its ID
	Err  error
}

func (e *StepError) Error() string { return "step " + e.Step + ": " + e.Err.Error() }

// Unwrap gives what the step failed with.
func (e *StepError) Unwrap() error { return e.Err }

// Run runs the steps in order and stops at the first that fails. The results are those of all steps
// begun, the failed one last. The error is that of ctx once it has ended, else a *StepError; a plan
// with problems returns its *PlanError and runs nothing.
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
			// What a step says when it is cut off ("signal: killed") is not why.
			if err := ctx.Err(); err != nil {
				return results, err
			}
			return results, &StepError{Step: s.ID, Err: r.Err}
		}
		outputs[s.ID] = r.Output
	}
	return results, nil
}

func (p Plan) run(ctx context.Context, s PlannedStep, outputs map[string]json.RawMessage, c Caller) Result {
	r := Result{Step: s, Call: s.Call()}
	if !s.Complete {
		f := templateFiller{parameterScope: p.parameters, results: outputs, limit: maxArgumentBytes}
		arguments, err := f.arguments(s.Step)
		if err == nil && f.unknown > 0 {
			err = errors.New("not all that its arguments refer to is known")
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
		r.Err = errors.New("its result is not JSON")
	}
	return r
}
