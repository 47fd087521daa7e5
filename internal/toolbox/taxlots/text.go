package taxlots

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio/tax"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// mostRows is how many lines of a table people are shown.
const mostRows = 300

func (a lotsAnswer) markdown() string {
	var b strings.Builder
	rules := "no tax jurisdiction known"
	if a.rules.Name != "" {
		rules = a.rules.Title
	}
	fmt.Fprintf(&b, "**Tax lots**, %s on %s · %s\n\n", a.Kind, a.Day, rules)
	for _, w := range a.Warnings {
		fmt.Fprintf(&b, "**!** %s\n\n", present.Cell(w))
	}
	for _, t := range a.tables() {
		if t != "" {
			b.WriteString(t + "\n")
		}
	}
	for _, n := range a.Notes {
		b.WriteString("- " + present.Cell(n) + "\n")
	}
	if n := a.size(); n > mostRows {
		fmt.Fprintf(&b, "- the first %d of %s lines; narrow it by symbol, account or year\n", mostRows, present.Counted(n))
	}
	b.WriteString("- arithmetic on the book, not tax advice: rates, allowances and carried losses are not in it\n")
	b.WriteString("\n" + book.Footers(a.Prices, a.Rates))
	return b.String()
}

func (a lotsAnswer) tables() []string {
	switch a.Kind {
	case kindClosed:
		return []string{a.closedTable(), a.yearsTable(), a.baseYearsTable()}
	case kindWash:
		return []string{a.washTable(), a.waitingTable()}
	case kindHarvest:
		return []string{a.openTable(), a.harvestTable()}
	}
	return []string{a.openTable()}
}

func (a lotsAnswer) openTable() string {
	if len(a.Open) == 0 {
		return ""
	}
	columns := []string{"symbol", "account", "acquired", "days:", "quantity:", "cost:", "price:", "gain:", "gain %:", "gain " + a.Currency + ":", "term", "long from"}
	var rows [][]string
	for _, l := range first(a.Open, mostRows) {
		days := present.Absent
		if l.DaysHeld != nil {
			days = strconv.Itoa(*l.DaysHeld)
		}
		rows = append(rows, []string{
			string(l.Symbol), l.Account + untaxed(l.Untaxed), cmp.Or(l.Acquired, "not known"), days, present.Grouped(l.Quantity.String()), unitOf(l.Cost, l.CostUnit),
			priced(l.Price, l.PriceUnit), book.Changed(l.Gain, l.CostUnit), present.Change(l.GainPct), book.Changed(l.GainBase, a.Currency),
			termOf(l.Term), cmp.Or(l.LongFrom, present.Absent),
		})
	}
	return present.Table(columns, rows)
}

func untaxed(is bool) string {
	if is {
		return " (untaxed)"
	}
	return ""
}

func termOf(t tax.Term) string { return cmp.Or(string(t), present.Absent) }

// unitOf is a sum with its currency.
func unitOf(d *decimal.Decimal, currency string) string {
	if d == nil {
		return present.Absent
	}
	return book.Shown(d, currency) + " " + currency
}

// priced is a price with all its digits.
func priced(d *decimal.Decimal, currency string) string {
	if d == nil {
		return present.Absent
	}
	return present.Grouped(d.String()) + " " + currency
}

func (a lotsAnswer) harvestTable() string {
	if len(a.Open) == 0 {
		return ""
	}
	var rows [][]string
	for _, l := range first(a.Open, mostRows) {
		var blocks []string
		for _, p := range l.Harvest.Blocks {
			blocks = append(blocks, fmt.Sprintf("%s of %s in %s", present.Grouped(p.Quantity.String()), p.Date, p.Account))
		}
		rows = append(rows, []string{
			string(l.Symbol), cmp.Or(l.Acquired, "not known"), l.Harvest.Status, present.Few(blocks), l.Harvest.SellFrom, l.Harvest.BuyAgain,
		})
	}
	return present.Table([]string{"symbol", "lot of", "status", "blocked by purchases", "free to sell from", "buy again from, if sold today"}, rows)
}

