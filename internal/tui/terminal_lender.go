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

// exitGrace is how long a program that has the terminal may take to end when the chat has to end.
const exitGrace = 300 * time.Millisecond

// minLendTime is the least time for which the terminal is lent. Bubble Tea 2.0.9 stops its
// renderer, and may not have done so when it starts it again: after a shorter time the screen
// would never change again.
const minLendTime = 50 * time.Millisecond

// terminalProgram is a program that has the terminal until it ends. Without it, a program that
// ignores the end of its terminal would keep itself and the chat running for ever.
type terminalProgram struct {
	*exec.Cmd
	leaving <-chan struct{} // closed when the chat has to end
}

// terminalLender lends the terminal to programs. The model and the program share one.
type terminalLender struct {
	in      io.Reader // of the terminal
	lent    atomic.Bool
	leaving chan struct{} // closed when the chat has to end
}

// newTerminalLender returns the lender of a terminal whose input is in.
func newTerminalLender(in io.Reader) *terminalLender {
	return &terminalLender{in: in, leaving: make(chan struct{})}
}

// Lend gives the terminal to a program until it ends; done returns the message for its end. Until
// TakeBack, what would end the chat ends only the program.
func (l *terminalLender) Lend(cmd *exec.Cmd, done func(error) tea.Msg) tea.Cmd {
	// The file itself: Bubble Tea reads from a wrapper that watches for the end of the terminal,
	// and a program with that input would not be in a terminal.
	if in, ok := l.in.(*os.File); ok && cmd.Stdin == nil {
		cmd.Stdin = in
	}
	l.lent.Store(true)
	return tea.Exec(&terminalProgram{cmd, l.leaving}, done)
}

// TakeBack says that the chat has the terminal again. Call it later than the end of the program,
// because a signal that interrupted the program may arrive late.
func (l *terminalLender) TakeBack() { l.lent.Store(false) }

// Run runs the program to its end.
func (b *terminalProgram) Run() error {
	// Processes that it leaves behind may keep the output open.
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

// SetStdin implements tea.ExecCommand. Like SetStdout and SetStderr it only sets what is not set
// yet.
func (b *terminalProgram) SetStdin(r io.Reader) {
	if b.Stdin == nil {
		b.Stdin = r
	}
}

// SetStdout sets the program's output.
func (b *terminalProgram) SetStdout(w io.Writer) {
	if b.Stdout == nil {
		b.Stdout = w
	}
}

// SetStderr sets the program's error output.
func (b *terminalProgram) SetStderr(w io.Writer) {
	if b.Stderr == nil {
		b.Stderr = w
	}
}
