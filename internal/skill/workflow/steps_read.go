package workflow

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/frontmatter"
	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// maxSteps is the maximum number of steps in a workflow.
const maxSteps = 50

var idForm = lazyregexp.New(`^[a-z0-9_-]{1,40}$`)

// ReadSteps reads the steps that front matter declares. A step with a mistake is kept, with the
// reason in Fault, so that the skill can still be shown and fixed. Every step has a unique ID.
func ReadSteps(f *frontmatter.Fields) []Step {
	value := f.Take("steps")
	items, ok := value.([]any)
	if !ok && value != nil {
		f.Warn("steps", "a list")
	}
	if len(items) == 0 {
		return nil
	}
	count := len(items)
	items = items[:min(count, maxSteps+1)]
	steps := make([]Step, len(items))
	for i, item := range items {
		steps[i] = readStep(item)
	}
	assignIDs(steps)
	if count > maxSteps {
		steps[maxSteps].addFault("too many steps: %d; a workflow has at most %d", count, maxSteps)
	}
	return steps
}

// addFault adds a reason to Fault.
func (s *Step) addFault(format string, args ...any) {
	if s.Fault != "" {
		s.Fault += "; "
	}
	s.Fault += fmt.Sprintf(format, args...)
}

func readStep(item any) Step {
	values, ok := item.(map[string]any)
	if !ok {
		return Step{Fault: "a step must be a map with tool:, python: or code:"}
	}
	f := frontmatter.Fields{Matter: frontmatter.Matter{Values: values}}
	s := Step{ID: f.Text("id"), Tool: f.Text("tool"), Python: f.Text("python"), Code: f.Text("code")}
	// Leading spaces matter in Python.
	if written, ok := values["code"].(string); ok && s.Code != "" {
		s.Code = written
	}
	title := f.Text("title")
	s.About = f.TextOr("description", title)
	s.ForEach, s.As = f.Take("for_each"), f.TextOr("as", "item")
	s.Optional = f.Boolean("optional", false)
	s.checkForEach(values)
	s.checkCallee()
	s.readArguments(&f)
	for _, warning := range f.Warnings {
		s.addFault("%s", strings.TrimSuffix(warning, " and was ignored"))
	}
	// Ignoring an if: or retry: would run something else than was written.
	for _, key := range slices.Sorted(maps.Keys(f.Unread())) {
		s.addFault("unknown key %q; a step has id, description, optional, for_each and as, and either tool and with, or python or code and input", shorten(key))
	}
	return s
}

func (s *Step) checkForEach(values map[string]any) {
	if _, given := values["as"]; given && s.ForEach == nil {
		s.addFault("as has no effect without for_each")
	}
	switch list := s.ForEach.(type) {
	case nil:
		s.As = ""
	case []any:
		if len(list) > maxItems {
			s.addFault("for_each has %d items; use at most %d", len(list), maxItems)
		}
	case string:
		if pieces := splitTemplates(list); len(pieces) != 1 || !pieces[0].template {
			s.addFault(`for_each must be a list, or one template of a list such as "{{symbols}}"`)
		}
	default:
		s.addFault(`for_each must be a list, or one template of a list such as "{{symbols}}"`)
	}
	if s.ForEach != nil && (!frontmatter.IsKey(s.As) || s.As == "steps") {
		s.addFault("as: %q is not a name of letters, digits, - and _", shorten(s.As))
	}
}

// itemPath returns the path of a template into the item of the step; ok is false for other templates.
func (s Step) itemPath(template string) (elements []pathElement, ok bool, err error) {
	if s.ForEach == nil {
		return nil, false, nil
	}
	inner := strings.TrimSuffix(strings.TrimPrefix(template, "{{"), "}}")
	rest, found := strings.CutPrefix(inner, s.As)
	if !found || rest != "" && rest[0] != '.' && rest[0] != '[' {
		return nil, false, nil
	}
	elements, err = readPath(rest)
	return elements, true, err
}

func (s *Step) checkCallee() {
	var callees []string
	for _, one := range []struct{ key, value string }{{"tool", s.Tool}, {"python", s.Python}, {"code", s.Code}} {
		if one.value != "" {
			callees = append(callees, one.key)
		}
	}
	switch {
	case len(callees) == 0:
		s.addFault("the step calls nothing: add tool:, python: or code:")
	case len(callees) > 1:
		s.addFault("the step has %s; use only one of them", strings.Join(callees, " and "))
	case s.Tool == PythonTool:
		s.addFault("Python is not a tool: use python: with the path to a script, or code:")
	case s.Python != "":
		s.checkPath()
	}
}

// checkPath normalizes the path. Environment checks whether the script exists.
func (s *Step) checkPath() {
	clean := path.Clean(s.Python)
	if !fs.ValidPath(clean) || clean == "." || strings.ContainsAny(clean, `\:`) {
		s.addFault("python: %q is not a file path inside the skill folder, such as scripts/x.py", shorten(s.Python))
		return
	}
	s.Python = clean
}

// readArguments also reads arguments under the wrong key, to report problems inside them at the
// same time.
func (s *Step) readArguments(f *frontmatter.Fields) {
	right, wrong, what := "with", "input", "tool arguments"
	if s.IsPython() {
		right, wrong, what = "input", "with", "Python input"
	}
	s.With = f.Mapping(right)
	if misnamed := f.Mapping(wrong); misnamed != nil {
		s.addFault("put %s under %s:, not %s:", what, right, wrong)
		if s.With == nil {
			s.With = misnamed
		}
	}
}

// assignIDs gives each step a unique ID. If two have the same, the first keeps it.
func assignIDs(steps []Step) {
	owner := make(map[string]int, len(steps))
	for i := range steps {
		s := &steps[i]
		id := s.ID
		first, taken := owner[id]
		switch {
		case id == "":
			continue
		case !idForm().MatchString(id):
			s.addFault("invalid id %q: use 1 to 40 characters: a-z, 0-9, _ and -", shorten(id))
			s.ID = ""
		case taken:
			s.addFault("id %s is already used by step %d", id, first+1)
			s.ID = ""
		default:
			owner[id] = i
		}
	}
	for i := range steps {
		s := &steps[i]
		if s.ID != "" {
			continue
		}
		s.ID = fmt.Sprintf("step%d", i+1)
		for _, taken := owner[s.ID]; taken; _, taken = owner[s.ID] {
			s.ID += "_"
		}
		owner[s.ID] = i
	}
}
