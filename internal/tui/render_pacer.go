package tui

import (
	"reflect"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// The times between two looks for something to draw.
const (
	changeDelay      = time.Millisecond      // to what has just changed; what changes with it is drawn with it
	minFrameInterval = 16 * time.Millisecond // about the least between two frames
	activeInterval   = time.Second / 36      // while things change
	idleInterval     = time.Second           // while nothing does
	idleAfter        = 2 * time.Second       // without a change is rest
)

// renderPacer has Bubble Tea look for something to draw when there is something.
//
// It looks at its own pace: a key waits half of that for the screen, the first frame
// all of it, and each look wakes the processor also while nothing happens, all day.
// So the pace changes with what there is to draw: at once after a change, and once a
// second at rest. Bubble Tea has no way to ask for that; its ticker is taken from
// where it stands. Without it everything is as Bubble Tea has it, only slower.
type renderPacer struct {
	mu     sync.Mutex
	ticker *time.Ticker
	timer  *time.Timer
	due    time.Time // when the last change is drawn
}

// renderTicker is the ticker of a program that runs, or nil where it is not found.
func renderTicker(p *tea.Program) *time.Ticker {
	field := reflect.ValueOf(p).Elem().FieldByName("ticker")
	if !field.IsValid() || field.Type() != reflect.TypeFor[*time.Ticker]() {
		return nil
	}
	return (*time.Ticker)(field.UnsafePointer())
}

// noteChange says that there is something new to draw. The first caller gives the
// ticker; without one it does nothing.
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
		return // a frame is on its way, and shows this too
	}
	wait := max(changeDelay, p.due.Add(minFrameInterval).Sub(now))
	p.due = now.Add(wait)
	p.ticker.Reset(wait)
	p.timer.Reset(wait + 2*changeDelay)
}

// slowDown slows down after a frame, and again when no other has followed for longer
// than a terminal takes to read one: what changes while a frame is still being
// written is drawn by the looks that follow.
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

// stop ends it with the program.
func (p *renderPacer) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer != nil {
		p.timer.Stop()
	}
}
