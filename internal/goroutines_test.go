package internal_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// unguarded lists the goroutines, including callbacks of time.AfterFunc and context.AfterFunc, that do not
// recover panics. Except for the one that calls Router.protect, they only wait, forward or cancel
// something, and cannot panic.
var unguarded = map[string]struct {
	goroutines int
	why        string
}{
	"../cmd/nfa/auth.go":                     {1, "reads a line"},
	"../cmd/nfa/main.go":                     {1, "restores signal handling"},
	"../cmd/nfa/skills_edit.go":              {1, "reads a line"},
	"../internal/llm/openai/watchdog.go":     {2, "closes a body; cancels a request"},
	"../internal/mcpclient/child.go":         {1, "starts a program and waits for it"},
	"../internal/mcpclient/connection.go":    {1, "cancels a call"},
	"../internal/python/process.go":          {2, "cancels a script; adds up the sizes of files"},
	"../internal/python/sandbox_download.go": {1, "cancels a download"},
	"../internal/app/profile_ask.go":         {1, "reads lines"},
	"../internal/tool/run.go":                {1, "runs the tool in Router.protect"},
	"../internal/tui/terminal_lender.go":     {1, "waits for a program"},
	"../internal/tui/render_pacer.go":        {1, "locks and resets a ticker"},
	"../internal/tui/repl/repl.go":           {2, "reads lines; forwards approval requests"},
	"../internal/tui/repl/turn.go":           {1, "waits for events"},
	"../internal/tui/terminal.go":            {1, "waits for signals"},
}

// TestGoroutines_RecoverTheirPanics checks that goroutines are started by crash.Group or crash.WaitGroup, or
// recover panics themselves. Otherwise the runtime prints the panic value, which may be a key or an amount.
func TestGoroutines_RecoverTheirPanics(t *testing.T) {
	found := map[string]int{}
	for _, path := range sources(t) {
		path = filepath.ToSlash(path)
		if strings.Contains(path, "test/") || strings.HasPrefix(path, "../internal/crash/") {
			continue
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range f.Imports {
			if spec.Path.Value == `"golang.org/x/sync/errgroup"` {
				t.Errorf("%s imports errgroup, in which a panic ends the program: use crash.Group", path)
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && isName(s.X, "sync") && s.Sel.Name == "WaitGroup" {
				t.Errorf("%s uses sync.WaitGroup, in which a panic ends the program: use crash.WaitGroup", files.Position(s.Pos()))
			}
			return true
		})
		at := unguardedIn(files, f)
		if known, ok := unguarded[path]; ok && len(at) > 0 {
			found[path] = len(at)
			if len(at) != known.goroutines {
				t.Errorf("%s has %d goroutines that do not recover, %v, but %d in the table (%s)", path, len(at), at, known.goroutines, known.why)
			}
			continue
		}
		for _, one := range at {
			t.Errorf("%s: a panic in this goroutine ends the program and prints its value: defer crash.Catch", one)
		}
	}
	for path, known := range unguarded {
		if found[path] == 0 {
			t.Errorf("%s (%s) has no such goroutine: remove it from the table", path, known.why)
		}
	}
}

// unguardedIn returns the positions of the goroutines of a file that do not recover.
func unguardedIn(files *token.FileSet, f *ast.File) []token.Position {
	started := goroutines(f)
	if len(started) == 0 {
		return nil
	}
	uses := usesOf(files, f)
	var at []token.Position
	for _, fn := range started {
		if !guarded(f, uses, fn) {
			at = append(at, files.Position(fn.Pos()))
		}
	}
	return at
}

// goroutines returns the functions that a file starts by go or by an AfterFunc.
func goroutines(f *ast.File) []ast.Expr {
	var started []ast.Expr
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			started = append(started, n.Call.Fun)
		case *ast.CallExpr:
			s, ok := n.Fun.(*ast.SelectorExpr)
			if ok && s.Sel.Name == "AfterFunc" && (isName(s.X, "time") || isName(s.X, "context")) && len(n.Args) == 2 {
				started = append(started, n.Args[1])
			}
		}
		return true
	})
	return started
}

// usesOf resolves the identifiers of a file without its imports and without the rest of its package.
func usesOf(files *token.FileSet, f *ast.File) map[*ast.Ident]types.Object {
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: noImporter{}, Error: func(error) {}}
	_, _ = conf.Check(f.Name.Name, files, []*ast.File{f}, &info)
	return info.Uses
}

