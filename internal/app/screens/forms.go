package screens

import (
	"errors"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/atomicfile"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// The names of form fields that are not fields of a SKILL.md.
const (
	fieldReplace = "replace"
	fieldAs      = "as"
	fieldFile    = "file"
	fieldKey     = "key"

	fieldRepository = "repository"
	fieldSkill      = "skill"
)

// editableFields returns the fields of a SKILL.md that a form can change. Other fields need the
// editor.
func editableFields() []widget.FormField {
	return []widget.FormField{
		{Name: "name", Required: true, About: "lower-case letters, digits and hyphens; you type it after the slash"},
		{Name: "description", Required: true, About: "what it does and when to use it; the model uses this to choose skills"},
		{Name: "category", About: "category in the list"},
		{Name: "display_name", About: "title in menus (default from the name)"},
		{Name: "argument-hint", About: "arguments, such as <symbol> [range]"},
		{Name: "version", About: "such as 1.1"},
		{Name: "tools_required", About: "required tools, separated by commas: quote, price_history"},
		{Name: "parameters", About: "a list: [{name: symbol, type: symbol, required: true}]"},
	}
}

// retryForm shows a form again with each problem next to its field. Other problems become the error
// of the form.
func retryForm(form *tui.ActionForm, values map[string]string, err error) (tui.ActionResult, error) {
	next := &tui.ActionForm{Title: form.Title, Fill: form.Fill, Fields: slices.Clone(form.Fields)}
	for i := range next.Fields {
		next.Fields[i].Value = values[next.Fields[i].Name]
	}
	var invalid *install.InvalidError
	var conflict *install.ConflictError
	found := false
	switch {
	case errors.As(err, &invalid):
		for _, p := range invalid.Problems {
			found = addFieldProblem(next.Fields, p.Message, p.Field, "name", fieldAs) || found
		}
	case errors.As(err, &conflict):
		found = addFieldProblem(next.Fields, conflict.Error(), "name", fieldAs, fieldFile)
	case errors.Is(err, atomicfile.ErrExists):
		found = addFieldProblem(next.Fields, "a file with this name already exists", fieldFile)
	}
	if !found {
		return tui.ActionResult{}, err
	}
	return tui.ActionResult{Ask: next}, nil
}

// addFieldProblem attaches a problem to the first of the named fields that exists.
func addFieldProblem(fields []widget.FormField, problem string, names ...string) bool {
	for _, name := range names {
		i := slices.IndexFunc(fields, func(f widget.FormField) bool { return f.Name == name })
		if i >= 0 {
			fields[i].Problem = strings.TrimPrefix(fields[i].Problem+"; "+problem, "; ")
			return true
		}
	}
	return false
}

// replaceField returns the field that asks whether an existing file may be replaced.
func replaceField(about string) widget.FormField {
	return widget.FormField{Name: fieldReplace, Value: "no", Choices: []string{"no", "yes"}, About: about}
}

func isYes(word string) bool { return word == "yes" }
