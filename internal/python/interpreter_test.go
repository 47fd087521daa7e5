//go:build unix

package python_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/python/pythontest"
)

// fakePython puts a fake python3 on the PATH.
func fakePython(t *testing.T, body string) string {
	t.Helper()
	dir := t.TempDir()
	at := filepath.Join(dir, "python3")
	if err := os.WriteFile(at, []byte("#!/bin/sh\n"+body), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	return at
}

func TestSystem_NoInterpreter(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	r := newRunner(t, python.Config{Runtime: python.System, Dir: t.TempDir()})
	if _, err := r.Run(t.Context(), newInline(t, "print(1)"), python.Input{}); !errors.Is(err, python.ErrNoInterpreter) {
		t.Errorf("Run = %v, want ErrNoInterpreter", err)
	}
}

// A cloned folder may contain its own python3.
func TestSystem_NoInterpreterIsTakenFromTheFolder(t *testing.T) {
	for _, path := range []string{".", "", "bin", ".:bin"} {
		t.Run(path, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.Mkdir("bin", 0o700); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"python3", "python", "bin/python3", "bin/python"} {
				if err := os.WriteFile(name, []byte("#!/bin/sh\necho ran >ran; echo; echo /usr/bin/python3; echo 3.12.1\n"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			t.Setenv("PATH", path)
			r := newRunner(t, python.Config{Runtime: python.System, Dir: t.TempDir()})
			if _, err := r.Describe(t.Context(), newInline(t, "print(1)"), python.User); !errors.Is(err, python.ErrNoInterpreter) {
				t.Errorf("Describe = %v, want ErrNoInterpreter", err)
			}
			if _, err := os.Stat("ran"); err == nil {
				t.Error("a program of the folder ran")
			}
		})
	}
}

func TestSystem_AnInterpreterThatCannotServeIsNamedWithItsFault(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"too old":     {"echo; echo /usr/bin/python3; echo 3.8.18", `Python "3.8.18"; 3.9 or later`},
		"python 2":    {"echo; echo /usr/bin/python3; echo 2.7.18", "2.7.18"},
		"no version":  {"echo hello", "hello"},
		"silent":      {"exit 0", "3.9 or later"},
		"broken":      {"exit 127", "does not start"},
		"not numbers": {"echo; echo /x; echo 3.x.1", "3.x.1"},
	} {
		t.Run(name, func(t *testing.T) {
			at := fakePython(t, c.body)
			r := newRunner(t, python.Config{Runtime: python.System, Dir: t.TempDir()})
			_, err := r.Describe(t.Context(), newInline(t, "print(1)"), python.User)
			if !errors.Is(err, python.ErrNoInterpreter) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), at) {
				t.Errorf("Describe = %v, want ErrNoInterpreter with %s and %s", err, at, c.want)
			}
		})
	}
}

func TestSystem_AnInterpreterIsAskedOnceWhileItStaysTheSame(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	at := fakePython(t, "echo asked >> "+log+"\necho\necho /opt/python3.12\necho 3.12.1\n")
	r := newRunner(t, python.Config{Runtime: python.System, Dir: t.TempDir()})
	for range 3 {
		plan, err := r.Describe(t.Context(), newInline(t, "print(1)"), python.User)
		if err != nil || plan.Runtime != "system /opt/python3.12 3.12.1" {
			t.Fatalf("Describe = %+v, %v, want what stands behind the shim", plan, err)
		}
	}
	asked := func() int {
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(text), "asked")
	}
	if n := asked(); n != 1 {
		t.Errorf("asked %d times, want once", n)
	}
	body, err := os.ReadFile(at)
	if err == nil {
		err = os.WriteFile(at, append(body, "# updated\n"...), 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Describe(t.Context(), newInline(t, "print(1)"), python.User); err != nil || asked() != 2 {
		t.Errorf("after an update: asked %d times, %v, want twice", asked(), err)
	}
}

func TestSystem_TheConfigMayNameTheInterpreter(t *testing.T) {
	at := fakePython(t, "echo; echo /opt/named; echo 3.13.0")
	t.Setenv("PATH", t.TempDir())
	r := newRunner(t, python.Config{Interpreter: at, Dir: t.TempDir()})
	if plan, err := r.Describe(t.Context(), newInline(t, ""), python.User); err != nil || plan.Runtime != "system /opt/named 3.13.0" {
		t.Errorf("Describe = %+v, %v", plan, err)
	}
}

func TestAuto_WithoutEitherSaysBothWays(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	r := newRunner(t, python.Config{Dir: t.TempDir()})
	_, err := r.Run(t.Context(), newInline(t, "print(1)"), python.Input{By: python.User})
	if !errors.Is(err, python.ErrNoInterpreter) || !errors.Is(err, python.ErrSandboxNotInstalled) {
		t.Fatalf("Run = %v, want ErrNoInterpreter and ErrNotInstalled", err)
	}
	for _, way := range []string{"install Python 3.9 or later", "download the sandbox"} {
		if !strings.Contains(err.Error(), way) {
			t.Errorf("%q does not say %q", err, way)
		}
	}
}

func TestAuto_TakesTheSandboxWhereThereIsNoInterpreter(t *testing.T) {
	sandboxRunner(t, python.Limits{})
	c, err := pythontest.Installation()
	if err != nil {
		t.Fatal(err)
	}
	c.Runtime = python.Auto
	t.Setenv("PATH", t.TempDir())
	plan, err := newRunner(t, c).Describe(t.Context(), newInline(t, "print(1)"), python.User)
	if err != nil || !plan.Sandboxed || !strings.HasPrefix(plan.Runtime, "sandbox CPython") {
		t.Errorf("Describe = %+v, %v, want the sandbox", plan, err)
	}
}

func TestWASM_NotInstalled(t *testing.T) {
	r := newRunner(t, python.Config{Runtime: python.WASM, Dir: t.TempDir()})
	if _, err := r.Run(t.Context(), newInline(t, "print(1)"), python.Input{}); !errors.Is(err, python.ErrSandboxNotInstalled) || r.Installed() {
		t.Errorf("Run = %v, Installed = %t, want ErrNotInstalled", err, r.Installed())
	}
}
