package importer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// degiroReader converts lines to transactions, each line once.
type degiroReader struct {
	degiroTable
	collector         *Collector
	zone              *time.Location
	lines             []*degiroLine
	exchanges         []degiroExchangePair
	reversedDividends map[string]bool // dividendKeys of negative dividends whose payment is not in the file
}

// degiroLine is a line of the statement. Empty cells are invalid values.
type degiroLine struct {
	rows            []Row // the row and its continuation rows
	used            bool  // recorded, ignored or reported
	day             market.Date
	moment          time.Time
	product         string
	isin            string
	description     string
	normalized      string // normalized description
	class           degiroClass
	rate            decimal.NullDecimal
	currency        string
	change          decimal.NullDecimal
	balanceCurrency string
	balance         decimal.NullDecimal
	order           string
}

// recordStatement reads an account statement.
func (r *degiroReader) recordStatement() {
	r.parseLines()
	r.checkBalances()
	r.recordCorporateActions()
	r.dropReversals()
	r.findExchanges()
	r.recordTrades()
	r.recordDividends()
	for _, l := range r.lines {
		if !l.used {
			r.recordSingle(l)
		}
	}
}

// add records a transaction of the lines, identified by the first.
func (r *degiroReader) add(t portfolio.Transaction, lines ...*degiroLine) {
	var rows []Row
	for _, l := range lines {
		l.used = true
		rows = append(rows, l.rows...)
	}
	r.collector.Add(t, r.collector.counter.ID(lines[0].identity(t.Kind)), rows...)
}

func (r *degiroReader) ignore(l *degiroLine, reason string) {
	l.used = true
	r.collector.Skip(IgnoreReason(reason), l.rows...)
}

func (r *degiroReader) problem(l *degiroLine, format string, args ...any) {
	l.used = true
	r.collector.RejectAll(l.rows, format, args...)
}

// parseLines parses the rows and reports those that cannot be read.
func (r *degiroReader) parseLines() {
	for i := 0; i < len(r.rows); {
		row, rows := r.rows[i], r.rows[i:i+1]
		for i++; i < len(r.rows) && !r.rows[i].Empty() && r.isContinuation(r.rows[i]); i++ {
			row, rows = r.joinRows(row, r.rows[i]), append(rows[:len(rows):len(rows)], r.rows[i])
		}
		if row.Empty() {
			continue
		}
		l, err := r.parseLine(row)
		l.rows = rows
		if err != nil {
			r.problem(l, "%v", err)
			continue
		}
		r.lines = append(r.lines, l)
	}
}

// isContinuation reports whether a row continues cells of the row before it: it has neither a date
// nor amounts.
func (r *degiroReader) isContinuation(row Row) bool {
	for i := range row.Cells {
		if row.At(i) != "" && i != r.product && i != r.description && i != r.order {
			return false
		}
	}
	return true
}

// joinRows appends continued cells. Order numbers continue without a space.
func (r *degiroReader) joinRows(row, rest Row) Row {
	cells := slices.Clone(row.Cells)
	for i := range min(len(cells), len(rest.Cells)) {
		switch more := rest.At(i); {
		case more == "":
		case i == r.order:
			cells[i] = strings.TrimSpace(cells[i]) + more
		default:
			cells[i] = strings.TrimSpace(cells[i]) + " " + more
		}
	}
	return Row{Line: row.Line, Cells: cells}
}

