package screens

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/atomicfile"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/skill/library"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// create asks for the required fields of a new skill.
func (s Skills) create(string) (tui.ActionResult, error) {
	form := &tui.ActionForm{Title: "New skill", Fields: append(editableFields()[:3:3], replaceField("replace your skill with the same name, or override a built-in one"))}
	form.Fill = func(values map[string]string) (tui.ActionResult, error) {
		content, err := library.NewSkillText(values["name"], library.NewSkillOptions{Description: values["description"], Category: values["category"]})
		if err != nil {
			return retryForm(form, values, err)
		}
		done, err := s.App.Skills.Installer().Create(content, install.Options{Replace: isYes(values[fieldReplace])})
		if err != nil {
			return retryForm(form, values, err)
		}
		return installedOutcome("created", "press b to open it in your editor", done), nil
	}
	return tui.ActionResult{Ask: form}, nil
}

func (s Skills) clone(name string) (tui.ActionResult, error) {
	form := &tui.ActionForm{Title: "Clone " + name, Fields: []widget.FormField{
		{Name: fieldAs, Required: true, Value: "my-" + name, About: "name of your copy"},
	}}
	form.Fill = func(values map[string]string) (tui.ActionResult, error) {
		done, err := s.App.Skills.Installer().Clone(name, values[fieldAs])
		if err != nil {
			return retryForm(form, values, err)
		}
		return installedOutcome("cloned", "e changes its fields, press b to open it in your editor", done), nil
	}
	return tui.ActionResult{Ask: form}, nil
}

func (s Skills) remove(name string) (tui.ActionResult, error) {
	name = s.installedName(name)
	file, err := s.App.Skills.FindOwn(name)
	if err != nil {
		return tui.ActionResult{}, err
	}
	detail := []string{humanize.ShortPath(file)}
	if files, err := s.App.Skills.Registry.Resources(name); err == nil && len(files.Files) > 0 {
		detail = append(detail, fmt.Sprintf("and %s next to it", cli.CountNoun(len(files.Files)+files.Omitted, "file")))
	}
	return tui.ActionResult{Confirm: &tui.ConfirmRequest{
		Question: "Delete " + name + "? This cannot be undone.", Detail: detail,
		Yes: func() (tui.ActionResult, error) {
			if err := s.App.Skills.Installer().Delete(name); err != nil {
				return tui.ActionResult{}, s.App.Skills.ExplainError(err)
			}
			return tui.ActionResult{Message: "deleted " + name}, nil
		},
	}}, nil
}

func (s Skills) importSkills(string) (tui.ActionResult, error) {
	form := &tui.ActionForm{Title: "Import", Fields: []widget.FormField{
		{Name: fieldFile, Required: true, About: "a SKILL.md, a skill folder or a zip archive"},
		{Name: fieldAs, About: "new name of the skill"},
		replaceField("replace your skill with the same name, or override a built-in one"),
	}}
	form.Fill = func(values map[string]string) (tui.ActionResult, error) {
		report, err := s.App.Skills.Installer().Import(cli.ExpandHome(values[fieldFile]), install.Options{Rename: values[fieldAs], Replace: isYes(values[fieldReplace])})
		if err != nil {
			return retryForm(form, values, err)
		}
		return s.reportOutcome("imported", report), nil
	}
	return tui.ActionResult{Ask: form}, nil
}

// reportOutcome reports what was installed and, for a single skill, what it needs.
func (s Skills) reportOutcome(done string, report install.Report) tui.ActionResult {
	if len(report.Skills) == 1 {
		return installedOutcome(done, "", s.App.Skills.AddNeeds(report).Skills[0])
	}
	var names []string
	for _, one := range report.Skills {
		names = append(names, one.Name)
	}
	return tui.ActionResult{Message: done + " " + strings.Join(names, ", ")}
}

// allSkills chooses every skill of a repository.
const allSkills = "all"

