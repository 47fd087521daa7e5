package importer

import (
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// mappedEntry is what one line says.
type mappedEntry struct {
	transactions []portfolio.Transaction // with a fee in a currency of its own
	id           string
	ignored      bool
}

// mappedNumbers are the numbers of a line; those that stand in no cell are invalid.
type mappedNumbers struct {
	quantity, price, amount, fee, tax decimal.NullDecimal
	feeCurrency                       string
}

func (r *mappedReader) parseEntry(t Table, row Row) (mappedEntry, error) {
	meaning, err := r.meaning(t, row)
	if err != nil || meaning == MeaningIgnore {
		return mappedEntry{ignored: meaning == MeaningIgnore}, err
	}
	if err := r.checkDuplicateColumns(t, row); err != nil {
		return mappedEntry{}, err
	}
	n, currency, err := r.parseNumbers(t, row)
	if err != nil {
		return mappedEntry{}, err
	}
	x := portfolio.Transaction{
		Name: mappedCell(t, row, r.Columns.Name), Note: mappedCell(t, row, r.Columns.Note), Currency: currency, Account: r.accountName(t, row),
	}
	if x.Date, x.Time, err = r.parseTime(t, row); err != nil {
		return mappedEntry{}, err
	}
	if x.Kind, err = r.kind(meaning, n); err != nil {
		return mappedEntry{}, err
	}
	if err := r.checkSigns(x.Kind, n); err != nil {
		return mappedEntry{}, err
	}
	if err := r.setSecurity(&x, t, row); err != nil {
		return mappedEntry{}, err
	}
	txs, err := r.setAmounts(x, n)
	return mappedEntry{transactions: txs, id: mappedCell(t, row, r.Columns.ID)}, err
}

func (r *mappedReader) accountName(t Table, row Row) string {
	if r.options.Account != "" {
		return r.options.Account
	}
	if named := mappedCell(t, row, r.Columns.Account); named != "" {
		return named
	}
	return r.Fixed.Account
}

func (r *mappedReader) meaning(t Table, row Row) (string, error) {
	if r.Columns.Kind == "" {
		return r.Fixed.Kind, nil
	}
	word := mappedCell(t, row, r.Columns.Kind)
	if meaning := r.kinds[foldMappedWord(word)]; meaning != "" {
		return meaning, nil
	}
	if word == "" && r.Fixed.Kind != "" {
		return r.Fixed.Kind, nil
	}
	return "", fmt.Errorf("%q has no meaning yet: add it to the mapping's kinds", Shorten(word))
}

func (r *mappedReader) parseTime(t Table, row Row) (market.Date, time.Time, error) {
	text, layout := mappedCell(t, row, r.Columns.Date), r.date
	hasTime := strings.Contains(layout, "15")
	if clock := mappedCell(t, row, r.Columns.Time); clock != "" {
		text, layout, hasTime = text+" "+clock, layout+" "+r.time, true
	}
	at, err := ParseTime(text, r.zone, layout)
	if err != nil {
		return market.Date{}, time.Time{}, fmt.Errorf("date: %q is not written as %s", Shorten(text), r.Date)
	}
	if !hasTime {
		day, err := ParseDay(text, layout)
		return day, time.Time{}, err
	}
	// A day begins where the account is, if it is known where the clock was.
	if r.zoned && r.options.Zone != nil {
		at = at.In(r.options.Zone)
	}
	return DayOf(at), at, nil
}

// parseNumbers reads the numbers of a line and the currency that they are in.
func (r *mappedReader) parseNumbers(t Table, row Row) (mappedNumbers, string, error) {
	var n mappedNumbers
	currency := mappedCell(t, row, r.Columns.Currency)
	for _, c := range []struct {
		column string
		into   *decimal.NullDecimal
		money  bool
	}{
		{r.Columns.Quantity, &n.quantity, false}, {r.Columns.Price, &n.price, true}, {r.Columns.Amount, &n.amount, true},
		{r.Columns.Fee, &n.fee, true}, {r.Columns.Tax, &n.tax, true},
	} {
		text := mappedCell(t, row, c.column)
		if text == "" || text == "-" {
			continue
		}
		d, marked, err := ParseMoney(text, r.sign)
		if err != nil {
			return n, "", fmt.Errorf("%s: %w", Shorten(c.column), err)
		}
		if c.money && marked != "" && c.into != &n.fee {
			if currency != "" && currency != marked {
				return n, "", fmt.Errorf("%s is in %s and the line in %s", Shorten(c.column), marked, Shorten(currency))
			}
			currency = marked
		}
		if c.into == &n.fee {
			n.feeCurrency = marked
		}
		*c.into = decimal.NewNullDecimal(d)
	}
	if ownCurrency := mappedCell(t, row, r.Columns.FeeCurrency); ownCurrency != "" {
		n.feeCurrency = ownCurrency
	}
	for _, fallback := range []string{r.Fixed.Currency, r.options.Currency} {
		if currency == "" {
			currency = fallback
		}
	}
	n, currency, err := r.toMajorUnits(n, currency)
	if err == nil && !ValidCurrency(currency) {
		err = fmt.Errorf("no currency: map a column, or set fixed.currency (found %q)", Shorten(currency))
	}
	return n, currency, err
}

// kind decides what only a sign tells.
func (r *mappedReader) kind(meaning string, n mappedNumbers) (portfolio.Kind, error) {
	switch meaning {
	case MeaningTrade:
		switch {
		case r.Quantities == NumbersSigned && !n.quantity.Decimal.IsZero():
			return mappedKindIf(n.quantity.Decimal.IsPositive(), portfolio.KindBuy, portfolio.KindSell), nil
		case r.Amounts == NumbersSigned && !n.amount.Decimal.IsZero():
			return mappedKindIf(n.amount.Decimal.IsNegative(), portfolio.KindBuy, portfolio.KindSell), nil
		}
		return "", fmt.Errorf("a trade whose direction nothing tells: neither quantities nor amounts are signed")
	case MeaningCash:
		return r.kindBySign(n, portfolio.KindDeposit, portfolio.KindWithdrawal)
	case MeaningCharge:
		return r.kindBySign(n, portfolio.KindFeeRefund, portfolio.KindFee)
	case MeaningLevy:
		return r.kindBySign(n, portfolio.KindTaxRefund, portfolio.KindTax)
	}
	return portfolio.Kind(meaning), nil
}

// kindBySign is what a payment was whose amount alone tells whether it came or went.
func (r *mappedReader) kindBySign(n mappedNumbers, inKind, outKind portfolio.Kind) (portfolio.Kind, error) {
	if r.Amounts != NumbersSigned || n.amount.Decimal.IsZero() {
		return "", fmt.Errorf("a payment whose direction nothing tells: amounts are not signed")
	}
	return mappedKindIf(n.amount.Decimal.IsPositive(), inKind, outKind), nil
}

func mappedKindIf(first bool, a, b portfolio.Kind) portfolio.Kind {
	if first {
		return a
	}
	return b
}

// checkSigns refuses a line whose signs say otherwise than its kind.
func (r *mappedReader) checkSigns(kind portfolio.Kind, n mappedNumbers) error {
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
	if q := n.quantity.Decimal; q.IsNegative() && !(gave && r.Quantities == NumbersSigned) || q.IsPositive() && gave && r.Quantities == NumbersSigned {
		return fmt.Errorf("a %s with a quantity of %s: the mapping says that quantities are %s", kind, q, r.Quantities)
	}
	if a := n.amount.Decimal; !free && (a.IsNegative() && !(paid && r.Amounts == NumbersSigned) || a.IsPositive() && paid && r.Amounts == NumbersSigned) {
		return fmt.Errorf("a %s with an amount of %s: the mapping says that amounts are %s", kind, a, r.Amounts)
	}
	for _, cost := range []decimal.Decimal{n.fee.Decimal, n.tax.Decimal} {
		if cost.IsNegative() != (r.Costs == CostsNegative) && !cost.IsZero() {
			return fmt.Errorf("a cost of %s: the mapping says that costs are %s; one that was paid back is recorded by hand", cost, r.Costs)
		}
	}
	return nil
}

// checkDuplicateColumns refuses a line on which columns of one name say different things: often the
// currency of the price and that of the amount, of which the mapping can name but one.
func (r *mappedReader) checkDuplicateColumns(t Table, row Row) error {
	for _, column := range r.duplicateColumns {
		first := t.Cell(row, column)
		for n := 1; n < len(row.Cells); n++ {
			if other := t.CellAt(row, column, n); other != "" && other != first {
				return fmt.Errorf("the column %q stands several times in the header and says %q and %q here: give each a name of its own in the header of the file",
					Shorten(column), Shorten(first), Shorten(other))
			}
		}
	}
	return nil
}

func (r *mappedReader) setSecurity(x *portfolio.Transaction, t Table, row Row) error {
	ticker, isin := mappedCell(t, row, r.Columns.Symbol), mappedCell(t, row, r.Columns.ISIN)
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
	x.Symbol, x.ISIN, err = ParseSecurity(ticker, isin)
	return err
}
