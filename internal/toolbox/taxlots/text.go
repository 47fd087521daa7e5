package taxlots

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
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
		fmt.Fprintf(&b, "**!** %s\n\n", present.Cell(present.ForPeople(w)))
	}
	for _, t := range a.tables() {
		if t != "" {
			b.WriteString(t + "\n")
		}
	}
	for _, n := range a.Notes {
		b.WriteString("- " + present.Cell(present.ForPeople(n)) + "\n")
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
		return []string{a.closedTable(), a.adjustedTable(), a.closedBaseTable(), a.yearsTable(), a.baseYearsTable()}
	case kindWash:
		return []string{a.washTable(), a.waitingTable()}
	case kindHarvest:
		return []string{a.openTable(), a.openBaseTable(), a.harvestTable()}
	}
	return []string{a.openTable(), a.openBaseTable()}
}

// openTable fits into 80 columns: what stands in two words of a cell goes onto two
// lines there.
func (a lotsAnswer) openTable() string {
	if len(a.Open) == 0 {
		return ""
	}
	lots := first(a.Open, mostRows)
	termed := a.rules.Name != ""
	unit := inOne(lots, func(l openLot) []string { return []string{l.CostUnit, l.PriceUnit} })
	columns := []string{unit.heading(), "acquired", "units:", "cost:", "price:", "gain:", "gain %:"}
	if termed {
		columns[1] = "acquired, long from"
		columns = append(columns, "term")
	}
	var rows [][]string
	for _, l := range lots {
		row := []string{
			unit.named(l.Symbol, l.Account+untaxed(l.Untaxed), l.CostUnit, l.PriceUnit), cmp.Or(l.Acquired, "not known"), present.Grouped(l.Quantity.String()), book.Shown(l.Cost, l.CostUnit),
			exact(l.Price), book.Changed(l.Gain, l.CostUnit), present.Change(l.GainPct),
		}
		if termed {
			row[1] = strings.TrimSpace(row[1] + " " + l.LongFrom)
			row = append(row, termOf(l.Term))
		}
		rows = append(rows, row)
	}
	return unit.said() + present.Table(columns, rows)
}

// openBaseTable is what the lots gain in the base currency, where that is another or
// wash sales are in it.
func (a lotsAnswer) openBaseTable() string {
	var rows [][]string
	said := false
	for _, l := range first(a.Open, mostRows) {
		said = said || l.CostUnit != a.Currency && l.Cost != nil || l.PriceUnit != a.Currency && l.Price != nil || l.TaxGain != nil
		row := []string{string(l.Symbol), cmp.Or(l.Acquired, "not known"), book.Shown(l.ValueBase, a.Currency), book.Shown(l.CostBase, a.Currency), book.Changed(l.GainBase, a.Currency), present.Change(l.GainBasePct)}
		rows = append(rows, append(row, book.Changed(l.TaxGain, a.Currency)))
	}
	if !said {
		return ""
	}
	return fmt.Sprintf("In %s, cost at the rate of the day of acquisition; taxed is the gain with what wash sales added to the cost:\n\n", a.Currency) +
		present.Table([]string{"symbol", "acquired", "value:", "cost:", "gain:", "gain %:", "taxed:"}, rows)
}

// unitOfAll is the one currency of a table, "" where there are several.
type unitOfAll string

// inOne is the currency that all lines have that have one.
func inOne[T any](lines []T, of func(T) []string) unitOfAll {
	one := ""
	for _, l := range lines {
		for _, unit := range of(l) {
			if one != "" && unit != "" && unit != one {
				return ""
			}
			one = cmp.Or(one, unit)
		}
	}
	return unitOfAll(one)
}

// said names the currency above a table whose sums do not.
func (u unitOfAll) said() string {
	if u == "" {
		return ""
	}
	return fmt.Sprintf("In %s:\n\n", string(u))
}

// heading is that of the column that names a lot, with its currency where there are
// several.
func (u unitOfAll) heading() string {
	if u == "" {
		return "symbol, account, currency"
	}
	return "symbol, account"
}

