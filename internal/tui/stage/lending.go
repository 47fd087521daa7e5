package stage

import (
	"io"
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
)

// farewell is how long a program that has the terminal may take to end once the
// chat has to go.
const farewell = 300 * time.Millisecond

// shortest is how long the terminal is lent at least. Bubble Tea 2.0.9 stops its
// renderer and may not have done so when it starts it again: who gave the terminal
// back sooner would have a screen that never changes any more.
const shortest = 50 * time.Millisecond

// borrower is a program that has the terminal until it ends. One that takes no
// notice of its terminal's end would otherwise keep itself and the chat for ever.
type borrower struct {
	*exec.Cmd
	leaving <-chan struct{} // closed when the chat has to go
}

// Lender lends the terminal to programs. One stands between a model and Run.
type Lender struct {
	in      io.Reader // of the terminal
	lent    atomic.Bool
	leaving chan struct{} // closed when the chat has to go
}

// NewLender makes the lender of a terminal whose input is in.
func NewLender(in io.Reader) *Lender { return &Lender{in: in, leaving: make(chan struct{})} }

// Lend gives the terminal to a program until it ends, and then has done. What ends the
// chat otherwise ends the program alone, until TakeBack.
func (l *Lender) Lend(cmd *exec.Cmd, done func(error) tea.Msg) tea.Cmd {
	// The file itself: what Bubble Tea reads from stands before the terminal to watch for
	// its end, and a program that got that would not be in a terminal.
	if in, ok := l.in.(*os.File); ok && cmd.Stdin == nil {
		cmd.Stdin = in
	}
	l.lent.Store(true)
	return tea.Exec(&borrower{cmd, l.leaving}, done)
}

// TakeBack says that the terminal is the chat's again. Not as soon as the program has
// ended: what interrupted it may come late.
func (l *Lender) TakeBack() { l.lent.Store(false) }

// Run runs the program to its end.
func (b *borrower) Run() error {
	// What it leaves behind may hold on to the output.
	b.WaitDelay = farewell
	defer time.Sleep(shortest)
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
	case <-time.After(farewell):
		_ = b.Process.Kill()
		return <-ended
	}
}

// SetStdin is for Bubble Tea, which gives what is not there yet, as are the others.
func (b *borrower) SetStdin(r io.Reader) {
	if b.Stdin == nil {
		b.Stdin = r
	}
}

// SetStdout gives the program its output.
func (b *borrower) SetStdout(w io.Writer) {
	if b.Stdout == nil {
		b.Stdout = w
	}
}

// SetStderr gives the program its output for errors.
func (b *borrower) SetStderr(w io.Writer) {
	if b.Stderr == nil {
		b.Stderr = w
	}
}
