package mapped

import (
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// entry is what one line says.
type entry struct {
	made    []portfolio.Transaction // with a fee in a currency of its own
	id      string
	ignored bool
}

// figures are the numbers of a line; those that stand in no cell are invalid.
type figures struct {
	quantity, price, amount, fee, tax decimal.NullDecimal
	feeCurrency                       string
}

func (r *reader) entry(t sheet.Table, row sheet.Row) (entry, error) {
	meaning, err := r.meaning(t, row)
	if err != nil || meaning == Ignore {
		return entry{ignored: meaning == Ignore}, err
	}
	if err := r.namesakes(t, row); err != nil {
		return entry{}, err
	}
	n, currency, err := r.figures(t, row)
	if err != nil {
		return entry{}, err
	}
	x := portfolio.Transaction{
		Name: cell(t, row, r.Columns.Name), Note: cell(t, row, r.Columns.Note), Currency: currency, Account: r.account(t, row),
	}
	if x.Date, x.Time, err = r.when(t, row); err != nil {
		return entry{}, err
	}
	if x.Kind, err = r.kind(meaning, n); err != nil {
		return entry{}, err
	}
	if err := r.signsHold(x.Kind, n); err != nil {
		return entry{}, err
	}
	if err := r.security(&x, t, row); err != nil {
		return entry{}, err
	}
	made, err := r.sums(x, n)
	return entry{made: made, id: cell(t, row, r.Columns.ID)}, err
}

func (r *reader) account(t sheet.Table, row sheet.Row) string {
	if r.options.Account != "" {
		return r.options.Account
	}
	if named := cell(t, row, r.Columns.Account); named != "" {
		return named
	}
	return r.Fixed.Account
}

func (r *reader) meaning(t sheet.Table, row sheet.Row) (string, error) {
	if r.Columns.Kind == "" {
		return r.Fixed.Kind, nil
	}
	word := cell(t, row, r.Columns.Kind)
	if meaning := r.kinds[folded(word)]; meaning != "" {
		return meaning, nil
	}
	if word == "" && r.Fixed.Kind != "" {
		return r.Fixed.Kind, nil
	}
	return "", fmt.Errorf("%q has no meaning yet: add it to the mapping's kinds", sheet.Shorten(word))
}

func (r *reader) when(t sheet.Table, row sheet.Row) (market.Date, time.Time, error) {
	text, layout := cell(t, row, r.Columns.Date), r.date
	hasTime := strings.Contains(layout, "15")
	if clock := cell(t, row, r.Columns.Time); clock != "" {
		text, layout, hasTime = text+" "+clock, layout+" "+r.time, true
	}
	at, err := sheet.Moment(text, r.zone, layout)
	if err != nil {
		return market.Date{}, time.Time{}, fmt.Errorf("date: %q is not written as %s", sheet.Shorten(text), r.Date)
	}
	if !hasTime {
		day, err := sheet.Day(text, layout)
		return day, time.Time{}, err
	}
	// A day begins where the account is, if it is known where the clock was.
	if r.zoned && r.options.Zone != nil {
		at = at.In(r.options.Zone)
	}
	return sheet.DayOf(at), at, nil
}

// figures reads the numbers of a line and the currency that they are in.
func (r *reader) figures(t sheet.Table, row sheet.Row) (figures, string, error) {
	var n figures
	currency := cell(t, row, r.Columns.Currency)
	for _, c := range []struct {
		column string
		into   *decimal.NullDecimal
		money  bool
	}{
		{r.Columns.Quantity, &n.quantity, false}, {r.Columns.Price, &n.price, true}, {r.Columns.Amount, &n.amount, true},
		{r.Columns.Fee, &n.fee, true}, {r.Columns.Tax, &n.tax, true},
	} {
		text := cell(t, row, c.column)
		if text == "" || text == "-" {
			continue
		}
		d, marked, err := sheet.Money(text, r.sign)
		if err != nil {
			return n, "", fmt.Errorf("%s: %w", sheet.Shorten(c.column), err)
		}
		if c.money && marked != "" && c.into != &n.fee {
			if currency != "" && currency != marked {
				return n, "", fmt.Errorf("%s is in %s and the line in %s", sheet.Shorten(c.column), marked, sheet.Shorten(currency))
			}
			currency = marked
		}
		if c.into == &n.fee {
			n.feeCurrency = marked
		}
		*c.into = decimal.NewNullDecimal(d)
	}
	if own := cell(t, row, r.Columns.FeeCurrency); own != "" {
		n.feeCurrency = own
	}
	for _, said := range []string{r.Fixed.Currency, r.options.Currency} {
		if currency == "" {
			currency = said
		}
	}
	n, currency, err := r.inWhole(n, currency)
	if err == nil && !broker.ValidCurrency(currency) {
		err = fmt.Errorf("no currency: map a column, or set fixed.currency (found %q)", sheet.Shorten(currency))
	}
	return n, currency, err
}

// kind decides what only a sign tells.
func (r *reader) kind(meaning string, n figures) (portfolio.Kind, error) {
	switch meaning {
	case Trade:
		switch {
		case r.Quantities == Signed && !n.quantity.Decimal.IsZero():
			return oneOf(n.quantity.Decimal.IsPositive(), portfolio.KindBuy, portfolio.KindSell), nil
		case r.Amounts == Signed && !n.amount.Decimal.IsZero():
			return oneOf(n.amount.Decimal.IsNegative(), portfolio.KindBuy, portfolio.KindSell), nil
		}
		return "", fmt.Errorf("a trade whose direction nothing tells: neither quantities nor amounts are signed")
	case Cash:
		return r.bySign(n, portfolio.KindDeposit, portfolio.KindWithdrawal)
	case Charge:
		return r.bySign(n, portfolio.KindFeeRefund, portfolio.KindFee)
	case Levy:
		return r.bySign(n, portfolio.KindTaxRefund, portfolio.KindTax)
	}
	return portfolio.Kind(meaning), nil
}

// bySign is what a payment was whose amount alone tells whether it came or went.
func (r *reader) bySign(n figures, came, went portfolio.Kind) (portfolio.Kind, error) {
	if r.Amounts != Signed || n.amount.Decimal.IsZero() {
		return "", fmt.Errorf("a payment whose direction nothing tells: amounts are not signed")
	}
	return oneOf(n.amount.Decimal.IsPositive(), came, went), nil
}

func oneOf(first bool, a, b portfolio.Kind) portfolio.Kind {
	if first {
		return a
	}
	return b
}

// signsHold refuses a line whose signs say otherwise than its kind.
func (r *reader) signsHold(kind portfolio.Kind, n figures) error {
	paid, gave := false, false
	switch kind {
	case portfolio.KindBuy, portfolio.KindFee, portfolio.KindTax, portfolio.KindInterestDue, portfolio.KindWithdrawal:
		paid = true
	case portfolio.KindSell, portfolio.KindTransferOut:
		gave = true
	}
	// Shares that came or went without cash may have a value, of either sign; a
	// dividend that was reinvested is both received and paid.
	free := kind == portfolio.KindTransferIn || kind == portfolio.KindTransferOut || kind == portfolio.KindReinvest
	if q := n.quantity.Decimal; q.IsNegative() && !(gave && r.Quantities == Signed) || q.IsPositive() && gave && r.Quantities == Signed {
		return fmt.Errorf("a %s with a quantity of %s: the mapping says that quantities are %s", kind, q, r.Quantities)
	}
	if a := n.amount.Decimal; !free && (a.IsNegative() && !(paid && r.Amounts == Signed) || a.IsPositive() && paid && r.Amounts == Signed) {
		return fmt.Errorf("a %s with an amount of %s: the mapping says that amounts are %s", kind, a, r.Amounts)
	}
	for _, cost := range []decimal.Decimal{n.fee.Decimal, n.tax.Decimal} {
		if cost.IsNegative() != (r.Costs == Negative) && !cost.IsZero() {
			return fmt.Errorf("a cost of %s: the mapping says that costs are %s; one that was paid back is recorded by hand", cost, r.Costs)
		}
	}
	return nil
}

// namesakes refuses a line on which columns of one name say different things: often the
// currency of the price and that of the amount, of which the mapping can name but one.
func (r *reader) namesakes(t sheet.Table, row sheet.Row) error {
	for _, column := range r.twice {
		first := t.Cell(row, column)
		for n := 1; n < len(row.Cells); n++ {
			if other := t.CellAt(row, column, n); other != "" && other != first {
				return fmt.Errorf("the column %q stands several times in the header and says %q and %q here: give each a name of its own in the header of the file",
					sheet.Shorten(column), sheet.Shorten(first), sheet.Shorten(other))
			}
		}
	}
	return nil
}

func (r *reader) security(x *portfolio.Transaction, t sheet.Table, row sheet.Row) error {
	ticker, isin := cell(t, row, r.Columns.Symbol), cell(t, row, r.Columns.ISIN)
	if x.Kind == portfolio.KindDeposit || x.Kind == portfolio.KindWithdrawal {
		if x.Note == "" {
			x.Note = x.Name
		}
		x.Name = ""
		return nil
	}
	if ticker == "" && isin == "" {
		return nil
	}
	var err error
	x.Symbol, x.ISIN, err = broker.Security(ticker, isin)
	return err
}