// named is the cell of a lot: cost or proceeds are in the first currency, what they are
// held against in the second.
func (u unitOfAll) named(symbol market.Symbol, account, one, other string) string {
	cell := string(symbol) + " " + account
	switch {
	case u != "":
		return cell
	case one == "" || other == "" || one == other:
		return cell + " " + cmp.Or(one, other)
	}
	return cell + " " + one + "/" + other
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

// exact is a price with all its digits.
func exact(d *decimal.Decimal) string {
	if d == nil {
		return present.Absent
	}
	return present.Grouped(d.String())
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
			string(l.Symbol), cmp.Or(l.Acquired, "not known"), l.Harvest.Status, present.Few(blocks), cmp.Or(l.Harvest.SellFrom, present.Absent), cmp.Or(l.Harvest.BuyAgain, present.Absent),
		})
	}
	return present.Table([]string{"symbol", "lot of", "status", "blocked by purchases", "free to sell from", "buy again from, if sold today"}, rows)
}

func (a lotsAnswer) closedTable() string {
	if len(a.Closed) == 0 {
		return ""
	}
	lots := first(a.Closed, mostRows)
	termed := a.rules.Name != ""
	unit := inOne(lots, func(c closedLot) []string { return []string{c.Currency, c.CostCurrency} })
	columns := []string{"sold, acquired", unit.heading(), "units:", "proceeds:", "cost:", "gain:", "gain %:"}
	if termed {
		columns = append(columns, "term")
	}
	var rows [][]string
	for _, c := range lots {
		row := []string{
			c.Sold + " " + cmp.Or(c.Acquired, "not known"), unit.named(c.Symbol, c.Account+untaxed(c.Untaxed), c.Currency, c.CostCurrency), present.Grouped(c.Quantity.String()),
			book.Shown(c.Proceeds, c.Currency), book.Shown(c.Cost, cmp.Or(c.CostCurrency, c.Currency)), book.Changed(c.Gain, c.Currency), present.Change(c.GainPct),
		}
		if termed {
			row = append(row, termOf(c.Term))
		}
		rows = append(rows, row)
	}
	return unit.said() + present.Table(columns, rows)
}

// adjustedTable is what wash sales changed in the gains.
func (a lotsAnswer) adjustedTable() string {
	var rows [][]string
	for _, c := range first(a.Closed, mostRows) {
		if c.Added != nil || c.Disallowed != nil {
			rows = append(rows, []string{c.Sold, string(c.Symbol), cmp.Or(c.HeldFrom, c.Acquired, "not known"), unitOf(c.Added, cmp.Or(c.sale.AddedCurrency, c.Currency)), unitOf(c.Disallowed, c.Currency)})
		}
	}
	if rows == nil {
		return ""
	}
	return "Wash sales, which the gains count:\n\n" + present.Table([]string{"sold", "symbol", "held from", "added to the cost", "disallowed:"}, rows)
}

// closedBaseTable is what the sales gained in the base currency, where that is another
// or wash sales make a difference.
func (a lotsAnswer) closedBaseTable() string {
	if a.Currency == "" || !slices.ContainsFunc(a.Closed, a.differsInBase) {
		return ""
	}
	var rows [][]string
	for _, c := range first(a.Closed, mostRows) {
		rows = append(rows, []string{c.Sold, string(c.Symbol), book.Shown(c.ProceedsBase, a.Currency), book.Shown(c.CostBase, a.Currency), book.Changed(c.GainBase, a.Currency)})
	}
	return fmt.Sprintf("In %s, each day at its rate, before wash sales:\n\n", a.Currency) + present.Table([]string{"sold", "symbol", "proceeds:", "cost:", "gain:"}, rows)
}

// differsInBase reports whether a sale has other numbers in the base currency.
func (a lotsAnswer) differsInBase(c closedLot) bool {
	return c.Currency != a.Currency || c.CostCurrency != "" || c.Added != nil || c.Disallowed != nil
}

