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

// isKnownField reports whether a field belongs to the open format or to nfa.
func isKnownField(key string) bool {
	switch key {
	case "name", "description", "license", "compatibility", "metadata", "allowed-tools":
		return true
	case "display_name", "version", "category", "tools_required", "parameters", "inputs", "steps",
		"argument-hint", "disable-model-invocation", "user-invocable", "disclaimer", "as_of", "max_age", "context", "agent", "model":
		return true
	}
	return false
}

// checkNodes rejects YAML that the format does not allow: duplicate keys at any depth, and tags,
// which change the type of a value.
func (v *validator) checkNodes(n *yaml.Node) {
	if n.Style&yaml.TaggedStyle != 0 {
		v.add(n.Line, "", "YAML tag %s is not allowed: write the value without it", n.Tag)
	}
	if n.Kind == yaml.MappingNode {
		seen := map[string]bool{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			// The parser rejects duplicates on the first level.
			if seen[key.Value] && key.Column > 1 {
				v.add(key.Line, "", "key %q appears twice", key.Value)
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
		if message := v.unexpected(key); message != "" {
			v.problems = append(v.problems, Problem{Line: v.lineOf(key), Field: key, Message: message, Unexpected: true})
		}
	}
}

// unexpected returns why a field has no effect, or "" if it has one.
func (v *validator) unexpected(key string) string {
	forks := v.fm.Values["context"] == contextFork && v.fm.Values["steps"] == nil
	switch key {
	case "context", "agent", "model":
		switch {
		case forks:
			return ""
		case key == "context":
			return "has no effect in nfa, except context: fork in a skill without steps"
		}
		return "has no effect in nfa without context: fork"
	case "hooks", "effort", "tools", "disallowed-tools", "when_to_use", "triggers", "globs", "paths", "color", "dependencies", "requires":
		return "unexpected field; it has no effect in nfa"
	}
	switch {
	case isKnownField(key):
		return ""
	case isKnownField(strings.ToLower(key)):
		return "unexpected field; keys are case-sensitive: write " + strings.ToLower(key)
	}
	return "unexpected field; put custom fields under metadata"
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
		v.addAtField("name", "the name is %q, but the folder is named %q; they must be equal: write name: %[2]s, or rename the folder to %[1]s", name, v.dirName)
	}
}

// required returns the text of a required field.
func (v *validator) required(key string) (string, bool) {
	_, present := v.fm.Values[key]
	f := frontmatter.Fields{Matter: v.fm}
	text := f.Text(key)
	switch {
	case !present:
		v.add(0, key, "required field is missing")
	case len(f.Warnings) > 0:
		v.addAtField(key, "must be text")
	case text == "":
		v.addAtField(key, "must not be empty")
	}
	return text, text != ""
}

// checkText limits the length of a field. Like the reference implementation, it counts every
// character, including the newline of a block.
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
		v.addAtField(key, "has %d characters; use at most %d", n, limit)
	}
}

// checkVisible finds characters that a person cannot see but a terminal or model reads.
func (v *validator) checkVisible(key, text string) {
	i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && IsDeceptiveRune(r) })
	if i >= 0 {
		r, _ := utf8.DecodeRuneInString(text[i:])
		v.addAtField(key, "contains the invisible character %U", r)
	}
}

func (v *validator) checkAllowedTools() {
	items, _ := v.fm.Values["allowed-tools"].([]any)
	for _, item := range items {
		if _, ok := item.(string); !ok {
			v.addAtField("allowed-tools", "must be text or a list of text items, not %v", item)
		}
	}
}

// checkTypes reports values that loading would ignore, except fields with their own rules.
func (v *validator) checkTypes() {
	values := maps.Clone(v.fm.Values)
	values["name"], values["description"] = "as-it-should-be", "as required"
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
			v.addAtField(key, "invalid parameter name %q: use letters, digits, - and _", p.Name)
		}
		if seen[p.Name] {
			v.addAtField(key, "%s is declared twice", p.Name)
		}
		seen[p.Name] = true
		kind, _ := p.Kind()
		if kind == workflow.KindEnum && len(p.Enum) == 0 {
			v.addAtField(key, "%s is an enum without values", p.Name)
		} else if p.Default != nil {
			if _, err := p.Read(fmt.Sprint(p.Default)); err != nil {
				v.addAtField(key, "the default of %s: %w", p.Name, err)
			}
		}
	}
}

// checkSteps reports each step at its own line.
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

// stepLines returns the lines where the steps begin, or none if the front matter is not valid YAML.
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
