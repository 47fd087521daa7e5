package importer

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// ibkrPayment is a cash transaction other than a trade, with its sign.
type ibkrPayment struct {
	ibkrRecord
	paymentType string // in lower case
	transaction portfolio.Transaction
	amount      decimal.Decimal
	reversed    bool // reversed by another payment, or reverses one
}

// addPayment adds a cash transaction, or reports why it cannot.
func (g *ibkrGatherer) addPayment(r ibkrRecord) {
	if r.get("currency") == "BASE_SUMMARY" {
		g.Ignore(r.row, "sum over currencies")
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
		return errors.New("missing amount")
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
		if x.Symbol, x.ISIN, err = p.identify(Listing{Ticker: ticker, ISIN: number}); err != nil {
			return err
		}
	case x.ISIN != "" && p.get("symbol") == "":
		x.Name = ticker
	}
	x.Note = p.get("description")
	return p.setCurrency(x)
}

// parseIBKRSecurity reads "VT(US9220427424) CASH DIVIDEND": the ticker, and its ISIN if the number
// in parentheses is one.
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

// settleCash records the cash transactions.
func (g *ibkrGatherer) settleCash() {
	detailed := false
	for _, p := range g.payments {
		detailed = detailed || p.level() == "DETAIL"
	}
	var dividends, taxes []*ibkrPayment
	for i := range g.payments {
		switch p := &g.payments[i]; {
		case detailed && p.level() == "SUMMARY":
			g.Ignore(p.row, "total of payments that are already recorded")
		case p.paymentType == "dividends" || strings.HasPrefix(p.paymentType, "payment in lieu"):
			dividends = append(dividends, p)
		case p.paymentType == "withholding tax" || strings.HasPrefix(p.paymentType, "871(m)"):
			taxes = append(taxes, p)
		default:
			g.recordPayment(p)
		}
	}
	g.settleDividends(dividends, taxes)
}

// recordPayment records a payment whose kind follows from its type and sign.
func (g *ibkrGatherer) recordPayment(p *ibkrPayment) {
	x := p.transaction
	x.Amount = p.amount.Abs()
	switch {
	case strings.HasPrefix(p.paymentType, "deposits") || p.paymentType == "withdrawals":
		x.Kind, x.Symbol, x.ISIN, x.Name = kindBySign(p.amount, portfolio.KindDeposit, portfolio.KindWithdrawal), "", "", ""
	case strings.Contains(p.paymentType, "interest"):
		x.Kind = kindBySign(p.amount, portfolio.KindInterest, portfolio.KindInterestDue)
	case strings.HasSuffix(p.paymentType, "fees") || p.paymentType == "commission adjustments":
		x.Kind = kindBySign(p.amount, portfolio.KindFeeRefund, portfolio.KindFee)
	case strings.HasSuffix(p.paymentType, "tax"):
		x.Kind = kindBySign(p.amount, portfolio.KindTaxRefund, portfolio.KindTax)
	default:
		g.Problem(p.row, "unsupported payment type %q: enter the transaction by hand", Shorten(p.get("type")))
		return
	}
	g.Add(x, g.paymentID(p), p.row)
}

func (g *ibkrGatherer) paymentID(p *ibkrPayment) string {
	return g.id(p.ibkrRecord, "cash-", []string{"transactionid"},
		[]string{"type", "datetime", "date", "settledate", "currency", "symbol", "isin", "description", "amount"})
}

// settleDividends records dividends and their withheld taxes. A tax that can belong to only one
// dividend becomes part of it; other taxes are recorded separately.
func (g *ibkrGatherer) settleDividends(dividends, taxes []*ibkrPayment) {
	orphans := g.dropReversed(dividends)
	byKey, byDay := map[string][]*ibkrPayment{}, map[string][]*ibkrPayment{}
	for _, p := range dividends {
		if !p.reversed {
			byKey[p.dividendKey()] = append(byKey[p.dividendKey()], p)
			byDay[p.dividendDay()] = append(byDay[p.dividendDay()], p)
		}
	}
	groups, groupsOfDay := map[string][]*ibkrPayment{}, map[string]int{}
	var order []string
	for _, p := range taxes {
		key := p.dividendKey()
		if groups[key] == nil {
			order = append(order, key)
			groupsOfDay[p.dividendDay()]++
		}
		groups[key] = append(groups[key], p)
	}
	withheld := map[*ibkrPayment][]*ibkrPayment{}
	for _, key := range order {
		group, candidates := groups[key], byKey[key]
		if day := group[0].dividendDay(); len(candidates) == 0 && groupsOfDay[day] == 1 {
			candidates = byDay[day]
		}
		tax := sumIBKRPayments(group).Neg()
		if len(candidates) == 1 && !tax.IsNegative() && tax.LessThanOrEqual(candidates[0].amount) {
			withheld[candidates[0]] = group
			continue
		}
		g.recordTaxOnly(group, orphans)
	}
	for _, p := range dividends {
		if !p.reversed {
			g.recordDividend(p, withheld[p])
		}
	}
}

