package python

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"time"

	"github.com/nfa-cli/nfa/internal/python/sandbox"
)

const (
	// stderrBytes is how much of the end of standard error is kept.
	stderrBytes = 8 << 10
	// startLimit is how long a child may prepare before the script begins.
	startLimit = 5 * time.Minute
	// pipeGrace is how long a process that outlived its group may hold the
	// pipes open.
	pipeGrace = time.Second
)

// command is one process to run under limits.
type command struct {
	path  string
	args  []string
	env   []string // all of it
	dir   string
	stdin io.Reader
	// announces says that the script begins with the byte sandbox.Ready on
	// standard output; without it, it begins with the process.
	announces bool
}

// outcome is what is left of a process. When a limit or the caller ended it,
// cause says which.
type outcome struct {
	stdout, stderr []byte
	status         string
	code           int
	took           time.Duration // since the script began
	cause          error
}

// run executes c to its end, or until a limit or ctx ends it and everything it
// started. The error is one of starting it.
func (c command) run(ctx context.Context, limits Limits) (outcome, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	began := time.Now()
	clock := time.AfterFunc(limits.Time, func() { stop(fmt.Errorf("%w of %s", ErrTimeLimit, limits.Time)) })
	defer clock.Stop()
	stdout := &capture{limit: limits.Output, full: func() {
		stop(fmt.Errorf("%w: more than %s", ErrOutputTooLarge, megabytes(limits.Output)))
	}}
	if c.announces {
		clock.Reset(startLimit)
		stdout.ready = func() { began = time.Now(); clock.Reset(limits.Time) }
	}
	stderr := &tail{limit: stderrBytes}
	cmd := exec.CommandContext(ctx, c.path, c.args...)
	cmd.Env, cmd.Dir = c.env, c.dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.stdin, stdout, stderr
	cmd.SysProcAttr = ownGroup()
	cmd.Cancel = func() error { return killGroup(cmd.Process) }
	cmd.WaitDelay = pipeGrace
	// Where the kernel kills a child with its parent, the parent is the thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := cmd.Run()
	o := outcome{stdout: stdout.kept.Bytes(), stderr: stderr.bytes(), took: time.Since(began), cause: context.Cause(ctx)}
	if cmd.Process == nil {
		return o, errors.Join(err, o.cause)
	}
	// What it forked and left running goes with it.
	_ = killGroup(cmd.Process)
	o.status, o.code = cmd.ProcessState.String(), cmd.ProcessState.ExitCode()
	if o.cause == nil && outOfProcessorTime(cmd.ProcessState) {
		o.cause = fmt.Errorf("%w of %s", ErrTimeLimit, limits.Time)
	}
	return o, nil
}

// capture keeps what is written, up to a limit. It goes on taking what comes
// after, so that a writer is ended by the kill and not by a broken pipe.
type capture struct {
	kept  bytes.Buffer
	limit int64
	full  func()
	ready func() // not nil while the announcement is awaited
}

func (c *capture) Write(p []byte) (int, error) {
	n := len(p)
	if c.ready != nil && n > 0 {
		if p[0] == sandbox.Ready {
			p = p[1:]
		}
		c.ready()
		c.ready = nil
	}
	room := c.limit - int64(c.kept.Len())
	if int64(len(p)) > room {
		p = p[:room]
		c.full()
	}
	_, _ = c.kept.Write(p)
	return n, nil
}

// tail keeps the last bytes of what is written.
type tail struct {
	kept  []byte
	limit int
}

func (t *tail) Write(p []byte) (int, error) {
	n := len(p)
	if len(p) > t.limit {
		p = p[len(p)-t.limit:]
	}
	t.kept = append(t.kept, p...)
	if len(t.kept) > 2*t.limit {
		t.kept = append(t.kept[:0], t.bytes()...)
	}
	return n, nil
}

func (t *tail) bytes() []byte { return t.kept[max(0, len(t.kept)-t.limit):] }

func megabytes(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%d MB", n>>20)
}
