package binance_test

import (
	"errors"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/binance"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func TestSource_AnOldAnswerStandsInForASilentServerForAnHour(t *testing.T) {
	now := noon
	clock := func() time.Time { return now }
	script := markettest.NewScript(nil).Respond(tickerPath, markettest.JSONResponse(ticker("BTCUSDT", "10", noon)), markettest.Response{Status: 500}).
		Respond(klinesPath, markettest.JSONResponse(klines("2025-02-18", "10", "11", "12")), markettest.Response{Status: 500})
	s := binance.New(client.New(client.Options{Transport: script, Now: clock, Dir: t.TempDir()}), client.ProviderOptions{BaseURL: base, Now: clock})
	for _, row := range []struct {
		after time.Duration
		want  market.CacheState
		stale bool
	}{
		{0, market.CacheMiss, false}, {10 * time.Second, market.CacheHit, false}, {30 * time.Minute, market.CacheStale, true},
	} {
		now = noon.Add(row.after)
		q, err := s.Quote(t.Context(), "BTC-USD")
		if err != nil || q.Provenance.Cache != row.want || q.Provenance.Has(market.FlagStale) != row.stale || !q.Provenance.FetchedAt.Equal(noon) {
			t.Errorf("after %v: Quote with %+v, %v; want %q, stale %v, fetched at noon", row.after, q.Provenance, err, row.want, row.stale)
		}
		b, err := s.Bars(t.Context(), "BTC-USD", market.Range{})
		if err != nil || b.Provenance.Cache != row.want || b.Provenance.Has(market.FlagStale) != row.stale || len(b.Bars) != 3 {
			t.Errorf("after %v: %d bars with %+v, %v; want %q, stale %v", row.after, len(b.Bars), b.Provenance, err, row.want, row.stale)
		}
	}
	now = noon.Add(2 * time.Hour)
	if _, err := s.Quote(t.Context(), "BTC-USD"); !errors.Is(err, market.ErrUnavailable) {
		t.Errorf("Quote after two hours = %v, want ErrUnavailable", err)
	}
}
