package importer

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/shopspring/decimal"
	"golang.org/x/text/unicode/norm"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// spec describes a broker's table. Functions cover what its fields cannot.
type spec struct {
	name, title string
	header      []string // columns in every version of the export; "a|b" means either
	blanks      []string // cell values that count as empty, such as "-"
	// recognizes and open find the table if searching for the header is not enough. open may adapt
	// the spec, which is a copy, to the file.
	recognizes func(f File) bool
	open       func(s *spec, f File) (Table, error)

	// Column names. For "a|b" the first non-empty one in the line counts.
	date, action, symbol, isin, security, id string
	account, currency                        string
	quantity, price, amount, fee, tax        string
	balance                                  string   // cash after the line
	others                                   []string // number columns that only functions use

	layouts []string // of package time; times without a zone are in the account's zone
	utc     bool     // or in UTC

	decimal DecimalSeparator // of all numbers; 0 if a file may mix them
	guessed bool             // use decimal only if the file's numbers do not show it
	sums    []string         // number columns read by a function that also show the decimal separator
	money   string           // currency of all amounts
	marks   bool             // numbers may include a currency code or sign
	// loose is for tables of any origin: a quantity may include its unit, and a fee its currency,
	// which is then in feeCurrency.
	loose  bool
	priced bool // every trade has its price
	net    bool // amounts are changes in cash, after fee and tax
	// tolerance is the fraction of an amount by which quantity times price may differ, in addition
	// to rounding.
	tolerance decimal.Decimal

	rules   []rule
	unknown string // format of the error for a word without a rule

	// when reads the date of a line if the layouts are not enough.
	when func(l *specLine) error
	// parse reads other fields of a line. An error, or an IgnoreReason, skips the line.
	parse func(l *specLine) error
	// join records lines that belong together, and shares information between lines.
	join func(r *specReader, lines []*specLine)
	// check returns an error for a line that its kind alone does not exclude.
	check func(l *specLine) error
	// identify returns the security of a line, or nothing if the line has none.
	identify func(l *specLine) (market.Symbol, string, error)
	// finish checks all lines after they were recorded.
	finish func(r *specReader, lines []*specLine)
	// note describes payments without a security.
	note func(l *specLine) string
	// complete returns the transactions of a line, starting with t.
	complete func(l *specLine, t portfolio.Transaction) ([]portfolio.Transaction, error)
	// fingerprint returns the cells that identify a line in every export, if it has no broker number; nil
	// means all cells.
	fingerprint func(l *specLine) []string
}

// rule gives the meaning of some of the broker's words: one kind, or a kind per sign of the amount
// (or of the quantity, for shares moved without cash). A sign without a kind is a problem.
type rule struct {
	words   string // in lower case, separated by "|"; a single "dividend*" matches all that begin with it
	literal bool   // words is a single word, even if it has special characters
	kind    portfolio.Kind
	in, out portfolio.Kind
	short   bool   // the sale may open a short position
	note    string // replaces that of the spec
	ignore  string // the reason to ignore the line
	problem string // why it is not a transaction; {shares}, {symbol} and {amount} are filled in
	book    func(l *specLine) ([]portfolio.Transaction, error)
}

// specLine is a line with parsed cells. Numbers are invalid if their cell is empty.
type specLine struct {
	*specReader
	row                               Row
	word, action                      string // as in the file; in lower case with single spaces
	date                              market.Date
	time                              time.Time
	account, symbol, isin, id         string
	currency, feeCurrency             string // feeCurrency is the currency next to the fee
	quantity, price, amount, fee, tax decimal.NullDecimal
	others                            map[string]decimal.NullDecimal
}

// specReader is the state of reading a file.
type specReader struct {
	*spec
	collector *Collector
	table     Table
	options   Options
	sign      DecimalSeparator
	byWord    map[string]*rule
	places    map[string][]int // indexes by column names
}

func (s spec) format() Format {
	recognizes := s.recognizes
	if recognizes == nil {
		recognizes = func(f File) bool { return HasTable(f, s.header...) }
	}
	return Format{Name: s.name, Title: s.title, Recognizes: recognizes, Read: s.read}
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
	r.doubtUnreadCosts()
	return r.collector.Statement(table.Rows), nil
}

