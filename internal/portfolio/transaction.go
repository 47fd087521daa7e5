package portfolio

import (
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Transaction is one entry of the ledger. Its Kind decides which fields it needs. Fee and Tax are
// in Currency and part of the same booking; a fee in another currency is a separate transaction.
type Transaction struct {
	ID   string      `json:"id"`   // unique in its ledger; see NewIDs
	Date market.Date `json:"date"` // trade date, not settlement date
	// Time is the time of day, if known. It orders the trades of one day.
	Time    time.Time `json:"time,omitzero"`
	Kind    Kind      `json:"kind"`
	Account string    `json:"account"`

	Symbol   market.Symbol       `json:"symbol,omitempty"`
	ISIN     string              `json:"isin,omitempty"`
	Name     string              `json:"name,omitempty"` // as written by the broker
	Quantity decimal.Decimal     `json:"quantity,omitzero"`
	Price    decimal.NullDecimal `json:"price,omitzero"` // per unit, as written by the broker; calculations use Amount

	Currency string          `json:"currency,omitempty"` // ISO 4217
	Amount   decimal.Decimal `json:"amount,omitzero"`    // before Fee and Tax
	Fee      decimal.Decimal `json:"fee,omitzero"`
	Tax      decimal.Decimal `json:"tax,omitzero"`

	// CostUnknown marks a transfer in with an unknown Amount.
	CostUnknown bool        `json:"cost_unknown,omitempty"`
	Acquired    market.Date `json:"acquired,omitzero"` // of a transfer in; zero if unknown

	ToAccount  string          `json:"to_account,omitempty"`
	ToSymbol   market.Symbol   `json:"to_symbol,omitempty"`
	ToCurrency string          `json:"to_currency,omitempty"`
	ToAmount   decimal.Decimal `json:"to_amount,omitzero"`
	New        decimal.Decimal `json:"new,omitzero"`
	Old        decimal.Decimal `json:"old,omitzero"`
	// CostPart is a fraction of one.
	CostPart decimal.NullDecimal `json:"cost_part,omitzero"`

	// Short lets a sale open or enlarge a short position; without it, selling more than is held is
	// an error. A purchase closes a short position first.
	Short bool `json:"short,omitempty"`
	// Lots override the account's Method for a sale or transfer out. Their quantities add up to
	// Quantity.
	Lots []LotPick `json:"lots,omitempty"`

	Note string `json:"note,omitempty"`
	// Source and SourceID identify one line of a broker file within the account, so that it is
	// never imported twice. Both are empty for transactions entered by hand.
	Source   string `json:"source,omitempty"`    // "schwab"
	SourceID string `json:"source_id,omitempty"` // the broker's own ID, if it has one
}

// LotPick selects a part of a lot, for specific identification.
type LotPick struct {
	Lot      string          `json:"lot"` // Lot.ID
	Quantity decimal.Decimal `json:"quantity"`
}

// Kind is the type of a transaction.
type Kind string

// Kinds of transaction, with the fields each one needs. Amounts and quantities are never negative;
// the kind decides the sign.
const (
	// Purchase and sale: Symbol, Quantity, and Amount, which is Quantity times Price before Fee and
	// Tax. A Price of zero replaces Amount for shares received for nothing or written off as
	// worthless. After a split or merger that left a fraction with many digits, a sale or transfer
	// takes the whole position if it matches it up to the rounding of its own last digit.
	KindBuy  Kind = "buy"
	KindSell Kind = "sell"
	// Paid by a security: Symbol, and Amount before the Tax withheld.
	KindDividend Kind = "dividend"
	// A dividend reinvested in shares: Symbol, Quantity, Amount before Tax. No cash remains of it.
	// The shares cost Amount less Tax, which includes the Fee.
	KindReinvest Kind = "reinvested_dividend"
	// Interest received: Amount, and Symbol if a security paid it.
	KindInterest Kind = "interest"
	// Paid by the user: Amount, and Symbol if it was for a security.
	KindFee         Kind = "fee"
	KindTax         Kind = "tax"
	KindInterestDue Kind = "interest_paid"
	// Refunds: Amount, and Symbol if it was for a security. A refund lowers the fees or taxes of
	// its own date; the original booking is unchanged.
	KindFeeRefund Kind = "fee_refund"
	KindTaxRefund Kind = "tax_refund"
	// Cash into and out of the portfolio: Amount.
	KindDeposit    Kind = "deposit"
	KindWithdrawal Kind = "withdrawal"
	// Securities into and out of the portfolio: Symbol, Quantity. For a transfer in, Amount is the
	// total cost, or CostUnknown is set, and Acquired is the purchase date. A transfer out with
	// ToAccount is a move between accounts of the ledger, of securities or, without Symbol, of cash
	// (Amount); lots keep their cost, dates and IDs.
	KindTransferIn  Kind = "transfer_in"
	KindTransferOut Kind = "transfer_out"
	// New shares of Symbol for Old ones: 4 for 1, or 1 for 10.
	KindSplit        Kind = "split"
	KindReverseSplit Kind = "reverse_split"
	// Quantity shares of ToSymbol were distributed to the holders of Symbol. CostPart is the
	// fraction of the cost that goes with them; without it, both costs become unknown. The new lots
	// keep the dates and IDs of their original lots.
	KindSpinOff Kind = "spin_off"
	// All shares of Symbol became shares of ToSymbol, New for Old, and an Amount of cash. CostPart,
	// the fraction of the cost that belongs to the cash, is set against it in a Disposal of zero
	// shares. With cash but no CostPart, both costs are unknown. Without ToSymbol all shares became
	// cash and are disposed of.
	KindMerger Kind = "merger"
	// A return of capital: Amount lowers the cost of Symbol, by the same amount per share. What
	// exceeds the cost of a lot is a gain: a Disposal of zero shares at zero cost.
	KindReturnOfCapital Kind = "return_of_capital"
	// Amount in Currency became ToAmount in ToCurrency.
	KindExchange Kind = "currency_exchange"
)

// Kinds returns all kinds, in the order in which they are explained.
func Kinds() []Kind {
	return []Kind{
		KindBuy, KindSell, KindDividend, KindReinvest, KindInterest, KindFee, KindTax, KindInterestDue, KindFeeRefund, KindTaxRefund,
		KindDeposit, KindWithdrawal, KindTransferIn, KindTransferOut, KindSplit, KindReverseSplit, KindSpinOff, KindMerger,
		KindReturnOfCapital, KindExchange,
	}
}
