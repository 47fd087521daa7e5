package positions

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// maxLotRows is how many lines of a table people are shown.
const maxLotRows = 300

func (a lotsAnswer) markdown() string {
	var b strings.Builder
	rules := "no tax jurisdiction known"
	if a.rules.Name != "" {
		rules = a.rules.Title
	}
	fmt.Fprintf(&b, "**Tax lots**, %s on %s · %s\n\n", a.Kind, a.Day, rules)
	for _, w := range a.Warnings {
		fmt.Fprintf(&b, "**!** %s\n\n", toolkit.TableCell(toolkit.TextForUser(w)))
	}
	for _, t := range a.tables() {
		if t != "" {
			b.WriteString(t + "\n")
		}
	}
	for _, n := range a.Notes {
		b.WriteString("- " + toolkit.TableCell(toolkit.TextForUser(n)) + "\n")
	}
	if n := a.size(); n > maxLotRows {
		fmt.Fprintf(&b, "- the first %d of %s lines; narrow it by symbol, account or year\n", maxLotRows, toolkit.FormatCount(n))
	}
	b.WriteString("- arithmetic on the book, not tax advice: rates, allowances and carried losses are not in it\n")
	b.WriteString("\n" + OriginFooters(a.Prices, a.Rates))
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
	lots := firstN(a.Open, maxLotRows)
	termed := a.rules.Name != ""
	unit := findSharedCurrency(lots, func(l openLot) []string { return []string{l.CostUnit, l.PriceUnit} })
	columns := []string{unit.lotHeading(), "acquired", "units:", "cost:", "price:", "gain:", "gain %:"}
	if termed {
		columns[1] = "acquired, long from"
		columns = append(columns, "term")
	}
	var rows [][]string
	for _, l := range lots {
		row := []string{
			unit.lotCell(l.Symbol, l.Account+untaxedMark(l.Untaxed), l.CostUnit, l.PriceUnit), cmp.Or(l.Acquired, "not known"), toolkit.GroupThousands(l.Quantity.String()), FormatMoney(l.Cost, l.CostUnit),
			exactPrice(l.Price), FormatMoneyChange(l.Gain, l.CostUnit), toolkit.FormatChange(l.GainPct),
		}
		if termed {
			row[1] = strings.TrimSpace(row[1] + " " + l.LongFrom)
			row = append(row, termText(l.Term))
		}
		rows = append(rows, row)
	}
	return unit.note() + toolkit.MarkdownTable(columns, rows)
}

// openBaseTable is what the lots gain in the base currency, where that is another or
// wash sales are in it.
func (a lotsAnswer) openBaseTable() string {
	var rows [][]string
	different := false
	for _, l := range firstN(a.Open, maxLotRows) {
		different = different || l.CostUnit != a.Currency && l.Cost != nil || l.PriceUnit != a.Currency && l.Price != nil || l.TaxGain != nil
		row := []string{string(l.Symbol), cmp.Or(l.Acquired, "not known"), FormatMoney(l.ValueBase, a.Currency), FormatMoney(l.CostBase, a.Currency), FormatMoneyChange(l.GainBase, a.Currency), toolkit.FormatChange(l.GainBasePct)}
		rows = append(rows, append(row, FormatMoneyChange(l.TaxGain, a.Currency)))
	}
	if !different {
		return ""
	}
	return fmt.Sprintf("In %s, cost at the rate of the day of acquisition; taxed is the gain with what wash sales added to the cost:\n\n", a.Currency) +
		toolkit.MarkdownTable([]string{"symbol", "acquired", "value:", "cost:", "gain:", "gain %:", "taxed:"}, rows)
}

// sharedCurrency is the one currency of a table, "" where there are several.
type sharedCurrency string

// findSharedCurrency is the currency that all lines have that have one.
func findSharedCurrency[T any](lines []T, currencies func(T) []string) sharedCurrency {
	shared := ""
	for _, l := range lines {
		for _, unit := range currencies(l) {
			if shared != "" && unit != "" && unit != shared {
				return ""
			}
			shared = cmp.Or(shared, unit)
		}
	}
	return sharedCurrency(shared)
}

// note names the currency above a table whose sums do not.
func (u sharedCurrency) note() string {
	if u == "" {
		return ""
	}
	return fmt.Sprintf("In %s:\n\n", string(u))
}

// lotHeading is that of the column that names a lot, with its currency where there are
// several.
func (u sharedCurrency) lotHeading() string {
	if u == "" {
		return "symbol, account, currency"
	}
	return "symbol, account"
}

