package prices_test

import (
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// From 100 to 99 with a dividend of 4: the price loses 1%. Reinvested at the previous close of 100,
// 100 * (1 - 4/100) = 96 becomes 99: +3.125%.
func TestPriceHistory_DistinguishesPriceChangeFromTotalReturn(t *testing.T) {
	first := toolstest.MustDay("2020-01-02")
	paid := []market.Action{dividend(t, "2020-01-03", "4")}
	for _, tc := range []struct {
		name         string
		kind         string
		adjustment   market.Adjustment
		actions      []market.Action
		price, total any
	}{
		{"adjusted for splits", "equity", market.AdjustmentSplit, paid, "-1", "3.125"},
		{"as traded, without a split", "equity", market.AdjustmentRaw, paid, "-1", "3.125"},
		{"as traded, over a split", "equity", market.AdjustmentRaw, []market.Action{split(t, "2020-01-03", 100, 99)}, nil, "0"},
		{"as traded, over a split that they do not show", "equity", market.AdjustmentRaw, []market.Action{split(t, "2020-01-03", 2, 1)}, nil, nil},
		{"as traded, splits unknown", "equity", market.AdjustmentRaw, nil, nil, nil},
		{"dividends unknown", "equity", market.AdjustmentSplit, nil, "-1", nil},
		{"adjusted for all", "equity", market.AdjustmentSplitDiv, nil, nil, "-1"},
		{"an index", "index", market.AdjustmentRaw, nil, "-1", nil},
		{"not known", "equity", market.AdjustmentUnknown, paid, nil, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := markettest.Daily("KO", first, "100", "99")
			s.Kind, s.Provenance.Adjustment, s.Actions = tc.kind, tc.adjustment, tc.actions
			res, got := group.CallOK(t, depsOf(t, s), "price_history", args{"symbol": "KO", "range": "max"})
			if got["price_change_pct"] != tc.price || got["total_return_pct"] != tc.total {
				t.Errorf("price %v, total %v; want %v and %v", got["price_change_pct"], got["total_return_pct"], tc.price, tc.total)
			}
			for _, f := range res.Figures {
				if strings.HasSuffix(f.ID, "_pct") && (f.Unit != "%" || f.Formula == "" || len(f.Inputs) != 2) {
					t.Errorf("figure %+v lacks its formula or inputs", f)
				}
			}
			if !strings.Contains(res.UserText(), map[market.Adjustment]string{
				market.AdjustmentSplit: "adjusted for splits, not for dividends", market.AdjustmentRaw: "as traded",
				market.AdjustmentSplitDiv: "adjusted for splits and dividends", market.AdjustmentUnknown: "adjustment unknown",
			}[tc.adjustment]) {
				t.Errorf("people read %q, want the adjustment in words", res.UserText())
			}
		})
	}
}

func TestPriceHistory_OneBarHasNoReturn(t *testing.T) {
	_, got := group.CallOK(t, depsOf(t, markettest.Daily("KO", toolstest.MustDay("2020-01-02"), "100")), "price_history", args{"symbol": "KO"})
	if got["price_change_pct"] != nil || got["total_return_pct"] != nil {
		t.Errorf("of one close = %v, want no return", got)
	}
}

func TestPriceHistory_VolumeOfCoinsIsNotInShares(t *testing.T) {
	s := markettest.Daily("BTC-USD", toolstest.MustDay("2020-01-02"), "100", "101")
	s.Kind, s.Bars[1].Volume = "crypto", decimal.NewNullDecimal(decimal.NewFromInt(7))
	res, _ := group.CallOK(t, depsOf(t, s), "price_history", args{"symbol": "BTC-USD"})
	if f := toolstest.Figure(t, res, "bars.1.volume"); f.Unit != "coins" {
		t.Errorf("volume in %s, want coins", f.Unit)
	}
}
