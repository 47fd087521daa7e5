package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/nfa-cli/nfa/internal/frontmatter"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/skill/lint"
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

// create asks for what a new skill cannot do without.
func (s skillShelf) create(string) (tui.Outcome, error) {
	form := &tui.Form{Title: "New skill", Fields: append(editable()[:3:3], replacing("put it in the place of yours of that name, or hide another's"))}
	form.Fill = func(values map[string]string) (tui.Outcome, error) {
		f := fieldsFlags{description: values["description"], category: values["category"]}
		content, err := f.content(values["name"])
		if err != nil {
			return again(form, values, err)
		}
		done, err := s.installer().Create(content, install.Options{Replace: yes(values[fieldReplace])})
		if err != nil {
			return again(form, values, err)
		}
		return installed("created", "b opens it in your editor", done), nil
	}
	return tui.Outcome{Ask: form}, nil
}

// editFields asks for the fields of a skill as they stand, and writes those that
// were changed.
func (s skillShelf) editFields(name string) (tui.Outcome, error) {
	content, err := s.skills.Load(name)
	if err != nil {
		return tui.Outcome{}, err
	}
	d, err := frontmatter.Open([]byte(content.Text))
	if err != nil {
		return tui.Outcome{}, err
	}
	form := &tui.Form{Title: "Edit " + name, Fields: editable()}
	was := map[string]string{}
	for i, field := range form.Fields {
		was[field.Name], _, err = d.Text(field.Name)
		if err != nil {
			return tui.Outcome{}, err
		}
		form.Fields[i].Value = was[field.Name]
	}
	form.Fill = func(values map[string]string) (tui.Outcome, error) {
		text, err := withFields([]byte(content.Text), was, values)
		if err != nil {
			return again(form, values, err)
		}
		done, err := s.putText(name, content.Text, text)
		if err != nil {
			return again(form, values, err)
		}
		return installed("wrote", "", done), nil
	}
	return tui.Outcome{Ask: form}, nil
}

// withFields is a SKILL.md with the fields set that are not as they were.
func withFields(text []byte, was, values map[string]string) ([]byte, error) {
	for _, field := range editable() {
		value := values[field.Name]
		if value == was[field.Name] {
			continue
		}
		var err error
		if text, err = frontmatter.SetField(text, field.Name, value); err != nil {
			return nil, fmt.Errorf("setting %s: %w", field.Name, err)
		}
	}
	return text, nil
}

// putText puts a text in the place of the one that was being edited.
func (s skillShelf) putText(name, before string, after []byte) (install.Installed, error) {
	now, err := s.skills.Load(name)
	if err != nil {
		return install.Installed{}, err
	}
	if now.Text != before {
		return install.Installed{}, fmt.Errorf("%s was changed meanwhile: close the form and open it again", name)
	}
	done, err := s.installer().Write(name, after)
	return done, s.explained(err)
}

// textEditor lets the user's editor have SKILL.md files for as long as the shelf is
// open, and remembers the texts that were not valid: they are gone on with.
type textEditor struct {
	skillShelf
	mu   sync.Mutex
	kept map[string]draft // by skill
}

func newTextEditor(s skillShelf) *textEditor {
	return &textEditor{skillShelf: s, kept: map[string]draft{}}
}

// edit lets the user's editor have a copy, which takes the place of the SKILL.md
// when it is valid.
func (t *textEditor) edit(name string) (tui.Outcome, error) {
	d, err := t.draftOf(t.known(name))
	if err != nil {
		return tui.Outcome{}, err
	}
	cmd, err := t.g.editorFor(d.copy)
	if err != nil {
		return tui.Outcome{}, err
	}
	return tui.Outcome{Exec: &tui.Exec{Cmd: cmd, Then: func(editErr error) (tui.Outcome, error) {
		done, changed, err := d.finish(t.house, editErr)
		t.remember(d, err)
		var kept *keptError
		switch {
		case errors.As(err, &kept):
			return tui.Outcome{}, fmt.Errorf("b opens your text again: %w (kept in %s)", kept.err, shortPath(d.copy))
		case err != nil:
			return tui.Outcome{}, err
		case !changed:
			return tui.Outcome{Said: d.name + " is as it was"}, nil
		}
		return installed("wrote", "", done), nil
	}}}, nil
}

// draftOf is the text that was kept of a skill, else a fresh copy.
func (t *textEditor) draftOf(name string) (draft, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if d, ok := t.kept[name]; ok && d.stands(t.house) {
		return d, nil
	}
	d, err := t.openDraft(name)
	if err == nil {
		// Also one whose editor does not start.
		t.kept[name] = d
	}
	return d, err
}

// remember keeps a draft in mind while its text is not in its place.
func (t *textEditor) remember(d draft, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var kept *keptError
	if !errors.As(err, &kept) {
		delete(t.kept, d.name)
	}
}

