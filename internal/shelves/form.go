package shelves

import (
	"errors"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/diskfile"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/form"
)

// Fields of the forms beside those of a SKILL.md.
const (
	fieldReplace = "replace"
	fieldAs      = "as"
	fieldFile    = "file"
)

// editable are the fields of a SKILL.md that a form changes; the rest is for the
// editor.
func editable() []form.Field {
	return []form.Field{
		{Name: "name", Required: true, About: "lower-case letters, digits and hyphens; it is typed after the slash"},
		{Name: "description", Required: true, About: "what it does and when to use it; the assistant chooses by it"},
		{Name: "category", About: "the group it is listed in"},
		{Name: "display_name", About: "what menus call it; made of the name when empty"},
		{Name: "argument-hint", About: "what to type after its name: <symbol> [range]"},
	}
}

// again shows a form once more, with what is wrong at the fields that it is wrong
// with. What belongs to no field is an error of the form.
func again(form *tui.Form, values map[string]string, err error) (tui.Outcome, error) {
	next := &tui.Form{Title: form.Title, Fill: form.Fill, Fields: slices.Clone(form.Fields)}
	for i := range next.Fields {
		next.Fields[i].Value = values[next.Fields[i].Name]
	}
	var invalid *install.InvalidError
	var taken *install.ConflictError
	found := false
	switch {
	case errors.As(err, &invalid):
		for _, p := range invalid.Problems {
			found = blame(next.Fields, p.Message, p.Field, "name", fieldAs) || found
		}
	case errors.As(err, &taken):
		found = blame(next.Fields, taken.Error(), "name", fieldAs, fieldFile)
	case errors.Is(err, diskfile.ErrThere):
		found = blame(next.Fields, "there is a file of that name", fieldFile)
	}
	if !found {
		return tui.Outcome{}, err
	}
	return tui.Outcome{Ask: next}, nil
}

// blame notes a problem at the first of the named fields that there is.
func blame(fields []form.Field, problem string, names ...string) bool {
	for _, name := range names {
		i := slices.IndexFunc(fields, func(f form.Field) bool { return f.Name == name })
		if i >= 0 {
			fields[i].Problem = strings.TrimPrefix(fields[i].Problem+"; "+problem, "; ")
			return true
		}
	}
	return false
}

// replacing asks whether what is in the way may go.
func replacing(about string) form.Field {
	return form.Field{Name: fieldReplace, Value: "no", Choices: []string{"no", "yes"}, About: about}
}

func yes(word string) bool { return word == "yes" }
