// Package release_test holds what a release promises: that all which is linked into
// nfa may be given on, and that docs/licences.md says so of each module.
//
//	go test ./internal/release -update
//
// writes the list anew; it needs the modules of all platforms in the module cache.
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

var update = flag.Bool("update", false, "write docs/licences.md anew")

const (
	licenseListPath = "../../docs/licences.md"
	gomod           = "../../go.mod"
	ownModule       = "github.com/nfa-cli/nfa"
)

// TestLicences_AllThatIsLinkedMayBeGivenOn reads the licence of every module that
// this platform links (every platform with -update), and refuses what is not on
// the list of licences that ask for no more than their own text.
func TestLicences_AllThatIsLinkedMayBeGivenOn(t *testing.T) {
	if testing.Short() {
		t.Skip("asks go list what is linked")
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
		t.Fatalf("%d modules are linked, which cannot be all", len(rows))
	}
	if *update && !t.Failed() {
		writeList(t, rows)
	}
	listed, _ := readList(t)
	for path, r := range rows {
		if diff := cmp.Diff(listed[path], r); diff != "" {
			t.Errorf("docs/licences.md on %s (-there +linked); make licences writes it anew:\n%s", path, diff)
		}
	}
}

// TestLicences_TheListIsThatOfGoMod needs no module: each that go.mod requires is
// in one of the two tables, in its version, and no other is.
func TestLicences_TheListIsThatOfGoMod(t *testing.T) {
	shipped, rest := readList(t)
	got := map[string]string{}
	for path, r := range shipped {
		got[path] = r.version
	}
	for path, version := range rest {
		if _, both := got[path]; both {
			t.Errorf("docs/licences.md has %s as linked and as not linked", path)
		}
		got[path] = version
	}
	if diff := cmp.Diff(required(t), got); diff != "" {
		t.Errorf("docs/licences.md against go.mod (-go.mod +list); make licences writes it anew:\n%s", diff)
	}
}

func TestLicences_EachOfTheListIsAllowed(t *testing.T) {
	shipped, _ := readList(t)
	for path, r := range shipped {
		for name := range strings.SplitSeq(r.licence, " and ") {
			if !slices.Contains(allowedLicenses(), name) {
				t.Errorf("docs/licences.md has %s under %q, want one of %v", path, name, allowedLicenses())
			}
		}
	}
}

// licenseRow is a linked module in docs/licences.md.
type licenseRow struct{ path, version, licence string }

func (r licenseRow) Equal(other licenseRow) bool { return r == other }

// readList reads the two tables: what is linked, and what tests and tools alone use.
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

// required are the modules of go.mod by path, with their versions.
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
		t.Fatalf("go.mod requires %d modules, which cannot be all", len(out))
	}
	return out
}

func writeList(t *testing.T, rows map[string]licenseRow) {
	t.Helper()
	var b strings.Builder
	b.WriteString(`# Licences

nfa is under the MIT licence ([LICENSE](../LICENSE)). What is linked into it, on one platform or another, is under licences
that let it be given on with their texts, which each archive and package of a release has in its folder ` + "`licences`" + `.
` + "`make licences`" + ` reads them anew and writes this page; another licence than ` + strings.Join(allowedLicenses(), ", ") + ` is refused.

Go itself, whose library and runtime are linked as well, is under BSD-3-Clause. What the embedded sample of market data is from
stands in its [NOTICE](../internal/market/feed/data/NOTICE.md).

| linked module | version | licence |
|---|---|---|
`)
	for _, path := range sortedKeys(rows) {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", path, rows[path].version, rows[path].licence)
	}
	b.WriteString("\nNot linked: for tests, or named by a module above.\n\n| module | version |\n|---|---|\n")
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
