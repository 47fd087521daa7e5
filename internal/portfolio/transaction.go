package portfolio

import (
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Transaction is one thing that happened. Which fields it needs depends on its
// Kind. Fee and Tax are in Currency and part of the same booking; a fee in another
// currency is a transaction of its own.
type Transaction struct {
	ID   string      `json:"id"`   // unique in its ledger; see NewIDs
	Date market.Date `json:"date"` // of the trade, not of its settlement
	// Time is when on that day, where it is known: it decides which of several
	// trades of a day was first.
	Time    time.Time `json:"time,omitzero"`
	Kind    Kind      `json:"kind"`
	Account string    `json:"account"`

	Symbol   market.Symbol       `json:"symbol,omitempty"`
	ISIN     string              `json:"isin,omitempty"`
	Name     string              `json:"name,omitempty"` // as the broker writes it
	Quantity decimal.Decimal     `json:"quantity,omitzero"`
	Price    decimal.NullDecimal `json:"price,omitzero"` // a unit, as the broker writes it; Amount is what counts

	Currency string          `json:"currency,omitempty"` // ISO 4217
	Amount   decimal.Decimal `json:"amount,omitzero"`    // before Fee and Tax
	Fee      decimal.Decimal `json:"fee,omitzero"`
	Tax      decimal.Decimal `json:"tax,omitzero"`

	// CostUnknown marks a transfer in whose Amount is not known.
	CostUnknown bool        `json:"cost_unknown,omitempty"`
	Acquired    market.Date `json:"acquired,omitzero"` // of a transfer in; zero is not known

	ToAccount  string          `json:"to_account,omitempty"`
	ToSymbol   market.Symbol   `json:"to_symbol,omitempty"`
	ToCurrency string          `json:"to_currency,omitempty"`
	ToAmount   decimal.Decimal `json:"to_amount,omitzero"`
	New        decimal.Decimal `json:"new,omitzero"`
	Old        decimal.Decimal `json:"old,omitzero"`
	// CostPart is a fraction of one.
	CostPart decimal.NullDecimal `json:"cost_part,omitzero"`

	// Short lets a sale open or enlarge a short position; otherwise selling more
	// than is held is refused. A purchase closes a short position first.
	Short bool `json:"short,omitempty"`
	// Lots name what a sale or transfer out takes, where the account's Method is not
	// to choose. Together they are Quantity.
	Lots []LotPick `json:"lots,omitempty"`

	Note string `json:"note,omitempty"`
	// Source and SourceID tell one line of a broker's file from all others of the
	// account, so that it is never counted twice. Both are empty for what the user
	// entered.
	Source   string `json:"source,omitempty"`    // "schwab"
	SourceID string `json:"source_id,omitempty"` // the broker's own number where there is one
}

// LotPick is a part of a lot, for specific identification.
type LotPick struct {
	Lot      string          `json:"lot"` // Lot.ID
	Quantity decimal.Decimal `json:"quantity"`
}

// Kind is what happened.
type Kind string

// Kinds of transaction. What each needs of a Transaction's fields stands beside it;
// sums and quantities are never negative, the kind gives them their sign.
const (
	// Bought and sold: Symbol, Quantity, Amount, which is Quantity times Price
	// before Fee and Tax. A Price of zero stands for no Amount: shares that came for
	// nothing, or went because they are worth nothing. After a split or merger that
	// left a fraction of many digits, a sale of all but what the rounding of its own
	// last digit explains takes all, and so does a transfer.
	KindBuy  Kind = "buy"
	KindSell Kind = "sell"
	// Paid by a security: Symbol, Amount before the Tax withheld.
	KindDividend Kind = "dividend"
	// A dividend that became shares at once: Symbol, Quantity, Amount before Tax.
	// No cash remains of it: the shares cost Amount less Tax less Fee, plus Fee.
	KindReinvest Kind = "reinvested_dividend"
	// Amount, and Symbol where a security paid it.
	KindInterest Kind = "interest"
	// Paid by the user: Amount, and Symbol where it was for a security.
	KindFee         Kind = "fee"
	KindTax         Kind = "tax"
	KindInterestDue Kind = "interest_paid"
	// Given back of what was paid: Amount, and Symbol where it was for a security. It
	// lowers the fees or taxes of its own day; a booking of the past stays as it is.
	KindFeeRefund Kind = "fee_refund"
	KindTaxRefund Kind = "tax_refund"
	// Cash from outside and back: Amount.
	KindDeposit    Kind = "deposit"
	KindWithdrawal Kind = "withdrawal"
	// Securities from outside and back: Symbol, Quantity. In: Amount is what they cost all
	// together, or CostUnknown is set, and Acquired is when. Out with ToAccount is a move
	// between accounts of the ledger, of securities or, with no Symbol, of cash (Amount); lots
	// keep their cost, dates and IDs.
	KindTransferIn  Kind = "transfer_in"
	KindTransferOut Kind = "transfer_out"
	// New shares for Old ones, of Symbol: 4 for 1, or 1 for 10.
	KindSplit        Kind = "split"
	KindReverseSplit Kind = "reverse_split"
	// Quantity shares of ToSymbol were handed out to the holders of Symbol; CostPart
	// of the cost, a fraction of one, went with them; without it neither cost is
	// known any more. Their dates and IDs are those of the lots they came from.
	KindSpinOff Kind = "spin_off"
	// All shares of Symbol became shares of ToSymbol, New for Old, and Amount of
	// cash; CostPart of the cost, a fraction of one, belongs to the cash and is set
	// against it, in a Disposal of no shares. Where there is cash and no CostPart
	// neither cost is known. Without ToSymbol all became cash, and the shares are
	// disposed of.
	KindMerger Kind = "merger"
	// Amount paid back of what Symbol cost, to each share alike. What exceeds the
	// cost of a lot is a gain: a Disposal of no shares at no cost.
	KindReturnOfCapital Kind = "return_of_capital"
	// Amount of Currency became ToAmount of ToCurrency.
	KindExchange Kind = "currency_exchange"
)

// Kinds lists them all, in the order in which they are explained.
func Kinds() []Kind {
	return []Kind{
		KindBuy, KindSell, KindDividend, KindReinvest, KindInterest, KindFee, KindTax, KindInterestDue, KindFeeRefund, KindTaxRefund,
		KindDeposit, KindWithdrawal, KindTransferIn, KindTransferOut, KindSplit, KindReverseSplit, KindSpinOff, KindMerger,
		KindReturnOfCapital, KindExchange,
	}
}
