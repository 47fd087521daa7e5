package workflow

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/skill/parameter"
)

// NewPlan checks steps, what they are to be run with, and what they need of the
// world, and gathers all that is wrong. Values that do not fit their parameters
// are for parameter.Read to refuse; a required one without a value is a problem
// here.
func NewPlan(steps []Step, declared []parameter.Parameter, a parameter.Arguments, w World) Plan {
	p := Plan{parameters: scope{declared, a.Values}}
	for _, d := range declared {
		if _, given := a.Values[d.Name]; d.Required && !given {
			p.blame("", fmt.Errorf("missing parameter %s", d.Name))
		}
	}
	for i, u := range usages(steps, declared) {
		s := Planned{Step: steps[i], Needs: u.earlier(steps[:i])}
		for _, message := range u.problems {
			p.Problems = append(p.Problems, Problem{s.ID, message})
		}
		err := p.fill(&s)
		objections := w.objections(s)
		if err == nil && len(u.problems)+len(objections) == 0 {
			err = w.refusal(s)
		}
		// What keeps the arguments of an unsound step from being put in has been said.
		if err != nil && len(u.problems) == 0 {
			objections = append(objections, err)
		}
		p.blame(s.ID, objections...)
		p.Steps = append(p.Steps, s)
	}
	return p
}

func (p *Plan) blame(step string, errs ...error) {
	for _, err := range errs {
		p.Problems = append(p.Problems, Problem{step, err.Error()})
	}
}

// fill puts in the arguments that are known before anything is run.
func (p *Plan) fill(s *Planned) error {
	f := filler{scope: p.parameters, limit: maxPlanned - p.filled}
	arguments, err := f.arguments(s.Step)
	p.filled += f.size
	if p.filled > maxPlanned {
		err = fmt.Errorf("the arguments of the steps are larger than %d KB before the first of them is run", maxPlanned>>10)
	}
	if err != nil {
		s.Arguments = json.RawMessage("{}")
		return err
	}
	s.Arguments, s.Complete = arguments, f.unknown == 0
	return nil
}

// earlier gives the IDs of the steps needed among those before.
func (u usage) earlier(before []Step) []string {
	var needed []string
	for i, s := range before {
		if _, needs := u.needs[i]; needs {
			needed = append(needed, s.ID)
		}
	}
	return needed
}

// refusal is why a tool does not take the step's arguments, as far as they are
// known.
func (w World) refusal(s Planned) error {
	switch {
	case s.IsPython():
		return nil
	case s.Complete && w.Accept != nil:
		return w.Accept(s.Tool, s.Arguments)
	case !s.Complete && w.Names != nil:
		return w.Names(s.Tool, slices.Sorted(maps.Keys(s.With)))
	}
	return nil
}

// objections are the reasons against what a step calls.
func (w World) objections(s Planned) []error {
	var errs []error
	name := s.Call().Tool
	if name != "" && w.Fence != nil && !slices.Contains(w.Fence, name) {
		errs = append(errs, fmt.Errorf("%s is not among the skill's allowed-tools: %s", name, strings.Join(w.Fence, ", ")))
	}
	if s.Tool != "" && w.Tool != nil {
		if err := w.Tool(s.Tool); err != nil {
			errs = append(errs, err)
		}
	}
	if s.Python != "" && w.Script != nil {
		if err := w.Script(s.Python); err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}
