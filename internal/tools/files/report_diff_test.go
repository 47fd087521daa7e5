package files_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/files"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// replaceReport returns what the user is shown when a report replaces a file.
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
	if want := "Replace r.md? 66 bytes become 72 bytes; 1 line removed, 2 added."; got.Question != want || got.Pattern != "" {
		t.Errorf("the question is %q, always %q; want %q and no always", got.Question, got.Pattern, want)
	}
}

// Nothing is cut, in a change or a new file.
func TestWriteReport_TheQuestionHasEveryLine(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	got := replaceReport(t, "a\n"+long, strings.Repeat("new\n", 500)).Changes
	if n := len(got); n != 504 || got[2] != "-"+long || got[3] != "(no line break at the end)" || got[n-1] != "+new" {
		t.Fatalf("%d lines, the last %q", n, got[n-1])
	}
	d, _ := newFixture(t, nil)
	user := &toolstest.ApprovingUser{}
	router := user.Router(t, files.Tools(d))
	for n := range 250 {
		content := "# Apple\n\n\n\n\n" + strings.Repeat("line\n\n", n) + "HIDDENTAIL"
		toolstest.CallRouter(t, router, "write_report", args{"path": "r.md", "content": content})
		asked := user.Approvals[len(user.Approvals)-1]
		lines := asked.Changes
		if want := 6 + 2*n; len(lines) != want || lines[want-1] != "+HIDDENTAIL" || !strings.HasPrefix(asked.Question, fmt.Sprintf("Write r.md? %s lines, ", humanize.Number(want))) {
			t.Fatalf("%d lines of %d, the question %q", len(lines), want, asked.Question)
		}
	}
}

func TestWriteReport_WhatIsNoTextOrTooLongShowsTheNewText(t *testing.T) {
	for name, row := range map[string]struct {
		before string
		want   []string
	}{
		"no text": {"\x00\x01\x02", []string{"+text"}}, "the same": {"text\n", nil}, "too long": {strings.Repeat("line\n", 400_000), []string{"+text"}},
	} {
		if got := replaceReport(t, row.before, "text\n"); !slices.Equal(got.Changes, row.want) {
			t.Errorf("%s: changes %q, want %q", name, got.Changes, row.want)
		}
	}
}

// Files that other programs follow are never covered by a permission.
func TestWriteReport_InstructionFilesAreAlwaysAskedFor(t *testing.T) {
	for name, instructions := range map[string]bool{
		"notes.md": false, "apple-2026.md": false, "CLAUDE.md": true, "AGENTS.md": true, "agents.MD": true, "README.md": true, "GEMINI.md": true,
		"copilot-instructions.md": true, "review.prompt.md": true, "rules.md": true,
	} {
		d, _ := newFixture(t, nil)
		user := &toolstest.ApprovingUser{}
		router, err := tool.NewRouter(files.Tools(d), tool.Options{Rules: allowEverything{}, Approver: tool.ApproverFunc(func(_ context.Context, a tool.Approval) (tool.Answer, error) {
			user.Approvals = append(user.Approvals, a)
			return tool.Answer{}, nil
		})})
		if err != nil {
			t.Fatal(err)
		}
		toolstest.CallRouter(t, router.PreApproved(), "write_report", args{"path": name, "content": "text"})
		toolstest.CallRouter(t, router, "write_report", args{"path": name, "content": "text", "replace": true})
		if asked := len(user.Approvals) > 0; asked != instructions && instructions || asked && user.Approvals[0].Pattern != "" {
			t.Errorf("%s: asked %+v, want %v and never always", name, user.Approvals, instructions)
		}
	}
}

// allowEverything stores a permission for each pattern.
type allowEverything struct{}

func (allowEverything) Allows(string, string) bool                  { return true }
func (allowEverything) Allow(context.Context, string, string) error { return nil }

// The unchanged and added lines are those of the new file, and the unchanged and removed lines those of the
// old one.
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