func (r *degiroReader) parseLine(row Row) (*degiroLine, error) {
	l := &degiroLine{
		product: row.At(r.product), isin: strings.ToUpper(row.At(r.isin)),
		description: row.At(r.description), order: row.At(r.order),
	}
	l.normalized = foldAccents(degiroFixMojibake(l.description))
	l.class = degiroClassOf(l.normalized)
	var err error
	if l.day, err = ParseDay(row.At(r.date), degiroDateLayout); err != nil {
		return l, err
	}
	if l.moment, err = r.moment(row); err != nil {
		return l, err
	}
	if l.rate, err = r.number(row.At(r.rate)); err != nil {
		return l, fmt.Errorf("exchange rate: %w", err)
	}
	if l.currency, l.change, err = r.sum(row.At(r.change), row.At(r.change+1)); err != nil {
		return l, fmt.Errorf("change: %w", err)
	}
	if l.balanceCurrency, l.balance, err = r.sum(row.At(r.balance), row.At(r.balance+1)); err != nil {
		return l, fmt.Errorf("balance: %w", err)
	}
	return l, nil
}

func (r *degiroReader) moment(row Row) (time.Time, error) {
	return ParseTime(row.At(r.date)+" "+row.At(r.clock), r.zone, degiroDateLayout+" 15:04")
}

// sum parses two cells, the currency and the amount.
func (r *degiroReader) sum(currency, text string) (string, decimal.NullDecimal, error) {
	if !ValidCurrency(currency) && ValidCurrency(text) {
		currency, text = text, currency
	}
	d, err := r.number(text)
	if err == nil && d.Valid && !ValidCurrency(currency) {
		err = fmt.Errorf("missing currency for %s: enter the line by hand", d.Decimal)
	}
	return currency, d, err
}

func (r *degiroReader) number(text string) (decimal.NullDecimal, error) {
	if text == "" {
		return decimal.NullDecimal{}, nil
	}
	d, err := ParseEitherNumber(text, r.sign)
	return decimal.NullDecimal{Decimal: d, Valid: err == nil}, err
}

// identity returns the fields that stay the same in every export and language.
func (l *degiroLine) identity(kind portfolio.Kind) []string {
	return []string{string(kind), l.moment.Format("2006-01-02 15:04"), l.isin, l.currency, l.change.Decimal.String(), l.order}
}

// transaction returns a transaction with the fields that all lines share.
func (l *degiroLine) transaction(kind portfolio.Kind) portfolio.Transaction {
	return portfolio.Transaction{Date: l.day, Time: l.moment, Kind: kind, Currency: l.currency, Amount: l.change.Decimal.Abs()}
}

// securityTransaction works like transaction with the security of the line.
func (l *degiroLine) securityTransaction(kind portfolio.Kind) (portfolio.Transaction, error) {
	t := l.transaction(kind)
	var err error
	t.Symbol, t.ISIN, err = ParseSecurity("", l.isin)
	t.Name = Shorten(l.product)
	return t, err
}

// dayKey returns the date as text, for keys.
func (l *degiroLine) dayKey() string { return l.day.Format(time.DateOnly) }

// dividendKey returns a key that is equal for a dividend and its taxes: date, security and currency.
func (l *degiroLine) dividendKey() string { return l.dayKey() + " " + l.isin + " " + l.currency }

// orderKey returns a key that is equal for all lines of one order on one day, and empty for lines without an order.
func (l *degiroLine) orderKey() string {
	if l.order == "" {
		return ""
	}
	return l.order + " " + l.dayKey() + " " + l.isin
}

// checkBalances compares the balances of each currency. Moves to or from DEGIRO's bank, and those of the
// fund that holds the cash, may show a different balance.
func (r *degiroReader) checkBalances() {
	var balances []balanceLine
	for _, l := range r.lines {
		if l.balance.Valid && (!l.change.Valid || l.currency == l.balanceCurrency) {
			balances = append(balances, balanceLine{
				row: l.rows[0], account: r.collector.options.Account, currency: l.balanceCurrency, date: l.day, balance: l.balance.Decimal, changes: l.balanceChanges(),
				doubtful: !l.change.Valid || l.class == degiroInternal || l.class == degiroCashFund,
			})
		}
	}
	r.collector.checkBalances(balances)
}

