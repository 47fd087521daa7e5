package fetch

import (
	"context"
	"errors"
	"sync"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/crash"
)

// flights lets callers that ask the same at the same time share one request. It
// ends when all of them have left, not when the first does.
type flights struct {
	log zerolog.Logger // of faults that nobody is left to hear of

	mu    sync.Mutex
	under map[string]*flight
}

type flight struct {
	waiting int
	cancel  context.CancelFunc
	landed  chan struct{}
	answer  Response
	err     error
	crashed error // what ask panicked with, for all who wait
}

// share returns what ask yields for key, asked once for all that wait for it.
func (f *flights) share(ctx context.Context, key string, ask func(context.Context) (Response, error)) (Response, error) {
	one := f.board(ctx, key, ask)
	select {
	case <-one.landed:
		if one.crashed != nil {
			panic(one.crashed)
		}
		return one.answer, one.err
	case <-ctx.Done():
		f.leave(key, one)
		return Response{}, ctx.Err()
	}
}

func (f *flights) board(ctx context.Context, key string, ask func(context.Context) (Response, error)) *flight {
	f.mu.Lock()
	defer f.mu.Unlock()
	if one, ok := f.under[key]; ok {
		one.waiting++
		return one
	}
	// The first caller's deadline is not that of those who join.
	shared, cancel := context.WithCancel(context.WithoutCancel(ctx))
	one := &flight{waiting: 1, cancel: cancel, landed: make(chan struct{})}
	f.under[key] = one
	go func() {
		defer cancel()
		defer f.land(key, one)
		defer crash.Catch(&one.crashed)
		one.answer, one.err = ask(shared)
	}()
	return one
}

func (f *flights) land(key string, one *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.under[key] == one {
		delete(f.under, key)
	}
	close(one.landed)
	if one.waiting == 0 {
		f.unheard(one)
	}
}

// unheard writes down what a flight that has landed panicked with, where all who
// could have passed it on have left.
func (f *flights) unheard(one *flight) {
	if at, ok := errors.AsType[*crash.Site](one.crashed); ok {
		f.log.Error().Str("panic", at.Kind()).Str("stack", at.Stack()).Msg("a request that nobody waited for any more ended in a fault")
	}
}

func (f *flights) leave(key string, one *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if one.waiting--; one.waiting > 0 {
		return
	}
	select {
	case <-one.landed: // at the moment at which the last one left
		f.unheard(one)
		return
	default:
	}
	one.cancel()
	if f.under[key] == one {
		delete(f.under, key) // who comes now does not join what is being cancelled
	}
}
