package portfolio

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Lot is what one purchase left in an account. Its quantity is below zero for a
// short position, and its cost then is what was received.
type Lot struct {
	// ID is that of the purchase or transfer that made it, as long as that stands: it
	// stays through splits, mergers, moves between accounts, and the shares that a
	// spin-off hands out have that of their origin. It is unique within an account
	// and a symbol.
	ID       string          `json:"id"`
	Account  string          `json:"account"`
	Symbol   market.Symbol   `json:"symbol"`
	Acquired market.Date     `json:"acquired,omitzero"` // zero is not known
	Quantity decimal.Decimal `json:"quantity"`
	// Cost is of all of Quantity with the fees of buying, in Currency; invalid where
	// it is not known.
	Cost     decimal.NullDecimal `json:"cost"`
	Currency string              `json:"currency"`
}

// Disposal is a part of a lot that was given away, with what came of it. Where a
// short position was closed the order of time is the other way: Acquired is when it
// was opened, Proceeds in Currency are what that brought, and Cost in CostCurrency
// is what the closing purchase took on Date.
type Disposal struct {
	Transaction string              `json:"transaction"` // ID of the sale
	Kind        Kind                `json:"kind"`        // of that transaction
	Lot         string              `json:"lot"`         // Lot.ID
	Account     string              `json:"account"`
	Symbol      market.Symbol       `json:"symbol"`
	Acquired    market.Date         `json:"acquired,omitzero"`
	Date        market.Date         `json:"date"`
	Quantity    decimal.Decimal     `json:"quantity"` // below zero where a short position was closed, zero of cash beside shares
	Proceeds    decimal.Decimal     `json:"proceeds"` // after the fees and taxes of the sale
	Cost        decimal.NullDecimal `json:"cost"`
	Currency    string              `json:"currency"`
	// CostCurrency is that of Cost, where it is not Currency: the gain then needs the
	// rates of both days.
	CostCurrency string `json:"cost_currency,omitempty"`
}

// Gain is what came of it less what it cost; invalid where the cost is not known
// or is in another currency.
func (d Disposal) Gain() decimal.NullDecimal {
	if !d.Cost.Valid || d.CostCurrency != "" && d.CostCurrency != d.Currency {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(d.Proceeds.Sub(d.Cost.Decimal))
}

// TransferredLot is a part of a lot that a transfer took out of the ledger. It has no proceeds,
// and the ledger does not know who owns it now.
type TransferredLot struct {
	Transaction string          `json:"transaction"` // ID of the transfer
	Lot         string          `json:"lot"`         // Lot.ID
	Account     string          `json:"account"`
	Symbol      market.Symbol   `json:"symbol"`
	Acquired    market.Date     `json:"acquired,omitzero"`
	Date        market.Date     `json:"date"`
	Quantity    decimal.Decimal `json:"quantity"`
}

// Position is all of one security in one account.
type Position struct {
	Account  string          `json:"account"`
	Symbol   market.Symbol   `json:"symbol"`
	Name     string          `json:"name,omitempty"` // as last recorded
	ISIN     string          `json:"isin,omitempty"`
	Quantity decimal.Decimal `json:"quantity"`
	// Cost is that of all lots; invalid where that of one is not known or they were
	// paid in several currencies.
	Cost     decimal.NullDecimal `json:"cost"`
	Currency string              `json:"currency"` // of Cost; empty where the lots have several
	Lots     []Lot               `json:"lots"`
}

// Balance is cash in an account.
type Balance struct {
	Account  string          `json:"account"`
	Currency string          `json:"currency"`
	Amount   decimal.Decimal `json:"amount"`
}

// Income is cash that came of holding, or was paid for it, and is not a trade: the
// dividends and interest received, the interest, fees and taxes that were bookings
// of their own, and what was given back of fees and taxes. A fee within another
// booking is in its Postings alone.
type Income struct {
	Transaction string          `json:"transaction"`
	Kind        Kind            `json:"kind"`
	Account     string          `json:"account"`
	Symbol      market.Symbol   `json:"symbol,omitempty"`
	Date        market.Date     `json:"date"`
	Amount      decimal.Decimal `json:"amount"` // before tax; below zero where it was paid, above where it came or came back
	Tax         decimal.Decimal `json:"tax"`    // withheld
	Currency    string          `json:"currency"`
}

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
