package positions

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// weightBar is how many characters the bar next to a weight has, so that the table fits into 80
// columns.
const weightBar = 6

// table shows a line for each position. What is in the base currency does not repeat
// it, and names stand below.
func (a positionsAnswer) table() string {
	columns := []string{"symbol", "quantity:", "price:", "value " + a.Currency + ":", "weight %:", "gain %:", "day %:", "3 months"}
	largest := a.largest()
	var rows [][]string
	for _, p := range a.Positions {
		price := toolkit.Absent
		if p.Price != nil {
			price = toolkit.GroupThousands(p.Price.String()) + a.foreignCurrency(p.Origin.Currency)
		}
		rows = append(rows, []string{
			string(p.Symbol), toolkit.GroupThousands(p.Quantity.String()), price, FormatMoney(p.ValueBase, a.Currency),
			weightCell(p.WeightPct, largest), changeCell(p.GainBasePct), changeCell(p.DayChangePct), p.spark,
		})
	}
	for _, c := range a.Cash {
		amount := ""
		if c.Currency != a.Currency {
			amount = FormatMoney(c.Amount, c.Currency) + a.foreignCurrency(c.Currency)
		}
		rows = append(rows, []string{a.cashName(c), amount, "", FormatMoney(c.ValueBase, a.Currency), weightCell(c.WeightPct, largest), "", "", ""})
	}
	return toolkit.MarkdownTable(columns, rows)
}

// foreignCurrency names a currency that is not the one of the table.
func (a positionsAnswer) foreignCurrency(currency string) string {
	if currency == a.Currency || currency == "" {
		return ""
	}
	return " " + currency
}

// cashName tells whose cash it is where several accounts are looked at.
func (a positionsAnswer) cashName(c cashLine) string {
	if len(a.Accounts) < 2 {
		return cashName
	}
	return cashName + " " + toolkit.Abbreviate(c.Account)
}

// changeCell is a change in percent with one digit, because more does not fit into a table of
// 80 columns. The figures have more digits.
func changeCell(pct *decimal.Decimal) string {
	if pct == nil {
		return toolkit.Absent
	}
	return toolkit.FormatSigned(*pct, 1)
}

// weightCell is a weight with its bar, filled up so that bars begin below each other.
func weightCell(weight *decimal.Decimal, largest decimal.Decimal) string {
	if weight == nil {
		return toolkit.Absent
	}
	line := drawBar(*weight, largest, weightBar)
	return weight.StringFixed(1) + " " + line + strings.Repeat("░", weightBar-len([]rune(line)))
}

// isinPattern is a symbol that says nothing to people.
var isinPattern = lazyregexp.New(`^[A-Z]{2}[A-Z0-9]{9}[0-9]$`)

// symbolLegend say what the symbols mean that do not speak for themselves.
func (a positionsAnswer) symbolLegend() string {
	var b strings.Builder
	for _, p := range a.Positions {
		if p.Name != "" && p.Name != string(p.Symbol) && isinPattern().MatchString(string(p.Symbol)) {
			fmt.Fprintf(&b, "\n- %s: %s", p.Symbol, toolkit.TableCell(toolkit.Abbreviate(p.Name)))
		}
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	return b.String()
}

func (a positionsAnswer) largest() decimal.Decimal {
	largest := decimal.Zero
	for _, p := range a.Positions {
		if p.WeightPct != nil {
			largest = decimal.Max(largest, *p.WeightPct)
		}
	}
	for _, c := range a.Cash {
		if c.WeightPct != nil {
			largest = decimal.Max(largest, *c.WeightPct)
		}
	}
	return largest
}

// origins are where all prices are from.
func (a positionsAnswer) origins() []PriceOrigin {
	var out []PriceOrigin
	for _, p := range a.Positions {
		if p.Origin != nil {
			out = append(out, PriceOrigin{Symbol: p.Symbol, Origin: *p.Origin})
		}
	}
	return out
}
