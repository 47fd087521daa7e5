package importer

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// MappedFormat returns the mapping as a Format. Recognizes is always false, because matching
// columns do not identify the broker.
func MappedFormat(m Mapping) Format {
	return Format{
		Name:       m.Name,
		Title:      m.Name + ", by a column mapping",
		Recognizes: func(File) bool { return false },
		Read:       func(f File, o Options) (Statement, error) { return ReadMapped(f, m, o) },
	}
}

// ReadMapped reads a file with a mapping. An invalid or incomplete mapping returns all its errors
// and open questions; a file without one of its columns is ErrFormat.
func ReadMapped(f File, m Mapping, o Options) (Statement, error) {
	if err := m.Validate(); err != nil {
		return Statement{}, err
	}
	return m.spec().read(f, o)
}

// PreviewLine is a line of the file and the transactions read from it.
type PreviewLine struct {
	Row     Row     `json:"row"`
	Entries []Entry `json:"entries,omitempty"`
	Problem string  `json:"problem,omitempty"`
	Ignored string  `json:"ignored,omitempty"`
}

// PreviewMapped reads the first n lines, for the user to check.
func PreviewMapped(f File, m Mapping, o Options, n int) ([]PreviewLine, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	var rows []Row
	reader := m.spec()
	open := reader.open
	reader.open = func(s *spec, f File) (Table, error) {
		table, err := open(s, f)
		table.Rows = slices.DeleteFunc(table.Rows, Row.Empty)
		rows = table.Rows[:min(n, len(table.Rows))]
		table.Rows = rows
		return table, err
	}
	s, err := reader.read(f, o)
	if err != nil {
		return nil, err
	}
	entries, reasons, ignored := map[int][]Entry{}, map[int]string{}, map[int]string{}
	for _, e := range s.Entries {
		entries[e.Lines[0]] = append(entries[e.Lines[0]], e)
	}
	for _, p := range s.Problems {
		reasons[p.Line] = p.Reason
	}
	for _, p := range s.Ignored {
		ignored[p.Line] = p.Reason
	}
	var lines []PreviewLine
	for _, row := range rows {
		lines = append(lines, PreviewLine{Row: row, Entries: entries[row.Line], Problem: reasons[row.Line], Ignored: ignored[row.Line]})
	}
	return lines, nil
}

// spec converts the mapping to a spec. The mapping's methods handle what a broker's format fixes but a
// user's table leaves open.
func (m Mapping) spec() spec {
	c := m.Columns
	s := spec{
		name: m.Name, blanks: []string{"-"},
		date: c.Date, action: c.Kind, symbol: c.Symbol, isin: c.ISIN, security: c.Name, id: c.ID, currency: c.Currency,
		quantity: c.Quantity, price: c.Price, amount: c.Amount, balance: c.Balance,
		marks: true, loose: true, net: m.Totals == TotalsNet,
		parse: m.parse, join: m.rejectRepeatedNumbers,
	}
	var repeated []string
	s.open = func(s *spec, f File) (Table, error) {
		table, err := m.open(s, f)
		repeated = slices.DeleteFunc(c.nonEmpty(), func(column string) bool { return len(table.indexes(column)) < 2 })
		return table, err
	}
	s.when = func(l *specLine) error { return m.when(l, repeated) }
	if m.Decimal != "" {
		s.decimal = DecimalSeparator(m.Decimal[0])
	}
	fees, taxes := strings.Split(c.Fee, costSeparator), strings.Split(c.Tax, costSeparator)
	s.fee, s.tax = fees[0], taxes[0]
	s.others = slices.Concat(fees[1:], taxes[1:])
	for _, column := range []string{c.Rate, c.Paid} {
		if column != "" {
			s.others = append(s.others, column)
		}
	}
	layout, _ := parseDateLayout(m.Date) // checked by Validate
	s.layouts = []string{layout}
	if m.Fixed.Kind != "" {
		s.rules = append(s.rules, m.rule("", m.Fixed.Kind))
	}
	for word, meaning := range m.Kinds {
		if meaning != "" {
			s.rules = append(s.rules, m.rule(word, meaning))
		}
	}
	return s
}

