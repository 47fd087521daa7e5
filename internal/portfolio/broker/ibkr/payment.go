package ibkr

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// payment is cash that came or went beside trades, with its sign.
type payment struct {
	record
	word        string // of its type, in small letters
	transaction portfolio.Transaction
	amount      decimal.Decimal
}

// payment gathers a cash transaction, or reports what is wrong with it.
func (g *gatherer) payment(r record) {
	if r.get("currency") == "BASE_SUMMARY" {
		g.Ignore(r.row, "a sum over currencies")
		return
	}
	p := payment{record: r, word: strings.ToLower(r.get("type"))}
	if err := p.read(); err != nil {
		g.Problem(r.row, "%s", err)
		return
	}
	p.transaction.Account = g.account(r)
	g.payments = append(g.payments, p)
}

func (p *payment) read() error {
	var err error
	if p.amount, err = p.number("amount"); err != nil {
		return err
	}
	if p.amount.IsZero() {
		return fmt.Errorf("no amount")
	}
	x := &p.transaction
	if x.Date, err = p.day("datetime", "date", "settledate", "reportdate"); err != nil {
		return err
	}
	if x.Symbol, x.ISIN, err = p.security(); err != nil {
		return err
	}
	ticker, number := named(p.get("description"))
	x.Name = p.get("name")
	switch {
	case x.Symbol == "" && ticker != "":
		if x.Symbol, x.ISIN, err = broker.Security(ticker, number); err != nil {
			return err
		}
	case x.ISIN != "" && p.get("symbol") == "":
		x.Name = ticker
	}
	x.Note = p.get("description")
	return p.inCurrency(x)
}

// named reads "VT(US9220427424) CASH DIVIDEND": the ticker, and its ISIN where the
// number in parentheses is one.
func named(description string) (ticker, isin string) {
	ticker, rest, found := strings.Cut(description, "(")
	number, _, closed := strings.Cut(rest, ")")
	if !found || !closed || len(ticker) > 24 || number == "" || spelled(number) != strings.ToLower(number) {
		return "", ""
	}
	if broker.ValidISIN(number) {
		isin = number
	}
	return strings.TrimSpace(ticker), isin
}

// settleCash records the payments.
func (g *gatherer) settleCash() {
	detailed := false
	for _, p := range g.payments {
		detailed = detailed || strings.EqualFold(p.get("levelofdetail"), "DETAIL")
	}
	var yields []payment
	for _, p := range g.payments {
		switch {
		case detailed && strings.EqualFold(p.get("levelofdetail"), "SUMMARY"):
			g.Ignore(p.row, "a sum of payments that are recorded themselves")
		case p.isDividend() || p.isTax():
			yields = append(yields, p)
		default:
			g.simple(p)
		}
	}
	g.settleYields(yields)
}

func (p *payment) isDividend() bool {
	return p.word == "dividends" || strings.HasPrefix(p.word, "payment in lieu")
}

func (p *payment) isTax() bool {
	return p.word == "withholding tax" || strings.HasPrefix(p.word, "871(m)")
}

// simple records a payment whose kind follows from its type and sign.
func (g *gatherer) simple(p payment) {
	x := p.transaction
	x.Amount = p.amount.Abs()
	came := p.amount.IsPositive()
	switch {
	case strings.HasPrefix(p.word, "deposits") || p.word == "withdrawals":
		x.Kind, x.Symbol, x.ISIN, x.Name = portfolio.KindWithdrawal, "", "", ""
		if came {
			x.Kind = portfolio.KindDeposit
		}
	case strings.Contains(p.word, "interest"):
		x.Kind = portfolio.KindInterestDue
		if came {
			x.Kind = portfolio.KindInterest
		}
	case strings.HasSuffix(p.word, "fees") || p.word == "commission adjustments":
		x.Kind = portfolio.KindFee
		if came {
			x.Kind = portfolio.KindFeeRefund
		}
	case strings.HasSuffix(p.word, "tax"):
		x.Kind = portfolio.KindTax
		if came {
			x.Kind = portfolio.KindTaxRefund
		}
	default:
		g.Problem(p.row, "%q is a kind of payment that is not read: record it by hand", sheet.Shorten(p.get("type")))
		return
	}
	g.Add(x, g.paymentID(p), p.row)
}

func (g *gatherer) paymentID(p payment) string {
	return g.id(p.record, "cash-", []string{"transactionid"},
		[]string{"type", "datetime", "date", "settledate", "currency", "symbol", "isin", "description", "amount"})
}
