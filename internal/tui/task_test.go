package tui_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nfa-cli/nfa/internal/tui"
)

func TestTask_ReturnsItsResultAndWhetherItWasStopped(t *testing.T) {
	failure := errors.New("no room")
	for name, row := range map[string]struct {
		work    func(context.Context) (string, error)
		cancel  bool
		text    string
		stopped bool
		err     error
	}{
		"done":                  {func(context.Context) (string, error) { return "made room", nil }, false, "made room", false, nil},
		"failed":                {func(context.Context) (string, error) { return "", failure }, false, "", false, failure},
		"stopped":               {func(ctx context.Context) (string, error) { <-ctx.Done(); return "", ctx.Err() }, true, "", true, context.Canceled},
		"stopped when all done": {func(ctx context.Context) (string, error) { <-ctx.Done(); return "made room", nil }, true, "made room", false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := tui.StartTask(t.Context(), func(ctx context.Context) (r tui.CommandResult) {
				r.Markdown, r.Err = row.work(ctx)
				return r
			})
			if row.cancel {
				w.Cancel()
			}
			if at := w.Wait(); at != nil {
				t.Fatalf("it panicked: %v", at)
			}
			result, stopped := w.Result()
			if result.Markdown != row.text || stopped != row.stopped || !errors.Is(result.Err, row.err) {
				t.Errorf("Result = %+v, %t, want %q, %t, %v", result, stopped, row.text, row.stopped, row.err)
			}
			w.Cancel()
		})
	}
}

func TestTask_APanicIsReturnedByWait(t *testing.T) {
	w := tui.StartTask(t.Context(), func(context.Context) tui.CommandResult { panic("sk-canary") })
	if at := w.Wait(); at == nil {
		t.Error("the panic is lost")
	}
	w.Cancel()
}

func TestTask_SettleDoesNotWaitForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		w := tui.StartTask(t.Context(), func(context.Context) tui.CommandResult { <-release; return tui.CommandResult{} })
		begin := time.Now()
		if w.Settle(3 * time.Second); time.Since(begin) != 3*time.Second {
			t.Errorf("settled after %v", time.Since(begin))
		}
		close(release)
		w.Settle(3 * time.Second)
		if time.Since(begin) != 3*time.Second {
			t.Errorf("waited %v for what has ended", time.Since(begin))
		}
	})
}
