package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/python/pythontest"
)

var update = flag.Bool("update", false, "write the expected output of the scripts anew")

func TestMain(m *testing.M) {
	// The sandbox starts this binary as its child; as a test binary it would run every test again.
	if len(os.Args) > 1 && os.Args[1] == python.SandboxVerb {
		os.Exit(python.SandboxMain(os.Stdin, os.Stdout, os.Stderr))
	}
	// No test connects to a public server; tests of live sources point them to a server of their
	// own. The scripts also run this binary as nfa. Their environment decides what it does.
	if name := filepath.Base(os.Args[0]); strings.TrimSuffix(name, ".exe") != "nfa" {
		if err := os.Setenv("NFA_DATA", "sample"); err != nil {
			panic(err)
		}
		debug.SetGCPercent(400) // a fifth of the time of this package; the programs that it starts are not affected
		waitTogether()
		putPythonFirst()
	}
	testscript.Main(m, map[string]func(){"nfa": main, "nfa-light": runLight})
}

// runLight runs nfa, and fails if it parsed catalog.json, which takes longer than a short command, or ran
// code for PostgreSQL.
func runLight() {
	runtime.MemProfileRate = 1
	code := run(os.Args[1:], terminal{in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.Getenv})
	runtime.GC() // the profile has what was allocated before the last two collections
	runtime.GC()
	records := make([]runtime.MemProfileRecord, 1<<16)
	n, ok := runtime.MemProfile(records, true)
	if !ok || n == 0 {
		panic(fmt.Sprintf("%d records do not fit", n))
	}
	for _, record := range records[:n] {
		var calls []string
		for frames, more := runtime.CallersFrames(record.Stack()), true; more; {
			var frame runtime.Frame
			frame, more = frames.Next()
			calls = append(calls, frame.Function)
		}
		if slices.Contains(calls, "runtime.doInit1") {
			continue // a package variable of a library, set before the command began
		}
		for _, call := range calls {
			if strings.HasSuffix(call, "catalog.readMaintained") {
				fmt.Fprintln(os.Stderr, "catalog.json was parsed")
				os.Exit(99)
			}
			if strings.Contains(call, "/jackc/pgx/") || strings.Contains(call, "/internal/postgres.") {
				fmt.Fprintln(os.Stderr, "code for PostgreSQL ran: "+call)
				os.Exit(99)
			}
		}
	}
	os.Exit(code)
}

// waitTogether runs at least four tests in parallel, unless -parallel says otherwise, because many wait for a
// clock or a disk.
func waitTogether() {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if given {
		return
	}
	if err := flag.Set("test.parallel", strconv.Itoa(max(4, runtime.GOMAXPROCS(0)))); err != nil {
		panic(err)
	}
}

// putPythonFirst finds the interpreter behind python3, which a version manager may have replaced
// with a shell script that takes longer than the steps of the skills.
func putPythonFirst() {
	path, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		return // the tests that need it are skipped
	}
	dir := filepath.Dir(strings.TrimSpace(string(path)))
	if err := os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH")); err != nil {
		panic(err)
	}
}

// TestScript runs every command as a person would, each script in an empty home.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Condition:           condition,
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			e.Setenv("HOME", home)
			e.Setenv("USERPROFILE", home)
			// Do not use the keyring of the person who runs the tests.
			e.Setenv("NFA_KEY_STORE", "file")
			e.Setenv("NFA_DATA", "sample")
			// The race detector delays the exit of every program by a second.
			e.Setenv("GORACE", "atexit_sleep_ms=0")
			// Scripts run in parallel, so more threads per program would only cost time.
			e.Setenv("GOMAXPROCS", "1")
			e.Values[serverKey{}] = new(*llmtest.Server)
			e.Values[marketKey{}] = new(*markettest.FakeProviders)
			return os.MkdirAll(home, 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":     checkExit,
			"json":      checkJSON,
			"jsonlines": checkJSONLines,
			"mode":      checkMode,
			"glob":      checkGlob,
			"serve":     serve,
			"catalogue": startCatalog,
			"requests":  requests,
			"market":    startMarket,
			"prices":    scriptPrices,
			"copyid":    copyID,
			"zip":       makeZip,
			"sandbox":   useSandbox,
			"postgres":  startPostgres,
		},
	})
}

