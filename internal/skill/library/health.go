package library

import (
	"context"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
)

// Health lists usable skills, and problems of the others.
type Health struct {
	Counts
	Usable   []string               `json:"usable"`
	Unlisted []string               `json:"not_listed"` // the model finds them only with a search
	Disabled []string               `json:"disabled"`
	Excluded []skill.Exclusion      `json:"left_out"`
	Skipped  []skill.Diagnostic     `json:"skipped"`
	Warnings []skill.Diagnostic     `json:"warnings"`
	Waiting  []install.WaitingSkill `json:"waiting"` // in the database, waiting to move to the folder
}

// Health checks every skill.
func (lib *Library) Health() Health {
	// Empty lists, not nil, so that JSON has no null.
	health := Health{
		Counts: lib.Counts(),
		Usable: []string{}, Unlisted: lib.Unlisted(), Disabled: []string{}, Excluded: []skill.Exclusion{},
		Skipped: []skill.Diagnostic{}, Warnings: []skill.Diagnostic{},
		Waiting: append([]install.WaitingSkill{}, lib.waiting...),
	}
	for _, s := range lib.opts.Registry.List() {
		health.Usable = append(health.Usable, s.Name)
		if lib.opts.State.Disabled(s.Name) {
			health.Disabled = append(health.Disabled, s.Name)
		}
		if stale := s.StaleWarning(lib.opts.Now()); stale != "" {
			health.Warnings = append(health.Warnings, skill.Diagnostic{
				Path: s.Path, Name: s.Name, Source: s.Source, Reason: stale, Severity: skill.SeverityWarning,
				Fix: "update the facts and as_of",
			})
		}
		for _, note := range lib.needs(s) {
			health.Warnings = append(health.Warnings, skill.Diagnostic{
				Path: s.Path, Name: s.Name, Source: s.Source, Reason: note, Severity: skill.SeverityInfo,
				Fix: "no action needed if the skill works without it",
			})
		}
		if why := lib.RunProblem(s); why != "" {
			health.Warnings = append(health.Warnings, skill.Diagnostic{
				Path: s.Path, Name: s.Name, Source: s.Source, Reason: why, Severity: skill.SeverityWarning,
				Fix: "fix the steps; to find the lines, run: nfa skills validate",
			})
		}
	}
	health.Excluded = append(health.Excluded, lib.Excluded()...)
	for _, d := range lib.opts.Registry.Diagnostics() {
		if d.Skipped() {
			health.Skipped = append(health.Skipped, d)
		} else {
			health.Warnings = append(health.Warnings, d)
		}
	}
	return health
}

// needs returns what a skill asks for that is not available.
func (lib *Library) needs(s skill.Skill) []string {
	if s.Source == skill.SourceBuiltin {
		return nil // its text need not be read
	}
	content, err := lib.opts.Registry.Load(s.Name)
	if err != nil {
		return nil
	}
	if needs := lib.Workflows().Needs(context.Background(), content.Skill, content.Body).String(); needs != "" {
		return []string{needs}
	}
	return nil
}

// AddNeeds adds to a report of installed skills what they ask for that is not available.
func (lib *Library) AddNeeds(report install.Report) install.Report {
	for i, done := range report.Skills {
		if content, err := lib.opts.Registry.Load(done.Name); err == nil {
			report.Skills[i].Warnings = append(done.Warnings, lib.Workflows().Notes(context.Background(), content)...)
		}
	}
	return report
}

// Excluded returns the usable skills that are not offered to the assistant.
func (lib *Library) Excluded() []skill.Exclusion {
	_, excluded := skill.SplitEligible(lib.opts.Registry.List(), lib.HasTool, lib.opts.State.Disabled)
	return excluded
}

// RunProblem returns why the steps of a skill cannot be run by the current agent, or "".
func (lib *Library) RunProblem(s skill.Skill) string {
	if err := lib.checkRunnable(s); err != nil {
		return "cannot run its steps: " + err.Error()
	}
	return ""
}

func (lib *Library) checkRunnable(s skill.Skill) error {
	if len(s.Steps) == 0 {
		return nil
	}
	return lib.Workflows().Runnable(s, lib.opts.Agent.Tools())
}
