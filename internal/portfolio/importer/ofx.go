package importer

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// OFX is OFX. The number of a transaction is the broker's FITID with the name of
// its tag, because some brokers give a dividend and what it bought the same one.
func OFX() Format {
	return Format{Name: "ofx", Title: "OFX or QFX, of any broker", Recognizes: recognizesOFX, Read: readOFX}
}

func recognizesOFX(f File) bool {
	head := strings.ToUpper(f.Text[:min(len(f.Text), 4096)])
	return strings.HasPrefix(strings.TrimSpace(head), "OFXHEADER") || strings.Contains(head, "<?OFX") || strings.Contains(head, "<OFX>")
}

func readOFX(f File, o Options) (Statement, error) {
	if !recognizesOFX(f) {
		return Statement{}, fmt.Errorf("%s: %w: it has no OFX tag", f.Name, ErrFormat)
	}
	root, err := parseOFX(f.Text)
	if err != nil {
		return Statement{}, fmt.Errorf("%s: %w: %w", f.Name, ErrFormat, err)
	}
	if err := checkOFXDecimalSeparator(root); err != nil {
		return Statement{}, fmt.Errorf("%s, %w", f.Name, err)
	}
	r := ofxReader{collector: NewCollector("ofx", o), securities: ofxSecurities(root), zone: o.Zone, seen: map[[2]string]ofxSeenRecord{}}
	for _, e := range root.all("INVSTMTRS") {
		r.number = e.child("INVACCTFROM").text("ACCTID")
		r.account = r.collector.AccountFor(r.number)
		r.currency = o.Currency
		if currency := e.child("CURDEF"); currency != nil && currency.value != "" {
			r.currency = currency.value
		}
		if list := e.child("INVTRANLIST"); list != nil {
			for _, record := range list.children {
				if record.name != "DTSTART" && record.name != "DTEND" {
					r.add(record)
				}
			}
		}
	}
	for _, tag := range []string{"STMTRS", "CCSTMTRS"} {
		for _, e := range root.all(tag) {
			r.collector.Problem(e.row(), "a statement of a bank account or card, not of securities: enter its deposits by hand")
		}
	}
	return r.collector.Statement(nil), nil
}

// checkOFXDecimalSeparator refuses a file that has points in some amounts and commas in others: OFX lets
// either stand before the fraction and knows no thousands, so that 1,500 is one and a
// half, and was meant for more where the file has 2.50 as well.
func checkOFXDecimalSeparator(root *ofxElement) error {
	var points, commas *ofxElement
	var look func(e *ofxElement)
	look = func(e *ofxElement) {
		// One that has both is no number, and a problem of its own.
		if point, comma := strings.Contains(e.value, "."), strings.Contains(e.value, ","); point != comma && isOFXAmount(e.name) {
			if point {
				points = e
			} else {
				commas = e
			}
		}
		for _, c := range e.children {
			look(c)
		}
	}
	for _, list := range root.all("INVTRANLIST") {
		look(list)
	}
	if points == nil || commas == nil {
		return nil
	}
	return fmt.Errorf("line %d: %w: %s is %s, and %s in line %d is %s: which of point and comma stands before the fraction is not sure for any amount",
		commas.line, ErrFormat, commas.name, commas.value, points.name, points.line, points.value)
}

func isOFXAmount(name string) bool {
	switch name {
	case "TOTAL", "TRNAMT", "UNITS", "UNITPRICE", "COMMISSION", "FEES", "TAXES", "LOAD", "PENALTY", "WITHHOLDING", "STATEWITHHOLDING",
		"ACCRDINT", "MARKUP", "MARKDOWN", "FRACCASH", "NUMERATOR", "DENOMINATOR":
		return true
	}
	return false
}

// ofxSecurity is what the list of securities says of a number.
type ofxSecurity struct {
	ticker, name string
	option       bool
}

