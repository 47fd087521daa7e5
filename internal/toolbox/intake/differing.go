package intake

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
)

// there counts an entry of the file that the book has; old is the one of its ID.
func (s *sorted) there(t portfolio.Transaction, old *portfolio.Transaction) {
	s.already++
	if old == nil {
		return
	}
	if fields := differing(t, *old); fields != "" {
		s.otherwise = append(s.otherwise, fmt.Sprintf("%s has another %s in the book, which stays; to have it as in the file take it out with remove_transaction first", book.Named(t), fields))
	}
}

// differing names what two entries of one ID say otherwise, or nothing.
func differing(a, b portfolio.Transaction) string {
	var fields []string
	note := func(same bool, field string) {
		if !same {
			fields = append(fields, field)
		}
	}
	same := func(a, b decimal.NullDecimal) bool { return a.Valid == b.Valid && a.Decimal.Equal(b.Decimal) }
	note(a.Account == b.Account && a.ToAccount == b.ToAccount, "account")
	note(a.Kind == b.Kind, "kind")
	note(a.Date.Equal(b.Date) && a.Time.Equal(b.Time), "time")
	note(a.Symbol == b.Symbol && a.ToSymbol == b.ToSymbol && a.ISIN == b.ISIN && a.Name == b.Name, "security")
	note(a.Quantity.Equal(b.Quantity) && a.New.Equal(b.New) && a.Old.Equal(b.Old), "quantity")
	note(a.Currency == b.Currency && a.ToCurrency == b.ToCurrency && a.Amount.Equal(b.Amount) && a.ToAmount.Equal(b.ToAmount), "amount")
	note(same(a.Price, b.Price), "price")
	note(a.Fee.Equal(b.Fee), "fee")
	note(a.Tax.Equal(b.Tax), "tax")
	note(a.CostUnknown == b.CostUnknown && a.Acquired.Equal(b.Acquired) && same(a.CostPart, b.CostPart), "cost")
	note(a.Short == b.Short && slices.EqualFunc(a.Lots, b.Lots, func(a, b portfolio.LotPick) bool { return a.Lot == b.Lot && a.Quantity.Equal(b.Quantity) }), "choice of lots")
	note(a.Note == b.Note, "note")
	return strings.Join(fields, ", ")
}
