package lots_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
)

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

// Short names for the shared test parsers.
var day, ledger, transaction = portfoliotest.Day, portfoliotest.Ledger, portfoliotest.ParseTransaction

// withMethod sets the method of all accounts.
func withMethod(l portfolio.Ledger, method portfolio.Method) portfolio.Ledger {
	for i := range l.Accounts {
		l.Accounts[i].Method = method
	}
	return l
}

// replayAll returns the engine after all transactions.
func replayAll(t testing.TB, l portfolio.Ledger) *lots.Engine {
	t.Helper()
	engine := openEngine(t, l)
	if err := engine.Advance(market.Date{}); err != nil {
		t.Fatalf("Advance = %v", err)
	}
	return engine
}

func openEngine(t testing.TB, l portfolio.Ledger) *lots.Engine {
	t.Helper()
	engine, err := lots.New(l)
	if err != nil {
		t.Fatalf("Open = %v", err)
	}
	return engine
}

// replayError returns the error of a ledger that cannot be applied.
func replayError(t testing.TB, l portfolio.Ledger) error {
	t.Helper()
	err := lots.Check(l)
	if err == nil {
		t.Fatalf("Check = nil, want an error")
	}
	return err
}

// lotsOf formats each lot as "account symbol id: quantity for cost currency, date".
func lotsOf(b *lots.Engine) []string {
	var lines []string
	for _, p := range b.Positions() {
		for _, l := range p.Lots {
			lines = append(lines, fmt.Sprintf("%s %s %s: %s for %s %s, %s", l.Account, l.Symbol, l.ID, l.Quantity, formatCost(l.Cost), l.Currency, formatDate(l.Acquired)))
		}
	}
	return lines
}

// disposalsOf formats each disposal as "id lot: quantity for proceeds currency, cost".
func disposalsOf(b *lots.Engine) []string {
	var lines []string
	for _, d := range b.Disposals() {
		lines = append(lines, fmt.Sprintf("%s %s: %s for %s %s, cost %s%s", d.Transaction, d.Lot, d.Quantity, d.Proceeds, d.Currency, formatCost(d.Cost), cashAfter(d.CostCurrency)))
	}
	return lines
}

// cashOf formats each balance as "account amount currency".
func cashOf(b *lots.Engine) []string {
	var lines []string
	for _, c := range b.Balances() {
		lines = append(lines, fmt.Sprintf("%s %s %s", c.Account, c.Amount, c.Currency))
	}
	return lines
}

func formatCost(c decimal.NullDecimal) string {
	if !c.Valid {
		return "?"
	}
	return c.Decimal.String()
}

func formatDate(d market.Date) string {
	if d.IsZero() {
		return "?"
	}
	return d.Format(time.DateOnly)
}

func cashAfter(currency string) string {
	if currency == "" {
		return ""
	}
	return " " + currency
}
