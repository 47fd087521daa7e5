package importer

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// ibkrPayment is cash that came or went beside trades, with its sign.
type ibkrPayment struct {
	ibkrRecord
	paymentType string // of its type, in small letters
	transaction portfolio.Transaction
	amount      decimal.Decimal
}

// addPayment gathers a cash transaction, or reports what is wrong with it.
func (g *ibkrGatherer) addPayment(r ibkrRecord) {
	if r.get("currency") == "BASE_SUMMARY" {
		g.Ignore(r.row, "a sum over currencies")
		return
	}
	p := ibkrPayment{ibkrRecord: r, paymentType: strings.ToLower(r.get("type"))}
	if err := p.read(); err != nil {
		g.Problem(r.row, "%s", err)
		return
	}
	p.transaction.Account = g.account(r)
	g.payments = append(g.payments, p)
}

func (p *ibkrPayment) read() error {
	var err error
	if p.amount, err = p.number("amount"); err != nil {
		return err
	}
	if p.amount.IsZero() {
		return fmt.Errorf("no amount")
	}
	x := &p.transaction
	if x.Date, err = p.firstDay("datetime", "date", "settledate", "reportdate"); err != nil {
		return err
	}
	if x.Symbol, x.ISIN, err = p.security(); err != nil {
		return err
	}
	ticker, number := parseIBKRSecurity(p.get("description"))
	x.Name = p.get("name")
	switch {
	case x.Symbol == "" && ticker != "":
		if x.Symbol, x.ISIN, err = ParseSecurity(ticker, number); err != nil {
			return err
		}
	case x.ISIN != "" && p.get("symbol") == "":
		x.Name = ticker
	}
	x.Note = p.get("description")
	return p.setCurrency(x)
}

// parseIBKRSecurity reads "VT(US9220427424) CASH DIVIDEND": the ticker, and its ISIN where the
// number in parentheses is one.
func parseIBKRSecurity(description string) (ticker, isin string) {
	ticker, rest, found := strings.Cut(description, "(")
	number, _, closed := strings.Cut(rest, ")")
	if !found || !closed || len(ticker) > 24 || number == "" || ibkrFieldName(number) != strings.ToLower(number) {
		return "", ""
	}
	if ValidISIN(number) {
		isin = number
	}
	return strings.TrimSpace(ticker), isin
}

// settleCash records the payments.
func (g *ibkrGatherer) settleCash() {
	detailed := false
	for _, p := range g.payments {
		detailed = detailed || strings.EqualFold(p.get("levelofdetail"), "DETAIL")
	}
	var yields []ibkrPayment
	for _, p := range g.payments {
		switch {
		case detailed && strings.EqualFold(p.get("levelofdetail"), "SUMMARY"):
			g.Ignore(p.row, "a sum of payments that are recorded themselves")
		case p.isDividend() || p.isTax():
			yields = append(yields, p)
		default:
			g.recordPayment(p)
		}
	}
	g.settleDividends(yields)
}

func (p *ibkrPayment) isDividend() bool {
	return p.paymentType == "dividends" || strings.HasPrefix(p.paymentType, "payment in lieu")
}

func (p *ibkrPayment) isTax() bool {
	return p.paymentType == "withholding tax" || strings.HasPrefix(p.paymentType, "871(m)")
}

// recordPayment records a payment whose kind follows from its type and sign.
func (g *ibkrGatherer) recordPayment(p ibkrPayment) {
	x := p.transaction
	x.Amount = p.amount.Abs()
	incoming := p.amount.IsPositive()
	switch {
	case strings.HasPrefix(p.paymentType, "deposits") || p.paymentType == "withdrawals":
		x.Kind, x.Symbol, x.ISIN, x.Name = portfolio.KindWithdrawal, "", "", ""
		if incoming {
			x.Kind = portfolio.KindDeposit
		}
	case strings.Contains(p.paymentType, "interest"):
		x.Kind = portfolio.KindInterestDue
		if incoming {
			x.Kind = portfolio.KindInterest
		}
	case strings.HasSuffix(p.paymentType, "fees") || p.paymentType == "commission adjustments":
		x.Kind = portfolio.KindFee
		if incoming {
			x.Kind = portfolio.KindFeeRefund
		}
	case strings.HasSuffix(p.paymentType, "tax"):
		x.Kind = portfolio.KindTax
		if incoming {
			x.Kind = portfolio.KindTaxRefund
		}
	default:
		g.Problem(p.row, "%q is a kind of payment that is not read: record it by hand", Shorten(p.get("type")))
		return
	}
	g.Add(x, g.paymentID(p), p.row)
}

func (g *ibkrGatherer) paymentID(p ibkrPayment) string {
	return g.id(p.ibkrRecord, "cash-", []string{"transactionid"},
		[]string{"type", "datetime", "date", "settledate", "currency", "symbol", "isin", "description", "amount"})
}
