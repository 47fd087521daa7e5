package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/nfa-cli/nfa/"

// A package pattern that ends in /... stands for the package and all below it.
var (
	finance      = []string{"internal/market/...", "internal/portfolio/...", "internal/analytics/...", "internal/investor", "internal/websearch"}
	conversation = []string{"internal/llm/...", "internal/trace", "internal/tool", "internal/session/...", "internal/agent"}
	bridges      = []string{"internal/tools/...", "internal/app/...", "internal/cli", "internal/sqlite", "cmd/nfa"}
	screen       = []string{"internal/tui/..."}
	program      = []string{"internal/app/...", "internal/cli", "internal/config", "cmd/nfa"}
)

// rules say which package or library may not be imported by whom, one row per rule.
var rules = []struct {
	rule     string
	imports  []string // these packages or libraries ...
	never    []string // ... are never imported by these packages
	onlyFrom []string // ... or only by these
}{
	{rule: "finance knows no language model", imports: conversation, never: finance},
	{rule: "conversation knows no market", imports: finance, never: conversation},
	{rule: "market stands below the other finance packages", imports: []string{"internal/portfolio/...", "internal/analytics/...", "internal/investor"}, never: []string{"internal/market/..."}},
	{rule: "portfolio stands below analytics", imports: []string{"internal/analytics/...", "internal/investor"}, never: []string{"internal/portfolio/..."}},
	{rule: "analytics stands below investor", imports: []string{"internal/investor"}, never: []string{"internal/analytics/..."}},
	{rule: "llm stands below tool and session", imports: []string{"internal/tool", "internal/session/...", "internal/agent"}, never: []string{"internal/llm/...", "internal/trace"}},
	{rule: "tool and session stand below agent", imports: []string{"internal/agent"}, never: []string{"internal/tool", "internal/session/..."}},
	{rule: "the program stands above finance and conversation", imports: program, never: slices.Concat(finance, conversation, screen)},
	{rule: "the screen stands above conversation", imports: screen, never: slices.Concat(finance, conversation)},
	{rule: "only the program reads the settings", imports: []string{"internal/config"}, onlyFrom: []string{"internal/app/...", "cmd/nfa"}},
	{rule: "only commands know Cobra", imports: []string{"github.com/spf13/cobra"}, onlyFrom: []string{"cmd/nfa"}},
	{rule: "only the screen knows Bubble Tea", imports: []string{"charm.land/bubbletea/v2", "charm.land/bubbles/v2"}, onlyFrom: screen},
	{rule: "only the program opens the store", imports: []string{"internal/sqlite"}, onlyFrom: program},
	{rule: "only the store knows its driver", imports: []string{"modernc.org/sqlite"}, onlyFrom: []string{"internal/sqlite"}},
	{rule: "only the client knows go-openai", imports: []string{"github.com/sashabaranov/go-openai"}, onlyFrom: []string{"internal/llm/openai"}},
	{rule: "only credential knows the keyring", imports: []string{"github.com/zalando/go-keyring"}, onlyFrom: []string{"internal/credential"}},
}

// shared are the packages that others of the same folder may import.
var shared = []string{"internal/market/client", "internal/market/reference", "internal/tools/toolkit", "internal/tui/widget"}

// exceptions are imports against a rule, each with its reason. One that is not needed fails.
var exceptions = map[string]string{
	"internal/market/feed -> internal/market/*":                        "the feed decides which provider is asked",
	"internal/tools/advice -> internal/tools/positions":                "loads and values the portfolio",
	"internal/tools/ledger -> internal/tools/positions":                "loads and values the portfolio",
	"internal/tools/toolstest -> internal/tools/positions":             "builds the portfolio of tests",
	"internal/tui/repl -> internal/tui/transcript":                     "prints the same lines as the screen",
	"internal/llm/catalog -> internal/llm/openai":                      "connects to a provider",
	"internal/skill/library -> internal/skill/install":                 "joins what the user has with what is installed",
	"internal/skill/library -> internal/skill/workflow":                "offers workflows as tools",
	"internal/portfolio/export -> internal/portfolio/lots":             "writes positions beside transactions",
	"internal/analytics/performance -> internal/analytics/fixedincome": "the money-weighted return is an internal rate of return",
}

