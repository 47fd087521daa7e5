// Package stage runs a Bubble Tea model on the user's terminal and gives the terminal
// back as it was, on every way out: a quit, a signal, a hangup, a panic. Meanwhile it
// has Bubble Tea draw when there is something to draw, and lends the terminal to
// programs such as an editor. It knows nothing of what is on the screen.
package stage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/terminal"
)

// errHangup is why a chat ends when its terminal goes away.
var errHangup = errors.New("the terminal is gone")

// Show is a model and what it is run on.
type Show struct {
	// New makes the model, and the lender that it has. Its context ends with the one that
	// Run got, and when the terminal goes away.
	New func(ctx context.Context) (tea.Model, *Lender)
	// Settle runs when the terminal has been given back, before that context ends.
	Settle  func()
	Input   io.Reader
	Output  io.Writer // standard output when nil
	Environ []string  // the process's when nil
}

// Run shows the model until it quits, the terminal goes away or ctx ends. The first two
// are no error; a panic comes back as a *crash.Site.
func Run(ctx context.Context, s Show) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	model, lender := s.New(ctx)
	shell := &guard{model: model}
	program := tea.NewProgram(shell, s.options(func() { cancel(errHangup) })...)
	var p pace
	shell.drawn = func() { p.changed(func() *time.Ticker { return rendering(program) }) }
	defer p.stop()
	// Bubble Tea's own way to follow a context kills the program, and closes the
	// input while it is still being read.
	stop := terminal.QuitOnSignal(ctx, func() {
		close(lender.leaving) // first: Quit waits for whoever has the terminal
		program.Quit()
	}, lender.lent.Load)
	_, err := program.Run()
	stop()
	s.Settle()
	switch at := shell.crashed(); {
	case at != nil:
		return at
	case errors.Is(context.Cause(ctx), errHangup):
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return fmt.Errorf("drawing the chat: %w", err)
	}
	return nil
}

func (s Show) options(hangup func()) []tea.ProgramOption {
	opts := []tea.ProgramOption{
		tea.WithFPS(int(time.Second / usual)),
		// Bubble Tea takes the end of the input for silence.
		tea.WithInput(terminal.WatchEnd(s.Input, hangup)),
		// Our own handler also knows SIGHUP.
		tea.WithoutSignalHandler(),
	}
	if s.Output != nil {
		opts = append(opts, tea.WithOutput(s.Output))
	}
	if s.Environ != nil {
		opts = append(opts, tea.WithEnvironment(s.Environ))
	}
	return opts
}
