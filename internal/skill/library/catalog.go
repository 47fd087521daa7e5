package library

import (
	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/tool/search"
	"github.com/nfa-cli/nfa/internal/tools/skills"
)

// Catalog returns the list of skills for the current agent: a line per skill, only names, or
// nothing, depending on the profile. query has words of the session, which help to choose if there
// are too many skills; it may be empty. Equal arguments give an equal list until Rescan, so that
// providers can cache the prompt.
func (lib *Library) Catalog(profile agent.RequestProfile, query string) string {
	if !profile.Skills {
		return ""
	}
	eligible := lib.eligible()
	return skill.Catalog(eligible, lib.catalogOptions(profile, query, eligible))
}

func (lib *Library) catalogOptions(profile agent.RequestProfile, query string, eligible []skill.Skill) skill.CatalogOptions {
	o := skill.CatalogOptions{NamesOnly: !profile.SkillLines, Uses: lib.ranksAtStart().uses, Imported: lib.ranksAtStart().imported}
	if query != "" {
		for _, m := range skills.Search(eligible, query, len(eligible)) {
			o.Matches = append(o.Matches, m.Name)
		}
	}
	return o
}

// catalogRanks choose the skills of the catalog.
type catalogRanks struct {
	uses    map[string]skill.Use
	origins map[string]install.Origin // of imported skills
}

func (r *catalogRanks) imported(name string) bool {
	_, imported := r.origins[name]
	return imported
}

// ranksAtStart returns the ranks of the first call, because a skill used in a session must not
// change the prompt of that session.
func (lib *Library) ranksAtStart() *catalogRanks {
	if ranks := lib.ranks.Load(); ranks != nil {
		return ranks
	}
	origins, err := lib.Lock().Origins()
	if err != nil {
		lib.opts.Log.Warn().Err(err).Msg("rank skills by origin")
	}
	ranks := &catalogRanks{lib.opts.State.Uses(), origins}
	lib.ranks.Store(ranks)
	return ranks
}

// eligible returns the skills that may be offered to the current agent.
func (lib *Library) eligible() []skill.Skill {
	eligible, _ := skill.SplitEligible(lib.opts.Registry.List(), lib.HasTool, lib.opts.State.Disabled)
	return eligible
}

// SearchDocuments returns descriptions of the skills that the current agent may load, for
// find_tools.
func (lib *Library) SearchDocuments() []search.Document {
	eligible := lib.eligible()
	docs := make([]search.Document, len(eligible))
	for i, s := range eligible {
		docs[i] = skills.SearchDocument(s)
	}
	return docs
}

// Counts are the number of skills, of those that the current agent may load, and of those in its
// catalog.
type Counts struct {
	Found    int `json:"found"`
	Eligible int `json:"eligible"`
	Listed   int `json:"listed"`
}

// Counts counts the skills.
func (lib *Library) Counts() Counts {
	eligible := lib.eligible()
	return Counts{Found: len(lib.opts.Registry.List()), Eligible: len(eligible), Listed: len(lib.listed(eligible))}
}

// listed returns the skills that the prompt of a new session lists.
func (lib *Library) listed(eligible []skill.Skill) []skill.Skill {
	profile := lib.opts.Agent.RequestProfile()
	if !profile.Skills {
		return nil
	}
	return skill.Listed(eligible, lib.catalogOptions(profile, "", eligible))
}

// Unlisted returns the names of the skills that the model may load but that its list omits, sorted.
func (lib *Library) Unlisted() []string {
	eligible := lib.eligible()
	listed := map[string]bool{}
	for _, s := range lib.listed(eligible) {
		listed[s.Name] = true
	}
	names := []string{}
	for _, s := range eligible {
		if !listed[s.Name] {
			names = append(names, s.Name)
		}
	}
	return names
}
