package main

import (
	"bytes"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/nfa-cli/nfa/internal/tui/tuitest"
)

// openTerminal returns the two ends of a pseudo-terminal of 80 by 24.
func openTerminal(b testing.TB) (outside, inside *os.File) {
	b.Helper()
	outside, inside, err := tuitest.OpenTestPTY(24, 80)
	if err != nil {
		b.Skipf("no pseudo-terminals here: %v", err)
	}
	return outside, inside
}

// BenchmarkStart_FirstFrame measures the time from starting the chat in an empty home until its status line,
// the last line of a frame, is on the terminal.
func BenchmarkStart_FirstFrame(b *testing.B) {
	binary := buildFor(b, ".", ".")
	for b.Loop() {
		outside, inside := openTerminal(b)
		cmd := exec.Command(binary)
		cmd.Env = append(os.Environ(), "HOME="+b.TempDir(), "NFA_HOME="+b.TempDir(), "TERM=xterm-256color", "NFA_BASE_URL=")
		cmd.Stdin, cmd.Stdout, cmd.Stderr = inside, inside, inside
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		inside.Close()
		var screen bytes.Buffer
		piece := make([]byte, 4096)
		for !bytes.Contains(screen.Bytes(), []byte("SAMPLE DATA")) {
			n, err := outside.Read(piece)
			if err != nil {
				b.Fatalf("%v after %q", err, screen.String())
			}
			screen.Write(piece[:n])
		}
		b.StopTimer()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		outside.Close()
		b.StartTimer()
	}
}
