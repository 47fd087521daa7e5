package ibkr

import (
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// settleYields records dividends and the taxes withheld of them. A tax becomes part
// of a dividend where it can only be of that one, and else a tax of its own.
func (g *gatherer) settleYields(all []payment) {
	dividends, taxes := map[string][]int{}, map[string][]int{}
	ofDay, taxesOfDay := map[string][]int{}, map[string]int{}
	var order []string
	orphans := g.dropReversed(all)
	for i, p := range all {
		switch key := p.yieldKey(); {
		case p.word == "":
		case p.isDividend():
			dividends[key] = append(dividends[key], i)
			ofDay[p.yieldDay()] = append(ofDay[p.yieldDay()], i)
		default:
			if taxes[key] == nil {
				order = append(order, key)
				taxesOfDay[p.yieldDay()]++
			}
			taxes[key] = append(taxes[key], i)
		}
	}
	withheld := map[int][]int{} // dividend to its taxes
	for _, key := range order {
		group := taxes[key]
		of := dividends[key]
		if day := all[group[0]].yieldDay(); len(of) == 0 && taxesOfDay[day] == 1 {
			of = ofDay[day]
		}
		if len(of) == 1 && taxFits(all, group, all[of[0]].amount) {
			withheld[of[0]] = group
			continue
		}
		g.taxAlone(all, group, orphans)
	}
	for i, p := range all {
		if p.word != "" && p.isDividend() {
			g.dividend(all, i, withheld[i])
		}
	}
}

// yieldKey is what a dividend and its tax have in common: account, security,
// currency, day, and the words before what tells the two apart.
func (p *payment) yieldKey() string { return p.yieldDay() + "\x00" + stem(p.get("description")) }

func (p *payment) yieldDay() string {
	x := p.transaction
	security := x.ISIN
	if security == "" {
		security = string(x.Symbol)
	}
	return strings.Join([]string{x.Account, security, x.Currency, x.Date.Format(time.DateOnly)}, "\x00")
}

// stem is a description up to the payment a share: what follows says whether it is
// the dividend, of what kind, the tax, or taken back.
func stem(description string) string {
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

// dropReversed takes dividends out that were taken back in full, each with what
// takes it back: they have no word any more. What takes a dividend back that is not
// there is reported, and its line given by yieldDay.
func (g *gatherer) dropReversed(all []payment) map[string]int {
	key := func(p payment) string { return p.yieldKey() + "\x00" + p.amount.Abs().String() }
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
			all[found[0]].word = ""
		} else {
			g.Problem(p.row, "takes back a dividend that is not in the file, or was paid for shares sold short: remove that dividend, or lower it, or record a fee")
			orphans[p.yieldDay()] = p.row.Line
		}
		all[i].word = ""
	}
	return orphans
}

// sum adds amounts up; taxes that were corrected have several, of both signs.
func sum(all []payment, group []int) decimal.Decimal {
	var d decimal.Decimal
	for _, i := range group {
		d = d.Add(all[i].amount)
	}
	return d
}

func taxFits(all []payment, group []int, dividend decimal.Decimal) bool {
	tax := sum(all, group).Neg()
	return !tax.IsNegative() && tax.LessThanOrEqual(dividend)
}

// taxAlone records what was withheld, or paid back, without a dividend to which it
// certainly belongs, corrections included. One that came back with a dividend which
// the user has to remove is removed with it, and would count twice.
func (g *gatherer) taxAlone(all []payment, group []int, orphans map[string]int) {
	first := all[group[0]]
	rows := rowsOf(all, group)
	tax := sum(all, group).Neg()
	x := first.transaction
	x.Kind, x.Amount = portfolio.KindTax, tax.Abs()
	if tax.IsNegative() {
		x.Kind = portfolio.KindTaxRefund
	}
	line, goes := orphans[first.yieldDay()]
	switch {
	case tax.IsZero():
		for _, row := range rows {
			g.Ignore(row, "withheld and paid back: nothing remains")
		}
	case goes && tax.IsNegative():
		g.Refuse(rows, "a tax of %s %s of the dividend that line %d takes back: it goes when that dividend is removed; else record a %s",
			x.Amount, x.Currency, line, portfolio.KindTaxRefund)
	default:
		g.Add(x, g.paymentID(first), rows...)
	}
}

func (g *gatherer) dividend(all []payment, i int, taxes []int) {
	p := all[i]
	x := p.transaction
	x.Kind, x.Amount = portfolio.KindDividend, p.amount
	if strings.HasSuffix(strings.ToUpper(strings.TrimSpace(p.get("description"))), "(RETURN OF CAPITAL)") {
		x.Kind = portfolio.KindReturnOfCapital
	}
	if x.Symbol == "" {
		g.Refuse(rowsOf(all, append([]int{i}, taxes...)), "a dividend without the security that paid it: add Symbol or ISIN to the query")
		return
	}
	rows := []sheet.Row{p.row}
	if len(taxes) > 0 {
		x.Tax = sum(all, taxes).Neg()
		rows = append(rows, rowsOf(all, taxes)...)
	}
	g.Add(x, g.paymentID(p), rows...)
}

func rowsOf(all []payment, group []int) []sheet.Row {
	rows := make([]sheet.Row, len(group))
	for n, i := range group {
		rows[n] = all[i].row
	}
	return rows
}
