package skill_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/frontmatter"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

// The scenarios of the skill system's specification, one test each.

func TestK1_Scenario_ValidSkillDirectoryExists(t *testing.T) {
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(skilltest.Files{"get-price/SKILL.md": skilltest.SkillFile("get-price")}.Write(t)))
	if s, ok := r.Lookup("get-price"); !ok || s.Alias != "get-price" || s.Source != skill.SourceUser {
		t.Errorf("Lookup(get-price) = %+v, %v; want the user's skill", s, ok)
	}
}

func TestK1_Scenario_NonSkillDirectoryIgnored(t *testing.T) {
	r, log := skilltest.OpenRegistry(t, skilltest.UserRoot(skilltest.Files{"test.txt": "not a skill", "SKILL.md": skilltest.SkillFile("stray")}.Write(t)))
	skilltest.WantNames(t, r.List(), "")
	if log.Len() > 0 || len(r.Diagnostics()) > 0 {
		t.Errorf("a plain file is worth no word, got %s", log)
	}
}

func TestK5_Scenario_ValidSkillMdWithFrontmatter(t *testing.T) {
	s, _, err := skill.Parse([]byte("---\nname: get-price\ndescription: Get asset prices\n---\n"))
	if err != nil || s.Name != "get-price" || s.Description != "Get asset prices" {
		t.Errorf("Parse = %q, %q, %v; want both fields", s.Name, s.Description, err)
	}
}

// wantSkipped checks that a folder with one bad skill and a good one returns the good one, a
// diagnostic, and a log line of that level.
func wantSkipped(t *testing.T, content string, want error, level string) {
	t.Helper()
	dir := skilltest.Files{"bad/SKILL.md": content, "good/SKILL.md": skilltest.SkillFile("good")}.Write(t)
	r, log := skilltest.OpenRegistry(t, skilltest.UserRoot(dir))
	skilltest.WantNames(t, r.List(), "good")
	d := skilltest.WantOneSkipped(t, r)
	if !errors.Is(d.Err, want) || d.Path != filepath.Join(dir, "bad", "SKILL.md") || d.Fix == "" {
		t.Errorf("diagnostic = %+v, want %v for bad/SKILL.md with advice", d, want)
	}
	if !strings.Contains(log.String(), `"level":"`+level+`"`) || !strings.Contains(log.String(), "bad") {
		t.Errorf("log = %s, want a line of level %s that names the file", log, level)
	}
}

func TestK4_Scenario_SkillMdMissingFrontmatter(t *testing.T) {
	wantSkipped(t, "# Just Markdown\n", frontmatter.ErrMissing, "warn")
}

func TestK4_Scenario_SkillMdMissingRequiredFields(t *testing.T) {
	wantSkipped(t, "---\ndescription: Nameless\n---\nText\n", skill.ErrMissingName, "warn")
}

func TestK9_Scenario_ParseSkillWithContent(t *testing.T) {
	text := "---\r\nname: a-b\ndescription: d\n---\n\n# Steps\n1. Look\t\n\n"
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(skilltest.Files{"a-b/SKILL.md": text}.Write(t)))
	content, err := r.Load("a-b")
	if err != nil || content.Text != text || content.Body != "\n# Steps\n1. Look\t\n\n" {
		t.Errorf("Load = %q, body %q, %v; want every byte", content.Text, content.Body, err)
	}
}

func TestK9_Scenario_ParseSkillWithoutContent(t *testing.T) {
	text := "---\nname: bare\ndescription: d\n---"
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(skilltest.Files{"bare/SKILL.md": text}.Write(t)))
	content, err := r.Load("bare")
	if err != nil || content.Text != text || content.Body != "" {
		t.Errorf("Load = %q, body %q, %v; want the front matter alone", content.Text, content.Body, err)
	}
}

func TestK1_Scenario_MultipleSkillsAvailable(t *testing.T) {
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(skilltest.Files{
		"get-price/SKILL.md": skilltest.SkillFile("get-price"), "analyze-trend/SKILL.md": skilltest.SkillFile("analyze-trend"), "send-report/SKILL.md": skilltest.SkillFile("send-report"),
	}.Write(t)))
	skilltest.WantNames(t, r.List(), "analyze-trend get-price send-report")
}