// degiroTrailingAmount matches the amount of a transfer without an amount column.
var degiroTrailingAmount = lazyregexp.New(`([0-9][0-9.,' ]*) [a-z]{3}$`)

// balanceChanges returns the possible changes in the balance by the line. Bank transfers have their amount
// only in the description, without a sign.
func (l *degiroLine) balanceChanges() []decimal.Decimal {
	if l.change.Valid {
		return []decimal.Decimal{l.change.Decimal}
	}
	match := degiroTrailingAmount().FindStringSubmatch(l.normalized)
	if match == nil {
		return []decimal.Decimal{decimal.Zero}
	}
	var changes []decimal.Decimal
	for _, amount := range NumberReadings(match[1], 0) {
		changes = append(changes, amount, amount.Neg())
	}
	return changes
}

// recordCorporateActions reads corporate actions with two lines on the same day: shares removed, and others
// received for the same amount.
func (r *degiroReader) recordCorporateActions() {
	key := func(l *degiroLine) string {
		d, _ := parseDEGIROTrade(l.normalized)
		return l.dayKey() + " " + d.event + " " + l.currency + " " + l.change.Decimal.Abs().String()
	}
	outgoing, incoming := map[string][]*degiroLine{}, map[string][]*degiroLine{}
	for _, l := range r.lines {
		if l.class != degiroAction {
			continue
		}
		switch d, _ := parseDEGIROTrade(l.normalized); l.direction(d) {
		case 1:
			incoming[key(l)] = append(incoming[key(l)], l)
		case -1:
			outgoing[key(l)] = append(outgoing[key(l)], l)
		}
	}
	for _, l := range r.lines {
		if l.class != degiroAction || l.used {
			continue
		}
		out, in := outgoing[key(l)], incoming[key(l)]
		if len(out) != 1 || len(in) != 1 || !r.recordConversion(out[0], in[0]) {
			r.problem(l, "corporate action without two matching lines: enter it by hand as a split, merger, spin-off or reinvested dividend")
		}
	}
}

// recordConversion records that all shares of one security became another.
func (r *degiroReader) recordConversion(before, after *degiroLine) bool {
	held, ok := before.shareQuantity()
	got, also := after.shareQuantity()
	if !ok || !also || !ValidISIN(before.isin) || !ValidISIN(after.isin) {
		return false
	}
	kind := portfolio.KindMerger
	if before.isin == after.isin {
		if got.Equal(held) {
			r.ignore(before, "same shares under another name")
			r.ignore(after, "same shares under another name")
			return true
		}
		kind = splitKind(got, held)
	}
	t, err := before.securityTransaction(kind)
	if err != nil {
		return false
	}
	t.Currency, t.Amount = "", decimal.Zero // the amounts cancel out
	t.New, t.Old = got, held
	if kind == portfolio.KindMerger {
		t.ToSymbol = market.Symbol(after.isin)
		t.Note = "became " + after.product
	}
	r.add(t, before, after)
	return true
}

// shareQuantity returns the quantity of a line if it is unambiguous by itself or by the price.
func (l *degiroLine) shareQuantity() (decimal.Decimal, bool) {
	d, _ := parseDEGIROTrade(l.normalized)
	if read := NumberReadings(d.quantity, 0); len(read) == 1 {
		return read[0], read[0].IsPositive()
	}
	quantity, _, err := l.readTrade(d)
	return quantity, err == nil
}

// dropReversals ignores lines that were booked and reversed on the same day: reserved payments that
// are now booked, and corrected fees, taxes and dividends.
func (r *degiroReader) dropReversals() {
	open := map[string][]*degiroLine{}
	for _, l := range r.lines {
		if l.used || l.change.Decimal.IsZero() {
			continue
		}
		key := ""
		for _, c := range l.class.reversedBy() {
			if key = l.reversalKey(c, l.change.Decimal.Neg()); len(open[key]) > 0 {
				break
			}
		}
		switch match := open[key]; {
		case key == "":
		case len(match) == 0:
			own := l.reversalKey(l.class, l.change.Decimal)
			open[own] = append(open[own], l)
		default:
			r.ignore(l, "reversed by a line with the same date and amount")
			r.ignore(match[0], "reversed by a line with the same date and amount")
			open[key] = match[1:]
		}
	}
}

