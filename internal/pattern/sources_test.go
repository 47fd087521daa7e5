package pattern_test

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

// TestSources_EveryPatternCompilesAndNoneAtStartUp reads the whole house: what is
// compiled at its first use must not turn out to be no expression then.
func TestSources_EveryPatternCompilesAndNoneAtStartUp(t *testing.T) {
	files := token.NewFileSet()
	read := 0
	for _, root := range []string{"../../internal", "../../cmd"} {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, declaration := range f.Decls {
				variables, ok := declaration.(*ast.GenDecl)
				if ok && variables.Tok == token.VAR {
					ast.Inspect(variables, func(n ast.Node) bool {
						switch n := n.(type) {
						case *ast.FuncLit:
							return false
						case *ast.CallExpr:
							read += check(t, files, n)
						}
						return true
					})
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if read < 50 {
		t.Errorf("only %d patterns found: the test looks in the wrong place", read)
	}
}

// check counts the pattern that a call declares.
func check(t *testing.T, files *token.FileSet, call *ast.CallExpr) int {
	t.Helper()
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) != 1 {
		return 0
	}
	of, ok := f.X.(*ast.Ident)
	if !ok {
		return 0
	}
	at := files.Position(call.Pos())
	switch {
	case of.Name == "regexp" && f.Sel.Name == "MustCompile" && !forTests(at.Filename):
		t.Errorf("%s compiles an expression at every start of the program: use pattern.Lazy", at)
	case of.Name == "pattern" && f.Sel.Name == "Lazy":
		if source, ok := literal(call.Args[0]); ok {
			if _, err := regexp.Compile(source); err != nil {
				t.Errorf("%s: %v", at, err)
			}
			return 1
		}
	}
	return 0
}

// forTests reports whether a room is made for tests: it is in no program.
func forTests(path string) bool {
	return strings.HasSuffix(filepath.Base(filepath.Dir(path)), "test")
}

// literal is the text of a constant that is written out where it is used.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		left, ok := literal(e.X)
		right, also := literal(e.Y)
		return left + right, ok && also
	default:
		return "", false
	}
}
