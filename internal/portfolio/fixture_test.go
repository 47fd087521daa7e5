package portfolio_test

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
)

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

// Short names for the parsers that tests of the portfolio packages share.
var day, ledger, transaction = portfoliotest.Day, portfoliotest.Ledger, portfoliotest.ParseTransaction
