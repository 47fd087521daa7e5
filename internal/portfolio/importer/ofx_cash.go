package importer

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// cash reads a payment of the account other than a trade. Brokers write interest, fees and taxes as
// a plain CREDIT, DEBIT or DEP, so the words of the line decide before its type. If neither shows
// the meaning, the line is a problem, because a wrong deposit distorts every return.
func (r *ofxReader) cash(e *ofxElement, t *portfolio.Transaction) error {
	n, err := ofxNumbers(e, "TRNAMT")
	if err != nil {
		return err
	}
	amount := n["TRNAMT"]
	if amount.IsZero() {
		return IgnoreReason("amount is zero")
	}
	t.Amount = amount.Abs()
	what := e.text("TRNTYPE")
	if what == "HOLD" {
		return IgnoreReason("amount on hold, not yet moved")
	}
	if kind, ok := r.collector.options.meaning(t.Note, amount); ok {
		t.Kind = kind
		return nil
	}
	for _, m := range ofxCashMeanings() {
		if m.types[what] || m.words().MatchString(t.Note) {
			t.Kind = kindBySign(amount, m.in, m.out)
			return m.problem
		}
	}
	if ofxTransferTypes[what] || ofxTransferWords().MatchString(t.Note) || what == "DEP" && t.Note == "" {
		t.Kind = kindBySign(amount, portfolio.KindDeposit, portfolio.KindWithdrawal)
		return nil
	}
	return fmt.Errorf("unclear payment %.20s %q: set meanings, such as %q, or enter the transaction by hand", what, t.Note, Shorten(t.Note)+"=deposit")
}

// ofxCashMeaning is the meaning of a payment by its type or by its words.
type ofxCashMeaning struct {
	types   map[string]bool
	words   func() *regexp.Regexp
	in, out portfolio.Kind
	problem error
}

// Words of payments. Tax comes first, because "foreign tax withheld on interest" is tax.
var (
	ofxTaxWords      = lazyregexp.New(`(?i)\b(foreign|nra|adr|non-?resident) tax|\btax(es)? (paid|withh)|withh(e?ld|olding)|\bw/h|\bbackup with`)
	ofxFeeWords      = lazyregexp.New(`(?i)\bfees?\b|\bservice charge|\bcommission|\binvestment expense`)
	ofxInterestWords = lazyregexp.New(`(?i)\binterest\b|\bint (earned|paid|credit|charge)`)
	ofxDividendWords = lazyregexp.New(`(?i)\bdividends?\b`)
	ofxTransferWords = lazyregexp.New(`(?i)\bdeposit|\bwithdraw|\btransfer|\btfr\b|\bxfer\b|\bwire\b|\bach\b|\beft\b|\belectronic fund|\bfunds (received|rec|paid)\b|\bmoneylin[ek]|` +
		`\bcontrib|\brollover|\bcheck (received|paid)|\bdirect (dep|deb)|\bbill ?pay|\bpayroll|\bdebit card|\bcash advance|\batm\b|\bjournal|einzahlung|auszahlung|überweisung|virement|dépôt|retrait`)
)

func ofxCashMeanings() []ofxCashMeaning {
	return []ofxCashMeaning{
		{nil, ofxTaxWords, portfolio.KindTaxRefund, portfolio.KindTax, nil},
		{map[string]bool{"FEE": true, "SRVCHG": true}, ofxFeeWords, portfolio.KindFeeRefund, portfolio.KindFee, nil},
		{map[string]bool{"INT": true}, ofxInterestWords, portfolio.KindInterest, portfolio.KindInterestDue, nil},
		{map[string]bool{"DIV": true}, ofxDividendWords, "", "", errors.New("dividend without a security; enter the transaction by hand")},
	}
}

// ofxTransferTypes are the types that only move money into or out of the account.
var ofxTransferTypes = map[string]bool{
	"DIRECTDEP": true, "DIRECTDEBIT": true, "XFER": true, "CHECK": true, "PAYMENT": true, "CASH": true, "ATM": true, "POS": true, "REPEATPMT": true,
}

// ofxExchangePattern matches "CASH TRADE: AUD.USD".
var ofxExchangePattern = lazyregexp.New(`(?i)\bcash trade\b.*\b([A-Z]{3})[./]([A-Z]{3})\b`)

