package python_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/python/pythontest"
)

// TestMain lets the test binary act as the sandbox's child, as nfa does.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == python.SandboxVerb {
		os.Exit(python.SandboxMain(os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// inBothRuntimes runs a test in each runtime available on this machine.
func inBothRuntimes(t *testing.T, limits python.Limits, test func(t *testing.T, r *python.Runner)) {
	t.Run("system", func(t *testing.T) { test(t, systemRunner(t, limits)) })
	t.Run("sandbox", func(t *testing.T) { test(t, sandboxRunner(t, limits)) })
}

func systemRunner(t *testing.T, limits python.Limits) *python.Runner {
	t.Helper()
	interpreter, err := systemPython()
	if err != nil {
		t.Skipf("no usable python3 here: %v", err)
	}
	return newRunner(t, python.Config{Runtime: python.System, Interpreter: interpreter, Dir: t.TempDir(), Limits: limits})
}

// systemPython returns the real interpreter, without shims, whose start takes longer than a test.
var systemPython = sync.OnceValues(func() (string, error) {
	r, err := python.New(python.Config{Runtime: python.System})
	if err != nil {
		return "", err
	}
	s, err := python.InlineScript("", "")
	if err != nil {
		return "", err
	}
	plan, err := r.Describe(context.Background(), s, python.User)
	if err != nil {
		return "", err
	}
	named := strings.TrimPrefix(plan.Runtime, "system ")
	return named[:strings.LastIndexByte(named, ' ')], nil
})

func newRunner(t *testing.T, c python.Config) *python.Runner {
	t.Helper()
	r, err := python.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func newInline(t *testing.T, code string) *python.Script {
	t.Helper()
	s, err := python.InlineScript("", code)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// newSkillFolder creates a skill's directory with the given files.
func newSkillFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func openScript(t *testing.T, dir, name string) *python.Script {
	t.Helper()
	s, err := python.OpenScript(dir, name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func sandboxRunner(t *testing.T, limits python.Limits) *python.Runner {
	t.Helper()
	if testing.Short() {
		t.Skip("the sandbox is left out of short tests")
	}
	c, err := pythontest.Installation()
	if errors.Is(err, pythontest.ErrNoBuild) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	c.Limits = limits
	return newRunner(t, c)
}
