package frontmatter_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/frontmatter"
)

// fieldsOf reads the front matter that begins on the second line of a file.
func fieldsOf(t *testing.T, src string) *frontmatter.Fields {
	t.Helper()
	m, err := frontmatter.Read([]byte(src), 2)
	if err != nil {
		t.Fatalf("Read(%q) = %v", src, err)
	}
	return &frontmatter.Fields{Matter: m}
}

func TestFields_TextIsAsWritten(t *testing.T) {
	for _, row := range []struct{ src, want string }{
		{"v: 1.10", "1.10"}, {"v: 007", "007"}, {"v: yes", "yes"}, {"v: true", "true"}, {"v: 2026-01-31", "2026-01-31"},
		{"v: '  wide  '", "wide"}, {"v:", ""}, {"v: null", ""}, {"other: x", ""}, {"v: |\n  two\n  lines\n", "two\nlines"},
	} {
		f := fieldsOf(t, row.src)
		if got := f.Text("v"); got != row.want || len(f.Warnings) > 0 {
			t.Errorf("Text of %q = %q, warnings %q; want %q", row.src, got, f.Warnings, row.want)
		}
		if got, want := f.TextOr("v", "otherwise"), row.want; got != want && (want != "" || got != "otherwise") {
			t.Errorf("TextOr of %q = %q", row.src, got)
		}
	}
}

func TestFields_OnlyAHintIsWrittenInBrackets(t *testing.T) {
	f := fieldsOf(t, "argument-hint: [file, language]\nname: [a, b]\n")
	if got := f.Text("argument-hint"); got != "[file, language]" || len(f.Warnings) > 0 {
		t.Errorf("argument-hint = %q, warnings %q; want it as written", got, f.Warnings)
	}
	if got := f.Text("name"); got != "" || len(f.Warnings) != 1 || f.Warnings[0] != "name is not text and was ignored" {
		t.Errorf("a name that is a list = %q, warnings %q", got, f.Warnings)
	}
}

func TestFields_AListIsWrittenInAnyOfThreeWays(t *testing.T) {
	want := []string{"Read", "Bash(git log, git diff)", "quote"}
	for _, src := range []string{
		"v: Read, Bash(git log, git diff) quote", "v: [Read, \"Bash(git log, git diff)\", quote]",
		"v:\n  - Read\n  - Bash(git log, git diff)\n  -\n  - quote\n", "v: |\n  Read\n  Bash(git log, git diff)\tquote\n",
	} {
		f := fieldsOf(t, src)
		if diff := cmp.Diff(want, f.List("v")); diff != "" || len(f.Warnings) > 0 {
			t.Errorf("List of %q, warnings %q (-want +got):\n%s", src, f.Warnings, diff)
		}
	}
	for src, warnings := range map[string]int{"v:": 0, "x: 1": 0, "v: 3": 1, "v: {a: b}": 1} {
		f := fieldsOf(t, src)
		if got := f.List("v"); got != nil || len(f.Warnings) != warnings {
			t.Errorf("List of %q = %q, warnings %q; want none and %d", src, got, f.Warnings, warnings)
		}
	}
	if got := fieldsOf(t, "v: a) b (c d").List("v"); len(got) != 3 {
		t.Errorf("List of a parenthesis too many = %q, want a), b and the open one", got)
	}
}

func TestFields_ABooleanHasAFallback(t *testing.T) {
	for _, row := range []struct {
		src       string
		otherwise bool
		want      bool
		warnings  int
	}{
		{"v: true", false, true, 0}, {"v: false", true, false, 0}, {"v: \"false\"", true, false, 0}, {"v: \"1\"", false, true, 0},
		{"v:", true, true, 0}, {"x: 1", true, true, 0}, {"x: 1", false, false, 0}, {"v: maybe", true, true, 1}, {"v: 1", false, false, 1}, {"v: [true]", false, false, 1},
	} {
		f := fieldsOf(t, row.src)
		if got := f.Boolean("v", row.otherwise); got != row.want || len(f.Warnings) != row.warnings {
			t.Errorf("Boolean of %q, otherwise %v = %v, warnings %q; want %v and %d", row.src, row.otherwise, got, f.Warnings, row.want, row.warnings)
		}
	}
}

func TestFields_DatesAndAges(t *testing.T) {
	const day = 24 * time.Hour
	for src, want := range map[string]time.Duration{
		"v: 90d": 90 * day, "v: 12w": 84 * day, "v: 1y": 365 * day, "v: 0d": 0, "v: 36500d": 36500 * day, "v:": 0,
	} {
		f := fieldsOf(t, src)
		if got := f.Age("v"); got != want || len(f.Warnings) > 0 {
			t.Errorf("Age of %q = %s, warnings %q; want %s", src, got, f.Warnings, want)
		}
	}
	for _, src := range []string{"v: 90", "v: d", "v: -1d", "v: 36501d", "v: 99999999999d", "v: 1.5y", "v: 90D", "v: 3日", "v: [1d]"} {
		f := fieldsOf(t, src)
		if got := f.Age("v"); got != 0 || len(f.Warnings) != 1 {
			t.Errorf("Age of %q = %s, warnings %q; want none, and one warning", src, got, f.Warnings)
		}
	}
	for src, want := range map[string]string{"v: 2026-01-31": "2026-01-31", "v: \"2024-02-29\"": "2024-02-29", "v: 2026-02-30": "", "v: 31.01.2026": "", "v:": ""} {
		f := fieldsOf(t, src)
		got := f.Date("v")
		if want == "" && !got.IsZero() || want != "" && got.Format(time.DateOnly) != want || (len(f.Warnings) > 0) != (want == "" && src != "v:") {
			t.Errorf("Date of %q = %s, warnings %q; want %q", src, got, f.Warnings, want)
		}
	}
}

func TestFields_UnreadReturnsTheOtherFields(t *testing.T) {
	f := fieldsOf(t, "name: x\nlicense: MIT\nmap: {a: 1, 2: b, deep: {c: [d]}}\n")
	f.Text("name")
	if got := f.Mapping("map"); got["2"] != "b" || got["deep"].(map[string]any)["c"].([]any)[0] != "d" {
		t.Errorf("Mapping = %v; want keys that are text at every level", got)
	}
	if diff := cmp.Diff(map[string]any{"license": "MIT"}, f.Unread()); diff != "" {
		t.Errorf("Rest (-want +got):\n%s", diff)
	}
	if _, found := f.Matter.Values["name"]; !found {
		t.Error("the rest took the name out of the matter")
	}
}
