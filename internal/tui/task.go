package tui

import (
	"context"
	"errors"
	"time"

	"github.com/nfa-cli/nfa/internal/crash"
)

// background is work in its own goroutine.
type background struct {
	ctx    context.Context // of this work only
	cancel context.CancelFunc
	ended  chan struct{} // closed when the goroutine is done
}

func newBackground(ctx context.Context) background {
	ctx, cancel := context.WithCancel(ctx)
	return background{ctx: ctx, cancel: cancel, ended: make(chan struct{})}
}

// Cancel asks the work to end. Always call it, to release the context.
func (b *background) Cancel() { b.cancel() }

// Settle cancels the work and waits at most limit for it to save its results.
func (b *background) Settle(limit time.Duration) {
	b.cancel()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-b.ended:
	case <-timer.C:
	}
}

// Task is a command that runs in its own goroutine. It can be canceled and has no output before it has
// ended.
type Task struct {
	background
	// Valid once ended is closed.
	result   CommandResult
	crashErr error // a *crash.Site if it panicked
}

// StartTask runs work in its own goroutine. work must return when ctx ends.
func StartTask(ctx context.Context, work func(context.Context) CommandResult) *Task {
	w := &Task{background: newBackground(ctx)}
	go func() {
		defer close(w.ended)
		defer crash.Catch(&w.crashErr)
		w.result = work(w.ctx)
	}()
	return w
}

// Wait waits for the end of the task and returns its panic, or nil.
func (w *Task) Wait() *crash.Site {
	<-w.ended
	at, _ := errors.AsType[*crash.Site](w.crashErr)
	return at
}

// Result returns the result of the task. stopped reports whether it was canceled before it changed
// anything. Call it after Wait.
func (w *Task) Result() (result CommandResult, stopped bool) {
	return w.result, w.ctx.Err() != nil && errors.Is(w.result.Err, context.Canceled)
}
