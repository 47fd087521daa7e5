package python_test

import (
	"errors"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/python"
)

func TestRun_AnEndlessLoopEndsAtItsLimit(t *testing.T) {
	const limit = 300 * time.Millisecond
	inBothRuntimes(t, python.Limits{Time: limit}, func(t *testing.T, r *python.Runner) {
		got, err := r.Run(t.Context(), newInline(t, "while True: pass"), python.Input{})
		if !errors.Is(err, python.ErrTimeLimit) {
			t.Fatalf("Run = %v, want ErrTimeLimit", err)
		}
		if got.Duration < limit {
			t.Errorf("ended after %s, want %s", got.Duration, limit)
		}
	})
}

func TestRun_ASleeperEndsAtItsLimit(t *testing.T) {
	t.Parallel()
	inBothRuntimes(t, python.Limits{Time: 200 * time.Millisecond}, func(t *testing.T, r *python.Runner) {
		t.Parallel()
		_, err := r.Run(t.Context(), newInline(t, "import time\ntime.sleep(600)"), python.Input{})
		if !errors.Is(err, python.ErrTimeLimit) {
			t.Errorf("Run = %v, want ErrTimeLimit", err)
		}
	})
}

func TestRun_AHundredMegabytesOfOutputAreStopped(t *testing.T) {
	t.Parallel()
	r := systemRunner(t, python.Limits{})
	_, err := r.Run(t.Context(), newInline(t, "line = 'x' * 1000000\nfor _ in range(100): print(line)"), python.Input{})
	if !errors.Is(err, python.ErrOutputTooLarge) {
		t.Errorf("Run = %v, want ErrOutputTooLarge", err)
	}
}

func TestRun_OutputUpToTheLimitPasses(t *testing.T) {
	t.Parallel()
	r := systemRunner(t, python.Limits{Output: 1000})
	got, err := r.Run(t.Context(), newInline(t, `import sys; sys.stdout.write('"' + 'x' * 998 + '"')`), python.Input{})
	if err != nil || len(got.Output) != 1000 {
		t.Errorf("Run = %d bytes, %v, want 1000", len(got.Output), err)
	}
	_, err = r.Run(t.Context(), newInline(t, `import sys; sys.stdout.write('"' + 'x' * 999 + '"')`), python.Input{})
	if !errors.Is(err, python.ErrOutputTooLarge) {
		t.Errorf("Run of 1001 bytes = %v, want ErrOutputTooLarge", err)
	}
}
