package skill_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

// userSkills returns n unrelated user skills.
func userSkills(n int) []skill.Skill {
	list := make([]skill.Skill, n)
	for i := range list {
		list[i] = skill.Skill{Name: fmt.Sprintf("skill-%04d", i), Description: strings.Repeat("Compares funds by cost and risk, ", 15), Source: skill.SourceUser}
	}
	return list
}

func builtinSkills(n int) []skill.Skill {
	list := userSkills(n)
	for i := range list {
		list[i].Name, list[i].Source = fmt.Sprintf("built-in-%02d", i), skill.SourceBuiltin
	}
	return list
}

// listed returns the skill lines of the catalog, at the end of the prompt.
func listed(t *testing.T, catalogue string) []string {
	t.Helper()
	at := strings.LastIndex(catalogue, "\n\n")
	if !strings.HasPrefix(catalogue, "## Available skills\n") || at < 0 {
		t.Fatalf("catalogue = %q, want the heading and paragraphs", catalogue)
	}
	return strings.Split(strings.TrimSpace(catalogue[at:]), "\n")
}

func TestK17_CatalogueListsSortedWhatTheModelMayLoad(t *testing.T) {
	skills := []skill.Skill{
		{Name: "zebra", Description: "Last"},
		{Name: "alpha", Description: "First\n- evil: line\u2028more\x1b[31m"},
		{Name: "silent"},
	}
	want := []string{"- alpha: First - evil: line more [31m", "- silent", "- zebra: Last", "0 more"}
	got := skill.Catalog(skills, skill.CatalogOptions{})
	if diff := cmp.Diff(want, listed(t, got)); diff != "" {
		t.Errorf("catalogue (-want +got):\n%s", diff)
	}
	for _, part := range []string{"tool Skill", `{"name": "NAME"}`, "Load a skill before", "Do not load a skill for"} {
		if !strings.Contains(got, part) {
			t.Errorf("catalogue lacks %q:\n%s", part, got)
		}
	}
	slices.Reverse(skills)
	if skill.Catalog(skills, skill.CatalogOptions{}) != got {
		t.Error("the catalogue depends on the order of the skills")
	}
}

func TestK17_CatalogueSaysWhenThereIsNone(t *testing.T) {
	got := skill.Catalog(nil, skill.CatalogOptions{})
	if !strings.Contains(got, "No skills are available") || strings.Contains(got, "- ") {
		t.Errorf("catalogue = %q, want only the sentence", got)
	}
}

func TestK18_UnrelatedSkillsNeverPushOutTheBuiltIns(t *testing.T) {
	got := skill.Catalog(append(userSkills(1000), builtinSkills(29)...), skill.CatalogOptions{})
	lines := listed(t, got)
	if n := strings.Count(got, "- built-in-"); n != 29 || len(lines) != 29+20+1 {
		t.Errorf("%d built-ins in %d lines, want 29 in 50", n, len(lines))
	}
	if last := lines[len(lines)-1]; last != `980 more: Skill {"query": "..."}` || !strings.HasSuffix(got, last+"\n") {
		t.Errorf("the catalogue ends with %q", last)
	}
	if len(got) > 5500 {
		t.Errorf("the catalogue has %d bytes, want at most 5500", len(got))
	}
}

func TestK18_SmallProfilesGetOnlyNames(t *testing.T) {
	lines := listed(t, skill.Catalog(append(userSkills(21), builtinSkills(1)...), skill.CatalogOptions{NamesOnly: true}))
	if len(lines) != 22 || lines[0] != "- built-in-00" || lines[21] != `1 more: Skill {"query": "..."}` {
		t.Errorf("catalogue = %q, want 21 names and the number of the others", lines)
	}
}