// condition evaluates [sandbox] and [postgres]: whether the real sandbox or a PostgreSQL server is available.
func condition(cond string) (bool, error) {
	if cond == "postgres" {
		err := postgresAvailable()
		if err != nil && os.Getenv("NFA_REQUIRE_POSTGRES") != "" {
			return false, err
		}
		return err == nil, nil
	}
	if cond != "sandbox" {
		return false, fmt.Errorf("unknown condition %q", cond)
	}
	if testing.Short() {
		return false, nil
	}
	_, err := pythontest.Installation()
	return sandboxAvailable(err)
}

// sandboxAvailable reports whether the sandbox is available, given the error of its installation. If the
// build exists but cannot be installed, it returns an error, so that no script is skipped because of it.
func sandboxAvailable(err error) (bool, error) {
	if err != nil && !errors.Is(err, pythontest.ErrNoBuild) {
		return false, fmt.Errorf("installing the sandbox: %w", err)
	}
	return err == nil, nil
}

func TestCondition_ASandboxThatCannotBeInstalledSkipsNothing(t *testing.T) {
	if had, err := sandboxAvailable(nil); !had || err != nil {
		t.Errorf("with the sandbox: %v, %v; want it had", had, err)
	}
	if had, err := sandboxAvailable(fmt.Errorf("%w: no npm", pythontest.ErrNoBuild)); had || err != nil {
		t.Errorf("without a build: %v, %v; want it skipped", had, err)
	}
	broken := errors.New("no space left on device")
	if had, err := sandboxAvailable(broken); had || !errors.Is(err, broken) {
		t.Errorf("with a build that cannot be installed: %v, %v; want the error", had, err)
	}
}

// useSandbox makes Python steps run in the real sandbox.
func useSandbox(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: sandbox")
	}
	c, err := pythontest.Installation()
	ts.Check(err)
	cache := filepath.Join(ts.Getenv("HOME"), ".nfa", "cache")
	ts.Check(os.MkdirAll(cache, 0o700))
	ts.Check(os.Symlink(c.Dir, filepath.Join(cache, "python")))
	ts.Setenv("NFA_PYTHON_RUNTIME", "wasm")
	ts.Setenv("NFA_PYTHON_WASM_URL", c.Distribution.URL)
	ts.Setenv("NFA_PYTHON_WASM_SHA256", c.Distribution.SHA256)
}

// checkExit implements the script command "exits CODE COMMAND...". It runs the command and checks its exit
// code.
func checkExit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("%s exits with %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

// checkJSON implements the script command "json FILE". It checks that the file holds one JSON value.
func checkJSON(ts *testscript.TestScript, _ bool, args []string) {
	if text := ts.ReadFile(args[0]); !json.Valid([]byte(text)) {
		ts.Fatalf("not JSON: %s", text)
	}
}

// checkJSONLines implements the script command "jsonlines FILE". It checks that every line is a JSON value.
func checkJSONLines(ts *testscript.TestScript, _ bool, args []string) {
	lines := bufio.NewScanner(strings.NewReader(ts.ReadFile(args[0])))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if !json.Valid(lines.Bytes()) {
			ts.Fatalf("not JSON: %s", lines.Text())
		}
	}
	ts.Check(lines.Err())
}

// copyID implements the script command "copyid FILE NAME". It sets the variable NAME to the session ID of
// an answer in JSON.
func copyID(ts *testscript.TestScript, _ bool, args []string) {
	var answer struct{ Session string }
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &answer))
	ts.Setenv(args[1], answer.Session)
}

// checkMode implements the script command "mode OCTAL PATH". It checks the permission bits of a file.
func checkMode(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.ParseUint(args[0], 8, 32)
	ts.Check(err)
	info, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	if got := info.Mode().Perm(); got != fs.FileMode(want) {
		ts.Fatalf("%s has mode %o, want %o", args[1], got, want)
	}
}

// checkGlob implements the script command "glob PATTERN". It checks that at least one file matches.
func checkGlob(ts *testscript.TestScript, neg bool, args []string) {
	found, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	if (len(found) > 0) == neg {
		ts.Fatalf("%s matches %d files", args[0], len(found))
	}
}
