package importer

import (
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// settleDividends records dividends and the taxes withheld of them. A tax becomes part
// of a dividend where it can only be of that one, and else a tax of its own.
func (g *ibkrGatherer) settleDividends(all []ibkrPayment) {
	dividends, taxes := map[string][]int{}, map[string][]int{}
	ofDay, taxesOfDay := map[string][]int{}, map[string]int{}
	var order []string
	orphans := g.dropReversed(all)
	for i, p := range all {
		switch key := p.dividendKey(); {
		case p.paymentType == "":
		case p.isDividend():
			dividends[key] = append(dividends[key], i)
			ofDay[p.dividendDay()] = append(ofDay[p.dividendDay()], i)
		default:
			if taxes[key] == nil {
				order = append(order, key)
				taxesOfDay[p.dividendDay()]++
			}
			taxes[key] = append(taxes[key], i)
		}
	}
	withheld := map[int][]int{} // dividend to its taxes
	for _, key := range order {
		group := taxes[key]
		candidates := dividends[key]
		if day := all[group[0]].dividendDay(); len(candidates) == 0 && taxesOfDay[day] == 1 {
			candidates = ofDay[day]
		}
		if len(candidates) == 1 && ibkrTaxFits(all, group, all[candidates[0]].amount) {
			withheld[candidates[0]] = group
			continue
		}
		g.recordTaxOnly(all, group, orphans)
	}
	for i, p := range all {
		if p.paymentType != "" && p.isDividend() {
			g.recordDividend(all, i, withheld[i])
		}
	}
}

// dividendKey is what a dividend and its tax have in common: account, security,
// currency, day, and the words before what tells the two apart.
func (p *ibkrPayment) dividendKey() string {
	return p.dividendDay() + "\x00" + ibkrDividendStem(p.get("description"))
}

func (p *ibkrPayment) dividendDay() string {
	x := p.transaction
	security := x.ISIN
	if security == "" {
		security = string(x.Symbol)
	}
	return strings.Join([]string{x.Account, security, x.Currency, x.Date.Format(time.DateOnly)}, "\x00")
}

// ibkrDividendStem is a description up to the payment a share: what follows says whether it is
// the dividend, of what kind, the tax, or taken back.
func ibkrDividendStem(description string) string {
	s := strings.ToUpper(description)
	s = strings.TrimSuffix(strings.TrimSpace(s), " - REVERSAL")
	if i := strings.Index(s, " PER SHARE"); i >= 0 {
		return s[:i]
	}
	if i := strings.LastIndex(s, " - "); i >= 0 {
		return s[:i]
	}
	if i := strings.LastIndex(s, " ("); i >= 0 {
		return s[:i]
	}
	return s
}

// dropReversed removes dividends that were reversed in full, each with its reversal. A reversal
// of a dividend that is not in the file is reported, and its line is returned under its dividendDay.
func (g *ibkrGatherer) dropReversed(all []ibkrPayment) map[string]int {
	key := func(p ibkrPayment) string { return p.dividendKey() + "\x00" + p.amount.Abs().String() }
	paid := map[string][]int{}
	for i, p := range all {
		if p.isDividend() && p.amount.IsPositive() {
			paid[key(p)] = append(paid[key(p)], i)
		}
	}
	orphans := map[string]int{}
	for i, p := range all {
		if !p.isDividend() || !p.amount.IsNegative() {
			continue
		}
		k := key(p)
		if found := paid[k]; len(found) > 0 {
			paid[k] = found[1:]
			g.Ignore(p.row, fmt.Sprintf("takes line %d back", all[found[0]].row.Line))
			g.Ignore(all[found[0]].row, fmt.Sprintf("taken back by line %d", p.row.Line))
			all[found[0]].paymentType = ""
		} else {
			g.Problem(p.row, "takes back a dividend that is not in the file, or was paid for shares sold short: remove that dividend, or lower it, or record a fee")
			orphans[p.dividendDay()] = p.row.Line
		}
		all[i].paymentType = ""
	}
	return orphans
}

// sumIBKRPayments adds amounts up; taxes that were corrected have several, of both signs.
func sumIBKRPayments(all []ibkrPayment, group []int) decimal.Decimal {
	var d decimal.Decimal
	for _, i := range group {
		d = d.Add(all[i].amount)
	}
	return d
}

func ibkrTaxFits(all []ibkrPayment, group []int, dividend decimal.Decimal) bool {
	tax := sumIBKRPayments(all, group).Neg()
	return !tax.IsNegative() && tax.LessThanOrEqual(dividend)
}

// recordTaxOnly records what was withheld, or paid back, without a dividend to which it
// certainly belongs, corrections included. One that came back with a dividend which
// the user has to remove is removed with it, and would count twice.
func (g *ibkrGatherer) recordTaxOnly(all []ibkrPayment, group []int, orphans map[string]int) {
	first := all[group[0]]
	rows := ibkrRowsOf(all, group)
	tax := sumIBKRPayments(all, group).Neg()
	x := first.transaction
	x.Kind, x.Amount = portfolio.KindTax, tax.Abs()
	if tax.IsNegative() {
		x.Kind = portfolio.KindTaxRefund
	}
	line, goes := orphans[first.dividendDay()]
	switch {
	case tax.IsZero():
		for _, row := range rows {
			g.Ignore(row, "withheld and paid back: nothing remains")
		}
	case goes && tax.IsNegative():
		g.RejectAll(rows, "a tax of %s %s of the dividend that line %d takes back: it goes when that dividend is removed; else record a %s",
			x.Amount, x.Currency, line, portfolio.KindTaxRefund)
	default:
		g.Add(x, g.paymentID(first), rows...)
	}
}

func (g *ibkrGatherer) recordDividend(all []ibkrPayment, i int, taxes []int) {
	p := all[i]
	x := p.transaction
	x.Kind, x.Amount = portfolio.KindDividend, p.amount
	if strings.HasSuffix(strings.ToUpper(strings.TrimSpace(p.get("description"))), "(RETURN OF CAPITAL)") {
		x.Kind = portfolio.KindReturnOfCapital
	}
	if x.Symbol == "" {
		g.RejectAll(ibkrRowsOf(all, append([]int{i}, taxes...)), "a dividend without the security that paid it: add Symbol or ISIN to the query")
		return
	}
	rows := []Row{p.row}
	if len(taxes) > 0 {
		x.Tax = sumIBKRPayments(all, taxes).Neg()
		rows = append(rows, ibkrRowsOf(all, taxes)...)
	}
	g.Add(x, g.paymentID(p), rows...)
}

func ibkrRowsOf(all []ibkrPayment, group []int) []Row {
	rows := make([]Row, len(group))
	for n, i := range group {
		rows[n] = all[i].row
	}
	return rows
}