// reversedBy returns the classes of lines that can reverse c. A deposit and a withdrawal on the
// same day are both real, unless one was a reservation.
func (c degiroClass) reversedBy() []degiroClass {
	switch c {
	case degiroPayment:
		return []degiroClass{degiroReserved}
	case degiroReserved:
		return []degiroClass{degiroPayment, degiroReserved}
	case degiroFee, degiroTax, degiroDividend, degiroWithheld:
		return []degiroClass{c}
	}
	return nil
}

// reversalKey returns a key that is equal for lines of a class with the same date, amount and security.
func (l *degiroLine) reversalKey(c degiroClass, sum decimal.Decimal) string {
	what := ""
	if c != degiroPayment && c != degiroReserved {
		what = l.normalized
	}
	return strings.Join([]string{strconv.Itoa(int(c)), l.dayKey(), l.isin, l.order, what, l.currency, sum.String()}, "\x00")
}

// degiroExchangePair is a currency exchange: the paying and the receiving line.
type degiroExchangePair struct{ paid, received *degiroLine }

// rate returns the broker's exchange rate.
func (p degiroExchangePair) rate() decimal.Decimal {
	if p.paid.rate.Valid {
		return p.paid.rate.Decimal
	}
	return p.received.rate.Decimal
}

// findExchanges pairs the two lines of each currency exchange: adjacent lines with the same time
// and order, in two currencies, one negative and one positive, with a matching rate.
func (r *degiroReader) findExchanges() {
	for i := 0; i+1 < len(r.lines); i++ {
		a, b := r.lines[i], r.lines[i+1]
		if a.used || b.used || !isDEGIROExchange(a, b) {
			continue
		}
		p := degiroExchangePair{paid: a, received: b}
		if b.change.Decimal.IsNegative() {
			p = degiroExchangePair{paid: b, received: a}
		}
		r.exchanges = append(r.exchanges, p)
		i++
	}
}

// isDEGIROExchange compares the amounts with the rate of one of the lines, allowing for cents and a
// rate of four decimals. DEGIRO has changed the base currency of the rate over the years, so both
// are tried.
func isDEGIROExchange(a, b *degiroLine) bool {
	rate := degiroExchangePair{a, b}.rate()
	if a.class != degiroExchange || b.class != degiroExchange || !a.moment.Equal(b.moment) || a.order != b.order || a.isin != b.isin ||
		a.currency == b.currency || a.change.Decimal.Sign()*b.change.Decimal.Sign() != -1 || !rate.IsPositive() || a.rate.Valid && b.rate.Valid {
		return false
	}
	near := func(from, to decimal.Decimal) bool {
		slack := from.Mul(decimal.New(1, -4)).Add(rate.Add(decimal.NewFromInt(1)).Mul(cent))
		return from.Mul(rate).Sub(to).Abs().LessThanOrEqual(slack)
	}
	x, y := a.change.Decimal.Abs(), b.change.Decimal.Abs()
	return near(x, y) || near(y, x)
}

