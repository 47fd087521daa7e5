package skill_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill"
)

func longProse(size int) string {
	const line = "Weigh the price against the book value.\n"
	return strings.Repeat(line, size/len(line)+1)[:size-1] + "\n"
}

// longGuide has an introduction, a short section, and a long one with a long part, a repeated title
// in it, and a heading inside code.
func longGuide() string {
	return "Read first.\n\n# Setup\n" + longProse(100) +
		"# 2. Rank **them**\nHow to rank.\n## Setup\n" + longProse(200) + "## Detail\n" + longProse(20_000) +
		"```\n# Not a heading\n```\n### Deep\nbelow\n# `quote` it\nLast.\n"
}

func readExcerpt(t testing.TB, body, section string) skill.Excerpt {
	t.Helper()
	e, err := skill.NewExcerpt(body, section)
	if err != nil {
		t.Fatalf("NewExcerpt(%q) = %v", section, err)
	}
	return e
}

func titles(outline []skill.OutlineItem) []string {
	var rows []string
	for _, p := range outline {
		rows = append(rows, p.Section+" "+p.Title)
	}
	return rows
}

func TestK14_ShortBodyIsGivenWhole(t *testing.T) {
	for _, body := range []string{"", "# A\nx\n", longProse(skill.MaxExcerpt)} {
		if e := readExcerpt(t, body, ""); e.Text != body || e.Outline != nil {
			t.Errorf("NewExcerpt of %d bytes gave %d and the outline %v", len(body), len(e.Text), e.Outline)
		}
	}
}

func TestK14_LongBodyIsGivenAsAnOutlineWithSizes(t *testing.T) {
	body := longGuide()
	e := readExcerpt(t, body, "")
	want := []string{"0 (beginning)", "1 Setup", "2 2. Rank **them**", "2.1 Setup", "2.2 Detail", "2.2.1 Deep", "3 `quote` it"}
	if diff := cmp.Diff(want, titles(e.Outline)); diff != "" || e.Text != "" {
		t.Errorf("outline (-want +got):\n%s\ntext %d bytes", diff, len(e.Text))
	}
	if got, want := e.Outline[1].Size, len("# Setup\n")+100; got != want {
		t.Errorf("size of Setup = %d, want %d", got, want)
	}
}

func TestK14_SectionIsFoundHoweverItIsCalled(t *testing.T) {
	body := longGuide()
	quote := "# `quote` it\nLast.\n"
	for _, row := range []struct{ asked, begins, section string }{
		{"`quote` it", quote, "3"},
		{"QUOTE  it", quote, "3"},
		{"# quote it", quote, "3"},
		{"3", quote, "3"},
		{"3 quote it", quote, "3"},
		{"detail", "", "2.2"},
		{"Rank them", "", "2"},
		{"2. rank them", "", "2"},
		{"deep", "### Deep\nbelow\n", "2.2.1"},
		{"2.1", "## Setup\nWeigh", "2.1"},
		{"0", "Read first.\n", "0"},
		{"2.0", "# 2. Rank **them**\nHow to rank.\n", "2.0"},
	} {
		e := readExcerpt(t, body, row.asked)
		if e.Section != row.section || !strings.HasPrefix(e.Text, row.begins) {
			t.Errorf("NewExcerpt(%q) = section %s %.30q, want %s %q", row.asked, e.Section, e.Text, row.section, row.begins)
		}
	}
	steps := "# Guide\n## Step 1: Fetch\na\n## Step 2: Rank\nb\n"
	if e := readExcerpt(t, steps, "2"); e.Text != "## Step 2: Rank\nb\n" {
		t.Errorf("NewExcerpt(2) = %q, want the step of that number", e.Text)
	}
}

func TestK14_SectionThatCannotBeReturnedOffersTheOthers(t *testing.T) {
	_, err := skill.NewExcerpt(longGuide(), "setup")
	var sectionErr *skill.SectionError
	if !errors.Is(err, skill.ErrAmbiguousSection) || !errors.As(err, &sectionErr) {
		t.Fatalf("NewExcerpt(setup) = %v, want ErrAmbiguousSection", err)
	}
	if diff := cmp.Diff([]string{"1 Setup", "2.1 Setup"}, titles(sectionErr.Choices)); diff != "" {
		t.Errorf("choices (-want +got):\n%s", diff)
	}
	for _, asked := range []string{"Not a heading", "##", "9.9", "part 1", "1.0", "2.2 part 99", "0.0"} {
		_, err := skill.NewExcerpt(longGuide(), asked)
		if !errors.Is(err, skill.ErrNoSection) || !strings.Contains(err.Error(), "2.2 Detail") {
			t.Errorf("NewExcerpt(%q) = %v, want ErrNoSection with what there is", asked, err)
		}
	}
	if _, err := skill.NewExcerpt("text", "x"); !errors.Is(err, skill.ErrNoSection) {
		t.Errorf("NewExcerpt of a body without headings = %v, want ErrNoSection", err)
	}
}

