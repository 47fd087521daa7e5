package tui

import (
	"io"
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
)

// exitGrace is how long a program that has the terminal may take to end once the
// chat has to go.
const exitGrace = 300 * time.Millisecond

// minLendTime is how long the terminal is lent at least. Bubble Tea 2.0.9 stops its
// renderer and may not have done so when it starts it again: who gave the terminal
// back sooner would have a screen that never changes any more.
const minLendTime = 50 * time.Millisecond

// terminalProgram is a program that has the terminal until it ends. One that takes no
// notice of its terminal's end would otherwise keep itself and the chat for ever.
type terminalProgram struct {
	*exec.Cmd
	leaving <-chan struct{} // closed when the chat has to go
}

// TerminalLender lends the terminal to programs. One stands between a model and Run.
type TerminalLender struct {
	in      io.Reader // of the terminal
	lent    atomic.Bool
	leaving chan struct{} // closed when the chat has to go
}

// NewTerminalLender makes the lender of a terminal whose input is in.
func NewTerminalLender(in io.Reader) *TerminalLender {
	return &TerminalLender{in: in, leaving: make(chan struct{})}
}

// Lend gives the terminal to a program until it ends, and then has done. What ends the
// chat otherwise ends the program alone, until TakeBack.
func (l *TerminalLender) Lend(cmd *exec.Cmd, done func(error) tea.Msg) tea.Cmd {
	// The file itself: what Bubble Tea reads from stands before the terminal to watch for
	// its end, and a program that got that would not be in a terminal.
	if in, ok := l.in.(*os.File); ok && cmd.Stdin == nil {
		cmd.Stdin = in
	}
	l.lent.Store(true)
	return tea.Exec(&terminalProgram{cmd, l.leaving}, done)
}

// TakeBack says that the terminal is the chat's again. Not as soon as the program has
// ended: what interrupted it may come late.
func (l *TerminalLender) TakeBack() { l.lent.Store(false) }

// Run runs the program to its end.
func (b *terminalProgram) Run() error {
	// What it leaves behind may hold on to the output.
	b.WaitDelay = exitGrace
	defer time.Sleep(minLendTime)
	if err := b.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- b.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-b.leaving:
	}
	// Where there is no such signal, the program is ended below.
	_ = b.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-ended:
		return err
	case <-time.After(exitGrace):
		_ = b.Process.Kill()
		return <-ended
	}
}

// SetStdin is for Bubble Tea, which gives what is not there yet, as are the others.
func (b *terminalProgram) SetStdin(r io.Reader) {
	if b.Stdin == nil {
		b.Stdin = r
	}
}

// SetStdout gives the program its output.
func (b *terminalProgram) SetStdout(w io.Writer) {
	if b.Stdout == nil {
		b.Stdout = w
	}
}

// SetStderr gives the program its output for errors.
func (b *terminalProgram) SetStderr(w io.Writer) {
	if b.Stderr == nil {
		b.Stderr = w
	}
}
