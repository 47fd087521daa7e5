package client_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// Calculated by hand: with four digits, one for three is 0.3333, and 3 for 70 would be 0.0429, which is in no
// list of splits. IBM spun off Kyndryl in 2021, and the change in price is reported as a split of 1.0460.
func TestSplit_IsTheRatioThatIsWrittenAsTheFactor(t *testing.T) {
	suspect := []market.Flag{market.FlagSuspect}
	for _, row := range []struct {
		factor, fresh, old string
		kind               market.ActionKind
		flags              []market.Flag
	}{
		{"4", "4", "1", market.ActionSplit, nil},
		{"1.5000", "3", "2", market.ActionSplit, nil},
		{"0.3333", "1", "3", market.ActionSplit, nil},
		{"0.0667", "1", "15", market.ActionSplit, nil},
		{"0.0333", "1", "30", market.ActionSplit, nil},
		{"0.0133", "1", "75", market.ActionSplit, nil},
		{"0.0033", "0.0033", "1", market.ActionSplit, suspect}, // could be one of 299 to 307
		{"0.6667", "2", "3", market.ActionSplit, nil},
		{"0.0500", "1", "20", market.ActionSplit, nil},
		{"1.0300", "103", "100", market.ActionSplit, nil},
		{"1.0460", "1.0460", "1", market.ActionSpinOff, suspect},
		{"0.0429", "0.0429", "1", market.ActionSplit, suspect},
		{"0.0000001", "0.0000001", "1", market.ActionSplit, suspect},
		{"0", "0", "1", market.ActionSplit, suspect},
		{"-2", "-2", "1", market.ActionSplit, suspect},
	} {
		factor := decimal.RequireFromString(row.factor)
		want := market.Action{
			Kind: row.kind, Date: day(21), New: decimal.RequireFromString(row.fresh), Old: decimal.RequireFromString(row.old), Flags: row.flags,
		}
		got := client.SplitFromFactor(day(21), factor, func(fresh, old decimal.Decimal) bool { return fresh.DivRound(old, 4).Equal(factor) })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Split(%s) (-want +got):\n%s", row.factor, diff)
		}
	}
}
