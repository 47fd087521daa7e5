package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// entryInput is a transaction as the arguments of a call.
type entryInput struct {
	Kind     string      `json:"kind" jsonschema:"Such as buy, sell, dividend, fee, deposit, transfer_in or split."`
	Date     string      `json:"date" jsonschema:"Trade date, YYYY-MM-DD."`
	Account  string      `json:"account,omitempty" jsonschema:"Account name. Default: the only account."`
	Symbol   string      `json:"symbol,omitempty" jsonschema:"Ticker, name or ISIN."`
	Quantity json.Number `json:"quantity,omitempty"`
	Price    json.Number `json:"price,omitempty"`
	Amount   json.Number `json:"amount,omitempty" jsonschema:"Total before fee and tax. Default: quantity x price."`
	Currency string      `json:"currency,omitempty" jsonschema:"Currency, such as USD. Default: the security's currency."`
	Fee      json.Number `json:"fee,omitempty"`
	Tax      json.Number `json:"tax,omitempty" jsonschema:"Tax withheld or paid."`

	Acquired    string      `json:"acquired,omitempty" arg:"rare" jsonschema:"transfer_in: day the shares were bought, YYYY-MM-DD."`
	CostUnknown bool        `json:"cost_unknown,omitempty" arg:"rare" jsonschema:"transfer_in: true if the cost basis is unknown."`
	ToAccount   string      `json:"to_account,omitempty" arg:"rare" jsonschema:"transfer_out: account that receives it."`
	ToSymbol    string      `json:"to_symbol,omitempty" arg:"rare" jsonschema:"merger or spin_off: the other security."`
	ToCurrency  string      `json:"to_currency,omitempty" arg:"rare" jsonschema:"currency_exchange: currency received."`
	ToAmount    json.Number `json:"to_amount,omitempty" arg:"rare" jsonschema:"currency_exchange: amount received."`
	New         json.Number `json:"new,omitempty" arg:"rare" jsonschema:"split or merger: new shares, such as 4 for a 4-for-1 split."`
	Old         json.Number `json:"old,omitempty" arg:"rare" jsonschema:"split or merger: old shares, such as 1 for a 4-for-1 split."`
	CostPart    json.Number `json:"cost_part,omitempty" arg:"rare" jsonschema:"spin_off or cash merger: part of the cost basis that moves, 0 to 1."`
	Short       bool        `json:"short,omitempty" arg:"rare" jsonschema:"sell: true to sell more than the position."`
	Lots        []lotInput  `json:"lots,omitempty" arg:"rare" jsonschema:"sell or transfer_out: lots. Default: by the account's cost basis method."`
	Note        string      `json:"note,omitempty" arg:"rare" jsonschema:"The user's note."`

	Replaces   string `json:"replaces,omitempty" arg:"rare" jsonschema:"ID of the recorded transaction that this one corrects."`
	Unlisted   bool   `json:"unlisted,omitempty" arg:"rare" jsonschema:"true to record a security that no source lists."`
	Again      bool   `json:"again,omitempty" arg:"rare" jsonschema:"true to record a transaction that happened twice."`
	NewAccount bool   `json:"new_account,omitempty" arg:"rare" jsonschema:"true to create the account."`
}

type lotInput struct {
	Lot      string      `json:"lot" jsonschema:"Lot ID from tax_lots."`
	Quantity json.Number `json:"quantity" jsonschema:"Units of the lot."`
}

// errEntry marks arguments that do not form a valid transaction.
var errEntry = errors.New("cannot record the transaction")

// errRemoval marks a transaction that cannot be removed.
var errRemoval = errors.New("cannot remove the transaction")

// transaction converts the arguments. The caller, which knows the ledger, fills in symbols and an
// omitted currency.
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
		{"quantity", in.Quantity, &t.Quantity}, {"amount", in.Amount, &t.Amount}, {"fee", in.Fee, &t.Fee}, {"tax", in.Tax, &t.Tax},
		{"to_amount", in.ToAmount, &t.ToAmount}, {"new", in.New, &t.New}, {"old", in.Old, &t.Old},
	} {
		number, err := parseExact(n.name, n.text)
		if err != nil {
			return t, err
		}
		*n.into = number.Decimal
	}
	if t.Price, err = parseExact("price", in.Price); err != nil {
		return t, err
	}
	if t.CostPart, err = parseExact("cost_part", in.CostPart); err != nil {
		return t, err
	}
	t.Lots, err = lotPicks(in.Lots)
	return t, err
}

func lotPicks(lots []lotInput) ([]portfolio.LotPick, error) {
	var out []portfolio.LotPick
	for _, l := range lots {
		n, err := parseExact("quantity of a lot", l.Quantity)
		if err != nil {
			return nil, err
		}
		out = append(out, portfolio.LotPick{Lot: strings.TrimSpace(l.Lot), Quantity: n.Decimal})
	}
	return out, nil
}

// These bounds reject numbers that are not realistic amounts and would be slow to parse.
const (
	maxDigits   = 40
	maxExponent = 18 // of ten, of the last digit
)

// parseExact parses a number exactly. It returns an invalid number, not zero, for "".
func parseExact(name string, text json.Number) (decimal.NullDecimal, error) {
	if text == "" {
		return decimal.NullDecimal{}, nil
	}
	if len(text) > maxDigits {
		return decimal.NullDecimal{}, fmt.Errorf("%s %.40s has too many digits; write a number such as 1500.50", name, text)
	}
	n, err := decimal.NewFromString(text.String())
	if err != nil || n.Exponent() < -maxExponent || n.Exponent() > maxExponent {
		return decimal.NullDecimal{}, fmt.Errorf("%s %.40s is not a number; write a number such as 1500.50", name, text)
	}
	if n.IsNegative() {
		return decimal.NullDecimal{}, fmt.Errorf("%s %s is below zero; omit the sign (kind determines the direction)", name, n)
	}
	return decimal.NewNullDecimal(n), nil
}
