package market_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// Known splits are not enough: a total return needs the dividends.
func TestTotalReturn_IsRefusedWhereTheDividendsAreNotKnown(t *testing.T) {
	first := time.Date(2025, time.February, 17, 0, 0, 0, 0, time.UTC)
	for _, level := range []market.Adjustment{market.AdjustmentSplit, market.AdjustmentRaw} {
		s := markettest.Daily("HSBA.L", first, "10", "11", "12")
		s.Provenance.Adjustment, s.DividendsUnknown = level, true
		s.Actions = []market.Action{{Kind: market.ActionSplit, Date: first.AddDate(0, 0, 1), New: decimal.NewFromInt(4), Old: decimal.NewFromInt(1)}}
		got, err := s.TotalReturn()
		if !errors.Is(err, market.ErrActionsUnknown) || !strings.Contains(err.Error(), "reports only splits") || len(got.Bars) != 0 {
			t.Errorf("TotalReturn of %s prices = %d bars, %v; want none, and an error that only splits are known", level, len(got.Bars), err)
		}
	}
	adjusted := markettest.Daily("HSBA.L", first, "10", "11")
	adjusted.Provenance.Adjustment, adjusted.Actions, adjusted.DividendsUnknown = market.AdjustmentSplitDiv, []market.Action{}, true
	if _, err := adjusted.TotalReturn(); err != nil {
		t.Errorf("TotalReturn of what is adjusted already = %v", err)
	}
}
