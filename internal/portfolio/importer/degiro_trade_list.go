package importer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// degiroTradeList is the list of trades with the places of its columns.
type degiroTradeList struct {
	rows []Row // below the header

	date, clock, product, isin, quantity, price, local, value, total int

	order  int   // -1 where there is none
	fee    []int // what DEGIRO and others charged for the trade
	autoFX []int // what it charged for exchanging the currency

	currency map[int]string // in the names of columns: "Total EUR"
}

// findDEGIROTrades finds the header of the list in any of its languages. It has a quantity
// and a price and no balance.
func findDEGIROTrades(rows []Row) (degiroTradeList, bool) {
	for i, row := range rows[:min(len(rows), maxDEGIROPreamble)] {
		if l, ok := degiroTradeListHeader(row); ok {
			l.rows = rows[i+1:]
			return l, true
		}
	}
	return degiroTradeList{}, false
}

func degiroTradeListHeader(row Row) (degiroTradeList, bool) {
	bare, currency := degiroCutCurrencies(row)
	place := degiroColumnFinder(bare)
	l := degiroTradeList{
		date:     place("datum", "date", "fecha", "data"),
		clock:    place("tijd", "time", "uhrzeit", "heure", "hora", "ora"),
		product:  place("product", "produkt", "produit", "producto", "prodotto", "produto"),
		isin:     place("isin", "code isin"),
		quantity: place("aantal", "quantity", "anzahl", "quantite", "numero", "quantita", "quantidade"),
		price:    place("koers", "price", "kurs", "cours", "precio", "quotazione", "preco", "precos"),
		local:    place("lokale waarde", "local value", "wert in lokalwahrung", "valeur locale", "valor local", "valore locale"),
		value:    place("waarde", "value", "wert", "valeur", "valor", "valore"),
		total:    place("totaal", "total", "gesamt", "totale"),
		order:    place("order id", "order-id", "id ordre", "id orden", "id ordine", "id da ordem"),
		currency: currency,
	}
	for _, column := range []int{l.date, l.clock, l.product, l.isin, l.quantity, l.price, l.local, l.value, l.total} {
		if column < 0 {
			return degiroTradeList{}, false
		}
	}
	for i := l.value + 1; i < l.total; i++ {
		switch name := degiroNormalize(bare.At(i)); {
		case strings.Contains(name, "autofx"):
			l.autoFX = append(l.autoFX, i)
		case degiroClassOf(name, degiroVocabulary()) == degiroFee || strings.HasPrefix(name, "transaction and/or third"):
			l.fee = append(l.fee, i)
		}
	}
	return l, len(l.fee) > 0
}

// degiroCutCurrencies takes the currency off the names that end with one.
func degiroCutCurrencies(row Row) (Row, map[int]string) {
	currency := map[int]string{}
	cells := slices.Clone(row.Cells)
	for i := range cells {
		name := row.At(i)
		if n := len(name) - 4; n > 0 && name[n] == ' ' && ValidCurrency(name[n+1:]) {
			cells[i], currency[i] = name[:n], name[n+1:]
		}
	}
	return Row{Line: row.Line, Cells: cells}, currency
}

// readTradeList reads the list of trades.
func (r *degiroReader) readTradeList(l degiroTradeList, o Options) {
	sign := l.sign()
	exchanged := l.splitLines(sign)
	for _, row := range l.rows {
		if row.Empty() {
			continue
		}
		if exchanged[row.Line] {
			r.collector.Problem(row, "shares that came and others that left at the same moment for the same sum, of no order: what a company did with its shares and no trade; read the account statement, which has the word for it, or record a split or merger by hand")
			continue
		}
		t, mark, err := l.trade(row, sign, o)
		if err != nil {
			r.collector.Problem(row, "%v", err)
			continue
		}
		r.collector.Add(t, r.counter.ID(mark), row)
	}
}

// splitLines are the lines by which shares became others. The list writes a split as a
// sale of all the old shares and a purchase of all the new ones, and has no word for
// it: both are of no order, and for the same sum.
func (l degiroTradeList) splitLines(sign DecimalSeparator) map[int]bool {
	type occasion struct{ day, clock, currency, sum string }
	incoming, outgoing := map[occasion][]int{}, map[occasion][]int{}
	for _, row := range l.rows {
		quantity, err := parseDEGIRONumber(row.At(l.quantity), sign)
		if err != nil || l.orderNumber(row) != "" {
			continue
		}
		currency, sum, err := l.money(row, l.local, sign)
		if err != nil {
			continue
		}
		into := incoming
		if quantity.Decimal.IsNegative() {
			into = outgoing
		}
		at := occasion{row.At(l.date), row.At(l.clock), currency, sum.Abs().String()}
		into[at] = append(into[at], row.Line)
	}
	lines := map[int]bool{}
	for at := range incoming {
		if len(outgoing[at]) == 0 {
			continue
		}
		for _, line := range slices.Concat(incoming[at], outgoing[at]) {
			lines[line] = true
		}
	}
	return lines
}

// orderNumber is that of the order, empty where there is none.
func (l degiroTradeList) orderNumber(row Row) string {
	order := row.At(l.order)
	if order == "" && l.order >= 0 {
		// Newer files have the number under the nameless column behind its own.
		order = row.At(l.order + 1)
	}
	return order
}

func (l degiroTradeList) sign() DecimalSeparator {
	var written []string
	for _, row := range l.rows {
		written = append(written, row.At(l.price), row.At(l.local), row.At(l.value), row.At(l.total))
	}
	sign, _ := GuessDecimalSeparator(written)
	return sign
}

