package decision

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// history is what an asset did since the first decision about it, or why that is not
// known.
type history struct {
	plain market.Series // of prices alone, its splits undone where they are told
	total market.Series // with dividends reinvested, where the source tells them
	err   error
}

// measured is a growth with the closes that it is between.
type measured struct {
	journal.Growth
	first, last decimal.Decimal
}

// atOneTime is how many histories are asked for at once.
const atOneTime = 4

// aMargin is so many days before a decision that a close of before it is among them,
// whatever holidays there were.
const aMargin = 20

// histories fetches every symbol of decisions once, from the first day that any of
// them needs. One that fails does not spoil the others; only a cancelled call is an
// error.
func (d Deps) histories(ctx context.Context, of []journal.Decision) (map[market.Symbol]history, error) {
	since := map[market.Symbol]market.Date{}
	for _, one := range of {
		for _, m := range compared(one) {
			if first, ok := since[m.Symbol]; !ok || one.Date.Before(first) {
				since[m.Symbol] = one.Date
			}
		}
	}
	found := map[market.Symbol]history{}
	var mu sync.Mutex
	var group crash.Group
	group.SetLimit(atOneTime)
	for sym, first := range since {
		group.Go(func() error {
			h := d.history(ctx, sym, first)
			mu.Lock()
			defer mu.Unlock()
			found[sym] = h
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("reviewing the journal: %w", err)
	}
	return found, nil
}

// compared are all assets of a decision, its benchmark last.
func compared(d journal.Decision) []journal.Mark {
	if d.Benchmark == nil {
		return d.Marks
	}
	return append(slices.Clone(d.Marks), *d.Benchmark)
}

func (d Deps) history(ctx context.Context, sym market.Symbol, first market.Date) history {
	sp, err := question.ParseSpan("", present.Dated(first.AddDate(0, 0, -aMargin)), "", "")
	if err != nil {
		return history{err: err}
	}
	series, _, err := d.HistoryOf(ctx, sym, sp)
	if err != nil {
		return history{err: err}
	}
	// Once here, and not for each decision.
	total, err := journal.Reinvested(series)
	if err != nil {
		return history{err: err}
	}
	if one, err := series.SplitAdjusted(); err == nil {
		series = one
	}
	return history{plain: series, total: total}
}

// between measures what an asset did between two days, with dividends or without.
func (h history) between(from, to market.Date, dividends bool) (measured, error) {
	if h.err != nil {
		return measured{}, h.err
	}
	series := h.total
	if !dividends {
		series = h.plain
		series.Actions = nil
	}
	g, err := journal.GrowthOf(series, from, to)
	if err != nil {
		return measured{}, err
	}
	return measured{Growth: g, first: closeOn(series, g.From), last: closeOn(series, g.To)}, nil
}

func closeOn(s market.Series, day market.Date) decimal.Decimal {
	i, ok := slices.BinarySearchFunc(s.Bars, day, func(b market.Bar, d market.Date) int { return b.Date.Compare(d) })
	if !ok {
		return decimal.Decimal{}
	}
	return s.Bars[i].Close
}

// growths are what the assets of a decision did until its end, all of them with
// dividends or, where one cannot be, all without, as far as that can be had. What is
// not known is absent and has a reason.
func growths(d journal.Decision, of map[market.Symbol]history, today market.Date) (found map[market.Symbol]measured, reasons []string) {
	found = map[market.Symbol]measured{}
	with, without := 0, 0
	for _, m := range compared(d) {
		g, err := of[m.Symbol].between(d.Date, d.End(today), true)
		if err != nil {
			reasons = append(reasons, err.Error())
			continue
		}
		found[m.Symbol] = g
		if g.Total {
			with++
		} else {
			without++
		}
	}
	if with == 0 || without == 0 {
		return found, reasons
	}
	if plain, ok := withoutDividends(d, of, found, today); ok {
		return plain, reasons
	}
	return found, reasons
}

// withoutDividends are growths by prices alone, and false where one cannot be had:
// what a source has adjusted for dividends stays so.
func withoutDividends(d journal.Decision, of map[market.Symbol]history, found map[market.Symbol]measured, today market.Date) (map[market.Symbol]measured, bool) {
	plain := map[market.Symbol]measured{}
	for sym, g := range found {
		if !g.Total {
			plain[sym] = g
			continue
		}
		if of[sym].plain.Provenance.Adjustment != market.AdjustmentSplit {
			return nil, false
		}
		one, err := of[sym].between(d.Date, d.End(today), false)
		if err != nil || one.Total {
			return nil, false
		}
		plain[sym] = one
	}
	return plain, true
}
