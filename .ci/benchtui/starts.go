//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// start is the cost of starting a program, as .ci/bench reads it.
type start struct {
	Name   string  `json:"name"`
	Millis float64 `json:"ms"`     // wall time, minimum of the runs
	CPU    float64 `json:"cpu_ms"` // CPU time of all processors, minimum of the runs
	MiB    float64 `json:"mib"`    // peak memory; 0 is unknown
	Base   bool    `json:"is_base"`

	once func() (took time.Duration, done *os.ProcessState, err error)
}

// started prints the starts as JSON, the empty program first. Each round starts every program, so that
// a busy moment does not affect only one.
func started(binary string, rounds int, out io.Writer) error {
	b, end, err := prepared(binary)
	if err != nil {
		return err
	}
	defer end()
	empty, err := emptyProgram(b.home)
	if err != nil {
		return err
	}
	all := []start{
		{Name: "an empty Go program", Base: true, once: func() (time.Duration, *os.ProcessState, error) { return b.process(empty) }},
		{Name: "`nfa version`", once: func() (time.Duration, *os.ProcessState, error) { return b.process(b.binary, "version") }},
		{Name: "`nfa skills list`", once: func() (time.Duration, *os.ProcessState, error) { return b.process(b.binary, "skills", "list") }},
		{Name: "`nfa ask hi`", once: func() (time.Duration, *os.ProcessState, error) { return b.process(b.binary, "ask", "hi") }},
		{Name: "the chat's first frame", once: b.frame},
	}
	for round := range rounds {
		for i := range all {
			if err := all[i].take(round == 0); err != nil {
				return fmt.Errorf("%s: %w", all[i].Name, err)
			}
		}
	}
	return json.NewEncoder(out).Encode(all)
}

// take starts the program once more and keeps the minimum of the times.
func (s *start) take(first bool) error {
	took, done, err := s.once()
	if err != nil {
		return err
	}
	cpu := millis(done.UserTime() + done.SystemTime())
	if first {
		s.Millis, s.CPU = millis(took), cpu
	}
	s.Millis, s.CPU = min(s.Millis, millis(took)), min(s.CPU, cpu)
	if usage, ok := done.SysUsage().(*syscall.Rusage); ok && usage.Maxrss > own() {
		s.MiB = max(s.MiB, float64(usage.Maxrss)/1024)
	}
	return nil
}

// own returns the maximum memory of this program, in KiB. Until exec, a child process is a copy of
// this one, and Linux counts that too. Therefore smaller values cannot be measured.
func own() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return math.MaxInt64
	}
	return usage.Maxrss
}

// process runs a program to its end.
func (b bench) process(binary string, args ...string) (time.Duration, *os.ProcessState, error) {
	cmd := exec.Command(binary, args...)
	cmd.Env = b.env(b.home)
	begun := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(begun)
	if err != nil {
		return 0, nil, fmt.Errorf("%w: %s", err, out)
	}
	return took, cmd.ProcessState, nil
}

// frame starts the chat and ends it after the first frame.
func (b bench) frame() (time.Duration, *os.ProcessState, error) {
	begun := time.Now()
	c, err := b.open()
	if err != nil {
		return 0, nil, err
	}
	took := time.Since(begun)
	c.close()
	return took, c.cmd.ProcessState, nil
}

// emptyProgram compiles an empty main with the flags of nfa.
func emptyProgram(dir string) (string, error) {
	dir = filepath.Join(dir, "empty")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	for name, text := range map[string]string{"go.mod": "module empty\n", "main.go": "package main\n\nfunc main() {}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", "empty", ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the empty program: %w\n%s", err, out)
	}
	return installed(filepath.Join(dir, "empty"), dir)
}

// installed returns a copy of a program, because a file that the linker has just written is cached in
// smaller pieces and starts a third slower.
func installed(binary, dir string) (file string, err error) {
	program, err := os.Open(binary)
	if err != nil {
		return "", err
	}
	defer program.Close()
	file = filepath.Join(dir, filepath.Base(binary)+".installed")
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o700)
	if err != nil {
		return "", err
	}
	// Copy in pieces: the file system may share the blocks of a whole copy. A large buffer would count
	// as memory of the programs that this one starts.
	_, err = io.CopyBuffer(struct{ io.Writer }{out}, struct{ io.Reader }{program}, make([]byte, 1<<20))
	return file, errors.Join(err, out.Close())
}
