package markdown_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/golden"
	"github.com/nfa-cli/nfa/internal/markdown"
)

var update = flag.Bool("update", false, "write what is rendered to the golden files")

// TestRender_Golden draws each testdata/*.md without color at 80 and at 40 columns, with color and hyperlinks
// at 80, with escapes shown as "␛", and at 72 with wide tables scrolled by two columns.
func TestRender_Golden(t *testing.T) {
	sources, err := filepath.Glob("testdata/*.md")
	if err != nil || len(sources) == 0 {
		t.Fatalf("Glob(testdata/*.md) = %v, %v, want sources", sources, err)
	}
	for _, path := range sources {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for suffix, o := range map[string]markdown.Options{
			"80":   {Width: 80},
			"40":   {Width: 40},
			"dark": {Width: 80, Theme: markdown.DarkTheme(), Hyperlinks: true},
			"wide": {Width: 72, ScrollTables: true, TableOffset: 2},
		} {
			name := fmt.Sprintf("%s.%s.golden", strings.TrimSuffix(path, ".md"), suffix)
			t.Run(filepath.Base(name), func(t *testing.T) {
				got := strings.Join(markdown.Render(string(src), o), "\n") + "\n"
				golden.CheckFile(t, name, strings.ReplaceAll(got, "\x1b", "␛"), *update)
			})
		}
	}
}
