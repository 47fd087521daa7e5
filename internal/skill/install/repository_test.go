package install_test

import (
	"archive/zip"
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

func TestParseRepository(t *testing.T) {
	for _, row := range []struct {
		written string
		want    install.Repository
	}{
		{"anthropics/skills", install.Repository{URL: "https://github.com/anthropics/skills"}},
		{"owner/repo@v1.2", install.Repository{URL: "https://github.com/owner/repo", Ref: "v1.2"}},
		{"https://github.com/owner/repo.git", install.Repository{URL: "https://github.com/owner/repo.git"}},
		{"https://github.com/owner/repo/tree/main/skills/a", install.Repository{URL: "https://github.com/owner/repo", Ref: "main"}},
		{"https://gitlab.com/group/sub/repo@abc1234", install.Repository{URL: "https://gitlab.com/group/sub/repo", Ref: "abc1234"}},
		{"git@github.com:owner/repo.git", install.Repository{URL: "git@github.com:owner/repo.git"}},
		{"file:///srv/skills@v2", install.Repository{URL: "file:///srv/skills", Ref: "v2"}},
	} {
		got, err := install.ParseRepository(row.written)
		if err != nil || got != row.want {
			t.Errorf("ParseRepository(%q) = %+v, %v, want %+v", row.written, got, err, row.want)
		}
	}
	for _, bad := range []string{"", "repo", "ext::sh -c id", "http://example.com/a/b", "-x/y", "owner/repo@-x", "https://me:secret@example.com/a/b", "https://example.com"} {
		if got, err := install.ParseRepository(bad); err == nil {
			t.Errorf("ParseRepository(%q) = %+v, want an error", bad, got)
		}
	}
}

// K38: without git the archive of the host is used. Its comment has the commit.
func TestK38_WithoutGitTheHostsArchiveIsUsed(t *testing.T) {
	packed := func(commit, body string) []byte {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for name, text := range map[string]string{
			"repo-x/README.md": "read me", "repo-x/skills/ab/SKILL.md": skilltest.SkillFile("ab") + body, "repo-x/skills/ab/references/x.md": "x",
		} {
			f, err := w.Create(name)
			if err == nil {
				_, err = f.Write([]byte(text))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.SetComment(commit); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	first, second := strings.Repeat("a", 40), strings.Repeat("b", 40)
	archive := packed(first, "One.\n")
	var asked []string
	f := install.Fetcher{Git: "none", Get: func(_ context.Context, url string) ([]byte, error) {
		asked = append(asked, url)
		return archive, nil
	}}
	i := installer(t, t.TempDir())
	lock := install.OpenLock(t.TempDir())
	i.Lock = &lock
	fetched, err := i.Fetch(t.Context(), f, install.Repository{URL: "https://github.com/owner/repo"})
	if err != nil || len(fetched.Offers) != 1 || fetched.Commit != first {
		t.Fatalf("Fetch = %+v, %v", fetched, err)
	}
	if _, err := i.Install(fetched, []string{"ab"}, install.Options{}); err != nil {
		t.Fatal(err)
	}
	archive = packed(second, "Two.\n")
	rows, err := i.Outdated(t.Context(), f)
	if err != nil || len(rows) != 1 || !rows[0].Outdated || rows[0].Commit != first || rows[0].Available != second || rows[0].Modified {
		t.Fatalf("Outdated = %+v, %v", rows, err)
	}
	u, err := i.PlanUpdate(t.Context(), f, "ab")
	if err != nil || !strings.Contains(strings.Join(u.Diff, "\n"), "-One.\n+Two.") {
		t.Fatalf("PlanUpdate = %+v, %v", u.Diff, err)
	}
	if _, err := i.Apply(u); err != nil {
		t.Fatal(err)
	}
	if _, err := i.Rollback("ab"); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, i.Dir)["ab/SKILL.md"]; !strings.HasSuffix(got, "One.\n") {
		t.Errorf("after the rollback: %q", got)
	}
	if diff := cmp.Diff("https://codeload.github.com/owner/repo/zip/HEAD", asked[0]); diff != "" {
		t.Error(diff)
	}
}
