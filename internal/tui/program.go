package tui

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"
)

// errHangup is the cause when a chat ends because its terminal closed.
var errHangup = errors.New("terminal closed")

// run shows the model until it quits, the terminal closes or ctx ends; only the last is an error. It
// returns a panic as a *crash.Site. It calls hangup, which must end ctx, when the terminal closes.
func (m *Model) run(ctx context.Context, hangup func()) error {
	opts := []tea.ProgramOption{
		tea.WithFPS(int(time.Second / activeInterval)),
		// Bubble Tea ignores the end of the input.
		tea.WithInput(WatchEOF(m.chat.Input, hangup)),
		// QuitOnSignal also handles SIGHUP.
		tea.WithoutSignalHandler(),
		tea.WithOutput(m.chat.Output),
		tea.WithEnvironment(m.chat.Environ),
	}
	guard := &crashGuard{model: m}
	program := tea.NewProgram(guard, opts...)
	var pacer renderPacer
	guard.onDrawn = func() { pacer.noteChange(func() *time.Ticker { return renderTicker(program) }) }
	defer pacer.stop()
	// Do not use tea.WithContext: it closes the input while it is still being read.
	stop := QuitOnSignal(ctx, func() {
		close(m.terminal.leaving) // first, because Quit waits for the program that has the terminal
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
		return fmt.Errorf("draw chat: %w", err)
	}
	return nil
}