// recordTrades records trades with the exchange that paid for them and the fees of their order, and
// then the remaining exchanges.
func (r *degiroReader) recordTrades() {
	costs, first := map[string][]*degiroLine{}, map[string]*degiroLine{}
	for _, l := range r.lines {
		switch order := l.orderKey(); {
		case order == "":
		case l.class == degiroTrade:
			// DEGIRO charges an order once, even if several trades fill it. The fee goes to the
			// earliest trade.
			if first[order] == nil || !l.moment.After(first[order].moment) {
				first[order] = l
			}
		case !l.used && (l.class == degiroFee || l.class == degiroTax) && l.change.Decimal.IsNegative():
			costs[order] = append(costs[order], l)
		}
	}
	// Exchanges by order and foreign amount.
	free := map[string][]degiroExchangePair{}
	for _, p := range r.exchanges {
		for _, l := range []*degiroLine{p.paid, p.received} {
			if l.orderKey() != "" {
				key := degiroSettlementKey(l, l.change.Decimal)
				free[key] = append(free[key], p)
			}
		}
	}
	for _, l := range r.lines {
		if l.used || l.class != degiroTrade {
			continue
		}
		var charged []*degiroLine
		if first[l.orderKey()] == l {
			charged = costs[l.orderKey()]
		}
		r.recordTrade(l, free, charged)
	}
	for _, p := range r.exchanges {
		if !p.paid.used {
			t := p.paid.transaction(portfolio.KindExchange)
			t.ToCurrency, t.ToAmount = p.received.currency, p.received.change.Decimal
			r.add(t, p.paid, p.received)
		}
	}
}

// degiroSettlementKey returns a key that is equal for a trade and the exchange line that paid for it.
func degiroSettlementKey(l *degiroLine, amount decimal.Decimal) string {
	return l.orderKey() + " " + l.currency + " " + amount.String()
}

func (r *degiroReader) recordTrade(l *degiroLine, free map[string][]degiroExchangePair, charged []*degiroLine) {
	d, _ := parseDEGIROTrade(l.normalized)
	kind, direction := portfolio.KindBuy, l.direction(d)
	if direction < 0 {
		kind = portfolio.KindSell
	}
	quantity, price, err := l.readTrade(d)
	if err == nil && (direction == 0 || l.change.Decimal.IsZero()) {
		err = fmt.Errorf("%q and the amount %s contradict each other: compare the line with DEGIRO's statement", d.verb, l.change.Decimal)
	}
	var t portfolio.Transaction
	if err == nil {
		t, err = l.securityTransaction(kind)
	}
	if err != nil {
		r.problem(l, "%v", err)
		return
	}
	t.Quantity, t.Price = quantity, decimal.NewNullDecimal(price)
	lines := []*degiroLine{l}
	if p, ok := takeDEGIROExchange(l, free); ok {
		other := p.paid
		if kind == portfolio.KindSell {
			other = p.received
		}
		t.Currency, t.Amount, t.Price = other.currency, other.change.Decimal.Abs(), decimal.NullDecimal{}
		t.Note = fmt.Sprintf("%s %s a share, exchanged at %s", price, l.currency, p.rate())
		lines = append(lines, p.paid, p.received)
	}
	for _, cost := range charged {
		switch {
		case cost.currency != t.Currency:
			continue // recorded as a separate line
		case cost.class == degiroTax && kind == portfolio.KindBuy:
			t.Tax = t.Tax.Sub(cost.change.Decimal)
		default:
			t.Fee = t.Fee.Sub(cost.change.Decimal)
		}
		lines = append(lines, cost)
	}
	r.add(t, lines...)
}

// takeDEGIROExchange returns and removes the exchange that paid for a trade, if one matches to the
// cent.
func takeDEGIROExchange(l *degiroLine, free map[string][]degiroExchangePair) (degiroExchangePair, bool) {
	key := degiroSettlementKey(l, l.change.Decimal.Neg())
	for l.orderKey() != "" && len(free[key]) > 0 {
		p := free[key][0]
		free[key] = free[key][1:]
		if !p.paid.used {
			return p, true
		}
	}
	return degiroExchangePair{}, false
}