func TestLayers_ImportsFollowTheRules(t *testing.T) {
	used := map[string]bool{}
	except := func(from, to string) bool {
		for _, key := range []string{from + " -> " + to, from + " -> " + path.Dir(to) + "/*"} {
			if exceptions[key] != "" {
				used[key] = true
				return true
			}
		}
		return false
	}
	for from, imports := range packages(t) {
		both := [2]bool{}
		for _, to := range imports {
			both[0] = both[0] || matches(finance, to)
			both[1] = both[1] || matches(conversation, to)
			for _, r := range rules {
				bad := matches(r.never, from) || len(r.onlyFrom) > 0 && !matches(r.onlyFrom, from)
				if matches(r.imports, to) && bad && !except(from, to) {
					t.Errorf("%s imports %s: %s", from, to, r.rule)
				}
			}
			siblings := path.Dir(from) == path.Dir(to) && path.Dir(from) != "internal"
			if siblings && !slices.Contains(shared, to) && !except(from, to) {
				t.Errorf("%s imports %s: packages of one folder share through their parent or %v", from, to, shared)
			}
		}
		if both[0] && both[1] && !matches(bridges, from) {
			t.Errorf("%s imports finance and conversation: only %v may", from, bridges)
		}
	}
	for key := range exceptions {
		if !used[key] {
			t.Errorf("exception not needed: %s", key)
		}
	}
}

func TestLayers_NoTwoPackagesShareTheirLastNameElement(t *testing.T) {
	seen := map[string]string{}
	for p := range packages(t) {
		if other := seen[path.Base(p)]; other != "" {
			t.Errorf("%s and %s have the same last name element", p, other)
		}
		seen[path.Base(p)] = p
	}
}

func TestLayers_NoInitFunctions(t *testing.T) {
	files := token.NewFileSet()
	for _, path := range sources(t) {
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s declares init(): work at start-up belongs in a constructor", path)
			}
		}
	}
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		dir, below := strings.CutSuffix(p, "/...")
		return name == dir || (below || !strings.HasPrefix(p, "internal/") && p != "cmd/nfa") && strings.HasPrefix(name, dir+"/")
	})
}

// packages returns the imports of each package without its tests. Paths of this module are relative to it.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	files := token.NewFileSet()
	for _, file := range sources(t) {
		f, err := parser.ParseFile(files, file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		dir, err := filepath.Rel("..", filepath.Dir(file))
		if err != nil {
			t.Fatal(err)
		}
		dir = filepath.ToSlash(dir)
		out[dir] = append(out[dir], []string{}...)
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			imported = strings.TrimPrefix(imported, module)
			if !slices.Contains(out[dir], imported) {
				out[dir] = append(out[dir], imported)
			}
		}
	}
	if len(out) < 10 {
		t.Fatalf("only %d packages found: the test looks in the wrong place", len(out))
	}
	return out
}

// sources returns the Go files of the program without tests.
func sources(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, root := range []string{"../internal", "../cmd"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return filepath.SkipDir
			case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
				out = append(out, path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func TestLibraries_NoneThatSlowsEveryStart(t *testing.T) {
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	// Versions before 0.0.31 build their tables at start-up, which costs 30 ms.
	width := regexp.MustCompile(`go-runewidth v0\.0\.(\d+)`).FindSubmatch(mod)
	if width == nil {
		t.Fatal("go-runewidth is not in go.mod any more: drop this test")
	}
	if patch, err := strconv.Atoi(string(width[1])); err != nil || patch < 31 {
		t.Errorf("go-runewidth 0.0.%s, want 0.0.31 or later", width[1])
	}
	for _, slow := range []string{"charmbracelet/glamour", "alecthomas/chroma", "spf13/viper"} {
		if strings.Contains(string(mod), slow) {
			t.Errorf("%s costs ten milliseconds and more at every start", slow)
		}
	}
}
