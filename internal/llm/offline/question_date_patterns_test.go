package offline_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm/offline"
)

// What a date pattern is made of is known when it is first used: every one that the
// package declares is compiled here, as it would be then.
func TestDates_EveryPatternCompiles(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	files, read := token.NewFileSet(), 0
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 1 {
				if of, ok := call.Fun.(*ast.Ident); ok && of.Name == "datePattern" {
					read++
					compileDate(t, files.Position(call.Pos()), call.Args[0])
				}
			}
			return true
		})
	}
	if read < 15 {
		t.Errorf("only %d date patterns found, want all 15", read)
	}
}

func compileDate(t *testing.T, at token.Position, source ast.Expr) {
	t.Helper()
	written, ok := source.(*ast.BasicLit)
	if !ok {
		t.Errorf("%s: write the pattern out where it is declared, for this test to read", at)
		return
	}
	text, err := strconv.Unquote(written.Value)
	if err != nil {
		t.Errorf("%s: %v", at, err)
		return
	}
	defer func() {
		if fault := recover(); fault != nil {
			t.Errorf("%s: %v", at, fault)
		}
	}()
	if compiled := offline.CompileDate(text); strings.ContainsAny(compiled.String(), "‹›") {
		t.Errorf("%s: a word in ‹› stands for nothing: %s", at, text)
	}
}
