package portfolio

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Posting is one change of what an account holds: so much of a security, or so much
// cash, never both. All postings of an account and a security add up to what is
// held of it, and those of an account and a currency to its cash.
type Posting struct {
	Transaction string      `json:"transaction"`
	Kind        Kind        `json:"kind"`
	Date        market.Date `json:"date"`
	Account     string      `json:"account"`
	// Symbol is what the posting is about: the security that changes, or the one
	// that cash was paid for or by. Empty for cash alone.
	Symbol   market.Symbol   `json:"symbol,omitempty"`
	Quantity decimal.Decimal `json:"quantity,omitzero"` // of Symbol
	Currency string          `json:"currency,omitempty"`
	Amount   decimal.Decimal `json:"amount,omitzero"` // of Currency
	Category PostingCategory `json:"part"`
}

// PostingCategory is what a posting of cash is of its transaction.
type PostingCategory string

// Parts of a transaction.
const (
	CategoryTrade    PostingCategory = "trade"    // a security, or its price
	CategoryIncome   PostingCategory = "income"   // dividends and interest, before tax
	CategoryFee      PostingCategory = "fee"      // fees and interest paid; above zero where a fee was given back
	CategoryTax      PostingCategory = "tax"      // taxes; above zero where one was given back
	CategoryExternal PostingCategory = "external" // from outside of the portfolio, or to it
	CategoryInternal PostingCategory = "internal" // between accounts or currencies of the portfolio
	CategoryAction   PostingCategory = "action"   // splits, spin-offs, mergers, capital paid back
)
