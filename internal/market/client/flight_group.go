package client

import (
	"context"
	"errors"
	"sync"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/crash"
)

// flightGroup lets concurrent callers with the same request share one call. The call is canceled when all
// callers have left, not when the first one does.
type flightGroup struct {
	log zerolog.Logger // for panics of calls whose callers have all left

	mu       sync.Mutex
	inFlight map[string]*flight
}

type flight struct {
	waiting  int
	cancel   context.CancelFunc
	done     chan struct{}
	answer   Response
	err      error
	panicked error // panic of ask, for all waiting callers
}

// share calls ask once for all concurrent callers of key and returns its result.
func (f *flightGroup) share(ctx context.Context, key string, ask func(context.Context) (Response, error)) (Response, error) {
	call := f.join(ctx, key, ask)
	select {
	case <-call.done:
		if call.panicked != nil {
			panic(call.panicked)
		}
		return call.answer, call.err
	case <-ctx.Done():
		f.leave(key, call)
		return Response{}, ctx.Err()
	}
}

func (f *flightGroup) join(ctx context.Context, key string, ask func(context.Context) (Response, error)) *flight {
	f.mu.Lock()
	defer f.mu.Unlock()
	if call, ok := f.inFlight[key]; ok {
		call.waiting++
		return call
	}
	// The first caller's deadline must not apply to callers that join.
	shared, cancel := context.WithCancel(context.WithoutCancel(ctx))
	call := &flight{waiting: 1, cancel: cancel, done: make(chan struct{})}
	f.inFlight[key] = call
	go func() {
		defer cancel()
		defer f.finish(key, call)
		defer crash.Catch(&call.panicked)
		call.answer, call.err = ask(shared)
	}()
	return call
}

func (f *flightGroup) finish(key string, call *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.inFlight[key] == call {
		delete(f.inFlight, key)
	}
	close(call.done)
	if call.waiting == 0 {
		f.logPanic(call)
	}
}

// logPanic logs the panic of a finished call if all callers have left.
func (f *flightGroup) logPanic(call *flight) {
	if site, ok := errors.AsType[*crash.Site](call.panicked); ok {
		f.log.Error().Str("panic", site.Kind()).Str("stack", site.Stack()).Msg("an abandoned request panicked")
	}
}

func (f *flightGroup) leave(key string, call *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if call.waiting--; call.waiting > 0 {
		return
	}
	select {
	case <-call.done: // as the last caller left
		f.logPanic(call)
		return
	default:
	}
	call.cancel()
	if f.inFlight[key] == call {
		delete(f.inFlight, key) // new callers do not join a request that is being canceled
	}
}
