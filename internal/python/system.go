package python

import (
	"bytes"
	"context"
	"path/filepath"
	"runtime"
)

// system runs scripts with the interpreter of the machine.
type system struct {
	interpreter interpreter
	finder      *interpreterFinder
}

func (s system) label() string { return s.interpreter.label() }

// checkScript returns an error that lists the modules that the interpreter does not have.
func (s system) checkScript(ctx context.Context, script *Script) error {
	var missing []MissingModule
	for _, module := range s.finder.missingModules(ctx, s.interpreter, script.requiredModules()) {
		for _, n := range script.requirements {
			if n.module == module {
				missing = append(missing, MissingModule{Module: module, File: n.file, Line: n.line, Reason: "not installed"})
				break
			}
		}
	}
	if len(missing) > 0 {
		return &ImportError{Runtime: s.interpreter.path, Missing: missing}
	}
	return nil
}

func (s system) run(ctx context.Context, j job) (outcome, error) {
	runtimePath := func(path string) string { return filepath.Join(j.script.dir, filepath.FromSlash(path)) }
	if err := j.scratch.writeProgram(j.script.program(runtimePath, j.limits, j.free)); err != nil {
		return outcome{}, err
	}
	c := command{
		path:  s.interpreter.path,
		args:  []string{"-I", "-B", "-X", "utf8", filepath.Join(j.scratch.boot(), "boot.py")},
		env:   environment(j.scratch.work()),
		dir:   j.scratch.work(),
		stdin: bytes.NewReader(j.input),
		work:  j.scratch.work(),
	}
	return c.run(ctx, j.limits)
}

// environment returns the complete environment of a script, with nothing from this process. Numeric
// libraries are limited to one thread, because each additional one would reserve memory against the
// limit.
func environment(work string) []string {
	env := []string{"HOME=" + work, "TMPDIR=" + work, "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1"}
	if runtime.GOOS == "windows" {
		env = append(env, "TEMP="+work, "TMP="+work, "USERPROFILE="+work)
	}
	return env
}
