package skill

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/nfa-cli/nfa/internal/frontmatter"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

// isKnownField tells the fields of the open format and those of this program.
func isKnownField(key string) bool {
	switch key {
	case "name", "description", "license", "compatibility", "metadata", "allowed-tools":
		return true
	case "display_name", "version", "category", "tools_required", "parameters", "inputs", "steps",
		"argument-hint", "disable-model-invocation", "user-invocable", "disclaimer", "as_of", "max_age":
		return true
	}
	return false
}

// checkNodes refuses what YAML allows and the format does not: keys given twice
// at any depth, and tags, which change what a value is.
func (v *validator) checkNodes(n *yaml.Node) {
	if n.Style&yaml.TaggedStyle != 0 {
		v.add(n.Line, "", "the YAML tag %s is not accepted: write the value without it", n.Tag)
	}
	if n.Kind == yaml.MappingNode {
		seen := map[string]bool{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			// The first level is the parser's to refuse.
			if seen[key.Value] && key.Column > 1 {
				v.add(key.Line, "", "the key %q is given twice", key.Value)
			}
			seen[key.Value] = true
		}
	}
	for _, child := range n.Content {
		v.checkNodes(child)
	}
}

func (v *validator) checkUnexpected() {
	for _, key := range slices.Sorted(maps.Keys(v.fm.Values)) {
		if isKnownField(key) {
			continue
		}
		message := "unexpected field; what is your own belongs under metadata"
		if isKnownField(strings.ToLower(key)) {
			message = "unexpected field; keys are case-sensitive: write " + strings.ToLower(key)
		}
		v.problems = append(v.problems, Problem{Line: v.lineOf(key), Field: key, Message: message, Unexpected: true})
	}
}

func (v *validator) checkName() {
	name, ok := v.required("name")
	if !ok {
		return
	}
	name = CanonicalName(name)
	for _, problem := range nameProblems(name) {
		v.addAtField("name", "%s", problem)
	}
	if v.dirName != "" && CanonicalName(v.dirName) != name {
		v.addAtField("name", "the name is %q, its directory %q; they must be equal: write name: %[2]s, or rename the directory to %[1]s", name, v.dirName)
	}
}

// required gives the text of a field that must be there.
func (v *validator) required(key string) (string, bool) {
	_, present := v.fm.Values[key]
	f := frontmatter.Fields{Matter: v.fm}
	text := f.Text(key)
	switch {
	case !present:
		v.add(0, key, "the required field is missing")
	case len(f.Warnings) > 0:
		v.addAtField(key, "must be text")
	case text == "":
		v.addAtField(key, "must not be empty")
	}
	return text, text != ""
}

// checkText holds a field to a length. It counts as the reference does: every
// character, the line end of a block included.
func (v *validator) checkText(key string, limit int) {
	f := frontmatter.Fields{Matter: v.fm}
	text := f.Text(key)
	if key == "description" {
		v.required(key)
	} else if len(f.Warnings) > 0 {
		v.addAtField(key, "must be text")
	}
	if written, ok := v.fm.Values[key].(string); ok {
		text = written
	}
	if n := utf8.RuneCountInString(text); n > limit {
		v.addAtField(key, "has %d characters; %d are allowed", n, limit)
	}
}

// checkVisible looks for what a person cannot see and a terminal or a model does.
func (v *validator) checkVisible(key, text string) {
	i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && IsDeceptiveRune(r) })
	if i >= 0 {
		r, _ := utf8.DecodeRuneInString(text[i:])
		v.addAtField(key, "holds the invisible character %U", r)
	}
}

func (v *validator) checkAllowedTools() {
	items, _ := v.fm.Values["allowed-tools"].([]any)
	for _, item := range items {
		if _, ok := item.(string); !ok {
			v.addAtField("allowed-tools", "must be text or a list of texts; %v is neither", item)
		}
	}
}

// checkTypes reports the values that loading would pass over. The fields with
// rules of their own are kept out of its way.
func (v *validator) checkTypes() {
	values := maps.Clone(v.fm.Values)
	values["name"], values["description"] = "as-it-should-be", "as it should be"
	delete(values, "compatibility")
	s, err := FromFrontMatter(frontmatter.Matter{Values: values, Written: v.fm.Written})
	if err != nil {
		return
	}
	for _, warning := range s.Warnings {
		field, _, _ := strings.Cut(warning, " ")
		field, _, _ = strings.Cut(field, "[")
		if field == "parameter" {
			field = ParametersKey(v.fm)
		}
		v.addAtField(field, "%s", strings.TrimSuffix(warning, " and was ignored"))
	}
}

func (v *validator) parameters() []workflow.Parameter {
	f := frontmatter.Fields{Matter: v.fm}
	return workflow.ReadParameters(&f, ParametersKey(v.fm))
}

func (v *validator) checkParameters() {
	key := ParametersKey(v.fm)
	seen := map[string]bool{}
	for _, p := range v.parameters() {
		if !frontmatter.IsKey(p.Name) {
			v.addAtField(key, "%q is not a parameter's name: letters, digits, - and _", p.Name)
		}
		if seen[p.Name] {
			v.addAtField(key, "%s is declared twice", p.Name)
		}
		seen[p.Name] = true
		kind, known := p.Kind()
		if !known {
			v.addAtField(key, "%s has the unknown type %q", p.Name, p.Type)
		}
		if kind == workflow.KindEnum && len(p.Enum) == 0 {
			v.addAtField(key, "%s is an enum without values", p.Name)
		} else if p.Default != nil {
			if _, err := p.Read(fmt.Sprint(p.Default)); err != nil {
				v.addAtField(key, "the default of %s: %w", p.Name, err)
			}
		}
	}
}

// checkSteps blames each step at its own line.
func (v *validator) checkSteps() {
	f := frontmatter.Fields{Matter: v.fm}
	steps := workflow.ReadSteps(&f)
	lines := v.stepLines()
	for _, problem := range workflow.Check(steps, v.parameters(), v.environment) {
		line := v.lineOf("steps")
		i := slices.IndexFunc(steps, func(s workflow.Step) bool { return s.ID == problem.Step })
		if i >= 0 && i < len(lines) {
			line = lines[i]
		}
		v.add(line, "steps", "%s", problem)
	}
}

// stepLines gives the lines where the steps begin; none where YAML cannot read
// the front matter as it stands.
func (v *validator) stepLines() []int {
	root, err := frontmatter.Tree(v.src, v.line)
	if err != nil {
		return nil
	}
	var lines []int
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value != "steps" {
			continue
		}
		for _, item := range root.Content[i+1].Content {
			lines = append(lines, item.Line)
		}
	}
	return lines
}
