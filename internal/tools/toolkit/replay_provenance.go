package toolkit

import (
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// historicalProvenance is where prices of a day in the past are from, without what is said of
// the newest one and of what their exchange does now.
func historicalProvenance(p market.Provenance) market.Provenance {
	p.Phase, p.DelayMinutes = market.PhaseUnknown, 0
	p.Flags = slices.DeleteFunc(slices.Clone(p.Flags), func(f market.Flag) bool {
		return f == market.FlagDelayed || f == market.FlagProvisional
	})
	return p
}

// ReplayProvenance is where the prices of a replay are from: settled, and with a word on their
// scale, since sources adjust old prices for splits of later. kind is that of the
// instrument. What was said once is not said again.
func ReplayProvenance(p market.Provenance, kind string) market.Provenance {
	p = historicalProvenance(p)
	if note := adjustmentNote(p.Adjustment, kind); note != "" && !strings.HasPrefix(p.Note, note) {
		p.Note = strings.TrimSuffix(note+"; "+p.Note, "; ")
	}
	return p
}

// adjustmentNote says by what adjusted prices differ from those that were paid, "" where
// they do not, or nothing of the kind ever splits.
func adjustmentNote(a market.Adjustment, kind string) string {
	switch {
	case market.NeverSplit(kind):
		return ""
	case a == market.AdjustmentSplit:
		return "prices are scaled by splits until today"
	case a == market.AdjustmentSplitDiv:
		return "prices are scaled by splits and dividends until today"
	}
	return ""
}