// lotCell is the cell of a lot: cost or proceeds are in the first currency, what they are
// held against in the second.
func (u sharedCurrency) lotCell(symbol market.Symbol, account, currency, otherCurrency string) string {
	cell := string(symbol) + " " + account
	switch {
	case u != "":
		return cell
	case currency == "" || otherCurrency == "" || currency == otherCurrency:
		return cell + " " + cmp.Or(currency, otherCurrency)
	}
	return cell + " " + currency + "/" + otherCurrency
}

func untaxedMark(exempt bool) string {
	if exempt {
		return " (untaxed)"
	}
	return ""
}

func termText(t tax.Term) string { return cmp.Or(string(t), toolkit.Absent) }

// withCurrency is a sum with its currency.
func withCurrency(d *decimal.Decimal, currency string) string {
	if d == nil {
		return toolkit.Absent
	}
	return FormatMoney(d, currency) + " " + currency
}

// exactPrice is a price with all its digits.
func exactPrice(d *decimal.Decimal) string {
	if d == nil {
		return toolkit.Absent
	}
	return toolkit.GroupThousands(d.String())
}

func (a lotsAnswer) harvestTable() string {
	if len(a.Open) == 0 {
		return ""
	}
	var rows [][]string
	for _, l := range firstN(a.Open, maxLotRows) {
		var blocks []string
		for _, p := range l.Harvest.Blocks {
			blocks = append(blocks, fmt.Sprintf("%s of %s in %s", toolkit.GroupThousands(p.Quantity.String()), p.Date, p.Account))
		}
		rows = append(rows, []string{
			string(l.Symbol), cmp.Or(l.Acquired, "not known"), l.Harvest.Status, toolkit.JoinFew(blocks), cmp.Or(l.Harvest.SellFrom, toolkit.Absent), cmp.Or(l.Harvest.BuyAgain, toolkit.Absent),
		})
	}
	return toolkit.MarkdownTable([]string{"symbol", "lot of", "status", "blocked by purchases", "free to sell from", "buy again from, if sold today"}, rows)
}

func (a lotsAnswer) closedTable() string {
	if len(a.Closed) == 0 {
		return ""
	}
	lots := firstN(a.Closed, maxLotRows)
	termed := a.rules.Name != ""
	unit := findSharedCurrency(lots, func(c closedLot) []string { return []string{c.Currency, c.CostCurrency} })
	columns := []string{"sold, acquired", unit.lotHeading(), "units:", "proceeds:", "cost:", "gain:", "gain %:"}
	if termed {
		columns = append(columns, "term")
	}
	var rows [][]string
	for _, c := range lots {
		row := []string{
			c.Sold + " " + cmp.Or(c.Acquired, "not known"), unit.lotCell(c.Symbol, c.Account+untaxedMark(c.Untaxed), c.Currency, c.CostCurrency), toolkit.GroupThousands(c.Quantity.String()),
			FormatMoney(c.Proceeds, c.Currency), FormatMoney(c.Cost, cmp.Or(c.CostCurrency, c.Currency)), FormatMoneyChange(c.Gain, c.Currency), toolkit.FormatChange(c.GainPct),
		}
		if termed {
			row = append(row, termText(c.Term))
		}
		rows = append(rows, row)
	}
	return unit.note() + toolkit.MarkdownTable(columns, rows)
}

// adjustedTable is what wash sales changed in the gains.
func (a lotsAnswer) adjustedTable() string {
	var rows [][]string
	for _, c := range firstN(a.Closed, maxLotRows) {
		if c.Added != nil || c.Disallowed != nil {
			rows = append(rows, []string{c.Sold, string(c.Symbol), cmp.Or(c.HeldFrom, c.Acquired, "not known"), withCurrency(c.Added, cmp.Or(c.sale.AddedBasisCurrency, c.Currency)), withCurrency(c.Disallowed, c.Currency)})
		}
	}
	if rows == nil {
		return ""
	}
	return "Wash sales, which the gains count:\n\n" + toolkit.MarkdownTable([]string{"sold", "symbol", "held from", "added to the cost", "disallowed:"}, rows)
}

// closedBaseTable is what the sales gained in the base currency, where that is another
// or wash sales make a difference.
func (a lotsAnswer) closedBaseTable() string {
	if a.Currency == "" || !slices.ContainsFunc(a.Closed, a.differsInBase) {
		return ""
	}
	var rows [][]string
	for _, c := range firstN(a.Closed, maxLotRows) {
		rows = append(rows, []string{c.Sold, string(c.Symbol), FormatMoney(c.ProceedsBase, a.Currency), FormatMoney(c.CostBase, a.Currency), FormatMoneyChange(c.GainBase, a.Currency)})
	}
	return fmt.Sprintf("In %s, each day at its rate, before wash sales:\n\n", a.Currency) + toolkit.MarkdownTable([]string{"sold", "symbol", "proceeds:", "cost:", "gain:"}, rows)
}

