package positions_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
)

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
