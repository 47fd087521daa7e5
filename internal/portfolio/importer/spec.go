package importer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// spec describes the table that a broker exports. What a spec cannot say is in its functions.
type spec struct {
	name, title string
	header      []string // columns that every version of the export has; "a|b" is either
	blanks      []string // cells that mean an empty one, such as "-"

	// Names of columns. Of "a|b" the first counts that has something in the line.
	date, action, symbol, isin, security, id string
	currency                                 string
	quantity, price, amount, fee, tax        string
	others                                   []string // of numbers that only functions look at

	layouts []string // of package time; times without a zone are in the account's
	utc     bool     // or in UTC

	decimal DecimalSeparator // of all numbers; 0 if a file may have both
	guessed bool             // take decimal only if the numbers of the file do not show theirs
	sums    []string         // columns of numbers that a function reads, which show the decimal too
	money   string           // the currency of all sums, which may have its sign beside them
	priced  bool             // every trade has its price
	net     bool             // amounts are what moved in cash, after fee and tax
	// tolerance is the part of an amount by which quantity times price may be off, besides rounding.
	tolerance decimal.Decimal

	rules []rule

	// when reads the date of a line that the layouts alone cannot read.
	when func(l *specLine) error
	// parse reads what else a line says. An error, or an IgnoreReason, leaves the line out.
	parse func(l *specLine) error
	// join records lines that belong together, and says what lines need to know of each other.
	join func(r *specReader, lines []*specLine)
	// check refuses a line for what its kind alone does not tell.
	check func(l *specLine) error
	// identify finds the security of a line, and returns none if the line names none.
	identify func(l *specLine) (market.Symbol, string, error)
	// finish looks at all lines after they were recorded.
	finish func(r *specReader, lines []*specLine)
	// note describes payments of no security.
	note func(l *specLine) string
	// complete returns the transactions of a line of which t is the first.
	complete func(l *specLine, t portfolio.Transaction) ([]portfolio.Transaction, error)
	// fingerprint is what does not change of a line from export to export, for lines without
	// a number of the broker's; nil takes all cells.
	fingerprint func(l *specLine) []string
}

// rule says what some of the broker's words mean: one kind, or the kind that the sign of the
// amount (of shares that move without cash, of the quantity) tells. An empty kind of a sign means
// that such a line is a problem.
type rule struct {
	words   string // in lower case, separated by "|"; "dividend*" alone is all that begin with it
	kind    portfolio.Kind
	in, out portfolio.Kind
	short   bool   // the sale may open a short position
	note    string // in place of that of the spec
	ignore  string // the reason to ignore the line
	problem string // why it is no transaction; {shares}, {symbol} and {amount} are those of the line
	book    func(l *specLine) ([]portfolio.Transaction, error)
}

// specLine is a line with its cells read. Numbers are invalid if their cell is empty.
type specLine struct {
	*specReader
	row                               Row
	word, action                      string // as it is written; in lower case with single blanks
	date                              market.Date
	time                              time.Time
	currency, symbol, isin, id        string
	quantity, price, amount, fee, tax decimal.NullDecimal
	others                            map[string]decimal.NullDecimal
}

// specReader is what is known of a file.
type specReader struct {
	*spec
	collector *Collector
	table     Table
	options   Options
	sign      DecimalSeparator
	byWord    map[string]*rule
}

func (s spec) format() Format {
	return Format{Name: s.name, Title: s.title, Recognizes: func(f File) bool { return HasTable(f, s.header...) }, Read: s.read}
}

func (s spec) read(f File, o Options) (Statement, error) {
	table, err := ReadTable(f, s.header...)
	if err != nil {
		return Statement{}, err
	}
	r := &specReader{spec: &s, collector: NewCollector(s.name, o), table: table, options: o, sign: s.decimal, byWord: map[string]*rule{}}
	if err := CheckDayOrder(f, table.Rows, func(row Row) string { return r.cell(row, s.date) }, s.layouts...); err != nil {
		return Statement{}, err
	}
	if err := r.findDecimalSeparator(f); err != nil {
		return Statement{}, err
	}
	for i := range s.rules {
		for word := range strings.SplitSeq(s.rules[i].words, "|") {
			r.byWord[word] = &s.rules[i]
		}
	}
	r.readLines()
	return r.collector.Statement(table.Rows), nil
}

