package workflow

import (
	"context"
	"encoding/json"
	"errors"
)

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
