package companies_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// A table uses the largest unit that still shows enough digits; the figures stay exact.
func TestFinancialStatements_AreShownInAUnitThatFits(t *testing.T) {
	for value, want := range map[string][2]string{
		"416161000000":  {"in millions of USD", "| 416,161 |"},
		"-1234567890":   {"in millions of USD", "| -1,235 |"},
		"12345678":      {"in millions of USD", "| 12.35 |"},
		"1234567":       {"in thousands of USD", "| 1,235 |"},
		"99999.5":       {"in USD", "| 99,999.50 |"},
		"-0.001":        {"in USD", "| 0.00 |"},
		"1000000000000": {"in millions of USD", "| 1,000,000 |"},
	} {
		s := year(t, 2025, "2025-09-27", "2025-10-31", map[string]string{market.ItemNetIncome: value})
		res, got := fundamentals.CallOK(t, newStatementsFixture(s).deps(t), "financial_statements", args{"symbol": "AAPL"})
		if !strings.Contains(res.UserText(), ", "+want[0]+" |") || !strings.Contains(res.UserText(), want[1]) {
			t.Errorf("%s is shown as\n%swant %q and %q", value, res.UserText(), want[0], want[1])
		}
		if v := toolstest.Find(t, got, "lines", "item", "net_income")["values"].([]any)[0]; v != value {
			t.Errorf("net_income = %v, want %s exactly", v, value)
		}
	}
}