// costColumnPattern matches names of columns that hold a cost.
var costColumnPattern = lazyregexp.New(`(?i)\b(fees?|tax(es)?|levy|duty|brokerage|commissions?|charges?|withholding|avgift|spese[n]?|provision|gebühr(en)?|steuern?|kosten|frais|courtage|impôts?|comisi[oó]n(es)?|commissioni|imposta)\b|手续费|佣金|手数料|印花税|税金|税额|税額`)

// notACostPattern matches names of columns that only describe a cost.
var notACostPattern = lazyregexp.New(`(?i)currency|%|percent|rate\b|bps|gross|before|excl`)

// doubtUnreadCosts reports lines with a cost in a column that the format does not read, because the
// broker added it.
func (r *specReader) doubtUnreadCosts() {
	read := map[int]bool{}
	for _, places := range r.places {
		for _, i := range places {
			read[i] = true
		}
	}
	for i, cell := range r.table.Header.Cells {
		if read[i] || !costColumnPattern().MatchString(cell) || notACostPattern().MatchString(cell) {
			continue
		}
		for _, row := range r.table.Rows {
			if d, _, err := ParseMoney(row.At(i), cmp.Or(r.sign, DecimalPoint)); err == nil && !d.IsZero() {
				r.collector.Doubt(row, fmt.Sprintf("column %q is unknown and was ignored", Shorten(cell)), "%s", row.At(i))
			}
		}
	}
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
	r.cancelReversed(lines)
	r.collector.out.Entries = slices.Grow(r.collector.out.Entries, len(lines)) // otherwise growing the slice would double the memory of an import
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
	if r.balance != "" {
		r.checkRecordedBalances(lines)
	}
	if r.finish != nil {
		r.finish(r, lines)
	}
}