// recordDividends joins a dividend with its withheld tax, if there is exactly one of each for the security,
// date and currency. It notes dividends that are reversed without being in the file.
func (r *degiroReader) recordDividends() {
	paid, taxed := map[string][]*degiroLine{}, map[string][]*degiroLine{}
	for _, l := range r.lines {
		switch key := l.dividendKey(); {
		case l.used:
		case l.class == degiroDividend && l.change.Decimal.IsPositive():
			paid[key] = append(paid[key], l)
		case l.class == degiroDividend && l.change.Decimal.IsNegative():
			r.reversedDividends[key] = true
		case l.class == degiroWithheld && l.change.Decimal.IsNegative():
			taxed[key] = append(taxed[key], l)
		}
	}
	for _, l := range r.lines {
		payments, taxes := paid[l.dividendKey()], taxed[l.dividendKey()]
		if len(payments) == 1 && len(taxes) == 1 && payments[0] == l && taxes[0].change.Decimal.Abs().LessThanOrEqual(l.change.Decimal) {
			r.recordPayment(l, portfolio.KindDividend, taxes...)
		}
	}
}

// recordSingle records a line that does not belong to others.
func (r *degiroReader) recordSingle(l *degiroLine) {
	amount := l.change.Decimal
	switch {
	case l.class == degiroInternal:
		r.ignore(l, "move between DEGIRO and its own bank")
		return
	case l.class == degiroUnknown:
		r.problem(l, "unknown description %q: enter the line by hand", Shorten(l.description))
		return
	case !l.change.Valid:
		r.problem(l, "missing amount: enter the line by hand")
		return
	case amount.IsZero():
		r.ignore(l, "amount is zero")
		return
	}
	switch l.class {
	case degiroPayment, degiroReserved, degiroCourtesy:
		r.recordPayment(l, kindBySign(amount, portfolio.KindDeposit, portfolio.KindWithdrawal))
	case degiroInterest, degiroCashFund:
		r.recordPayment(l, kindBySign(amount, portfolio.KindInterest, portfolio.KindInterestDue))
	case degiroFee:
		r.recordPayment(l, kindBySign(amount, portfolio.KindFeeRefund, portfolio.KindFee))
	case degiroTax, degiroWithheld:
		if l.class == degiroWithheld && amount.IsPositive() && r.reversedDividends[l.dividendKey()] {
			r.problem(l, "%s %s of tax on a reversed dividend: if you remove that dividend, ignore this line; otherwise enter a %s by hand", amount, l.currency, portfolio.KindTaxRefund)
			return
		}
		r.recordPayment(l, kindBySign(amount, portfolio.KindTaxRefund, portfolio.KindTax))
	case degiroDividend, degiroReturnOfCapital:
		switch {
		case amount.IsNegative():
			r.problem(l, "%s %s of a dividend were reversed: remove or reduce that dividend by hand", amount.Abs(), l.currency)
		case l.class == degiroDividend:
			r.recordPayment(l, portfolio.KindDividend)
		default:
			r.recordPayment(l, portfolio.KindReturnOfCapital)
		}
	case degiroExchange:
		r.problem(l, "one half of a currency exchange without the other half next to it: enter the exchange by hand")
	default:
		r.problem(l, "not understood: enter the line by hand")
	}
}

// recordPayment records a payment for a security or the account, with taxes withheld. Payments
// other than distributions keep the broker's description as a note.
func (r *degiroReader) recordPayment(l *degiroLine, kind portfolio.Kind, taxes ...*degiroLine) {
	t := l.transaction(kind)
	distribution := kind == portfolio.KindDividend || kind == portfolio.KindReturnOfCapital
	charge := l.class == degiroFee || l.class == degiroTax || l.class == degiroWithheld
	if distribution || charge && l.isin != "" {
		var err error
		if t, err = l.securityTransaction(kind); err != nil {
			r.problem(l, "%v", err)
			return
		}
	}
	if !distribution {
		t.Note = Shorten(l.description)
	}
	for _, tax := range taxes {
		t.Tax = t.Tax.Sub(tax.change.Decimal)
	}
	r.add(t, append([]*degiroLine{l}, taxes...)...)
}
