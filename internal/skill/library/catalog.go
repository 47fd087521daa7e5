package library

import (
	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tool/search"
	"github.com/nfa-cli/nfa/internal/tools/skills"
)

// Catalog is the list of skills that the current agent receives to choose from: a line for each
// skill, only names, or nothing, as the profile says. query holds words of the session, which
// help to choose when there are too many skills; it may be empty. Equal arguments give an equal
// list until Rescan, so that servers can keep the prompt in their cache.
func (lib *Library) Catalog(profile agent.RequestProfile, query string) string {
	if !profile.Skills {
		return ""
	}
	eligible := lib.eligible()
	return skill.Catalog(eligible, lib.catalogOptions(profile, query, eligible))
}

func (lib *Library) catalogOptions(profile agent.RequestProfile, query string, eligible []skill.Skill) skill.CatalogOptions {
	o := skill.CatalogOptions{NamesOnly: !profile.SkillLines, Uses: lib.usesAtStart()}
	if query != "" {
		for _, m := range skills.Search(eligible, query, len(eligible)) {
			o.Matches = append(o.Matches, m.Name)
		}
	}
	return o
}

// usesAtStart is how the skills were used when it was first asked for. A skill that is used in a
// session must not change the prompt of that session.
func (lib *Library) usesAtStart() map[string]skill.Use {
	if uses := lib.uses.Load(); uses != nil {
		return *uses
	}
	uses := lib.opts.State.Uses()
	lib.uses.Store(&uses)
	return uses
}

// eligible are the skills that the current agent may be offered.
func (lib *Library) eligible() []skill.Skill {
	eligible, _ := skill.SplitEligible(lib.opts.Registry.List(), lib.HasTool, lib.opts.State.Disabled)
	return eligible
}

// SearchDocuments describes the skills that the current agent may load, for find_tools.
func (lib *Library) SearchDocuments() []search.Document {
	eligible := lib.eligible()
	docs := make([]search.Document, len(eligible))
	for i, s := range eligible {
		docs[i] = skills.SearchDocument(s)
	}
	return docs
}

// Counts are how many skills there are, how many of them the current agent may load, and how
// many its catalogue lists.
type Counts struct {
	Found    int `json:"found"`
	Eligible int `json:"eligible"`
	Listed   int `json:"listed"`
}

// Counts counts the skills.
func (lib *Library) Counts() Counts {
	eligible := lib.eligible()
	counts := Counts{Found: len(lib.opts.Registry.List()), Eligible: len(eligible)}
	if profile := lib.opts.Agent.RequestProfile(); profile.Skills {
		counts.Listed = len(skill.Listed(eligible, lib.catalogOptions(profile, "", eligible)))
	}
	return counts
}
