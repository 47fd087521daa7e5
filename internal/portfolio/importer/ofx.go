package importer

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// OFX returns the format of OFX and QFX files. The ID of a transaction is the broker's FITID plus its tag name, because
// some brokers use the same FITID for a dividend and its reinvestment.
func OFX() Format {
	return Format{Name: "ofx", Title: "OFX or QFX, any broker", Recognizes: recognizesOFX, Read: readOFX}
}

func recognizesOFX(f File) bool {
	head := strings.ToUpper(f.Text[:min(len(f.Text), 4096)])
	return strings.HasPrefix(strings.TrimSpace(head), "OFXHEADER") || strings.Contains(head, "<?OFX") || strings.Contains(head, "<OFX>")
}

func readOFX(f File, o Options) (Statement, error) {
	if !recognizesOFX(f) {
		return Statement{}, fmt.Errorf("%s: %w: no OFX tag", f.Name, ErrFormat)
	}
	root, err := parseOFX(f.Text)
	if err != nil {
		return Statement{}, fmt.Errorf("%s: %w: %w", f.Name, ErrFormat, err)
	}
	if err := checkOFXDecimalSeparator(root); err != nil {
		return Statement{}, fmt.Errorf("%s, %w", f.Name, err)
	}
	r := ofxReader{collector: NewCollector("ofx", o), securities: ofxSecurities(root), zone: o.Zone, seen: map[[2]string]ofxSeenRecord{}, done: map[*ofxElement]bool{}}
	statements, banks := root.all("INVSTMTRS"), slices.Concat(root.all("STMTRS"), root.all("CCSTMTRS"))
	if len(statements) == 0 && len(banks) > 0 {
		return Statement{}, fmt.Errorf("%s is a bank or card statement, but nfa imports only investment accounts: enter your deposits with nfa portfolio add", f.Name)
	}
	for _, e := range statements {
		r.number = e.child("INVACCTFROM").text("ACCTID")
		r.account = r.collector.AccountFor(r.number)
		r.currency = o.Currency
		if currency := e.child("CURDEF"); currency != nil && currency.value != "" {
			r.currency = currency.value
		}
		if list := e.child("INVTRANLIST"); list != nil {
			r.joinExchanges(list.children)
			r.ignoreConversions(list.children)
			for _, record := range list.children {
				if t, err := r.begin(record, portfolio.KindBuy); err == nil && isOFXTrade(record) {
					_ = r.setSecurity(record, &t) // errors are reported with the record
				}
			}
			for _, record := range list.children {
				if record.name != "DTSTART" && record.name != "DTEND" && !r.done[record] {
					r.add(record)
				}
			}
		}
	}
	for _, e := range banks {
		r.collector.Problem(e.row(), "bank or card statement, not an investment account: enter its deposits by hand")
	}
	return r.collector.Statement(nil), nil
}

