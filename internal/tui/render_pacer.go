package tui

import (
	"reflect"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Intervals between the ticks at which Bubble Tea draws.
const (
	changeDelay      = time.Millisecond      // from a change to its tick, so that changes that follow at once are drawn with it
	minFrameInterval = 16 * time.Millisecond // the least between two frames, approximately
	activeInterval   = time.Second / 36      // while there are changes
	idleInterval     = time.Second           // without changes
	idleAfter        = 2 * time.Second       // time without a change until idleInterval applies
)

// renderPacer changes the interval of Bubble Tea's render ticker.
//
// Bubble Tea draws at a fixed interval: a key waits half of it on average, the first frame all of
// it, and each tick wakes the processor even if nothing changes. So the interval follows the
// changes: at once after a change, and once a second at rest. Bubble Tea has no option for that,
// so renderTicker takes its ticker by reflection. Without the ticker the chat works as before,
// only slower.
type renderPacer struct {
	mu     sync.Mutex
	ticker *time.Ticker
	timer  *time.Timer
	due    time.Time // when the latest change is drawn
}

// renderTicker returns the render ticker of a running program, or nil if it is not found.
func renderTicker(p *tea.Program) *time.Ticker {
	field := reflect.ValueOf(p).Elem().FieldByName("ticker")
	if !field.IsValid() || field.Type() != reflect.TypeFor[*time.Ticker]() {
		return nil
	}
	return (*time.Ticker)(field.UnsafePointer())
}

// noteChange reports a change to draw. ticker is called once; if it returns nil, noteChange does
// nothing.
func (p *renderPacer) noteChange(ticker func() *time.Ticker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ticker == nil {
		if p.ticker = ticker(); p.ticker == nil {
			return
		}
		p.timer = time.AfterFunc(time.Hour, p.slowDown)
	}
	now := time.Now()
	if now.Before(p.due) {
		return // a frame is already scheduled, and shows this change too
	}
	wait := max(changeDelay, p.due.Add(minFrameInterval).Sub(now))
	p.due = now.Add(wait)
	p.ticker.Reset(wait)
	p.timer.Reset(wait + 2*changeDelay)
}

// slowDown lengthens the interval after a frame, and again after idleAfter. The second step waits
// longer than a terminal takes to read a frame, so that changes made while a frame is being
// written are drawn by the following ticks.
func (p *renderPacer) slowDown() {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch since := time.Since(p.due); {
	case since < 2*changeDelay:
		p.timer.Reset(2*changeDelay - since)
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