func TestK18_OfTheOthersTheLastUsedStay(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 3, n, 0, 0, 0, 0, time.UTC) }
	for _, row := range []struct {
		name    string
		options skill.CatalogOptions
		out     string // those of 0000 to 0019 and the three below that are not listed
		in      []string
	}{
		{name: "by name", out: "skill-0020"},
		{name: "a match before a name", options: skill.CatalogOptions{Matches: []string{"skill-0500"}}, in: []string{"skill-0500"}, out: "skill-0019"},
		{
			name: "a use before a match", options: skill.CatalogOptions{
				Matches: []string{"skill-0500", "skill-0501"},
				Uses:    usesOf(21, func(i int) skill.Use { return skill.Use{Count: i + 1} }),
			}, in: []string{"skill-0020"}, out: "skill-0500",
		},
		{
			name: "the last use before many", options: skill.CatalogOptions{
				Uses: usesOf(21, func(i int) skill.Use { return skill.Use{Count: 50 - i, Last: day(i + 1)} }),
			}, in: []string{"skill-0020"}, out: "skill-0000",
		},
		{
			name: "a known time before a count", options: skill.CatalogOptions{
				Uses: usesOf(21, func(i int) skill.Use {
					if i == 20 {
						return skill.Use{Count: 1, Last: day(1)}
					}
					return skill.Use{Count: 50 - i}
				}),
			}, in: []string{"skill-0020"}, out: "skill-0019",
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			var names []string
			for _, s := range skill.Listed(userSkills(1000), row.options) {
				names = append(names, s.Name)
			}
			if len(names) != 20 || slices.Contains(names, row.out) || !slices.IsSorted(names) {
				t.Errorf("listed = %q, want 20 without %s", names, row.out)
			}
			for _, name := range row.in {
				if !slices.Contains(names, name) {
					t.Errorf("listed = %q, want %s", names, name)
				}
			}
		})
	}
}

// usesOf returns uses of the first n skills.
func usesOf(n int, use func(i int) skill.Use) map[string]skill.Use {
	uses := map[string]skill.Use{}
	for i, s := range userSkills(n) {
		uses[s.Name] = use(i)
	}
	return uses
}

func TestK18_DependsOnTheSkillsNotOnTheirOrder(t *testing.T) {
	list := append(userSkills(120), builtinSkills(5)...)
	want := skill.Catalog(list, skill.CatalogOptions{})
	random := rand.New(rand.NewPCG(18, 1))
	for range 5 {
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if diff := cmp.Diff(want, skill.Catalog(list, skill.CatalogOptions{})); diff != "" {
			t.Fatalf("another order gives another list:\n%s", diff)
		}
	}
}

func TestK18_EachBuiltInFitsItsLineAndEndsAtAWord(t *testing.T) {
	skills := skill.Open(skill.Options{Roots: []skill.Root{skill.Builtin()}}).List()
	lines := listed(t, skill.Catalog(skills, skill.CatalogOptions{}))
	if len(lines) != len(skills)+1 {
		t.Fatalf("%d lines of %d skills", len(lines), len(skills))
	}
	for i, s := range skills {
		summary, ok := strings.CutPrefix(lines[i], "- "+s.Name+": ")
		if !ok || utf8.RuneCountInString(lines[i]) > 88 {
			t.Errorf("line %q of %s", lines[i], s.Name)
		}
		rest, ok := strings.CutPrefix(s.Description, strings.TrimSuffix(summary, "…"))
		if first, _ := utf8.DecodeRuneInString(rest); !ok || unicode.IsLetter(first) || unicode.IsDigit(first) {
			t.Errorf("%s is cut in a word: %q", s.Name, summary)
		}
	}
}

func TestK18_ALongNameLeavesOutWhatDoesNotFit(t *testing.T) {
	skills := []skill.Skill{
		{Name: strings.Repeat("a", 80), Description: "Has no place for a description"},
		{Name: strings.Repeat("b", 2000), Description: "Has no place for its name", Source: skill.SourceBuiltin},
	}
	want := []string{"- " + skills[0].Name, `1 more: Skill {"query": "..."}`}
	if diff := cmp.Diff(want, listed(t, skill.Catalog(skills, skill.CatalogOptions{}))); diff != "" {
		t.Errorf("catalogue (-want +got):\n%s", diff)
	}
}