func (r *specReader) readLines() {
	var lines []*specLine
	for _, row := range r.table.Rows {
		if row.Empty() {
			continue
		}
		l, err := r.parseLine(row)
		if err != nil {
			r.collector.Skip(err, row)
			continue
		}
		lines = append(lines, l)
	}
	if r.join != nil {
		r.join(r, lines)
	}
	for _, l := range lines {
		if r.collector.Reported(l.row) {
			continue
		}
		txs, err := l.transactions()
		if err != nil {
			r.collector.Skip(err, l.row)
			continue
		}
		r.add(txs, l)
	}
	if r.finish != nil {
		r.finish(r, lines)
	}
}

// add records transactions under the number, or the fingerprint, of the first line.
func (r *specReader) add(txs []portfolio.Transaction, lines ...*specLine) {
	rows := make([]Row, len(lines))
	for i, l := range lines {
		rows[i] = l.row
	}
	id := lines[0].id
	if id == "" && r.fingerprint != nil {
		id = r.collector.counter.ID(r.fingerprint(lines[0]))
	}
	r.collector.AddAll(txs, id, rows...)
}

func (r *specReader) findDecimalSeparator(f File) error {
	var columns, cells []string
	for _, names := range slices.Concat([]string{r.quantity, r.price, r.amount, r.fee, r.tax}, r.others, r.sums) {
		if names != "" {
			columns = append(columns, strings.Split(names, "|")...)
		}
	}
	if !r.guessed {
		return CheckDecimalSeparator(f, r.table, r.decimal, columns...)
	}
	for _, row := range r.table.Rows {
		for _, column := range columns {
			cells = append(cells, r.table.Cell(row, column))
		}
	}
	if sign, sure := GuessDecimalSeparator(cells); sure {
		r.sign = sign
	}
	return nil
}

func (r *specReader) cell(row Row, names string) string {
	if names == "" {
		return "" // a table may have a column without a name
	}
	for name := range strings.SplitSeq(names, "|") {
		text := r.table.Cell(row, name)
		for _, blank := range r.blanks {
			if text == blank {
				text = ""
			}
		}
		if text != "" {
			return text
		}
	}
	return ""
}

func (l *specLine) cell(names string) string { return l.specReader.cell(l.row, names) }

// number reads a cell; sums may have the sign of the spec's currency.
func (l *specLine) number(names string) (decimal.NullDecimal, error) {
	text := l.cell(names)
	if text == "" {
		return decimal.NullDecimal{}, nil
	}
	var d decimal.Decimal
	var code string
	var err error
	switch {
	case l.sign == 0:
		d, err = ParseEitherNumber(text, l.sign)
	case l.money != "" && names != l.specReader.quantity:
		d, code, err = ParseMoney(text, l.sign)
	default:
		d, err = ParseNumber(text, l.sign)
	}
	if err == nil && code != "" && code != l.money {
		err = fmt.Errorf("%q is not in %s: record the line by hand", Shorten(text), l.money)
	}
	if err != nil {
		name, _, _ := strings.Cut(names, "|")
		return decimal.NullDecimal{}, fmt.Errorf("%s: %w", name, err)
	}
	return decimal.NewNullDecimal(d), nil
}

