package feed_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// C18: the program does not ask a source twice for a symbol that it does not know.
func TestMarket_AsksNoSourceTwiceForAnUnknownSymbol(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sleepToWednesday()
		w := markettest.NewFakeProviders(time.Now)
		f := market.NewFallback(marketWith(w, t.TempDir()).Sources())
		_, err := f.Bars(t.Context(), "NOSUCH1", market.Range{})
		first := w.Requests("yahoo")
		_, again := f.Bars(t.Context(), "NOSUCH1", market.Range{})
		if !errors.Is(err, market.ErrUnknownSymbol) || !errors.Is(again, market.ErrUnknownSymbol) || first == 0 || w.Requests("yahoo") != first {
			t.Errorf("%d requests, then %d (%v, %v), want no more", first, w.Requests("yahoo"), err, again)
		}
	})
}
