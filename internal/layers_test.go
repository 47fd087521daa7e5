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

// A pattern that ends in /... matches the package and all packages below it.
var (
	finance      = []string{"internal/market/...", "internal/portfolio/...", "internal/analytics/...", "internal/investor", "internal/websearch"}
	conversation = []string{"internal/llm/...", "internal/trace", "internal/tool", "internal/session/...", "internal/agent"}
	bridges      = []string{"internal/tools/...", "internal/app/...", "internal/cli", "internal/sqlite", "internal/postgres", "internal/sqlstore", "cmd/nfa"}
	screen       = []string{"internal/tui/..."}
	program      = []string{"internal/app/...", "internal/acp", "internal/cli", "internal/config", "cmd/nfa"}
)

// rules lists the import rules.
var rules = []struct {
	rule     string
	imports  []string // packages or libraries
	never    []string // packages that must not import them
	onlyFrom []string // the only packages that may import them
}{
	{rule: "finance does not import language models", imports: conversation, never: finance},
	{rule: "conversation does not import finance", imports: finance, never: conversation},
	{rule: "market does not import other finance packages", imports: []string{"internal/portfolio/...", "internal/analytics/...", "internal/investor"}, never: []string{"internal/market/..."}},
	{rule: "portfolio does not import analytics", imports: []string{"internal/analytics/...", "internal/investor"}, never: []string{"internal/portfolio/..."}},
	{rule: "analytics does not import investor", imports: []string{"internal/investor"}, never: []string{"internal/analytics/..."}},
	{rule: "llm does not import tool and session", imports: []string{"internal/tool", "internal/session/...", "internal/agent"}, never: []string{"internal/llm/...", "internal/trace"}},
	{rule: "tool and session do not import agent", imports: []string{"internal/agent"}, never: []string{"internal/tool", "internal/session/..."}},
	{rule: "only the program imports program packages", imports: program, never: slices.Concat(finance, conversation, screen)},
	{rule: "finance and conversation do not import the screen", imports: screen, never: slices.Concat(finance, conversation)},
	{rule: "only the program reads the settings", imports: []string{"internal/config"}, onlyFrom: []string{"internal/app/...", "cmd/nfa"}},
	{rule: "only commands import Cobra", imports: []string{"github.com/spf13/cobra"}, onlyFrom: []string{"cmd/nfa"}},
	{rule: "only the screen imports Bubble Tea", imports: []string{"charm.land/bubbletea/v2", "charm.land/bubbles/v2"}, onlyFrom: screen},
	{rule: "only the program opens the store", imports: []string{"internal/sqlite", "internal/postgres"}, onlyFrom: append(slices.Clone(program), "internal/postgres/postgrestest")},
	{rule: "only the stores share their tables", imports: []string{"internal/sqlstore"}, onlyFrom: []string{"internal/sqlite", "internal/postgres", "internal/app"}},
	{rule: "only the store imports its driver", imports: []string{"modernc.org/sqlite"}, onlyFrom: []string{"internal/sqlite"}},
	{rule: "only the client imports go-openai", imports: []string{"github.com/sashabaranov/go-openai"}, onlyFrom: []string{"internal/llm/openai"}},
	{rule: "only the server and the client import the SDK of MCP", imports: []string{"github.com/modelcontextprotocol/go-sdk/mcp"}, onlyFrom: []string{"internal/mcpserver", "internal/mcpclient"}},
	{rule: "only the server imports the SDK of ACP", imports: []string{"github.com/coder/acp-go-sdk"}, onlyFrom: []string{"internal/acp"}},
	{rule: "only credential imports the keyring", imports: []string{"github.com/zalando/go-keyring"}, onlyFrom: []string{"internal/credential"}},
}

// shared lists packages that other packages of the same folder may import.
var shared = []string{"internal/market/client", "internal/market/reference", "internal/tools/toolkit", "internal/tui/widget"}

// exceptions maps imports that break a rule to the reason. An exception that is not needed fails.
var exceptions = map[string]string{
	"internal/market/feed -> internal/market/*":                        "the feed decides which provider is asked",
	"internal/tools/advice -> internal/tools/positions":                "loads and values the portfolio",
	"internal/tools/ledger -> internal/tools/positions":                "loads and values the portfolio",
	"internal/tools/toolstest -> internal/tools/positions":             "builds the portfolio of tests",
	"internal/tui/repl -> internal/tui/transcript":                     "prints the same lines as the screen",
	"internal/llm/catalog -> internal/llm/openai":                      "connects to a provider",
	"internal/skill/library -> internal/skill/install":                 "combines user skills with installed skills",
	"internal/skill/library -> internal/skill/workflow":                "offers workflows as tools",
	"internal/portfolio/export -> internal/portfolio/lots":             "writes positions next to transactions",
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
				t.Errorf("%s declares init(): move its work to a constructor", path)
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
		t.Fatalf("only %d packages found", len(out))
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
		t.Fatal("go-runewidth is no longer in go.mod: delete this test")
	}
	if patch, err := strconv.Atoi(string(width[1])); err != nil || patch < 31 {
		t.Errorf("go-runewidth 0.0.%s, want 0.0.31 or later", width[1])
	}
	for _, slow := range []string{"charmbracelet/glamour", "alecthomas/chroma", "spf13/viper"} {
		if strings.Contains(string(mod), slow) {
			t.Errorf("%s delays every start by 10 ms or more", slow)
		}
	}
}
