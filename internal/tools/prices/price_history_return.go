package prices

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// historyReturns are the changes from the first close to the last, in percent. One is absent if the
// source does not provide enough data.
type historyReturns struct {
	PriceChange *decimal.Decimal `json:"price_change_pct,omitempty" label:"price change" as:"change" in:"percent" key:"1" formula:"(last close - first close) / first close * 100"`
	TotalReturn *decimal.Decimal `json:"total_return_pct,omitempty" label:"total return" as:"change" in:"percent" key:"2" basis:"dividends reinvested" formula:"(last - first) / first * 100 of closes adjusted for dividends"`

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

// percentChange is the change from the first close to the last in percent, nil if there is none.
func percentChange(bars []market.Bar) *decimal.Decimal {
	first, last := bars[0].Close, bars[len(bars)-1].Close
	if len(bars) < 2 || !first.IsPositive() {
		return nil
	}
	return toolkit.PercentOf(last.Sub(first), first)
}
