package tools_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/alert"
	"github.com/nfa-cli/nfa/internal/recordings"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tool/search"
	"github.com/nfa-cli/nfa/internal/tools"
	"github.com/nfa-cli/nfa/internal/tools/skills"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// wantRecall is the share of recorded requests for which a right tool must be among the first five.
const wantRecall = 0.98

// request is a user's request and the tools that serve it.
type request struct {
	Text  string   `json:"text"`
	Lang  string   `json:"lang"`
	Tools []string `json:"tools"`
	Note  string   `json:"note"`
}

func requests(t testing.TB) []request {
	t.Helper()
	var out []request
	for line := range bytes.Lines(recordings.Read(t, "tool-requests.jsonl")) {
		var r request
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

// searchOptions returns the names and symbols that are embedded in the program.
func searchOptions(t testing.TB) search.Options {
	t.Helper()
	listed, err := deps(t).Directory.Instruments(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	o := search.Options{}
	symbols := map[string]bool{}
	for _, i := range listed {
		symbols[string(i.Symbol)] = true
		o.Names = append(append(o.Names, i.Name), i.Aliases...)
	}
	o.IsSymbol = func(word string) bool { return symbols[word] }
	return o
}

// searchableTools returns all tools, including those that run the built-in workflows.
func searchableTools(t testing.TB) []tool.Tool {
	t.Helper()
	d := systemDeps(t)
	d.Skills = skill.Open(skill.Options{Roots: []skill.Root{skill.Builtin()}})
	company := newReplayCompany(t, false)
	d.Statements, d.Profiles, d.Earnings, d.Insiders = company, company, company, company
	d.Alerts = func(context.Context) (alert.Store, error) { return nil, errors.ErrUnsupported }
	all := tools.All(d)
	workflows, err := skills.Workflows{Skills: d.Skills}.Tools(toolstest.Open(t, all))
	if err != nil {
		t.Fatal(err)
	}
	return append(all, workflows...)
}

func searchDocuments(all []tool.Tool) []search.Document {
	var out []search.Document
	for _, tl := range all {
		out = append(out, search.Document{
			Name: tl.Name, Kind: "tool", Description: tl.Description + " " + tl.Details, Keywords: tl.Keywords, Phrasings: tl.Phrasings,
		})
	}
	return out
}

func TestSearch_RecordedRequestsFindTheirTools(t *testing.T) {
	all := searchableTools(t)
	if !slices.ContainsFunc(all, func(tl tool.Tool) bool { return tl.Keywords != "" }) {
		t.Skip("no tool has keywords yet")
	}
	ix := search.New(searchDocuments(all), searchOptions(t))
	has := func(name string) bool {
		return slices.ContainsFunc(all, func(tl tool.Tool) bool { return tl.Name == name })
	}
	recall := map[string]*recallCount{}
	for _, r := range requests(t) {
		for _, name := range r.Tools {
			if !has(name) {
				t.Errorf("%q wants %s, which is not a tool", r.Text, name)
			}
		}
		found := ix.SearchKind(r.Text, "tool", 12)
		rank := slices.IndexFunc(found, func(m search.Match) bool { return slices.Contains(r.Tools, m.Name) })
		groups := []string{"all", r.Lang}
		if r.Note != "" {
			groups = append(groups, r.Note)
		}
		for _, group := range groups {
			if recall[group] == nil {
				recall[group] = &recallCount{}
			}
			recall[group].add(rank)
		}
		if rank != 0 {
			t.Logf("rank %d: %q wants %s, finds %s", rank+1, r.Text, strings.Join(r.Tools, " or "), describeMatches(found))
		}
	}
	for _, group := range []string{"all", "en", "zh", "spelling mistakes"} {
		t.Logf("%s: %v", group, recall[group])
	}
	if got := recall["all"].at(5); got < wantRecall {
		t.Errorf("recall@5 is %.3f, want %.2f", got, wantRecall)
	}
}

func describeMatches(found []search.Match) string {
	var out []string
	for _, m := range found[:min(5, len(found))] {
		out = append(out, fmt.Sprintf("%s %.1f", m.Name, m.Score))
	}
	return strings.Join(out, ", ")
}

// recallCount counts requests by the rank of their first right tool.
type recallCount struct {
	requests int
	first    [5]int
}

// add counts a request; rank starts at 0 and is negative if no right tool was found.
func (c *recallCount) add(rank int) {
	c.requests++
	if rank >= 0 && rank < len(c.first) {
		c.first[rank]++
	}
}

// at returns recall@k.
func (c *recallCount) at(k int) float64 {
	n := 0
	for _, count := range c.first[:k] {
		n += count
	}
	return float64(n) / float64(c.requests)
}

func (c *recallCount) String() string {
	return fmt.Sprintf("recall@1 %.3f, @3 %.3f, @5 %.3f of %d", c.at(1), c.at(3), c.at(5), c.requests)
}
