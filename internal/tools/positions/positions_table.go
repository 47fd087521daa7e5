package positions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// weightBar is the length of the longest bar next to a weight, in characters. The table fits into
// 80 columns.
const weightBar = 3

// Tables implements [toolkit.Tabler]: a row for each position and for the cash of each account.
// Amounts in the base currency are not repeated.
func (a positionsAnswer) Tables() []toolkit.Table {
	largest := decimal.Zero
	for _, p := range a.Positions {
		largest = decimal.Max(largest, nullOf(p.WeightPct).Decimal)
	}
	for _, c := range a.Cash {
		largest = decimal.Max(largest, nullOf(c.WeightPct).Decimal)
	}
	if a.priceless() {
		return append([]toolkit.Table{a.costTable()}, valuationTables(a.Unvalued, a.Rates)...)
	}
	main := toolkit.Table{Columns: a.withOwner([]string{"symbol", "quantity:", "price:", "value " + a.Currency + ":", "weight:", "gain:", "day:", "3 mo"}, "owner")}
	for _, p := range a.Positions {
		price := noPrice
		if p.Price != nil {
			price = a.withoutBase(toolkit.Format(p.Price, toolkit.Price, p.Origin.Currency))
		}
		main.Rows = append(main.Rows, a.withOwner([]string{
			string(p.Symbol), toolkit.Format(p.Quantity, toolkit.Exact, ""), price, a.baseAmount(p.ValueBase),
			weightCell(p.WeightPct, largest), percentText(p.GainBasePct, toolkit.Change), percentText(p.DayChangePct, toolkit.DayChange), p.spark,
		}, p.Owner))
	}
	for _, c := range a.Cash {
		name, amount := cashName, ""
		if len(a.Accounts) > 1 {
			name += " " + toolkit.Abbreviate(c.Account)
		}
		if c.Currency != a.Currency {
			amount = toolkit.Format(c.Amount, toolkit.Money, c.Currency)
		}
		main.Rows = append(main.Rows, a.withOwner([]string{name, amount, "", a.baseAmount(c.ValueBase), weightCell(c.WeightPct, largest), "", "", ""}, c.Owner))
	}
	main = withoutUnknownColumns(main, "day:", "3 mo")
	return slices.Concat([]toolkit.Table{main}, a.returnTable(), valuationTables(a.Unvalued, a.Rates))
}

// withoutUnknownColumns removes those of the named columns that have no value in any row.
func withoutUnknownColumns(t toolkit.Table, names ...string) toolkit.Table {
	for _, name := range names {
		i := slices.Index(t.Columns, name)
		if slices.ContainsFunc(t.Rows, func(row []string) bool { return row[i] != "" && row[i] != toolkit.NotAvailable }) {
			continue
		}
		t.Columns = slices.Delete(t.Columns, i, i+1)
		for j := range t.Rows {
			t.Rows[j] = slices.Delete(t.Rows[j], i, i+1)
		}
	}
	return t
}

// returnTable shows the returns of the periods next to each other.
func (a positionsAnswer) returnTable() []toolkit.Table {
	if len(a.Returns) == 0 {
		return nil
	}
	t := toolkit.Table{Columns: []string{"return"}}
	own, benchmark, symbol := []string{"time-weighted"}, []string{""}, ""
	for _, r := range a.Returns {
		t.Columns, own = append(t.Columns, r.Period+":"), append(own, percentText(r.Pct, toolkit.Change))
		benchmark, symbol = append(benchmark, percentText(r.BenchmarkPct, toolkit.Change)), cmp.Or(r.Benchmark, symbol)
	}
	t.Rows = [][]string{own}
	if benchmark[0] = "benchmark " + symbol; symbol != "" {
		t.Rows = append(t.Rows, benchmark)
	}
	return []toolkit.Table{t}
}

// noPrice replaces the price of a position that no source prices.
const noPrice = "no price"

// priceless reports whether no position has a price, so that only quantities and costs are known.
func (a positionsAnswer) priceless() bool {
	return len(a.Positions) > 0 && !slices.ContainsFunc(a.Positions, func(p positionLine) bool { return p.Price != nil })
}

// withOwner adds the owner to a row of the combined portfolio of several owners.
func (a positionsAnswer) withOwner(row []string, owner string) []string {
	if !a.combined() {
		return row
	}
	return slices.Insert(row, 1, owner)
}

// combined reports whether the positions belong to several owners.
func (a positionsAnswer) combined() bool {
	return slices.ContainsFunc(a.Positions, func(p positionLine) bool { return p.Owner != "" }) || slices.ContainsFunc(a.Cash, func(c cashLine) bool { return c.Owner != "" })
}

