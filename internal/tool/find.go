package tool

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/tool/search"
)

// FindToolsName names the tool that finds other tools. Every request includes it.
const FindToolsName = "find_tools"

// WorkflowGroup is the group of tools that run skills with steps.
const WorkflowGroup = "skills"

// ServerGroup is the group of the tools of MCP servers.
const ServerGroup = "servers"

const findToolsDescription = `Finds unlisted tools by what they do; you can call them in your next step. Use it before you say that you cannot do something. Pass the user's words as query, or pass group to list one group.`

type findInput struct {
	Query string `json:"query,omitempty" jsonschema:"what the user needs, in their words"`
	Group string `json:"group,omitempty" jsonschema:"group of tools to list"`
}

// Found is what find_tools returns.
type Found struct {
	Tools  []FoundTool `json:"tools"`
	Skills []FoundTool `json:"skills,omitempty"`
	Note   string      `json:"note,omitempty"`
}

// FoundTool describes a tool or a skill in one line.
type FoundTool struct {
	Name   string `json:"name"`
	Does   string `json:"does"`
	Loaded bool   `json:"loaded,omitempty"`
}

// Finder provides what find_tools searches in addition to the router's own tools.
type Finder struct {
	// Skills lists the skills to search; nil for none.
	Skills func() []search.Document
	// Options returns the symbols and names to recognize; nil for none. It is called at the first search.
	Options func() search.Options
	// Limit is how many tools a search loads; 0 means 5.
	Limit int
}

// Limits of find_tools.
const (
	defaultFound  = 5
	foundSkills   = 2
	maxFoundBytes = 600
)

// WithFinder returns a router with the same tools plus find_tools, which searches them. The index is
// built at the first search.
func (r *Router) WithFinder(f Finder) *Router {
	candidates := r.ForModel().Tools()
	index := sync.OnceValue(func() findIndex { return newFindIndex(candidates, f) })
	find := New(FindToolsName, findToolsDescription, Reads, func(_ context.Context, in findInput) (Result, error) {
		switch query, group := strings.TrimSpace(in.Query), strings.TrimSpace(in.Group); {
		case group != "" && query == "":
			return listGroup(candidates, group)
		case query == "":
			return Errorf("query or group is required; groups: %s", strings.Join(groupsOf(candidates), ", "))
		default:
			return index().find(query, cmp.Or(f.Limit, defaultFound))
		}
	})
	with, err := r.Only(func(name string) bool { return name != FindToolsName }).With(find)
	if err != nil {
		return r // not reached: the name was just removed
	}
	return with
}

// findIndex is the search index, with one clause about each tool and skill.
type findIndex struct {
	index   *search.Index
	clauses map[string]string // keyed by kind and name
	groups  []string
}

func newFindIndex(candidates []Tool, f Finder) findIndex {
	out := findIndex{clauses: map[string]string{}, groups: groupsOf(candidates)}
	docs := make([]search.Document, 0, len(candidates))
	for _, t := range candidates {
		docs = append(docs, search.Document{Name: t.Name, Kind: "tool", Description: t.Description + " " + t.Details, Keywords: t.Keywords, Phrasings: t.Phrasings})
		out.clauses["tool "+t.Name] = firstClause(t.Description)
	}
	if f.Skills != nil {
		for _, d := range f.Skills() {
			docs = append(docs, d)
			out.clauses[d.Kind+" "+d.Name] = firstClause(d.Description)
		}
	}
	var options search.Options
	if f.Options != nil {
		options = f.Options()
	}
	out.index = search.New(docs, options)
	return out
}

func (x findIndex) list(query, kind string, limit int) []FoundTool {
	out := []FoundTool{}
	for _, m := range x.index.SearchKind(query, kind, limit) {
		out = append(out, FoundTool{Name: m.Name, Does: x.clauses[kind+" "+m.Name], Loaded: kind == "tool"})
	}
	return out
}

func (x findIndex) find(query string, limit int) (Result, error) {
	found := Found{Tools: x.list(query, "tool", limit), Skills: x.list(query, "skill", foundSkills)}
	var names []string
	for _, t := range found.Tools {
		names = append(names, t.Name)
	}
	if len(found.Tools)+len(found.Skills) == 0 {
		return Failed(CodeNoData, fmt.Sprintf("no tool found for %.60q; try other words or one of the groups: %s", query, strings.Join(x.groups, ", "))), nil
	}
	if len(names) > 0 {
		found.Note = "Call these tools in your next step."
	}
	return found.result(query, names), nil
}

func (f Found) result(title string, activates []string) Result {
	var lines []string
	for _, t := range f.Tools {
		lines = append(lines, "- **"+t.Name+"** "+t.Does)
	}
	for _, s := range f.Skills {
		lines = append(lines, "- skill **"+s.Name+"** "+s.Does)
	}
	res := Result{
		Value: f, ForUser: strings.Join(lines, "\n"), Title: title, Activates: activates,
		Headline: fmt.Sprintf("%s %q.", humanize.Count(len(f.Tools), "tool matches", "tools match"), title), HeadlineZH: fmt.Sprintf("“%s”找到 %d 个工具。", title, len(f.Tools)),
		Summary: humanize.Count(len(f.Tools), "tool", "tools"),
	}
	if len(f.Tools) == 1 {
		res.Headline = fmt.Sprintf("1 tool matches %q.", title)
	}
	// Shorten the descriptions first: the model needs the names.
	for length := 60; len(res.ModelText()) > maxFoundBytes && length >= 0; length -= 20 {
		short := Found{Note: f.Note, Tools: shortened(f.Tools, length), Skills: shortened(f.Skills, length)}
		res.Value = short
	}
	return res
}

func shortened(list []FoundTool, length int) []FoundTool {
	out := slices.Clone(list)
	for i := range out {
		if runes := []rune(out[i].Does); len(runes) > length {
			out[i].Does = strings.TrimSpace(string(runes[:length]))
		}
	}
	return out
}

func listGroup(candidates []Tool, group string) (Result, error) {
	found := Found{Tools: []FoundTool{}, Note: "Search with query to make a tool callable."}
	for _, t := range candidates {
		if strings.EqualFold(t.Group, group) {
			found.Tools = append(found.Tools, FoundTool{Name: t.Name, Does: firstClause(t.Description)})
		}
	}
	if len(found.Tools) == 0 {
		return Errorf("unknown group %.40q; groups: %s", group, strings.Join(groupsOf(candidates), ", "))
	}
	return found.result(group, nil), nil
}

func groupsOf(tools []Tool) []string {
	var out []string
	for _, t := range tools {
		if t.Group != "" && !slices.Contains(out, t.Group) {
			out = append(out, t.Group)
		}
	}
	slices.Sort(out)
	return out
}

// firstClause returns the first sentence of a description, or only its first clause if the sentence is long.
func firstClause(s string) string {
	const most = 80
	s = strings.Join(strings.Fields(s), " ")
	if i := strings.Index(s, ". "); i >= 0 {
		s = s[:i]
	}
	s = strings.TrimSuffix(s, ".")
	if len(s) > most {
		for _, stop := range []string{": ", "; ", ", "} {
			if i := strings.Index(s, stop); i > 15 && i < most {
				return s[:i]
			}
		}
	}
	return s
}
