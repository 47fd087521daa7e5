// Package release_test checks that nfa may redistribute every linked module, and that docs/licenses.md
// lists the license of each.
//
//	go test ./internal/release -update
//
// rewrites the list. It needs the modules of all platforms in the module cache.
package release_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite docs/licenses.md")

const (
	licenseListPath = "../../docs/licenses.md"
	gomod           = "../../go.mod"
	ownModule       = "github.com/nfa-cli/nfa"
)

// TestLicenses_LinkedModulesMayBeRedistributed reads the license of every module that this platform
// links (every platform with -update). Only licenses that require no more than their own text pass.
func TestLicenses_LinkedModulesMayBeRedistributed(t *testing.T) {
	if testing.Short() {
		t.Skip("runs go list")
	}
	platforms := []string{""}
	if *update {
		platforms = allPlatforms()
	}
	rows := map[string]licenseRow{}
	for _, p := range platforms {
		for _, m := range linkedModules(t, p) {
			names, err := licensesIn(m.dir)
			if err != nil {
				t.Errorf("%s: %v", m.path, err)
				continue
			}
			rows[m.path] = licenseRow{m.path, m.version, strings.Join(names, " and ")}
		}
	}
	if len(rows) < 10 {
		t.Fatalf("only %d linked modules", len(rows))
	}
	if *update && !t.Failed() {
		writeList(t, rows)
	}
	listed, _ := readList(t)
	for path, r := range rows {
		if diff := cmp.Diff(listed[path], r); diff != "" {
			t.Errorf("docs/licenses.md, %s (-listed +linked); update it with make licenses:\n%s", path, diff)
		}
	}
}

// TestLicenses_ListMatchesGoMod checks that each module in go.mod is in one of the two tables with its
// version, and no other. It needs no module cache.
func TestLicenses_ListMatchesGoMod(t *testing.T) {
	shipped, rest := readList(t)
	got := map[string]string{}
	for path, r := range shipped {
		got[path] = r.version
	}
	for path, version := range rest {
		if _, both := got[path]; both {
			t.Errorf("docs/licenses.md lists %s as linked and as not linked", path)
		}
		got[path] = version
	}
	if diff := cmp.Diff(required(t), got); diff != "" {
		t.Errorf("docs/licenses.md and go.mod differ (-go.mod +list); update the list with make licenses:\n%s", diff)
	}
}

func TestLicenses_ListedLicensesAreAllowed(t *testing.T) {
	shipped, _ := readList(t)
	for path, r := range shipped {
		for name := range strings.SplitSeq(r.license, " and ") {
			if !slices.Contains(allowedLicenses(), name) {
				t.Errorf("docs/licenses.md lists %s under %q, want one of %v", path, name, allowedLicenses())
			}
		}
	}
}

// licenseRow is a linked module in docs/licenses.md.
type licenseRow struct{ path, version, license string }

func (r licenseRow) Equal(other licenseRow) bool { return r == other }

// readList reads the two tables: linked modules, and modules used only by tests and tools.
func readList(t *testing.T) (linked map[string]licenseRow, rest map[string]string) {
	t.Helper()
	text, err := os.ReadFile(licenseListPath)
	if err != nil {
		t.Fatal(err)
	}
	linked, rest = map[string]licenseRow{}, map[string]string{}
	three := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([^ |]+) \\| ([^|]+) \\|$")
	for _, m := range three.FindAllStringSubmatch(string(text), -1) {
		linked[m[1]] = licenseRow{m[1], m[2], m[3]}
	}
	two := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([^ |]+) \\|$")
	for _, m := range two.FindAllStringSubmatch(string(text), -1) {
		rest[m[1]] = m[2]
	}
	return linked, rest
}

// required returns the versions of the modules in go.mod by path.
func required(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(gomod)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	form := regexp.MustCompile(`(?m)^(?:\t|require )(\S+) (v\S+)(?: // indirect)?$`)
	for _, m := range form.FindAllStringSubmatch(string(text), -1) {
		out[m[1]] = m[2]
	}
	if len(out) < 10 {
		t.Fatalf("go.mod requires only %d modules", len(out))
	}
	return out
}

func writeList(t *testing.T, rows map[string]licenseRow) {
	t.Helper()
	var b strings.Builder
	b.WriteString(`# Licenses

nfa has the MIT license ([LICENSE](../LICENSE)). The modules linked into it on any platform have licenses that allow redistribution with
their texts. Each release archive and package contains the texts in the folder ` + "`licenses`" + `.

` + "`make licenses`" + ` reads the licenses and rewrites this page. Allowed are ` + strings.Join(allowedLicenses(), ", ") + `.

The Go library and runtime have the BSD-3-Clause license. For the sample data and the list of models
see their notices: [sample data](../internal/market/feed/data/NOTICE.md), [models](../internal/llm/catalog/NOTICE.md).

| linked module | version | license |
|---|---|---|
`)
	for _, path := range sortedKeys(rows) {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", path, rows[path].version, rows[path].license)
	}
	b.WriteString("\nNot linked (used by tests, or required by a module above):\n\n| module | version |\n|---|---|\n")
	modules := required(t)
	for _, path := range sortedKeys(modules) {
		if _, shipped := rows[path]; !shipped {
			fmt.Fprintf(&b, "| `%s` | %s |\n", path, modules[path])
		}
	}
	if err := os.WriteFile(filepath.FromSlash(licenseListPath), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
