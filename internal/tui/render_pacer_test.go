package tui

import (
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
)

// watchTicker records the ticks of a ticker, as times since begin. Writing the first frame takes
// writing.
func watchTicker(t *testing.T, ticker *time.Ticker, begin time.Time, writing time.Duration) func() []time.Duration {
	t.Helper()
	var at []time.Duration
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-ticker.C:
				at = append(at, time.Since(begin))
				if len(at) == 1 {
					time.Sleep(writing)
				}
			case <-stop:
				return
			}
		}
	}()
	return func() []time.Duration {
		close(stop)
		<-done
		return at
	}
}

// runPaced runs act, which makes changes, with a ticker of that period in a synctest bubble, and returns the
// times of the ticks. Writing the first frame takes writing.
func runPaced(t *testing.T, period, writing time.Duration, act func(changed func())) (looks []time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ticker := time.NewTicker(period)
		defer ticker.Stop()
		var p renderPacer
		defer p.stop()
		end := watchTicker(t, ticker, time.Now(), writing)
		act(func() { p.noteChange(func() *time.Ticker { return ticker }) })
		looks = end()
	})
	return looks
}

func TestPace_AChangeAtRestIsDrawnAtOnce(t *testing.T) {
	looks := runPaced(t, idleInterval, 0, func(changed func()) {
		changed()
		time.Sleep(minFrameInterval)
	})
	if len(looks) == 0 || looks[0] != changeDelay {
		t.Errorf("looked after %v, want first after %v", looks, changeDelay)
	}
}

func TestPace_ChangesWithoutEndAreDrawnAFrameApart(t *testing.T) {
	const changes, every = 10_000, 100 * time.Microsecond
	looks := runPaced(t, activeInterval, 0, func(changed func()) {
		for range changes {
			changed()
			time.Sleep(every)
		}
	})
	for i := 1; i < len(looks); i++ {
		if between := looks[i] - looks[i-1]; between > minFrameInterval+changeDelay {
			t.Fatalf("nothing was drawn for %v after %v, want a frame every %v", between, looks[i-1], minFrameInterval)
		}
	}
	if most := int(changes*every/minFrameInterval)*2 + 2; len(looks) > most {
		t.Errorf("%d looks in %v of changes, want at most %d", len(looks), changes*every, most)
	}
}

// Ticker.Reset discards a tick that nobody has read.
func TestPace_AChangeKeepsAFrameThatIsDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ticker := time.NewTicker(idleInterval)
		defer ticker.Stop()
		var p renderPacer
		defer p.stop()
		changed := func() { p.noteChange(func() *time.Ticker { return ticker }) }
		changed()
		time.Sleep(changeDelay + changeDelay/2)
		changed()
		select {
		case <-ticker.C:
		default:
			t.Error("the second change discarded the frame of the first")
		}
		time.Sleep(minFrameInterval)
		select {
		case <-ticker.C:
		default:
			t.Error("the second change was not drawn")
		}
	})
}

// A slow connection takes half a second for a frame; a change in the meantime has no tick of its own.
func TestPace_AChangeWhileAFrameIsWrittenIsSeenSoonAfterIt(t *testing.T) {
	const writing = 500 * time.Millisecond
	for _, after := range []time.Duration{2 * changeDelay, 50 * time.Millisecond, writing - changeDelay} {
		looks := runPaced(t, idleInterval, writing, func(changed func()) {
			changed()
			time.Sleep(after)
			changed()
			time.Sleep(2 * writing)
		})
		if len(looks) < 2 || looks[1] > changeDelay+writing+activeInterval {
			t.Errorf("changed %v after the first: looked after %v, want again %v after the first frame was written", after, looks, activeInterval)
		}
	}
}

func TestPace_RestsWhileNothingChanges(t *testing.T) {
	looks := runPaced(t, activeInterval, 0, func(changed func()) {
		changed()
		time.Sleep(time.Minute)
	})
	late := 0
	for _, at := range looks {
		if at > idleAfter+idleInterval {
			late++
		}
	}
	if late > 61 {
		t.Errorf("%d ticks in a minute without changes, want one per second", late)
	}
}

func TestPace_WithoutATickerDoesNothing(t *testing.T) {
	var p renderPacer
	p.noteChange(func() *time.Ticker { return nil })
	p.stop()
	if p.timer != nil {
		t.Error("a timer runs for a ticker that is not there")
	}
}

func TestRendering_BubbleTeaKeepsItsTickerWhereItIsTaken(t *testing.T) {
	field, ok := reflect.TypeFor[tea.Program]().FieldByName("ticker")
	if !ok || field.Type != reflect.TypeFor[*time.Ticker]() {
		t.Fatalf("tea.Program has no ticker any more: the chat draws at Bubble Tea's own pace until pace.go knows another way")
	}
	if got := renderTicker(tea.NewProgram(nil)); got != nil {
		t.Errorf("a program that does not run has the ticker %v", got)
	}
}
