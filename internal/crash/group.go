package crash

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"
)

// WaitGroup is a sync.WaitGroup whose Wait panics, with a *Site, where one of its
// goroutines did. The zero value is ready.
type WaitGroup struct {
	running sync.WaitGroup
	caught  first
}

// Go runs act in a goroutine of its own.
func (g *WaitGroup) Go(act func()) {
	g.running.Go(func() {
		defer g.caught.keep()
		act()
	})
}

// Wait waits for all of them.
func (g *WaitGroup) Wait() {
	g.running.Wait()
	g.caught.raise()
}

// Group is an errgroup.Group whose Wait panics, with a *Site, where one of its
// goroutines did. The zero value is ready.
type Group struct {
	running errgroup.Group
	ended   context.CancelCauseFunc // nil without a context
	caught  first
}

// WithContext gives a Group and a context that ends with the first error or panic
// of the group, or when Wait is over.
func WithContext(ctx context.Context) (*Group, context.Context) {
	ctx, cancel := context.WithCancelCause(ctx)
	return &Group{ended: cancel}, ctx
}

// SetLimit sets how many may run at one time.
func (g *Group) SetLimit(n int) { g.running.SetLimit(n) }

// Go runs act in a goroutine of its own, once there is room for it.
func (g *Group) Go(act func() error) {
	g.running.Go(func() (err error) {
		defer func() {
			if err != nil && g.ended != nil {
				g.ended(err)
			}
		}()
		defer g.caught.keepAs(&err)
		return act()
	})
}

// Wait waits for all of them and gives the first error.
func (g *Group) Wait() error {
	err := g.running.Wait()
	if g.ended != nil {
		g.ended(err)
	}
	g.caught.raise()
	return err
}

// first is the first panic of several goroutines.
type first struct {
	mu   sync.Mutex
	site *Site
}

// keep, deferred, keeps a panic.
func (f *first) keep() {
	if p := recover(); p != nil {
		f.set(At(p))
	}
}

// keepAs is keep for a function whose error tells the others to stop.
func (f *first) keepAs(err *error) {
	if p := recover(); p != nil {
		site := At(p)
		f.set(site)
		*err = site
	}
}

func (f *first) set(s *Site) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.site == nil {
		f.site = s
	}
}

// raise panics with what was kept, in the goroutine that calls it.
func (f *first) raise() {
	if f.site != nil {
		panic(f.site)
	}
}
