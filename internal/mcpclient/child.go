package mcpclient

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/process"
)

const (
	// endGrace is the maximum time for a program to end after its input has ended.
	endGrace = 2 * time.Second
	// exitGrace is the maximum time for a program that closed its output to exit.
	exitGrace = 300 * time.Millisecond
	// maxStderr limits the stored messages of a program.
	maxStderr = 8 << 10
)

// inherited are the variables that a program gets in addition to its own.
var inherited = []string{"PATH", "HOME", "LANG", "TMPDIR"}

// inheritedWindows are also inherited on Windows, where programs need some of them to start.
var inheritedWindows = []string{"SystemRoot", "PATHEXT", "ComSpec", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TEMP", "TMP"}

// child is a running program.
type child struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.ReadCloser
	stderr process.Tail
	done   chan struct{} // closed when the program has ended
}

// startChild starts a program in its own process group with only these variables.
func startChild(command string, args []string, dir string, env map[string]string) (*child, error) {
	if strings.ContainsRune(command, filepath.Separator) && !filepath.IsAbs(command) {
		command = filepath.Join(dir, command)
	}
	childIn, stdin, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	stdout, childOut, err := os.Pipe()
	if err != nil {
		_, _ = childIn.Close(), stdin.Close()
		return nil, err
	}
	c := &child{cmd: exec.Command(command, args...), stdin: stdin, stdout: stdout, done: make(chan struct{}), stderr: process.Tail{Limit: maxStderr}}
	c.cmd.Dir, c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = dir, childIn, childOut, &c.stderr
	c.cmd.Env = []string{}
	names := inherited
	if runtime.GOOS == "windows" {
		names = append(names, inheritedWindows...)
	}
	for _, name := range names {
		if value, ok := os.LookupEnv(name); ok {
			c.cmd.Env = append(c.cmd.Env, name+"="+value)
		}
	}
	for name, value := range env {
		c.cmd.Env = append(c.cmd.Env, name+"="+value)
	}
	c.cmd.SysProcAttr = process.NewGroup()
	c.cmd.WaitDelay = exitGrace
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // see process.NewGroup
		err := c.cmd.Start()
		_, _ = childIn.Close(), childOut.Close()
		started <- err
		if err == nil {
			_ = c.cmd.Wait() // exitText has the result
			close(c.done)
		}
	}()
	if err := <-started; err != nil {
		_, _ = stdin.Close(), stdout.Close()
		return nil, err
	}
	return c, nil
}

// lastLines returns the last lines of the program's messages on one line, after a colon; "" for none.
func (c *child) lastLines() string {
	const most = 5
	text := strings.TrimSpace(markdown.Sanitize(string(c.stderr.Bytes())))
	if text == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	lines = lines[max(0, len(lines)-most):]
	for i := range lines {
		lines[i] = shorten(strings.TrimSpace(lines[i]), 200)
	}
	return ": " + strings.Join(lines, " | ")
}

// exitText describes how the program ended, or "" if it is still running after exitGrace.
func (c *child) exitText() string {
	select {
	case <-c.done:
	case <-time.After(exitGrace):
		return ""
	}
	if code := c.cmd.ProcessState.ExitCode(); code >= 0 {
		return fmt.Sprintf("exited (code %d)", code)
	}
	return "exited (" + c.cmd.ProcessState.String() + ")"
}

// end ends the program and everything that it started.
func (c *child) end(grace time.Duration) {
	_ = c.stdin.Close()
	select {
	case <-c.done:
	case <-time.After(grace):
	}
	_ = process.KillGroup(c.cmd.Process) // includes children of a program that has ended
	<-c.done
	_ = c.stdout.Close()
}
