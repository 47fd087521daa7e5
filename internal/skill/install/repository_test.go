package install_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill"
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

// Without git the archive of the host is used. Its comment has the commit.
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

// hostileTree returns a repository whose tree is the skill ab below folders in folders: width folders with
// the same content at each of depth levels. It takes some kilobytes, because equal folders are stored once.
func hostileTree(t *testing.T, width, depth int) (repository string) {
	t.Helper()
	dir := t.TempDir()
	git := func(input string, args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Stdin = strings.NewReader(input)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %q: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	git("", "init", "--quiet")
	tree := git("100644 blob "+git(skilltest.SkillFile("ab"), "hash-object", "-w", "--stdin")+"\tSKILL.md\n", "mktree")
	for range depth {
		entries := ""
		for i := range width {
			entries += fmt.Sprintf("040000 tree %s\tfolder-with-a-long-name-%d\n", tree, i)
		}
		tree = git(entries, "mktree")
	}
	git("", "update-ref", "HEAD", git("", "commit-tree", tree, "-m", "all"))
	return dir
}

// A small repository whose files would fill the disk is refused before git writes them.
func TestFetch_ATreeThatWouldFillTheDiskIsNotCheckedOut(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	for _, row := range []struct {
		name         string
		width, depth int
		wantErr      string
	}{
		{"an ordinary repository", 2, 2, ""},
		{"folders in folders, 16 million files", 8, 8, "more than 20000 files"},
		{"a path that no system can open", 1, 60, "a path is longer than 1024 bytes"},
	} {
		t.Run(row.name, func(t *testing.T) {
			repository, err := install.ParseRepository(hostileTree(t, row.width, row.depth))
			if err != nil {
				t.Fatal(err)
			}
			fetched, err := installer(t, t.TempDir()).Fetch(t.Context(), install.Fetcher{}, repository)
			switch {
			case row.wantErr == "" && (err != nil || len(fetched.Offers) == 0):
				t.Errorf("Fetch = %+v, %v", fetched, err)
			case row.wantErr != "" && (!errors.Is(err, skill.ErrSizeLimit) || !strings.Contains(err.Error(), row.wantErr)):
				t.Errorf("Fetch = %v, want %q", err, row.wantErr)
			}
		})
	}
}
