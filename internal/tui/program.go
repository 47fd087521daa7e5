package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"
)

// errHangup is why a chat ends when its terminal goes away.
var errHangup = errors.New("the terminal is gone")

// ProgramSpec is a model and what it is run on.
type ProgramSpec struct {
	// New makes the model, and the lender that it has. Its context ends with the one that
	// Run got, and when the terminal goes away.
	New func(ctx context.Context) (tea.Model, *TerminalLender)
	// Settle runs when the terminal has been given back, before that context ends.
	Settle  func()
	Input   io.Reader
	Output  io.Writer // standard output when nil
	Environ []string  // the process's when nil
}

// RunProgram shows the model until it quits, the terminal goes away or ctx ends. The first two
// are no error; a panic comes back as a *crash.Site.
func RunProgram(ctx context.Context, s ProgramSpec) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	model, lender := s.New(ctx)
	shell := &crashGuard{model: model}
	program := tea.NewProgram(shell, s.options(func() { cancel(errHangup) })...)
	var p renderPacer
	shell.onDrawn = func() { p.noteChange(func() *time.Ticker { return renderTicker(program) }) }
	defer p.stop()
	// Bubble Tea's own way to follow a context kills the program, and closes the
	// input while it is still being read.
	stop := QuitOnSignal(ctx, func() {
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

func (s ProgramSpec) options(hangup func()) []tea.ProgramOption {
	opts := []tea.ProgramOption{
		tea.WithFPS(int(time.Second / activeInterval)),
		// Bubble Tea takes the end of the input for silence.
		tea.WithInput(WatchEOF(s.Input, hangup)),
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