// costTable shows what is known of positions without prices.
func (a positionsAnswer) costTable() toolkit.Table {
	t := toolkit.Table{Columns: a.withOwner([]string{"symbol", "quantity:", "cost basis:", "price"}, "owner")}
	for _, p := range a.Positions {
		t.Rows = append(t.Rows, a.withOwner([]string{string(p.Symbol), toolkit.Format(p.Quantity, toolkit.Exact, ""), toolkit.Format(p.Cost, toolkit.Money, p.CostCurrency), noPrice}, p.Owner))
	}
	for _, c := range a.Cash {
		t.Rows = append(t.Rows, a.withOwner([]string{cashName + " " + toolkit.Abbreviate(c.Account), "", toolkit.Format(c.Amount, toolkit.Money, c.Currency), ""}, c.Owner))
	}
	return t
}

// valuationTables lists positions without a market value, unless the warnings say why, and the exchange rates.
func valuationTables(unvalued []MissingValue, rates []RateLine) []toolkit.Table {
	var out []toolkit.Table
	if missing := groupMissing(unvalued); len(missing) > maxReasons {
		t := toolkit.Table{Title: "No market value", Columns: []string{"position", "reason", "next step"}}
		for _, u := range missing {
			t.Rows = append(t.Rows, []string{u.What, u.Reason, u.Do})
		}
		out = append(out, t)
	}
	if len(rates) > 0 {
		t := toolkit.Table{Columns: []string{"exchange rate", "rate:", "as of"}}
		for _, r := range rates {
			t.Rows = append(t.Rows, []string{r.Pair, toolkit.Format(r.Rate, toolkit.Number, ""), r.Date})
		}
		out = append(out, t)
	}
	return out
}

// baseAmount formats an amount without its currency, which the column head names.
func (a positionsAnswer) baseAmount(d *decimal.Decimal) string {
	return a.withoutBase(toolkit.Format(d, toolkit.Money, a.Currency))
}

func (a positionsAnswer) withoutBase(amount string) string {
	return strings.TrimSuffix(amount, " "+a.Currency)
}

// percentText formats a percentage.
func percentText(pct *decimal.Decimal, style toolkit.Style) string {
	if pct == nil {
		return toolkit.NotAvailable
	}
	return toolkit.Format(pct.Shift(-2), style, "")
}

// weightCell returns a weight and its bar, padded so that the bars are aligned.
func weightCell(weight *decimal.Decimal, largest decimal.Decimal) string {
	if weight == nil {
		return toolkit.NotAvailable
	}
	line := drawBar(*weight, largest, weightBar)
	return percentText(weight, toolkit.Percent) + " " + line + strings.Repeat("░", weightBar-len([]rune(line)))
}

// isinPattern matches symbols that are ISINs, which people do not recognize.
var isinPattern = lazyregexp.New(`^[A-Z]{2}[A-Z0-9]{9}[0-9]$`)

// Text implements [toolkit.Texter]: the names of positions whose symbol is an ISIN.
func (a positionsAnswer) Text() string {
	var b strings.Builder
	for _, p := range a.Positions {
		if p.Name != "" && p.Name != string(p.Symbol) && isinPattern().MatchString(string(p.Symbol)) {
			fmt.Fprintf(&b, "- %s: %s\n", p.Symbol, toolkit.TableCell(toolkit.Abbreviate(p.Name)))
		}
	}
	return b.String()
}

// sparklineWidth is the maximum length of a line of closes, in characters.
const sparklineWidth = 5

// sparkline draws closes, oldest first, scaled from the lowest to the highest. It returns
// toolkit.NotAvailable for fewer than two closes.
func sparkline(closes []decimal.Decimal) string {
	if len(closes) < 2 {
		return toolkit.NotAvailable
	}
	values := make([]float64, len(closes))
	for i, c := range closes {
		values[i] = c.InexactFloat64()
	}
	return chart.Sparkline(values, sparklineWidth, chart.CharsetBlock)
}

var barGlyphs = []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// drawBar draws a weight relative to the largest one, "" for a negative weight.
func drawBar(weight, largest decimal.Decimal, width int) string {
	if !weight.IsPositive() || !largest.IsPositive() {
		return ""
	}
	parts := max(int(weight.Mul(decimal.NewFromInt(int64(width)*8)).DivRound(largest, 0).IntPart()), 1)
	return strings.Repeat("█", parts/8) + barGlyphs[parts%8]
}
