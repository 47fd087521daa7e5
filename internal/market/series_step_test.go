package market_test

import (
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func splitOn(day string, fresh, old int64) market.Action {
	d, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return market.Action{Kind: market.ActionSplit, Date: d, New: decimal.NewFromInt(fresh), Old: decimal.NewFromInt(old)}
}

// C16: a jump is repaired if its cause and size are known.
func TestRepair_OfJumpsThatNoMarketMakes(t *testing.T) {
	// 2023-03-27 is a Monday.
	monday := time.Date(2023, 3, 27, 0, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		name, closes, quoted string
		actions              []market.Action
		want                 string // closes after the repair
		left                 string // day of the step that remains
	}{
		{"a split that history was not adjusted for", "100 102 20.6 20.5", "", []market.Action{splitOn("2023-03-29", 5, 1)}, "20 20.4 20.6 20.5", ""},
		{"a split that was applied twice", "4 4.1 20.6 20.5", "", []market.Action{splitOn("2023-03-29", 5, 1)}, "20 20.5 20.6 20.5", ""},
		{"a consolidation", "1 1.02 10.3", "", []market.Action{splitOn("2023-03-29", 1, 10)}, "10 10.2 10.3", ""},
		{"a split that was applied", "20 20.4 20.6", "", []market.Action{splitOn("2023-03-29", 5, 1)}, "20 20.4 20.6", ""},
		{"a part in the middle", "20 100 20.6 20.5", "", []market.Action{splitOn("2023-03-29", 5, 1)}, "20 20 20.6 20.5", ""},
		{"cents for rand", "3965 3900 38.1 33.62", "ZAc", nil, "39.65 39 38.1 33.62", ""},
		{"pence in the middle", "14.5 0.146 14.7", "", nil, "14.5 14.6 14.7", ""},
		{"a fall of 99% may be real", "100 101 1.01 1", "", nil, "100 101 1.01 1", "2023-03-29"},
		{"so may half", "100 101 50 51", "", nil, "100 101 50 51", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := markettest.Daily("XYZ", monday, strings.Fields(row.closes)...)
			s.Provenance.Adjustment, s.Provenance.QuotedCurrency, s.Actions = market.AdjustmentSplit, row.quoted, row.actions
			got, changes := s.Repair()
			var closes []string
			for _, b := range got.Bars {
				closes = append(closes, b.Close.String())
			}
			if text := strings.Join(closes, " "); text != row.want || (len(changes) > 0) != (row.want != row.closes) {
				t.Errorf("closes %s, changes %q; want %s", text, changes, row.want)
			}
			left := ""
			for _, d := range got.DoubtfulSteps() {
				left += d.Date.Format(time.DateOnly)
			}
			if left != row.left {
				t.Errorf("steps left on %q, want %q", left, row.left)
			}
		})
	}
}
