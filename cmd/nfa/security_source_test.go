package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// sources returns the Go files of the program, by path.
func sources(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, root := range []string{"../../internal", "../../cmd"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			files[filepath.ToSlash(path)] = string(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(files) < 100 {
		t.Fatalf("%d files: the test sees nothing", len(files))
	}
	return files
}

// Connections use the TLS rules of the standard library or stricter ones, and programs are started only in
// files whose purpose that is.
func TestSecurity_TheSourceTakesNoShortCuts(t *testing.T) {
	starts := map[string]bool{
		"../../cmd/nfa/alerts.go":                    true, // crontab, and nfa itself, for a schedule that the user installs
		"../../internal/cli/editor.go":               true, // the user's editor
		"../../internal/mcpclient/child.go":          true, // MCP servers, which the user added or trusted
		"../../internal/process/group_windows.go":    true, // taskkill, to end programs
		"../../internal/python/":                     true, // Python, which is asked for
		"../../internal/skill/install/repository.go": true, // git, to install the skills that the user names
		"../../internal/python/pythontest/":          true,
		"../../internal/postgres/postgrestest/":      true,
		"../../internal/sshserver/server_linux.go":   true, // nfa itself, for each chat
		"../../internal/sshserver/confine_linux.go":  true, // nfa itself, confined
	}
	never := []string{"InsecureSkipVerify:", "InsecureSkipVerify =", `"net/http/pprof"`, `"plugin"`, "VersionTLS10", "VersionTLS11", "VersionSSL", `"crypto/md5"`, "\"math/rand\"\n"}
	start := []string{"exec.Command", "os.StartProcess", "syscall.Exec(", "syscall.ForkExec", "tea.ExecProcess"}
	for path, text := range sources(t) {
		for _, short := range never {
			if strings.Contains(text, short) {
				t.Errorf("%s has %s", path, short)
			}
		}
		if starts[path] || starts[path[:strings.LastIndex(path, "/")+1]] {
			continue
		}
		for _, call := range start {
			if strings.Contains(text, call) {
				t.Errorf("%s starts a program (%s), which no file but those that are listed here does", path, call)
			}
		}
	}
}

// The build contains what was reviewed: each dependency is pinned by its hash, none is replaced, and the
// program contains no path of the computer that built it.
func TestSecurity_BuildsArePinned(t *testing.T) {
	mod, sum := page(t, "go.mod"), page(t, "go.sum")
	if strings.Contains(mod, "replace") {
		t.Error("go.mod replaces a module")
	}
	required := regexp.MustCompile(`(?m)^\s+(\S+) (v\S+)`).FindAllStringSubmatch(mod, -1)
	if len(required) < 10 {
		t.Fatalf("%d modules: the test sees nothing", len(required))
	}
	for _, m := range required {
		if !strings.Contains(sum, m[1]+" "+m[2]+" h1:") && !strings.Contains(sum, m[1]+" "+m[2]+"/go.mod h1:") {
			t.Errorf("go.sum has no hash of %s %s", m[1], m[2])
		}
	}
	for file, want := range map[string]string{".goreleaser.yaml": "-trimpath", "Makefile": "-trimpath", ".ci/vuln.sh": "govulncheck"} {
		if !strings.Contains(page(t, file), want) {
			t.Errorf("%s has no %s", file, want)
		}
	}
}

// A pattern from outside could take forever or match too much, so all patterns are constants of the program.
func TestSecurity_PatternsOfOthersAreNotCompiled(t *testing.T) {
	compile := regexp.MustCompile(`(?:regexp\.(?:Must)?Compile(?:POSIX)?|pattern\.Lazy)\(([^"` + "`" + `\s]\S*)`)
	known := map[string]bool{
		"../../internal/llm/offline/question_currency.go":   true, // of its own tables of words
		"../../internal/llm/offline/question_date_parse.go": true,
		"../../internal/lazyregexp/lazyregexp.go":           true, // what its callers give it, who are looked at here
	}
	for path, text := range sources(t) {
		if m := compile.FindStringSubmatch(text); m != nil && !known[path] {
			t.Errorf("%s compiles %s, which is no text of the program", path, m[1])
		}
	}
}