type noImporter struct{}

func (noImporter) Import(string) (*types.Package, error) {
	return nil, errors.New("imports are not resolved")
}

// guarded reports whether the function of a goroutine, a literal or a function or method of the same file,
// defers a recover.
func guarded(f *ast.File, uses map[*ast.Ident]types.Object, fn ast.Expr) bool {
	body := bodyOf(f, uses, fn)
	return body != nil && slices.ContainsFunc(body.List, func(s ast.Stmt) bool {
		d, ok := s.(*ast.DeferStmt)
		return ok && recovers(uses, d.Call.Fun)
	})
}

func bodyOf(f *ast.File, uses map[*ast.Ident]types.Object, fn ast.Expr) *ast.BlockStmt {
	var name *ast.Ident
	switch fn := fn.(type) {
	case *ast.FuncLit:
		return fn.Body
	case *ast.SelectorExpr:
		name = fn.Sel
	case *ast.Ident:
		name = fn
	}
	object := uses[name]
	if object == nil {
		return nil
	}
	for _, d := range f.Decls {
		if decl, ok := d.(*ast.FuncDecl); ok && decl.Name.Pos() == object.Pos() {
			return decl.Body
		}
	}
	return nil
}

// recovers reports whether a deferred function is crash.Catch, or a literal that calls recover directly: in
// a nested function, recover returns nil.
func recovers(uses map[*ast.Ident]types.Object, deferred ast.Expr) (found bool) {
	if s, ok := deferred.(*ast.SelectorExpr); ok {
		return isName(s.X, "crash") && s.Sel.Name == "Catch"
	}
	literal, ok := deferred.(*ast.FuncLit)
	if !ok {
		return false
	}
	ast.Inspect(literal.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			name, ok := n.Fun.(*ast.Ident)
			found = found || ok && uses[name] == types.Universe.Lookup("recover")
		}
		return true
	})
	return found
}

func isName(x ast.Expr, name string) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == name
}

func TestUnguarded_FindsGoroutinesThatDoNotRecover(t *testing.T) {
	const others = `
type careful struct{}
func (c *careful) run() { defer func() { if p := recover(); p != nil { c.say(p) } }() }
func (c *careful) say(any) {}
type careless struct{}
func (c careless) run() {}
func single() { defer crash.Catch(nil) }
`
	for _, c := range []struct {
		name, does string
		want       int
	}{
		{"a literal", `go func() { print() }()`, 1},
		{"a literal that catches", `go func() { defer crash.Catch(&err) }()`, 0},
		{"a literal that recovers", `go func() { defer func() { _ = recover() }() }()`, 0},
		{"recover in a nested function", `go func() { defer func() { func() { recover() }() }() }()`, 1},
		{"recover as an argument", `go func() { defer later(recover()) }()`, 1},
		{"shadowed recover", `recover := func() {}; go func() { defer func() { recover() }() }()`, 1},
		{"a method named recover", `go func() { defer x.recover() }()`, 1},
		{"not deferred", `go func() { crash.Catch(&err) }()`, 1},
		{"a method that recovers", `c := &careful{}; go c.run()`, 0},
		{"a method of that name", `c := careless{}; go c.run()`, 1},
		{"a method of another package", `go http.run()`, 1},
		{"a function", `go single()`, 0},
		{"a function elsewhere", `go elsewhere()`, 1},
		{"two", `go single(); go elsewhere(); go func() {}()`, 2},
		{"a timer", `time.AfterFunc(d, func() {})`, 1},
		{"a timer that catches", `time.AfterFunc(d, func() { defer crash.Catch(nil) })`, 0},
		{"a timer with a method", `var c careless; time.AfterFunc(d, c.run)`, 1},
		{"a context", `context.AfterFunc(ctx, stop)`, 1},
		{"a context that catches", `var c careful; context.AfterFunc(ctx, c.run)`, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := token.NewFileSet()
			source := "package p\nimport (\"context\"; \"time\"; \"net/http\"; \"x/crash\")\nfunc does() { " + c.does + " }" + others
			f, err := parser.ParseFile(files, "p.go", source, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			if got := unguardedIn(files, f); len(got) != c.want {
				t.Errorf("unguarded in %q: %v, want %d", c.does, got, c.want)
			}
		})
	}
}