func (a lotsAnswer) closedTable() string {
	if len(a.Closed) == 0 {
		return ""
	}
	columns := []string{"sold", "symbol", "account", "acquired", "quantity:", "proceeds:", "cost:", "disallowed:", "gain:", "gain %:", "term"}
	if a.Currency != "" {
		columns = append(columns, "gain "+a.Currency+", before wash sales:")
	}
	var rows [][]string
	for _, c := range first(a.Closed, mostRows) {
		row := []string{
			c.Sold, string(c.Symbol), c.Account + untaxed(c.Untaxed), cmp.Or(c.Acquired, "not known"), present.Grouped(c.Quantity.String()), unitOf(c.Proceeds, c.Currency),
			unitOf(c.Cost, cmp.Or(c.CostCurrency, c.Currency)), book.Shown(c.Disallowed, c.Currency), book.Changed(c.Gain, c.Currency), present.Change(c.GainPct), termOf(c.Term),
		}
		if a.Currency != "" {
			row = append(row, book.Changed(c.GainBase, a.Currency))
		}
		rows = append(rows, row)
	}
	return present.Table(columns, rows)
}

func (a lotsAnswer) yearsTable() string {
	if len(a.Years) == 0 {
		return ""
	}
	rows := make([][]string, len(a.Years))
	for i, y := range a.Years {
		rows[i] = []string{
			strconv.Itoa(y.Year), strings.TrimSpace(y.Owner + untaxed(y.Untaxed)), termOf(y.Term), y.Currency, strconv.Itoa(y.Sales), book.Shown(y.Proceeds, y.Currency),
			book.Shown(y.Cost, y.Currency), book.Shown(y.Disallowed, y.Currency), book.Changed(y.Gain, y.Currency), strconv.Itoa(y.Unknown),
		}
	}
	return present.Table([]string{"tax year", "owner", "term", "currency", "sales:", "proceeds:", "cost:", "disallowed:", "gain:", "gain not known:"}, rows)
}

func (a lotsAnswer) baseYearsTable() string {
	if len(a.BaseYears) == 0 {
		return ""
	}
	rows := make([][]string, len(a.BaseYears))
	for i, y := range a.BaseYears {
		rows[i] = []string{strconv.Itoa(y.Year), termOf(y.Term) + untaxed(y.Untaxed), strconv.Itoa(y.Sales), book.Changed(y.Gain, a.Currency), strconv.Itoa(y.Unknown)}
	}
	return present.Table([]string{"year", "term", "sales shown:", "gain " + a.Currency + ", each day at its rate, before wash sales:", "not known:"}, rows)
}

func (a lotsAnswer) washTable() string {
	if len(a.Washes) == 0 {
		return ""
	}
	var rows [][]string
	for _, w := range first(a.Washes, mostRows) {
		added := "to the cost of the replacement"
		if w.Permanent {
			added = "lost for good: bought in an untaxed account"
		}
		rows = append(rows, []string{
			present.Dated(w.Date), string(w.Symbol), w.Account, present.Grouped(w.Quantity.String()), unitOf(w.Disallowed, w.Currency),
			fmt.Sprintf("%s in %s, %s after %d days", w.ReplacementSymbol, w.ReplacementAccount, present.Dated(w.ReplacementDate), w.Days), added, cmp.Or(present.Dated(w.HeldFrom), present.Absent),
		})
	}
	return present.Table([]string{"sold", "symbol", "account", "quantity:", "disallowed:", "replaced by", "added", "held from"}, rows)
}

func (a lotsAnswer) waitingTable() string {
	if len(a.Waiting) == 0 {
		return ""
	}
	var rows [][]string
	for _, w := range first(a.Waiting, mostRows) {
		rows = append(rows, []string{w.Sold, string(w.Symbol), w.Account, present.Grouped(w.Quantity.String()), unitOf(w.Loss, w.Currency), w.BuyFrom})
	}
	return present.Table([]string{"sold at a loss", "symbol", "account", "quantity:", "loss:", "do not buy before"}, rows)
}
