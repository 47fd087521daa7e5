package client_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// delayedTransport is a transport that panics when let is closed, whether or not a caller is waiting.
type delayedTransport struct{ let chan struct{} }

func (l delayedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	<-l.let
	panic("GET " + r.URL.String())
}

// A panic without a waiting caller is logged; one that a caller receives is not logged as well.
func TestGet_APanicThatNobodyWaitsForIsInTheLog(t *testing.T) {
	for _, row := range []struct {
		name        string
		leave, stay int // of the callers of one request
		want        int // lines in the log
	}{
		{"all have left", 2, 0, 1},
		{"one is left", 1, 1, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				transport := delayedTransport{let: make(chan struct{})}
				source := client.New(client.Options{Transport: transport, Log: zerolog.New(&log).Level(zerolog.ErrorLevel)}).Source(fastPolicy)
				r := quote()
				r.URL += "?key=CANARY"
				r.Fresh = time.Hour
				ctx, leave := context.WithCancel(t.Context())
				left, stayed := make(chan error, row.leave), make(chan error, row.stay)
				ask := func(ctx context.Context, into chan<- error) {
					var err error
					defer func() { into <- err }()
					defer crash.Catch(&err)
					_, err = source.Get(ctx, r)
				}
				for range row.leave {
					go ask(ctx, left)
				}
				for range row.stay {
					go ask(t.Context(), stayed)
				}
				synctest.Wait()
				leave()
				for range row.leave {
					if err := <-left; !errors.Is(err, context.Canceled) {
						t.Errorf("Get = %v for one who left, want context.Canceled", err)
					}
				}
				close(transport.let)
				for range row.stay {
					if _, ok := errors.AsType[*crash.Site](<-stayed); !ok {
						t.Error("one who waits got no panic")
					}
				}
				synctest.Wait()
				if lines := strings.Count(log.String(), "\n"); lines != row.want || strings.Contains(log.String(), "CANARY") {
					t.Errorf("%d lines in the log, want %d without the address:\n%s", lines, row.want, &log)
				}
				if row.want > 0 && (!strings.Contains(log.String(), "delayedTransport.RoundTrip") || !strings.Contains(log.String(), `"panic":"string"`)) {
					t.Errorf("the log lacks the place and the kind:\n%s", &log)
				}
			})
		})
	}
}
