package importer

import (
	"cmp"
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
	// open finds the table of a file in which a search for the header alone does not. It may change
	// the spec to what the file has, which is its own.
	open func(s *spec, f File) (Table, error)

	// Names of columns. Of "a|b" the first counts that has something in the line.
	date, action, symbol, isin, security, id string
	account, currency                        string
	quantity, price, amount, fee, tax        string
	others                                   []string // of numbers that only functions look at

	layouts []string // of package time; times without a zone are in the account's
	utc     bool     // or in UTC

	decimal DecimalSeparator // of all numbers; 0 if a file may have both
	guessed bool             // take decimal only if the numbers of the file do not show theirs
	sums    []string         // columns of numbers that a function reads, which show the decimal too
	money   string           // the currency of all sums
	marks   bool             // numbers may have the code or sign of their currency beside them
	// loose is for tables of any origin: a quantity may have its unit beside it, and a fee a currency
	// of its own, which is then in feeCurrency.
	loose  bool
	priced bool // every trade has its price
	net    bool // amounts are what moved in cash, after fee and tax
	// tolerance is the part of an amount by which quantity times price may be off, besides rounding.
	tolerance decimal.Decimal

	rules   []rule
	unknown string // what to say of a word that no rule has, for fmt

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
	literal bool   // words are one, whatever signs it has
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
	account, symbol, isin, id         string
	currency, feeCurrency             string // feeCurrency is that beside the number of the fee
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
	places    map[string][]int // of the columns of names
}

func (s spec) format() Format {
	return Format{Name: s.name, Title: s.title, Recognizes: func(f File) bool { return HasTable(f, s.header...) }, Read: s.read}
}

func (s spec) read(f File, o Options) (Statement, error) {
	open := s.open
	if open == nil {
		open = func(s *spec, f File) (Table, error) { return ReadTable(f, s.header...) }
	}
	table, err := open(&s, f)
	if err != nil {
		return Statement{}, err
	}
	r := newSpecReader(&s, table, o)
	if err := CheckDayOrder(f, table.Rows, func(row Row) string { return r.cell(row, s.date) }, s.layouts...); err != nil {
		return Statement{}, err
	}
	if err := r.findDecimalSeparator(f); err != nil {
		return Statement{}, err
	}
	r.readLines()
	return r.collector.Statement(table.Rows), nil
}

func newSpecReader(s *spec, table Table, o Options) *specReader {
	r := &specReader{
		spec: s, collector: NewCollector(s.name, o), table: table, options: o, sign: s.decimal, byWord: map[string]*rule{}, places: map[string][]int{},
	}
	for i := range s.rules {
		words := []string{s.rules[i].words}
		if !s.rules[i].literal {
			words = strings.Split(words[0], "|")
		}
		for _, word := range words {
			r.byWord[word] = &s.rules[i]
		}
	}
	return r
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
	var columns []int
	for _, names := range slices.Concat([]string{r.quantity, r.price, r.amount, r.fee, r.tax}, r.others, r.sums) {
		columns = append(columns, r.columnsOf(names)...)
	}
	if !r.guessed {
		return CheckDecimalSeparator(f, r.table.Rows, r.decimal, columns...)
	}
	var cells []string
	for _, row := range r.table.Rows {
		for _, column := range columns {
			cells = append(cells, row.At(column))
		}
	}
	if sign, sure := GuessDecimalSeparator(cells); sure {
		r.sign = sign
	}
	return nil
}

// columnsOf finds the columns of "a|b", or the one that has this for a name.
func (r *specReader) columnsOf(names string) []int {
	places, known := r.places[names]
	if known || names == "" { // a table may have a column without a name
		return places
	}
	if i := r.table.Index(names); i >= 0 {
		places = []int{i}
	} else {
		for name := range strings.SplitSeq(names, "|") {
			if i := r.table.Index(name); i >= 0 {
				places = append(places, i)
			}
		}
	}
	r.places[names] = places
	return places
}

func (r *specReader) cell(row Row, names string) string {
	for _, place := range r.columnsOf(names) {
		if text := row.At(place); text != "" && !slices.Contains(r.blanks, text) {
			return text
		}
	}
	return ""
}

func (l *specLine) cell(names string) string { return l.specReader.cell(l.row, names) }

// number reads a cell, with the currency that it may have beside the number.
func (l *specLine) number(names string) (decimal.NullDecimal, string, error) {
	text := l.cell(names)
	if text == "" {
		return decimal.NullDecimal{}, "", nil
	}
	var d decimal.Decimal
	var mark string
	var err error
	switch {
	case l.sign == 0:
		d, err = ParseEitherNumber(text, l.sign)
	case l.marks && (l.loose || names != l.specReader.quantity):
		d, mark, err = ParseMoney(text, l.sign)
	default:
		d, err = ParseNumber(text, l.sign)
	}
	if err != nil {
		name, _, _ := strings.Cut(names, "|")
		return decimal.NullDecimal{}, "", fmt.Errorf("%s: %w", Shorten(name), err)
	}
	return decimal.NewNullDecimal(d), mark, nil
}

