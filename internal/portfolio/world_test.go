package portfolio_test

import (
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
)

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func day(text string) market.Date { return portfoliotest.Day(text) }

func ledger(t testing.TB, lines ...string) portfolio.Ledger {
	t.Helper()
	return portfoliotest.Ledger(t, lines...)
}

func said(t testing.TB, id, line string) portfolio.Transaction {
	t.Helper()
	return portfoliotest.Said(t, id, line)
}