func (s skillShelf) clone(name string) (tui.Outcome, error) {
	form := &tui.Form{Title: "Clone " + name, Fields: []form.Field{
		{Name: fieldAs, Required: true, Value: "my-" + name, About: "the name of the copy, which is yours to change"},
	}}
	form.Fill = func(values map[string]string) (tui.Outcome, error) {
		done, err := s.installer().Clone(name, values[fieldAs])
		if err != nil {
			return again(form, values, err)
		}
		return installed("cloned", "e changes its fields, b opens it in your editor", done), nil
	}
	return tui.Outcome{Ask: form}, nil
}

func (s skillShelf) remove(name string) (tui.Outcome, error) {
	name = s.known(name)
	file, err := s.ownSkill(name)
	if err != nil {
		return tui.Outcome{}, err
	}
	detail := []string{shortPath(file)}
	if files, err := s.skills.Resources(name); err == nil && len(files.Files) > 0 {
		detail = append(detail, fmt.Sprintf("and %s beside it", count(len(files.Files)+files.Omitted, "file")))
	}
	return tui.Outcome{Confirm: &tui.Confirm{
		Question: "Delete " + name + "? This cannot be undone.", Detail: detail,
		Yes: func() (tui.Outcome, error) {
			if err := s.installer().Delete(name); err != nil {
				return tui.Outcome{}, s.explained(err)
			}
			return tui.Outcome{Said: "deleted " + name}, nil
		},
	}}, nil
}

func (s skillShelf) takeIn(string) (tui.Outcome, error) {
	form := &tui.Form{Title: "Import", Fields: []form.Field{
		{Name: fieldFile, Required: true, About: "a SKILL.md, a skill's folder, or a zip archive of skills"},
		{Name: fieldAs, About: "take it in under this name"},
		replacing("put it in the place of yours of that name, or hide another's"),
	}}
	form.Fill = func(values map[string]string) (tui.Outcome, error) {
		report, err := s.installer().Import(expandHome(values[fieldFile]), install.Options{Rename: values[fieldAs], Replace: yes(values[fieldReplace])})
		if err != nil {
			return again(form, values, err)
		}
		if len(report.Skills) == 1 {
			return installed("imported", "", report.Skills[0]), nil
		}
		var names []string
		for _, done := range report.Skills {
			names = append(names, done.Name)
		}
		return tui.Outcome{Said: "imported " + strings.Join(names, ", ")}, nil
	}
	return tui.Outcome{Ask: form}, nil
}

func (s skillShelf) giveOut(name string) (tui.Outcome, error) {
	form := &tui.Form{Title: "Export " + name, Fields: []form.Field{
		{Name: fieldFile, Required: true, Value: name + ".zip", About: "a .zip for the skill with its files, or a .md for its SKILL.md alone"},
		replacing("write over a file that is there"),
	}}
	form.Fill = func(values map[string]string) (tui.Outcome, error) {
		file := expandHome(values[fieldFile])
		alone := strings.EqualFold(filepath.Ext(file), ".md")
		if !alone && !strings.EqualFold(filepath.Ext(file), ".zip") {
			return again(form, values, errors.New("name a file that ends in .zip or .md"))
		}
		packed, notes, err := s.exported([]string{name}, alone)
		if err == nil {
			err = writeNew(file, packed, yes(values[fieldReplace]))
		}
		if err != nil {
			return again(form, values, err)
		}
		said := fmt.Sprintf("exported %s: %s", name, shortPath(file))
		if len(notes) > 0 {
			said += "; left out: " + strings.Join(notes, ", ")
		}
		return tui.Outcome{Said: said}, nil
	}
	return tui.Outcome{Ask: form}, nil
}

func (s skillShelf) fix(name string) (tui.Outcome, error) {
	file, err := s.ownSkill(s.known(name))
	if err != nil {
		return tui.Outcome{}, err
	}
	_, changes, err := lint.Fix(file)
	if err != nil {
		return tui.Outcome{}, err
	}
	s.skills.Rescan()
	if len(changes) == 0 {
		return tui.Outcome{Said: "nothing to repair"}, nil
	}
	return tui.Outcome{Said: "repaired: " + strings.Join(changes, "; "), Select: s.known(name)}, nil
}

// installed says in a line what became of a skill, and stands on it.
func installed(done, next string, i install.Installed) tui.Outcome {
	said := []string{done + " " + i.Name}
	if i.Kept != "" {
		said = append(said, "kept "+i.Kept)
	}
	if i.Hides != "" {
		said = append(said, fmt.Sprintf("it hides the %s skill of that name", i.Hides))
	}
	for _, repair := range i.Repaired {
		said = append(said, "repaired: "+repair)
	}
	for _, warning := range i.Warnings {
		said = append(said, "! "+warning)
	}
	if len(i.LeftOut) > 0 {
		said = append(said, "left out: "+strings.Join(i.LeftOut, ", "))
	}
	if next != "" {
		said = append(said, next)
	}
	return tui.Outcome{Said: strings.Join(said, "; "), Select: i.Name}
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
	case errors.Is(err, errThere):
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

// expandHome takes ~/x for a path in the user's home, as shells do.
func expandHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	return path
}
