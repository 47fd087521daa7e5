package doctor

import (
	"fmt"
	"os"

	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/shelves"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skillset"
)

// Skills are those of a home, as they can be used here and now.
type Skills struct {
	Set      *skillset.Set
	Registry *skill.Registry
	Disabled func(name string) bool
	Folders  []string // that the settings name
}

// Findings say how many are offered to the model, and of each other one why it is not.
func (s Skills) Findings() []Finding {
	in, out := skill.Eligible(s.Registry.List(), s.Set.HasTool, s.Disabled)
	found := []Finding{ok("skills", fmt.Sprintf("%d found, %d offered to the model", len(in)+len(out), len(in)), "")}
	for _, dir := range s.Folders {
		if _, err := os.Stat(dir); err != nil {
			found = append(found, problem("skills", "skills.paths names a folder that cannot be read: "+err.Error(), "make it, or take it out of the settings"))
		}
	}
	for _, w := range s.Set.Waiting() {
		found = append(found, note("skills", w.Name+" waits in the database: "+w.Reason, w.Mend))
	}
	for _, e := range out {
		found = append(found, ok("skills", e.Name+" is not offered to the model: "+e.Reason, ""))
	}
	for _, d := range s.Registry.Diagnostics() {
		f := note("skills", d.Path+": "+d.Reason, d.Mend)
		if d.Severity == skill.Info {
			f.Status, f.Mend = OK, ""
		}
		found = append(found, f)
	}
	return found
}

// Agents says what is odd about those who could answer, and whether the one that is set
// is among them.
func Agents(a shelves.Agents) []Finding {
	var found []Finding
	for _, row := range a.Rows() {
		for _, warning := range row.Warnings {
			found = append(found, note("agents", row.Name+": "+warning, ""))
		}
		if row.Reason != "" {
			found = append(found, note("agents", row.Path+": "+row.Reason, row.Mend))
		}
	}
	if _, known := a.Roster.Lookup(a.Default); !known {
		found = append(found, problem("agents", a.NoSuch(a.Default).Error(), "set agent to one of them"))
	}
	return found
}

// Python says what Python steps of skills would run with. Nothing else needs Python.
func Python(s python.Status) Finding {
	if s.Reason != "" {
		return note("python", "steps of skills in Python cannot run: "+s.Reason, s.Mend)
	}
	return ok("python", "steps of skills run with "+s.Runtime, "")
}
