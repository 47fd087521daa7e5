package excerpt_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill/excerpt"
)

func prose(size int) string {
	const line = "Weigh the price against the book value.\n"
	return strings.Repeat(line, size/len(line)+1)[:size-1] + "\n"
}

// longGuide has an introduction, a short section, and a long one with a long
// part, an equal title in it, and a heading that is code.
func longGuide() string {
	return "Read first.\n\n# Setup\n" + prose(100) +
		"# 2. Rank **them**\nHow to rank.\n## Setup\n" + prose(200) + "## Detail\n" + prose(20_000) +
		"```\n# Not a heading\n```\n### Deep\nbelow\n# `quote` it\nLast.\n"
}

func read(t testing.TB, body, section string) excerpt.Excerpt {
	t.Helper()
	e, err := excerpt.Of(body, section)
	if err != nil {
		t.Fatalf("Of(%q) = %v", section, err)
	}
	return e
}

func titles(outline []excerpt.Part) []string {
	var rows []string
	for _, p := range outline {
		rows = append(rows, p.Section+" "+p.Title)
	}
	return rows
}

func TestK14_ShortBodyIsGivenWhole(t *testing.T) {
	for _, body := range []string{"", "# A\nx\n", prose(excerpt.Max)} {
		if e := read(t, body, ""); e.Text != body || e.Outline != nil {
			t.Errorf("Of %d bytes gave %d and the outline %v", len(body), len(e.Text), e.Outline)
		}
	}
}

func TestK14_LongBodyIsGivenAsAnOutlineWithSizes(t *testing.T) {
	body := longGuide()
	e := read(t, body, "")
	want := []string{"0 (the beginning)", "1 Setup", "2 2. Rank **them**", "2.1 Setup", "2.2 Detail", "2.2.1 Deep", "3 `quote` it"}
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
		e := read(t, body, row.asked)
		if e.Section != row.section || !strings.HasPrefix(e.Text, row.begins) {
			t.Errorf("Of(%q) = section %s %.30q, want %s %q", row.asked, e.Section, e.Text, row.section, row.begins)
		}
	}
	steps := "# Guide\n## Step 1: Fetch\na\n## Step 2: Rank\nb\n"
	if e := read(t, steps, "2"); e.Text != "## Step 2: Rank\nb\n" {
		t.Errorf("Of(2) = %q, want the step of that number", e.Text)
	}
}

func TestK14_SectionThatCannotBeToldOffersTheOthers(t *testing.T) {
	_, err := excerpt.Of(longGuide(), "setup")
	var told *excerpt.SectionError
	if !errors.Is(err, excerpt.ErrAmbiguousSection) || !errors.As(err, &told) {
		t.Fatalf("Of(setup) = %v, want ErrAmbiguousSection", err)
	}
	if diff := cmp.Diff([]string{"1 Setup", "2.1 Setup"}, titles(told.Choices)); diff != "" {
		t.Errorf("choices (-want +got):\n%s", diff)
	}
	for _, asked := range []string{"Not a heading", "##", "9.9", "part 1", "1.0", "2.2 part 99", "0.0"} {
		_, err := excerpt.Of(longGuide(), asked)
		if !errors.Is(err, excerpt.ErrNoSection) || !strings.Contains(err.Error(), "2.2 Detail") {
			t.Errorf("Of(%q) = %v, want ErrNoSection with what there is", asked, err)
		}
	}
	if _, err := excerpt.Of("text", "x"); !errors.Is(err, excerpt.ErrNoSection) {
		t.Errorf("Of a body without headings = %v, want ErrNoSection", err)
	}
}

func TestK14_LongSectionGivesItsOwnOutline(t *testing.T) {
	e := read(t, longGuide(), "Detail")
	want := []string{"2.2.0 (the beginning of Detail)", "2.2.1 Deep"}
	if diff := cmp.Diff(want, titles(e.Outline)); diff != "" {
		t.Errorf("outline of Detail (-want +got):\n%s", diff)
	}
	e = read(t, longGuide(), "2.2.0")
	if len(e.Outline) != 2 || e.Outline[1].Section != "2.2.0 part 2" {
		t.Errorf("outline of its beginning = %v, want two parts", titles(e.Outline))
	}
}

// everything reads a body as a model can: outline by outline.
func everything(t testing.TB, body, section string, depth int) string {
	e := read(t, body, section)
	if e.Outline == nil {
		return e.Text
	}
	if depth > 12 {
		t.Fatalf("outlines in outlines without end at %q", section)
	}
	encoded, err := json.Marshal(e.Outline)
	if err != nil || utf8.ValidString(body) && !strings.ContainsAny(body, "<>&\"\\\x00") && len(encoded) > excerpt.Max {
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
			b.WriteString(everything(t, body, p.Section, depth+1))
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
		fmt.Fprintf(&wide, "## %s\n%s", strings.Repeat("资产配置", 40), prose(300+i))
	}
	for name, body := range map[string]string{
		"guide":         longGuide(),
		"no heading":    prose(50_000),
		"one line":      strings.Repeat("投资", 30_000),
		"many headings": many.String(),
		"long headings": wide.String(),
		"long lead":     prose(40_000) + "# A\n" + prose(40_000) + "## B\n" + prose(40_000),
		"blank":         strings.Repeat("\n", 20_000) + "# A\n",
	} {
		got := everything(t, body, "", 0)
		if lead := strings.TrimLeft(body, "\n"); got != body && got != lead {
			t.Errorf("%s: what can be read has %d bytes, the body %d", name, len(got), len(body))
		}
	}
}

func FuzzOf(f *testing.F) {
	f.Add(longGuide(), "setup")
	f.Add("# 1\n## 1\n", "1")
	f.Add(prose(17_000), "part 2")
	f.Fuzz(func(t *testing.T, body, section string) {
		e, err := excerpt.Of(body, section)
		if err == nil && e.Outline == nil && (len(e.Text) > excerpt.Max || !strings.Contains(body, e.Text)) {
			t.Errorf("Of(%q) = %d bytes that are not a piece of the body", section, len(e.Text))
		}
		for _, p := range e.Outline {
			if _, err := excerpt.Of(body, p.Section); err != nil {
				t.Errorf("Of(%q), which the outline lists = %v", p.Section, err)
			}
		}
	})
}
