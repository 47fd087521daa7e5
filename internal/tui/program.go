package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"
)

// errHangup is the cause when a chat ends because its terminal closed.
var errHangup = errors.New("the terminal is gone")

// ProgramSpec is a model and the terminal it runs on.
type ProgramSpec struct {
	// New returns the model and its TerminalLender. Its context ends with the context of
	// RunProgram, and when the terminal closes.
	New func(ctx context.Context) (tea.Model, *TerminalLender)
	// Settle runs after the terminal was restored, before that context ends.
	Settle  func()
	Input   io.Reader
	Output  io.Writer // standard output when nil
	Environ []string  // the process's when nil
}

// RunProgram shows the model until it quits, the terminal closes or ctx ends. The first two are no
// errors; a panic is returned as a *crash.Site.
func RunProgram(ctx context.Context, s ProgramSpec) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	model, lender := s.New(ctx)
	shell := &crashGuard{model: model}
	program := tea.NewProgram(shell, s.options(func() { cancel(errHangup) })...)
	var p renderPacer
	shell.onDrawn = func() { p.noteChange(func() *time.Ticker { return renderTicker(program) }) }
	defer p.stop()
	// With its own context option, Bubble Tea kills the program and closes the input while it is
	// still being read.
	stop := QuitOnSignal(ctx, func() {
		close(lender.leaving) // first: Quit waits for the program that has the terminal
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
