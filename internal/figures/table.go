package figures

import (
	"sort"
	"strings"
)

// column is what the head of a table's column says of the numbers below it.
type column struct {
	head     string
	class    Class // of bare whole numbers in it: Place under "#", Year under "Year"
	kind     Kind
	currency string
	scale    int32
}

// cell is a place in a table: its column, and the text of its row's first cell.
type cell struct {
	*column
	row        string
	start, end int
}

// longestName is as much of a row's or a column's head as is read.
const longestName = 80

// table follows the rows of a table and notes of each cell what the head of its
// column says of it. It gives the columns, or nil where the
// line is in no table.
func (p *page) table(start, end int, columns []*column) []*column {
	if p.find(start, end, '|') < 0 {
		return nil
	}
	cells := p.cells(start, end)
	if columns == nil {
		columns = make([]*column, len(cells))
		for i, c := range cells {
			columns[i] = columnOf(p.text(c[0], min(c[1], c[0]+longestName)))
		}
		return columns
	}
	if len(cells) == 0 {
		return columns
	}
	row := p.text(cells[0][0], min(cells[0][1], cells[0][0]+longestName))
	for i, c := range cells {
		if i < len(columns) {
			p.tables = append(p.tables, cell{column: columns[i], row: row, start: c[0], end: c[1]})
		}
	}
	return columns
}

// cells are the bounds of a row's cells.
func (p *page) cells(start, end int) [][2]int {
	i := p.space(start, end-start)
	if p.rune(i) == '|' {
		i++
	}
	var out [][2]int
	for from := i; from < end; {
		to := p.find(from, end, '|')
		if to < 0 {
			to = end
		}
		out = append(out, [2]int{from, to})
		from = to + 1
	}
	return out
}

// cellOf is the cell in which i stands, where it is in a table.
func (p *page) cellOf(i int) (cell, bool) {
	after := sort.Search(len(p.tables), func(k int) bool { return p.tables[k].start > i })
	if after == 0 || p.tables[after-1].end <= i {
		return cell{}, false
	}
	return p.tables[after-1], true
}

// inColumn is what the head of the column says in which i stands, or nil.
func (p *page) inColumn(i int) *column {
	c, _ := p.cellOf(i)
	return c.column
}

// columnOf reads the unit in a head such as "Return (%)" or "Revenue ($ bn)".
func columnOf(head string) *column {
	c := &column{head: head}
	lower := strings.ToLower(strings.Trim(head, " *"))
	switch lower {
	case "#", "no.", "no", "rank", "序号", "排名":
		c.class = Place
	case "year", "fy", "fiscal year", "年份", "年度":
		c.class = Year
	}
	switch {
	case strings.Contains(lower, "(bp") || strings.Contains(lower, " bp"):
		c.kind = Basis
	case strings.Contains(lower, "%") || strings.Contains(lower, "percent") || strings.Contains(lower, "per cent"):
		c.kind = Percent
	}
	for _, word := range strings.FieldsFunc(head, func(r rune) bool { return strings.ContainsRune(" \t,/()[]*", r) }) {
		money := strings.TrimLeft(word, "$€£¥")
		if code := currencyCode(word[:len(word)-len(money)]); code != "" {
			c.currency = code
		}
		if code := currencyCode(money); code != "" && (len(money) > 2 || money == "元") {
			c.currency = code
		}
		scale, ok := scaleWord(strings.ToLower(money))
		if han, also := hanScale(money); also && !ok {
			scale, ok = han, true
			if c.currency == "" {
				c.currency = currencyCode(strings.TrimLeft(money, "千百十万亿億萬兆"))
			}
		}
		if ok && c.kind == Plain && (len(money) > 1 || word != money || strings.Contains(head, "("+word) || c.currency != "") {
			c.scale = scale
		}
	}
	return c
}
