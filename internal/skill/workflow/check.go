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

// Check returns the problems of steps that do not depend on arguments: errors of steps, and
// templates that refer to nothing, to their own step or to a later one. It also reports missing
// tools, scripts, and invalid arguments, as far as they are known before the parameters have
// values.
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

// stepErrors returns the errors of a step in every run. If the step is unsound, its arguments are
// not checked, because they were already reported.
func (w Environment) stepErrors(s Step, sound bool) []error {
	if s.Fault != "" {
		w.CheckScript = nil // the path may be the error
	}
	p := PlannedStep{Step: s}
	errs := w.calleeErrors(p)
	if len(errs) > 0 || !sound {
		return errs
	}
	if s.ForEach == nil && len(slices.Collect(templates(s.With))) == 0 {
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

// maxStepProblems limits the problems reported per step, so that a page of templates does not
// produce a page of problems.
const maxStepProblems = 20

// stepReferences are the references of one step to other values.
type stepReferences struct {
	needs    map[int]string // steps by index, each with a template that uses it
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
			u.add("cannot encode its arguments as JSON: %v", err)
		}
		studied := map[string]bool{}
		if s.ForEach != nil && slices.ContainsFunc(declared, func(p Parameter) bool { return p.Name == s.As }) {
			u.add("as: %s is a parameter; use another name", s.As)
		}
		for template := range templates(s.ForEach) {
			u.addTemplate(template, steps, declared, i)
		}
		for template := range templates(s.With) {
			if len(u.problems) == maxStepProblems {
				u.add("there may be more problems")
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

// addTemplate records what a template of step i refers to.
func (u *stepReferences) addTemplate(template string, steps []Step, declared []Parameter, i int) {
	if _, isItem, err := steps[i].itemPath(template); isItem {
		if err != nil {
			u.add("%s: %v", shorten(template), err)
		}
		return
	}
	r, err := parseReference(template, declared)
	switch {
	case errors.Is(err, errNotReference):
		u.add("%s is %v%s", shorten(template), err, suggestion(template, availableTemplates(steps[:i], declared)))
	case err != nil:
		u.add("%s: %v", shorten(template), err)
	case r.parameter == nil:
		needed := slices.IndexFunc(steps, func(s Step) bool { return s.ID == r.step })
		if needed < 0 {
			u.add("%s: no step %q%s", shorten(template), shorten(r.step), suggestion(r.step, stepIDs(steps[:i])))
		} else if _, known := u.needs[needed]; !known {
			u.needs[needed] = template
		}
	}
}

// availableTemplates returns the templates that a step can use.
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

// orderProblem returns why step i cannot use the result of step needed, which does not run before
// it.
func orderProblem(refs []stepReferences, steps []Step, i, needed int) string {
	switch {
	case needed == i:
		return "cyclic: a step cannot use its own result"
	case dependsOn(refs, needed, i, make([]bool, len(refs))):
		return "cyclic: step " + steps[needed].ID + " depends on this one"
	}
	return "out of order: step " + steps[needed].ID + " runs later; move it before this step"
}

// dependsOn reports whether step from waits for step to, directly or indirectly.
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

// templates iterates over the templates in the texts of v at any depth, in the order of keys. Keys
// have no templates.
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

// suggestion names the closest known name, or else lists the known names; "" if there are none.
func suggestion(written string, known []string) string {
	const most = 8
	if near, ok := nearestName(written, known); ok {
		return "; did you mean " + near + "?"
	}
	switch {
	case len(known) == 0:
		return ""
	case len(known) > most:
		return "; use one of: " + strings.Join(known[:most], ", ") + " and others"
	}
	return "; use one of: " + strings.Join(known, ", ")
}

// nearestName returns the known name closest to the written one, ignoring case and spaces, with a
// distance of at most two letters.
func nearestName(written string, known []string) (string, bool) {
	const longest = 200 // a longer list was not written by hand
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
