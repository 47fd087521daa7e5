package yahoo

import (
	"fmt"
	"math"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

const (
	// unitTolerance is how near to a factor of 100 a change of unit is: the market
	// moves too on that day.
	unitTolerance = 0.25
	// splitTolerance is how near to a split's ratio a step is that it explains, as
	// logarithms.
	splitTolerance = 0.1
	// splitWindow is how far from a split the step that it left may lie.
	splitWindow = 30 * 24 * time.Hour
)

// suspectJumps finds steps between neighbours that no market makes: by a hundred, where
// the unit changed within the series, and by the ratio of a split of those weeks,
// where only a part of the series was adjusted for it.
func suspectJumps(bars []market.Bar, actions []market.Action) []string {
	var units, splits []market.Date
	before := math.NaN()
	for i := range bars {
		now := bars[i].Close.InexactFloat64()
		step := math.Log(now / before)
		before = now
		if math.Abs(math.Abs(step)-math.Log(100)) < unitTolerance {
			units = append(units, bars[i].Date)
		} else if math.Abs(step) > 2*splitTolerance && matchesSplit(step, bars[i].Date, actions) {
			splits = append(splits, bars[i].Date)
		}
	}
	var odd []string
	if len(units) > 0 {
		odd = append(odd, fmt.Sprintf("Closes step by a factor of about 100 on %s: a part of them is in another unit.", joinDates(units)))
	}
	if len(splits) > 0 {
		odd = append(odd, fmt.Sprintf("Closes step by the ratio of a split on %s: a part of them is not adjusted for it.", joinDates(splits)))
	}
	return odd
}

func matchesSplit(step float64, on market.Date, actions []market.Action) bool {
	for _, a := range actions {
		if a.Kind == market.ActionDividend || on.Sub(a.Date).Abs() > splitWindow {
			continue
		}
		ratio := math.Abs(math.Log(a.New.InexactFloat64() / a.Old.InexactFloat64()))
		if ratio > 2*splitTolerance && math.Abs(math.Abs(step)-ratio) < splitTolerance {
			return true
		}
	}
	return false
}
