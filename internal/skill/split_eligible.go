package skill

import (
	"slices"
	"strings"
)

// Exclusion is a skill that is not offered to the model, and why.
type Exclusion struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// SplitEligible separates the skills that the model may be offered from the others, both in the
// order given. Each excluded skill has all its reasons. With a nil hasTool every tool exists; with
// a nil disabled no skill is disabled.
func SplitEligible(skills []Skill, hasTool, disabled func(name string) bool) (eligible []Skill, excluded []Exclusion) {
	for _, s := range skills {
		var reasons []string
		if disabled != nil && disabled(s.Name) {
			reasons = append(reasons, "disabled; nfa skills enable "+s.Name+" brings it back")
		}
		if s.DisableModelInvocation {
			reasons = append(reasons, "only you may start it, as /"+s.Name+" (disable-model-invocation)")
		}
		if missing := MissingTools(s, hasTool); len(missing) > 0 {
			reasons = append(reasons, "needs tools that are not there: "+strings.Join(missing, ", "))
		}
		if len(reasons) == 0 {
			eligible = append(eligible, s)
			continue
		}
		excluded = append(excluded, Exclusion{Name: s.Name, Reason: strings.Join(reasons, "; ")})
	}
	return eligible, excluded
}

// MissingTools lists the tools that a skill requires and that are not there.
func MissingTools(s Skill, hasTool func(name string) bool) []string {
	if hasTool == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.ToolsRequired), hasTool)
}
