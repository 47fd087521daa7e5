package company

import (
	"context"
	"errors"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/ratio"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
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
	last, err := d.asPaid(ctx, series, last)
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

// asPaid is the last close of a series as it was paid that day. With the clock set
// back, what sources give of then is adjusted for what came later: a share of
// NVIDIA cost 1,200 dollars before its split of ten for one, and they say 120.
// Counts of shares filed at the time are not adjusted, so neither may the price be.
func (d Deps) asPaid(ctx context.Context, s market.Series, q market.Quote) (market.Quote, error) {
	if !d.Replay || s.Provenance.Adjustment == market.AdjustmentRaw {
		return q, nil
	}
	last := s.Bars[len(s.Bars)-1].Date
	after := market.Range{From: last.AddDate(0, 0, 1)}
	later, err := d.Bars.Bars(ctx, s.Symbol, after)
	later = later.Within(after)
	switch {
	case err != nil && !errors.Is(err, market.ErrNoData):
		return q, fmt.Errorf("whether the close of %s was adjusted for later splits is not known: %w", present.Dated(last), err)
	case len(later.Bars) > 0 && (s.Provenance.Adjustment != market.AdjustmentSplit || later.Actions == nil):
		return q, fmt.Errorf("the close of %s is adjusted for what came later (%s), and what was paid that day is not known", present.Dated(last), s.Provenance.Adjustment)
	case len(later.Bars) > 0:
		q.Price = before(later.Actions, last, q.Price)
	}
	q.Provenance.Adjustment, q.Provenance.Note = market.AdjustmentRaw, "the close as it was paid that day"
	return q, nil
}

// before undoes the splits after a day in a price of that day.
func before(actions []market.Action, day market.Date, price decimal.Decimal) decimal.Decimal {
	for _, a := range actions {
		if a.Kind != market.ActionDividend && a.Date.After(day) && a.New.IsPositive() && a.Old.IsPositive() {
			price = price.Mul(a.New).DivRound(a.Old, 8)
		}
	}
	return price
}
