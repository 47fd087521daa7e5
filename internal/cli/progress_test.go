package cli_test

import (
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/llm"
)

// clearLine goes to a line's beginning and erases it.
const clearLine = "\r\x1b[K"

// screen is written by the goroutines that draw the line, and read by the test.
type screen struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

// drawn returns what was written since the last call.
func (s *screen) drawn() string {
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.text.Reset()
	return s.text.String()
}

func TestProgress_SaysWhichStepRunsAndForHowLongAndGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		on := &screen{}
		p := cli.NewProgress(on, 4, time.Now)
		stop, drawn := p.Animate(), on.drawn
		p.Started(llm.ToolCall{ID: "run»price", Name: "quote"})
		if got, want := drawn(), clearLine+"step 1 of 4 price, quote …"; got != want {
			t.Errorf("at its start %q, want %q", got, want)
		}
		p.Finished()
		p.Started(llm.ToolCall{ID: "run»projection", Name: "python"})
		drawn()
		time.Sleep(11500 * time.Millisecond)
		drawn()
		time.Sleep(time.Second)
		if got, want := drawn(), clearLine+"step 2 of 4 projection, python … 12 s"; got != want {
			t.Errorf("after a while %q, want %q", got, want)
		}
		p.Finished()
		if got := drawn(); got != clearLine {
			t.Errorf("at its end %q, want the line cleared", got)
		}
		time.Sleep(5 * time.Second)
		stop()
		if got := drawn(); got != "" {
			t.Errorf("with nothing running %q is drawn", got)
		}
	})
}

func TestProgress_NoneIsSilent(t *testing.T) {
	var p *cli.Progress
	stop := p.Animate()
	p.Started(llm.ToolCall{ID: "run»a"})
	p.Finished()
	stop()
}
