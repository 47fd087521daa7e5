package skill_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

func manyListed(n, descriptionLength int) []skill.Skill {
	list := make([]skill.Skill, n)
	for i := range list {
		text := strings.Repeat("Compares funds by cost and risk, ", descriptionLength/32+1)
		list[i] = skill.Skill{Name: fmt.Sprintf("skill-%04d", i), Description: strings.TrimSpace(text[:descriptionLength]), Source: skill.SourceUser}
	}
	return list
}

// listedLength is what skills add to the prompt, in characters.
func listedLength(skills []skill.Skill) int {
	one := skill.Catalog([]skill.Skill{{Name: "x", Description: "y"}})
	frame := strings.TrimSuffix(one, "- x: y\n")
	return utf8.RuneCountInString(strings.TrimPrefix(skill.Catalog(skills), frame))
}

func TestK18_WhatFitsIsLeftAsItIs(t *testing.T) {
	list := manyListed(40, 150)
	got, report := skill.FitBudget(list, skill.BudgetOptions{})
	if diff := cmp.Diff(list, got); diff != "" || report.Warning() != "" {
		t.Errorf("Budget changed what fits, warning %q (-want +got):\n%s", report.Warning(), diff)
	}
}

func TestK18_LongestDescriptionsAreShortenedFirstAtWordEnds(t *testing.T) {
	list := manyListed(50, 60)
	for i := range 10 {
		// Shifted, so that the limit falls into another place of a word each time.
		list[i*5].Description = strings.Repeat("x", i+1) + " " + manyListed(1, 1024)[0].Description
	}
	whole := slices.Clone(list)
	got, report := skill.FitBudget(list, skill.BudgetOptions{})
	if diff := cmp.Diff(whole, list); diff != "" {
		t.Errorf("Budget changed its input:\n%s", diff)
	}
	if used := listedLength(got); used > 8000 || used < 7500 {
		t.Errorf("the list takes %d characters, want nearly 8000", used)
	}
	if len(report.Shortened) != 10 || len(report.NamesOnly)+len(report.Omitted) != 0 {
		t.Errorf("report = %+v, want the 10 long ones shortened", report)
	}
	for i, s := range got {
		kept, cut := strings.CutSuffix(s.Description, "…")
		if cut != (i%5 == 0) || !strings.HasPrefix(whole[i].Description, kept) {
			t.Fatalf("%s = %q", s.Name, s.Description)
		}
		if next := whole[i].Description[len(kept):]; cut && next[0] != ' ' && next[0] != ',' {
			t.Errorf("%s is cut in a word: %q", s.Name, s.Description)
		}
	}
	if want := "10 with a shortened description"; !strings.Contains(report.Warning(), want) {
		t.Errorf("warning = %q, want %q in it", report.Warning(), want)
	}
}

func TestK18_TheBudgetGrowsWithTheContextWindow(t *testing.T) {
	list := manyListed(50, 1000)
	for _, row := range []struct{ tokens, most, least int }{
		{0, 8000, 7500}, {8_000, 8000, 7500}, {100_000, 8000, 7500}, {200_000, 16_000, 15_000}, {1_000_000, 51_000, 50_000},
	} {
		got, _ := skill.FitBudget(list, skill.BudgetOptions{ContextTokens: row.tokens})
		if used := listedLength(got); used > row.most || used < row.least {
			t.Errorf("%d tokens: the list takes %d characters, want %d to %d", row.tokens, used, row.least, row.most)
		}
	}
}

func TestK18_ThenNamesOnlyThenTheLeastUsedAreLeftOut(t *testing.T) {
	list := manyListed(50, 100)
	for i := range list {
		list[i].Name = fmt.Sprintf("%02d-%s", i, strings.Repeat("long", 34))
	}
	got, report := skill.FitBudget(list, skill.BudgetOptions{Uses: map[string]int{list[49].Name: 2, list[48].Name: 1}})
	if len(got) != 50 || len(report.NamesOnly) == 0 || len(report.Omitted) != 0 {
		t.Fatalf("%d kept, report = %d names only, %d omitted", len(got), len(report.NamesOnly), len(report.Omitted))
	}
	if got[49].Description == "" || got[47].Description != "" {
		t.Errorf("descriptions: most used %q, unused last %q", got[49].Description, got[47].Description)
	}
	if used := listedLength(got); used > 8000 {
		t.Errorf("the list takes %d characters, want at most 8000", used)
	}
	list[3].Name = strings.Repeat("monster", 2000)
	_, report = skill.FitBudget(list, skill.BudgetOptions{Uses: map[string]int{list[3].Name: 99}})
	if diff := cmp.Diff([]string{list[3].Name}, report.Omitted); diff != "" {
		t.Errorf("omitted (-want +got):\n%s", diff)
	}
}