func (m Mapping) rule(word, meaning string) rule {
	r := ruleOf(word, meaning)
	if r.book = m.book; r.ignore != "" {
		r.ignore = "ignored by the mapping"
	}
	return r
}

// open reads the header from the line given by the mapping.
func (m Mapping) open(_ *spec, f File) (Table, error) {
	rows, err := f.Rows(m.comma())
	if err != nil {
		return Table{}, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	for len(rows) > 0 && rows[0].Line <= m.Skip {
		rows = rows[1:]
	}
	if len(rows) == 0 {
		return Table{}, fmt.Errorf("%s: %w: no lines below line %d", f.Name, ErrFormat, m.Skip)
	}
	table := NewTable(rows[0], rows[1:])
	for _, column := range m.Columns.nonEmpty() {
		if !table.Has(column) {
			return Table{}, fmt.Errorf("%s: %w: line %d has no column %q", f.Name, ErrFormat, rows[0].Line, Shorten(column))
		}
	}
	return table, nil
}

// Fits reports whether a file has the mapping's header: all its columns, in the line expected.
func (m Mapping) Fits(f File) bool {
	_, err := m.open(nil, f)
	return err == nil && m.Validate() == nil
}

// Described returns the mapping's columns and conventions by the names in MappingFields.
func (m Mapping) Described() map[string]string {
	said := map[string]string{}
	for _, fields := range []map[string]*string{m.Columns.fields(), m.conventions()} {
		for field, value := range fields {
			said[field] = *value
		}
	}
	return said
}

// Unread returns the columns of a file that the mapping does not read.
func (m Mapping) Unread(f File) []string {
	table, err := m.open(nil, f)
	if err != nil {
		return nil
	}
	used := m.Columns.nonEmpty()
	var unread []string
	for _, cell := range table.Header.Cells {
		if cell = trimCell(cell); cell != "" && !slices.Contains(used, cell) {
			unread = append(unread, Shorten(cell))
		}
	}
	return unread
}

// NamesCurrency reports whether an amount or price in the file has its currency in the same cell.
func NamesCurrency(f File, m Mapping) bool {
	table, err := m.open(nil, f)
	if err != nil || m.Decimal == "" {
		return false
	}
	return slices.ContainsFunc(table.Rows, func(row Row) bool {
		return slices.ContainsFunc([]string{m.Columns.Amount, m.Columns.Price}, func(column string) bool {
			_, currency, err := ParseMoney(table.Cell(row, column), DecimalSeparator(m.Decimal[0]))
			return err == nil && currency != ""
		})
	})
}

// when reads the date and time.
func (m Mapping) when(l *specLine, repeated []string) error {
	if isFooter(l.row) {
		return IgnoreReason("text or totals below the table")
	}
	switch {
	case l.rule() != &unknownRule:
	case strings.Contains(l.action, "split"):
		return fmt.Errorf("%q: a table does not say the ratio of a split; enter the transaction by hand", Shorten(l.word))
	default:
		return fmt.Errorf("%q has no meaning: set meanings, such as %q", Shorten(l.word), Shorten(l.word)+"=dividend")
	}
	if err := checkDuplicateColumns(l, repeated); err != nil {
		return err
	}
	if err := m.checkStatus(l); err != nil {
		return err
	}
	text, layout := l.cell(m.Columns.Date), l.layouts[0]
	clock, _ := parseDateLayout(m.Time)
	timed := strings.Contains(layout, "15")
	if at := l.cell(m.Columns.Time); at != "" {
		text, layout, timed = text+" "+at, layout+" "+clock, true
	}
	zone, _ := time.LoadLocation(m.Zone)
	at, err := ParseTime(text, zone, layout)
	if err != nil {
		return fmt.Errorf("date %q does not match %s", Shorten(text), m.Date)
	}
	// If the times have a known zone, dates are in the account's zone, or as written if it has none.
	offset := strings.Contains(layout+clock, "Z07:00")
	switch {
	case !timed:
	case (m.Zone != "" || offset) && l.options.Zone != nil:
		at = at.In(l.options.Zone)
	case offset && m.Zone == "":
		at, _ = time.Parse(layout, text) // as written, in its own zone
	}
	if l.date = DayOf(at); timed {
		l.time = at
	}
	return nil
}

// isFooter reports whether a row has totals, or text in only one of several cells.
func isFooter(row Row) bool {
	first, filled := "", 0
	for _, cell := range row.Cells {
		if trimCell(cell) == "" {
			continue
		}
		if filled++; filled == 1 {
			first = cell
		}
	}
	return filled == 1 && len(row.Cells) != 2 || filled > 0 && totalWords().MatchString(foldName(first))
}

// checkStatus ignores a line that was not executed.
func (m Mapping) checkStatus(l *specLine) error {
	status := foldWord(l.cell(m.Columns.Status))
	switch {
	case status == "" || executedWords().MatchString(status):
		return nil
	case pendingWords().MatchString(status):
		return IgnoreReason("not executed")
	}
	return fmt.Errorf("unknown status %q: enter the line by hand if it was executed", Shorten(status))
}

var (
	executedWords = lazyregexp.New(`^(executed|completed?|filled|settled|booked|done|success(ful)?|confirmed|closed|ausgeführt|abgerechnet|erledigt|exécuté|ejecutad[oa]|eseguit[oa]|uitgevoerd)$`)
	pendingWords  = lazyregexp.New(`cancel|reject|expire|pending|open|fail|revert|declined|storni|abgelehnt|offen|annulé|cancelad|annullat|geannuleerd|partially`)
	totalWords    = lazyregexp.New(`^(grand |sub)?(total|totals|sum|summe|gesamt|gesamtsumme|somme|totale|totaal|suma|razem|summa|合计|总计|合計)([^a-z]|$)`)
	isinPattern   = lazyregexp.New(`\b[A-Z]{2}[A-Z0-9]{9}[0-9]\b`)
)

// checkDuplicateColumns returns an error if columns with the same name have different values in a
// line: often the currency of the price and that of the amount, and the mapping can name only one.
func checkDuplicateColumns(l *specLine, repeated []string) error {
	for _, column := range repeated {
		first := l.table.Cell(l.row, column)
		for n := 1; n < len(l.table.indexes(column)); n++ {
			if other := l.table.CellAt(l.row, column, n); other != "" && other != first {
				return fmt.Errorf("several columns are named %q and have different values here, %q and %q: rename them in the file's header",
					Shorten(column), Shorten(first), Shorten(other))
			}
		}
	}
	return nil
}

// parse finds the account and the currencies of a line.
func (m Mapping) parse(l *specLine) error {
	l.account = cmp.Or(l.options.Account, l.cell(m.Columns.Account), m.Fixed.Account)
	if paid := l.others[m.Columns.Paid]; paid.Valid {
		l.amount = decimal.NewNullDecimal(l.amount.Decimal.Sub(paid.Decimal.Abs()))
	}
	for cost, columns := range map[*decimal.NullDecimal]string{&l.fee: m.Columns.Fee, &l.tax: m.Columns.Tax} {
		for _, column := range strings.Split(columns, costSeparator)[1:] {
			cost.Decimal = cost.Decimal.Add(l.others[column].Decimal)
		}
	}
	l.feeCurrency = cmp.Or(l.cell(m.Columns.FeeCurrency), l.feeCurrency, currencyInName(m.Columns.Fee))
	if l.isin == "" && l.symbol == "" {
		l.isin = isinPattern().FindString(l.cell(m.Columns.Name)) // "All-World / ISIN IE00BK5BQT80"
	}
	l.currency = cmp.Or(l.currency, m.Fixed.Currency, l.options.Currency)
	if err := m.toMajorUnits(l); err != nil {
		return err
	}
	if !ValidCurrency(l.currency) {
		return fmt.Errorf("no currency: map a column, or set fixed.currency (found %q)", Shorten(l.currency))
	}
	return nil
}

// toMajorUnits converts pence to pounds if the line proves that all its amounts are in pence. Many
// tables have prices in pence next to amounts and fees in pounds, with the price's currency in the
// currency column.
func (m Mapping) toMajorUnits(l *specLine) error {
	whole, places := market.MinorUnit(l.currency)
	if whole == "" {
		return nil
	}
	sums, costs := []*decimal.NullDecimal{&l.price, &l.amount, &l.tax}, l.tax.Decimal.Abs()
	// A fee with its own currency proves nothing about the other amounts.
	if l.feeCurrency == "" || l.feeCurrency == l.currency {
		sums, costs = append(sums, &l.fee), costs.Add(l.fee.Decimal.Abs())
	}
	product, proven := l.mappedProduct()
	proven = proven && (costs.IsZero() || l.amount.Valid && l.net)
	if l.amount.Valid && costs.IsZero() {
		proven = proven && l.amount.Decimal.Abs().Sub(product).Abs().LessThanOrEqual(l.mappedSlack())
	}
	if !proven {
		return fmt.Errorf("currency is %s, but the file does not show whether amount and costs are in %s too: enter the line by hand in %s", Shorten(l.currency), Shorten(l.currency), whole)
	}
	for _, sum := range sums {
		sum.Decimal = sum.Decimal.Shift(-places)
	}
	if l.feeCurrency == l.currency {
		l.feeCurrency = whole
	}
	l.currency = whole
	return nil
}

// rejectRepeatedNumbers rejects lines that repeat a number, because equal fills of one order and
// duplicate lines cannot be told apart.
func (m Mapping) rejectRepeatedNumbers(r *specReader, lines []*specLine) {
	first := map[recordKey]int{} // first line with the number
	for _, l := range lines {
		key := recordKey{l.account, l.id}
		switch line := first[key]; {
		case l.id == "":
		case line == 0:
			first[key] = l.row.Line
		default:
			r.collector.Problem(l.row, "has the same number %s as line %d: if column %q has order numbers, which several fills share, remove columns.id from the mapping; otherwise the line is a duplicate and is skipped",
				Shorten(l.id), line, Shorten(m.Columns.ID))
		}
	}
}

// book sets the numbers of a transaction. The amount is that of the file before fee and tax, or
// quantity times price if there is none; if there are both, they must agree within rounding. A fee
// in another currency is a separate transaction.
func (m Mapping) book(l *specLine) ([]portfolio.Transaction, error) {
	kind, err := m.kind(l)
	if err != nil {
		return nil, err
	}
	if err := m.checkSigns(kind, l); err != nil {
		return nil, err
	}
	t := portfolio.Transaction{
		Date: l.date, Time: l.time, Account: l.account, Kind: kind, Currency: l.currency, Name: l.cell(m.Columns.Name), Note: l.cell(m.Columns.Note),
	}
	switch {
	case kind == portfolio.KindDeposit || kind == portfolio.KindWithdrawal:
		t.Name, t.Note = "", cmp.Or(t.Note, t.Name)
	case l.symbol != "" || l.isin != "":
		quoted := "" // dividends may be in another currency than prices
		if product, ok := l.mappedProduct(); ok && (kind == portfolio.KindBuy || kind == portfolio.KindSell) && !m.converted(l, product, l.amount.Decimal.Abs()) {
			quoted = l.currency
		}
		listing := Listing{Ticker: l.symbol, ISIN: l.isin, Currency: quoted, Name: l.cell(m.Columns.Name), AnyAsset: true}
		if _, coin := listing.Coin(); coin {
			listing.Currency = l.currency
		}
		// Interest on "#2021396" is not for a security.
		if t.Symbol, t.ISIN, err = l.collector.Identify(listing); err != nil && (kind != portfolio.KindInterest || l.isin != "") {
			return nil, err
		}
	case movesShares(kind):
		return nil, errors.New("missing symbol or ISIN: enter the line by hand")
	}
	txs := []portfolio.Transaction{t}
	t.Fee, t.Tax = l.fee.Decimal.Abs(), l.tax.Decimal.Abs()
	if l.feeCurrency != "" && l.feeCurrency != l.currency && !t.Fee.IsZero() {
		if !ValidCurrency(l.feeCurrency) {
			return nil, fmt.Errorf("fee currency %q is not a currency", Shorten(l.feeCurrency))
		}
		txs = append(txs, portfolio.Transaction{
			Kind: portfolio.KindFee, Date: t.Date, Time: t.Time, Account: t.Account, Symbol: t.Symbol, ISIN: t.ISIN,
			Currency: l.feeCurrency, Amount: t.Fee, SourceID: "-fee",
		})
		t.Fee = decimal.Zero
	}
	if err := m.setAmount(l, &t); err != nil {
		return nil, err
	}
	if named := cmp.Or(l.cell(m.Columns.Currency), m.Fixed.Currency, l.feeCurrency); named == "" && !l.net && !t.Fee.Add(t.Tax).IsZero() && l.cell(m.Columns.Price) != "" && !t.Price.Valid && t.Quantity.IsPositive() {
		return nil, fmt.Errorf("price and amount are in different currencies, and the file does not say which one the fee of %s is in: enter the line by hand", t.Fee.Add(t.Tax))
	}
	txs[0] = t
	return txs, nil
}

// isPayment reports whether transactions of the kind cost money.
func isPayment(kind portfolio.Kind) bool {
	switch kind {
	case portfolio.KindBuy, portfolio.KindFee, portfolio.KindTax, portfolio.KindInterestDue, portfolio.KindWithdrawal:
		return true
	}
	return false
}

// kind resolves meanings that depend on the sign.
func (m Mapping) kind(l *specLine) (portfolio.Kind, error) {
	r := l.rule()
	signed := m.Amounts == NumbersSigned && !l.amount.Decimal.IsZero()
	switch {
	case (r.kind == portfolio.KindTransferIn || r.kind == portfolio.KindTransferOut) && l.symbol == "" && l.isin == "" && !l.amount.Decimal.IsZero():
		if r.kind == portfolio.KindTransferIn {
			return portfolio.KindDeposit, nil
		}
		return portfolio.KindWithdrawal, nil
	case r.kind != "":
		return r.kind, nil
	case r.in != portfolio.KindBuy && !signed:
		return "", errors.New("cannot tell deposits from withdrawals: all amounts are positive; add a sign or a type column")
	case r.in != portfolio.KindBuy:
		return kindBySign(l.amount.Decimal, r.in, r.out), nil
	case m.Quantities == NumbersSigned && !l.quantity.Decimal.IsZero():
		return kindBySign(l.quantity.Decimal, r.in, r.out), nil
	case signed:
		return kindBySign(l.amount.Decimal, r.out, r.in), nil
	}
	return "", errors.New("cannot tell buys from sells: quantities and amounts have no sign")
}

// checkSigns returns an error if the signs of a line contradict its kind.
func (m Mapping) checkSigns(kind portfolio.Kind, l *specLine) error {
	gave := m.Quantities == NumbersSigned && (kind == portfolio.KindSell || kind == portfolio.KindTransferOut)
	if q := l.quantity.Decimal; !q.IsZero() && q.IsNegative() != gave {
		return fmt.Errorf("%s with a quantity of %s, but the mapping has %s quantities", kind, q, m.Quantities)
	}
	// Shares moved without cash may have a value of either sign; a reinvested dividend is both
	// received and paid.
	free := kind == portfolio.KindTransferIn || kind == portfolio.KindTransferOut || kind == portfolio.KindReinvest
	// In a file without signs, a payment may still be negative, and so may the value of shares given away.
	unsigned := m.Amounts == NumbersUnsigned && (isPayment(kind) || gave)
	if a := l.amount.Decimal; !free && !unsigned && !a.IsZero() && a.IsNegative() != isPayment(kind) {
		return fmt.Errorf("%s with an amount of %s, but the mapping has %s amounts", kind, a, m.Amounts)
	}
	for _, cost := range []decimal.Decimal{l.fee.Decimal, l.tax.Decimal} {
		if cost.IsNegative() != (m.Costs == CostsNegative) && !cost.IsZero() {
			return fmt.Errorf("cost of %s, but the mapping has %s costs; enter refunded costs by hand", cost, m.Costs)
		}
	}
	return nil
}

// setAmount sets quantity, price and amount of a transaction that has its fee and tax.
func (m Mapping) setAmount(l *specLine, t *portfolio.Transaction) error {
	amount := l.amount.Decimal.Abs()
	if l.net {
		amount = amountBeforeCosts(t.Kind, amount, t.Fee.Add(t.Tax))
	}
	if !movesShares(t.Kind) {
		t.Amount = amount
		return nil
	}
	product, ok := l.mappedProduct()
	converted := m.converted(l, product, amount)
	switch {
	case !l.amount.Valid:
		amount = product
	case converted:
		l.price = decimal.NullDecimal{} // in another currency than the amount
	case t.Kind == portfolio.KindDividend && product.IsZero(): // the columns are for trades
	case ok && amount.Sub(product).Abs().GreaterThan(l.mappedSlack()):
		return fmt.Errorf("%s at %s is %s, not %s: check the line, its currency, and whether amounts are gross or net",
			l.quantity.Decimal.Abs(), l.price.Decimal.Abs(), product, amount)
	}
	t.Amount = amount
	if t.Kind != portfolio.KindDividend && t.Kind != portfolio.KindReturnOfCapital { // the quantity is of shares held, not received
		t.Quantity = l.quantity.Decimal.Abs()
		t.Price = decimal.NullDecimal{Decimal: l.price.Decimal.Abs(), Valid: l.price.Valid}
	}
	switch {
	case t.Kind == portfolio.KindTransferIn && amount.IsZero():
		t.CostUnknown, t.Price = true, decimal.NullDecimal{}
	case t.Kind == portfolio.KindTransferOut:
		t.Amount, t.Price = decimal.Zero, decimal.NullDecimal{}
	}
	if t.Fee.IsZero() && t.Tax.IsZero() && t.Amount.IsZero() && !t.Price.Valid {
		t.Currency = ""
	}
	return nil
}

// converted reports whether the amount is quantity times price at the exchange rate of the line.
func (m Mapping) converted(l *specLine, product, amount decimal.Decimal) bool {
	rate := l.others[m.Columns.Rate].Decimal
	if m.Columns.Rate == "" || !rate.IsPositive() || rate.Equal(decimal.NewFromInt(1)) {
		return false
	}
	slack := l.mappedSlack().Add(product.Mul(decimal.New(1, -4))) // rates are rounded
	away := func(value, factor decimal.Decimal) bool {
		return value.Sub(amount).Abs().LessThanOrEqual(slack.Mul(decimal.Max(factor, decimal.NewFromInt(1))))
	}
	inverse := decimal.NewFromInt(1).DivRound(rate, 12)
	return away(product.Mul(rate), rate) || away(product.Mul(inverse), inverse)
}

func (l *specLine) mappedProduct() (decimal.Decimal, bool) {
	return l.quantity.Decimal.Mul(l.price.Decimal).Abs(), l.quantity.Valid && l.price.Valid
}

// mappedSlack returns the tolerance for rounding. It adds half of the price's last digit per share and, for a
// fractional quantity, half of its last digit at the price. It also adds two of the last digit of the
// amount, whose fees may have been rounded separately, or half a unit if the amount is whole, as in
// currencies without cents.
func (l *specLine) mappedSlack() decimal.Decimal {
	q, p, a := l.quantity.Decimal, l.price.Decimal, l.amount.Decimal
	slack := q.Abs().Mul(halfOfLastDigit(p, 2))
	if !q.IsInteger() {
		slack = slack.Add(p.Abs().Mul(halfOfLastDigit(q, 0)))
	}
	if a.Exponent() >= 0 { // written without decimals
		return slack.Add(decimal.New(5, -1))
	}
	return slack.Add(halfOfLastDigit(a, 2).Mul(decimal.NewFromInt(4)))
}
