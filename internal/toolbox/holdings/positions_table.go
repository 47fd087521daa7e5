package holdings

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/pattern"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// weightBar is how many characters a bar has beside a weight: the table is to fit into
// 80 columns.
const weightBar = 6

// table shows a line for each position. What is in the base currency does not repeat
// it, and names stand below.
func (a positionsAnswer) table() string {
	columns := []string{"symbol", "quantity:", "price:", "value " + a.Currency + ":", "weight %:", "gain %:", "day %:", "3 months"}
	largest := a.largest()
	var rows [][]string
	for _, p := range a.Positions {
		price := present.Absent
		if p.Price != nil {
			price = present.Grouped(p.Price.String()) + a.foreign(p.Origin.Currency)
		}
		rows = append(rows, []string{
			string(p.Symbol), present.Grouped(p.Quantity.String()), price, book.Shown(p.ValueBase, a.Currency),
			weighed(p.WeightPct, largest), changed(p.GainBasePct), changed(p.DayChangePct), p.spark,
		})
	}
	for _, c := range a.Cash {
		amount := ""
		if c.Currency != a.Currency {
			amount = book.Shown(c.Amount, c.Currency) + a.foreign(c.Currency)
		}
		rows = append(rows, []string{a.cashName(c), amount, "", book.Shown(c.ValueBase, a.Currency), weighed(c.WeightPct, largest), "", "", ""})
	}
	return present.Table(columns, rows)
}

// foreign names a currency that is not the one of the table.
func (a positionsAnswer) foreign(currency string) string {
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
	return cashName + " " + present.Abridged(c.Account)
}

// changed is a change in per cent with one digit: a table of 80 columns has no room for
// more, which the figures have.
func changed(pct *decimal.Decimal) string {
	if pct == nil {
		return present.Absent
	}
	return present.Signed(*pct, 1)
}

// weighed is a weight with its bar, filled up so that bars begin below each other.
func weighed(weight *decimal.Decimal, largest decimal.Decimal) string {
	if weight == nil {
		return present.Absent
	}
	line := bar(*weight, largest, weightBar)
	return weight.StringFixed(1) + " " + line + strings.Repeat("░", weightBar-len([]rune(line)))
}

// isin is a symbol that says nothing to people.
var isin = pattern.Lazy(`^[A-Z]{2}[A-Z0-9]{9}[0-9]$`)

// names say what the symbols mean that do not speak for themselves.
func (a positionsAnswer) names() string {
	var b strings.Builder
	for _, p := range a.Positions {
		if p.Name != "" && p.Name != string(p.Symbol) && isin().MatchString(string(p.Symbol)) {
			fmt.Fprintf(&b, "\n- %s: %s", p.Symbol, present.Cell(present.Abridged(p.Name)))
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
func (a positionsAnswer) origins() []book.PriceOrigin {
	var out []book.PriceOrigin
	for _, p := range a.Positions {
		if p.Origin != nil {
			out = append(out, book.PriceOrigin{Symbol: p.Symbol, Origin: *p.Origin})
		}
	}
	return out
}
