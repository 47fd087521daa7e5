package agent_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/frontmatter"
)

const userProfile = "---\nname: contrarian\ndescription: Argues the other side\ntools: [quote, calculate]\nmodel: custom/big\n---\n\nArgue against me.\n"

// profileFolder creates a folder with agent files.
func profileFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func profileNames(r *agent.Profiles) string {
	var all []string
	for _, p := range r.List() {
		all = append(all, p.Name)
	}
	return strings.Join(all, " ")
}

func TestK28_TheBuiltInAgentsAreThereWithoutAnyFolder(t *testing.T) {
	r := agent.LoadProfiles(filepath.Join(t.TempDir(), "none"))
	if got := profileNames(r); got != "advisor analyst planner portfolio-manager" || len(r.Errors()) > 0 {
		t.Errorf("agents = %s, faults %v", got, r.Errors())
	}
	for _, p := range r.List() {
		if p.Source != agent.ProfileBuiltin || p.Description == "" || p.Instructions == "" || len(p.Warnings) > 0 || p.Model != "" {
			t.Errorf("%s = %+v, want a description, instructions and no warning", p.Name, p)
		}
	}
	if _, ok := r.Lookup(agent.DefaultProfile); !ok {
		t.Errorf("the default, %s, is not there", agent.DefaultProfile)
	}
}

func TestK28_AnAgentIsAFileOfTheUser(t *testing.T) {
	dir := profileFolder(t, map[string]string{
		"contrarian.md": userProfile,
		"advisor.md":    "---\ndescription: mine\n---\nBe brief.\n",
		"notes.txt":     "no agent", ".hidden.md": "no agent",
	})
	r := agent.LoadProfiles(dir)
	if got := profileNames(r); got != "advisor analyst contrarian planner portfolio-manager" || len(r.Errors()) > 0 {
		t.Fatalf("agents = %s, faults %v", got, r.Errors())
	}
	got, _ := r.Lookup("contrarian")
	want := agent.Profile{
		Name: "contrarian", Description: "Argues the other side", Tools: []string{"quote", "calculate"}, Model: "custom/big",
		Instructions: "Argue against me.", Source: agent.ProfileUser, Path: filepath.Join(dir, "contrarian.md"), Text: userProfile,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("contrarian (-want +got):\n%s", diff)
	}
	own, _ := r.Lookup("advisor")
	if own.Overrides != agent.ProfileBuiltin || own.Instructions != "Be brief." {
		t.Errorf("advisor = %+v, want the user's, in the place of the built-in one", own)
	}
}

func TestK28_SkillIsAlwaysTheirs(t *testing.T) {
	p, err := agent.ParseProfile([]byte("---\ndescription: d\ntools: []\n---\nx"), "bare")
	if err != nil {
		t.Fatal(err)
	}
	for tool, want := range map[string]bool{"Skill": true, "read_skill_file": true, "quote": false} {
		if p.Allows(tool) != want {
			t.Errorf("an agent without tools may use %s: %v, want %v", tool, !want, want)
		}
	}
	p.Tools = nil
	if !p.Allows("quote") {
		t.Error("an agent that names no tools may not use quote")
	}
}

