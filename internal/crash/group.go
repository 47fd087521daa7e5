package crash

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"
)

// WaitGroup is a sync.WaitGroup whose Wait panics with a *Site if one of its goroutines panicked. The zero
// value is ready.
type WaitGroup struct {
	running  sync.WaitGroup
	panicked firstPanic
}

// Go runs act in a goroutine.
func (g *WaitGroup) Go(act func()) {
	g.running.Go(func() {
		defer g.panicked.record()
		act()
	})
}

// Wait waits for all goroutines.
func (g *WaitGroup) Wait() {
	g.running.Wait()
	g.panicked.rethrow()
}

// Group is an errgroup.Group whose Wait panics with a *Site if one of its goroutines panicked. The zero value
// is ready.
type Group struct {
	running  errgroup.Group
	cancel   context.CancelCauseFunc // nil without a context
	panicked firstPanic
}

// WithContext returns a Group and a context that ends with the first error or panic of the group,
// or when Wait returns.
func WithContext(ctx context.Context) (*Group, context.Context) {
	ctx, cancel := context.WithCancelCause(ctx)
	return &Group{cancel: cancel}, ctx
}

// SetLimit limits how many goroutines run at the same time.
func (g *Group) SetLimit(n int) { g.running.SetLimit(n) }

// Go runs act in a goroutine, once the limit of SetLimit allows it.
func (g *Group) Go(act func() error) {
	g.running.Go(func() (err error) {
		defer func() {
			if err != nil && g.cancel != nil {
				g.cancel(err)
			}
		}()
		defer g.panicked.recordAs(&err)
		return act()
	})
}

// Wait waits for all goroutines and returns the first error.
func (g *Group) Wait() error {
	err := g.running.Wait()
	if g.cancel != nil {
		g.cancel(err)
	}
	g.panicked.rethrow()
	return err
}

// firstPanic holds the first panic of several goroutines.
type firstPanic struct {
	mu   sync.Mutex
	site *Site
}

// record stores a panic. Each goroutine defers it.
func (f *firstPanic) record() {
	if p := recover(); p != nil {
		f.set(NewSite(p))
	}
}

// recordAs works like record for a function that returns an error, which stops the other goroutines.
func (f *firstPanic) recordAs(err *error) {
	if p := recover(); p != nil {
		site := NewSite(p)
		f.set(site)
		*err = site
	}
}

func (f *firstPanic) set(s *Site) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.site == nil {
		f.site = s
	}
}

// rethrow panics with the stored panic, in the goroutine that calls it.
func (f *firstPanic) rethrow() {
	if f.site != nil {
		panic(f.site)
	}
}
