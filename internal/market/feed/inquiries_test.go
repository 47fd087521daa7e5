package feed_test

import (
	"context"
	"slices"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// inquiry is a request that the program makes to its sources.
type inquiry struct {
	name   string
	prices bool // whether the answer is prices
	named  bool // whether the answer names its symbol
	run    func(context.Context, *market.Fallback) (market.Provenance, error)
}

func inquiries() []inquiry {
	return slices.Concat(inquiriesOfPrices(), inquiriesOfCompanies(), inquiriesOfTheEconomy())
}

// Symbols that the fake providers have.
const (
	exm = market.Symbol("EXM")
	btc = market.Symbol("BTC-USD")
)

func inquiriesOfPrices() []inquiry {
	quote := func(sym market.Symbol) func(context.Context, *market.Fallback) (market.Provenance, error) {
		return func(ctx context.Context, f *market.Fallback) (market.Provenance, error) {
			q, err := f.Quote(ctx, sym)
			return q.Provenance, err
		}
	}
	bars := func(sym market.Symbol) func(context.Context, *market.Fallback) (market.Provenance, error) {
		return func(ctx context.Context, f *market.Fallback) (market.Provenance, error) {
			today := time.Now().UTC().Truncate(24 * time.Hour)
			s, err := f.Bars(ctx, sym, market.Range{From: today.AddDate(0, 0, -7), To: today})
			return s.Provenance, err
		}
	}
	return []inquiry{
		{"quote of a share", true, true, quote(exm)},
		{"quote of a coin", true, true, quote(btc)},
		{"bars of a share", true, true, bars(exm)},
		{"bars of a coin", true, true, bars(btc)},
	}
}

func inquiriesOfCompanies() []inquiry {
	return []inquiry{
		{"statements", false, true, func(ctx context.Context, f *market.Fallback) (market.Provenance, error) {
			return firstOrigin(f.Statements(ctx, exm, market.StatementQuery{}))(func(s market.Statement) market.Provenance { return s.Provenance })
		}},
		{"profile", false, true, func(ctx context.Context, f *market.Fallback) (market.Provenance, error) {
			p, err := f.Profile(ctx, exm)
			return p.Provenance, err
		}},
		{"filings", false, true, func(ctx context.Context, f *market.Fallback) (market.Provenance, error) {
			return firstOrigin(f.Filings(ctx, exm, market.FilingQuery{}))(func(one market.Filing) market.Provenance { return one.Provenance })
		}},
		{"section of a filing", false, false, func(ctx context.Context, f *market.Fallback) (market.Provenance, error) {
			s, err := f.FilingSection(ctx, "0000950170-24-000004", market.FilingItem{Part: "I", Item: "1A"})
			return s.Filing.Provenance, err
		}},
		{"insider trades", false, true, func(ctx context.Context, f *market.Fallback) (market.Provenance, error) {
			return firstOrigin(f.InsiderTrades(ctx, exm, market.Range{}, 5))(func(one market.InsiderTrade) market.Provenance { return one.Provenance })
		}},
		{"news", false, false, func(ctx context.Context, f *market.Fallback) (market.Provenance, error) {
			return firstOrigin(f.News(ctx, market.NewsQuery{Symbol: exm, Name: "Example Corp"}))(func(one market.Article) market.Provenance { return one.Provenance })
		}},
	}
}

func inquiriesOfTheEconomy() []inquiry {
	curve := func(name string) func(context.Context, *market.Fallback) (market.Provenance, error) {
		return func(ctx context.Context, f *market.Fallback) (market.Provenance, error) {
			return firstOrigin(f.YieldCurves(ctx, name, market.Range{}))(func(c market.YieldCurve) market.Provenance { return c.Provenance })
		}
	}
	return []inquiry{
		{"yields of the Treasury", false, false, curve(market.CurveTreasury)},
		{"yields of the euro area", false, false, curve(market.CurveEuro)},
		{"rate of two currencies", false, false, func(ctx context.Context, f *market.Fallback) (market.Provenance, error) {
			r, err := f.Rates(ctx, market.Pair{Base: "EUR", Quote: "USD"}, market.Range{})
			return r.Provenance, err
		}},
		{"economic series", false, false, func(ctx context.Context, f *market.Fallback) (market.Provenance, error) {
			s, err := f.EconomicSeries(ctx, "UNRATE", market.SeriesQuery{})
			return s.Provenance, err
		}},
		{"search of the web", false, false, func(ctx context.Context, f *market.Fallback) (market.Provenance, error) {
			return firstOrigin(f.SearchWeb(ctx, "rates", 3))(func(one market.WebResult) market.Provenance { return one.Provenance })
		}},
	}
}

// firstOrigin returns a function that returns the provenance of the first element of a list.
func firstOrigin[T any](all []T, err error) func(func(T) market.Provenance) (market.Provenance, error) {
	return func(of func(T) market.Provenance) (market.Provenance, error) {
		if err != nil || len(all) == 0 {
			return market.Provenance{}, err
		}
		return of(all[0]), nil
	}
}
