package ecb_test

import (
	"errors"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/ecb"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func TestSource_AnOldAnswerStandsInForASilentServerForAMonth(t *testing.T) {
	now := evening
	clock := func() time.Time { return now }
	script := markettest.NewScript(nil).Respond(dailyPath, markettest.Response{Body: testdata(t, "daily.xml")}, markettest.Response{Status: 500})
	s := ecb.New(client.New(client.Options{Transport: script, Now: clock, Dir: t.TempDir()}), client.ProviderOptions{BaseURL: "http://127.0.0.1", Now: clock})
	for _, row := range []struct {
		after time.Duration
		want  market.CacheState
		stale bool
	}{
		{0, market.CacheMiss, false}, {30 * time.Minute, market.CacheHit, false}, {20 * 24 * time.Hour, market.CacheStale, true},
	} {
		now = evening.Add(row.after)
		got, err := s.Rates(t.Context(), pair("USDJPY"), market.Range{})
		if err != nil || got.Provenance.Cache != row.want || got.Provenance.Has(market.FlagStale) != row.stale || !got.Provenance.FetchedAt.Equal(evening) {
			t.Errorf("after %v: Rates with %+v, %v; want %q, stale %v", row.after, got.Provenance, err, row.want, row.stale)
		}
	}
	now = evening.Add(40 * 24 * time.Hour)
	if _, err := s.Rates(t.Context(), pair("USDJPY"), market.Range{}); !errors.Is(err, market.ErrUnavailable) {
		t.Errorf("Rates after forty days = %v, want ErrUnavailable", err)
	}
}

// One file serves all pairs, although each call reads only its own currencies from it.
func TestSource_OneFileServesAllPairs(t *testing.T) {
	script := fixtureScript(t)
	clock := func() time.Time { return evening }
	s := ecb.New(client.New(client.Options{Transport: script, Now: clock, Dir: t.TempDir()}), client.ProviderOptions{BaseURL: "http://127.0.0.1", Now: clock})
	for _, row := range []struct{ pair, want string }{{"EURUSD", "1.25"}, {"GBPJPY", "234.375"}, {"JPYEUR", "0.005333333333"}} {
		got, err := s.Rates(t.Context(), pair(row.pair), market.Range{})
		if err != nil || !got.Rates[0].Value.Equal(dec(row.want)) {
			t.Errorf("Rates(%s) = %+v, %v; want %s", row.pair, got.Rates, err, row.want)
		}
	}
	if n := len(script.Requests()); n != 1 {
		t.Errorf("asked %d times, want once", n)
	}
}
