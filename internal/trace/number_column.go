package trace

import (
	"strings"
)

// columnUnit is what the head of a table's column says of the numbers below it.
type columnUnit struct {
	class    Class // of bare whole numbers in it: ClassPlace under "#", ClassYear under "Year"
	kind     UnitKind
	currency string
	scale    int32
}

// columnAt is what the head of the column says in which i stands, or nil.
func (p *scanner) columnAt(i int) *columnUnit {
	cell, ok := p.CellOf(i)
	if !ok {
		return nil
	}
	c := p.columns[cell.TableColumn]
	if c == nil {
		c = parseColumnHead(cell.Head)
		if p.columns == nil {
			p.columns = map[*TableColumn]*columnUnit{}
		}
		p.columns[cell.TableColumn] = c
	}
	return c
}

// parseColumnHead reads the unit in a head such as "Return (%)" or "Revenue ($ bn)".
func parseColumnHead(head string) *columnUnit {
	c := &columnUnit{}
	lower := strings.ToLower(strings.Trim(head, " *"))
	switch lower {
	case "#", "no.", "no", "rank", "序号", "排名":
		c.class = ClassPlace
	case "year", "fy", "fiscal year", "年份", "年度":
		c.class = ClassYear
	}
	switch {
	case strings.Contains(lower, "(bp") || strings.Contains(lower, " bp"):
		c.kind = UnitBasisPoints
	case strings.Contains(lower, "%") || strings.Contains(lower, "percent") || strings.Contains(lower, "per cent"):
		c.kind = UnitPercent
	}
	for _, word := range strings.FieldsFunc(head, func(r rune) bool { return strings.ContainsRune(" \t,/()[]*", r) }) {
		money := strings.TrimLeft(word, "$€£¥")
		if code := CurrencyOf(word[:len(word)-len(money)]); code != "" {
			c.currency = code
		}
		if code := CurrencyOf(money); code != "" && (len(money) > 2 || money == "元") {
			c.currency = code
		}
		scale, ok := ScaleOf(strings.ToLower(money))
		if han, power := HanScale(money); han != "" && !ok {
			scale, ok = power, true
			if c.currency == "" {
				c.currency = CurrencyOf(strings.TrimLeft(money, "千百十万亿億萬兆"))
			}
		}
		if ok && c.kind == UnitPlain && (len(money) > 1 || word != money || strings.Contains(head, "("+word) || c.currency != "") {
			c.scale = scale
		}
	}
	return c
}
