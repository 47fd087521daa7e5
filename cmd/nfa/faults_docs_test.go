package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// allTestNames returns the names of all tests and scripts.
func allTestNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)
	for _, root := range []string{"../../internal", "."} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil || d.IsDir():
				return err
			case strings.HasSuffix(path, ".txtar"):
				names[filepath.Base(path)] = true
			case strings.HasSuffix(path, "_test.go"):
				text, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
					names[m[1]] = true
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return names
}

// Each row of docs/faults.md names an existing test, and each component has rows.
func TestDocs_EveryFaultHasItsTest(t *testing.T) {
	text, tests := page(t, "docs/faults.md"), allTestNames(t)
	named := regexp.MustCompile("\\| `(Test\\w+|[a-z-]+\\.txtar)` \\|$")
	rows := map[string]int{}
	component := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if title, ok := strings.CutPrefix(line, "## "); ok {
			component = title
			rows[component] = 0
		}
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") || strings.HasPrefix(line, "| fault |") {
			continue
		}
		rows[component]++
		m := named.FindStringSubmatch(line)
		switch {
		case m == nil:
			t.Errorf("no test is named in %s", line)
		case !tests[m[1]]:
			t.Errorf("%s is no test: %s", m[1], line)
		case strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != 4:
			t.Errorf("not three columns: %s", line)
		}
	}
	for _, want := range []string{"The model's server", "Sources of data", "The disk and the data folder", "The clock", "Signals", "Databases", "Settings", "nfa itself"} {
		if rows[want] < 4 {
			t.Errorf("docs/faults.md has %d rows about %s, want more", rows[want], want)
		}
	}
}
