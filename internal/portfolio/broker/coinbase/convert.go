package coinbase

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// legs reads the note of a conversion, "Converted 0.00363125 BTC to 156.145683 XRP".
func legs(note string) (from, to leg, ok bool) {
	words := strings.Fields(note)
	if len(words) != 6 || words[0] != "Converted" || words[3] != "to" {
		return leg{}, leg{}, false
	}
	from.code, to.code = words[2], words[5]
	var err1, err2 error
	from.quantity, err1 = sheet.Number(words[1], sheet.Point)
	to.quantity, err2 = sheet.Number(words[4], sheet.Point)
	return from, to, err1 == nil && err2 == nil && from.quantity.IsPositive() && to.quantity.IsPositive()
}

// leg is one side of a conversion.
type leg struct {
	code     string
	quantity decimal.Decimal
}

// convert is a coin for another one: a sale and a purchase at the value that the
// file gives, and no cash.
func (r *reader) convert(l line) ([]portfolio.Transaction, error) {
	from, to, ok := legs(l.note)
	if !ok {
		return nil, errors.New("the note does not say what was converted to what; enter the sale and the purchase by hand")
	}
	if unstaked(from.code) == unstaked(to.code) && from.quantity.Equal(to.quantity) {
		return nil, broker.LeftOut("a coin under another name: as many as before")
	}
	quantity := l.quantity.Abs()
	if l.asset == to.code && quantity.Equal(to.quantity) && !(l.asset == from.code) {
		return r.mirrored(l)
	}
	if l.asset != from.code || !quantity.Equal(from.quantity) {
		return nil, errors.New("the note says something else than the line; enter the sale and the purchase by hand")
	}
	sale, err := l.exchanged()
	if err != nil {
		return nil, err
	}
	purchase := l.begin(portfolio.KindBuy)
	purchase.Quantity, purchase.Amount, purchase.SourceID = to.quantity, sale.Amount.Sub(sale.Fee), "/purchase"
	purchase.Name = sheet.Shorten(unstaked(to.code))
	if sale.Symbol, err = coin(from.code); err != nil {
		return nil, err
	}
	if purchase.Symbol, err = coin(to.code); err != nil {
		return nil, err
	}
	return []portfolio.Transaction{sale, purchase}, nil
}

// exchanged is the sale in a conversion. Its total is what was given, the subtotal
// what was got for it.
func (l line) exchanged() (portfolio.Transaction, error) {
	t := l.begin(portfolio.KindSell)
	t.SourceID = "/sale"
	if !l.subtotal.Valid || !l.total.Valid {
		return t, errors.New("the value of what was converted is missing; enter the sale and the purchase by hand")
	}
	t.Quantity, t.Amount, t.Fee, t.Price = l.quantity.Abs(), l.total.Decimal, l.total.Decimal.Sub(l.subtotal.Decimal), l.price
	if t.Fee.IsNegative() || l.fee.Valid && !near(l.fee.Decimal, t.Fee) {
		return t, fmt.Errorf("subtotal %s and total %s do not agree; enter the sale and the purchase by hand", l.subtotal.Decimal, l.total.Decimal)
	}
	return t, l.plausible(t.Amount)
}

// mirrored is the line of what was got, which some exports have beside that of what
// was given.
func (r *reader) mirrored(l line) ([]portfolio.Transaction, error) {
	if r.given[given{l.time, l.note}] {
		return nil, broker.LeftOut("the other side of a conversion, which is read from the line of what was given")
	}
	return nil, errors.New("the line of what was given for it is missing; enter the sale and the purchase by hand")
}

// given tells a conversion by when it was made and what its note says.
type given struct {
	at   time.Time
	note string
}