// cancelReversed cancels payments together with their reversals. A line with a negative amount, of a kind
// that is only received, reverses the latest line before it with the same word, security and amount.
func (r *specReader) cancelReversed(lines []*specLine) {
	for _, reversal := range lines {
		if rule := reversal.rule(); rule.in == "" || rule.out != "" || rule.book != nil || !reversal.amount.Decimal.IsNegative() || r.collector.Reported(reversal.row) {
			continue
		}
		var found *specLine
		for _, l := range lines {
			same := l.action == reversal.action && l.symbol == reversal.symbol && l.isin == reversal.isin && l.account == reversal.account && l.currency == reversal.currency &&
				l.amount.Decimal.Neg().Equal(reversal.amount.Decimal) && l.tax.Decimal.Abs().Equal(reversal.tax.Decimal.Abs())
			if same && !l.date.After(reversal.date) && !r.collector.Reported(l.row) && (found == nil || l.date.After(found.date)) {
				found = l
			}
		}
		if found == nil {
			continue
		}
		if txs, err := found.transactions(); err == nil && len(txs) == 1 {
			r.collector.Cancel(txs[0], found.id, found.row, reversal.row)
		}
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

// pairsOf returns pairs of lines with the same key, if no third line has it. Lines with an empty
// key are ignored.
func pairsOf(lines []*specLine, key func(l *specLine) string) [][2]*specLine {
	groups := map[string][]*specLine{}
	for _, l := range lines {
		groups[key(l)] = append(groups[key(l)], l)
	}
	var pairs [][2]*specLine
	for _, l := range lines {
		if group := groups[key(l)]; key(l) != "" && len(group) == 2 && group[0] == l {
			pairs = append(pairs, [2]*specLine(group))
		}
	}
	return pairs
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

// columnsOf returns the columns of "a|b", or of a column with this exact name.
func (r *specReader) columnsOf(names string) []int {
	places, known := r.places[names]
	if known || names == "" { // a table may have an unnamed column
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

// number parses a cell, and the currency next to the number.
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
		return decimal.NullDecimal{}, "", fmt.Errorf("%s: %w", firstName(names), err)
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
		if ignored := l.rule().ignore; ignored != "" { // an ignored line may have no date
			return nil, IgnoreReason(ignored)
		}
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

// foldWord normalizes a broker's word for comparison.
func foldWord(word string) string { return strings.Join(strings.Fields(strings.ToLower(word)), " ") }

// foldAccents works like foldWord for text whose accents may be missing.
func foldAccents(text string) string {
	return foldWord(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(text)))
}

// parseNumbers parses the numbers of a line. All must be in its currency; if the line has none, the
// first number with a currency sets it.
func (l *specLine) parseNumbers() error {
	type number struct {
		names string
		to    *decimal.NullDecimal
	}
	s := l.specReader.spec
	numbers := []number{{s.quantity, &l.quantity}, {s.price, &l.price}, {s.amount, &l.amount}, {s.fee, &l.fee}, {s.tax, &l.tax}}
	others := make([]decimal.NullDecimal, len(s.others))
	for i, names := range s.others {
		numbers = append(numbers, number{names, &others[i]})
	}
	for _, n := range numbers {
		d, mark, err := l.number(n.names)
		switch *n.to = d; {
		case err != nil:
			return err
		case mark == "" || n.to == &l.quantity:
		case n.to == &l.fee && l.loose:
			l.feeCurrency = mark
		case l.currency == "":
			l.currency = mark
		case mark != l.currency:
			return fmt.Errorf("%s is in %s, but the line is in %s; enter the line by hand", firstName(n.names), mark, Shorten(l.currency))
		}
	}
	l.others = make(map[string]decimal.NullDecimal, len(others))
	for i, names := range s.others {
		l.others[names] = others[i]
	}
	return nil
}

// firstName returns the column name for errors.
func firstName(names string) string {
	name, _, _ := strings.Cut(names, "|")
	return Shorten(name)
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

// rule returns the rule for the words of the line, or unknownRule. A meaning set by the user takes
// precedence.
func (l *specLine) rule() *rule {
	if explained := l.options.meaningRule(l.word); explained != nil {
		return explained
	}
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
		return nil, fmt.Errorf("unknown %s %q: set meanings, such as %q, or enter the line by hand", strings.ToLower(firstName(l.specReader.action)), Shorten(l.word), Shorten(l.word)+"=dividend")
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
			return portfolio.Transaction{}, fmt.Errorf("%s of %s has the wrong sign: remove the line that it reverses, or enter the transaction by hand", Shorten(l.word), signed.Decimal)
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
			return t, fmt.Errorf("%s with the negative quantity %s: enter the trade by hand", kind, l.quantity.Decimal)
		}
		return t, l.setTrade(&t)
	case portfolio.KindTransferIn, portfolio.KindTransferOut:
		if l.quantity.Decimal.IsZero() {
			return t, errors.New("missing number of shares: enter the transfer by hand")
		}
		t.Quantity, t.CostUnknown = l.quantity.Decimal.Abs(), kind == portfolio.KindTransferIn
		return t, nil
	}
	if l.amount.Valid && l.amount.Decimal.IsZero() && l.quantity.Decimal.IsZero() && l.fee.Decimal.IsZero() && l.tax.Decimal.IsZero() {
		return t, IgnoreReason("amount is zero")
	}
	return t, l.setAmount(&t)
}

// setSecurity sets the security, which trades, dividends and transfers require.
func (l *specLine) setSecurity(t *portfolio.Transaction) error {
	if t.Kind == portfolio.KindDeposit || t.Kind == portfolio.KindWithdrawal {
		return nil
	}
	var err error
	switch {
	case l.identify != nil:
		t.Symbol, t.ISIN, err = l.identify(l)
	case l.symbol != "" || l.isin != "":
		t.Symbol, t.ISIN, err = l.identifySecurity("")
	}
	if err == nil && t.Symbol == "" && movesShares(t.Kind) {
		err = errors.New("missing symbol or ISIN: enter the line by hand")
	}
	if t.Symbol != "" {
		t.Name = Shorten(l.cell(l.security))
	}
	return err
}

// identifySecurity returns the symbol and ISIN of the line. priceCurrency is empty if the line does not
// state the currency of its price.
func (l *specLine) identifySecurity(priceCurrency string) (market.Symbol, string, error) {
	return l.collector.Identify(Listing{Ticker: l.symbol, ISIN: l.isin, Currency: priceCurrency, Name: l.cell(l.specReader.spec.security)})
}

// setTrade sets the fields of a trade, and checks quantity times price within rounding.
func (l *specLine) setTrade(t *portfolio.Transaction) error {
	if l.quantity.Decimal.IsZero() {
		return errors.New("missing quantity: enter the trade by hand")
	}
	if l.priced && !l.price.Valid {
		return errors.New("missing price: enter the trade by hand")
	}
	t.Quantity, t.Price = l.quantity.Decimal.Abs(), l.price
	if err := l.setAmount(t); err != nil {
		return err
	}
	if !l.price.Valid {
		return nil
	}
	err := l.checkProduct(*t, t.Quantity.Mul(l.price.Decimal))
	if err != nil && cusipPattern().MatchString(l.symbol) { // perhaps a bond, priced in percent of its face value
		l.price.Decimal = l.price.Decimal.Shift(-2)
		if l.checkProduct(*t, t.Quantity.Mul(l.price.Decimal)) == nil {
			t.Price, err = l.price, nil
		}
	}
	return err
}

// cusipPattern matches the number of a North American security, which bonds have in place of a
// ticker.
var cusipPattern = lazyregexp.New(`^[0-9][0-9A-Z]{7}[0-9]$`)

// checkProduct compares quantity times price with the amount within rounding: prices have at least
// two decimals, quantities four, and amounts are rounded to cents.
func (l *specLine) checkProduct(t portfolio.Transaction, product decimal.Decimal) error {
	slack := t.Quantity.Mul(halfOfLastDigit(l.price.Decimal, 2)).Add(l.price.Decimal.Mul(halfOfLastDigit(t.Quantity, 4))).Add(cent)
	if product.Sub(t.Amount).Abs().GreaterThan(slack.Add(t.Amount.Mul(l.tolerance))) {
		return fmt.Errorf("%s times the price %s is %s, not %s: a bond, or an error; enter the trade by hand", t.Quantity, l.price.Decimal, product, t.Amount)
	}
	return nil
}

// halfOfLastDigit returns the largest rounding error of d. d is exact to at least least decimals, because
// exports omit trailing zeros.
func halfOfLastDigit(d decimal.Decimal, least int32) decimal.Decimal {
	return decimal.New(5, -max(-d.Exponent(), least)-1)
}

var cent = decimal.New(1, -2)

// setAmount sets the amount before fee and tax.
func (l *specLine) setAmount(t *portfolio.Transaction) error {
	switch {
	case !l.amount.Valid:
		return errors.New("missing amount: enter the line by hand")
	case !ValidCurrency(l.currency):
		return errors.New("missing currency: enter the line by hand, or set the account's currency")
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

// plain formats numbers for a fingerprint.
func plain(numbers ...decimal.NullDecimal) []string {
	cells := make([]string, len(numbers))
	for i, d := range numbers {
		if d.Valid {
			cells[i] = d.Decimal.String()
		}
	}
	return cells
}

// kindBySign returns in for a positive number, and out for a negative one.
func kindBySign(signed decimal.Decimal, in, out portfolio.Kind) portfolio.Kind {
	if signed.IsNegative() {
		return out
	}
	return in
}

// movesShares reports whether transactions of the kind are for a security, with an amount for its shares.
func movesShares(kind portfolio.Kind) bool {
	switch kind {
	case portfolio.KindBuy, portfolio.KindSell, portfolio.KindReinvest, portfolio.KindTransferIn, portfolio.KindTransferOut,
		portfolio.KindDividend, portfolio.KindReturnOfCapital:
		return true
	}
	return false
}

// amountBeforeCosts returns the cash amount without costs, which increase a payment and decrease a
// receipt.
func amountBeforeCosts(kind portfolio.Kind, amount, costs decimal.Decimal) decimal.Decimal {
	switch kind {
	case portfolio.KindBuy, portfolio.KindTransferIn, portfolio.KindWithdrawal:
		return amount.Sub(costs)
	}
	return amount.Add(costs)
}

// joinNotes joins two notes, without repeating text.
func joinNotes(a, b string) string {
	switch {
	case a == "" || a == b:
		return b
	case b == "":
		return a
	}
	return a + ": " + b
}

// splitKind returns split or reverse split.
func splitKind(fresh, old decimal.Decimal) portfolio.Kind {
	if fresh.LessThan(old) {
		return portfolio.KindReverseSplit
	}
	return portfolio.KindSplit
}
