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

// Runtime selects how scripts run.
type Runtime string

const (
	// Auto prefers the sandbox for scripts of others, and uses nothing else for them. The user's own scripts
	// run in the system's interpreter if available, otherwise in the sandbox; built-in scripts in the sandbox
	// if installed, otherwise in the interpreter.
	Auto Runtime = "auto"
	// System is the interpreter of the machine, without isolation.
	System Runtime = "system"
	// WASM is the sandbox.
	WASM Runtime = "wasm"
)

// Config configures a Runner. A zero field, except Dir, means its default.
type Config struct {
	Runtime      Runtime
	Interpreter  string // a path, or a name to look up
	Distribution SandboxDistribution
	Dir          string // folder of the sandbox's files
	Limits       Limits
}

// Runner runs scripts. It is safe for concurrent use.
type Runner struct {
	runtime Runtime
	finder  *interpreterFinder
	store   *SandboxStore
	limits  Limits
}

// New returns a Runner. It looks for no interpreter or sandbox until one is needed.
func New(c Config) (*Runner, error) {
	switch c.Runtime {
	case "":
		c.Runtime = Auto
	case Auto, System, WASM:
	default:
		return nil, fmt.Errorf("python runtime %q: use auto, system or wasm", c.Runtime)
	}
	names := interpreterNames()
	if c.Interpreter != "" {
		names = []string{c.Interpreter}
	}
	// A relative path would depend on the working directory of the child.
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return nil, fmt.Errorf("python folder %s: %w", c.Dir, err)
	}
	return &Runner{
		runtime: c.Runtime,
		finder:  &interpreterFinder{names: names, probed: map[interpreterFile]probeResult{}, modules: map[string]bool{}},
		store:   NewSandboxStore(dir, c.Distribution),
		limits:  c.Limits.orDefault(),
	}, nil
}

// Installed reports whether the sandbox's file exists and is intact.
func (r *Runner) Installed() bool { return r.store.Check() == nil }

// Install downloads and compiles the sandbox, unless it is installed. The caller must have the
// user's consent. progress may be nil; total is -1 if the server does not report the size.
func (r *Runner) Install(ctx context.Context, progress func(done, total int64)) error {
	if err := r.store.Install(ctx, progress); err != nil {
		return err
	}
	return wasm{r.store}.prepare(ctx, r.limits)
}

// Author is who wrote a script. It decides how Auto runs it.
type Author int

// The authors. A script of others runs in the system's interpreter only if the user chose System.
const (
	Others Author = iota
	User
	Builtin
)

// Plan describes a run for the user to confirm.
type Plan struct {
	Runtime   string // "system /usr/bin/python3 3.11.7"
	Sandboxed bool
	Files     []File // the script first, then its local modules
	Limits    Limits
}

// Describe returns the plan of Run for the same script. Its error is the one that Run would return
// first.
func (r *Runner) Describe(ctx context.Context, s *Script, by Author) (Plan, error) {
	e, err := r.engineFor(ctx, s, by)
	if err != nil {
		return Plan{}, fmt.Errorf("plan %s: %w", s.Path(), err)
	}
	_, sandboxed := e.(wasm)
	return Plan{Runtime: e.label(), Sandboxed: sandboxed, Files: s.Files(), Limits: r.limits}, nil
}

// Input is the input of a script.
type Input struct {
	JSON json.RawMessage // its standard input; empty means {}
	By   Author
	// Runtime is the runtime of the confirmed Plan. If it has changed, Run returns
	// ErrRuntimeChanged. Empty accepts any.
	Runtime string
}

// Result is the result of a run. If the script ran and failed, it still has the runtime, the
// duration and standard error.
type Result struct {
	Output   json.RawMessage // one JSON value
	Stderr   string          // the last 8 KB, as written by the script: not sanitized
	Runtime  string
	Duration time.Duration // of the script only
}

type job struct {
	script  *Script
	input   []byte
	free    *freeForm // nil for a script of a workflow
	scratch scratch
	limits  Limits
}

// engine is one of the two runtimes.
type engine interface {
	label() string
	// checkScript returns an error if this runtime cannot run the script.
	checkScript(context.Context, *Script) error
	run(context.Context, job) (outcome, error)
}

