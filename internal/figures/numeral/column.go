package numeral

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/figures/measure"
	"github.com/nfa-cli/nfa/internal/figures/page"
)

// column is what the head of a table's column says of the numbers below it.
type column struct {
	class    Class // of bare whole numbers in it: Place under "#", Year under "Year"
	kind     measure.Kind
	currency string
	scale    int32
}

// inColumn is what the head of the column says in which i stands, or nil.
func (p *scanner) inColumn(i int) *column {
	cell, ok := p.CellOf(i)
	if !ok {
		return nil
	}
	c := p.columns[cell.Column]
	if c == nil {
		c = columnOf(cell.Head)
		if p.columns == nil {
			p.columns = map[*page.Column]*column{}
		}
		p.columns[cell.Column] = c
	}
	return c
}

// columnOf reads the unit in a head such as "Return (%)" or "Revenue ($ bn)".
func columnOf(head string) *column {
	c := &column{}
	lower := strings.ToLower(strings.Trim(head, " *"))
	switch lower {
	case "#", "no.", "no", "rank", "序号", "排名":
		c.class = Place
	case "year", "fy", "fiscal year", "年份", "年度":
		c.class = Year
	}
	switch {
	case strings.Contains(lower, "(bp") || strings.Contains(lower, " bp"):
		c.kind = measure.Basis
	case strings.Contains(lower, "%") || strings.Contains(lower, "percent") || strings.Contains(lower, "per cent"):
		c.kind = measure.Percent
	}
	for _, word := range strings.FieldsFunc(head, func(r rune) bool { return strings.ContainsRune(" \t,/()[]*", r) }) {
		money := strings.TrimLeft(word, "$€£¥")
		if code := measure.Currency(word[:len(word)-len(money)]); code != "" {
			c.currency = code
		}
		if code := measure.Currency(money); code != "" && (len(money) > 2 || money == "元") {
			c.currency = code
		}
		scale, ok := measure.Scale(strings.ToLower(money))
		if han, power := measure.HanScale(money); han != "" && !ok {
			scale, ok = power, true
			if c.currency == "" {
				c.currency = measure.Currency(strings.TrimLeft(money, "千百十万亿億萬兆"))
			}
		}
		if ok && c.kind == measure.Plain && (len(money) > 1 || word != money || strings.Contains(head, "("+word) || c.currency != "") {
			c.scale = scale
		}
	}
	return c
}