func TestK1_Scenario_EmptySkillsDirectory(t *testing.T) {
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(skilltest.Files{"notes/readme.md": "nothing", "empty/.keep": ""}.Write(t)))
	if skills := r.List(); len(skills) != 0 {
		t.Errorf("List = %v, want none", skills)
	}
}

func TestK1_Scenario_SkillsDirectoryDoesNotExist(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home", "skills")
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(dir))
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder = %v, %v; want one for its owner alone", info, err)
	}
	if len(r.List()) != 0 || len(r.Diagnostics()) != 0 {
		t.Errorf("List = %v, Diagnostics = %v; want none", r.List(), r.Diagnostics())
	}
}

func TestK6_Scenario_GetSkillMetadata(t *testing.T) {
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(skilltest.Files{"get-price/SKILL.md": skilltest.SkillFile("get-price")}.Write(t)))
	if s, ok := r.Lookup("get-price"); !ok || s.Name != "get-price" || s.Description != "Does get-price" {
		t.Errorf("Lookup = %q, %q, %v; want name and description", s.Name, s.Description, ok)
	}
}

func TestK6_Scenario_GetAllSkillMetadata(t *testing.T) {
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(skilltest.Files{"b/SKILL.md": skilltest.SkillFile("bb"), "a/SKILL.md": skilltest.SkillFile("aa")}.Write(t)))
	var got []string
	for _, s := range r.List() {
		got = append(got, s.Name+": "+s.Description)
	}
	if diff := cmp.Diff([]string{"aa: Does aa", "bb: Does bb"}, got); diff != "" {
		t.Errorf("List (-want +got):\n%s", diff)
	}
}

func TestK9_Scenario_RetrieveExistingSkillContent(t *testing.T) {
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(skilltest.Files{"get-price/SKILL.md": skilltest.SkillFile("get-price")}.Write(t)))
	if content, err := r.Load("get-price"); err != nil || content.Text != skilltest.SkillFile("get-price") {
		t.Errorf("Load = %q, %v; want the whole file", content.Text, err)
	}
}

func TestK12_Scenario_RetrieveNonExistentSkill(t *testing.T) {
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(t.TempDir()))
	_, err := r.Load("non-existent")
	var missing *skill.NotFoundError
	if !errors.As(err, &missing) || err.Error() != "Skill 'non-existent' not found" {
		t.Errorf("Load = %v, want Skill 'non-existent' not found", err)
	}
}

func TestK4_Scenario_InvalidYAMLFrontmatter(t *testing.T) {
	wantSkipped(t, "---\nname: bad\ndescription: \"never closed\nmore\n---\n", frontmatter.ErrMalformed, "warn")
}

func TestK4_Scenario_FilePermissionError(t *testing.T) {
	dir := skilltest.Files{"bad/SKILL.md": skilltest.SkillFile("bad"), "good/SKILL.md": skilltest.SkillFile("good")}.Write(t)
	root := skill.Root{Dir: dir, FS: unreadableFS{os.DirFS(dir), "bad/SKILL.md"}, Source: skill.SourceUser}
	r, log := skilltest.OpenRegistry(t, root)
	skilltest.WantNames(t, r.List(), "good")
	if d := skilltest.WantOneSkipped(t, r); !errors.Is(d.Err, os.ErrPermission) || !errors.Is(d.Err, skill.ErrUnreadable) || d.Severity != skill.SeverityError {
		t.Errorf("diagnostic = %+v, want an error of permission", d)
	}
	if !strings.Contains(log.String(), `"level":"error"`) {
		t.Errorf("log = %s, want an error", log)
	}
}

// The same on disk; permissions have no effect if the tests run as root.
func TestK4_Scenario_FilePermissionErrorOnDisk(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	dir := skilltest.Files{"bad/SKILL.md": skilltest.SkillFile("bad")}.Write(t)
	if err := os.Chmod(filepath.Join(dir, "bad", "SKILL.md"), 0); err != nil {
		t.Fatal(err)
	}
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(dir))
	if d := skilltest.WantOneSkipped(t, r); !errors.Is(d.Err, skill.ErrUnreadable) {
		t.Errorf("diagnostic = %+v, want unreadable", d)
	}
}