// install asks for a repository, then for one of its skills if it has several, and shows their files
// before it installs them.
func (s Skills) install(string) (tui.ActionResult, error) {
	form := &tui.ActionForm{Title: "Install", Fields: []widget.FormField{
		{Name: fieldRepository, Required: true, About: "OWNER/REPO on github.com, a URL or a folder; @REF for a branch, tag or commit"},
		replaceField("replace your skill with the same name, or override a built-in one"),
	}}
	fetched, fetchedFrom := install.Fetched{}, ""
	form.Fill = func(values map[string]string) (tui.ActionResult, error) {
		if from := values[fieldRepository]; from != fetchedFrom {
			var err error
			if fetched, err = s.App.FetchSkills(context.Background(), cli.ExpandHome(from)); err != nil {
				return retryForm(form, values, err)
			}
			fetchedFrom, values[fieldSkill] = from, ""
		}
		names := fetched.Usable()
		switch chosen := values[fieldSkill]; {
		case len(names) == 0:
			return retryForm(form, values, errors.New("it has no usable skill"))
		case slices.Contains(names, chosen):
			names = []string{chosen}
		case len(names) > 1 && chosen != allSkills:
			next := *form
			next.Fields = append(slices.Clone(form.Fields), widget.FormField{
				Name: fieldSkill, Required: true, Value: names[0], Choices: append(names, allSkills), About: fmt.Sprintf("it has %d skills", len(names)),
			})
			return tui.ActionResult{Ask: &next}, nil
		}
		return tui.ActionResult{Confirm: &tui.ConfirmRequest{
			Question: fmt.Sprintf("Install %s at commit %.12s?", strings.Join(names, ", "), fetched.Commit), Detail: fetched.Describe(names),
			Yes: func() (tui.ActionResult, error) {
				report, err := s.App.Skills.Installer().Install(fetched, names, install.Options{Replace: isYes(values[fieldReplace])})
				if err != nil {
					return tui.ActionResult{}, s.App.Skills.ExplainError(err)
				}
				return s.reportOutcome("installed", report), nil
			},
		}}, nil
	}
	return tui.ActionResult{Ask: form}, nil
}

func (s Skills) exportSkill(name string) (tui.ActionResult, error) {
	form := &tui.ActionForm{Title: "Export " + name, Fields: []widget.FormField{
		{Name: fieldFile, Required: true, Value: name + ".zip", About: ".zip for the skill with its files, or .md for only the SKILL.md"},
		replaceField("replace an existing file"),
	}}
	form.Fill = func(values map[string]string) (tui.ActionResult, error) {
		file := cli.ExpandHome(values[fieldFile])
		markdownOnly := strings.EqualFold(filepath.Ext(file), ".md")
		if !markdownOnly && !strings.EqualFold(filepath.Ext(file), ".zip") {
			return retryForm(form, values, errors.New("name a file that ends in .zip or .md"))
		}
		packed, notes, err := s.App.Skills.Export([]string{name}, markdownOnly)
		if err == nil {
			err = atomicfile.Create(file, packed, 0o644, isYes(values[fieldReplace]))
		}
		if err != nil {
			return retryForm(form, values, err)
		}
		message := fmt.Sprintf("exported %s: %s", name, humanize.ShortPath(file))
		if len(notes) > 0 {
			message += "; left out: " + strings.Join(notes, ", ")
		}
		return tui.ActionResult{Message: message}, nil
	}
	return tui.ActionResult{Ask: form}, nil
}

func (s Skills) fix(name string) (tui.ActionResult, error) {
	file, err := s.App.Skills.FindOwn(s.installedName(name))
	if err != nil {
		return tui.ActionResult{}, err
	}
	_, changes, err := skill.FixFile(file)
	if err != nil {
		return tui.ActionResult{}, err
	}
	s.App.Skills.Registry.Rescan()
	if len(changes) == 0 {
		return tui.ActionResult{Message: "nothing to repair"}, nil
	}
	return tui.ActionResult{Message: "repaired: " + strings.Join(changes, "; "), Select: s.installedName(name)}, nil
}

// installedOutcome reports the result of an installation and selects the skill in the list.
func installedOutcome(done, next string, i install.Result) tui.ActionResult {
	lines := []string{done + " " + i.Name}
	if i.StoreNote != "" {
		lines = append(lines, "kept "+i.StoreNote)
	}
	if i.Hides != "" {
		lines = append(lines, fmt.Sprintf("overrides the %s skill with the same name", i.Hides))
	}
	for _, repair := range i.Repaired {
		lines = append(lines, "repaired: "+repair)
	}
	for _, warning := range i.Warnings {
		lines = append(lines, "! "+warning)
	}
	if len(i.LeftOut) > 0 {
		lines = append(lines, "left out: "+strings.Join(i.LeftOut, ", "))
	}
	if next != "" {
		lines = append(lines, next)
	}
	return tui.ActionResult{Message: strings.Join(lines, "; "), Select: i.Name}
}