func (a lotsAnswer) yearsTable() string {
	if len(a.Years) == 0 {
		return ""
	}
	has := func(is func(y yearLine) bool) bool { return slices.ContainsFunc(a.Years, is) }
	all := []struct {
		name  string
		shown bool
		cell  func(y yearLine) string
	}{
		{"tax year", true, func(y yearLine) string { return strconv.Itoa(y.Year) }},
		{"owner", has(func(y yearLine) bool { return y.Owner != "" || y.Untaxed }), func(y yearLine) string { return strings.TrimSpace(y.Owner + untaxed(y.Untaxed)) }},
		{"term", a.rules.Name != "", func(y yearLine) string { return termOf(y.Term) }},
		{"in", true, func(y yearLine) string { return y.Currency }},
		{"sales:", true, func(y yearLine) string { return strconv.Itoa(y.Sales) }},
		{"proceeds:", true, func(y yearLine) string { return book.Shown(y.Proceeds, y.Currency) }},
		{"cost:", true, func(y yearLine) string { return book.Shown(y.Cost, y.Currency) }},
		{"disallowed:", has(func(y yearLine) bool { return !y.Disallowed.IsZero() }), func(y yearLine) string { return book.Shown(y.Disallowed, y.Currency) }},
		{"gain:", true, func(y yearLine) string { return book.Changed(y.Gain, y.Currency) }},
		{"unknown:", has(func(y yearLine) bool { return y.Unknown > 0 }), func(y yearLine) string { return strconv.Itoa(y.Unknown) }},
	}
	var columns []string
	rows := make([][]string, len(a.Years))
	for _, c := range all {
		if !c.shown {
			continue
		}
		columns = append(columns, c.name)
		for i, y := range a.Years {
			rows[i] = append(rows[i], c.cell(y))
		}
	}
	return present.Table(columns, rows)
}

// baseYearsTable is left out where the one by the tax years has the same numbers.
func (a lotsAnswer) baseYearsTable() string {
	if len(a.BaseYears) == 0 || len(a.Years) > 0 && !slices.ContainsFunc(a.Closed, a.differsInBase) {
		return ""
	}
	rows := make([][]string, len(a.BaseYears))
	for i, y := range a.BaseYears {
		rows[i] = []string{strconv.Itoa(y.Year) + untaxed(y.Untaxed), termOf(y.Term), strconv.Itoa(y.Sales), book.Changed(y.Gain, a.Currency), strconv.Itoa(y.Unknown)}
	}
	return fmt.Sprintf("The sales shown in %s, each day at its rate, before wash sales:\n\n", a.Currency) +
		present.Table([]string{"year", "term", "sales:", "gain:", "unknown:"}, rows)
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
			present.Dated(w.Date), string(w.Symbol) + " " + w.Account, present.Grouped(w.Quantity.String()), unitOf(w.Disallowed, w.Currency),
			fmt.Sprintf("%s in %s, %s, %s", w.ReplacementSymbol, w.ReplacementAccount, present.Dated(w.ReplacementDate), apart(w.Days)), added, cmp.Or(present.Dated(w.HeldFrom), present.Absent),
		})
	}
	return present.Table([]string{"sold", "symbol, account", "units:", "disallowed:", "replaced by", "added", "held from"}, rows)
}

// apart is when a replacement was bought, seen from the sale.
func apart(days int) string {
	switch {
	case days == 0:
		return "the same day"
	case days < 0:
		return fmt.Sprintf("%d days before", -days)
	}
	return fmt.Sprintf("%d days after", days)
}

func (a lotsAnswer) waitingTable() string {
	if len(a.Waiting) == 0 {
		return ""
	}
	var rows [][]string
	for _, w := range first(a.Waiting, mostRows) {
		rows = append(rows, []string{w.Sold, string(w.Symbol) + " " + w.Account, present.Grouped(w.Quantity.String()), unitOf(w.Loss, w.Currency), w.BuyFrom})
	}
	return present.Table([]string{"sold at a loss", "symbol, account", "units:", "loss:", "do not buy before"}, rows)
}