func TestSummary_IsTheFirstClauseThatSaysEnough(t *testing.T) {
	for _, row := range []struct {
		name, description, want string
		limit                   int
	}{
		{"a sentence that fits", "Reads a trend. Use it often.", "Reads a trend", 60},
		{"no end", "Reads a trend", "Reads a trend", 60},
		{"an abbreviation", "Reads U.S. Treasury rates. Use it.", "Reads U.S. Treasury rates", 60},
		{"a number", "Adds 1.5 to 3.2 percent.", "Adds 1.5 to 3.2 percent", 60},
		{"a clause", "Values a company from its free cash flow, with a grid and a check of the terminal value", "Values a company from its free cash flow", 60},
		{"not a clause that says little", "Pulls points, decisions and open questions out of a text, as a short list of points", "Pulls points, decisions and open questions out of a text", 60},
		{"a dash", "Writes a memo on one company or fund - case for, case against, record, risks", "Writes a memo on one company or fund", 60},
		{"not in parentheses", "Finds official filings (10-K, 10-Q, 8-K, 20-F) of a company and reads them", "Finds official filings (10-K, 10-Q, 8-K, 20-F)", 60},
		{"a list of digits", "Projects 1,000,000 paths of savings to retirement and on to the end of life", "Projects 1,000,000 paths of savings to retirement and on to…", 60},
		{"no clause", "Translates a text file into another language keeping its format", "Translates a text file into another…", 40},
		{"Chinese", "比较两只或多只基金的成本与风险，并说明差异。用于选择基金。", "比较两只或多只基金的成本与风险", 20},
		{"no room", "Reads a trend", "", 3},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := skill.Summary(row.description, row.limit)
			if got != row.want || utf8.RuneCountInString(got) > row.limit {
				t.Errorf("Summary = %q, want %q", got, row.want)
			}
		})
	}
}

func TestK18_IsNeverCutInACharacter(t *testing.T) {
	for i := range 50 {
		text := []string{"投资组合", "e\u0301\u0323", "👩‍🌾", "a b\nc "}[i%4]
		whole := strings.Repeat("x", i/4) + strings.Repeat(text, 400)
		got := skill.Summary(whole, 60+i)
		if n := utf8.RuneCountInString(got); !utf8.ValidString(got) || strings.Contains(got, "\n") || n > 60+i || n < 20 {
			t.Errorf("Summary = %q", got)
		}
		next, ok := strings.CutPrefix(whole, strings.TrimSuffix(got, "…"))
		if first, _ := utf8.DecodeRuneInString(next); ok && unicode.Is(unicode.Mn, first) {
			t.Errorf("it is cut between a letter and its mark: %q", got)
		}
	}
}

func TestK19_StaysOutWithTheReason(t *testing.T) {
	list := []skill.Skill{
		{Name: "fine", ToolsRequired: []string{"quote"}},
		{Name: "manual", DisableModelInvocation: true},
		{Name: "off"},
		{Name: "poor", ToolsRequired: []string{"quote", "broker", "fax"}},
		{Name: "all", DisableModelInvocation: true, ToolsRequired: []string{"fax"}},
	}
	in, out := skill.SplitEligible(list, func(tool string) bool { return tool == "quote" }, func(name string) bool { return name == "off" || name == "all" })
	skilltest.WantNames(t, in, "fine")
	want := []skill.Exclusion{
		{Name: "manual", Reason: "only you can start it, with /manual (disable-model-invocation)"},
		{Name: "off", Reason: "disabled; enable it with: nfa skills enable off"},
		{Name: "poor", Reason: "missing tools: broker, fax"},
		{Name: "all", Reason: "disabled; enable it with: nfa skills enable all; only you can start it, with /all (disable-model-invocation); missing tools: fax"},
	}
	if diff := cmp.Diff(want, out); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"quote", "broker", "fax"}, list[3].ToolsRequired); diff != "" {
		t.Errorf("Eligible changed its input:\n%s", diff)
	}
	in, _ = skill.SplitEligible(list, nil, nil)
	skilltest.WantNames(t, in, "fine off poor")
}

func BenchmarkCatalog_1000(b *testing.B) {
	list := userSkills(1000)
	for b.Loop() {
		skill.Catalog(list, skill.CatalogOptions{})
	}
}
