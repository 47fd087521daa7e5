package fred_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/fred"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// A cached response has the server's date of its fetch, so values published by then remain known.
func TestSource_AnOldAnswerStandsInForASilentServerForAMonth(t *testing.T) {
	now := noon
	clock := func() time.Time { return now }
	script := graphScript()
	s := fred.New(client.New(client.Options{Transport: script, Now: clock, Dir: t.TempDir()}), client.ProviderOptions{BaseURL: "http://127.0.0.1", Now: clock})
	for _, row := range []struct {
		after time.Duration
		want  market.CacheState
		stale bool
	}{
		{0, market.CacheMiss, false}, {11 * time.Hour, market.CacheHit, false}, {20 * 24 * time.Hour, market.CacheStale, true},
	} {
		now = noon.Add(row.after)
		got, err := s.EconomicSeries(t.Context(), "UNRATE", market.SeriesQuery{})
		if err != nil || got.Provenance.Cache != row.want || got.Provenance.Has(market.FlagStale) != row.stale || !got.Vintage.Equal(day("2025-02-20")) {
			t.Errorf("after %v: %+v of %v, %v; want %q, stale %v, of the same vintage", row.after, got.Provenance, got.Vintage, err, row.want, row.stale)
		}
		script.Respond(graphPath+"?id=UNRATE", markettest.Response{Status: 500})
	}
	now = noon.Add(40 * 24 * time.Hour)
	if _, err := s.EconomicSeries(t.Context(), "UNRATE", market.SeriesQuery{}); !errors.Is(err, market.ErrUnavailable) {
		t.Errorf("EconomicSeries after forty days = %v, want ErrUnavailable", err)
	}
}

func TestSource_TheKeyStaysOutOfWhatIsKept(t *testing.T) {
	dir, clock := t.TempDir(), func() time.Time { return noon }
	s := fred.New(client.New(client.Options{Transport: fakeArchive{}, Now: clock, Dir: dir}), client.ProviderOptions{BaseURL: "http://127.0.0.1", Key: func() string { return secret }, Now: clock})
	if _, err := s.EconomicSeries(t.Context(), "UNRATE", market.SeriesQuery{}); err != nil {
		t.Fatalf("EconomicSeries = %v", err)
	}
	files := 0
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		if strings.Contains(string(text)+path, secret) {
			t.Errorf("%s holds the key", path)
		}
		return err
	})
	if err != nil || files == 0 {
		t.Errorf("looked at %d files, %v; want some", files, err)
	}
}

func TestNew_AsksForNoKey(t *testing.T) {
	script := markettest.NewScript(nil)
	sourceOf(script, func() string { t.Error("New asked for the key"); return "" })
	if n := len(script.Requests()); n > 0 {
		t.Errorf("New asked the server %d times", n)
	}
}