// dividendKey returns a key that is equal for a dividend and its tax: account, security, currency, date, and the
// description up to the amount per share. The rest of the description says whether it is a
// dividend, tax or reversal.
func (p *ibkrPayment) dividendKey() string {
	s := strings.TrimSuffix(strings.TrimSpace(strings.ToUpper(p.get("description"))), " - REVERSAL")
	if i := strings.Index(s, " PER SHARE"); i >= 0 {
		s = s[:i]
	} else if i := strings.LastIndex(s, " - "); i >= 0 {
		s = s[:i]
	} else if i := strings.LastIndex(s, " ("); i >= 0 {
		s = s[:i]
	}
	return p.dividendDay() + "\x00" + s
}

func (p *ibkrPayment) dividendDay() string {
	x := p.transaction
	security := x.ISIN
	if security == "" {
		security = string(x.Symbol)
	}
	return strings.Join([]string{x.Account, security, x.Currency, x.Date.Format(time.DateOnly)}, "\x00")
}

// dropReversed marks fully reversed dividends and their reversals. A reversal of a dividend that is
// not in the file is a problem, and its line is returned under its dividendDay.
func (g *ibkrGatherer) dropReversed(dividends []*ibkrPayment) map[string]int {
	key := func(p *ibkrPayment) string { return p.dividendKey() + "\x00" + p.amount.Abs().String() }
	paid := map[string][]*ibkrPayment{}
	for _, p := range dividends {
		if p.amount.IsPositive() {
			paid[key(p)] = append(paid[key(p)], p)
		}
	}
	orphans := map[string]int{}
	for _, p := range dividends {
		if !p.amount.IsNegative() {
			continue
		}
		p.reversed = true
		found := paid[key(p)]
		if len(found) == 0 {
			g.Problem(p.row, "reverses a dividend that is not in the file, or one paid for shares sold short: remove or reduce that dividend, or enter a fee")
			orphans[p.dividendDay()] = p.row.Line
			continue
		}
		paid[key(p)] = found[1:]
		found[0].reversed = true
		g.Ignore(p.row, fmt.Sprintf("reverses line %d", found[0].row.Line))
		g.Ignore(found[0].row, fmt.Sprintf("reversed by line %d", p.row.Line))
	}
	return orphans
}

// sumIBKRPayments adds amounts; corrected taxes have several, of both signs.
func sumIBKRPayments(payments []*ibkrPayment) decimal.Decimal {
	var sum decimal.Decimal
	for _, p := range payments {
		sum = sum.Add(p.amount)
	}
	return sum
}

func ibkrRows(payments ...*ibkrPayment) []Row {
	rows := make([]Row, len(payments))
	for i, p := range payments {
		rows[i] = p.row
	}
	return rows
}

// recordTaxOnly records tax withheld or refunded without a clearly matching dividend, including
// corrections. It reports a refund for a reversed dividend that is not in the file as a problem, because the
// refund would count twice if the user removes that dividend.
func (g *ibkrGatherer) recordTaxOnly(group []*ibkrPayment, orphans map[string]int) {
	x, paid := group[0].transaction, sumIBKRPayments(group)
	x.Kind, x.Amount = kindBySign(paid, portfolio.KindTaxRefund, portfolio.KindTax), paid.Abs()
	line, goes := orphans[group[0].dividendDay()]
	switch rows := ibkrRows(group...); {
	case paid.IsZero():
		g.Skip(IgnoreReason("tax withheld and refunded in full"), rows...)
	case goes && paid.IsPositive():
		g.RejectAll(rows, "tax of %s %s on the dividend that line %d reverses: if you remove that dividend, ignore this line; otherwise enter a %s",
			x.Amount, x.Currency, line, portfolio.KindTaxRefund)
	default:
		g.Add(x, g.paymentID(group[0]), rows...)
	}
}

func (g *ibkrGatherer) recordDividend(p *ibkrPayment, taxes []*ibkrPayment) {
	x := p.transaction
	x.Kind, x.Amount, x.Tax = portfolio.KindDividend, p.amount, sumIBKRPayments(taxes).Neg()
	if strings.HasSuffix(strings.ToUpper(strings.TrimSpace(p.get("description"))), "(RETURN OF CAPITAL)") {
		x.Kind = portfolio.KindReturnOfCapital
	}
	rows := append(ibkrRows(p), ibkrRows(taxes...)...)
	if x.Symbol == "" {
		g.RejectAll(rows, "dividend without a security: add Symbol or ISIN to the query")
		return
	}
	g.Add(x, g.paymentID(p), rows...)
}
