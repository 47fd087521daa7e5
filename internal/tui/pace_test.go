package tui

import (
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
)

// looked gives when a ticker looks for something to draw, as times since begin.
func looked(t *testing.T, ticker *time.Ticker, begin time.Time) func() []time.Duration {
	t.Helper()
	var at []time.Duration
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-ticker.C:
				at = append(at, time.Since(begin))
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

func TestPace_AChangeAtRestIsDrawnAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ticker := time.NewTicker(resting)
		defer ticker.Stop()
		var p pace
		defer p.stop()
		begin := time.Now()
		looks := looked(t, ticker, begin)
		p.changed(func() *time.Ticker { return ticker })
		time.Sleep(frame)
		if got := looks(); len(got) == 0 || got[0] != soon {
			t.Errorf("looked after %v, want first after %v", got, soon)
		}
	})
}

func TestPace_ChangesWithoutEndAreDrawnAFrameApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ticker := time.NewTicker(usual)
		defer ticker.Stop()
		var p pace
		defer p.stop()
		begin := time.Now()
		looks := looked(t, ticker, begin)
		const changes, every = 10_000, 100 * time.Microsecond
		for range changes {
			p.changed(func() *time.Ticker { return ticker })
			time.Sleep(every)
		}
		got := looks()
		for i := 1; i < len(got); i++ {
			if between := got[i] - got[i-1]; between > frame+soon {
				t.Fatalf("nothing was drawn for %v after %v, want a frame every %v", between, got[i-1], frame)
			}
		}
		if most := int(changes*every/frame)*2 + 2; len(got) > most {
			t.Errorf("%d looks in %v of changes, want at most %d", len(got), changes*every, most)
		}
	})
}

func TestPace_AChangeThatCameWhileAFrameWasDrawnIsSeenSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ticker := time.NewTicker(resting)
		defer ticker.Stop()
		var p pace
		defer p.stop()
		begin := time.Now()
		looks := looked(t, ticker, begin)
		p.changed(func() *time.Ticker { return ticker })
		time.Sleep(settled)
		got := looks()
		for i := 1; i < len(got); i++ {
			if between := got[i] - got[i-1]; between > usual {
				t.Errorf("%v and %v: nothing looked for %v, want %v at most before it settles", got[i-1], got[i], between, usual)
			}
		}
		if len(got) < 3 {
			t.Errorf("looked at %v, want again after the first frame", got)
		}
	})
}

func TestPace_RestsWhileNothingChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ticker := time.NewTicker(usual)
		defer ticker.Stop()
		var p pace
		defer p.stop()
		p.changed(func() *time.Ticker { return ticker })
		time.Sleep(2 * settled)
		looks := looked(t, ticker, time.Now())
		time.Sleep(time.Minute)
		if got := len(looks()); got > 61 {
			t.Errorf("looked %d times in a minute in which nothing changed, want once a second", got)
		}
	})
}

func TestPace_WithoutATickerDoesNothing(t *testing.T) {
	var p pace
	p.changed(func() *time.Ticker { return nil })
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
	if got := rendering(tea.NewProgram(nil)); got != nil {
		t.Errorf("a program that does not run has the ticker %v", got)
	}
}
