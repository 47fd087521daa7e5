package portfolio

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Lot is what remains of one purchase in an account. A short position has a negative quantity, and
// its cost is the proceeds of the sale that opened it.
type Lot struct {
	// ID is the ID of the purchase or transfer that created the lot. It survives splits, mergers
	// and moves between accounts, and lots from a spin-off inherit it. It is unique within an
	// account and symbol.
	ID       string          `json:"id"`
	Account  string          `json:"account"`
	Symbol   market.Symbol   `json:"symbol"`
	Acquired market.Date     `json:"acquired,omitzero"` // zero if unknown
	Quantity decimal.Decimal `json:"quantity"`
	// Cost is the total for Quantity in Currency, including purchase fees; invalid if unknown.
	Cost     decimal.NullDecimal `json:"cost"`
	Currency string              `json:"currency"`
}

// Disposal is a part of a lot that was sold, with its proceeds. For a closed short position,
// Acquired is the date it was opened, Proceeds in Currency are the proceeds of the opening sale,
// and Cost in CostCurrency is the cost of the closing purchase on Date.
type Disposal struct {
	Transaction string          `json:"transaction"` // ID of the sale
	Kind        Kind            `json:"kind"`        // of that transaction
	Lot         string          `json:"lot"`         // Lot.ID
	Account     string          `json:"account"`
	Symbol      market.Symbol   `json:"symbol"`
	Acquired    market.Date     `json:"acquired,omitzero"`
	Date        market.Date     `json:"date"`
	Quantity    decimal.Decimal `json:"quantity"` // negative for a closed short position; zero for cash received in a merger
	Proceeds    decimal.Decimal `json:"proceeds"` // after the fees of the sale, before Withheld
	// Withheld is the tax withheld on the sale. It lowers the cash received, not the gain.
	Withheld decimal.Decimal     `json:"tax_withheld,omitzero"`
	Cost     decimal.NullDecimal `json:"cost"`
	Currency string              `json:"currency"`
	// CostCurrency is set if it differs from Currency; the gain then needs exchange rates of both
	// dates.
	CostCurrency string `json:"cost_currency,omitempty"`
}

// Gain returns proceeds less cost; invalid if the cost is unknown or in another currency.
func (d Disposal) Gain() decimal.NullDecimal {
	if !d.Cost.Valid || d.CostCurrency != "" && d.CostCurrency != d.Currency {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(d.Proceeds.Sub(d.Cost.Decimal))
}

// TransferredLot is a part of a lot that a transfer moved out of the ledger. It has no proceeds,
// and its new owner is unknown.
type TransferredLot struct {
	Transaction string          `json:"transaction"` // ID of the transfer
	Lot         string          `json:"lot"`         // Lot.ID
	Account     string          `json:"account"`
	Symbol      market.Symbol   `json:"symbol"`
	Acquired    market.Date     `json:"acquired,omitzero"`
	Date        market.Date     `json:"date"`
	Quantity    decimal.Decimal `json:"quantity"`
}

// Position is one security in one account, all lots together.
type Position struct {
	Account  string          `json:"account"`
	Symbol   market.Symbol   `json:"symbol"`
	Name     string          `json:"name,omitempty"` // as last recorded
	ISIN     string          `json:"isin,omitempty"`
	Quantity decimal.Decimal `json:"quantity"`
	// Cost is the total cost of all lots; invalid if the cost of one is unknown or they have
	// several currencies.
	Cost     decimal.NullDecimal `json:"cost"`
	Currency string              `json:"currency"` // of Cost; empty if the lots have several
	Lots     []Lot               `json:"lots"`
}

// Balance is the cash of an account in one currency.
type Balance struct {
	Account  string          `json:"account"`
	Currency string          `json:"currency"`
	Amount   decimal.Decimal `json:"amount"`
}

// Income is cash from holding securities or cash: dividends and interest received; interest, fees
// and taxes that were booked separately; and refunds of fees and taxes. A fee within another
// booking appears only in its Postings.
type Income struct {
	Transaction string          `json:"transaction"`
	Kind        Kind            `json:"kind"`
	Account     string          `json:"account"`
	Symbol      market.Symbol   `json:"symbol,omitempty"`
	Date        market.Date     `json:"date"`
	Amount      decimal.Decimal `json:"amount"` // before tax; negative if paid, positive if received or refunded
	Tax         decimal.Decimal `json:"tax"`    // withheld
	Currency    string          `json:"currency"`
}

// Posting is one change in an account: a quantity of a security or an amount of cash, never both.
// The postings of an account and security add up to its position, and those of an account and
// currency to its cash balance.
type Posting struct {
	Transaction string      `json:"transaction"`
	Kind        Kind        `json:"kind"`
	Date        market.Date `json:"date"`
	Account     string      `json:"account"`
	// Symbol is the security that changes, or the one that cash was paid for or by. It is empty for
	// other cash.
	Symbol   market.Symbol   `json:"symbol,omitempty"`
	Quantity decimal.Decimal `json:"quantity,omitzero"` // of Symbol
	Currency string          `json:"currency,omitempty"`
	Amount   decimal.Decimal `json:"amount,omitzero"` // of Currency
	Category PostingCategory `json:"part"`
}

// PostingCategory is the reason why cash or shares moved.
type PostingCategory string

// Posting categories.
const (
	CategoryTrade    PostingCategory = "trade"    // shares, or the price paid or received for them
	CategoryIncome   PostingCategory = "income"   // dividends and interest, before tax
	CategoryFee      PostingCategory = "fee"      // fees and interest paid; positive for a refund
	CategoryTax      PostingCategory = "tax"      // taxes; positive for a refund
	CategoryExternal PostingCategory = "external" // into or out of the portfolio
	CategoryInternal PostingCategory = "internal" // between accounts or currencies of the portfolio
	CategoryAction   PostingCategory = "action"   // splits, spin-offs, mergers, returns of capital
)
