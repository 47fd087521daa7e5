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
	Kind     string  `json:"kind" jsonschema:"Such as buy, sell, dividend, fee, deposit, transfer_in or split."`
	Date     string  `json:"date" jsonschema:"Trade date, YYYY-MM-DD."`
	Account  string  `json:"account,omitempty" jsonschema:"Account name. Default: the only account."`
	Symbol   string  `json:"symbol,omitempty" jsonschema:"Ticker, name or ISIN."`
	Quantity float64 `json:"quantity,omitempty"`
	Price    float64 `json:"price,omitempty"`
	Amount   float64 `json:"amount,omitempty" jsonschema:"Total before fee and tax. Default: quantity x price."`
	Currency string  `json:"currency,omitempty" jsonschema:"Currency, such as USD. Default: that of the security."`
	Fee      float64 `json:"fee,omitempty"`
	Tax      float64 `json:"tax,omitempty" jsonschema:"Tax withheld or paid."`

	Acquired    string     `json:"acquired,omitempty" arg:"rare" jsonschema:"transfer_in: day the shares were bought, YYYY-MM-DD."`
	CostUnknown bool       `json:"cost_unknown,omitempty" arg:"rare" jsonschema:"transfer_in: true if nobody knows what the shares cost."`
	ToAccount   string     `json:"to_account,omitempty" arg:"rare" jsonschema:"transfer_out: account that receives it."`
	ToSymbol    string     `json:"to_symbol,omitempty" arg:"rare" jsonschema:"merger or spin_off: the other security."`
	ToCurrency  string     `json:"to_currency,omitempty" arg:"rare" jsonschema:"currency_exchange: currency received."`
	ToAmount    float64    `json:"to_amount,omitempty" arg:"rare" jsonschema:"currency_exchange: amount received."`
	New         float64    `json:"new,omitempty" arg:"rare" jsonschema:"split or merger: new shares, 4 in 4 for 1."`
	Old         float64    `json:"old,omitempty" arg:"rare" jsonschema:"split or merger: old shares, 1 in 4 for 1."`
	CostPart    float64    `json:"cost_part,omitempty" arg:"rare" jsonschema:"spin_off or cash merger: part of the cost that moves, 0 to 1."`
	Short       bool       `json:"short,omitempty" arg:"rare" jsonschema:"sell: true to sell more than the position."`
	Lots        []lotInput `json:"lots,omitempty" arg:"rare" jsonschema:"sell or transfer_out: lots. Default: the account's cost basis."`
	Note        string     `json:"note,omitempty" arg:"rare" jsonschema:"The user's note."`

	Unlisted   bool `json:"unlisted,omitempty" arg:"rare" jsonschema:"true to record a security that no source knows."`
	Again      bool `json:"again,omitempty" arg:"rare" jsonschema:"true to record a duplicate that really happened twice."`
	NewAccount bool `json:"new_account,omitempty" arg:"rare" jsonschema:"true to create the account."`

	exact entryNumbers
}

type lotInput struct {
	Lot      string  `json:"lot" jsonschema:"Lot ID from tax_lots."`
	Quantity float64 `json:"quantity" jsonschema:"Units of the lot."`

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

// transaction makes a transaction from the arguments. The caller, which knows the ledger, fills
// in symbols and a currency that was left out.
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