// joinExchanges records each currency exchange, which OFX writes as two payments with the same
// words on the same day: one paid, one received, in different currencies.
func (r *ofxReader) joinExchanges(records []*ofxElement) {
	type leg struct {
		e      *ofxElement
		t      portfolio.Transaction
		amount decimal.Decimal
	}
	open := map[string][]leg{}
	for _, e := range records {
		if e.name != "INVBANKTRAN" {
			continue
		}
		t, err := r.begin(e, portfolio.KindExchange)
		n, errAmount := ofxNumbers(e, "TRNAMT")
		pair := ofxExchangePattern().FindStringSubmatch(t.Note)
		if err != nil || errAmount != nil || pair == nil {
			continue
		}
		key := fmt.Sprint(t.Date, t.Note)
		second := leg{e, t, n["TRNAMT"]}
		waiting := open[key]
		match := -1
		for i, first := range waiting {
			if first.amount.Sign() == -second.amount.Sign() && !second.amount.IsZero() && first.t.Currency != t.Currency {
				match = i
				break
			}
		}
		if match < 0 {
			open[key] = append(waiting, second)
			continue
		}
		first := waiting[match]
		open[key] = append(waiting[:match:match], waiting[match+1:]...)
		paid, received := first, second
		if paid.amount.IsPositive() {
			paid, received = second, first
		}
		x := paid.t
		x.Amount, x.ToAmount, x.ToCurrency = paid.amount.Neg(), received.amount, received.t.Currency
		r.done[first.e], r.done[second.e] = true, true
		r.collector.AddAll([]portfolio.Transaction{x}, ofxNumber(r.collector, paid.e), paid.e.row(), received.e.row())
	}
	for _, left := range open {
		for _, l := range left {
			r.done[l.e] = true
			r.collector.Problem(l.e.row(), "one side of a currency exchange without the other: enter it by hand as a currency_exchange")
		}
	}
}

// ignoreConversions ignores transfers of the same units of a security out of the account and into
// it on one day, such as a conversion within a retirement plan. The units keep their cost.
func (r *ofxReader) ignoreConversions(records []*ofxElement) {
	open := map[string]*ofxElement{}
	for _, e := range records {
		n, err := ofxNumbers(e, "UNITS")
		id := e.find("SECID")
		if e.name != "TRANSFER" || err != nil || id == nil || n["UNITS"].IsZero() {
			continue
		}
		day, _, _ := parseOFXTime(e.text("DTTRADE"), nil)
		key, action := fmt.Sprint(day, ofxIdentifier(id), n["UNITS"].Abs()), e.text("TFERACTION")
		other := open[key]
		if other == nil || other.text("TFERACTION") == action {
			open[key] = e
			continue
		}
		delete(open, key)
		r.done[e], r.done[other] = true, true
		for _, moved := range []*ofxElement{other, e} {
			r.collector.Ignore(moved.row(), "units moved within the account, with their cost")
		}
	}
}

// unitsForFee records a charge paid in units: a sale of the units, and a fee of the proceeds.
func (r *ofxReader) unitsForFee(e *ofxElement) ([]portfolio.Transaction, bool) {
	n, err := ofxNumbers(e, "UNITS", "UNITPRICE")
	if err != nil || e.text("TFERACTION") != "OUT" || !n["UNITPRICE"].IsPositive() || n["UNITS"].IsZero() || !ofxFeeWords().MatchString(e.text("MEMO")) {
		return nil, false
	}
	t, err := r.begin(e, portfolio.KindSell)
	if err != nil || r.setSecurity(e, &t) != nil {
		return nil, false
	}
	t.Quantity, t.Price = n["UNITS"].Abs(), decimal.NewNullDecimal(n["UNITPRICE"])
	t.Amount = t.Quantity.Mul(n["UNITPRICE"]).Round(2)
	if !t.Amount.IsPositive() {
		return nil, false
	}
	fee := portfolio.Transaction{
		Date: t.Date, Time: t.Time, Account: t.Account, Kind: portfolio.KindFee, Symbol: t.Symbol, ISIN: t.ISIN, Name: t.Name,
		Currency: t.Currency, Amount: t.Amount, Note: t.Note, SourceID: "/fee",
	}
	return []portfolio.Transaction{t, fee}, true
}
