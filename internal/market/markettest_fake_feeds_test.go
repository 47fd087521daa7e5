package market_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func feeds() *markettest.FakeFeeds {
	day := time.Date(2024, 6, 26, 0, 0, 0, 0, time.UTC)
	pair := market.Pair{Base: "EUR", Quote: "USD"}
	return &markettest.FakeFeeds{
		Curves: map[string][]market.YieldCurve{market.CurveTreasury: {
			markettest.Curve(day, "120", "4.3"), markettest.Curve(day.AddDate(0, 0, 1), "120", "4.2"),
		}},
		FX:       map[market.Pair]market.RateSeries{pair: markettest.DailyRates(pair, day, "1.07", "1.08")},
		Articles: []market.Article{{Title: "new", Published: day.Add(36 * time.Hour)}, {Title: "old", Published: day}},
	}
}

// If a fake behaved unlike real sources, broken tools would pass their tests.
func TestFeeds_KeepTheContractsOfSources(t *testing.T) {
	f, ctx := feeds(), t.Context()
	first := time.Date(2024, 6, 26, 0, 0, 0, 0, time.UTC)
	pair := market.Pair{Base: "EUR", Quote: "USD"}
	curves, err := f.YieldCurves(ctx, market.CurveTreasury, market.Range{To: first.AddDate(0, 0, 9)})
	if err != nil || len(curves) != 1 || !curves[0].Date.Equal(first.AddDate(0, 0, 1)) {
		t.Errorf("YieldCurves with an open begin = %v, %v; want the last one", curves, err)
	}
	rates, err := f.Rates(ctx, pair, market.Range{To: first})
	if err != nil || len(rates.Rates) != 1 || !rates.Provenance.AsOf.Equal(first) {
		t.Errorf("Rates until the first day = %+v, %v; want its rate as of it", rates, err)
	}
	news, err := f.News(ctx, market.NewsQuery{Before: first.Add(time.Hour)})
	if err != nil || len(news) != 1 || news[0].Title != "old" {
		t.Errorf("News before = %v, %v; want the old one", news, err)
	}
	if none, err := f.SearchWeb(ctx, "x", 1); err != nil || len(none) > 0 {
		t.Errorf("SearchWeb = %v, %v; nothing found is no error", none, err)
	}
}

func TestFeeds_MeanWhatTheirErrorsSay(t *testing.T) {
	long := market.Range{To: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}
	pair := market.Pair{Base: "EUR", Quote: "USD"}
	for _, tc := range []struct {
		name string
		ask  func(context.Context, *markettest.FakeFeeds) error
		want error
	}{
		{"a curve that is not there", func(ctx context.Context, f *markettest.FakeFeeds) error {
			_, err := f.YieldCurves(ctx, "mars", long)
			return err
		}, market.ErrUnknownSymbol},
		{"no curve in range", func(ctx context.Context, f *markettest.FakeFeeds) error {
			_, err := f.YieldCurves(ctx, market.CurveTreasury, long)
			return err
		}, market.ErrNoData},
		{"a pair that is not there", func(ctx context.Context, f *markettest.FakeFeeds) error {
			_, err := f.Rates(ctx, pair.Inverse(), long)
			return err
		}, market.ErrUnknownSymbol},
		{"no rate in range", func(ctx context.Context, f *markettest.FakeFeeds) error {
			_, err := f.Rates(ctx, pair, long)
			return err
		}, market.ErrNoData},
		{"no options", func(ctx context.Context, f *markettest.FakeFeeds) error {
			_, err := f.OptionChain(ctx, "VTI", market.Date{})
			return err
		}, market.ErrUnknownSymbol},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if err := tc.ask(t.Context(), feeds()); !errors.Is(err, tc.want) {
				t.Errorf("got %v, want %v", err, tc.want)
			}
			down := feeds()
			down.Err = market.ErrUnavailable
			if err := tc.ask(t.Context(), down); !errors.Is(err, market.ErrUnavailable) {
				t.Errorf("of a source that is down: %v, want ErrUnavailable", err)
			}
			cancelled, cancel := context.WithCancel(t.Context())
			cancel()
			if err := tc.ask(cancelled, feeds()); !errors.Is(err, context.Canceled) {
				t.Errorf("of a cancelled call: %v, want context.Canceled", err)
			}
		})
	}
}
