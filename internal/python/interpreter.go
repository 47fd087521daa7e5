package python

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// The oldest supported Python.
const (
	minMajor = 3
	minMinor = 9
)

// probeTimeout is long, because a version manager may wrap the interpreter.
const probeTimeout = 15 * time.Second

// interpreter is a Python whose version is known.
type interpreter struct {
	path    string // path to execute, with shims resolved
	version string
}

func (i interpreter) label() string { return "system " + i.path + " " + i.version }

// interpreterFinder finds the system's interpreter and caches the result until the file changes.
type interpreterFinder struct {
	names []string // paths, or names to look up

	mu     sync.Mutex
	probed map[interpreterFile]probeResult

	modulesMu sync.Mutex
	modules   map[string]bool // modules that an interpreter has, by its path and their name
}

type interpreterFile struct {
	path  string
	size  int64
	mtime time.Time
}

type probeResult struct {
	found interpreter
	err   error
}

// find returns the first usable interpreter, or an error with the problem of each candidate.
func (f *interpreterFinder) find(ctx context.Context) (interpreter, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var problems []string
	for _, name := range f.names {
		found, err := f.probeCached(ctx, name)
		if err == nil {
			return found, nil
		}
		if ctx.Err() != nil {
			return interpreter{}, fmt.Errorf("find Python: %w", context.Cause(ctx))
		}
		problems = append(problems, err.Error())
	}
	return interpreter{}, fmt.Errorf("%w: %s", ErrNoInterpreter, strings.Join(problems, "; "))
}

func (f *interpreterFinder) probeCached(ctx context.Context, name string) (interpreter, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return interpreter{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return interpreter{}, err
	}
	key := interpreterFile{path, info.Size(), info.ModTime()}
	if p, ok := f.probed[key]; ok {
		return p.found, p.err
	}
	found, err := probe(ctx, path)
	if ctx.Err() == nil {
		f.probed[key] = probeResult{found, err}
	}
	return found, err
}

// probe asks an interpreter for its path and version. Only this call has the environment of this
// process, because shims such as those of pyenv need it to find the real interpreter, which then
// runs the scripts.
func probe(ctx context.Context, path string) (interpreter, error) {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	const ask = `import sys; print("\n%s\n%d.%d.%d" % ((sys.executable,) + sys.version_info[:3]))`
	cmd := exec.CommandContext(ctx, path, "-I", "-S", "-c", ask)
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return interpreter{}, fmt.Errorf("%s does not start: %w", path, err)
	}
	executable, version := lastTwoLines(string(out))
	var major, minor int
	_, err = fmt.Sscanf(version, "%d.%d.", &major, &minor)
	if err != nil || major < minMajor || major == minMajor && minor < minMinor {
		return interpreter{}, fmt.Errorf("%s is Python %q; %d.%d or later is required", path, version, minMajor, minMinor)
	}
	if executable == "" {
		executable = path
	}
	return interpreter{path: executable, version: version}, nil
}

// missingModules returns the modules that an interpreter does not have. If it cannot be run, the result is
// empty: the script reports missing modules itself.
func (f *interpreterFinder) missingModules(ctx context.Context, i interpreter, modules []string) []string {
	f.modulesMu.Lock()
	defer f.modulesMu.Unlock()
	var unknown []string
	for _, module := range modules {
		if !f.modules[i.path+"\x00"+module] && !isStandardModule(module) {
			unknown = append(unknown, module)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	const ask = `import sys
from importlib.util import find_spec
for name in sys.argv[1:]:
    try:
        found = find_spec(name) is not None
    except (ImportError, ValueError):
        found = False
    if not found:
        print(name)`
	cmd := exec.CommandContext(ctx, i.path, append([]string{"-I", "-c", ask}, unknown...)...)
	cmd.Env = environment(os.TempDir())
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return nil
	}
	missing := strings.Fields(string(out))
	for _, module := range unknown {
		if !slices.Contains(missing, module) {
			f.modules[i.path+"\x00"+module] = true
		}
	}
	return missing
}

func lastTwoLines(out string) (before, last string) {
	lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(out, "\r\n", "\n")), "\n")
	if len(lines) > 1 {
		before = lines[len(lines)-2]
	}
	return before, lines[len(lines)-1]
}
