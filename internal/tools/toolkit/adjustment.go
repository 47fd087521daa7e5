package toolkit

import "github.com/nfa-cli/nfa/internal/market"

// AdjustmentText says in words what was done to prices.
func AdjustmentText(a market.Adjustment) string {
	switch a {
	case market.AdjustmentRaw:
		return "as traded"
	case market.AdjustmentSplit:
		return "adjusted for splits, not for dividends"
	case market.AdjustmentSplitDiv:
		return "adjusted for splits and dividends"
	}
	return "of unknown adjustment"
}
