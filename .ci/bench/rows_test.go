package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func allRows() []row {
	var all []row
	for _, section := range sections() {
		all = append(all, section.rows...)
	}
	return all
}

func TestRows_AreOfOneSizeOrOfThreeThatDouble(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range allRows() {
		if seen[r.name] {
			t.Errorf("two rows are called %q", r.name)
		}
		seen[r.name] = true
		switch {
		case strings.Count(r.bench, "%d") != 1:
			t.Errorf("%s: %q has not one place for the size", r.name, r.bench)
		case len(r.sizes) == 1 && r.grows == (growth{}):
		case len(r.sizes) == 3 && r.sizes[1] == 2*r.sizes[0] && r.sizes[2] == 2*r.sizes[1] && r.grows.most > 0:
		default:
			t.Errorf("%s: sizes %v that may grow %q, want one, or n, 2n and 4n and how they may grow", r.name, r.sizes, r.grows.name)
		}
	}
}

// TestRows_NameBenchmarksThatExist finds renamed benchmarks without running them for five minutes.
// It looks for the function and, within it, the names of its counts, as in "skills=%d". It does not
// check other names, because they may come from a variable, such as an indicator.
func TestRows_NameBenchmarksThatExist(t *testing.T) {
	for _, r := range allRows() {
		dir := filepath.Join("..", "..", "internal", r.pkg)
		function, _, _ := strings.Cut(r.bench, "/")
		texts, ok := textsOf(t, dir, function)
		if !ok {
			t.Errorf("%s: no %s in internal/%s", r.name, function, r.pkg)
			continue
		}
		for _, counted := range counts(r.bench) {
			if !slices.ContainsFunc(texts, func(text string) bool { return slices.Contains(counts("/"+text), counted) }) {
				t.Errorf("%s: %s in internal/%s counts no %q: %q", r.name, function, r.pkg, counted, texts)
			}
		}
	}
}

// counts returns what the levels of a benchmark count, without the numbers.
func counts(bench string) []string {
	var all []string
	for _, m := range regexp.MustCompile(`/(\w+)=`).FindAllStringSubmatch(bench, -1) {
		all = append(all, m[1])
	}
	return all
}

func TestCounts_AreTheNamesBeforeANumber(t *testing.T) {
	for bench, want := range map[string][]string{
		"BenchmarkOpen/skills=%d/junk=0": {"skills", "junk"}, "BenchmarkColumns/sma/bars=%d": {"bars"},
		"BenchmarkNew/markdown_%d": nil, "Benchmark": nil,
	} {
		if diff := cmp.Diff(want, counts(bench)); diff != "" {
			t.Errorf("counts(%q) (-want +got):\n%s", bench, diff)
		}
	}
}

// textsOf returns the string literals in a test function of dir.
func textsOf(t *testing.T, dir, function string) (texts []string, ok bool) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("tests in %s: %d, %v", dir, len(files), err)
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if f, is := d.(*ast.FuncDecl); is && f.Recv == nil && f.Name.Name == function {
				return textsIn(t, f), true
			}
		}
	}
	return nil, false
}

func textsIn(t *testing.T, f *ast.FuncDecl) (texts []string) {
	t.Helper()
	ast.Inspect(f, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			text, err := strconv.Unquote(l.Value)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, text)
		}
		return true
	})
	return texts
}

func TestExpression_MatchesTheSizesOfTheRowAndNoOther(t *testing.T) {
	r := row{bench: "BenchmarkOpen/skills=%d/junk=0", sizes: []int{8, 16, 32}}
	if got, want := r.expression(), "^BenchmarkOpen$/^skills=(8|16|32)$/^junk=0$"; got != want {
		t.Fatalf("expression = %s, want %s", got, want)
	}
	dotted := row{bench: "Benchmark/a.b+%d", sizes: []int{8}}
	level := regexp.MustCompile(strings.Split(dotted.expression(), "/")[1])
	for name, want := range map[string]bool{"a.b+8": true, "axb+8": false, "a.b+80": false, "a.b+18": false} {
		if level.MatchString(name) != want {
			t.Errorf("%s matches %q: %t, want %t", level, name, !want, want)
		}
	}
}
