package skills

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tool/search"
)

const (
	skillKind    = "skill"
	foundSkills  = 5
	foundSummary = 80 // characters
)

var quotedPhrase = lazyregexp.New(`"([^"]+)"|\x{201C}([^\x{201D}]+)\x{201D}`)

// SearchDocument describes a skill for the index of tools and skills. Phrasings are the quoted
// requests after "Use" in the description.
func SearchDocument(s skill.Skill) search.Document {
	doc := search.Document{
		Kind: skillKind, Name: s.Name, Description: s.Description,
		Keywords: strings.TrimSpace(declaredKeywords(s) + " " + s.Category),
	}
	if i := strings.Index(s.Description, "Use "); i >= 0 {
		for _, m := range quotedPhrase().FindAllStringSubmatch(s.Description[i:], -1) {
			doc.Phrasings = append(doc.Phrasings, m[1]+m[2])
		}
	}
	return doc
}

// Search returns the n skills that match a query best, the best first.
func Search(eligible []skill.Skill, query string, n int) []search.Match {
	docs := make([]search.Document, len(eligible))
	for i, s := range eligible {
		docs[i] = SearchDocument(s)
	}
	return search.New(docs, search.Options{}).SearchKind(query, skillKind, n)
}

type foundSkill struct {
	Name string `json:"name"`
	Does string `json:"does"`
}

// find returns the skills that match a query best.
func (t skillTool) find(query string) tool.Result {
	eligible, _ := skill.SplitEligible(t.registry.List(), t.hasTool, t.disabled)
	found := []foundSkill{}
	var lines []string
	for _, m := range Search(eligible, query, foundSkills) {
		s := eligible[slices.IndexFunc(eligible, func(s skill.Skill) bool { return s.Name == m.Name })]
		row := foundSkill{s.Name, skill.Summary(s.Description, foundSummary)}
		found = append(found, row)
		lines = append(lines, "- **"+row.Name+"** "+row.Does)
	}
	if len(found) == 0 {
		return tool.Failed(tool.CodeNoData, fmt.Sprintf("no skill matches %.60q", query))
	}
	return tool.Result{
		Value: map[string]any{"skills": found}, ForUser: strings.Join(lines, "\n"),
		Title: query, Summary: countSkills(len(found)),
		Headline: fmt.Sprintf("%s for %q.", countSkills(len(found)), query), HeadlineZH: fmt.Sprintf("“%s” 找到 %d 个技能。", query, len(found)),
	}
}

func countSkills(n int) string {
	if n == 1 {
		return "1 skill"
	}
	return fmt.Sprintf("%d skills", n)
}

// ToolsOf returns the tools that a model needs for a skill: the tool that runs its steps, and those
// that it requires, may use or calls in its steps. Names unknown to hasTool are omitted.
func ToolsOf(s skill.Skill, hasTool func(name string) bool) []string {
	var names []string
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if s.HasTool() {
		add(WorkflowTool(s.Name))
	}
	declared := slices.Concat(s.ToolsRequired, s.AllowedTools)
	for _, step := range s.Steps {
		declared = append(declared, stepTool(step))
	}
	for _, name := range declared {
		if hasTool(name) {
			add(name)
		}
	}
	return names
}