// ofxSecurities reads the list that stands beside the statements, by kind and number
// of the identifier: those of different kinds may be equal.
func ofxSecurities(root *ofxElement) map[[2]string]ofxSecurity {
	known := map[[2]string]ofxSecurity{}
	for _, list := range root.all("SECLIST") {
		for _, info := range list.children {
			if id := info.find("SECID"); id != nil {
				known[ofxIdentifier(id)] = ofxSecurity{ticker: info.text("TICKER"), name: info.text("SECNAME"), option: info.name == "OPTINFO"}
			}
		}
	}
	return known
}

func ofxIdentifier(id *ofxElement) [2]string {
	return [2]string{strings.ToUpper(id.text("UNIQUEIDTYPE")), strings.ToUpper(id.text("UNIQUEID"))}
}

// ofxReader reads the records of the accounts of a file, one account after the other.
type ofxReader struct {
	collector  *Collector
	securities map[[2]string]ofxSecurity
	zone       *time.Location
	seen       map[[2]string]ofxSeenRecord // by account and SourceID

	account  string // that the records are of
	number   string // its number in the file
	currency string // empty where the file does not say
}

// ofxSeenRecord is a record that was seen: of which account of the file, and its fingerprint.
type ofxSeenRecord struct{ number, fingerprint string }

func (r *ofxReader) add(e *ofxElement) {
	mark := Fingerprint(e.cells())
	id := e.text("FITID") + "/" + e.name
	if e.text("FITID") == "" {
		id = r.collector.counter.ID(e.cells())
	}
	switch first, twice := r.seen[[2]string{r.account, id}]; {
	// Numbers are of an account: those of two may be equal, and so may their dividends.
	case twice && first.number != r.number:
		r.collector.Problem(e.row(), "the accounts %s and %s each have a record of this FITID, and both are read as %s: import them apart, each as an account of its own",
			Shorten(first.number), Shorten(r.number), Shorten(r.account))
		return
	case twice && first.fingerprint == mark:
		r.collector.Ignore(e.row(), "the same record stands above")
		return
	case twice:
		r.collector.Problem(e.row(), "another record has the same FITID and says something else; compare both with the broker's statement")
		return
	}
	r.seen[[2]string{r.account, id}] = ofxSeenRecord{r.number, mark}
	txs, err := r.transactions(e)
	if err != nil {
		r.collector.Skip(err, e.row())
		return
	}
	r.collector.AddAll(txs, id, e.row())
}

var (
	errOFXOption     = errors.New("options are not kept in the book")
	errOFXNoSecurity = errors.New("it names no security; add it by hand")
	errOFXReversed   = errors.New("its sums have the signs of a correction that takes another one back; remove that one by hand")
)

// transactions are what a record stands for. Their SourceID is what tells them
// apart, where there is more than one.
func (r *ofxReader) transactions(e *ofxElement) ([]portfolio.Transaction, error) {
	if id := e.text("REVERSALFITID"); id != "" {
		return nil, fmt.Errorf("it takes back the record with the FITID %s: remove that one from the book by hand", Shorten(id))
	}
	var kind portfolio.Kind
	var fill func(e *ofxElement, t *portfolio.Transaction) error
	switch e.name {
	case "BUYSTOCK", "BUYMF", "BUYDEBT", "BUYOTHER":
		return r.trade(e, portfolio.KindBuy)
	case "SELLSTOCK", "SELLMF", "SELLDEBT", "SELLOTHER":
		return r.trade(e, portfolio.KindSell)
	case "INCOME":
		kind, fill = portfolio.KindDividend, r.income
	case "REINVEST":
		kind, fill = portfolio.KindReinvest, r.reinvestment
	case "RETOFCAP":
		kind, fill = portfolio.KindReturnOfCapital, r.payment
	case "INVEXPENSE":
		kind, fill = portfolio.KindFee, r.payment
	case "MARGININTEREST":
		kind, fill = portfolio.KindInterestDue, r.payment
	case "TRANSFER":
		kind, fill = portfolio.KindTransferIn, r.transfer
	case "SPLIT":
		kind, fill = portfolio.KindSplit, r.split
	case "INVBANKTRAN":
		kind, fill = portfolio.KindDeposit, r.cash
	case "BUYOPT", "SELLOPT", "CLOSUREOPT":
		return nil, errOFXOption
	case "JRNLFUND", "JRNLSEC":
		return nil, IgnoreReason("a move between parts of the same account")
	default:
		return nil, fmt.Errorf("%s is no transaction that is known; enter it by hand", Shorten(e.name))
	}
	t, err := r.begin(e, kind)
	if err == nil {
		err = fill(e, &t)
	}
	return []portfolio.Transaction{t}, err
}