func TestK18_AThousandSkillsAddAtMost8KB(t *testing.T) {
	list := manyListed(1000, 500)
	list[7].Source = skill.SourceBuiltin
	uses := map[string]int{"skill-0999": 3, "skill-0500": 1}
	got, report := skill.FitBudget(list, skill.BudgetOptions{Uses: uses})
	frame := len(skill.Catalog([]skill.Skill{{Name: "x", Description: "y"}})) - len("- x: y\n")
	if added := len(skill.Catalog(got)) - frame; added > 8<<10 {
		t.Errorf("1,000 skills add %d bytes, want at most 8192", added)
	}
	if len(got) != 50 || len(report.Omitted) != 950 {
		t.Fatalf("%d listed, %d omitted, want 50 and 950", len(got), len(report.Omitted))
	}
	for _, name := range []string{"skill-0999", "skill-0500", "skill-0000"} {
		if slices.Contains(report.Omitted, name) {
			t.Errorf("%s was left out", name)
		}
	}
	if !slices.Contains(report.Omitted, "skill-0007") {
		t.Error("the built-in was kept before the user's own")
	}
	if want := "950 not at all"; !strings.Contains(report.Warning(), want) {
		t.Errorf("warning = %q, want %q in it", report.Warning(), want)
	}
}

func TestK18_DependsOnTheSkillsNotOnTheirOrder(t *testing.T) {
	list := manyListed(120, 400)
	want, wantReport := skill.FitBudget(list, skill.BudgetOptions{})
	random := rand.New(rand.NewPCG(18, 1))
	for range 5 {
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		got, report := skill.FitBudget(list, skill.BudgetOptions{})
		if diff := cmp.Diff(want, got) + cmp.Diff(wantReport, report); diff != "" {
			t.Fatalf("another order gives another list:\n%s", diff)
		}
	}
}

func TestK18_IsNeverCutInACharacter(t *testing.T) {
	list := manyListed(50, 32)
	for i := range list {
		text := []string{"投资组合", "e\u0301\u0323", "👩‍🌾", "a b\nc "}[i%4]
		list[i].Description = strings.Repeat("x", i/4) + strings.Repeat(text, 400)
	}
	whole := slices.Clone(list)
	got, report := skill.FitBudget(list, skill.BudgetOptions{})
	if used := listedLength(got); used > 8000 || len(report.Shortened) != 50 {
		t.Errorf("%d characters, %d shortened, want at most 8000 and 50", used, len(report.Shortened))
	}
	for i, s := range got {
		if !utf8.ValidString(s.Description) || strings.Contains(s.Description, "\n") {
			t.Errorf("%s = %q", s.Name, s.Description)
		}
		next, ok := strings.CutPrefix(whole[i].Description, strings.TrimSuffix(s.Description, "…"))
		if first, _ := utf8.DecodeRuneInString(next); ok && unicode.Is(unicode.Mn, first) {
			t.Errorf("%s is cut between a letter and its mark: %q", s.Name, s.Description)
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
		{Name: "manual", Reason: "only you may start it, as /manual (disable-model-invocation)"},
		{Name: "off", Reason: "disabled; nfa skills enable off brings it back"},
		{Name: "poor", Reason: "needs tools that are not there: broker, fax"},
		{Name: "all", Reason: "disabled; nfa skills enable all brings it back; only you may start it, as /all (disable-model-invocation); needs tools that are not there: fax"},
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

func BenchmarkBudget_1000(b *testing.B) {
	list := manyListed(1000, 1024)
	for b.Loop() {
		skill.FitBudget(list, skill.BudgetOptions{ContextTokens: 128_000})
	}
}
