package companies

import (
	"context"
	"errors"
	"fmt"

	"github.com/nfa-cli/nfa/internal/analytics/fundamental"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// statementPrice is the price that statements are set against, or why there is none.
type statementPrice struct {
	price   *fundamental.SharePrice
	from    market.Provenance
	missing string
}

// priceFor is the price to set against a statement. With the clock set back it is
// what was paid then, and figures in their newest form may count other shares:
// those of a source that tells no days of filing.
func (d FundamentalDeps) priceFor(ctx context.Context, s market.Statement) (statementPrice, error) {
	if d.Replay && s.Filed.IsZero() {
		return statementPrice{missing: "the statements are in their newest form and not as they were filed then, and may count other shares than the price of then"}, nil
	}
	return d.latestPrice(ctx, s.Symbol)
}

// splitLookback reach back to every filing that a price may be set against, for the
// splits since.
const splitLookback = "2y"

// latestPrice asks for the newest price that was known at d.Now and for what happened to
// the shares before it. Ratios without a price are worth having: only a cancelled
// call is an error.
func (d FundamentalDeps) latestPrice(ctx context.Context, sym market.Symbol) (statementPrice, error) {
	series, noBars := d.recentSeries(ctx, sym)
	quote, quoted, _ := toolkit.LatestPrices{Prices: d.Prices, Quotes: d.Quotes}.KnownQuote(ctx, sym)
	switch {
	case ctx.Err() != nil:
		return statementPrice{}, fmt.Errorf("pricing %s: %w", sym, ctx.Err())
	case quoted && noBars == nil && reachesQuote(series, quote.Provenance):
		return newStatementPrice(quote, series.Actions), nil
	case quoted:
		return newStatementPrice(quote, nil), nil
	case noBars != nil:
		return statementPrice{missing: "no price: " + noBars.Error()}, nil
	}
	last, ok := series.Latest()
	if !ok {
		return statementPrice{missing: "no price is known"}, nil
	}
	last, err := d.AsTraded(ctx, series, last)
	if err != nil {
		return statementPrice{missing: "no price: " + err.Error()}, nil
	}
	return newStatementPrice(last, series.Actions), nil
}

// reachesQuote reports whether a series tells what happened to the shares up to a quote:
// bars that end long before it know of no split since.
func reachesQuote(s market.Series, quoted market.Provenance) bool {
	last, ok := s.Latest()
	return ok && last.Provenance.Currency == quoted.Currency && quoted.AsOf.Sub(last.Provenance.AsOf) <= toolkit.MaxBarGap(s.Interval)
}

func (d FundamentalDeps) recentSeries(ctx context.Context, sym market.Symbol) (market.Series, error) {
	if d.Bars == nil {
		return market.Series{}, errors.New("there is no source of prices")
	}
	sp, err := toolkit.ParsePeriod(splitLookback, "", "", "")
	if err != nil {
		return market.Series{}, err
	}
	series, _, err := d.HistoryOfSymbol(ctx, sym, sp)
	return series, err
}

func newStatementPrice(q market.Quote, actions []market.Action) statementPrice {
	p := q.Provenance
	return statementPrice{price: &fundamental.SharePrice{Value: q.Price, Currency: p.Currency, AsOf: p.AsOf, Actions: actions}, from: p}
}
