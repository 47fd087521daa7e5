package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestLog_NothingIsMadeWithoutOne checks that only OpenLog creates a log that discards
// everything, for the case that no log can be opened. A component without a log would hide its
// faults, for example the cause of a keyring failure, of which the user sees only a short message.
// All other packages receive their log.
func TestLog_NothingIsMadeWithoutOne(t *testing.T) {
	var files []string
	for _, folder := range []string{".", "app", "app/screens", "cli", "llm/catalog", "market/feed", "report", "skill/library"} {
		if folder != "." {
			folder = filepath.Join("..", "..", "internal", folder)
		}
		found, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(found) < 3 {
			t.Fatalf("found %d files in %s, %v", len(found), folder, err)
		}
		files = append(files, found...)
	}
	found := false
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.SelectorExpr)
			if !ok || call.Sel.Name != "Nop" {
				return true
			}
			if from, ok := call.X.(*ast.Ident); ok && from.Name == "zerolog" {
				found = true
				if filepath.Base(name) != "log.go" {
					t.Errorf("%s takes a log that keeps nothing: give it the one of OpenLog", set.Position(n.Pos()))
				}
			}
			return true
		})
	}
	if !found {
		t.Error("no file names zerolog.Nop any more: drop this test")
	}
}
