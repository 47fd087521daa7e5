package shelves

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/diskfile"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/skill/lint"
	"github.com/nfa-cli/nfa/internal/skillset"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/form"
)

// create asks for what a new skill cannot do without.
func (s Skills) create(string) (tui.Outcome, error) {
	form := &tui.Form{Title: "New skill", Fields: append(editable()[:3:3], replacing("put it in the place of yours of that name, or hide another's"))}
	form.Fill = func(values map[string]string) (tui.Outcome, error) {
		content, err := skillset.Begin(values["name"], skillset.Fields{Description: values["description"], Category: values["category"]})
		if err != nil {
			return again(form, values, err)
		}
		done, err := s.Set.Installer().Create(content, install.Options{Replace: yes(values[fieldReplace])})
		if err != nil {
			return again(form, values, err)
		}
		return installed("created", "b opens it in your editor", done), nil
	}
	return tui.Outcome{Ask: form}, nil
}

func (s Skills) clone(name string) (tui.Outcome, error) {
	form := &tui.Form{Title: "Clone " + name, Fields: []form.Field{
		{Name: fieldAs, Required: true, Value: "my-" + name, About: "the name of the copy, which is yours to change"},
	}}
	form.Fill = func(values map[string]string) (tui.Outcome, error) {
		done, err := s.Set.Installer().Clone(name, values[fieldAs])
		if err != nil {
			return again(form, values, err)
		}
		return installed("cloned", "e changes its fields, b opens it in your editor", done), nil
	}
	return tui.Outcome{Ask: form}, nil
}

func (s Skills) remove(name string) (tui.Outcome, error) {
	name = s.known(name)
	file, err := s.Set.Own(name)
	if err != nil {
		return tui.Outcome{}, err
	}
	detail := []string{console.Path(file)}
	if files, err := s.Registry.Resources(name); err == nil && len(files.Files) > 0 {
		detail = append(detail, fmt.Sprintf("and %s beside it", console.Count(len(files.Files)+files.Omitted, "file")))
	}
	return tui.Outcome{Confirm: &tui.Confirm{
		Question: "Delete " + name + "? This cannot be undone.", Detail: detail,
		Yes: func() (tui.Outcome, error) {
			if err := s.Set.Installer().Delete(name); err != nil {
				return tui.Outcome{}, s.Set.Explained(err)
			}
			return tui.Outcome{Said: "deleted " + name}, nil
		},
	}}, nil
}

func (s Skills) takeIn(string) (tui.Outcome, error) {
	form := &tui.Form{Title: "Import", Fields: []form.Field{
		{Name: fieldFile, Required: true, About: "a SKILL.md, a skill's folder, or a zip archive of skills"},
		{Name: fieldAs, About: "take it in under this name"},
		replacing("put it in the place of yours of that name, or hide another's"),
	}}
	form.Fill = func(values map[string]string) (tui.Outcome, error) {
		report, err := s.Set.Installer().Import(console.Expand(values[fieldFile]), install.Options{Rename: values[fieldAs], Replace: yes(values[fieldReplace])})
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

func (s Skills) giveOut(name string) (tui.Outcome, error) {
	form := &tui.Form{Title: "Export " + name, Fields: []form.Field{
		{Name: fieldFile, Required: true, Value: name + ".zip", About: "a .zip for the skill with its files, or a .md for its SKILL.md alone"},
		replacing("write over a file that is there"),
	}}
	form.Fill = func(values map[string]string) (tui.Outcome, error) {
		file := console.Expand(values[fieldFile])
		alone := strings.EqualFold(filepath.Ext(file), ".md")
		if !alone && !strings.EqualFold(filepath.Ext(file), ".zip") {
			return again(form, values, errors.New("name a file that ends in .zip or .md"))
		}
		packed, notes, err := s.Set.Exported([]string{name}, alone)
		if err == nil {
			err = diskfile.Create(file, packed, 0o644, yes(values[fieldReplace]))
		}
		if err != nil {
			return again(form, values, err)
		}
		said := fmt.Sprintf("exported %s: %s", name, console.Path(file))
		if len(notes) > 0 {
			said += "; left out: " + strings.Join(notes, ", ")
		}
		return tui.Outcome{Said: said}, nil
	}
	return tui.Outcome{Ask: form}, nil
}

func (s Skills) fix(name string) (tui.Outcome, error) {
	file, err := s.Set.Own(s.known(name))
	if err != nil {
		return tui.Outcome{}, err
	}
	_, changes, err := lint.Fix(file)
	if err != nil {
		return tui.Outcome{}, err
	}
	s.Registry.Rescan()
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
