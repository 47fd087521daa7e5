package coingecko_test

import (
	"errors"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/coingecko"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func TestSource_AnOldAnswerStandsInForASilentServerForAnHour(t *testing.T) {
	now := noon
	clock := func() time.Time { return now }
	script := markettest.NewScript(nil).Respond(pricePath, markettest.JSONResponse(priceBody), markettest.Response{Status: 500}).
		Respond(chartPath, markettest.JSONResponse(week), markettest.Response{Status: 500})
	s := coingecko.New(client.New(client.Options{Transport: script, Now: clock, Dir: t.TempDir()}), client.ProviderOptions{BaseURL: "http://127.0.0.1", Now: clock})
	for _, row := range []struct {
		after time.Duration
		want  market.CacheState
		stale bool
	}{
		{0, market.CacheMiss, false}, {10 * time.Second, market.CacheHit, false}, {50 * time.Minute, market.CacheStale, true},
	} {
		now = noon.Add(row.after)
		q, err := s.Quote(t.Context(), "BTC-USD")
		if err != nil || q.Provenance.Cache != row.want || q.Provenance.Has(market.FlagStale) != row.stale || !q.Provenance.FetchedAt.Equal(noon) {
			t.Errorf("after %v: Quote with %+v, %v; want %q, stale %v, fetched at noon", row.after, q.Provenance, err, row.want, row.stale)
		}
		b, err := s.Bars(t.Context(), "BTC-USD", market.Range{})
		if err != nil || b.Provenance.Cache != row.want || b.Provenance.Has(market.FlagStale) != row.stale || len(b.Bars) != 7 {
			t.Errorf("after %v: %d bars with %+v, %v; want %q, stale %v", row.after, len(b.Bars), b.Provenance, err, row.want, row.stale)
		}
	}
	now = noon.Add(3 * time.Hour)
	if _, err := s.Quote(t.Context(), "BTC-USD"); !errors.Is(err, market.ErrUnavailable) {
		t.Errorf("Quote after three hours = %v, want ErrUnavailable", err)
	}
}

// The server's newest response about a coin counts, whatever earlier ones said.
func TestSource_AnOldAnswerDoesNotHideThatACoinIsGone(t *testing.T) {
	now := noon
	clock := func() time.Time { return now }
	script := markettest.NewScript(nil).Respond(chartPath, markettest.JSONResponse(week), markettest.Response{Status: 404, Body: []byte(`{"error":"coin not found"}`)})
	s := coingecko.New(client.New(client.Options{Transport: script, Now: clock, Dir: t.TempDir()}), client.ProviderOptions{BaseURL: "http://127.0.0.1", Now: clock})
	if _, err := s.Bars(t.Context(), "BTC-USD", market.Range{}); err != nil {
		t.Fatalf("Bars = %v", err)
	}
	now = noon.Add(time.Hour)
	if _, err := s.Bars(t.Context(), "BTC-USD", market.Range{}); !errors.Is(err, market.ErrUnknownSymbol) {
		t.Errorf("Bars of a coin that is gone = %v, want ErrUnknownSymbol", err)
	}
}