// money reads an amount with its currency, which stands in the next cell or in the
// name of the column.
func (l degiroTradeList) money(row Row, column int, sign DecimalSeparator) (string, decimal.Decimal, error) {
	currency, ok := l.currency[column]
	if !ok {
		currency = row.At(column + 1)
	}
	d, err := parseDEGIRONumber(row.At(column), sign)
	if err == nil && d.Valid && !ValidCurrency(currency) {
		err = fmt.Errorf("the currency of %s is missing: record the trade by hand", d.Decimal)
	}
	return currency, d.Decimal, err
}

// trade reads a row: the amount is the value in the account's currency, and the fees
// are what leads from there to the total.
func (l degiroTradeList) trade(row Row, sign DecimalSeparator, o Options) (portfolio.Transaction, []string, error) {
	fail := func(err error) (portfolio.Transaction, []string, error) { return portfolio.Transaction{}, nil, err }
	day, err := ParseDay(row.At(l.date), degiroDateLayout)
	if err != nil {
		return fail(err)
	}
	quantity, err := parseDEGIRONumber(row.At(l.quantity), sign)
	if err != nil || quantity.Decimal.IsZero() {
		return fail(fmt.Errorf("the quantity is missing or unclear (%v): record the trade by hand", err))
	}
	currency, value, err := l.money(row, l.value, sign)
	if err != nil {
		return fail(err)
	}
	sold := quantity.Decimal.IsNegative()
	if value.IsZero() || sold == value.IsNegative() {
		return fail(fmt.Errorf("the value %s does not fit the quantity %s: a change of shares that no cash was paid for is recorded by hand, as a split, merger or spin-off", value, quantity.Decimal))
	}
	fees, err := l.fees(row, currency, value, sign)
	if err != nil {
		return fail(err)
	}
	t := portfolio.Transaction{Date: day, Kind: portfolio.KindBuy, Quantity: quantity.Decimal.Abs(), Currency: currency, Amount: value.Abs(), Fee: fees}
	if sold {
		t.Kind = portfolio.KindSell
	}
	if t.Symbol, t.ISIN, err = ParseSecurity("", row.At(l.isin)); err != nil {
		return fail(err)
	}
	t.Name = Shorten(row.At(l.product))
	return l.withPrice(t, row, sign, o)
}

// fees are what lies between value and total, which has to be what the columns of
// fees say. Some files have the one of AutoFX in the total and some in the value.
func (l degiroTradeList) fees(row Row, currency string, value decimal.Decimal, sign DecimalSeparator) (decimal.Decimal, error) {
	charged, err := sumDEGIROColumns(row, l.fee, sign)
	if err != nil {
		return charged, err
	}
	exchanged, err := sumDEGIROColumns(row, l.autoFX, sign)
	if err != nil {
		return charged, err
	}
	paid, total, err := l.money(row, l.total, sign)
	if err != nil {
		return charged, err
	}
	fees, cent := value.Sub(total), decimal.New(1, -2)
	known := fees.Add(charged).Abs().LessThanOrEqual(cent) || fees.Add(charged).Add(exchanged).Abs().LessThanOrEqual(cent)
	if paid != currency || fees.IsNegative() || !known {
		return fees, fmt.Errorf("%s %s and fees of %s and %s do not make the total of %s %s: compare the trade with DEGIRO's statement and record it by hand",
			value, currency, charged, exchanged, total, paid)
	}
	return fees, nil
}

func sumDEGIROColumns(row Row, columns []int, sign DecimalSeparator) (decimal.Decimal, error) {
	var sum decimal.Decimal
	for _, column := range columns {
		d, err := parseDEGIRONumber(row.At(column), sign)
		if err != nil {
			return sum, err
		}
		sum = sum.Add(d.Decimal)
	}
	return sum, nil
}

// withPrice adds the moment and the price, and gives the marks by which the statement
// knows the same trade.
func (l degiroTradeList) withPrice(t portfolio.Transaction, row Row, sign DecimalSeparator, o Options) (portfolio.Transaction, []string, error) {
	moment, err := ParseTime(row.At(l.date)+" "+row.At(l.clock), o.Zone, degiroDateLayout+" 15:04")
	if err != nil {
		return t, nil, err
	}
	t.Time = moment
	quoted, price, err := l.money(row, l.price, sign)
	if err != nil {
		return t, nil, err
	}
	if quoted == t.Currency {
		t.Price = decimal.NewNullDecimal(price)
	} else {
		t.Note = fmt.Sprintf("%s %s a share", price, quoted)
	}
	currency, local, err := l.money(row, l.local, sign)
	if err != nil {
		return t, nil, err
	}
	if quoted == degiroPenceFactor {
		quoted, price = "GBP", price.Shift(-2)
	}
	if currency == degiroPenceFactor {
		currency, local = "GBP", local.Shift(-2) // as the statement has it
	}
	if product := t.Quantity.Mul(price); quoted != currency || !degiroSameMagnitude(product, local.Abs()) {
		return t, nil, fmt.Errorf("%s at %s %s are not %s %s: a contract of several units, a bond in per cent, or a mistake; record the trade by hand",
			t.Quantity, price, quoted, local.Abs(), currency)
	}
	same := degiroRow{moment: moment, isin: t.ISIN, currency: currency, change: decimal.NewNullDecimal(local), order: l.orderNumber(row)}
	return t, same.identity(string(t.Kind)), nil
}

// degiroSameMagnitude allows for a price that was rounded: what is not counted one by one is off
// by ten times or a hundred.
func degiroSameMagnitude(product, sum decimal.Decimal) bool {
	return product.Sub(sum).Abs().LessThanOrEqual(sum.Shift(-2).Add(decimal.New(2, -2)))
}
