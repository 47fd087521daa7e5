package workflow

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/nfa-cli/nfa/internal/skill/parameter"
)

// Check says what is wrong with steps whatever they are run with: their faults, and
// the templates that refer to nothing, to their own step or to one that runs later.
// And it says what they lack in a world: tools, scripts, and arguments that fit, as
// far as these can be told before the parameters have values.
func Check(steps []Step, declared []parameter.Parameter, w World) []Problem {
	var problems []Problem
	for i, u := range usages(steps, declared) {
		for _, message := range u.problems {
			problems = append(problems, Problem{Step: steps[i].ID, Message: message})
		}
		for _, err := range w.lacks(steps[i], len(u.problems) == 0) {
			problems = append(problems, Problem{Step: steps[i].ID, Message: err.Error()})
		}
	}
	return problems
}

// lacks are the reasons against a step that hold for every run of it. The
// arguments of an unsound step are left alone: what is wrong there has been said.
func (w World) lacks(s Step, sound bool) []error {
	if s.Fault != "" {
		w.Script = nil // the path may be the fault
	}
	p := Planned{Step: s}
	errs := w.objections(p)
	if len(errs) > 0 || !sound {
		return errs
	}
	if len(slices.Collect(templates(s.With))) == 0 {
		filled, err := (&filler{}).arguments(s)
		if err != nil {
			return []error{err}
		}
		p.Arguments, p.Complete = filled, true
	}
	if err := w.refusal(p); err != nil {
		return []error{err}
	}
	return nil
}

// maxProblems of one step are enough to mend it by, and keep a page of nothing but
// templates from becoming a page of problems.
const maxProblems = 20

// usage is what one step takes from elsewhere.
type usage struct {
	needs    map[int]string // steps by their place, each with a template that takes from it
	problems []string
}

func (u *usage) add(format string, args ...any) {
	u.problems = append(u.problems, fmt.Sprintf(format, args...))
}

func usages(steps []Step, declared []parameter.Parameter) []usage {
	all := make([]usage, len(steps))
	for i, s := range steps {
		u := &all[i]
		u.needs = map[int]string{}
		if s.Fault != "" {
			u.add("%s", s.Fault)
		}
		if _, err := encode(s.With); err != nil {
			u.add("its arguments cannot be written as JSON: %v", err)
		}
		studied := map[string]bool{}
		for template := range templates(s.With) {
			if len(u.problems) == maxProblems {
				u.add("there may be more; these come first")
				break
			}
			if !studied[template] {
				studied[template] = true
				u.study(template, steps, declared, i)
			}
		}
	}
	for i := range all {
		for _, needed := range slices.Sorted(maps.Keys(all[i].needs)) {
			if needed >= i {
				all[i].add("%s is %s", shortened(all[i].needs[needed]), disorder(all, steps, i, needed))
			}
		}
	}
	return all
}

// study notes what a template of step i refers to.
func (u *usage) study(template string, steps []Step, declared []parameter.Parameter, i int) {
	r, err := refer(template, declared)
	switch {
	case errors.Is(err, errNoReference):
		u.add("%s is %v%s", shortened(template), err, suggestion(template, offered(steps[:i], declared)))
	case err != nil:
		u.add("%s: %v", shortened(template), err)
	case r.parameter == nil:
		needed := slices.IndexFunc(steps, func(s Step) bool { return s.ID == r.step })
		if needed < 0 {
			u.add("%s: there is no step %q%s", shortened(template), shortened(r.step), suggestion(r.step, ids(steps[:i])))
		} else if _, known := u.needs[needed]; !known {
			u.needs[needed] = template
		}
	}
}

// offered are the templates that a step can have.
func offered(before []Step, declared []parameter.Parameter) []string {
	var known []string
	for _, p := range declared {
		known = append(known, "{{"+p.Name+"}}")
	}
	for _, id := range ids(before) {
		known = append(known, "{{steps."+id+"}}")
	}
	return known
}

func ids(steps []Step) []string {
	known := make([]string, len(steps))
	for i, s := range steps {
		known[i] = s.ID
	}
	return known
}

// disorder says why step i cannot have the result of step needed, which does not
// run before it.
func disorder(all []usage, steps []Step, i, needed int) string {
	switch {
	case needed == i:
		return "cyclic: a step cannot use its own result"
	case reaches(all, needed, i, make([]bool, len(all))):
		return "cyclic: step " + steps[needed].ID + " itself waits for this one"
	}
	return "out of order: step " + steps[needed].ID + " runs later; put it before this one"
}

// reaches tells whether step from waits for step to, be it through others.
func reaches(all []usage, from, to int, seen []bool) bool {
	if from == to {
		return true
	}
	seen[from] = true
	for needed := range all[from].needs {
		if !seen[needed] && reaches(all, needed, to, seen) {
			return true
		}
	}
	return false
}

// templates gives those in the texts of v at any depth, members in the order of
// their keys. Keys hold none.
func templates(v any) iter.Seq[string] {
	return func(yield func(string) bool) { eachTemplate(v, yield) }
}

func eachTemplate(v any, yield func(string) bool) bool {
	switch v := v.(type) {
	case string:
		for _, p := range split(v) {
			if p.template && !yield(p.text) {
				return false
			}
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if !eachTemplate(v[key], yield) {
				return false
			}
		}
	case []any:
		for _, item := range v {
			if !eachTemplate(item, yield) {
				return false
			}
		}
	}
	return true
}