// begin sets what all kinds of record have: a day, a currency and a note.
func (r *ofxReader) begin(e *ofxElement, kind portfolio.Kind) (portfolio.Transaction, error) {
	t := portfolio.Transaction{Kind: kind, Account: r.account, Note: Shorten(joinNotes(e.text("NAME"), e.text("MEMO"))), Currency: r.currency}
	when := e.text("DTTRADE")
	if when == "" {
		when = e.text("DTPOSTED")
	}
	var err error
	if t.Date, t.Time, err = parseOFXTime(when, r.zone); err != nil {
		return t, err
	}
	// CURRENCY is what the sums are in; ORIGCURRENCY is what they were before they
	// were converted to that of the account.
	if code := e.find("CURRENCY"); code != nil {
		t.Currency = code.text("CURSYM")
	}
	if !ValidCurrency(t.Currency) {
		return t, errors.New("the file does not name the currency; say that of the account")
	}
	return t, nil
}

// parseOFXTime reads a date as OFX writes it, "20240115", "20240115093000.123" or with
// its zone "20240115160000[-5:EST]". The day is the one that is written: brokers
// write their own. Only a time of day that is said to be in UTC is brought to zone.
// A time without a zone is in UTC, as the specification has it; the instant is zero
// where no time of day is written.
func parseOFXTime(text string, zone *time.Location) (market.Date, time.Time, error) {
	wrong := fmt.Errorf("the date %.40q is not one of OFX, such as 20240115 or 20240115093000[-5:EST]", text)
	digits, offset, zoned := strings.Cut(strings.TrimSpace(text), "[")
	digits, _, _ = strings.Cut(digits, ".")
	hours := 0.0
	if zoned {
		var err error
		offset, _, _ = strings.Cut(strings.TrimSuffix(offset, "]"), ":")
		if hours, err = strconv.ParseFloat(strings.TrimPrefix(offset, "+"), 64); err != nil || !(hours >= -14 && hours <= 14) {
			return market.Date{}, time.Time{}, wrong
		}
	}
	const layout = "20060102150405"
	if len(digits) > len(layout) || len(digits) < 8 || len(digits)%2 != 0 {
		return market.Date{}, time.Time{}, wrong
	}
	written, err := time.Parse(layout[:len(digits)], digits)
	if err != nil || written.Year() < 1900 || written.Year() > 2200 {
		return market.Date{}, time.Time{}, wrong
	}
	day := DayOf(written)
	if written.Equal(day) {
		return day, time.Time{}, nil
	}
	instant := written.Add(-time.Duration(hours * float64(time.Hour)))
	if zoned && hours == 0 && zone != nil {
		day = DayOf(instant.In(zone))
	}
	return day, instant, nil
}

// setSecurity puts the security of a record into t: its ticker where the file has one,
// and else its number, which an alias can lead to a ticker.
func (r *ofxReader) setSecurity(e *ofxElement, t *portfolio.Transaction) error {
	id := e.find("SECID")
	if id == nil {
		return errOFXNoSecurity
	}
	key := ofxIdentifier(id)
	known := r.securities[key]
	if known.option {
		return errOFXOption
	}
	t.Name = Shorten(known.name)
	if key[0] == "ISIN" && ValidISIN(key[1]) {
		t.ISIN = key[1]
	}
	for _, text := range []string{known.ticker, key[1]} {
		if _, err := market.ParseSymbol(text); err == nil {
			t.Symbol, err = ParseTicker(text)
			return err
		}
	}
	return errOFXNoSecurity
}

