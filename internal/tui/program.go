package tui

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"
)

// errHangup is the cause when a chat ends because its terminal closed.
var errHangup = errors.New("the terminal is gone")

// run shows the model until it quits, the terminal closes or ctx ends. The first two are no errors;
// a panic is returned as a *crash.Site. hangup is called when the terminal closes, and ends ctx.
func (m *Model) run(ctx context.Context, hangup func()) error {
	opts := []tea.ProgramOption{
		tea.WithFPS(int(time.Second / activeInterval)),
		// Bubble Tea takes the end of the input for silence.
		tea.WithInput(WatchEOF(m.chat.Input, hangup)),
		// Our own handler also knows SIGHUP.
		tea.WithoutSignalHandler(),
		tea.WithOutput(m.chat.Output),
		tea.WithEnvironment(m.chat.Environ),
	}
	guard := &crashGuard{model: m}
	program := tea.NewProgram(guard, opts...)
	var pacer renderPacer
	guard.onDrawn = func() { pacer.noteChange(func() *time.Ticker { return renderTicker(program) }) }
	defer pacer.stop()
	// With its own context option, Bubble Tea kills the program and closes the input while it is
	// still being read.
	stop := QuitOnSignal(ctx, func() {
		close(m.terminal.leaving) // first: Quit waits for the program that has the terminal
		program.Quit()
	}, m.terminal.lent.Load)
	_, err := program.Run()
	stop()
	m.settleRunning(SettleTime) // after the terminal was restored, before ctx ends
	switch at := guard.crashed(); {
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
