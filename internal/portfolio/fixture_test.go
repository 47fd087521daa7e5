package portfolio_test

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
)

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

// What is said is read as in all rooms of books.
var day, ledger, transaction = portfoliotest.Day, portfoliotest.Ledger, portfoliotest.ParseTransaction
