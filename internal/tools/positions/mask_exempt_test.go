package positions_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
)

// split is one of so many new for so many old shares.
func splitOf(id string, fresh, old int64) portfolio.Transaction {
	return portfolio.Transaction{ID: id, Kind: portfolio.KindSplit, Symbol: "7203.T", New: decimal.NewFromInt(fresh), Old: decimal.NewFromInt(old)}
}

func TestMaskExemptions_AreNamesAndRatiosInLowestTerms(t *testing.T) {
	o := positions.Portfolio{Ledger: portfolio.Ledger{
		Accounts: []portfolio.Account{portfolio.NewAccount("depot 2"), portfolio.NewAccount("main")},
		Transactions: []portfolio.Transaction{
			{ID: "b1", Kind: portfolio.KindBuy, Symbol: "7203.T", ISIN: "JP3633400001", Quantity: decimal.NewFromInt(777), Note: "note 5"},
			{ID: "m1", Kind: portfolio.KindMerger, Symbol: "A1", ToSymbol: "B2", New: decimal.NewFromInt(31), Old: decimal.NewFromInt(17)}, splitOf("s1", 3, 2), splitOf("s2", 1500, 750),
		},
	}}
	series := market.Series{Instrument: market.Instrument{Symbol: "C3"}, Actions: []market.Action{
		{Kind: market.ActionSplit, New: decimal.NewFromInt(20), Old: decimal.NewFromInt(1)}, {Kind: market.ActionDividend, Amount: decimal.NewFromInt(9)},
	}}
	want := []string{
		`"new":20,"old":1`, `"new":3,"old":2`, "--new 20 --old 1", "--new 3 --old 2", "20:1", "3:2", "7203.T", "A1", "B2", "C3", "JP3633400001", "depot 2", "s1", "s2",
	}
	if got := o.MaskExemptions(series); !slices.Equal(got, want) {
		t.Errorf("Spared = %q, want %q", got, want)
	}
}

// The public text of an error keeps its days and the names of the transaction, and no amount.
func TestRedact_KeepsDaysAndNames(t *testing.T) {
	err := &portfolio.TransactionError{
		Transaction: portfolio.Transaction{ID: "x", Kind: portfolio.KindSell, Symbol: "7203.T", ISIN: "JP3633400001", Account: "main", Date: portfoliotest.Day("2024-06-28")},
		Err:         fmt.Errorf("selling 7777 of 7203.T (JP3633400001): 55 are held on 2024-06-27: %w", portfolio.ErrNotHeld),
	}
	got := positions.Redact(err)
	public, _ := tool.RedactedText(got)
	for _, want := range []string{`x (sell 7203.T on 2024-06-28 in "main")`, "(hidden) are held on 2024-06-27"} {
		if !strings.Contains(public, want) || strings.Contains(public, "7777") || got.Error() != err.Error() || !errors.Is(got, portfolio.ErrNotHeld) {
			t.Errorf("Redact = %q, public %q; want %q and the same error", got, public, want)
		}
	}
}
