package company

import (
	"context"
	"errors"
	"fmt"

	"github.com/nfa-cli/nfa/internal/analytics/ratio"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// priced is the price that statements are set against, or why there is none.
type priced struct {
	price *ratio.Price
	from  market.Provenance
	why   string
}

// pricedFor is the price to set against a statement. With the clock set back it is
// what was paid then, and figures in their newest form may count other shares:
// those of a source that tells no days of filing.
func (d Deps) pricedFor(ctx context.Context, s market.Statement) (priced, error) {
	if d.Replay && s.Filed.IsZero() {
		return priced{why: "the statements are in their newest form and not as they were filed then, and may count other shares than the price of then"}, nil
	}
	return d.priced(ctx, s.Symbol)
}

// twoYears reach back to every filing that a price may be set against, for the
// splits since.
const twoYears = "2y"

// priced asks for the newest price that was known at d.Now and for what happened to
// the shares before it. Ratios without a price are worth having: only a cancelled
// call is an error.
func (d Deps) priced(ctx context.Context, sym market.Symbol) (priced, error) {
	series, noBars := d.twoYearsOf(ctx, sym)
	out, ok := d.quoted(ctx, sym)
	switch {
	case ctx.Err() != nil:
		return out, fmt.Errorf("pricing %s: %w", sym, ctx.Err())
	case ok && noBars == nil && reaches(series, out.from):
		out.price.Actions = series.Actions
		return out, nil
	case ok:
		return out, nil
	case noBars != nil:
		return priced{why: "no price: " + noBars.Error()}, nil
	}
	last, ok := series.Latest()
	if !ok {
		return priced{why: "no price is known"}, nil
	}
	last, err := d.AsPaid(ctx, series, last)
	if err != nil {
		return priced{why: "no price: " + err.Error()}, nil
	}
	return pricedAt(last, series.Actions), nil
}

// reaches reports whether a series tells what happened to the shares up to a quote:
// bars that end long before it know of no split since.
func reaches(s market.Series, quoted market.Provenance) bool {
	last, ok := s.Latest()
	return ok && last.Provenance.Currency == quoted.Currency && quoted.AsOf.Sub(last.Provenance.AsOf) <= question.LongestGap(s.Interval)
}

func (d Deps) twoYearsOf(ctx context.Context, sym market.Symbol) (market.Series, error) {
	if d.Bars == nil {
		return market.Series{}, errors.New("there is no source of prices")
	}
	sp, err := question.ParseSpan(twoYears, "", "", "")
	if err != nil {
		return market.Series{}, err
	}
	series, _, err := d.HistoryOf(ctx, sym, sp)
	return series, err
}

// quoted is the price that a quote tells, where it may be asked.
func (d Deps) quoted(ctx context.Context, sym market.Symbol) (priced, bool) {
	if d.Replay || d.Quotes == nil {
		return priced{}, false
	}
	q, err := d.Quotes.Quote(ctx, sym)
	if err != nil || !d.Known(q.Provenance.AsOf) {
		return priced{}, false
	}
	return pricedAt(q, nil), true
}

func pricedAt(q market.Quote, actions []market.Action) priced {
	p := q.Provenance
	return priced{price: &ratio.Price{Value: q.Price, Currency: p.Currency, AsOf: p.AsOf, Actions: actions}, from: p}
}
