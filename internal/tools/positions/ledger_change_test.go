package positions_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func sale(id, account, quantity, amount, day string) portfolio.Transaction {
	t := toolstest.Buy(id, account, "VTI", quantity, amount, "USD", day)
	t.Kind = portfolio.KindSell
	return t
}

func TestApplyChange_GivesTheBookWithTheChangeAndLeavesTheLedger(t *testing.T) {
	l, err := newTestDeps(t).Store.Ledger(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	l.Transactions = l.Transactions[:len(l.Transactions):cap(l.Transactions)]
	c := portfolio.Change{Remove: []string{"2"}, Add: []portfolio.Transaction{sale("3", "us", "4", "480", "2024-06-27")}}
	b, err := positions.ApplyChange(l, c)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for h := range b.OpenPositions() {
		left = append(left, fmt.Sprint(h.Account, " ", h.Symbol, " ", h.Quantity))
	}
	if diff := cmp.Diff([]string{"us VTI 6"}, left); diff != "" {
		t.Errorf("After holds (-want +got):\n%s", diff)
	}
	if len(l.Transactions) != 2 || len(c.Add) != 1 {
		t.Errorf("After changed what it was given: %+v, %+v", l, c)
	}
}

// A caller that reports what is missing needs the portfolio up to the failing transaction.
func TestApplyChange_WhereItDoesNotHoldTheBookIsGivenAsFarAsItWent(t *testing.T) {
	l, err := newTestDeps(t).Store.Ledger(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b, err := positions.ApplyChange(l, portfolio.Change{Add: []portfolio.Transaction{sale("3", "us", "11", "480", "2024-06-27")}})
	if !errors.Is(err, portfolio.ErrNotHeld) || b == nil {
		t.Fatalf("After selling 11 of 10 = %v, %v; want ErrNotHeld and the portfolio", b, err)
	}
	for _, c := range []portfolio.Change{{Remove: []string{"9"}}, {Add: []portfolio.Transaction{{ID: "3"}}}} {
		if b, err := positions.ApplyChange(l, c); err == nil || b != nil {
			t.Errorf("After(%+v) = %v, %v; want an error and no portfolio", c, b, err)
		}
	}
}

func TestRedact_TellsWhatIsWrongAndNoAmount(t *testing.T) {
	refused := &portfolio.TransactionError{Transaction: sale("t1", "us", "777", "888", "2024-06-27"), Err: fmt.Errorf("%w: 777 of 10", portfolio.ErrNotHeld)}
	overdrawn := &portfolio.OverdrawnError{Account: "us", Currency: "USD", Amount: toolstest.MustDecimal("-777"), Date: portfoliotest.Day("2024-06-27")}
	plain := fmt.Errorf("line 7: 777 and ٧٧٧")
	for _, tc := range []struct {
		err  error
		says string
	}{
		{refused, `t1 (sell VTI on 2024-06-27 in "us")`}, {fmt.Errorf("at the end: %w", overdrawn), "below zero at the end of 2024-06-27"}, {plain, "line"},
	} {
		got := positions.Redact(tc.err)
		public, ok := tool.RedactedText(got)
		if !ok || strings.Contains(public, "777") || strings.Contains(public, "888") || strings.Contains(public, "٧") || !strings.Contains(public, tc.says) || !strings.Contains(public, "share_amounts") {
			t.Errorf("Redact(%v) = %q; want %q, that amounts are hidden, and none", tc.err, public, tc.says)
		}
		if got.Error() != tc.err.Error() || !errors.Is(got, tc.err) {
			t.Errorf("Redact(%v) is another error: %v", tc.err, got)
		}
	}
	if positions.Redact(nil) != nil {
		t.Error("Redact makes an error of none")
	}
}

func TestDescribeNewAccount_SaysHowCashIsKeptAndWhy(t *testing.T) {
	for policy, want := range map[portfolio.CashPolicy]string{
		portfolio.CashTracked: "must not go below zero", portfolio.CashMargin: "may go below zero", portfolio.CashUntracked: "count as deposits",
	} {
		a := portfolio.NewAccount("us")
		a.Cash = policy
		if got := positions.DescribeNewAccount(a, "no deposits"); !strings.Contains(got, want) || !strings.Contains(got, "(no deposits)") || !strings.Contains(got, `"us"`) {
			t.Errorf("Making(%s) = %q, want %q and the reason", policy, got, want)
		}
		if got := positions.DescribeNewAccount(a, ""); strings.Contains(got, "()") {
			t.Errorf("Making without a reason = %q", got)
		}
	}
}

func TestMissingAccounts_AreTheAccountsThatAreNotThere(t *testing.T) {
	l, err := newTestDeps(t).Store.Ledger(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	wanted := []portfolio.Account{portfolio.NewAccount("us"), portfolio.NewAccount("uk")}
	if got := positions.MissingAccounts(l, wanted); len(got) != 1 || got[0].Name != "uk" || wanted[0].Name != "us" {
		t.Errorf("Missing = %+v of %+v, want uk", got, wanted)
	}
}

func TestMergeAliases_TheLaterSayWins(t *testing.T) {
	have, add := map[market.Symbol]market.Symbol{"A": "B", "C": "D"}, map[market.Symbol]market.Symbol{"A": "E"}
	want := map[market.Symbol]market.Symbol{"A": "E", "C": "D"}
	if diff := cmp.Diff(want, positions.MergeAliases(have, add)); diff != "" || have["A"] != "B" {
		t.Errorf("Merged (-want +got):\n%s", diff)
	}
	if got := positions.MergeAliases(nil, nil); got == nil {
		t.Error("Merged of none is nil, which nothing can be added to")
	}
}