// differsInBase reports whether a sale has other numbers in the base currency.
func (a lotsAnswer) differsInBase(c closedLot) bool {
	return c.Currency != a.Currency || c.CostCurrency != "" || c.Added != nil || c.Disallowed != nil
}

func (a lotsAnswer) yearsTable() string {
	if len(a.Years) == 0 {
		return ""
	}
	anyYear := func(matches func(y yearLine) bool) bool { return slices.ContainsFunc(a.Years, matches) }
	all := []struct {
		name  string
		shown bool
		cell  func(y yearLine) string
	}{
		{"tax year", true, func(y yearLine) string { return strconv.Itoa(y.Year) }},
		{"owner", anyYear(func(y yearLine) bool { return y.Owner != "" || y.Untaxed }), func(y yearLine) string { return strings.TrimSpace(y.Owner + untaxedMark(y.Untaxed)) }},
		{"term", a.rules.Name != "", func(y yearLine) string { return termText(y.Term) }},
		{"in", true, func(y yearLine) string { return y.Currency }},
		{"sales:", true, func(y yearLine) string { return strconv.Itoa(y.Sales) }},
		{"proceeds:", true, func(y yearLine) string { return FormatMoney(y.Proceeds, y.Currency) }},
		{"cost:", true, func(y yearLine) string { return FormatMoney(y.Cost, y.Currency) }},
		{"disallowed:", anyYear(func(y yearLine) bool { return !y.Disallowed.IsZero() }), func(y yearLine) string { return FormatMoney(y.Disallowed, y.Currency) }},
		{"gain:", true, func(y yearLine) string { return FormatMoneyChange(y.Gain, y.Currency) }},
		{"unknown:", anyYear(func(y yearLine) bool { return y.Unknown > 0 }), func(y yearLine) string { return strconv.Itoa(y.Unknown) }},
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
	return toolkit.MarkdownTable(columns, rows)
}

// baseYearsTable is left out where the one by the tax years has the same numbers.
func (a lotsAnswer) baseYearsTable() string {
	if len(a.BaseYears) == 0 || len(a.Years) > 0 && !slices.ContainsFunc(a.Closed, a.differsInBase) {
		return ""
	}
	rows := make([][]string, len(a.BaseYears))
	for i, y := range a.BaseYears {
		rows[i] = []string{strconv.Itoa(y.Year) + untaxedMark(y.Untaxed), termText(y.Term), strconv.Itoa(y.Sales), FormatMoneyChange(y.Gain, a.Currency), strconv.Itoa(y.Unknown)}
	}
	return fmt.Sprintf("The sales shown in %s, each day at its rate, before wash sales:\n\n", a.Currency) +
		toolkit.MarkdownTable([]string{"year", "term", "sales:", "gain:", "unknown:"}, rows)
}

func (a lotsAnswer) washTable() string {
	if len(a.Washes) == 0 {
		return ""
	}
	var rows [][]string
	for _, w := range firstN(a.Washes, maxLotRows) {
		added := "to the cost of the replacement"
		if w.Permanent {
			added = "lost for good: bought in an untaxed account"
		}
		rows = append(rows, []string{
			toolkit.FormatDate(w.Date), string(w.Symbol) + " " + w.Account, toolkit.GroupThousands(w.Quantity.String()), withCurrency(w.Disallowed, w.Currency),
			fmt.Sprintf("%s in %s, %s, %s", w.ReplacementSymbol, w.ReplacementAccount, toolkit.FormatDate(w.ReplacementDate), daysApart(w.Days)), added, cmp.Or(toolkit.FormatDate(w.HeldFrom), toolkit.Absent),
		})
	}
	return toolkit.MarkdownTable([]string{"sold", "symbol, account", "units:", "disallowed:", "replaced by", "added", "held from"}, rows)
}

// daysApart is when a replacement was bought, seen from the sale.
func daysApart(days int) string {
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
	for _, w := range firstN(a.Waiting, maxLotRows) {
		rows = append(rows, []string{w.Sold, string(w.Symbol) + " " + w.Account, toolkit.GroupThousands(w.Quantity.String()), withCurrency(w.Loss, w.Currency), w.BuyFrom})
	}
	return toolkit.MarkdownTable([]string{"sold at a loss", "symbol, account", "units:", "loss:", "do not buy before"}, rows)
}
