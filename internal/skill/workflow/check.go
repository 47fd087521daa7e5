package workflow

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/usage"
)

// Check reports the problems of steps that do not depend on arguments: their faults, and templates
// that refer to nothing, to their own step or to a later one. It also reports what is missing in
// the environment: tools, scripts, and arguments that do not fit, where that is known before the
// parameters have values.
func Check(steps []Step, declared []Parameter, w Environment) []Problem {
	var problems []Problem
	for i, u := range referencesOf(steps, declared) {
		for _, message := range u.problems {
			problems = append(problems, Problem{Step: steps[i].ID, Message: message})
		}
		for _, err := range w.stepErrors(steps[i], len(u.problems) == 0) {
			problems = append(problems, Problem{Step: steps[i].ID, Message: err.Error()})
		}
	}
	return problems
}

// stepErrors are the reasons against a step that hold for every run of it. The
// arguments of an unsound step are left alone: what is wrong there has been said.
func (w Environment) stepErrors(s Step, sound bool) []error {
	if s.Fault != "" {
		w.CheckScript = nil // the path may be the fault
	}
	p := PlannedStep{Step: s}
	errs := w.calleeErrors(p)
	if len(errs) > 0 || !sound {
		return errs
	}
	if len(slices.Collect(templates(s.With))) == 0 {
		filled, err := (&templateFiller{}).arguments(s)
		if err != nil {
			return []error{err}
		}
		p.Arguments, p.Complete = filled, true
	}
	if err := w.argumentError(p); err != nil {
		return []error{err}
	}
	return nil
}

// maxStepProblems of one step are enough to mend it by, and keep a page of nothing but
// templates from becoming a page of problems.
const maxStepProblems = 20

// stepReferences is what one step takes from elsewhere.
type stepReferences struct {
	needs    map[int]string // steps by their place, each with a template that takes from it
	problems []string
}

func (u *stepReferences) add(format string, args ...any) {
	u.problems = append(u.problems, fmt.Sprintf(format, args...))
}

func referencesOf(steps []Step, declared []Parameter) []stepReferences {
	refs := make([]stepReferences, len(steps))
	for i, s := range steps {
		u := &refs[i]
		u.needs = map[int]string{}
		if s.Fault != "" {
			u.add("%s", s.Fault)
		}
		if _, err := encodeJSON(s.With); err != nil {
			u.add("its arguments cannot be written as JSON: %v", err)
		}
		studied := map[string]bool{}
		for template := range templates(s.With) {
			if len(u.problems) == maxStepProblems {
				u.add("there may be more; these come first")
				break
			}
			if !studied[template] {
				studied[template] = true
				u.addTemplate(template, steps, declared, i)
			}
		}
	}
	for i := range refs {
		for _, needed := range slices.Sorted(maps.Keys(refs[i].needs)) {
			if needed >= i {
				refs[i].add("%s is %s", shorten(refs[i].needs[needed]), orderProblem(refs, steps, i, needed))
			}
		}
	}
	return refs
}

// addTemplate notes what a template of step i refers to.
func (u *stepReferences) addTemplate(template string, steps []Step, declared []Parameter, i int) {
	r, err := parseReference(template, declared)
	switch {
	case errors.Is(err, errNotReference):
		u.add("%s is %v%s", shorten(template), err, suggestion(template, availableTemplates(steps[:i], declared)))
	case err != nil:
		u.add("%s: %v", shorten(template), err)
	case r.parameter == nil:
		needed := slices.IndexFunc(steps, func(s Step) bool { return s.ID == r.step })
		if needed < 0 {
			u.add("%s: there is no step %q%s", shorten(template), shorten(r.step), suggestion(r.step, stepIDs(steps[:i])))
		} else if _, known := u.needs[needed]; !known {
			u.needs[needed] = template
		}
	}
}

// availableTemplates are the templates that a step can have.
func availableTemplates(before []Step, declared []Parameter) []string {
	var names []string
	for _, p := range declared {
		names = append(names, "{{"+p.Name+"}}")
	}
	for _, id := range stepIDs(before) {
		names = append(names, "{{steps."+id+"}}")
	}
	return names
}

func stepIDs(steps []Step) []string {
	names := make([]string, len(steps))
	for i, s := range steps {
		names[i] = s.ID
	}
	return names
}

// orderProblem says why step i cannot have the result of step needed, which does not
// run before it.
func orderProblem(refs []stepReferences, steps []Step, i, needed int) string {
	switch {
	case needed == i:
		return "cyclic: a step cannot use its own result"
	case dependsOn(refs, needed, i, make([]bool, len(refs))):
		return "cyclic: step " + steps[needed].ID + " itself waits for this one"
	}
	return "out of order: step " + steps[needed].ID + " runs later; put it before this one"
}

// dependsOn tells whether step from waits for step to, be it through others.
func dependsOn(refs []stepReferences, from, to int, seen []bool) bool {
	if from == to {
		return true
	}
	seen[from] = true
	for needed := range refs[from].needs {
		if !seen[needed] && dependsOn(refs, needed, to, seen) {
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
		for _, p := range splitTemplates(v) {
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

// suggestion says which of the known names was probably meant, or else which
// there are; "" where there is none at all.
func suggestion(written string, known []string) string {
	const most = 8
	if near, ok := nearestName(written, known); ok {
		return "; did you mean " + near + "?"
	}
	switch {
	case len(known) == 0:
		return ""
	case len(known) > most:
		return "; there are: " + strings.Join(known[:most], ", ") + " and others"
	}
	return "; there are: " + strings.Join(known, ", ")
}

// nearestName returns the known name that differs least from the written one, apart from case and
// spaces, by at most two letters.
func nearestName(written string, known []string) (string, bool) {
	const longest = 200 // a list longer than that nobody wrote by hand
	normalize := func(name string) string {
		return strings.NewReplacer("-", "_", " ", "").Replace(strings.ToLower(name))
	}
	best, smallest := "", 3
	for _, name := range known[:min(len(known), longest)] {
		if d := usage.Distance(normalize(written), normalize(name), 2); d < min(smallest, len(name)/2+1) {
			best, smallest = name, d
		}
	}
	return best, best != ""
}
