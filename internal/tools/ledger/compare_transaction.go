package ledger

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/positions"
)

// addExisting counts a transaction of the file that the ledger already has. For nfa's own export it
// compares all fields, for a broker's file only those that the broker may have corrected.
func (s *sortedEntries) addExisting(t, old portfolio.Transaction) {
	s.existing++
	fields := differingFields(t, old)
	if t.ID == "" {
		fields = correctedFields(t, old)
	}
	if fields != "" {
		s.conflicts = append(s.conflicts, fmt.Sprintf("%s has a different %s in the ledger; the ledger's value is kept. To use the file's value, remove the transaction with remove_transaction and import again", positions.TransactionLabel(old), fields))
	}
}

// correctedFields names the fields of a line that a broker has since corrected: kind, date and net
// amount. Amount and fee are not compared separately, because two files of one broker may split
// them differently.
func correctedFields(a, b portfolio.Transaction) string {
	var fields []string
	for _, field := range []struct {
		same bool
		name string
	}{
		{a.Kind == b.Kind, "kind"},
		{a.Date.Equal(b.Date), "date"},
		{a.Quantity.Equal(b.Quantity) && a.New.Equal(b.New) && a.Old.Equal(b.Old), "quantity"},
		{a.Currency == b.Currency && a.ToCurrency == b.ToCurrency && netCash(a).Equal(netCash(b)) && a.ToAmount.Equal(b.ToAmount), "amount"},
	} {
		if !field.same {
			fields = append(fields, field.name)
		}
	}
	return strings.Join(fields, ", ")
}

// netCash returns the cash that a transaction moved, including its costs.
func netCash(t portfolio.Transaction) decimal.Decimal {
	costs := t.Fee.Add(t.Tax)
	switch t.Kind {
	case portfolio.KindSell, portfolio.KindDividend, portfolio.KindInterest, portfolio.KindReturnOfCapital, portfolio.KindMerger, portfolio.KindDeposit:
		return t.Amount.Sub(costs)
	}
	return t.Amount.Add(costs)
}

// differingFields names the fields in which two transactions with the same ID differ, or returns
// "".
func differingFields(a, b portfolio.Transaction) string {
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
