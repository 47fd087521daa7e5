package python

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
)

// SandboxVerb is the argument that starts the program as the sandbox's child: the program must then
// call SandboxMain.
const SandboxVerb = "__python-sandbox"

// wasm runs scripts in the sandbox.
type wasm struct{ store *SandboxStore }

func (w wasm) label() string { return SandboxLabel }

func (w wasm) checkScript(_ context.Context, s *Script) error {
	var missing []MissingModule
	for _, n := range s.requirements {
		if reason, unsupported := UnsupportedBySandbox(n.module); unsupported {
			missing = append(missing, MissingModule{Module: n.module, File: n.file, Line: n.line, Reason: reason})
		}
	}
	if len(missing) > 0 {
		return &ImportError{Runtime: SandboxName, Missing: missing}
	}
	return nil
}

func (w wasm) run(ctx context.Context, j job) (outcome, error) {
	runtimePath := func(name string) string { return path.Join("/skill", name) }
	free, work := j.free, ""
	if free != nil {
		free = &freeForm{args: free.args, folder: WorkFolder}
		work = j.scratch.work()
	}
	if err := j.scratch.writeProgram(j.script.program(runtimePath, Limits{}, free)); err != nil {
		return outcome{}, err
	}
	mounts := map[string]string{"/boot": j.scratch.boot()}
	if j.script.dir != "" {
		mounts["/skill"] = j.script.dir
	}
	o, err := w.runChild(ctx, j, SandboxRequest{
		Args:   []string{"-I", "-B", "-X", "utf8", "/boot/boot.py"},
		Mounts: mounts,
		Work:   work,
	})
	if err != nil || o.cause != nil {
		return o, err
	}
	return o, applyReport(&o, j.scratch.report())
}

// runChild runs one request in a child process.
func (w wasm) runChild(ctx context.Context, j job, r SandboxRequest) (outcome, error) {
	self, err := os.Executable()
	if err != nil {
		return outcome{}, fmt.Errorf("find this program: %w", err)
	}
	r.Wasm, r.SHA256, r.Compiled = w.store.Path(), w.store.SHA256(), w.store.CompiledDir()
	r.Report, r.Memory, r.Time = j.scratch.report(), j.limits.Memory, j.limits.Time
	var line bytes.Buffer
	if err := r.Write(&line); err != nil {
		return outcome{}, err
	}
	c := command{
		path:          self,
		args:          []string{SandboxVerb},
		env:           []string{},
		dir:           j.scratch.work(),
		stdin:         io.MultiReader(&line, bytes.NewReader(j.input)),
		work:          r.Work,
		waitsForReady: true,
	}
	return c.run(ctx, j.limits)
}

// applyReport replaces how the child ended by how the script ended.
func applyReport(o *outcome, reportFile string) error {
	report, err := ReadSandboxReport(reportFile)
	switch {
	case err != nil:
		return fmt.Errorf("the sandbox ended unexpectedly (%s): %s", o.status, lastLine(string(o.stderr)))
	case report.Damaged:
		return fmt.Errorf("%w: %s", ErrSandboxDamaged, report.Problem)
	case report.Problem != "":
		return errors.New(report.Problem)
	}
	o.code, o.status = report.Exit, fmt.Sprintf("exit status %d", report.Exit)
	if report.Trap != "" {
		o.status = "stopped: " + report.Trap
	}
	return nil
}

// prepare compiles the sandbox, so that the first script does not wait for it.
func (w wasm) prepare(ctx context.Context, limits Limits) error {
	s, err := newScratch()
	if err != nil {
		return err
	}
	defer s.remove()
	limits.Time = startTimeout
	o, err := w.runChild(ctx, job{scratch: s, limits: limits}, SandboxRequest{})
	if err == nil {
		err = o.cause
	}
	if err == nil {
		err = applyReport(&o, s.report())
	}
	if err != nil {
		return fmt.Errorf("compile the Python sandbox: %w", err)
	}
	return nil
}
