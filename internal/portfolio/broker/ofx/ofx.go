// Package ofx reads Open Financial Exchange files (OFX, and QFX, which is the same
// with one more tag) of brokers: version 1, in which values are not closed, and
// version 2, which is XML. What the tags mean is in the specification of OFX 2.2,
// chapter 13.
//
// Every transaction of a statement is read or reported with the line of its tag; a
// file may have all of them on one line. Positions and balances are what follows
// from transactions and are left out; statements of bank accounts and cards are not
// read.
package ofx

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

const name = "ofx"

// Format is OFX. The number of a transaction is the broker's FITID with the name of
// its tag, because some brokers give a dividend and what it bought the same one.
func Format() broker.Format {
	return broker.Format{
		Name:       name,
		Title:      "OFX or QFX, of any broker",
		Recognizes: recognizes,
		Read:       read,
	}
}

func recognizes(f sheet.File) bool {
	head := strings.ToUpper(f.Text[:min(len(f.Text), 4096)])
	return strings.HasPrefix(strings.TrimSpace(head), "OFXHEADER") || strings.Contains(head, "<?OFX") || strings.Contains(head, "<OFX>")
}

func read(f sheet.File, o broker.Options) (broker.Statement, error) {
	if !recognizes(f) {
		return broker.Statement{}, fmt.Errorf("%s: %w: it has no OFX tag", f.Name, broker.ErrFormat)
	}
	root, err := parse(f.Text)
	if err != nil {
		return broker.Statement{}, fmt.Errorf("%s: %w: %w", f.Name, broker.ErrFormat, err)
	}
	if err := oneSign(root); err != nil {
		return broker.Statement{}, fmt.Errorf("%s, %w", f.Name, err)
	}
	known := securities(root)
	c := broker.NewCollector(name, o)
	seen, counter := map[[2]string]told{}, &sheet.Counter{}
	for _, e := range root.all("INVSTMTRS") {
		number := e.child("INVACCTFROM").text("ACCTID")
		s := statement{
			collector: c, securities: known, zone: o.Zone, seen: seen, counter: counter,
			account: c.Account(number), number: number, currency: e.child("CURDEF").own(),
		}
		if s.currency == "" {
			s.currency = o.Currency
		}
		s.read(e)
	}
	for _, tag := range []string{"STMTRS", "CCSTMTRS"} {
		for _, e := range root.all(tag) {
			c.Problem(row(e), "a statement of a bank account or card, not of securities: enter its deposits by hand")
		}
	}
	return c.Statement(nil), nil
}

// own is the value of e itself; empty where there is no e.
func (e *element) own() string {
	if e == nil {
		return ""
	}
	return e.value
}

func row(e *element) sheet.Row { return sheet.Row{Line: e.line, Cells: []string{e.summary()}} }

// statement is what holds for all transactions of one account.
type statement struct {
	collector  *broker.Collector
	securities map[[2]string]security
	account    string
	number     string // of the account, as the file has it
	currency   string // empty where the file does not say
	zone       *time.Location
	seen       map[[2]string]told // of the whole file: by account and SourceID
	counter    *sheet.Counter     // of the whole file
}

// told is a record that was seen: of which account of the file, and its fingerprint.
type told struct{ number, mark string }

func (s *statement) read(e *element) {
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

func (s *statement) record(e *element) {
	mark := sheet.Fingerprint(e.cells())
	id := e.text("FITID") + "/" + e.name
	if e.text("FITID") == "" {
		id = s.counter.ID(e.cells())
	}
	switch first, twice := s.seen[[2]string{s.account, id}]; {
	// Numbers are of an account: those of two may be equal, and so may their dividends.
	case twice && first.number != s.number:
		s.collector.Problem(row(e), "the accounts %s and %s each have a record of this FITID, and both are read as %s: import them apart, each as an account of its own",
			sheet.Shorten(first.number), sheet.Shorten(s.number), sheet.Shorten(s.account))
		return
	case twice && first.mark == mark:
		s.collector.Ignore(row(e), "the same record stands above")
		return
	case twice:
		s.collector.Problem(row(e), "another record has the same FITID and says something else; compare both with the broker's statement")
		return
	}
	s.seen[[2]string{s.account, id}] = told{s.number, mark}
	made, err := s.transactions(e)
	if err != nil {
		s.collector.Leave(err, row(e))
		return
	}
	s.collector.AddAll(made, id, row(e))
}

// transactions are what a record stands for. Their SourceID is what tells them
// apart, where there is more than one.
func (s *statement) transactions(e *element) ([]portfolio.Transaction, error) {
	if id := e.text("REVERSALFITID"); id != "" {
		return nil, fmt.Errorf("it takes back the record with the FITID %s: remove that one from the book by hand", sheet.Shorten(id))
	}
	switch e.name {
	case "BUYSTOCK", "BUYMF", "BUYDEBT", "BUYOTHER":
		return s.trade(e, portfolio.KindBuy)
	case "SELLSTOCK", "SELLMF", "SELLDEBT", "SELLOTHER":
		return s.trade(e, portfolio.KindSell)
	case "INCOME":
		return s.income(e)
	case "REINVEST":
		return s.reinvested(e)
	case "RETOFCAP":
		return s.paid(e, portfolio.KindReturnOfCapital)
	case "INVEXPENSE":
		return s.paid(e, portfolio.KindFee)
	case "MARGININTEREST":
		return s.paid(e, portfolio.KindInterestDue)
	case "TRANSFER":
		return s.transfer(e)
	case "SPLIT":
		return s.split(e)
	case "INVBANKTRAN":
		return s.cash(e)
	case "BUYOPT", "SELLOPT", "CLOSUREOPT":
		return nil, errOption
	case "JRNLFUND", "JRNLSEC":
		return nil, broker.LeftOut("a move between parts of the same account")
	default:
		return nil, fmt.Errorf("%s is no transaction that is known; enter it by hand", sheet.Shorten(e.name))
	}
}

// begin is what all kinds of record have: a day, a currency and a note.
func (s *statement) begin(e *element, kind portfolio.Kind) (portfolio.Transaction, error) {
	t := portfolio.Transaction{Kind: kind, Account: s.account, Note: note(e)}
	when := e.text("DTTRADE")
	if when == "" {
		when = e.text("DTPOSTED")
	}
	var err error
	if t.Date, t.Time, err = moment(when, s.zone); err != nil {
		return t, err
	}
	// CURRENCY is what the sums are in; ORIGCURRENCY is what they were before they
	// were converted to that of the account.
	t.Currency = s.currency
	if code := e.find("CURRENCY"); code != nil {
		t.Currency = code.text("CURSYM")
	}
	if !broker.ValidCurrency(t.Currency) {
		return t, errors.New("the file does not name the currency; say that of the account")
	}
	return t, nil
}

// note joins what the broker calls a record, without saying it twice.
func note(e *element) string { return sheet.Shorten(joined(e.text("NAME"), e.text("MEMO"))) }

func joined(a, b string) string {
	switch {
	case a == "" || a == b:
		return b
	case b == "":
		return a
	}
	return a + ": " + b
}
