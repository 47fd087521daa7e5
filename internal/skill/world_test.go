package skill_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/skill"
)

// files are the contents of a folder by path.
type files map[string]string

// write lays out files below a new folder.
func (f files) write(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range f {
		put(t, dir, name, content)
	}
	return dir
}

func put(t testing.TB, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func link(t testing.TB, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
}

// named is a small valid SKILL.md.
func named(name string) string {
	return "---\nname: " + name + "\ndescription: Does " + name + "\n---\n\n# " + name + "\n"
}

func user(dir string) skill.Root {
	return skill.Root{Dir: dir, Source: skill.SourceUser, Create: true}
}

// scanned opens a registry over roots and keeps its log.
func scanned(t testing.TB, roots ...skill.Root) (*skill.Registry, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	return skill.Open(skill.Options{Roots: roots, Log: zerolog.New(&log)}), &log
}

func namesOf(skills []skill.Skill) string {
	var names []string
	for _, s := range skills {
		names = append(names, s.Name)
	}
	return strings.Join(names, " ")
}

func wantNames(t testing.TB, skills []skill.Skill, want string) {
	t.Helper()
	if got := namesOf(skills); got != want {
		t.Errorf("skills = %q, want %q", got, want)
	}
}

// onlySkipped is the one diagnostic of a file that is not used.
func onlySkipped(t testing.TB, r *skill.Registry) skill.Diagnostic {
	t.Helper()
	var skipped []skill.Diagnostic
	for _, d := range r.Diagnostics() {
		if d.Skipped() {
			skipped = append(skipped, d)
		}
	}
	if len(skipped) != 1 {
		t.Fatalf("skipped = %+v, want one", skipped)
	}
	return skipped[0]
}
