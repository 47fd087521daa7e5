package tui

import (
	"context"
	"errors"
	"time"

	"github.com/nfa-cli/nfa/internal/crash"
)

// Task is what takes long beside the screen, may be stopped, and says nothing until it
// has ended.
type Task struct {
	ctx    context.Context // its own: what stops it stops nothing else
	cancel context.CancelFunc

	done     chan struct{} // closed when it has ended; what follows is set before
	text     string
	err      error
	crashErr error // a *crash.Site where it panicked
}

// StartTask does work in a goroutine of its own, until it has ended. It has to end when ctx
// does, or is cancelled.
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

// Wait waits for the end. It gives the panic that it ended with, or nil.
func (w *Task) Wait() *crash.Site {
	<-w.done
	at, _ := errors.AsType[*crash.Site](w.crashErr)
	return at
}

// Result is what came of it, after Wait, and whether it gave nothing because it was
// cancelled.
func (w *Task) Result() (text string, stopped bool, err error) {
	return w.text, w.ctx.Err() != nil && w.err != nil, w.err
}

// Cancel asks it to end. It is to be called in any case, to let go of the context.
func (w *Task) Cancel() { w.cancel() }

// Settle cancels it and waits until it has kept what came of it, but not for ever.
func (w *Task) Settle(limit time.Duration) {
	w.cancel()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-w.done:
	case <-timer.C:
	}
}
