// Package release_test checks that every module linked into nfa may be redistributed, and that
// docs/licences.md lists its license.
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

var update = flag.Bool("update", false, "rewrite docs/licences.md")

const (
	licenseListPath = "../../docs/licences.md"
	gomod           = "../../go.mod"
	ownModule       = "github.com/nfa-cli/nfa"
)

// TestLicenses_LinkedModulesMayBeRedistributed reads the license of every module that is linked on this
// platform, or on all platforms with -update. It refuses licenses that require more than their own text.
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
		t.Fatalf("only %d linked modules found", len(rows))
	}
	if *update && !t.Failed() {
		writeList(t, rows)
	}
	listed, _ := readList(t)
	for path, r := range rows {
		if diff := cmp.Diff(listed[path], r); diff != "" {
			t.Errorf("docs/licences.md on %s (-listed +linked); to rewrite it, run make licences:\n%s", path, diff)
		}
	}
}

// TestLicenses_ListMatchesGoMod checks that the two tables have exactly the modules and versions of go.mod.
func TestLicenses_ListMatchesGoMod(t *testing.T) {
	shipped, rest := readList(t)
	got := map[string]string{}
	for path, r := range shipped {
		got[path] = r.version
	}
	for path, version := range rest {
		if _, both := got[path]; both {
			t.Errorf("docs/licences.md has %s both as linked and as not linked", path)
		}
		got[path] = version
	}
	if diff := cmp.Diff(required(t), got); diff != "" {
		t.Errorf("docs/licences.md (-go.mod +list); to rewrite it, run make licences:\n%s", diff)
	}
}

func TestLicenses_ListedLicensesAreAllowed(t *testing.T) {
	shipped, _ := readList(t)
	for path, r := range shipped {
		for name := range strings.SplitSeq(r.license, " and ") {
			if !slices.Contains(allowedLicenses(), name) {
				t.Errorf("docs/licences.md has %s under %q, want one of %v", path, name, allowedLicenses())
			}
		}
	}
}

// licenseRow is a linked module in docs/licences.md.
type licenseRow struct{ path, version, license string }

func (r licenseRow) Equal(other licenseRow) bool { return r == other }

// readList reads the two tables: linked modules, and the rest.
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
		t.Fatalf("only %d modules found in go.mod", len(out))
	}
	return out
}

func writeList(t *testing.T, rows map[string]licenseRow) {
	t.Helper()
	var b strings.Builder
	b.WriteString(`# Licenses

nfa has the MIT license ([LICENSE](../LICENSE)). The licenses of the modules linked into nfa allow redistribution with
their texts. Each archive and package of a release contains the texts in the folder ` + "`licences`" + `. To rewrite this page, run
` + "`make licences`" + `; it accepts only ` + strings.Join(allowedLicenses(), ", ") + `.

Go, whose library and runtime are also linked, has the BSD-3-Clause license. The sources of the sample data are in its
[NOTICE](../internal/market/feed/data/NOTICE.md).

| linked module | version | license |
|---|---|---|
`)
	for _, path := range sortedKeys(rows) {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", path, rows[path].version, rows[path].license)
	}
	b.WriteString("\nNot linked: used by tests or required by a module above.\n\n| module | version |\n|---|---|\n")
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
