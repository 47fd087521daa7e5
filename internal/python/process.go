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

	"github.com/nfa-cli/nfa/internal/process"
)

const (
	// stderrBytes is the number of bytes kept from the end of standard error.
	stderrBytes = 8 << 10
	// startTimeout is the time a child has to start the script.
	startTimeout = 5 * time.Minute
	// pipeGrace is how long a process that outlives its group may keep the pipes open.
	pipeGrace = time.Second
)

// command is one process to run with limits.
type command struct {
	path  string
	args  []string
	env   []string // the complete environment
	dir   string
	stdin io.Reader
	work  string // folder that the process may fill, up to maxWrittenBytes; "" for none
	// waitsForReady is true if the script starts when the byte SandboxReady is written to standard
	// output; otherwise it starts with the process.
	waitsForReady bool
}

// outcome is the result of a process. cause is set if a limit or the caller ended it.
type outcome struct {
	stdout, stderr []byte
	status         string
	code           int
	duration       time.Duration // since the script started
	cause          error
}

// run executes c to its end, or until a limit or ctx ends it and everything it started. It returns
// an error only if it cannot start.
func (c command) run(ctx context.Context, limits Limits) (outcome, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	began := time.Now()
	clock := time.AfterFunc(limits.Time, func() { stop(fmt.Errorf("%w of %s", ErrTimeLimit, limits.Time)) })
	defer clock.Stop()
	stdout := &limitedBuffer{limit: limits.Output, onFull: func() {
		stop(fmt.Errorf("%w: more than %s", ErrOutputTooLarge, megabytes(limits.Output)))
	}}
	if c.waitsForReady {
		clock.Reset(startTimeout)
		stdout.onReady = func() { began = time.Now(); clock.Reset(limits.Time) }
	}
	if c.work != "" {
		watched, done := context.WithCancel(ctx)
		defer done()
		go watchFolder(watched, c.work, func() {
			stop(fmt.Errorf("%w: it wrote more than %s of files", ErrOutputTooLarge, megabytes(maxWrittenBytes)))
		})
	}
	stderr := &process.Tail{Limit: stderrBytes}
	cmd := exec.CommandContext(ctx, c.path, c.args...)
	cmd.Env, cmd.Dir = c.env, c.dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.stdin, stdout, stderr
	cmd.SysProcAttr = process.NewGroup()
	cmd.Cancel = func() error { return process.KillGroup(cmd.Process) }
	cmd.WaitDelay = pipeGrace
	// See process.NewGroup.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := cmd.Run()
	o := outcome{stdout: stdout.buffer.Bytes(), stderr: stderr.Bytes(), duration: time.Since(began), cause: context.Cause(ctx)}
	if cmd.Process == nil {
		return o, errors.Join(err, o.cause)
	}
	// Kill everything it started and left running.
	_ = process.KillGroup(cmd.Process)
	o.status, o.code = cmd.ProcessState.String(), cmd.ProcessState.ExitCode()
	if o.cause == nil && outOfProcessorTime(cmd.ProcessState) {
		o.cause = fmt.Errorf("%w of %s", ErrTimeLimit, limits.Time)
	}
	return o, nil
}

// watchFolder calls onFull once the files in a folder are larger than maxWrittenBytes.
func watchFolder(ctx context.Context, dir string, onFull func()) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if folderSize(dir) > maxWrittenBytes {
				onFull()
				return
			}
		}
	}
}

// limitedBuffer stores what is written, up to a limit. It accepts and discards the rest, so that the writer
// is ended by the kill and not by a broken pipe.
type limitedBuffer struct {
	buffer  bytes.Buffer
	limit   int64
	onFull  func()
	onReady func() // not nil until the ready byte was received
}

func (c *limitedBuffer) Write(p []byte) (int, error) {
	n := len(p)
	if c.onReady != nil && n > 0 {
		if p[0] == SandboxReady {
			p = p[1:]
		}
		c.onReady()
		c.onReady = nil
	}
	free := c.limit - int64(c.buffer.Len())
	if int64(len(p)) > free {
		p = p[:free]
		c.onFull()
	}
	_, _ = c.buffer.Write(p)
	return n, nil
}

func megabytes(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%d MB", n>>20)
}