func (r *specReader) parseLine(row Row) (*specLine, error) {
	l := &specLine{specReader: r, row: row}
	l.word, l.id, l.currency = l.cell(r.action), l.cell(r.id), l.cell(r.currency)
	l.action = strings.Join(strings.Fields(strings.ToLower(l.word)), " ")
	l.symbol, l.isin = l.cell(r.symbol), l.cell(r.isin)
	if r.money != "" {
		l.currency = r.money
	}
	when := (*specLine).parseTime
	if r.when != nil {
		when = r.when
	}
	if err := when(l); err != nil {
		return nil, err
	}
	for _, number := range []struct {
		names string
		to    *decimal.NullDecimal
	}{{r.quantity, &l.quantity}, {r.price, &l.price}, {r.amount, &l.amount}, {r.fee, &l.fee}, {r.tax, &l.tax}} {
		var err error
		if *number.to, err = l.number(number.names); err != nil {
			return nil, err
		}
	}
	if len(r.others) > 0 {
		l.others = make(map[string]decimal.NullDecimal, len(r.others))
	}
	for _, names := range r.others {
		d, err := l.number(names)
		if err != nil {
			return nil, err
		}
		l.others[names] = d
	}
	if r.parse != nil {
		if err := r.parse(l); err != nil {
			return nil, err
		}
	}
	return l, nil
}

func (l *specLine) parseTime() error {
	zone := l.options.Zone
	if l.utc {
		zone = time.UTC
	}
	at, err := ParseTime(l.cell(l.specReader.date), zone, l.layouts...)
	if err != nil {
		return err
	}
	if l.options.Zone != nil {
		at = at.In(l.options.Zone)
	}
	l.date, l.time = DayOf(at), at
	return nil
}

// rule finds what the words of the line mean; of unknown words the rule is empty.
func (l *specLine) rule() *rule {
	if found := l.byWord[l.action]; found != nil {
		return found
	}
	for i := range l.rules {
		if begin, ok := strings.CutSuffix(l.rules[i].words, "*"); ok && strings.HasPrefix(l.action, begin) {
			l.byWord[l.action] = &l.rules[i]
			return &l.rules[i]
		}
	}
	return &rule{}
}

func (l *specLine) transactions() ([]portfolio.Transaction, error) {
	if l.specReader.check != nil {
		if err := l.specReader.check(l); err != nil {
			return nil, err
		}
	}
	rule := l.rule()
	switch {
	case rule.words == "":
		return nil, fmt.Errorf("the %s %q is not known: record the line by hand", strings.ToLower(l.specReader.action), Shorten(l.word))
	case rule.ignore != "":
		return nil, IgnoreReason(rule.ignore)
	case rule.problem != "":
		return nil, errors.New(strings.NewReplacer("{shares}", l.quantity.Decimal.Abs().String(), "{symbol}", Shorten(l.symbol), "{amount}", l.amount.Decimal.String()).Replace(rule.problem))
	case rule.book != nil:
		return rule.book(l)
	}
	return l.book(*rule)
}

// book returns the transactions of the line by a rule.
func (l *specLine) book(r rule) ([]portfolio.Transaction, error) {
	t, err := l.transaction(r)
	if err != nil {
		return nil, err
	}
	if l.complete != nil {
		return l.complete(l, t)
	}
	return []portfolio.Transaction{t}, nil
}

// transaction books the line by a rule.
func (l *specLine) transaction(r rule) (portfolio.Transaction, error) {
	kind := r.kind
	if kind == "" {
		signed := l.amount
		if r.in == portfolio.KindTransferIn || r.out == portfolio.KindTransferOut {
			signed = l.quantity
		}
		if kind = r.in; signed.Decimal.IsNegative() || signed.Decimal.IsZero() && r.in == "" {
			kind = r.out
		}
		if kind == "" {
			return portfolio.Transaction{}, fmt.Errorf("%s of %s has the wrong sign: remove the line that this takes back, or record it by hand", Shorten(l.word), signed.Decimal)
		}
	}
	t := portfolio.Transaction{Date: l.date, Time: l.time, Kind: kind, Short: r.short, Note: r.note}
	if err := l.setSecurity(&t); err != nil {
		return t, err
	}
	if t.Note == "" && t.Symbol == "" && l.specReader.note != nil {
		t.Note = Shorten(l.specReader.note(l))
	}
	switch kind {
	case portfolio.KindBuy, portfolio.KindSell:
		if r.kind != "" && l.quantity.Decimal.IsNegative() {
			return t, fmt.Errorf("a %s of %s shares: record the trade by hand", kind, l.quantity.Decimal)
		}
		return t, l.setTrade(&t)
	case portfolio.KindTransferIn, portfolio.KindTransferOut:
		if l.quantity.Decimal.IsZero() {
			return t, errors.New("the number of shares is missing: record the transfer by hand")
		}
		t.Quantity, t.CostUnknown = l.quantity.Decimal.Abs(), kind == portfolio.KindTransferIn
		return t, nil
	}
	if l.amount.Valid && l.amount.Decimal.IsZero() && l.quantity.Decimal.IsZero() && l.fee.Decimal.IsZero() && l.tax.Decimal.IsZero() {
		return t, IgnoreReason("nothing was paid")
	}
	return t, l.setAmount(&t)
}