func TestK14_LongSectionGivesItsOwnOutline(t *testing.T) {
	e := readExcerpt(t, longGuide(), "Detail")
	want := []string{"2.2.0 (beginning of Detail)", "2.2.1 Deep"}
	if diff := cmp.Diff(want, titles(e.Outline)); diff != "" {
		t.Errorf("outline of Detail (-want +got):\n%s", diff)
	}
	e = readExcerpt(t, longGuide(), "2.2.0")
	if len(e.Outline) != 2 || e.Outline[1].Section != "2.2.0 part 2" {
		t.Errorf("outline of its beginning = %v, want two parts", titles(e.Outline))
	}
}

// joinOutline reads a body as a model can: outline by outline.
func joinOutline(t testing.TB, body, section string, depth int) string {
	e := readExcerpt(t, body, section)
	if e.Outline == nil {
		return e.Text
	}
	if depth > 12 {
		t.Fatalf("outlines in outlines without end at %q", section)
	}
	encoded, err := json.Marshal(e.Outline)
	if err != nil || utf8.ValidString(body) && !strings.ContainsAny(body, "<>&\"\\\x00") && len(encoded) > skill.MaxExcerpt {
		t.Fatalf("the outline of %q takes %d bytes, %v", section, len(encoded), err)
	}
	var b strings.Builder
	done := map[string]bool{}
	for _, p := range e.Outline {
		if done[p.Section] {
			t.Fatalf("%q is listed twice", p.Section)
		}
		done[p.Section] = true
		if !isBelowOne(p.Section, done) {
			b.WriteString(joinOutline(t, body, p.Section, depth+1))
		}
	}
	return b.String()
}

func isBelowOne(section string, listed map[string]bool) bool {
	for i := range section {
		if section[i] == '.' && listed[section[:i]] {
			return true
		}
	}
	return false
}

func TestK14_NothingIsCutSilently(t *testing.T) {
	var many, wide strings.Builder
	for i := range 800 {
		fmt.Fprintf(&many, "# %d %s\ntext\n", i, strings.Repeat("é", 100))
	}
	for i := range 90 {
		fmt.Fprintf(&wide, "## %s\n%s", strings.Repeat("资产配置", 40), longProse(300+i))
	}
	for name, body := range map[string]string{
		"guide":         longGuide(),
		"no heading":    longProse(50_000),
		"one line":      strings.Repeat("投资", 30_000),
		"many headings": many.String(),
		"long headings": wide.String(),
		"long lead":     longProse(40_000) + "# A\n" + longProse(40_000) + "## B\n" + longProse(40_000),
		"blank":         strings.Repeat("\n", 20_000) + "# A\n",
	} {
		got := joinOutline(t, body, "", 0)
		if lead := strings.TrimLeft(body, "\n"); got != body && got != lead {
			t.Errorf("%s: what can be read has %d bytes, the body %d", name, len(got), len(body))
		}
	}
}

func FuzzNewExcerpt(f *testing.F) {
	f.Add(longGuide(), "setup")
	f.Add("# 1\n## 1\n", "1")
	f.Add(longProse(17_000), "part 2")
	f.Fuzz(func(t *testing.T, body, section string) {
		e, err := skill.NewExcerpt(body, section)
		if err == nil && e.Outline == nil && (len(e.Text) > skill.MaxExcerpt || !strings.Contains(body, e.Text)) {
			t.Errorf("NewExcerpt(%q) = %d bytes that are not a piece of the body", section, len(e.Text))
		}
		for _, p := range e.Outline {
			if _, err := skill.NewExcerpt(body, p.Section); err != nil {
				t.Errorf("NewExcerpt(%q), which the outline lists = %v", p.Section, err)
			}
		}
	})
}

// outlined is too short for an outline; tests add prose to it.
const outlined = `Intro

# Steps *first*

a

## Detail ##

b

Second
======

` + "```\n# not a heading\n```" + `

> # nor this

## Steps first
`

func TestK14_HeadingsWithTheSizeOfTheirSections(t *testing.T) {
	body := outlined + longProse(skill.MaxExcerpt)
	outline := readExcerpt(t, body, "").Outline
	want := []string{"0 (beginning)", "1 Steps *first*", "1.1 Detail", "2 Second", "2.1 Steps first"}
	if diff := cmp.Diff(want, titles(outline)); diff != "" {
		t.Fatalf("outline (-want +got):\n%s", diff)
	}
	if got, want := outline[2].Size, len("## Detail ##\n\nb\n\n"); got != want {
		t.Errorf("Detail has %d bytes, want %d", got, want)
	}
}

// The sections of an outline are pieces of the body, however headings are written.
func FuzzNewExcerpt_Outline(f *testing.F) {
	for _, seed := range []string{outlined, "#", "# \n", "a\n=", "# a\r\n# b", "\t# a", "> # a\n# b\n", "#\ta\n\n#  b #", "\ufeff# a"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, head string) {
		body := head + "\n\n" + longProse(skill.MaxExcerpt)
		outline := readExcerpt(t, body, "").Outline
		if len(outline) == 0 {
			t.Fatalf("no outline of a body of %d bytes", len(body))
		}
		for _, p := range outline {
			if p.Size <= 0 || p.Size > len(body) || p.Section == "" {
				t.Errorf("part %+v of %q", p, head)
			}
		}
	})
}
