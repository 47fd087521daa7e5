package workflow

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// NewPlan checks steps, their arguments and what they need from the environment, and collects all
// problems. ReadArguments rejects invalid values; a required parameter without a value is a problem
// here.
func NewPlan(steps []Step, declared []Parameter, a Arguments, w Environment) Plan {
	p := Plan{parameters: parameterScope{declared, a.Values}, computed: map[string]json.RawMessage{}}
	for _, d := range declared {
		if _, present := a.Values[d.Name]; d.Required && !present {
			p.addProblems("", fmt.Errorf("missing parameter %s", d.Name))
		}
	}
	for i, u := range referencesOf(steps, declared) {
		s := PlannedStep{Step: steps[i], Needs: u.earlierSteps(steps[:i])}
		for _, message := range u.problems {
			p.Problems = append(p.Problems, Problem{s.ID, message})
		}
		err := p.fill(&s)
		objections := w.calleeErrors(s)
		if err == nil && len(u.problems)+len(objections) == 0 && s.ForEach != nil {
			err = p.checkItems(s, w)
		} else if err == nil && len(u.problems)+len(objections) == 0 {
			if err = w.argumentError(s); err == nil {
				err = p.compute(s, w)
			}
		}
		// Problems of the arguments of an unsound step were already reported.
		if err != nil && len(u.problems) == 0 {
			objections = append(objections, err)
		}
		p.addProblems(s.ID, objections...)
		p.Steps = append(p.Steps, s)
	}
	return p
}

func (p *Plan) addProblems(step string, errs ...error) {
	for _, err := range errs {
		p.Problems = append(p.Problems, Problem{step, err.Error()})
	}
}

// checkItems checks the calls of a step with for_each, if its list is known.
func (p *Plan) checkItems(s PlannedStep, w Environment) error {
	f := templateFiller{parameterScope: p.parameters, results: p.computed, limit: maxPlannedBytes}
	if _, known, err := f.list(s.Step); err != nil || !known {
		return err
	}
	calls, err := f.itemCalls(s.Step)
	if err != nil {
		if f.unknown > 0 {
			return w.argumentError(s) // the arguments depend on an earlier step
		}
		return err
	}
	for _, call := range calls {
		if s.IsPython() || w.CheckArguments == nil {
			break
		}
		if err := w.CheckArguments(s.Tool, call.Arguments); err != nil {
			return fmt.Errorf("item %s: %w", shorten(string(call.Item)), err)
		}
	}
	return nil
}

// compute records the result of a step that only calculates, so that an error comes before the
// confirmation and later steps show their values.
func (p *Plan) compute(s PlannedStep, w Environment) error {
	if s.IsPython() || !s.Complete || w.Compute == nil {
		return nil
	}
	result, ok, err := w.Compute(s.Tool, s.Arguments)
	if ok && err == nil {
		p.computed[s.ID] = result
	}
	return err
}

// fill fills in the arguments that are known before the run.
func (p *Plan) fill(s *PlannedStep) error {
	f := templateFiller{parameterScope: p.parameters, results: p.computed, limit: maxPlannedBytes - p.filledBytes}
	arguments, err := f.arguments(s.Step)
	p.filledBytes += f.size
	if p.filledBytes > maxPlannedBytes {
		err = fmt.Errorf("the step arguments are larger than %d KB before the first step", maxPlannedBytes>>10)
	}
	if err != nil {
		s.Arguments = json.RawMessage("{}")
		return err
	}
	s.Arguments, s.Complete = arguments, f.unknown == 0 && s.ForEach == nil
	return nil
}

// earlierSteps returns the IDs of the needed steps among before.
func (u stepReferences) earlierSteps(before []Step) []string {
	var needed []string
	for i, s := range before {
		if _, needs := u.needs[i]; needs {
			needed = append(needed, s.ID)
		}
	}
	return needed
}

// argumentError returns why a tool does not accept the step's arguments, as far as they are known.
func (w Environment) argumentError(s PlannedStep) error {
	switch {
	case s.IsPython():
		return nil
	case s.Complete && w.CheckArguments != nil:
		return w.CheckArguments(s.Tool, s.Arguments)
	case !s.Complete && w.CheckArgumentNames != nil:
		return w.CheckArgumentNames(s.Tool, slices.Sorted(maps.Keys(s.With)))
	}
	return nil
}

// calleeErrors returns the errors of what a step calls.
func (w Environment) calleeErrors(s PlannedStep) []error {
	var errs []error
	name := s.Call().Tool
	if name != "" && w.AllowedTools != nil && !slices.Contains(w.AllowedTools, name) {
		errs = append(errs, fmt.Errorf("%s is not among the skill's allowed-tools: %s", name, strings.Join(w.AllowedTools, ", ")))
	}
	if s.Tool != "" && w.CheckTool != nil {
		if err := w.CheckTool(s.Tool); err != nil {
			errs = append(errs, err)
		}
	}
	if s.Python != "" && w.CheckScript != nil {
		if err := w.CheckScript(s.Python); err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}
