package tools_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A warning is one sentence of at most 100 characters. Each verb of a format counts as
// written, because a value takes more or less the place of %s.
func TestWarnings_AreShort(t *testing.T) {
	found := 0
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) < 2 {
				return true
			}
			if method, ok := call.Fun.(*ast.SelectorExpr); !ok || !strings.HasPrefix(method.Sel.Name, "Warn") {
				return true
			}
			for _, arg := range call.Args[1:] {
				literal, ok := arg.(*ast.BasicLit)
				if !ok || literal.Kind != token.STRING {
					continue
				}
				found++
				if text, err := strconv.Unquote(literal.Value); err != nil || len(text) > 100 {
					t.Errorf("%s: a warning of %d characters: %s", path, len(text), text)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || found < 50 {
		t.Fatalf("%d warnings, %v", found, err)
	}
}
