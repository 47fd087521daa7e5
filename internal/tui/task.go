package tui

import (
	"context"
	"errors"
	"time"

	"github.com/nfa-cli/nfa/internal/crash"
)

// Task is slow work that runs in its own goroutine, can be stopped and shows nothing until it has
// ended.
type Task struct {
	ctx    context.Context // its own: stopping it stops nothing else
	cancel context.CancelFunc

	done     chan struct{} // closed when it has ended; the fields below are set before
	text     string
	err      error
	crashErr error // a *crash.Site if it panicked
}

// StartTask runs work in its own goroutine. work must return when ctx ends.
func StartTask(ctx context.Context, work func(context.Context) (string, error)) *Task {
	ctx, cancel := context.WithCancel(ctx)
	w := &Task{ctx: ctx, cancel: cancel, done: make(chan struct{})}
	go w.run(work)
	return w
}

func (w *Task) run(work func(context.Context) (string, error)) {
	defer close(w.done)
	defer crash.Catch(&w.crashErr)
	w.text, w.err = work(w.ctx)
}

// Wait waits for the end of the task. It returns its panic, or nil.
func (w *Task) Wait() *crash.Site {
	<-w.done
	at, _ := errors.AsType[*crash.Site](w.crashErr)
	return at
}

// Result returns the result of the task, and whether it returned none because it was canceled.
// Call it after Wait.
func (w *Task) Result() (text string, stopped bool, err error) {
	return w.text, w.ctx.Err() != nil && w.err != nil, w.err
}

// Cancel asks the task to end. Call it in any case, to release the context.
func (w *Task) Cancel() { w.cancel() }

// Settle cancels the task and waits at most limit for it to save its results.
func (w *Task) Settle(limit time.Duration) {
	w.cancel()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-w.done:
	case <-timer.C:
	}
}
