package ledger

import (
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// booking is a transaction in an answer, with the JSON of [portfolio.Transaction].
type booking struct {
	bookingFields
	Kind kindName         `json:"kind" label:"kind"`
	Name toolkit.OwnWords `json:"name,omitempty"`
	Note toolkit.OwnWords `json:"note,omitempty" label:"note" sparse:"true"`
}

// bookingFields converts from portfolio.Transaction, so the compiler checks that no field is
// missing.
type bookingFields struct {
	ID      string         `json:"id" label:"id"`
	Date    market.Date    `json:"date" label:"date"`
	Time    time.Time      `json:"time,omitzero"`
	Kind    portfolio.Kind `json:"kind"`
	Account string         `json:"account" label:"account"`

	Symbol   market.Symbol       `json:"symbol,omitempty" label:"symbol" sparse:"true"`
	ISIN     string              `json:"isin,omitempty"`
	Name     string              `json:"name,omitempty"`
	Quantity decimal.Decimal     `json:"quantity,omitzero" label:"quantity" as:"exact" unit:"units" key:"1" sensitive:"amount" sparse:"true"`
	Price    decimal.NullDecimal `json:"price,omitzero" label:"price" as:"price" sensitive:"amount" sparse:"true"`

	Currency string          `json:"currency,omitempty"`
	Amount   decimal.Decimal `json:"amount,omitzero" label:"amount" as:"money" key:"2" sensitive:"amount" sparse:"true"`
	Fee      decimal.Decimal `json:"fee,omitzero" label:"fee" as:"money" sensitive:"amount" sparse:"true"`
	Tax      decimal.Decimal `json:"tax,omitzero" label:"tax" as:"money" sensitive:"amount" sparse:"true"`

	CostUnknown bool        `json:"cost_unknown,omitempty" label:"cost basis unknown" sparse:"true"`
	Acquired    market.Date `json:"acquired,omitzero" label:"acquired" sparse:"true"`

	ToAccount  string          `json:"to_account,omitempty" label:"to account" sparse:"true"`
	ToSymbol   market.Symbol   `json:"to_symbol,omitempty" label:"to symbol" sparse:"true"`
	ToCurrency string          `json:"to_currency,omitempty"`
	ToAmount   decimal.Decimal `json:"to_amount,omitzero" label:"to amount" as:"money" currency:"to_currency" sensitive:"amount" sparse:"true"`
	// The ratio of a split may consist of the user's quantities.
	New      decimal.Decimal     `json:"new,omitzero" label:"new" unit:"shares" sensitive:"amount" sparse:"true"`
	Old      decimal.Decimal     `json:"old,omitzero" label:"old" unit:"shares" sensitive:"amount" sparse:"true"`
	CostPart decimal.NullDecimal `json:"cost_part,omitzero" label:"part of the cost basis" as:"percent" sparse:"true"`

	Short bool                `json:"short,omitempty" label:"short sale allowed" sparse:"true"`
	Lots  []portfolio.LotPick `json:"lots,omitempty" sensitive:"amount"`

	Note   string `json:"note,omitempty"`
	Source string `json:"source,omitempty"`
	// Some brokers derive the number of a line from its amounts.
	SourceID string `json:"source_id,omitempty" sensitive:"amount"`
}

// kindName is a portfolio.Kind, shown without underscores.
type kindName portfolio.Kind

func (k kindName) String() string { return positions.KindText(portfolio.Kind(k)) }

func newBooking(t portfolio.Transaction) booking {
	return booking{bookingFields(t), kindName(t.Kind), toolkit.OwnWords(t.Name), toolkit.OwnWords(t.Note)}
}

// text describes the booking in a few words.
func (b booking) text() string {
	parts := []string{b.Kind.String()}
	if !b.Quantity.IsZero() {
		parts = append(parts, toolkit.Format(b.Quantity, toolkit.Exact, ""))
	}
	if b.Symbol != "" {
		parts = append(parts, string(b.Symbol))
	}
	text := strings.Join(parts, " ")
	if !b.Amount.IsZero() {
		text += ", " + toolkit.Format(b.Amount, toolkit.Money, b.Currency)
	}
	return fmt.Sprintf("%s, %s, %s", text, toolkit.FormatDate(b.Date), b.Account)
}

// title identifies the booking without its numbers.
func (b booking) title() string {
	return toolkit.Abbreviate(fmt.Sprintf("%s · %s", strings.TrimSpace(b.Kind.String()+" "+string(b.Symbol)), toolkit.FormatDate(b.Date)))
}
