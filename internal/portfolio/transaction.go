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