// setOptionalSecurity is setSecurity for records that may name none.
func (r *ofxReader) setOptionalSecurity(e *ofxElement, t *portfolio.Transaction) error {
	if e.find("SECID") == nil {
		return nil
	}
	return r.setSecurity(e, t)
}

// ofxNumbers reads amounts by their names; those that are not there are zero. OFX lets a comma stand
// for the decimal point, and knows no thousands.
func ofxNumbers(e *ofxElement, names ...string) (map[string]decimal.Decimal, error) {
	numbers := make(map[string]decimal.Decimal, len(names))
	for _, name := range names {
		text := e.text(name)
		if text == "" {
			continue
		}
		sign := DecimalPoint
		if strings.Contains(text, ",") {
			sign = DecimalComma
		}
		d, err := ParseNumber(text, sign)
		if err == nil && strings.Contains(text, ",") && strings.Contains(text, ".") {
			err = ErrNumber
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		numbers[name] = d
	}
	return numbers, nil
}

// ofxCosts reads what a booking cost beside the price.
func ofxCosts(e *ofxElement) (fee, tax decimal.Decimal, err error) {
	for i, name := range []string{"COMMISSION", "FEES", "LOAD", "PENALTY", "TAXES", "WITHHOLDING", "STATEWITHHOLDING"} {
		n, err := ofxNumbers(e, name)
		switch {
		case err != nil:
			return fee, tax, err
		case n[name].IsNegative():
			return fee, tax, fmt.Errorf("%s is below zero, which may be a refund or another way to write a cost; enter it by hand", name)
		case i < 4:
			fee = fee.Add(n[name])
		default:
			tax = tax.Add(n[name])
		}
	}
	return fee, tax, nil
}

// trade is what was bought or sold. TOTAL is what the cash changed by; what is left
// of it without the costs has to be the units at their price. Interest that was paid with a bond is
// taken out of it.
func (r *ofxReader) trade(e *ofxElement, kind portfolio.Kind) ([]portfolio.Transaction, error) {
	t, err := r.begin(e, kind)
	if err != nil {
		return nil, err
	}
	if err := r.setSecurity(e, &t); err != nil {
		return nil, err
	}
	n, err := ofxNumbers(e, "UNITS", "UNITPRICE", "MARKUP", "MARKDOWN", "TOTAL", "ACCRDINT")
	if err != nil {
		return nil, err
	}
	if t.Fee, t.Tax, err = ofxCosts(e); err != nil {
		return nil, err
	}
	cash := n["TOTAL"]
	t.Quantity = n["UNITS"]
	if kind == portfolio.KindBuy {
		cash = cash.Neg()
	} else {
		t.Quantity = t.Quantity.Neg()
		t.Short = e.text("SELLTYPE") == "SELLSHORT"
	}
	t.Amount = amountBeforeCosts(kind, cash, t.Fee.Add(t.Tax))
	if !cash.IsPositive() || !t.Quantity.IsPositive() || !t.Amount.IsPositive() {
		return nil, errOFXReversed
	}
	if e.text("UNITPRICE") != "" {
		t.Price = decimal.NewNullDecimal(n["UNITPRICE"])
	}
	price := n["UNITPRICE"].Add(n["MARKUP"]).Sub(n["MARKDOWN"])
	interest := n["ACCRDINT"].Abs()
	clean := t.Amount.Sub(interest)
	bond := e.name == "BUYDEBT" || e.name == "SELLDEBT"
	whole := ofxAmountAgrees(t.Quantity, price, t.Amount, bond)
	switch {
	case interest.IsZero() && (!t.Price.Valid || whole):
		return []portfolio.Transaction{t}, nil
	case interest.IsPositive() && clean.IsPositive() && ofxAmountAgrees(t.Quantity, price, clean, bond) && !whole:
		t.Amount = clean
		due := portfolio.Transaction{
			Date: t.Date, Time: t.Time, Account: t.Account, Kind: portfolio.KindInterestDue,
			Symbol: t.Symbol, ISIN: t.ISIN, Name: t.Name, Currency: t.Currency, Amount: interest,
			Note: "accrued interest", SourceID: "/interest",
		}
		if kind == portfolio.KindSell {
			due.Kind = portfolio.KindInterest
		}
		return []portfolio.Transaction{t, due}, nil
	}
	return nil, fmt.Errorf("%s units at %s are not %s, the total without costs; enter it by hand as the broker's statement has it",
		t.Quantity, price, t.Amount)
}

// ofxAmountAgrees allows for what rounding of the price, the units and the cent may make.
// Prices of bonds are often per cent of their face value.
func ofxAmountAgrees(units, price, amount decimal.Decimal, bond bool) bool {
	product := units.Mul(price)
	slack := units.Mul(halfOfLastDigit(price, 2)).Add(price.Abs().Mul(halfOfLastDigit(units, 3)))
	near := func(scale int32) bool {
		return product.Shift(scale).Sub(amount).Abs().LessThanOrEqual(slack.Shift(scale).Add(cent))
	}
	return near(0) || bond && near(-2)
}

// income is cash that a security paid. TOTAL is what arrived, after taxes.
func (r *ofxReader) income(e *ofxElement, t *portfolio.Transaction) error {
	secure := r.setSecurity
	switch what := e.text("INCOMETYPE"); what {
	case "DIV":
	case "CGLONG":
		t.Note = joinNotes("long-term capital gain", t.Note)
	case "CGSHORT":
		t.Note = joinNotes("short-term capital gain", t.Note)
	case "INTEREST":
		t.Kind, secure = portfolio.KindInterest, r.setOptionalSecurity // that of cash names none
	default:
		return fmt.Errorf("income of the type %.20q is not said to be a dividend or interest; enter it by hand", what)
	}
	if err := secure(e, t); err != nil {
		return err
	}
	n, err := ofxNumbers(e, "TOTAL")
	if err != nil {
		return err
	}
	if t.Fee, t.Tax, err = ofxCosts(e); err != nil {
		return err
	}
	if !n["TOTAL"].IsPositive() {
		return errOFXReversed
	}
	t.Amount = n["TOTAL"].Add(t.Fee).Add(t.Tax)
	return nil
}

// reinvestment is income that became units at once; TOTAL is what they cost.
func (r *ofxReader) reinvestment(e *ofxElement, t *portfolio.Transaction) error {
	if err := r.setSecurity(e, t); err != nil {
		return err
	}
	n, err := ofxNumbers(e, "UNITS", "UNITPRICE", "TOTAL")
	if err != nil {
		return err
	}
	fee, tax, err := ofxCosts(e)
	if err != nil {
		return err
	}
	if !n["UNITS"].IsPositive() || !n["TOTAL"].IsNegative() {
		return errOFXReversed
	}
	// A tax on the purchase, unlike one withheld, is a part of what the units cost.
	t.Quantity, t.Amount, t.Fee = n["UNITS"], n["TOTAL"].Neg(), fee.Add(tax)
	if e.text("UNITPRICE") != "" {
		t.Price = decimal.NewNullDecimal(n["UNITPRICE"])
		if !ofxAmountAgrees(t.Quantity, t.Price.Decimal, t.Amount.Sub(t.Fee), false) {
			return fmt.Errorf("%s units at %s are not %s; enter it by hand as the broker's statement has it", t.Quantity, t.Price.Decimal, t.Amount)
		}
	}
	return nil
}

// payment is a sum that was taken for a security or the account, or given back of what
// it cost.
func (r *ofxReader) payment(e *ofxElement, t *portfolio.Transaction) error {
	secure := r.setOptionalSecurity
	if t.Kind == portfolio.KindReturnOfCapital {
		secure = r.setSecurity
	}
	if err := secure(e, t); err != nil {
		return err
	}
	n, err := ofxNumbers(e, "TOTAL")
	if err != nil {
		return err
	}
	if t.Amount = n["TOTAL"]; t.Kind != portfolio.KindReturnOfCapital {
		t.Amount = t.Amount.Neg()
	}
	if !t.Amount.IsPositive() {
		return errOFXReversed
	}
	return nil
}

// transfer is units that came from another broker, or went there. OFX does not say
// whether its average cost is of a unit or of all, so the cost is not known.
func (r *ofxReader) transfer(e *ofxElement, t *portfolio.Transaction) error {
	switch e.text("TFERACTION") {
	case "IN":
		t.CostUnknown = true
	case "OUT":
		t.Kind = portfolio.KindTransferOut
	default:
		return errors.New("it does not say whether the units came or went; enter it by hand")
	}
	if e.text("POSTYPE") == "SHORT" {
		return errors.New("a short position was transferred, which is not kept; enter it by hand as a sale or purchase")
	}
	if err := r.setSecurity(e, t); err != nil {
		return err
	}
	n, err := ofxNumbers(e, "UNITS")
	if err != nil {
		return err
	}
	if t.Quantity = n["UNITS"].Abs(); t.Quantity.IsZero() {
		return errors.New("no units are said to be transferred; enter it by hand")
	}
	if text := e.text("DTPURCHASE"); text != "" && t.CostUnknown {
		t.Acquired, _, err = parseOFXTime(text, r.zone)
	}
	return err
}

// split is new units for old ones, in the ratio that the record gives.
func (r *ofxReader) split(e *ofxElement, t *portfolio.Transaction) error {
	if err := r.setSecurity(e, t); err != nil {
		return err
	}
	n, err := ofxNumbers(e, "NUMERATOR", "DENOMINATOR", "FRACCASH")
	if err != nil {
		return err
	}
	t.New, t.Old, t.Currency = n["NUMERATOR"], n["DENOMINATOR"], ""
	t.Kind = splitKind(t.New, t.Old)
	switch {
	case !t.New.IsPositive() || !t.Old.IsPositive():
		return errors.New("the ratio of the split is missing; enter it by hand")
	case !n["FRACCASH"].IsZero():
		return fmt.Errorf("the split paid %s for a part of a unit; enter the split by hand, and the sale of that part", n["FRACCASH"])
	}
	return nil
}

// cash is a payment of the account that no trade made.
func (r *ofxReader) cash(e *ofxElement, t *portfolio.Transaction) error {
	n, err := ofxNumbers(e, "TRNAMT")
	if err != nil {
		return err
	}
	amount := n["TRNAMT"]
	if amount.IsZero() {
		return IgnoreReason("no money was moved")
	}
	t.Amount = amount.Abs()
	switch what := e.text("TRNTYPE"); what {
	case "CREDIT", "DEBIT", "DEP", "DIRECTDEP", "DIRECTDEBIT", "XFER", "CHECK", "PAYMENT", "CASH", "ATM", "POS", "REPEATPMT":
		t.Kind = kindBySign(amount, portfolio.KindDeposit, portfolio.KindWithdrawal)
	case "INT":
		t.Kind = kindBySign(amount, portfolio.KindInterest, portfolio.KindInterestDue)
	case "FEE", "SRVCHG":
		t.Kind = kindBySign(amount, portfolio.KindFeeRefund, portfolio.KindFee)
	case "DIV":
		return errors.New("a dividend that names no security; enter it by hand")
	case "HOLD":
		return IgnoreReason("an amount that was held, and not yet moved")
	default:
		return fmt.Errorf("what a payment of the type %.20q was is not said; enter it by hand as a deposit, withdrawal, interest or fee", what)
	}
	return nil
}
