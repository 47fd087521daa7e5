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

// exitGrace is the maximum time for a program that has the terminal to end when the chat must end.
const exitGrace = 300 * time.Millisecond

// minLendTime is the minimum time for which the terminal is lent. After a shorter time, Bubble Tea
// 2.0.9 may restart its renderer before it has stopped, and the screen then never changes again.
const minLendTime = 50 * time.Millisecond

// terminalProgram is a program that has the terminal until it ends or the chat must end. Otherwise a
// program that ignores a closed terminal would keep the chat running.
type terminalProgram struct {
	*exec.Cmd
	leaving <-chan struct{} // closed when the chat must end
}

// terminalLender lends the terminal to programs. The model and the program share one.
type terminalLender struct {
	in      io.Reader // of the terminal
	lent    atomic.Bool
	leaving chan struct{} // closed when the chat must end
}

// newTerminalLender returns a lender of the terminal with input in.
func newTerminalLender(in io.Reader) *terminalLender {
	return &terminalLender{in: in, leaving: make(chan struct{})}
}

// Lend gives the terminal to a program until it ends; done returns the message for its end. Until
// TakeBack is called, an interrupt does not end the chat.
func (l *terminalLender) Lend(cmd *exec.Cmd, done func(error) tea.Msg) tea.Cmd {
	// Pass the file itself. The reader of WatchEOF, which Bubble Tea would pass, is not a terminal.
	if in, ok := l.in.(*os.File); ok && cmd.Stdin == nil {
		cmd.Stdin = in
	}
	l.lent.Store(true)
	return tea.Exec(&terminalProgram{cmd, l.leaving}, done)
}

// TakeBack marks the terminal as not lent. Call it some time after the end of the program, because the
// signal that interrupted the program may arrive late.
func (l *terminalLender) TakeBack() { l.lent.Store(false) }

// Run runs the program to its end.
func (b *terminalProgram) Run() error {
	// Child processes of the program may keep the output open.
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
	// If the system has no such signal, Kill below ends the program.
	_ = b.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-ended:
		return err
	case <-time.After(exitGrace):
		_ = b.Process.Kill()
		return <-ended
	}
}

// SetStdin sets the program's input, unless it is set. Like SetStdout and SetStderr it implements
// tea.ExecCommand.
func (b *terminalProgram) SetStdin(r io.Reader) {
	if b.Stdin == nil {
		b.Stdin = r
	}
}

// SetStdout sets the program's output, unless it is set.
func (b *terminalProgram) SetStdout(w io.Writer) {
	if b.Stdout == nil {
		b.Stdout = w
	}
}

// SetStderr sets the program's error output, unless it is set.
func (b *terminalProgram) SetStderr(w io.Writer) {
	if b.Stderr == nil {
		b.Stderr = w
	}
}