func (r *specReader) parseLine(row Row) (*specLine, error) {
	l := &specLine{specReader: r, row: row}
	l.word, l.id, l.currency = l.cell(r.action), l.cell(r.id), l.cell(r.currency)
	l.action = foldWord(l.word)
	l.symbol, l.isin = l.cell(r.symbol), l.cell(r.isin)
	if r.account != "" {
		l.account = r.collector.AccountFor(l.cell(r.account))
	}
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
	if err := l.parseNumbers(); err != nil {
		return nil, err
	}
	if r.parse != nil {
		if err := r.parse(l); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// foldWord is a word of the broker's as it is compared.
func foldWord(word string) string { return strings.Join(strings.Fields(strings.ToLower(word)), " ") }

// parseNumbers reads the numbers of a line. All have to be in its currency; the first that has one
// tells that of a line which has none.
func (l *specLine) parseNumbers() error {
	set := func(names string, to *decimal.NullDecimal) error {
		d, mark, err := l.number(names)
		switch *to = d; {
		case err != nil:
			return err
		case mark == "" || to == &l.quantity:
		case to == &l.fee && l.loose:
			l.feeCurrency = mark
		case l.currency == "":
			l.currency = mark
		case mark != l.currency:
			name, _, _ := strings.Cut(names, "|")
			return fmt.Errorf("%s is in %s and the line in %s; enter it by hand", Shorten(name), mark, Shorten(l.currency))
		}
		return nil
	}
	err := cmp.Or(set(l.specReader.quantity, &l.quantity), set(l.specReader.price, &l.price), set(l.specReader.amount, &l.amount),
		set(l.specReader.fee, &l.fee), set(l.specReader.tax, &l.tax))
	if len(l.specReader.others) > 0 {
		l.others = make(map[string]decimal.NullDecimal, len(l.specReader.others))
	}
	for _, names := range l.specReader.others {
		var d decimal.NullDecimal
		err = cmp.Or(err, set(names, &d))
		l.others[names] = d
	}
	return err
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
		if begin, ok := strings.CutSuffix(l.rules[i].words, "*"); ok && !l.rules[i].literal && strings.HasPrefix(l.action, begin) {
			l.byWord[l.action] = &l.rules[i]
			return &l.rules[i]
		}
	}
	return &unknownRule
}

var unknownRule rule

func (l *specLine) transactions() ([]portfolio.Transaction, error) {
	if l.specReader.check != nil {
		if err := l.specReader.check(l); err != nil {
			return nil, err
		}
	}
	rule := l.rule()
	switch {
	case rule == &unknownRule && l.unknown != "":
		return nil, fmt.Errorf(l.unknown, Shorten(l.word))
	case rule == &unknownRule:
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
	t := portfolio.Transaction{Date: l.date, Time: l.time, Account: l.account, Kind: kind, Short: r.short, Note: r.note}
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
	slack := t.Quantity.Mul(halfOfLastDigit(l.price.Decimal, 2)).Add(l.price.Decimal.Mul(halfOfLastDigit(t.Quantity, 4))).Add(cent)
	if product.Sub(t.Amount).Abs().GreaterThan(slack.Add(t.Amount.Mul(l.tolerance))) {
		return fmt.Errorf("%s times the price %s is %s and not %s: a bond, or a mistake; record the trade by hand", t.Quantity, l.price.Decimal, product, t.Amount)
	}
	return nil
}

// halfOfLastDigit is what rounding may have made of a number, of which so many places are exact at
// least: exports leave zeros at the end out.
func halfOfLastDigit(d decimal.Decimal, least int32) decimal.Decimal {
	return decimal.New(5, -max(-d.Exponent(), least)-1)
}

var cent = decimal.New(1, -2)

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

// kindBySign is in for what came, and out for what went.
func kindBySign(signed decimal.Decimal, in, out portfolio.Kind) portfolio.Kind {
	if signed.IsNegative() {
		return out
	}
	return in
}

// movesShares tells kinds whose amount is that of shares.
func movesShares(kind portfolio.Kind) bool {
	switch kind {
	case portfolio.KindBuy, portfolio.KindSell, portfolio.KindReinvest, portfolio.KindTransferIn, portfolio.KindTransferOut,
		portfolio.KindDividend, portfolio.KindReturnOfCapital:
		return true
	}
	return false
}

// amountBeforeCosts is what moved in cash without costs, which have made it more where it was
// paid and less where it was received.
func amountBeforeCosts(kind portfolio.Kind, amount, costs decimal.Decimal) decimal.Decimal {
	switch kind {
	case portfolio.KindBuy, portfolio.KindTransferIn, portfolio.KindWithdrawal:
		return amount.Sub(costs)
	}
	return amount.Add(costs)
}

// joinNotes joins two names of one thing, without saying it twice.
func joinNotes(a, b string) string {
	switch {
	case a == "" || a == b:
		return b
	case b == "":
		return a
	}
	return a + ": " + b
}

// splitKind is a split or a reverse split.
func splitKind(fresh, old decimal.Decimal) portfolio.Kind {
	if fresh.LessThan(old) {
		return portfolio.KindReverseSplit
	}
	return portfolio.KindSplit
}