// Run runs a script to its end. If a limit or ctx ends it early, everything it started ends too.
func (r *Runner) Run(ctx context.Context, s *Script, in Input) (Result, error) {
	e, err := r.engineFor(ctx, s, in.By)
	if err != nil {
		return Result{}, fmt.Errorf("run %s: %w", s.Path(), err)
	}
	if in.Runtime != "" && in.Runtime != e.label() {
		return Result{}, fmt.Errorf("run %s: %w: now %s, confirmed %s", s.Path(), ErrRuntimeChanged, e.label(), in.Runtime)
	}
	o, err := r.execute(ctx, e, s, in)
	result := Result{Runtime: e.label(), Stderr: string(o.stderr), Duration: o.duration}
	if err == nil {
		result.Output, err = o.output(r.limits)
	}
	if err != nil {
		return result, fmt.Errorf("run %s: %w", s.Path(), err)
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

// freeForm is the additional input of a script outside a workflow.
type freeForm struct {
	args   []string
	folder string // its working directory, in the names of the runtime; "" means that of the process
}

// TextInput is the input of a script that reads arguments and text.
type TextInput struct {
	Args    []string
	Stdin   string
	By      Author
	Runtime string // see Input
}

// TextResult is the result of a script that prints text. A script that exits with a code other than 0
// is not an error.
type TextResult struct {
	Stdout, Stderr string // as written by the script: not sanitized
	ExitCode       int
	Status         string // "exit status 1"
	Files          []OutputFile
	Runtime        string
	Duration       time.Duration
}

// OutputFile is a file that a script wrote to its working directory, which is deleted after the run.
type OutputFile struct {
	Path string `json:"path"`
	Size int64  `json:"size"`
	Text string `json:"text,omitempty"` // the beginning, if it is text
}

// RunText runs a script with arguments, and returns what it printed and the files that it wrote.
func (r *Runner) RunText(ctx context.Context, s *Script, in TextInput) (TextResult, error) {
	e, err := r.engineFor(ctx, s, in.By)
	if err != nil {
		return TextResult{}, fmt.Errorf("run %s: %w", s.Path(), err)
	}
	if in.Runtime != "" && in.Runtime != e.label() {
		return TextResult{}, fmt.Errorf("run %s: %w: now %s, confirmed %s", s.Path(), ErrRuntimeChanged, e.label(), in.Runtime)
	}
	folder, err := newScratch()
	if err != nil {
		return TextResult{}, err
	}
	defer folder.remove()
	o, err := e.run(ctx, job{script: s, input: []byte(in.Stdin), free: &freeForm{args: in.Args}, scratch: folder, limits: r.limits})
	result := TextResult{
		Stdout: string(o.stdout), Stderr: string(o.stderr), ExitCode: o.code, Status: o.status,
		Files: readOutput(folder.work()), Runtime: e.label(), Duration: o.duration,
	}
	if err == nil {
		err = o.cause
	}
	if err == nil && o.code != 0 && strings.HasPrefix(lastLine(result.Stderr), "MemoryError") {
		err = fmt.Errorf("%w of %s", ErrMemory, megabytes(r.limits.Memory))
	}
	if err != nil {
		return result, fmt.Errorf("run %s: %w", s.Path(), err)
	}
	return result, nil
}

// output returns the output of a process, or the reason why there is none.
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

// engineFor returns the runtime of a script. An import that the sandbox lacks is reported before a missing
// installation, because installing the sandbox would not help.
func (r *Runner) engineFor(ctx context.Context, s *Script, by Author) (engine, error) {
	e, err := r.engine(ctx, by)
	if e == nil {
		return nil, err
	}
	if unsupported := e.checkScript(ctx, s); unsupported != nil {
		return nil, unsupported
	}
	return e, err
}

// engine returns the runtime for an author's scripts. If only the sandbox could run them but is unavailable, it
// returns the sandbox together with the error.
func (r *Runner) engine(ctx context.Context, by Author) (engine, error) {
	if r.runtime == WASM {
		return wasm{r.store}, r.store.Check()
	}
	if r.runtime == Auto && by != User {
		absent := r.store.Check()
		if absent == nil {
			return wasm{r.store}, nil
		}
		if by == Others {
			return wasm{r.store}, fmt.Errorf("%w, and %w", ErrOnlySandboxed, absent)
		}
	}
	found, missing := r.finder.find(ctx)
	if missing == nil {
		return system{found, r.finder}, nil
	}
	if r.runtime == System || !errors.Is(missing, ErrNoInterpreter) {
		return nil, missing
	}
	if absent := r.store.Check(); absent != nil {
		return nil, fmt.Errorf("%w, and %w: install Python %d.%d or later, or download the sandbox (once, 26 MB)", missing, absent, minMajor, minMinor)
	}
	return wasm{r.store}, nil
}

// Status describes the current runtime for scripts.
type Status struct {
	Runtime   string `json:"runtime"` // "" if there is none
	Sandboxed bool   `json:"sandboxed"`
	Installed bool   `json:"sandbox_installed"`
	Reason    string `json:"reason,omitempty"` // why scripts cannot run
	Fix       string `json:"-"`                // the next step
}

// Status determines the runtime. It runs no script, but may start an interpreter to get its
// version.
func (r *Runner) Status(ctx context.Context) Status {
	status := Status{Installed: r.Installed()}
	e, err := r.engine(ctx, User)
	if err != nil {
		status.Reason = err.Error()
		status.Fix = "install Python 3.9 or later, or download the sandbox: nfa skills python install"
		return status
	}
	status.Runtime = e.label()
	_, status.Sandboxed = e.(wasm)
	return status
}
