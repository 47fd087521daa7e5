package prices

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// historyReturns is what came of a holding from the first close to the last, in per
// cent. What the source does not tell enough for is absent.
type historyReturns struct {
	PriceChange *decimal.Decimal `json:"price_change_pct,omitempty"` // without dividends
	TotalReturn *decimal.Decimal `json:"total_return_pct,omitempty"` // dividends reinvested

	totalFirst, totalLast decimal.Decimal // closes adjusted for dividends
}

// measureReturns measures a series. adjusted is the same with dividends reinvested; it
// has no bars where that is not known.
func measureReturns(s, adjusted market.Series) historyReturns {
	var r historyReturns
	if isPriceOnly(s) {
		r.PriceChange = percentChange(s.Bars)
	}
	if n := len(adjusted.Bars); n > 0 {
		r.TotalReturn = percentChange(adjusted.Bars)
		r.totalFirst, r.totalLast = adjusted.Bars[0].Close, adjusted.Bars[n-1].Close
	}
	return r
}

// isPriceOnly reports whether a change of these prices is one of price alone: neither
// dividends are in it nor an unadjusted split.
func isPriceOnly(s market.Series) bool {
	switch s.Provenance.Adjustment {
	case market.AdjustmentSplit:
		return true
	case market.AdjustmentRaw:
		if s.Kind == "index" {
			return true
		}
		span := market.Range{From: s.Bars[0].Date, To: s.Bars[len(s.Bars)-1].Date}
		for _, a := range s.Actions {
			if a.Kind != market.ActionDividend && span.Contains(a.Date) {
				return false
			}
		}
		return s.Actions != nil
	}
	return false
}

// percentChange is the change from the first close to the last in per cent, nil where
// there is none to measure.
func percentChange(bars []market.Bar) *decimal.Decimal {
	first, last := bars[0].Close, bars[len(bars)-1].Close
	if len(bars) < 2 || !first.IsPositive() {
		return nil
	}
	percent := last.Sub(first).Shift(2).DivRound(first, 2)
	return &percent
}

func (r historyReturns) line() string {
	var parts []string
	if r.PriceChange != nil {
		parts = append(parts, "price "+toolkit.FormatSigned(*r.PriceChange, 2)+" %")
	}
	if r.TotalReturn != nil {
		parts = append(parts, "with dividends reinvested "+toolkit.FormatSigned(*r.TotalReturn, 2)+" %")
	}
	return strings.Join(parts, ", ")
}

func (h priceHistory) returnFigures() []tool.Figure {
	figure := func(id, label, formula string, v *decimal.Decimal, first, last decimal.Decimal) []tool.Figure {
		if v == nil {
			return nil
		}
		return []tool.Figure{{
			ID: id, Label: fmt.Sprintf("%s %s", h.Symbol, label), Value: *v, Unit: "%", AsOf: h.Last.day, Source: h.Source, Formula: formula,
			Inputs: []string{fmt.Sprintf("first %s on %s", first, h.First.Date), fmt.Sprintf("last %s on %s", last, h.Last.Date)},
		}}
	}
	return append(
		figure("price_change_pct", "price change", "(last close - first close) / first close * 100", h.PriceChange, h.First.Close, h.Last.Close),
		figure("total_return_pct", "total return", "(last - first) / first * 100 of closes adjusted for dividends", h.TotalReturn, h.totalFirst, h.totalLast)...)
}
