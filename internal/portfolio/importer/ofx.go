package importer

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

const ofxName = "ofx"

// OFX is OFX. The number of a transaction is the broker's FITID with the name of
// its tag, because some brokers give a dividend and what it bought the same one.
func OFX() Format {
	return Format{
		Name:       ofxName,
		Title:      "OFX or QFX, of any broker",
		Recognizes: recognizesOFX,
		Read:       readOFX,
	}
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
	listed := ofxSecurities(root)
	c := NewCollector(ofxName, o)
	seen, counter := map[[2]string]ofxSeenRecord{}, &FingerprintCounter{}
	for _, e := range root.all("INVSTMTRS") {
		number := e.child("INVACCTFROM").text("ACCTID")
		s := ofxStatement{
			collector: c, securities: listed, zone: o.Zone, seen: seen, counter: counter,
			account: c.AccountFor(number), number: number, currency: e.child("CURDEF").ownText(),
		}
		if s.currency == "" {
			s.currency = o.Currency
		}
		s.read(e)
	}
	for _, tag := range []string{"STMTRS", "CCSTMTRS"} {
		for _, e := range root.all(tag) {
			c.Problem(ofxRow(e), "a statement of a bank account or card, not of securities: enter its deposits by hand")
		}
	}
	return c.Statement(nil), nil
}

// ownText is the value of e itself; empty where there is no e.
func (e *ofxElement) ownText() string {
	if e == nil {
		return ""
	}
	return e.value
}

func ofxRow(e *ofxElement) Row { return Row{Line: e.line, Cells: []string{e.summary()}} }

// ofxStatement is what holds for all transactions of one account.
type ofxStatement struct {
	collector  *Collector
	securities map[[2]string]ofxSecurity
	account    string
	number     string // of the account, as the file has it
	currency   string // empty where the file does not say
	zone       *time.Location
	seen       map[[2]string]ofxSeenRecord // of the whole file: by account and SourceID
	counter    *FingerprintCounter         // of the whole file
}

// ofxSeenRecord is a record that was seen: of which account of the file, and its fingerprint.
type ofxSeenRecord struct{ number, fingerprint string }

func (s *ofxStatement) read(e *ofxElement) {
	list := e.child("INVTRANLIST")
	if list == nil {
		return
	}
	for _, record := range list.children {
		if record.name != "DTSTART" && record.name != "DTEND" {
			s.record(record)
		}
	}
}

func (s *ofxStatement) record(e *ofxElement) {
	mark := Fingerprint(e.cells())
	id := e.text("FITID") + "/" + e.name
	if e.text("FITID") == "" {
		id = s.counter.ID(e.cells())
	}
	switch first, twice := s.seen[[2]string{s.account, id}]; {
	// Numbers are of an account: those of two may be equal, and so may their dividends.
	case twice && first.number != s.number:
		s.collector.Problem(ofxRow(e), "the accounts %s and %s each have a record of this FITID, and both are read as %s: import them apart, each as an account of its own",
			Shorten(first.number), Shorten(s.number), Shorten(s.account))
		return
	case twice && first.fingerprint == mark:
		s.collector.Ignore(ofxRow(e), "the same record stands above")
		return
	case twice:
		s.collector.Problem(ofxRow(e), "another record has the same FITID and says something else; compare both with the broker's statement")
		return
	}
	s.seen[[2]string{s.account, id}] = ofxSeenRecord{s.number, mark}
	txs, err := s.transactions(e)
	if err != nil {
		s.collector.Skip(err, ofxRow(e))
		return
	}
	s.collector.AddAll(txs, id, ofxRow(e))
}

// transactions are what a record stands for. Their SourceID is what tells them
// apart, where there is more than one.
func (s *ofxStatement) transactions(e *ofxElement) ([]portfolio.Transaction, error) {
	if id := e.text("REVERSALFITID"); id != "" {
		return nil, fmt.Errorf("it takes back the record with the FITID %s: remove that one from the book by hand", Shorten(id))
	}
	switch e.name {
	case "BUYSTOCK", "BUYMF", "BUYDEBT", "BUYOTHER":
		return s.trade(e, portfolio.KindBuy)
	case "SELLSTOCK", "SELLMF", "SELLDEBT", "SELLOTHER":
		return s.trade(e, portfolio.KindSell)
	case "INCOME":
		return s.income(e)
	case "REINVEST":
		return s.reinvestment(e)
	case "RETOFCAP":
		return s.payment(e, portfolio.KindReturnOfCapital)
	case "INVEXPENSE":
		return s.payment(e, portfolio.KindFee)
	case "MARGININTEREST":
		return s.payment(e, portfolio.KindInterestDue)
	case "TRANSFER":
		return s.transfer(e)
	case "SPLIT":
		return s.split(e)
	case "INVBANKTRAN":
		return s.cash(e)
	case "BUYOPT", "SELLOPT", "CLOSUREOPT":
		return nil, errOFXOption
	case "JRNLFUND", "JRNLSEC":
		return nil, IgnoreReason("a move between parts of the same account")
	default:
		return nil, fmt.Errorf("%s is no transaction that is known; enter it by hand", Shorten(e.name))
	}
}

// newTransaction is what all kinds of record have: a day, a currency and a note.
func (s *ofxStatement) newTransaction(e *ofxElement, kind portfolio.Kind) (portfolio.Transaction, error) {
	t := portfolio.Transaction{Kind: kind, Account: s.account, Note: ofxNote(e)}
	when := e.text("DTTRADE")
	if when == "" {
		when = e.text("DTPOSTED")
	}
	var err error
	if t.Date, t.Time, err = parseOFXTime(when, s.zone); err != nil {
		return t, err
	}
	// CURRENCY is what the sums are in; ORIGCURRENCY is what they were before they
	// were converted to that of the account.
	t.Currency = s.currency
	if code := e.find("CURRENCY"); code != nil {
		t.Currency = code.text("CURSYM")
	}
	if !ValidCurrency(t.Currency) {
		return t, errors.New("the file does not name the currency; say that of the account")
	}
	return t, nil
}

// ofxNote joins what the broker calls a record, without saying it twice.
func ofxNote(e *ofxElement) string { return Shorten(joinNotes(e.text("NAME"), e.text("MEMO"))) }
