package skillset

import (
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
)

// Health is which skills can be used, and what keeps the others.
type Health struct {
	Usable   []string           `json:"usable"`
	Disabled []string           `json:"disabled"`
	LeftOut  []skill.Exclusion  `json:"left_out"`
	Skipped  []skill.Diagnostic `json:"skipped"`
	Warnings []skill.Diagnostic `json:"warnings"`
	Waiting  []install.Waiting  `json:"waiting"` // in the database, for the folder
}

// Health looks at every skill.
func (set *Set) Health() Health {
	// Never nil: JSON shows an empty list where there is nothing.
	health := Health{
		Usable: []string{}, Disabled: []string{}, LeftOut: []skill.Exclusion{},
		Skipped: []skill.Diagnostic{}, Warnings: []skill.Diagnostic{},
		Waiting: append([]install.Waiting{}, set.waiting...),
	}
	for _, s := range set.o.Registry.List() {
		health.Usable = append(health.Usable, s.Name)
		if set.o.State.Disabled(s.Name) {
			health.Disabled = append(health.Disabled, s.Name)
		}
		if why := set.CannotRun(s); why != "" {
			health.Warnings = append(health.Warnings, skill.Diagnostic{
				Path: s.Path, Name: s.Name, Source: s.Source, Reason: why, Severity: skill.Warning,
				Mend: "mend its steps; nfa skills validate gives their lines",
			})
		}
	}
	health.LeftOut = append(health.LeftOut, set.LeftOut()...)
	for _, d := range set.o.Registry.Diagnostics() {
		if d.Skipped() {
			health.Skipped = append(health.Skipped, d)
		} else {
			health.Warnings = append(health.Warnings, d)
		}
	}
	return health
}

// LeftOut gives the usable skills that the assistant is not offered.
func (set *Set) LeftOut() []skill.Exclusion {
	_, out := skill.Eligible(set.o.Registry.List(), set.HasTool, set.o.State.Disabled)
	return out
}

// CannotRun says why the steps of a skill cannot be run by those who answer, or "".
func (set *Set) CannotRun(s skill.Skill) string {
	if err := set.runnable(s); err != nil {
		return "its steps cannot be run: " + err.Error()
	}
	return ""
}

func (set *Set) runnable(s skill.Skill) error {
	if len(s.Steps) == 0 {
		return nil
	}
	return set.Workflows().Runnable(s, set.o.Tools())
}
