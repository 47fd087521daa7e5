package lazyregexp_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestSources_EveryPatternCompilesAndNoneAtStartUp reads all source files, because a pattern that
// is compiled at its first use must not turn out to be invalid then.
func TestSources_EveryPatternCompilesAndNoneAtStartUp(t *testing.T) {
	files := token.NewFileSet()
	folders := map[string][]*ast.File{}
	for _, root := range []string{"../../internal", "../../cmd"} {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			folders[filepath.Dir(path)] = append(folders[filepath.Dir(path)], f)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	read := 0
	for folder, parsed := range folders {
		for _, f := range parsed {
			if !isTestFolder(folder) {
				for _, at := range compiledAtStart(f) {
					t.Errorf("%s compiles an expression at every start of the program: use lazyregexp.New", files.Position(at))
				}
			}
			for _, source := range sources(f) {
				read++
				if fault := compiled(source, constants(parsed)); fault != "" {
					t.Errorf("%s: %s", files.Position(source.Pos()), fault)
				}
			}
		}
	}
	if read < 50 {
		t.Errorf("only %d patterns found: the test looks in the wrong place", read)
	}
}

func TestSources_WhatCannotBeReadIsAFault(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "a.go", "package a\n"+
		"const open, word = `(`, `\\w+`\n"+
		"var name = `a`\n"+
		"var started = regexp.MustCompile(`a`)\n"+
		"var later = func() any { return regexp.MustCompile(`a`) }\n"+
		"var whole = lazyregexp.New((`^` + word) + \"$\")\n"+
		"func f() { lazyregexp.New(open + word); lazyregexp.New(name); lazyregexp.New(g()) }", parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if at := compiledAtStart(f); len(at) != 1 {
		t.Errorf("%d expressions compiled at start-up, want the one outside of a function", len(at))
	}
	var faults []string
	for _, source := range sources(f) {
		fault, _, _ := strings.Cut(compiled(source, constants([]*ast.File{f})), ":")
		faults = append(faults, fault)
	}
	if got, want := strings.Join(faults, "|"), "|error parsing regexp|"+notConstant+"|"+notConstant; got != want {
		t.Errorf("faults %q, want %q", got, want)
	}
}

const notConstant = "not a constant of its own package, so nobody knows before its use whether it compiles"

// compiled returns why a source is invalid, or "".
func compiled(source ast.Expr, constants map[string]ast.Expr) string {
	text, ok := textOf(source, constants, 8)
	if !ok {
		return notConstant
	}
	if _, err := regexp.Compile(text); err != nil {
		return err.Error()
	}
	return ""
}

// sources returns the arguments of lazyregexp.New in a file, also within functions.
func sources(f *ast.File) (out []ast.Expr) {
	ast.Inspect(f, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && calls(call, "lazyregexp", "New") && len(call.Args) == 1 {
			out = append(out, call.Args[0])
		}
		return true
	})
	return out
}

// compiledAtStart returns the regular expressions in variables of a file, which are compiled when
// the program starts.
func compiledAtStart(f *ast.File) (out []token.Pos) {
	for _, declaration := range f.Decls {
		if _, ok := declaration.(*ast.GenDecl); !ok {
			continue
		}
		ast.Inspect(declaration, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && calls(call, "regexp", "MustCompile") {
				out = append(out, call.Pos())
			}
			_, within := n.(*ast.FuncLit)
			return !within
		})
	}
	return out
}

func calls(call *ast.CallExpr, pkg, name string) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	of, ok := f.X.(*ast.Ident)
	return ok && of.Name == pkg && f.Sel.Name == name
}

// constants returns the constants that the files of a package declare outside of functions.
func constants(files []*ast.File) map[string]ast.Expr {
	out := map[string]ast.Expr{}
	for _, f := range files {
		for _, declaration := range f.Decls {
			d, ok := declaration.(*ast.GenDecl)
			if !ok || d.Tok != token.CONST {
				continue
			}
			for _, spec := range d.Specs {
				values := spec.(*ast.ValueSpec)
				for i, value := range values.Values {
					out[values.Names[i].Name] = value
				}
			}
		}
	}
	return out
}

// textOf returns the text of a constant, which may be composed of other constants of its package, up to
// this depth.
func textOf(e ast.Expr, constants map[string]ast.Expr, deep int) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.ParenExpr:
		return textOf(e.X, constants, deep)
	case *ast.BinaryExpr:
		left, ok := textOf(e.X, constants, deep)
		right, also := textOf(e.Y, constants, deep)
		return left + right, ok && also
	case *ast.Ident:
		value, ok := constants[e.Name]
		if !ok || deep == 0 {
			return "", false
		}
		return textOf(value, constants, deep-1)
	default:
		return "", false
	}
}

// isTestFolder reports whether a folder holds a package for tests, which is part of no program.
func isTestFolder(folder string) bool { return strings.HasSuffix(filepath.Base(folder), "test") }
