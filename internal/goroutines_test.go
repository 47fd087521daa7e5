package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// unguarded are the goroutines that recover nothing themselves, by their file. All but
// one wait for one thing and hand it on, and have nothing to break down over.
var unguarded = map[string]string{
	"../cmd/nfa/auth.go":                   "reads a line",
	"../cmd/nfa/profile.go":                "reads lines",
	"../cmd/nfa/skills_manage.go":          "reads a line",
	"../internal/tool/run.go":              "runs the tool in Router.protect",
	"../internal/tui/lending.go":           "waits for a program",
	"../internal/tui/plain/plain.go":       "read lines and questions",
	"../internal/tui/plain/turn.go":        "waits for events",
	"../internal/tui/terminal/terminal.go": "waits for signals",
}

// A panic that nobody catches is printed by the runtime, with its value, which may
// be a key or an amount. So goroutines are begun by crash.Group and crash.WaitGroup,
// or catch what happens in them.
func TestGoroutines_NoneEndsTheProgramWithWhatItPanickedWith(t *testing.T) {
	files, found := token.NewFileSet(), map[string]bool{}
	for _, path := range sources(t) {
		path = filepath.ToSlash(path)
		if strings.Contains(path, "test/") || strings.HasPrefix(path, "../internal/crash/") {
			continue
		}
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range f.Imports {
			if spec.Path.Value == `"golang.org/x/sync/errgroup"` {
				t.Errorf("%s imports errgroup, in which a panic ends the program: take crash.Group", path)
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "sync" && n.Sel.Name == "WaitGroup" {
					t.Errorf("%s: take crash.WaitGroup, in which a panic does not end the program", files.Position(n.Pos()))
				}
			case *ast.GoStmt:
				if _, known := unguarded[path]; known {
					found[path] = true
				} else if !guarded(f, n.Call) {
					t.Errorf("%s: a panic in this goroutine ends the program, with what it says: defer crash.Catch, or hand it to who waits", files.Position(n.Pos()))
				}
			}
			return true
		})
	}
	for path, why := range unguarded {
		if !found[path] {
			t.Errorf("%s (%s) has no goroutine any more: take it out of the table", path, why)
		}
	}
}

// guarded reports whether what a goroutine runs, a literal or a method of the same
// file, defers something that recovers.
func guarded(f *ast.File, call *ast.CallExpr) bool {
	var body *ast.BlockStmt
	switch fn := call.Fun.(type) {
	case *ast.FuncLit:
		body = fn.Body
	case *ast.SelectorExpr:
		for _, d := range f.Decls {
			if decl, ok := d.(*ast.FuncDecl); ok && decl.Name.Name == fn.Sel.Name {
				body = decl.Body
			}
		}
	}
	if body == nil {
		return false
	}
	for _, stmt := range body.List {
		if d, ok := stmt.(*ast.DeferStmt); ok && recovers(d) {
			return true
		}
	}
	return false
}

func recovers(d *ast.DeferStmt) (yes bool) {
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			yes = yes || ok && x.Name == "crash" && n.Sel.Name == "Catch"
		case *ast.Ident:
			yes = yes || n.Name == "recover"
		}
		return true
	})
	return yes
}
