package tui

import (
	"reflect"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Intervals of the ticker of Bubble Tea's renderer.
const (
	changeDelay      = time.Millisecond      // from a change to its frame, which collects changes in between
	minFrameInterval = 16 * time.Millisecond // approximate minimum between two frames
	activeInterval   = time.Second / 36      // while there are changes
	idleInterval     = time.Second           // without changes
	idleAfter        = 2 * time.Second       // from the last change to idleInterval
)

// renderPacer changes the interval of Bubble Tea's render ticker.
//
// Bubble Tea draws at a fixed interval: a key waits half of it on average, the first frame all of it,
// and each tick wakes the processor even if nothing changes. renderPacer draws right after a change,
// and once a second when idle. Bubble Tea has no option for that, so renderTicker gets the ticker by
// reflection. Without it the chat works at the fixed interval.
type renderPacer struct {
	mu     sync.Mutex
	ticker *time.Ticker
	timer  *time.Timer
	due    time.Time // of the frame with the latest change
	again  bool      // a change came while that frame was due
}

// renderTicker returns the render ticker of a running program, or nil if it is not found.
func renderTicker(p *tea.Program) *time.Ticker {
	field := reflect.ValueOf(p).Elem().FieldByName("ticker")
	if !field.IsValid() || field.Type() != reflect.TypeFor[*time.Ticker]() {
		return nil
	}
	return (*time.Ticker)(field.UnsafePointer())
}

// noteChange schedules a frame after a change. It calls ticker until that returns the ticker.
func (p *renderPacer) noteChange(ticker func() *time.Ticker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ticker == nil {
		if p.ticker = ticker(); p.ticker == nil {
			return
		}
		p.timer = time.AfterFunc(time.Hour, p.slowDown)
	}
	switch since := time.Since(p.due); {
	case since < 0: // the scheduled frame shows this change too
	case since < changeDelay:
		p.again = true // Reset would discard a tick that is not read yet
	default:
		p.schedule()
	}
}

// schedule sets the ticker to the next frame.
func (p *renderPacer) schedule() {
	now := time.Now()
	wait := max(changeDelay, p.due.Add(minFrameInterval).Sub(now))
	p.due = now.Add(wait)
	p.again = false
	p.ticker.Reset(wait)
	p.timer.Reset(wait + 2*changeDelay)
}

// slowDown sets activeInterval after a frame, or schedules the next one, and sets idleInterval after
// idleAfter. idleAfter is longer than a terminal takes to read a frame, so that a change during a write is
// still drawn soon.
func (p *renderPacer) slowDown() {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch since := time.Since(p.due); {
	case since < 2*changeDelay:
		p.timer.Reset(2*changeDelay - since)
	case p.again:
		p.schedule()
	case since < idleAfter:
		p.ticker.Reset(activeInterval)
		p.timer.Reset(idleAfter - since)
	default:
		p.ticker.Reset(idleInterval)
	}
}

// stop stops the timer when the program ends.
func (p *renderPacer) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer != nil {
		p.timer.Stop()
	}
}