func TestK28_AFileThatIsNoAgentIsAFaultAndTheOthersStand(t *testing.T) {
	faults := map[string]struct {
		content string
		want    error
	}{
		"plain.md":   {"Just text.", frontmatter.ErrMissing},
		"open.md":    {"---\nname: x\n", frontmatter.ErrMissing},
		"yaml.md":    {"---\ntools: [x\n---\nz", frontmatter.ErrMalformed},
		"alias.md":   {"---\nname: &a x\ndescription: *a\n---\nz", frontmatter.ErrAliases},
		"empty.md":   {"---\nname: empty\n---\n\n", agent.ErrNoInstructions},
		"slash.md":   {"---\nname: ../etc\n---\nz", agent.ErrProfileName},
		"bidi.md":    {"---\nname: \"a\\u202eb\"\n---\nz", agent.ErrProfileName},
		"large.md":   {"---\nname: large\n---\n" + strings.Repeat("x", agent.MaxProfileSize), agent.ErrProfileTooLarge},
		"latin.md":   {"---\nname: latin\n---\n\xff", agent.ErrProfileNotUTF8},
		"twin.md":    {"---\nname: twin\n---\nfirst", nil},
		"twin-2.md":  {"---\nname: twin\n---\nsecond", agent.ErrProfileName},
		"working.md": {"---\ndescription: d\n---\nz", nil},
	}
	files, broken := map[string]string{}, 0
	for name, f := range faults {
		files[name] = f.content
		if f.want != nil {
			broken++
		}
	}
	dir := profileFolder(t, files)
	r := agent.LoadProfiles(dir)
	if got := profileNames(r); got != "advisor analyst planner portfolio-manager twin working" {
		t.Errorf("agents = %s", got)
	}
	if len(r.Errors()) != broken {
		t.Errorf("%d faults, want %d: %v", len(r.Errors()), broken, r.Errors())
	}
	for _, f := range r.Errors() {
		name := filepath.Base(f.Path)
		if name == "twin.md" { // either of the two comes first
			name = "twin-2.md"
		}
		if want := faults[name].want; !errors.Is(f.Err, want) || f.Fix == "" {
			t.Errorf("%s: %v (%s), want %v and how to mend it", name, f.Err, f.Fix, want)
		}
	}
}

func TestK28_APipeInTheFolderIsNotWaitedFor(t *testing.T) {
	dir := t.TempDir()
	if runtime.GOOS == "windows" {
		t.Skip("no named pipes in folders here")
	}
	if err := os.Symlink("/dev/null", filepath.Join(dir, "null.md")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if faults := agent.LoadProfiles(dir).Errors(); len(faults) != 1 || !errors.Is(faults[0].Err, agent.ErrProfileNotRegular) {
		t.Errorf("faults = %v, want one file that is not ordinary", faults)
	}
}

func TestK28_WhatMeansNothingIsSaid(t *testing.T) {
	p, err := agent.ParseProfile([]byte("---\ncolour: red\ntools: 7\n---\nz"), "odd")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(p.Warnings, "; "); !strings.Contains(got, "tools is not a list") || !strings.Contains(got, "unknown key colour") || !strings.Contains(got, "no description") {
		t.Errorf("warnings = %s", got)
	}
}

func FuzzParseProfile(f *testing.F) {
	for _, seed := range []string{userProfile, "---\n---\nx", "---\nname: a b\ntools: x(y z), q\n---\r\nbody", "---\nmodel: {a: 1}\n---\nx"} {
		f.Add([]byte(seed), "file")
	}
	f.Fuzz(func(t *testing.T, content []byte, name string) {
		p, err := agent.ParseProfile(content, name)
		if err == nil && (p.Name == "" || p.Instructions == "" || strings.ContainsAny(p.Name, "/\\ \n\"") || !p.Allows("Skill")) {
			t.Errorf("Parse accepted %+v", p)
		}
	})
}

func TestFindProfile_IsTheOneThatIsListed(t *testing.T) {
	own := t.TempDir()
	if err := os.WriteFile(filepath.Join(own, "advisor.md"), []byte("---\nname: advisor\ndescription: mine\n---\nMine.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{filepath.Join(t.TempDir(), "none"), own} {
		for _, want := range agent.LoadProfiles(dir).List() {
			if got, ok := agent.FindProfile(dir, want.Name); !ok || !reflect.DeepEqual(got, want) {
				t.Errorf("FindProfile(%q) = %+v, %v; want %+v", want.Name, got, ok, want)
			}
		}
		for _, name := range []string{"nobody", "", "../advisor", "x/../advisor"} {
			if _, ok := agent.FindProfile(dir, name); ok {
				t.Errorf("FindProfile(%q) finds an agent", name)
			}
		}
	}
}
