package importer

import (
	"errors"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// recordTradeList reads the list of transactions.
func (r *degiroReader) recordTradeList() {
	exchanged := r.splitLines()
	for _, row := range r.rows {
		switch {
		case row.Empty():
		case exchanged[row.Line]:
			r.collector.Problem(row, "shares exchanged at the same time for the same amount, without an order: a corporate action, not a trade; import the account statement instead, or enter a split or merger by hand")
		default:
			t, mark, err := r.listedTrade(row)
			if err != nil {
				r.collector.Problem(row, "%v", err)
				continue
			}
			r.collector.Add(t, r.collector.counter.ID(mark), row)
		}
	}
}

// splitLines returns the lines of splits and mergers. The list shows a split as a sale of all old
// shares and a purchase of all new ones, both without an order and for the same amount.
func (r *degiroReader) splitLines() map[int]bool {
	type occasion struct{ day, clock, currency, sum string }
	incoming, outgoing := map[occasion][]int{}, map[occasion][]int{}
	for _, row := range r.rows {
		quantity, err := r.number(row.At(r.quantity))
		currency, sum, errSum := r.listedSum(row, r.local)
		if err != nil || errSum != nil || r.listedOrder(row) != "" {
			continue
		}
		into := incoming
		if quantity.Decimal.IsNegative() {
			into = outgoing
		}
		at := occasion{row.At(r.date), row.At(r.clock), currency, sum.Abs().String()}
		into[at] = append(into[at], row.Line)
	}
	lines := map[int]bool{}
	for at := range incoming {
		if len(outgoing[at]) > 0 {
			for _, line := range slices.Concat(incoming[at], outgoing[at]) {
				lines[line] = true
			}
		}
	}
	return lines
}

// listedOrder returns the order number, or "".
func (r *degiroReader) listedOrder(row Row) string {
	order := row.At(r.order)
	if order == "" && r.order >= 0 {
		// Newer files have the number in the unnamed column after it.
		order = row.At(r.order + 1)
	}
	return order
}

// listedSum reads an amount with its currency, which is in the next cell or in the column name.
func (r *degiroReader) listedSum(row Row, column int) (string, decimal.Decimal, error) {
	currency, ok := r.currency[column]
	if !ok {
		currency = row.At(column + 1)
	}
	d, err := r.number(row.At(column))
	if err == nil && d.Valid && !ValidCurrency(currency) {
		err = fmt.Errorf("missing currency for %s: enter the trade by hand", d.Decimal)
	}
	return currency, d.Decimal, err
}

// listedTrade reads a row. The amount is the value in the account's currency, and the fees are the
// difference to the total. It also returns the identity of the trade, which is the same in the
// account statement.
func (r *degiroReader) listedTrade(row Row) (t portfolio.Transaction, mark []string, err error) {
	if t.Date, err = ParseDay(row.At(r.date), degiroDateLayout); err != nil {
		return t, nil, err
	}
	quantity, err := r.number(row.At(r.quantity))
	if err != nil {
		return t, nil, fmt.Errorf("quantity: %w: enter the trade by hand", err)
	}
	if quantity.Decimal.IsZero() {
		return t, nil, errors.New("missing quantity: enter the trade by hand")
	}
	currency, value, err := r.listedSum(row, r.value)
	if err != nil {
		return t, nil, err
	}
	if quantity.Decimal.Sign() == value.Sign() || value.IsZero() {
		return t, nil, fmt.Errorf("the value %s does not match the quantity %s: if no cash was paid, enter it by hand as a split, merger or spin-off", value, quantity.Decimal)
	}
	if t.Fee, err = r.listedFees(row, currency, value); err != nil {
		return t, nil, err
	}
	t.Kind = kindBySign(quantity.Decimal, portfolio.KindBuy, portfolio.KindSell)
	t.Quantity, t.Currency, t.Amount = quantity.Decimal.Abs(), currency, value.Abs()
	if t.Symbol, t.ISIN, err = ParseSecurity("", row.At(r.isin)); err != nil {
		return t, nil, err
	}
	t.Name = Shorten(row.At(r.product))
	if t.Time, err = r.moment(row); err != nil {
		return t, nil, err
	}
	quoted, price, err := r.listedSum(row, r.price)
	if err != nil {
		return t, nil, err
	}
	if quoted == t.Currency {
		t.Price = decimal.NewNullDecimal(price)
	} else {
		t.Note = fmt.Sprintf("%s %s a share", price, quoted)
	}
	currency, local, err := r.listedSum(row, r.local)
	if err != nil {
		return t, nil, err
	}
	if quoted == degiroPence {
		quoted, price = "GBP", price.Shift(-2)
	}
	if currency == degiroPence {
		currency, local = "GBP", local.Shift(-2) // as in the statement
	}
	// The price may be rounded. A contract multiplier would be off by a factor of ten or more.
	off := t.Quantity.Mul(price).Sub(local.Abs()).Abs()
	if quoted != currency || off.GreaterThan(local.Abs().Shift(-2).Add(decimal.New(2, -2))) {
		return t, nil, fmt.Errorf("%s at %s %s is not %s %s: a contract multiplier, a bond priced in percent, or an error; enter the trade by hand",
			t.Quantity, price, quoted, local.Abs(), currency)
	}
	same := degiroLine{moment: t.Time, isin: t.ISIN, currency: currency, change: decimal.NewNullDecimal(local), order: r.listedOrder(row)}
	return t, same.identity(t.Kind), nil
}

// listedFees returns the difference between value and total, which must equal the fee columns. Some
// files include the AutoFX fee in the total and some in the value.
func (r *degiroReader) listedFees(row Row, currency string, value decimal.Decimal) (decimal.Decimal, error) {
	var charged, exchanged decimal.Decimal
	for _, column := range slices.Concat(r.fee, r.autoFX) {
		d, err := r.number(row.At(column))
		switch {
		case err != nil:
			return charged, err
		case slices.Contains(r.fee, column):
			charged = charged.Add(d.Decimal)
		default:
			exchanged = exchanged.Add(d.Decimal)
		}
	}
	paid, total, err := r.listedSum(row, r.total)
	if err != nil {
		return charged, err
	}
	fees := value.Sub(total)
	known := fees.Add(charged).Abs().LessThanOrEqual(cent) || fees.Add(charged).Add(exchanged).Abs().LessThanOrEqual(cent)
	if paid != currency || fees.IsNegative() || !known {
		return fees, fmt.Errorf("%s %s plus fees of %s or %s is not the total of %s %s: compare the trade with DEGIRO's statement and enter it by hand",
			value, currency, charged, exchanged, total, paid)
	}
	return fees, nil
}
