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

// maxSteps is the most steps of a workflow.
const maxSteps = 50

var idForm = lazyregexp.New(`^[a-z0-9_-]{1,40}$`)

// ReadSteps reads the steps that front matter declares. A step with a mistake in
// it is there all the same, and says so in its Fault: the skill is still one that
// can be shown, read and mended. Every step has an ID of its own.
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
		steps[maxSteps].addFault("it is one of %d steps; a workflow has at most %d", count, maxSteps)
	}
	return steps
}

// addFault adds a fault to those the step has.
func (s *Step) addFault(format string, args ...any) {
	if s.Fault != "" {
		s.Fault += "; "
	}
	s.Fault += fmt.Sprintf(format, args...)
}

func readStep(item any) Step {
	values, ok := item.(map[string]any)
	if !ok {
		return Step{Fault: "it is not a map with tool:, python: or code:"}
	}
	f := frontmatter.Fields{Matter: frontmatter.Matter{Values: values}}
	s := Step{ID: f.Text("id"), Tool: f.Text("tool"), Python: f.Text("python"), Code: f.Text("code")}
	// Blanks at the start of a line mean something in Python.
	if written, ok := values["code"].(string); ok && s.Code != "" {
		s.Code = written
	}
	title := f.Text("title")
	s.About = f.TextOr("description", title)
	s.checkCallee()
	s.readArguments(&f)
	for _, warning := range f.Warnings {
		s.addFault("%s", strings.TrimSuffix(warning, " and was ignored"))
	}
	// An if: or a retry: passed over would run something else than was written.
	for _, key := range slices.Sorted(maps.Keys(f.Unread())) {
		s.addFault("unknown key %q; a step has id, tool with with, python or code with input, description", shorten(key))
	}
	return s
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
		s.addFault("it calls nothing: give it tool:, python: or code:")
	case len(callees) > 1:
		s.addFault("it has %s; a step has one of them", strings.Join(callees, " and "))
	case s.Tool == PythonTool:
		s.addFault("Python is no tool here: write python: with the path of a script, or code:")
	case s.Python != "":
		s.checkPath()
	}
}

// checkPath gives the path one spelling. Whether the script exists is checked by Environment.
func (s *Step) checkPath() {
	clean := path.Clean(s.Python)
	if !fs.ValidPath(clean) || clean == "." || strings.ContainsAny(clean, `\:`) {
		s.addFault("python: %q is not the path of a file below the skill's directory, such as scripts/x.py", shorten(s.Python))
		return
	}
	s.Python = clean
}

// readArguments takes them under the wrong name too, so that what is wrong
// inside them is found at the same time.
func (s *Step) readArguments(f *frontmatter.Fields) {
	right, wrong, what := "with", "input", "what a tool takes"
	if s.IsPython() {
		right, wrong, what = "input", "with", "what Python takes"
	}
	s.With = f.Mapping(right)
	if misnamed := f.Mapping(wrong); misnamed != nil {
		s.addFault("%s goes under %s:, not %s:", what, right, wrong)
		if s.With == nil {
			s.With = misnamed
		}
	}
	if key := misreadKey(s.With); key != "" {
		s.addFault("the name %s: YAML reads y, yes, on as true, n, no, off as false, ~ as nothing; put it in quotes", key)
	}
}

// misreadKey finds a name that YAML took for something else. An argument n would
// arrive as one called false.
func misreadKey(v any) string {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if key == "true" || key == "false" || key == "<nil>" {
				return key
			}
			if inner := misreadKey(v[key]); inner != "" {
				return inner
			}
		}
	case []any:
		for _, item := range v {
			if inner := misreadKey(item); inner != "" {
				return inner
			}
		}
	}
	return ""
}

// assignIDs gives each step an ID that no other has. Of two that claim one, the
// first keeps it.
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
			s.addFault("the id %q is not 1 to 40 of a-z, 0-9, _ and -", shorten(id))
			s.ID = ""
		case taken:
			s.addFault("the id %s is that of step %d already", id, first+1)
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
