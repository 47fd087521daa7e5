package app

import (
	"fmt"
	"os"
	"strings"

	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/library"
)

// SkillCheck checks the skills that are available in the current folder.
type SkillCheck struct {
	Set      *library.Library
	Registry *skill.Registry
	Folders  []string // from the settings
}

// Findings reports how many skills were found, how many are eligible, how many the prompt lists,
// and why the others are not listed.
func (s SkillCheck) Findings() []Finding {
	counts := s.Set.Counts()
	found := []Finding{okFinding("skills", fmt.Sprintf("%d found, %d eligible, %d listed in the prompt", counts.Found, counts.Eligible, counts.Listed), "")}
	for _, dir := range s.Folders {
		if _, err := os.Stat(dir); err != nil {
			found = append(found, problemFinding("skills", "cannot read a folder in skills.paths: "+err.Error(), "create it, or remove it from the settings"))
		}
	}
	for _, w := range s.Set.Waiting() {
		found = append(found, noteFinding("skills", w.Name+" is in the database, not on disk: "+w.Reason, w.Fix))
	}
	if unlisted := s.Set.Unlisted(); len(unlisted) > 0 {
		found = append(found, okFinding("skills", fmt.Sprintf("%d are not listed in the prompt; the model can find them with a search: %s", len(unlisted), strings.Join(unlisted, ", ")), ""))
	}
	for _, e := range s.Set.Excluded() {
		found = append(found, okFinding("skills", e.Name+" is not listed in the prompt: "+e.Reason, ""))
	}
	for _, d := range s.Registry.Diagnostics() {
		f := noteFinding("skills", d.Path+": "+d.Reason, d.Fix)
		if d.Severity == skill.SeverityInfo {
			f.Status, f.Fix = StatusOK, ""
		}
		found = append(found, f)
	}
	return found
}

// CheckAgents reports problems of the agents, and whether the agent in the settings exists.
func CheckAgents(a *Agents) []Finding {
	var found []Finding
	for _, row := range a.Rows() {
		for _, warning := range row.Warnings {
			found = append(found, noteFinding("agents", row.Name+": "+warning, ""))
		}
		if row.Reason != "" {
			found = append(found, noteFinding("agents", row.Path+": "+row.Reason, row.Fix))
		}
	}
	if _, ok := a.Lookup(a.settings.Agent); !ok {
		found = append(found, problemFinding("agents", a.Unknown(a.settings.Agent).Error(), "choose another: nfa config set agent NAME"))
	}
	return found
}

// CheckPython reports the Python runtime for skills.
func CheckPython(s python.Status) Finding {
	if s.Reason != "" {
		return noteFinding("python", "Python steps cannot run: "+s.Reason, s.Fix)
	}
	return okFinding("python", "Python steps run with "+s.Runtime, "")
}
