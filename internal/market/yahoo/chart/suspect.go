package chart

import (
	"fmt"
	"math"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

const (
	// hundredfold is how near to a factor of 100 a change of unit is: the market
	// moves too on that day.
	hundredfold = 0.25
	// asSplit is how near to a split's ratio a step is that it explains, as
	// logarithms.
	asSplit = 0.1
	// aroundSplit is how far from a split the step that it left may lie.
	aroundSplit = 30 * 24 * time.Hour
)

// jumps finds steps between neighbours that no market makes: by a hundred, where
// the unit changed within the series, and by the ratio of a split of those weeks,
// where only a part of the series was adjusted for it.
func jumps(bars []market.Bar, actions []market.Action) []string {
	var units, splits []market.Date
	before := math.NaN()
	for i := range bars {
		now := bars[i].Close.InexactFloat64()
		step := math.Log(now / before)
		before = now
		if math.Abs(math.Abs(step)-math.Log(100)) < hundredfold {
			units = append(units, bars[i].Date)
		} else if math.Abs(step) > 2*asSplit && leftBySplit(step, bars[i].Date, actions) {
			splits = append(splits, bars[i].Date)
		}
	}
	var odd []string
	if len(units) > 0 {
		odd = append(odd, fmt.Sprintf("Closes step by a factor of about 100 on %s: a part of them is in another unit.", dates(units)))
	}
	if len(splits) > 0 {
		odd = append(odd, fmt.Sprintf("Closes step by the ratio of a split on %s: a part of them is not adjusted for it.", dates(splits)))
	}
	return odd
}

func leftBySplit(step float64, on market.Date, actions []market.Action) bool {
	for _, a := range actions {
		if a.Kind == market.ActionDividend || on.Sub(a.Date).Abs() > aroundSplit {
			continue
		}
		ratio := math.Abs(math.Log(a.New.InexactFloat64() / a.Old.InexactFloat64()))
		if ratio > 2*asSplit && math.Abs(math.Abs(step)-ratio) < asSplit {
			return true
		}
	}
	return false
}
