package library_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/skill/library"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
	"github.com/nfa-cli/nfa/internal/tool"
)

func TestMain(m *testing.M) { os.Exit(skilltest.RunInMemory(m)) }

// fullLibrary returns a data folder with the built-in skills, the tools they need, and n user
// skills. Its requests use the returned profile, which may be changed.
func fullLibrary(t *testing.T, n int) (*library.Library, *agent.RequestProfile) {
	t.Helper()
	dir := t.TempDir()
	for i := range n {
		name := fmt.Sprintf("recipe-%04d", i)
		description := fmt.Sprintf("Cooks dish%d from what grows in garden%d, with a list of what to buy and how long it takes. Use for %q.", i, i/2, fmt.Sprintf("dinner%d", i))
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, skill.FileName), []byte("---\nname: "+name+"\ndescription: '"+description+"'\n---\nCook.\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	registry := skill.Open(skill.Options{Roots: []skill.Root{skill.Builtin(), {Dir: dir, Source: skill.SourceUser}}, Log: zerolog.Nop()})
	decided, err := skill.OpenState(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var tools []tool.Tool
	for _, s := range registry.List() {
		for _, name := range s.ToolsRequired {
			if !slices.ContainsFunc(tools, func(t tool.Tool) bool { return t.Name == name }) {
				tools = append(tools, tool.New(name, "Does "+name, tool.Reads, func(context.Context, struct{}) (tool.Result, error) { return tool.Result{}, nil }))
			}
		}
	}
	router, err := tool.NewRouter(tools, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	profile := agent.RequestProfileFor("large", 0)
	return library.New(library.Options{
		Dir: dir, Registry: registry, State: decided, Agent: skilltest.Agent{Router: router, Request: &profile},
		Python: func() *python.Runner { return nil }, AllTools: func() *tool.Router { return router }, Now: time.Now, Log: zerolog.Nop(),
	}), &profile
}

func TestK18_TheCatalogueFollowsTheRequestProfile(t *testing.T) {
	lib, profile := fullLibrary(t, 1000)
	for _, row := range []struct {
		profile          string
		listed, maxBytes int
	}{{"large", 58, 5500}, {"small", 58, 2500}, {"tiny", 0, 0}} {
		*profile = agent.RequestProfileFor(row.profile, 0)
		got := lib.Catalog(*profile, "")
		if len(got) > row.maxBytes || row.listed > 0 && !strings.HasSuffix(got, "\n980 more: Skill {\"query\": \"...\"}\n") {
			t.Errorf("%s: %d bytes, want at most %d:\n%s", row.profile, len(got), row.maxBytes, got)
		}
		if described := strings.Contains(got, "- dcf-valuation: Values"); described != (row.profile == "large") {
			t.Errorf("%s: described %v", row.profile, described)
		}
		if counts, want := lib.Counts(), (library.Counts{Found: 1038, Eligible: 1038, Listed: row.listed}); counts != want {
			t.Errorf("%s: counts %+v, want %+v", row.profile, counts, want)
		}
	}
	t.Run("every built-in skill is listed among a thousand", func(t *testing.T) {
		*profile = agent.RequestProfileFor("large", 0)
		prompt := agent.Prompt(agent.PromptParts{Today: time.Now(), Catalogue: lib.Catalog(*profile, "")})
		if len(prompt) > 10_500 {
			t.Errorf("the prompt has %d bytes, want at most 10500", len(prompt))
		}
		builtins := skill.Open(skill.Options{Roots: []skill.Root{skill.Builtin()}}).List()
		for _, s := range builtins {
			if !strings.Contains(prompt, "\n- "+s.Name+": ") {
				t.Errorf("%s is not listed", s.Name)
			}
		}
		if len(builtins) != 38 {
			t.Errorf("%d built-in skills", len(builtins))
		}
	})
}

func TestCatalog_WordsOfTheSessionChooseAmongTheOthers(t *testing.T) {
	lib, profile := fullLibrary(t, 100)
	if got := lib.Catalog(*profile, "what to make of garden44"); !strings.Contains(got, "- recipe-0088:") || !strings.Contains(got, "- recipe-0089:") {
		t.Errorf("the skills that match are not listed:\n%s", got)
	}
	if got := lib.Catalog(*profile, ""); strings.Contains(got, "- recipe-0088:") {
		t.Errorf("without words a skill is listed before those first by name:\n%s", got)
	}
}

// A skill used in a session must not change the prompt, which providers cache.
func TestCatalog_AUseChangesItAfterTheNextScan(t *testing.T) {
	lib, profile := fullLibrary(t, 50)
	before := lib.Catalog(*profile, "")
	lib.CountUse(t.Context(), "recipe-0049")
	if lib.Catalog(*profile, "") != before {
		t.Error("a use changed the prompt of the session")
	}
	if _, err := lib.Rescan(); err != nil {
		t.Fatal(err)
	}
	if got := lib.Catalog(*profile, ""); !strings.Contains(got, "- recipe-0049:") {
		t.Errorf("the skill used last is not listed:\n%s", got)
	}
}

func TestSearchDocuments_AreTheSkillsThatTheAgentMayLoad(t *testing.T) {
	lib := newLibrary(t, map[string]string{
		"greet":  "display_name: Salute\ndescription: 'Greets somebody. Use for \"say hello\", \"welcome <sym>\".'\nkeywords: [hello, 你好]\n---\nGreet.\n",
		"mine":   "description: For me\ndisable-model-invocation: true\n---\nx\n",
		"broker": "description: Trades\ntools_required: [fax]\n---\nx\n",
	})
	docs := lib.SearchDocuments()
	if len(docs) != 1 || docs[0].Name != "greet" || docs[0].Kind != "skill" || !strings.HasPrefix(docs[0].Description, "Greets somebody.") {
		t.Fatalf("documents = %+v, want greet", docs)
	}
	for _, word := range []string{"Salute", "hello", "你好"} {
		if !strings.Contains(docs[0].Keywords, word) {
			t.Errorf("keywords = %q, want %s", docs[0].Keywords, word)
		}
	}
	if want := []string{"say hello", "welcome <sym>"}; !slices.Equal(docs[0].Phrasings, want) {
		t.Errorf("phrasings = %q, want %q", docs[0].Phrasings, want)
	}
}

func TestActivate_LoadsTheToolsOfTheSkill(t *testing.T) {
	lib, _ := fullLibrary(t, 0)
	in, err := lib.Activate("analyze-trend", "AAPL")
	if want := []string{"price_history", "returns_stats"}; err != nil || !slices.Equal(in.Tools, want) {
		t.Errorf("/analyze-trend loads %q, %v; want %q", in.Tools, err, want)
	}
}

// Among skills that were never used, the user's own come before imported ones, and those that
// are not listed are named.
func TestK18_OwnSkillsComeBeforeImportedOnes(t *testing.T) {
	lib, profile := fullLibrary(t, 30)
	if err := lib.Lock().Update(func(origins map[string]install.Origin) {
		for i := range 15 {
			origins[fmt.Sprintf("recipe-%04d", i)] = install.Origin{Source: "https://example.com/recipes"}
		}
	}); err != nil {
		t.Fatal(err)
	}
	catalog := lib.Catalog(*profile, "")
	for i := 15; i < 30; i++ {
		if name := fmt.Sprintf("recipe-%04d", i); !strings.Contains(catalog, name) {
			t.Errorf("%s is the user's own and not listed", name)
		}
	}
	unlisted := lib.Unlisted()
	if len(unlisted) != 10 || unlisted[0] != "recipe-0005" {
		t.Errorf("Unlisted = %v, want ten imported ones", unlisted)
	}
	if health := lib.Health(); health.Listed+len(health.Unlisted) != health.Eligible {
		t.Errorf("%d listed and %d not, of %d", health.Listed, len(health.Unlisted), health.Eligible)
	}
}

// A rescan reports new broken files.
func TestRescan_ReportsNewBrokenFiles(t *testing.T) {
	lib, _ := fullLibrary(t, 1)
	file := filepath.Join(lib.Installer().Dir, "broken", skill.FileName)
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	lines, err := lib.Rescan()
	if err != nil || !strings.Contains(strings.Join(lines, "\n"), "broken: broken (no front matter)") {
		t.Errorf("Rescan = %q, %v", lines, err)
	}
	if again, _ := lib.Rescan(); !strings.HasPrefix(again[0], "No changes") {
		t.Errorf("the second Rescan = %q", again)
	}
}
