package tool_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/tool"
)

func permissionTime() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

func openTestPermissions(t *testing.T, home string) *tool.Permissions {
	t.Helper()
	r, err := tool.OpenPermissions(home, permissionTime)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestPermissions_AllowOnlyWhatWasSaved(t *testing.T) {
	home := filepath.Join(t.TempDir(), "not", "yet")
	r := openTestPermissions(t, home)
	if r.Allows("write_report", "/r/*.md") {
		t.Error("allowed before anyone said so")
	}
	for range 2 {
		if err := r.Allow(t.Context(), "write_report", "/r/*.md"); err != nil {
			t.Fatal(err)
		}
	}
	for _, of := range []*tool.Permissions{r, openTestPermissions(t, home)} {
		if !of.Allows("write_report", "/r/*.md") || of.Allows("write_report", "/*.md") || of.Allows("other", "/r/*.md") || len(of.List()) != 1 {
			t.Errorf("rules = %+v", of.List())
		}
	}
	if info, err := os.Stat(filepath.Join(home, "approvals.json")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v; want access only for the user", info.Mode(), err)
	}
}

func TestPermissions_CanBeRevoked(t *testing.T) {
	home := t.TempDir()
	r := openTestPermissions(t, home)
	for _, rule := range [][2]string{{"a", "1"}, {"a", "2"}, {"b", "1"}} {
		if err := r.Allow(t.Context(), rule[0], rule[1]); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := r.Remove(t.Context(), "a", "2"); n != 1 || err != nil || r.Allows("a", "2") || !r.Allows("a", "1") {
		t.Errorf("Remove = %d, %v; rules %+v", n, err, r.List())
	}
	if n, err := openTestPermissions(t, home).Remove(t.Context(), "b", ""); n != 1 || err != nil {
		t.Errorf("Remove of a tool = %d, %v", n, err)
	}
	if got := openTestPermissions(t, home).List(); len(got) != 1 || got[0].Tool != "a" {
		t.Errorf("left = %+v", got)
	}
}

// Revoking a permission in another process also applies to a chat that is already open, and a file
// that has become unreadable allows nothing.
func TestPermissions_RevokedByAnotherProcessNoLongerHold(t *testing.T) {
	home := t.TempDir()
	here, there := openTestPermissions(t, home), openTestPermissions(t, home)
	if err := here.Allow(t.Context(), "a", "1"); err != nil {
		t.Fatal(err)
	}
	if !there.Allows("a", "1") || len(there.List()) != 1 {
		t.Errorf("the other program has %+v, want what was allowed since", there.List())
	}
	if n, err := there.Remove(t.Context(), "a", ""); n != 1 || err != nil {
		t.Fatalf("Remove = %d, %v", n, err)
	}
	if here.Allows("a", "1") || len(here.List()) != 0 {
		t.Errorf("still allowed: %+v", here.List())
	}
	if err := here.Allow(t.Context(), "a", "2"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "approvals.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if here.Allows("a", "2") {
		t.Error("allowed by a file that is not understood")
	}
}

func TestPermissions_AnInvalidFileAllowsNothingAndStays(t *testing.T) {
	for name, text := range map[string]string{
		"not JSON": "{", "an object": `{"tool":"a"}`, "unknown fields": `[{"tool":"a","pattern":"1","all":true}]`,
		"something behind": `[{"tool":"a","pattern":"1"}]]`, "twice": `[{"tool":"a","pattern":"1"}] []`,
		"too large": `[` + strings.Repeat(" ", 1<<20) + `]`,
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			path := filepath.Join(home, "approvals.json")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			r, err := tool.OpenPermissions(home, permissionTime)
			if err == nil || !strings.Contains(err.Error(), path) || r.Allows("a", "1") {
				t.Errorf("OpenPermissions = %v, rules %+v; want the file named and nothing allowed", err, r.List())
			}
			if err := r.Allow(t.Context(), "a", "1"); err == nil {
				t.Error("Allow wrote over it")
			}
			if now, err := os.ReadFile(path); err != nil || string(now) != text {
				t.Errorf("the file became %q, %v", now, err)
			}
		})
	}
}

func TestPermissions_TwoProcessesLoseNothing(t *testing.T) {
	home := t.TempDir()
	var wg sync.WaitGroup
	for p := range 4 {
		r := openTestPermissions(t, home)
		wg.Go(func() {
			for i := range 5 {
				if err := r.Allow(t.Context(), "tool", fmt.Sprint(p, "-", i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got := openTestPermissions(t, home).List(); len(got) != 20 {
		t.Errorf("%d rules, want 20", len(got))
	}
}
