package advice

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// assetHistory holds the prices of an asset since the first decision about it, or the error.
type assetHistory struct {
	plain market.Series // prices without dividends, known splits undone
	total market.Series // with dividends reinvested, if the source reports them
	err   error
}

// measuredGrowth is a return with its first and last close.
type measuredGrowth struct {
	investor.AssetReturn
	first, last decimal.Decimal
}

// lookbackDays is the number of days before a decision to fetch, enough to include a close despite
// holidays.
const lookbackDays = 20

// fetchHistories fetches every symbol of the decisions once, from the first day needed. A symbol
// that fails does not affect the others; only a canceled context is an error.
func (d JournalDeps) fetchHistories(ctx context.Context, decisions []investor.Decision) (map[market.Symbol]assetHistory, error) {
	since := map[market.Symbol]market.Date{}
	for _, decision := range decisions {
		for _, m := range comparedMarks(decision) {
			if first, ok := since[m.Symbol]; !ok || decision.Date.Before(first) {
				since[m.Symbol] = decision.Date
			}
		}
	}
	found, failed, err := toolkit.FetchAll(ctx, slices.Collect(maps.Keys(since)), func(ctx context.Context, sym market.Symbol) (assetHistory, error) {
		return d.fetchHistory(ctx, sym, since[sym])
	})
	if err != nil {
		return nil, fmt.Errorf("review journal: %w", err)
	}
	for sym, err := range failed {
		found[sym] = assetHistory{err: err}
	}
	return found, nil
}

// comparedMarks returns all assets of a decision, its benchmark last.
func comparedMarks(d investor.Decision) []investor.PricedAsset {
	if d.Benchmark == nil {
		return d.Assets
	}
	return append(slices.Clone(d.Assets), *d.Benchmark)
}

func (d JournalDeps) fetchHistory(ctx context.Context, sym market.Symbol, first market.Date) (assetHistory, error) {
	series, _, err := d.HistoryOfSymbol(ctx, sym, toolkit.Since(first.AddDate(0, 0, -lookbackDays)))
	if err != nil {
		return assetHistory{}, err
	}
	// Compute it once here, not for each decision.
	total, err := investor.ReinvestDividends(series)
	if err != nil {
		return assetHistory{}, err
	}
	if adjusted, err := series.SplitAdjusted(); err == nil {
		series = adjusted
	}
	return assetHistory{plain: series, total: total}, nil
}

// growthBetween measures the return of an asset between two days, with or without dividends.
func (h assetHistory) growthBetween(from, to market.Date, dividends bool) (measuredGrowth, error) {
	if h.err != nil {
		return measuredGrowth{}, h.err
	}
	series := h.total
	if !dividends {
		series = h.plain
		series.Actions = nil
	}
	g, err := investor.ReturnBetween(series, from, to)
	if err != nil {
		return measuredGrowth{}, err
	}
	return measuredGrowth{AssetReturn: g, first: closeOn(series, g.From), last: closeOn(series, g.To)}, nil
}

func closeOn(s market.Series, day market.Date) decimal.Decimal {
	i, ok := slices.BinarySearchFunc(s.Bars, day, func(b market.Bar, d market.Date) int { return b.Date.Compare(d) })
	if !ok {
		return decimal.Decimal{}
	}
	return s.Bars[i].Close
}

// measureGrowths measures the assets of a decision until its end. If dividends are missing for one of them,
// all are measured without dividends where possible. An asset whose return is unknown is omitted, with a
// reason.
func measureGrowths(d investor.Decision, histories map[market.Symbol]assetHistory, today market.Date) (found map[market.Symbol]measuredGrowth, reasons []string) {
	found = map[market.Symbol]measuredGrowth{}
	total, priceOnly := 0, 0
	for _, m := range comparedMarks(d) {
		g, err := histories[m.Symbol].growthBetween(d.Date, d.End(today), true)
		if err != nil {
			reasons = append(reasons, err.Error())
			continue
		}
		found[m.Symbol] = g
		if g.Total {
			total++
		} else {
			priceOnly++
		}
	}
	if total == 0 || priceOnly == 0 {
		return found, reasons
	}
	if plain, ok := priceGrowths(d, histories, found, today); ok {
		return plain, reasons
	}
	return found, reasons
}

// priceGrowths returns the returns without dividends, or false if one is unavailable. Prices that a source
// has adjusted for dividends cannot be restored.
func priceGrowths(d investor.Decision, histories map[market.Symbol]assetHistory, found map[market.Symbol]measuredGrowth, today market.Date) (map[market.Symbol]measuredGrowth, bool) {
	plain := map[market.Symbol]measuredGrowth{}
	for sym, g := range found {
		if !g.Total {
			plain[sym] = g
			continue
		}
		if histories[sym].plain.Provenance.Adjustment != market.AdjustmentSplit {
			return nil, false
		}
		growth, err := histories[sym].growthBetween(d.Date, d.End(today), false)
		if err != nil || growth.Total {
			return nil, false
		}
		plain[sym] = growth
	}
	return plain, true
}
