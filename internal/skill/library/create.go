package library

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
	"github.com/nfa-cli/nfa/internal/tools/skills"
)

// DraftSkill checks a skill that a model wrote: its format, its steps, its name, and its evaluations.
func (lib *Library) DraftSkill(ctx context.Context, n skills.NewSkill) (skills.SkillDraft, error) {
	content := []byte(n.Text)
	s, _, err := skill.Parse(content)
	if err != nil {
		return skills.SkillDraft{}, fmt.Errorf("skill_md: %w", err)
	}
	var problems []string
	for _, p := range skill.ValidateContentWith(content, s.Name, lib.environmentFor(false)(s)) {
		problems = append(problems, "skill_md: "+p.String())
	}
	if slices.ContainsFunc(s.Steps, workflow.Step.IsPython) {
		problems = append(problems, "skill_md: steps must not contain Python; the user can add scripts in an editor")
	}
	for _, name := range skill.MissingTools(s, lib.HasTool) {
		problems = append(problems, "skill_md: tools_required: no tool named "+name)
	}
	d := skills.SkillDraft{NewSkill: n, Name: s.Name, Path: filepath.Join(lib.opts.Dir, s.Name, skill.FileName)}
	files := map[string][]byte{skill.FileName: content, skill.EvalsFile: []byte(n.Evals)}
	existing, taken := lib.opts.Registry.Lookup(s.Name)
	_, notOwn := lib.FindOwn(s.Name)
	switch {
	case taken && notOwn != nil:
		problems = append(problems, fmt.Sprintf("skill_md: name: %s is a %s skill; choose another name", s.Name, existing.Source))
	case taken && !n.Replace:
		problems = append(problems, fmt.Sprintf("skill_md: name: the user already has a skill %s; choose another name, or set replace if the user asked for it", s.Name))
	case taken:
		d.Exists = true
		if lib.hasOtherFiles(s.Name) {
			problems = append(problems, fmt.Sprintf("the skill %s has other files, which would be lost; the user can edit it with: nfa skills edit %[1]s", s.Name))
		}
	}
	if len(problems) > 0 {
		return skills.SkillDraft{}, errors.New(strings.Join(problems, "; "))
	}
	passed, failures, err := lib.opts.TestDraft(ctx, s.Name, files)
	switch {
	case err != nil:
		return skills.SkillDraft{}, err
	case len(failures) > 0:
		return skills.SkillDraft{}, fmt.Errorf("evals: %s", strings.Join(failures, "; "))
	case passed == 0:
		return skills.SkillDraft{}, errors.New("evals: at least one case is required")
	}
	d.Passed = passed
	if d.Exists {
		d.Changes, err = lib.Installer().Diff(s.Name, files)
		return d, err
	}
	for _, name := range []string{skill.FileName, skill.EvalsFile} {
		d.Changes = append(d.Changes, name+":")
		for line := range strings.Lines(string(files[name])) {
			d.Changes = append(d.Changes, "+"+strings.TrimRight(line, "\r\n"))
		}
	}
	return d, nil
}

// hasOtherFiles reports whether a skill has more files than its SKILL.md and its evaluations.
func (lib *Library) hasOtherFiles(name string) bool {
	resources, err := lib.opts.Registry.Resources(name)
	return err != nil || slices.ContainsFunc(resources.Files, func(f skill.Resource) bool { return f.Path != skill.EvalsFile })
}

// CreateSkill creates a drafted skill.
func (lib *Library) CreateSkill(d skills.SkillDraft) (path string, notes []string, err error) {
	done, err := lib.Installer().CreateWithEvals([]byte(d.Text), []byte(d.Evals), install.Options{Replace: d.Replace})
	if err != nil {
		return "", nil, lib.ExplainError(err)
	}
	if done.StoreNote != "" {
		notes = append(notes, "kept "+done.StoreNote)
	}
	if len(done.LeftOut) > 0 {
		notes = append(notes, "left out: "+strings.Join(done.LeftOut, ", "))
	}
	return done.Path, notes, nil
}
