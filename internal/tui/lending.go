package tui

import (
	"io"
	"os/exec"
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

// lendTo gives the terminal to a program, and then has done.
func (m *Model) lendTo(cmd *exec.Cmd, done tea.ExecCallback) tea.Cmd {
	m.connect(cmd)
	m.lent.Store(true)
	return tea.Exec(&borrower{cmd, m.leaving}, done)
}

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
