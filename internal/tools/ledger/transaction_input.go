package ledger

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// entryInput is a transaction as a call gives it.
type entryInput struct {
	Kind     string  `json:"kind" jsonschema:"what happened: buy, sell, dividend, reinvested_dividend, interest, fee, tax, interest_paid, fee_refund, tax_refund, deposit, withdrawal, transfer_in, transfer_out, split, reverse_split, spin_off, merger, return_of_capital or currency_exchange"`
	Date     string  `json:"date" jsonschema:"the day of the trade, YYYY-MM-DD"`
	Account  string  `json:"account,omitempty" jsonschema:"the account; the only one of the book when left out"`
	Symbol   string  `json:"symbol,omitempty" jsonschema:"the security: a ticker, a name or an ISIN"`
	Quantity float64 `json:"quantity,omitempty" jsonschema:"units bought, sold, moved or received; never negative"`
	Price    float64 `json:"price,omitempty" jsonschema:"of one unit; with quantity instead of amount"`
	Amount   float64 `json:"amount,omitempty" jsonschema:"the whole sum before fee and tax; instead of price, or both where they agree"`
	Currency string  `json:"currency,omitempty" jsonschema:"three letters such as USD; when left out that of the security, where it is known"`
	Fee      float64 `json:"fee,omitempty" jsonschema:"fee of this transaction, in currency"`
	Tax      float64 `json:"tax,omitempty" jsonschema:"tax withheld or paid with it, in currency"`

	Acquired    string     `json:"acquired,omitempty" jsonschema:"of a transfer_in: the day the shares were bought, YYYY-MM-DD"`
	CostUnknown bool       `json:"cost_unknown,omitempty" jsonschema:"of a transfer_in: true where nobody knows what the shares cost"`
	ToAccount   string     `json:"to_account,omitempty" jsonschema:"of a transfer_out: the account of the book that receives it"`
	ToSymbol    string     `json:"to_symbol,omitempty" jsonschema:"of a merger or spin_off: the other security"`
	ToCurrency  string     `json:"to_currency,omitempty" jsonschema:"of a currency_exchange: what was received"`
	ToAmount    float64    `json:"to_amount,omitempty" jsonschema:"of a currency_exchange: how much was received"`
	New         float64    `json:"new,omitempty" jsonschema:"of a split or merger: new shares for old ones, 4 of 4 for 1"`
	Old         float64    `json:"old,omitempty" jsonschema:"of a split or merger: the old shares, 1 of 4 for 1"`
	CostPart    float64    `json:"cost_part,omitempty" jsonschema:"of a spin_off, or a merger with cash: the part of the cost that goes with it, a fraction of one"`
	Short       bool       `json:"short,omitempty" jsonschema:"of a sell: true to sell more than is held"`
	Lots        []lotInput `json:"lots,omitempty" jsonschema:"of a sell or transfer_out: which lots; else the account's cost basis chooses"`
	Note        string     `json:"note,omitempty" jsonschema:"a remark of the user's"`

	Unlisted   bool `json:"unlisted,omitempty" jsonschema:"true to record a security that no source knows"`
	Again      bool `json:"again,omitempty" jsonschema:"true where it happened twice; else an entry that is there already is refused"`
	NewAccount bool `json:"new_account,omitempty" jsonschema:"true to make the account where the book has others"`

	exact entryNumbers
}

type lotInput struct {
	Lot      string  `json:"lot" jsonschema:"ID of the lot, as tax_lots gives it"`
	Quantity float64 `json:"quantity" jsonschema:"units of it"`

	exact json.Number
}

// entryNumbers are the numbers digit by digit; "" where none was given.
type entryNumbers struct {
	Quantity json.Number `json:"quantity"`
	Price    json.Number `json:"price"`
	Amount   json.Number `json:"amount"`
	Fee      json.Number `json:"fee"`
	Tax      json.Number `json:"tax"`
	ToAmount json.Number `json:"to_amount"`
	New      json.Number `json:"new"`
	Old      json.Number `json:"old"`
	CostPart json.Number `json:"cost_part"`
}

// UnmarshalJSON keeps the numbers as they were written: a float64 would round them.
func (in *entryInput) UnmarshalJSON(raw []byte) error {
	type plain entryInput
	return cmp.Or(json.Unmarshal(raw, (*plain)(in)), json.Unmarshal(raw, &in.exact))
}

// UnmarshalJSON keeps the quantity as it was written.
func (in *lotInput) UnmarshalJSON(raw []byte) error {
	type plain lotInput
	decoded := struct {
		*plain
		Quantity json.Number `json:"quantity"`
	}{plain: (*plain)(in)}
	err := json.Unmarshal(raw, &decoded)
	in.exact = decoded.Quantity
	return err
}

// errEntry marks arguments that make no transaction.
var errEntry = errors.New("entry")

// transaction makes one of the arguments. Symbols and the currency that is left out
// are found by who knows the book.
func (in entryInput) transaction() (portfolio.Transaction, error) {
	t := portfolio.Transaction{
		Kind: portfolio.Kind(strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(in.Kind)))),
		Note: strings.TrimSpace(in.Note), CostUnknown: in.CostUnknown, Short: in.Short, ToAccount: strings.TrimSpace(in.ToAccount),
	}
	var err error
	if t.Date, err = toolkit.ParseDay("date", in.Date); err != nil {
		return t, err
	}
	if in.Acquired != "" {
		if t.Acquired, err = toolkit.ParseDay("acquired", in.Acquired); err != nil {
			return t, err
		}
	}
	if t.Currency, err = toolkit.ParseCurrency(in.Currency); err != nil {
		return t, err
	}
	if t.ToCurrency, err = toolkit.ParseCurrency(in.ToCurrency); err != nil {
		return t, err
	}
	for _, n := range []struct {
		name string
		text json.Number
		into *decimal.Decimal
	}{
		{"quantity", in.exact.Quantity, &t.Quantity}, {"amount", in.exact.Amount, &t.Amount}, {"fee", in.exact.Fee, &t.Fee}, {"tax", in.exact.Tax, &t.Tax},
		{"to_amount", in.exact.ToAmount, &t.ToAmount}, {"new", in.exact.New, &t.New}, {"old", in.exact.Old, &t.Old},
	} {
		number, err := parseExact(n.name, n.text)
		if err != nil {
			return t, err
		}
		*n.into = number.Decimal
	}
	if t.Price, err = parseExact("price", in.exact.Price); err != nil {
		return t, err
	}
	if t.CostPart, err = parseExact("cost_part", in.exact.CostPart); err != nil {
		return t, err
	}
	t.Lots, err = lotPicks(in.Lots)
	return t, err
}

func lotPicks(lots []lotInput) ([]portfolio.LotPick, error) {
	var out []portfolio.LotPick
	for _, l := range lots {
		n, err := parseExact("quantity of a lot", l.exact)
		if err != nil {
			return nil, err
		}
		out = append(out, portfolio.LotPick{Lot: strings.TrimSpace(l.Lot), Quantity: n.Decimal})
	}
	return out, nil
}