// setSecurity sets the security, which trades, dividends and transfers must have.
func (l *specLine) setSecurity(t *portfolio.Transaction) error {
	if t.Kind == portfolio.KindDeposit || t.Kind == portfolio.KindWithdrawal {
		return nil
	}
	var err error
	switch {
	case l.identify != nil:
		t.Symbol, t.ISIN, err = l.identify(l)
	case l.symbol != "" || l.isin != "":
		t.Symbol, t.ISIN, err = ParseSecurity(l.symbol, l.isin)
	}
	if err == nil && t.Symbol == "" && movesShares(t.Kind) {
		err = errors.New("no symbol or ISIN says which security this is of: record it by hand")
	}
	if t.Symbol != "" {
		t.Name = Shorten(l.cell(l.security))
	}
	return err
}

// setTrade sets what was bought or sold, and checks quantity times price as far as they are exact.
func (l *specLine) setTrade(t *portfolio.Transaction) error {
	if l.quantity.Decimal.IsZero() {
		return errors.New("the quantity of the trade is missing: record the trade by hand")
	}
	if l.priced && !l.price.Valid {
		return errors.New("the price of the trade is missing: record the trade by hand")
	}
	t.Quantity, t.Price = l.quantity.Decimal.Abs(), l.price
	if err := l.setAmount(t); err != nil {
		return err
	}
	if l.price.Valid {
		return l.checkProduct(*t, t.Quantity.Mul(l.price.Decimal))
	}
	return nil
}

// checkProduct compares quantity times price with the amount, as far as they are exact: prices have
// at least two places, quantities four, and sums are rounded to cents.
func (l *specLine) checkProduct(t portfolio.Transaction, product decimal.Decimal) error {
	half := func(d decimal.Decimal, least int32) decimal.Decimal {
		return decimal.New(5, -max(-d.Exponent(), least)-1)
	}
	slack := t.Quantity.Mul(half(l.price.Decimal, 2)).Add(l.price.Decimal.Mul(half(t.Quantity, 4))).Add(decimal.New(1, -2))
	if product.Sub(t.Amount).Abs().GreaterThan(slack.Add(t.Amount.Mul(l.tolerance))) {
		return fmt.Errorf("%s times the price %s is %s and not %s: a bond, or a mistake; record the trade by hand", t.Quantity, l.price.Decimal, product, t.Amount)
	}
	return nil
}

// setAmount sets what was paid, before the fee and tax in it.
func (l *specLine) setAmount(t *portfolio.Transaction) error {
	switch {
	case !l.amount.Valid:
		return errors.New("the amount is missing: record the line by hand")
	case !ValidCurrency(l.currency):
		return errors.New("the currency of the amount is missing: record the line by hand, or name the account's currency")
	}
	t.Currency, t.Amount = l.currency, l.amount.Decimal.Abs()
	switch t.Kind {
	case portfolio.KindFee, portfolio.KindTax, portfolio.KindInterestDue, portfolio.KindFeeRefund, portfolio.KindTaxRefund:
		return nil
	}
	t.Fee, t.Tax = l.fee.Decimal, l.tax.Decimal
	if l.net {
		t.Amount = amountBeforeCosts(t.Kind, t.Amount, t.Fee.Add(t.Tax))
	}
	return nil
}

// plain writes numbers as parts of a fingerprint.
func plain(numbers ...decimal.NullDecimal) []string {
	cells := make([]string, len(numbers))
	for i, d := range numbers {
		if d.Valid {
			cells[i] = d.Decimal.String()
		}
	}
	return cells
}
