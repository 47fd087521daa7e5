package importer

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// reward is coins that were paid for holding, learning or spending: income at the
// value that the file gives, which became coins at once. Money that was paid stays
// money.
func (l coinbaseRow) reward() ([]portfolio.Transaction, error) {
	if !l.quantity.IsPositive() {
		return nil, errors.New("a reward of nothing or less; enter it by hand")
	}
	if l.isFiat() {
		t := l.newTransaction(portfolio.KindInterest)
		t.Currency, t.Amount, t.Name = l.asset, l.quantity, ""
		return []portfolio.Transaction{t}, nil
	}
	if !l.subtotal.Valid || l.fee.Decimal.IsPositive() {
		return nil, errors.New("the value of the reward is missing, or a fee was taken of it; enter it by hand")
	}
	t := l.newTransaction(portfolio.KindReinvest)
	t.Quantity, t.Amount, t.Price = l.quantity, l.subtotal.Decimal, l.price
	if t.Amount.IsZero() {
		// Worth less than the file shows: units that cost nothing, and no income.
		t.Kind, t.Price = portfolio.KindBuy, decimal.NewNullDecimal(decimal.Zero)
	}
	var err error
	t.Symbol, err = coinbaseCoin(l.asset)
	return []portfolio.Transaction{t}, err
}

// isReward tells what early exports call received and was a gift of Coinbase's.
func (l coinbaseRow) isReward() bool {
	for _, giver := range []string{"Coinbase Earn", "Coinbase Rewards", "Coinbase Referral"} {
		if strings.Contains(l.note, giver) {
			return true
		}
	}
	return false
}

// transferIn is what came from outside. What coins cost before they came is not known.
func (r *coinbaseReader) transferIn(l coinbaseRow) ([]portfolio.Transaction, error) {
	switch {
	case r.renamed[l.row.Line]:
		return nil, IgnoreReason("a coin under another name: as many as left under the old one")
	case !l.quantity.IsPositive():
		return nil, errors.New("nothing or less was received; enter it by hand")
	case l.isFiat():
		return l.bankTransfer(portfolio.KindDeposit)
	case l.isReward():
		return l.reward()
	}
	t := l.newTransaction(portfolio.KindTransferIn)
	t.Quantity, t.CostUnknown = l.quantity, true
	var err error
	t.Symbol, err = coinbaseCoin(l.asset)
	return []portfolio.Transaction{t}, err
}

// transferOut is what left for somewhere else.
func (r *coinbaseReader) transferOut(l coinbaseRow) ([]portfolio.Transaction, error) {
	switch {
	case r.renamed[l.row.Line]:
		return nil, IgnoreReason("a coin under another name: as many came back under the new one")
	case l.quantity.IsZero():
		return nil, errors.New("nothing was sent; enter it by hand")
	case l.isFiat():
		return l.bankTransfer(portfolio.KindWithdrawal)
	}
	t := l.newTransaction(portfolio.KindTransferOut)
	t.Quantity = l.quantity.Abs()
	if l.fee.Decimal.IsPositive() {
		return nil, fmt.Errorf("whether the fee of %s is within the %s %s that were sent is not said; enter it by hand", l.fee.Decimal, t.Quantity, Shorten(l.asset))
	}
	var err error
	t.Symbol, err = coinbaseCoin(l.asset)
	return []portfolio.Transaction{t}, err
}

// bankTransfer is a payment from or to a bank. With a fee, the file does not say whether
// its quantity is before or after.
func (l coinbaseRow) bankTransfer(kind portfolio.Kind) ([]portfolio.Transaction, error) {
	if l.fee.Decimal.IsPositive() {
		return nil, fmt.Errorf("whether the fee of %s is within the %s is not said; enter it by hand", l.fee.Decimal, l.quantity.Abs())
	}
	t := l.newTransaction(kind)
	t.Currency, t.Amount, t.Name = l.asset, l.quantity.Abs(), ""
	return []portfolio.Transaction{t}, nil
}

// findPairs looks for what lines mean only together: conversions of which both sides
// have a line, and coins that left and came back at the same time, as many, under
// another name.
func (r *coinbaseReader) findPairs() (map[coinbaseConversionKey]bool, map[int]bool) {
	type passage struct {
		at       time.Time
		coin     string
		quantity string
	}
	conversions, renamed := map[coinbaseConversionKey]bool{}, map[int]bool{}
	left := map[passage]coinbaseRow{}
	var back []coinbaseRow
	for _, row := range r.table.Rows {
		l, err := r.parseRow(row)
		if err != nil {
			continue
		}
		switch l.kind {
		case "Convert":
			if from, _, ok := coinbaseConversionLegs(l.note); ok && from.code == l.asset {
				conversions[coinbaseConversionKey{l.time, l.note}] = true
			}
		case "Send":
			left[passage{l.time, coinbaseUnstakedCode(l.asset), l.quantity.Abs().String()}] = l
		case "Receive":
			back = append(back, l)
		}
	}
	for _, l := range back {
		key := passage{l.time, coinbaseUnstakedCode(l.asset), l.quantity.Abs().String()}
		if sent, ok := left[key]; ok && sent.asset != l.asset {
			renamed[sent.row.Line], renamed[l.row.Line] = true, true
			delete(left, key)
		}
	}
	return conversions, renamed
}