// checkOFXDecimalSeparator rejects a file with points in some amounts and commas in others. OFX
// allows either as decimal separator and no thousands separators, so 1,500 means 1.5, which is
// doubtful if the file also has 2.50.
func checkOFXDecimalSeparator(root *ofxElement) error {
	var points, commas *ofxElement
	var look func(e *ofxElement)
	look = func(e *ofxElement) {
		// An amount with both is reported as an invalid number later.
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
	return fmt.Errorf("line %d: %w: mixed decimal separators: %s is %s, and %s in line %d is %s",
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

// ofxSecurity is an entry of the security list.
type ofxSecurity struct {
	ticker, name string
	option, bond bool
}

// ofxSecurities reads the security list, by type and value of the ID, because IDs of different
// types may be equal.
func ofxSecurities(root *ofxElement) map[[2]string]ofxSecurity {
	known := map[[2]string]ofxSecurity{}
	for _, list := range root.all("SECLIST") {
		for _, info := range list.children {
			if id := info.find("SECID"); id != nil {
				known[ofxIdentifier(id)] = ofxSecurity{ticker: info.text("TICKER"), name: info.text("SECNAME"), option: info.name == "OPTINFO", bond: info.name == "DEBTINFO"}
			}
		}
	}
	return known
}

func ofxIdentifier(id *ofxElement) [2]string {
	return [2]string{strings.ToUpper(id.text("UNIQUEIDTYPE")), strings.ToUpper(id.text("UNIQUEID"))}
}

// ofxReader reads the records of each account of a file.
type ofxReader struct {
	collector  *Collector
	securities map[[2]string]ofxSecurity
	zone       *time.Location
	seen       map[[2]string]ofxSeenRecord // by account and SourceID
	done       map[*ofxElement]bool        // records that were read together with others

	account  string // of the current records
	number   string // its number in the file
	currency string // empty if not in the file
}

// ofxSeenRecord is an earlier record: its account in the file, and its fingerprint.
type ofxSeenRecord struct{ number, fingerprint string }

func (r *ofxReader) add(e *ofxElement) {
	mark := Fingerprint(e.cells())
	id := ofxNumber(r.collector, e)
	switch first, twice := r.seen[[2]string{r.account, id}]; {
	// Numbers are unique only within an account, and two accounts may have equal dividends.
	case twice && first.number != r.number:
		r.collector.Problem(e.row(), "accounts %s and %s both have a record with this FITID, and both are imported as %s: import them into separate accounts",
			Shorten(first.number), Shorten(r.number), Shorten(r.account))
		return
	case twice && first.fingerprint == mark:
		r.collector.Ignore(e.row(), "duplicate of an earlier record")
		return
	case twice:
		r.collector.Problem(e.row(), "another record has the same FITID but different values; compare both with the broker's statement")
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

// ofxNumber returns the number of a record, or a fingerprint if it has none.
func ofxNumber(c *Collector, e *ofxElement) string {
	if e.text("FITID") == "" {
		return c.counter.ID(e.cells())
	}
	return e.text("FITID") + "/" + e.name
}

var (
	errOFXOption     = errors.New("options are not supported")
	errOFXNoSecurity = errors.New("missing security; enter the transaction by hand")
	errOFXReversed   = errors.New("the signs are those of a correction; remove the corrected transaction by hand")
)

// transactions returns the transactions of a record. Their SourceIDs distinguish them if there are
// several.
func (r *ofxReader) transactions(e *ofxElement) ([]portfolio.Transaction, error) {
	if id := e.text("REVERSALFITID"); id != "" {
		return nil, fmt.Errorf("corrects the record with FITID %s: remove that transaction by hand", Shorten(id))
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
		if txs, ok := r.unitsForFee(e); ok {
			return txs, nil
		}
		kind, fill = portfolio.KindTransferIn, r.transfer
	case "SPLIT":
		kind, fill = portfolio.KindSplit, r.split
	case "INVBANKTRAN":
		kind, fill = portfolio.KindDeposit, r.cash
	case "BUYOPT", "SELLOPT", "CLOSUREOPT":
		return nil, errOFXOption
	case "JRNLFUND", "JRNLSEC":
		return nil, IgnoreReason("move within the same account")
	default:
		return nil, fmt.Errorf("unsupported record type %s; enter the transaction by hand", Shorten(e.name))
	}
	t, err := r.begin(e, kind)
	if err == nil {
		err = fill(e, &t)
	}
	return []portfolio.Transaction{t}, err
}

// begin sets the fields that all records have: date, currency and note.
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
	// CURRENCY is the currency of the amounts; ORIGCURRENCY is the one before conversion to the
	// account's currency.
	if code := e.find("CURRENCY"); code != nil {
		t.Currency = code.text("CURSYM")
	}
	if !ValidCurrency(t.Currency) {
		return t, errors.New("the file does not state the currency; set the account's currency")
	}
	return t, nil
}

// parseOFXTime parses an OFX date, "20240115", "20240115093000.123" or with a zone
// "20240115160000[-5:EST]". The date is used as written, because brokers write their local date;
// only a time explicitly in UTC is converted to zone. A time without a zone is in UTC, as
// specified. The time is zero if the text has none.
func parseOFXTime(text string, zone *time.Location) (market.Date, time.Time, error) {
	wrong := fmt.Errorf("%.40q is not an OFX date such as 20240115 or 20240115093000[-5:EST]", text)
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

// setSecurity sets the security of t: its ticker if the file has one, otherwise its ID, which an
// alias can map to a ticker.
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
		if _, err := market.ParseSymbol(text); err != nil {
			continue
		}
		l := Listing{Ticker: text, ISIN: t.ISIN, Name: known.name}
		if text == key[1] && t.ISIN != "" {
			l.Ticker = ""
		}
		if isOFXTrade(e) && known.ticker != "" {
			l.Currency = t.Currency
		}
		var err error
		t.Symbol, t.ISIN, err = r.collector.Identify(l)
		return err
	}
	return errOFXNoSecurity
}

func isOFXTrade(e *ofxElement) bool {
	return strings.HasPrefix(e.name, "BUY") || strings.HasPrefix(e.name, "SELL")
}

// setOptionalSecurity works like setSecurity for records that may lack a security.
func (r *ofxReader) setOptionalSecurity(e *ofxElement, t *portfolio.Transaction) error {
	if e.find("SECID") == nil {
		return nil
	}
	return r.setSecurity(e, t)
}

// ofxNumbers reads amounts by name; missing ones are zero. OFX allows a comma as decimal separator
// and no thousands separators.
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

// ofxCosts reads the fees and taxes of a booking.
func ofxCosts(e *ofxElement) (fee, tax decimal.Decimal, err error) {
	for i, name := range []string{"COMMISSION", "FEES", "LOAD", "PENALTY", "TAXES", "WITHHOLDING", "STATEWITHHOLDING"} {
		n, err := ofxNumbers(e, name)
		switch {
		case err != nil:
			return fee, tax, err
		case n[name].IsNegative():
			return fee, tax, fmt.Errorf("%s is negative: a refund or another sign convention; enter the transaction by hand", name)
		case i < 4:
			fee = fee.Add(n[name])
		default:
			tax = tax.Add(n[name])
		}
	}
	return fee, tax, nil
}

// trade reads a purchase or sale. TOTAL is the change in cash; without costs it must equal units
// times price. Accrued interest on a bond is booked separately.
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
	bond := e.name == "BUYDEBT" || e.name == "SELLDEBT" || r.securities[ofxIdentifier(e.find("SECID"))].bond
	agrees := ofxAmountAgrees(t.Quantity, price, t.Amount, bond)
	switch {
	case interest.IsZero() && (!t.Price.Valid || agrees):
		return []portfolio.Transaction{t}, nil
	case interest.IsPositive() && clean.IsPositive() && ofxAmountAgrees(t.Quantity, price, clean, bond) && !agrees:
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
	if fee := t.Quantity.Mul(price).Sub(t.Amount); kind == portfolio.KindSell && fee.IsPositive() && fee.LessThanOrEqual(maxRegulatoryFee(t.Quantity, t.Amount)) {
		t.Amount, t.Fee = t.Amount.Add(fee.Round(2)), t.Fee.Add(fee.Round(2))
		t.Note = joinNotes(t.Note, fmt.Sprintf("with %s of regulatory fees that the file does not itemize", fee.Round(2)))
		return []portfolio.Transaction{t}, nil
	}
	return nil, fmt.Errorf("%s units at %s do not equal %s, the total before costs; enter the transaction by hand from the broker's statement",
		t.Quantity, price, t.Amount)
}

// maxRegulatoryFee returns the largest sum of the fees that US brokers pass on for a sale, rounded
// up to cents: the SEC fee was at most 51.10 dollars per million of proceeds, the FINRA trading
// activity fee at most 0.000195 dollars per share.
func maxRegulatoryFee(units, amount decimal.Decimal) decimal.Decimal {
	return amount.Mul(decimal.New(511, -7)).Add(units.Mul(decimal.New(195, -6))).Add(cent.Mul(decimal.NewFromInt(2)))
}

// ofxAmountAgrees reports whether units times price is the amount, allowing for rounding of all three. Bond
// prices are often a percentage of face value.
func ofxAmountAgrees(units, price, amount decimal.Decimal, bond bool) bool {
	product := units.Mul(price)
	slack := units.Mul(halfOfLastDigit(price, 2)).Add(price.Abs().Mul(halfOfLastDigit(units, 3)))
	near := func(scale int32) bool {
		return product.Shift(scale).Sub(amount).Abs().LessThanOrEqual(slack.Shift(scale).Add(cent))
	}
	return near(0) || bond && near(-2)
}

// income reads cash paid by a security. TOTAL is the amount received, after taxes.
func (r *ofxReader) income(e *ofxElement, t *portfolio.Transaction) error {
	secure := r.setSecurity
	switch what := e.text("INCOMETYPE"); what {
	case "DIV":
	case "CGLONG":
		t.Note = joinNotes("long-term capital gain", t.Note)
	case "CGSHORT":
		t.Note = joinNotes("short-term capital gain", t.Note)
	case "INTEREST":
		t.Kind, secure = portfolio.KindInterest, r.setOptionalSecurity // interest on cash has no security
	default:
		return fmt.Errorf("income type %.20q is neither a dividend nor interest; enter the transaction by hand", what)
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

// reinvestment reads income reinvested in units; TOTAL is their cost.
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
	// A tax on the purchase, unlike withheld tax, is part of the cost of the units.
	t.Quantity, t.Amount, t.Fee = n["UNITS"], n["TOTAL"].Neg(), fee.Add(tax)
	if e.text("UNITPRICE") != "" {
		t.Price = decimal.NewNullDecimal(n["UNITPRICE"])
		if !ofxAmountAgrees(t.Quantity, t.Price.Decimal, t.Amount.Sub(t.Fee), false) {
			return fmt.Errorf("%s units at %s is not %s; enter the transaction by hand from the broker's statement", t.Quantity, t.Price.Decimal, t.Amount)
		}
	}
	return nil
}

// payment reads a charge for a security or the account, or its refund.
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
	switch t.Amount = n["TOTAL"]; {
	case t.Kind == portfolio.KindReturnOfCapital:
	case t.Kind == portfolio.KindFee && ofxTaxWords().MatchString(t.Note):
		t.Kind = kindBySign(t.Amount, portfolio.KindTaxRefund, portfolio.KindTax)
		t.Amount = t.Amount.Abs()
	default:
		t.Amount = t.Amount.Neg()
	}
	if !t.Amount.IsPositive() {
		return errOFXReversed
	}
	return nil
}

// transfer reads units moved from or to another broker. OFX does not say whether the average cost
// is per unit or total, so the cost is unknown.
func (r *ofxReader) transfer(e *ofxElement, t *portfolio.Transaction) error {
	switch e.text("TFERACTION") {
	case "IN":
		t.CostUnknown = true
	case "OUT":
		t.Kind = portfolio.KindTransferOut
	default:
		return errors.New("unclear direction of the transfer; enter the transaction by hand")
	}
	if e.text("POSTYPE") == "SHORT" {
		return errors.New("transfer of a short position; enter the transaction by hand as a sale or purchase")
	}
	if err := r.setSecurity(e, t); err != nil {
		return err
	}
	n, err := ofxNumbers(e, "UNITS")
	if err != nil {
		return err
	}
	if t.Quantity = n["UNITS"].Abs(); t.Quantity.IsZero() {
		return errors.New("missing units of the transfer; enter the transaction by hand")
	}
	if text := e.text("DTPURCHASE"); text != "" && t.CostUnknown {
		t.Acquired, _, err = parseOFXTime(text, r.zone)
	}
	return err
}

// split reads a split, with the ratio in the record.
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
		return errors.New("missing split ratio; enter the split by hand")
	case !n["FRACCASH"].IsZero():
		return fmt.Errorf("split with %s paid for a fractional unit; enter the split and the sale of the fraction by hand", n["FRACCASH"])
	}
	return nil
}
