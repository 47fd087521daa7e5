package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/ledger"
)

func page(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestDocs_EverySettingIsThere checks the table of settings, which is written from their tags.
func TestDocs_EverySettingIsThere(t *testing.T) {
	var b strings.Builder
	b.WriteString("| key | variable | flag | default | allowed in a project | meaning |\n|---|---|---|---|---|---|\n")
	for _, s := range config.Settings() {
		flag, project := "", "no"
		if s.Flag != "" {
			flag = "`" + s.Flag + "`"
		}
		if s.Project {
			project = "yes"
		}
		meaning := s.Doc
		if len(s.Choices) > 0 {
			meaning += " (`" + strings.Join(s.Choices, "`, `") + "`)"
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s | %s | %s |\n", s.Key, s.Env(), flag, cell(s.Default), project, cell(meaning))
	}
	holdsBlock(t, "docs/configuration.md", "settings", b.String())
}

// TestDocs_EveryToolIsThere checks the tables of tools, which are written from the first sentences of
// their descriptions.
func TestDocs_EveryToolIsThere(t *testing.T) {
	var b strings.Builder
	heading := ""
	for _, tool := range toolsForPeople(t) {
		if tool.Heading != heading {
			heading = tool.Heading
			fmt.Fprintf(&b, "\n### %s\n\n| tool | does |\n|---|---|\n", heading)
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", tool.Name, cell(cli.FirstSentence(tool.Description)))
	}
	holdsBlock(t, "docs/tools.md", "tools", b.String()[1:])
}

// toolsForPeople returns all tools in the order of their headings, those that need the network or a
// key included.
func toolsForPeople(t *testing.T) []tool.Tool {
	t.Helper()
	var tools []tool.Tool
	t.Run("open", func(t *testing.T) { // restores the working directory
		t.Chdir(t.TempDir())
		env := map[string]string{"BRAVE_API_KEY": "a-key", "NFA_KEY_STORE": "file", "HOME": t.TempDir()}
		g := &globals{home: filepath.Join(t.TempDir(), "nfa")}
		g.env = func(key string) string { return env[key] }
		a, err := g.open(t.Context(), app.Options{Notice: func(string) {}})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		for _, each := range a.Tools.Tools() {
			if !strings.HasPrefix(each.Name, "skill_") {
				tools = append(tools, each)
			}
		}
	})
	slices.SortStableFunc(tools, func(a, b tool.Tool) int { return cmp.Compare(cmp.Or(a.Order, len(tools)), cmp.Or(b.Order, len(tools))) })
	return tools
}

func TestDocs_EverySampleSeriesIsThere(t *testing.T) {
	text := page(t, "docs/tools.md")
	source := feed.NewSampleSource()
	instruments, err := source.Instruments(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range instruments {
		q, err := source.Quote(t.Context(), in.Symbol)
		if err != nil {
			continue // statements only
		}
		if !strings.Contains(text, "`"+string(in.Symbol)+"`") || !strings.Contains(text, q.Provenance.AsOf.Format("2006-01-02")) {
			t.Errorf("docs/tools.md does not name %s to %s", in.Symbol, q.Provenance.AsOf.Format("2006-01-02"))
		}
	}
}

// The tables of sources are written from the descriptions of the providers.
func TestDocs_EverySourceIsThere(t *testing.T) {
	open := "| source | gives | limits | terms |\n|---|---|---|---|\n"
	keyed := "| source | gives | key | limits of the free plan | terms |\n|---|---|---|---|---|\n"
	for _, p := range feed.Providers() {
		switch p.Requires {
		case client.RequiresKey:
			keyed += fmt.Sprintf("| `%s` | %s | `%s` | %s | %s |\n", p.Name, cell(p.Gives), strings.Join(p.KeyVars, "` or `"), cell(p.Limits), cell(p.Terms))
		case client.RequiresServer:
			keyed += fmt.Sprintf("| `%s` | %s | no key: setting `%s` | %s | %s |\n", p.Name, cell(p.Gives), p.Requires, cell(p.Limits), cell(p.Terms))
		default:
			if !strings.Contains(p.Limits, string(p.Requires)) {
				t.Errorf("the limits of %s do not name %s", p.Name, p.Requires)
			}
			open += fmt.Sprintf("| `%s` | %s | %s | %s |\n", p.Name, cell(p.Gives), cell(p.Limits), cell(p.Terms))
		}
	}
	holdsBlock(t, "docs/data.md", "sources", open)
	holdsBlock(t, "docs/data.md", "keyed sources", keyed)
	text := page(t, "docs/data.md")
	for _, p := range feed.KeyedProviders() {
		for _, variable := range p.KeyVars {
			if !strings.Contains(text, "`"+variable+"`") {
				t.Errorf("docs/data.md does not name %s", variable)
			}
		}
	}
}

func TestDocs_EveryFlagIsThere(t *testing.T) {
	text := page(t, "docs/data.md")
	for _, f := range []market.Flag{
		market.FlagSample, market.FlagStale, market.FlagDelayed, market.FlagProvisional,
		market.FlagSuspect, market.FlagThin, market.FlagConverted, market.FlagRestated,
	} {
		if !strings.Contains(text, "| "+strings.ToUpper(string(f))+" |") {
			t.Errorf("docs/data.md does not say what %s means", f)
		}
	}
}

// TestDocs_LinksLeadSomewhere checks that the target of every relative link exists, with its heading.
func TestDocs_LinksLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]*)(?:#([^):]+))?\)`)
	for _, name := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(page(t, name), -1) {
			target := name
			if m[1] != "" {
				target = filepath.Join(filepath.Dir(name), m[1])
			}
			if _, err := os.Stat(filepath.Join("..", "..", target)); err != nil {
				t.Errorf("%s links to %s: %v", name, m[1], err)
				continue
			}
			if m[2] != "" && !slices.Contains(anchors(page(t, target)), m[2]) {
				t.Errorf("%s links to %s#%s, which has no such heading", name, m[1], m[2])
			}
		}
	}
}

// anchors returns the anchors that GitHub gives the headings of a page.
func anchors(text string) []string {
	var all []string
	for _, m := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(text, -1) {
		plain := regexp.MustCompile(`[^a-z0-9 _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		all = append(all, strings.ReplaceAll(plain, " ", "-"))
	}
	return all
}

func TestDocs_EveryFormatOfBrokersIsThere(t *testing.T) {
	text := page(t, "docs/portfolio.md")
	for _, f := range ledger.Formats() {
		if !strings.Contains(text, "| `"+f.Name+"` |") {
			t.Errorf("docs/portfolio.md has no row for %s", f.Name)
		}
	}
}

// TestDocs_PortfolioCommandsAreThere checks that the docs describe every portfolio command, and that
// every flag in the docs exists.
func TestDocs_PortfolioCommandsAreThere(t *testing.T) {
	text, more := page(t, "docs/portfolio.md"), page(t, "docs/alerts.md")
	known := map[string]bool{"json": true, "yes": true, "as-of": true, "format": true, "output": true, "from": true}
	for _, c := range privateCommands(t) {
		if !strings.Contains(text+more, "nfa "+c.Name) {
			t.Errorf("docs/portfolio.md does not name nfa %s", c.Name)
		}
		for _, f := range c.Flags {
			known[f.Name()] = true
		}
	}
	for _, m := range regexp.MustCompile("--([a-z][a-z-]*)").FindAllStringSubmatch(text, -1) {
		if !known[m[1]] {
			t.Errorf("docs/portfolio.md names --%s, which no verb has", m[1])
		}
	}
}

// TestDocs_EverySafeguardHasItsTest checks that every row of the page on security names an existing
// test, or an existing script of TestScript.
func TestDocs_EverySafeguardHasItsTest(t *testing.T) {
	there := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	for _, root := range []string{"../../internal", "../../cmd"} {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, m := range declared.FindAllSubmatch(text, -1) {
				there[string(m[1])] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range scripts {
		there["TestScript/"+strings.TrimSuffix(filepath.Base(script), ".txtar")] = true
	}
	rows := 0
	name := regexp.MustCompile("`((?:Test|Fuzz)[\\w/-]+)`")
	for line := range strings.Lines(page(t, "docs/security.md")) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| ---") || strings.HasPrefix(line, "| tried |") {
			continue
		}
		rows++
		tests := name.FindAllStringSubmatch(line, -1)
		if len(tests) == 0 {
			t.Errorf("no test is named in the row %.100s", line)
		}
		for _, m := range tests {
			if !there[m[1]] {
				t.Errorf("there is no test %s, which is named in the row %.60s", m[1], line)
			}
		}
	}
	if rows < 50 {
		t.Errorf("%d rows in docs/security.md, want more", rows)
	}
}

// The order in which a provider is chosen by default is a promise.
func TestDocs_TheOrderOfProvidersIsThere(t *testing.T) {
	var names []string
	for _, p := range catalog.BuiltinCatalog().Providers() {
		if !p.Local {
			names = append(names, p.Name)
		}
	}
	text := strings.Join(strings.Fields(page(t, "docs/configuration.md")), " ")
	if order := strings.Join(names, ", "); !strings.Contains(text, order) {
		t.Errorf("docs/configuration.md does not give the order: %s", order)
	}
}

// privateCommands returns the commands of the tools for the user's own data.
func privateCommands(t *testing.T) []app.Command {
	t.Helper()
	router := newSessionProgram(t).Tools
	var rows []app.Command
	for _, c := range app.Commands() {
		if tool, ok := router.Lookup(c.Tool); ok && tool.Private {
			rows = append(rows, c)
		}
	}
	if len(rows) < 20 {
		t.Fatalf("%d commands of private tools, want more", len(rows))
	}
	return rows
}
