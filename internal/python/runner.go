package python

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// Runtime is where scripts run.
type Runtime string

const (
	// Auto is the system's interpreter where there is one, else the sandbox
	// where it is installed.
	Auto Runtime = "auto"
	// System is the interpreter of the machine. It fences nothing off.
	System Runtime = "system"
	// WASM is the sandbox.
	WASM Runtime = "wasm"
)

// Config is what a Runner needs to know. The zero value of a field, Dir
// excepted, means its default.
type Config struct {
	Runtime      Runtime
	Interpreter  string // a path, or a name to look up
	Distribution SandboxDistribution
	Dir          string // where the sandbox keeps its files
	Limits       Limits
}

// Runner runs scripts. It is safe for concurrent use.
type Runner struct {
	runtime Runtime
	finder  *interpreterFinder
	store   *SandboxStore
	limits  Limits
}

// New makes a Runner. Nothing is looked for before it is needed.
func New(c Config) (*Runner, error) {
	switch c.Runtime {
	case "":
		c.Runtime = Auto
	case Auto, System, WASM:
	default:
		return nil, fmt.Errorf("python runtime %q: not auto, system or wasm", c.Runtime)
	}
	names := interpreterNames()
	if c.Interpreter != "" {
		names = []string{c.Interpreter}
	}
	// A relative folder would move with the working directory of the child.
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return nil, fmt.Errorf("python folder %s: %w", c.Dir, err)
	}
	return &Runner{
		runtime: c.Runtime,
		finder:  &interpreterFinder{names: names, probed: map[interpreterFile]probeResult{}},
		store:   NewSandboxStore(dir, c.Distribution),
		limits:  c.Limits.orDefault(),
	}, nil
}

// Installed reports whether the sandbox's file is there and whole.
func (r *Runner) Installed() bool { return r.store.Check() == nil }

// Install fetches and compiles the sandbox, unless that is done. The user's
// consent is the caller's to ask for. Progress, which may be nil, follows the
// download; total is -1 where the server does not tell.
func (r *Runner) Install(ctx context.Context, progress func(done, total int64)) error {
	if err := r.store.Install(ctx, progress); err != nil {
		return err
	}
	return wasm{r.store}.prepare(ctx, r.limits)
}

// Plan is what would run, for the user to confirm.
type Plan struct {
	Runtime   string // "system /usr/bin/python3 3.11.7"
	Sandboxed bool
	Files     []File // the script first, then its local modules
	Limits    Limits
}

// Describe tells what Run would do with the same script. An error is the one
// that Run would begin with.
func (r *Runner) Describe(ctx context.Context, s *Script) (Plan, error) {
	e, err := r.engineFor(ctx, s)
	if err != nil {
		return Plan{}, fmt.Errorf("planning %s: %w", s.Path(), err)
	}
	_, sandboxed := e.(wasm)
	return Plan{Runtime: e.label(), Sandboxed: sandboxed, Files: s.Files(), Limits: r.limits}, nil
}

// Input is what a script is given.
type Input struct {
	JSON json.RawMessage // its standard input; empty means {}
	// Runtime is the one of the Plan that was confirmed. When another would be
	// used by now, Run refuses with ErrRuntimeChanged. Empty accepts any.
	Runtime string
}

// Result is what a run left. Beside the error of a script that did run it
// tells the runtime, the time, and what stood on standard error.
type Result struct {
	Output   json.RawMessage // one JSON value
	Stderr   string          // the last 8 KB, as the script wrote it: not sanitised
	Runtime  string
	Duration time.Duration // of the script alone
}

type job struct {
	script  *Script
	input   []byte
	scratch scratch
	limits  Limits
}

// engine is one of the two runtimes.
type engine interface {
	label() string
	// checkScript says what of a script cannot run here.
	checkScript(*Script) error
	run(context.Context, job) (outcome, error)
}

// Run runs a script to its end. Whatever ends it early (a limit, ctx) ends
// everything it started, too.
func (r *Runner) Run(ctx context.Context, s *Script, in Input) (Result, error) {
	e, err := r.engineFor(ctx, s)
	if err != nil {
		return Result{}, fmt.Errorf("running %s: %w", s.Path(), err)
	}
	if in.Runtime != "" && in.Runtime != e.label() {
		return Result{}, fmt.Errorf("running %s: %w: %s, not %s", s.Path(), ErrRuntimeChanged, e.label(), in.Runtime)
	}
	o, err := r.execute(ctx, e, s, in)
	result := Result{Runtime: e.label(), Stderr: string(o.stderr), Duration: o.duration}
	if err == nil {
		result.Output, err = o.output(r.limits)
	}
	if err != nil {
		return result, fmt.Errorf("running %s: %w", s.Path(), err)
	}
	return result, nil
}

func (r *Runner) execute(ctx context.Context, e engine, s *Script, in Input) (outcome, error) {
	if len(in.JSON) == 0 {
		in.JSON = json.RawMessage("{}")
	}
	folder, err := newScratch()
	if err != nil {
		return outcome{}, err
	}
	defer folder.remove()
	return e.run(ctx, job{script: s, input: in.JSON, scratch: folder, limits: r.limits})
}

// output turns what is left of a process into its output or the reason there is none.
func (o outcome) output(limits Limits) (json.RawMessage, error) {
	switch {
	case o.cause != nil:
		return nil, o.cause
	case o.code == 0:
		return parseOutput(o.stdout)
	}
	exit := &ExitError{Status: o.status, Code: o.code, Stderr: string(o.stderr)}
	if strings.HasPrefix(lastLine(exit.Stderr), "MemoryError") {
		return nil, fmt.Errorf("%w of %s: %w", ErrMemory, megabytes(limits.Memory), exit)
	}
	return nil, exit
}

func (r *Runner) engineFor(ctx context.Context, s *Script) (engine, error) {
	e, err := r.engine(ctx)
	if err != nil {
		return nil, err
	}
	return e, e.checkScript(s)
}

func (r *Runner) engine(ctx context.Context) (engine, error) {
	if r.runtime == WASM {
		return wasm{r.store}, r.store.Check()
	}
	found, missing := r.finder.find(ctx)
	if missing == nil {
		return system{found}, nil
	}
	if r.runtime == System || !errors.Is(missing, ErrNoInterpreter) {
		return nil, missing
	}
	if absent := r.store.Check(); absent != nil {
		return nil, fmt.Errorf("%w, and %w: install Python %d.%d or later, or fetch the sandbox (once, 26 MB)", missing, absent, minMajor, minMinor)
	}
	return wasm{r.store}, nil
}

// Status is what a script would run with now.
type Status struct {
	Runtime   string `json:"runtime"` // or ""
	Sandboxed bool   `json:"sandboxed"`
	Installed bool   `json:"sandbox_installed"`
	Reason    string `json:"reason,omitempty"` // why nothing would run
	Fix       string `json:"-"`                // what can be done about that
}

// Status finds out. It runs no script, but may ask an interpreter for its version.
func (r *Runner) Status(ctx context.Context) Status {
	status := Status{Installed: r.Installed()}
	e, err := r.engine(ctx)
	if err != nil {
		status.Reason = err.Error()
		status.Fix = "install Python 3.9 or later, or fetch the sandbox: nfa python install"
		return status
	}
	status.Runtime = e.label()
	_, status.Sandboxed = e.(wasm)
	return status
}
