package importer

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// coinbaseConversionLegs reads the note of a conversion, "Converted 0.00363125 BTC to 156.145683 XRP".
func coinbaseConversionLegs(note string) (from, to coinbaseLeg, ok bool) {
	fields := strings.Fields(note)
	if len(fields) != 6 || fields[0] != "Converted" || fields[3] != "to" {
		return coinbaseLeg{}, coinbaseLeg{}, false
	}
	from.code, to.code = fields[2], fields[5]
	var err1, err2 error
	from.quantity, err1 = ParseNumber(fields[1], DecimalPoint)
	to.quantity, err2 = ParseNumber(fields[4], DecimalPoint)
	return from, to, err1 == nil && err2 == nil && from.quantity.IsPositive() && to.quantity.IsPositive()
}

// coinbaseLeg is one side of a conversion.
type coinbaseLeg struct {
	code     string
	quantity decimal.Decimal
}

// convert is a coin for another one: a sale and a purchase at the value that the
// file gives, and no cash.
func (r *coinbaseReader) convert(l coinbaseRow) ([]portfolio.Transaction, error) {
	from, to, ok := coinbaseConversionLegs(l.note)
	if !ok {
		return nil, errors.New("the note does not say what was converted to what; enter the sale and the purchase by hand")
	}
	if coinbaseUnstakedCode(from.code) == coinbaseUnstakedCode(to.code) && from.quantity.Equal(to.quantity) {
		return nil, IgnoreReason("a coin under another name: as many as before")
	}
	quantity := l.quantity.Abs()
	if l.asset == to.code && quantity.Equal(to.quantity) && !(l.asset == from.code) {
		return r.skipMirrored(l)
	}
	if l.asset != from.code || !quantity.Equal(from.quantity) {
		return nil, errors.New("the note says something else than the line; enter the sale and the purchase by hand")
	}
	sale, err := l.conversionSale()
	if err != nil {
		return nil, err
	}
	purchase := l.newTransaction(portfolio.KindBuy)
	purchase.Quantity, purchase.Amount, purchase.SourceID = to.quantity, sale.Amount.Sub(sale.Fee), "/purchase"
	purchase.Name = Shorten(coinbaseUnstakedCode(to.code))
	if sale.Symbol, err = coinbaseCoin(from.code); err != nil {
		return nil, err
	}
	if purchase.Symbol, err = coinbaseCoin(to.code); err != nil {
		return nil, err
	}
	return []portfolio.Transaction{sale, purchase}, nil
}

// conversionSale is the sale in a conversion. Its total is what was given, the subtotal
// what was got for it.
func (l coinbaseRow) conversionSale() (portfolio.Transaction, error) {
	t := l.newTransaction(portfolio.KindSell)
	t.SourceID = "/sale"
	if !l.subtotal.Valid || !l.total.Valid {
		return t, errors.New("the value of what was converted is missing; enter the sale and the purchase by hand")
	}
	t.Quantity, t.Amount, t.Fee, t.Price = l.quantity.Abs(), l.total.Decimal, l.total.Decimal.Sub(l.subtotal.Decimal), l.price
	if t.Fee.IsNegative() || l.fee.Valid && !coinbaseWithinCent(l.fee.Decimal, t.Fee) {
		return t, fmt.Errorf("subtotal %s and total %s do not agree; enter the sale and the purchase by hand", l.subtotal.Decimal, l.total.Decimal)
	}
	return t, l.checkPrice(t.Amount)
}

// skipMirrored is the line of what was got, which some exports have beside that of what
// was given.
func (r *coinbaseReader) skipMirrored(l coinbaseRow) ([]portfolio.Transaction, error) {
	if r.conversions[coinbaseConversionKey{l.time, l.note}] {
		return nil, IgnoreReason("the other side of a conversion, which is read from the line of what was given")
	}
	return nil, errors.New("the line of what was given for it is missing; enter the sale and the purchase by hand")
}

// coinbaseConversionKey tells a conversion by when it was made and what its note says.
type coinbaseConversionKey struct {
	at   time.Time
	note string
}
