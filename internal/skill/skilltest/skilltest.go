// Package skilltest creates folders of skills for tests.
package skilltest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/skill"
)

// RunInMemory runs tests with temporary folders in a memory file system, if there is one, because
// they write and sync many files.
func RunInMemory(m *testing.M) int {
	if dir, err := os.MkdirTemp("/dev/shm", "nfa-test-*"); err == nil {
		defer func() { _ = os.RemoveAll(dir) }()
		_ = os.Setenv("TMPDIR", dir)
	}
	return m.Run()
}

// Files maps paths to file contents.
type Files map[string]string

// Write writes the files to a new folder and returns it.
func (f Files) Write(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range f {
		PutFile(t, dir, name, content)
	}
	return dir
}

// PutFile writes a file below dir and creates its folders.
func PutFile(t testing.TB, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Link creates a symbolic link, or skips the test if links are not supported.
func Link(t testing.TB, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
}

// SkillFile returns a small valid SKILL.md.
func SkillFile(name string) string {
	return "---\nname: " + name + "\ndescription: Does " + name + "\n---\n\n# " + name + "\n"
}

// UserRoot returns the root of a user's folder, which is created if missing.
func UserRoot(dir string) skill.Root {
	return skill.Root{Dir: dir, Source: skill.SourceUser, Create: true}
}

// OpenRegistry opens a registry over roots and returns its log.
func OpenRegistry(t testing.TB, roots ...skill.Root) (*skill.Registry, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	return skill.Open(skill.Options{Roots: roots, Log: zerolog.New(&log)}), &log
}

// NamesOf returns the names of skills in order, separated by spaces.
func NamesOf(skills []skill.Skill) string {
	var names []string
	for _, s := range skills {
		names = append(names, s.Name)
	}
	return strings.Join(names, " ")
}

// WantNames compares the names of skills, in order.
func WantNames(t testing.TB, skills []skill.Skill, want string) {
	t.Helper()
	if got := NamesOf(skills); got != want {
		t.Errorf("skills = %q, want %q", got, want)
	}
}

// WantOneSkipped returns the only diagnostic of a skipped file.
func WantOneSkipped(t testing.TB, r *skill.Registry) skill.Diagnostic {
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

// SkillFileWith returns a SKILL.md with additional front matter lines.
func SkillFileWith(lines ...string) string {
	return "---\nname: a-b\ndescription: d\n" + strings.Join(lines, "\n") + "\n---\nbody\n"
}
