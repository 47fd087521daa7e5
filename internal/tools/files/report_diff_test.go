package files_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/files"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// replaceReport is what the user is shown when a report takes the place of a file.
func replaceReport(t *testing.T, before, after string) tool.Approval {
	t.Helper()
	d, _ := newFixture(t, map[string]string{"work/r.md": before})
	user := &toolstest.ApprovingUser{Allow: false, Scope: tool.Session}
	router := user.Router(t, files.Tools(d))
	toolstest.CallRouter(t, router, "write_report", args{"path": "r.md", "content": after, "replace": true})
	if len(user.Approvals) != 1 {
		t.Fatalf("asked %d times, want once", len(user.Approvals))
	}
	return user.Approvals[0]
}

// The lines match those of GNU diff -u 3.8 for the same files, below its two header lines.
func TestWriteReport_ShowsWhatItChangesOfAFile(t *testing.T) {
	got := replaceReport(t, "# AAPL\n\nold price\n\nline 1\nline 2\nline 3\nline 4\nline 5\nline 6\nlast\n",
		"# AAPL\n\nnew price\n\nline 1\nline 2\nline 3\nline 4\nline 5\nline 6\nlast\nafter\n")
	want := []string{
		"@@ -1,6 +1,6 @@", " # AAPL", " ", "-old price", "+new price", " ", " line 1", " line 2",
		"@@ -9,3 +9,4 @@", " line 5", " line 6", " last", "+after",
	}
	if diff := cmp.Diff(want, got.Changes); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	if plan := strings.Join(got.Plan, "\n"); strings.Contains(plan, "| # AAPL") || !strings.Contains(plan, "replaces ") {
		t.Errorf("the beginning stands beside the changes:\n%s", plan)
	}
}

func TestWriteReport_ChangesAreBoundedAndSayWhatIsLeftOut(t *testing.T) {
	long := strings.Repeat("x", 1000)
	got := replaceReport(t, "a\n"+long, strings.Repeat("new\n", 500)).Changes
	if n := len(got); n != 201 || got[200] != "(304 more lines of changes are not shown)" {
		t.Fatalf("%d lines, the last %q; want 200 and how many more", n, got[n-1])
	}
	if want := "-" + long[:400] + " … and 600 more characters"; got[2] != want || got[3] != "(no line break at the end)" {
		t.Errorf("a long last line is shown as %q, %q", got[2], got[3])
	}
}

func TestWriteReport_WhatIsNoTextOrTheSameShowsTheBeginning(t *testing.T) {
	for name, before := range map[string]string{
		"no text": "\x00\x01\x02", "the same": "text\n", "too long": strings.Repeat("line\n", 400_000),
	} {
		got := replaceReport(t, before, "text\n")
		if plan := strings.Join(got.Plan, "\n"); got.Changes != nil || !strings.Contains(plan, "| text") {
			t.Errorf("%s: changes %q with the plan\n%s", name, got.Changes, plan)
		}
	}
}

func TestWriteReport_ANewFileChangesNothing(t *testing.T) {
	d, _ := newFixture(t, nil)
	user := &toolstest.ApprovingUser{Allow: false, Scope: tool.Session}
	router := user.Router(t, files.Tools(d))
	toolstest.CallRouter(t, router, "write_report", args{"path": "r.md", "content": "text"})
	if len(user.Approvals) != 1 || user.Approvals[0].Changes != nil {
		t.Errorf("asked %+v, want no changes", user.Approvals)
	}
}

// The unchanged and added lines are the new file, and the unchanged and removed lines the old one,
// as far as they are shown.
func TestWriteReport_ChangesLeadFromTheOldFileToTheNew(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	file := func() string {
		var b strings.Builder
		for range 1 + rng.IntN(20) {
			b.WriteString(string(rune('a'+rng.IntN(6))) + "\n")
		}
		return b.String()
	}
	for range 60 {
		before, after := file(), file()
		if patched := applyPatch(t, before, files.UnifiedDiff(before, after)); patched != after {
			t.Fatalf("seed %d: from\n%s\nthe changes lead to\n%s\nwant\n%s", seed, before, patched, after)
		}
	}
}

// applyPatch applies the lines of a unified diff.
func applyPatch(t *testing.T, before string, changes []string) string {
	t.Helper()
	old, at := strings.SplitAfter(before, "\n"), 0
	var out strings.Builder
	for _, line := range changes {
		switch line[0] {
		case '@':
			var start, length int
			if _, err := fmt.Sscanf(line, "@@ -%d,%d", &start, &length); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			if length == 0 {
				start++
			}
			for ; at < start-1; at++ {
				out.WriteString(old[at])
			}
		case '+':
			out.WriteString(line[1:] + "\n")
		default:
			if old[at] != line[1:]+"\n" {
				t.Fatalf("%q is said of line %d, which is %q", line, at+1, old[at])
			}
			if line[0] == ' ' {
				out.WriteString(old[at])
			}
			at++
		}
	}
	for ; at < len(old); at++ {
		out.WriteString(old[at])
	}
	return out.String()
}

func TestWriteReport_ChangesAreOfTheFileThatIsThere(t *testing.T) {
	d, dir := newFixture(t, map[string]string{"work/r.md": "one\n"})
	user := &toolstest.ApprovingUser{Allow: true, Scope: tool.Session}
	router := user.Router(t, files.Tools(d))
	toolstest.CallRouter(t, router, "write_report", args{"path": "r.md", "content": "two", "replace": true})
	if got, err := os.ReadFile(filepath.Join(dir, "work", "r.md")); err != nil || string(got) != "two\n" {
		t.Fatalf("wrote %q, %v", got, err)
	}
	if diff := cmp.Diff([]string{"@@ -1,1 +1,1 @@", "-one", "+two"}, user.Approvals[0].Changes); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}
