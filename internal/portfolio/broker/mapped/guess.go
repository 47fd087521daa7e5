package mapped

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// Bounds of what is looked at.
const (
	mostLinesAbove = 40   // the header
	mostSample     = 5000 // lines of data
	mostWords      = 40   // different words for what happened
)

// Guess proposes a mapping for a file, by the names of its columns and by what its
// cells prove. What they do not prove is left open, and the doubts say how to settle
// it; with none, only a name is missing.
func Guess(f sheet.File) (Mapping, []string) {
	m := Mapping{}
	rows, err := f.Rows(0)
	if err != nil {
		return m, []string{fmt.Sprintf("the file cannot be read as a table: %v", err)}
	}
	header, columns, found := headerIn(rows)
	if !found {
		return m, append([]string{"no line has names of columns that are known: set skip and columns by hand"}, m.Doubts()...)
	}
	m.Columns = columns
	m.Skip = rows[header].Line - 1
	m.Separator = separatorName(f.Separator())
	data := rows[header+1:]
	g := guesser{table: sheet.NewTable(rows[header], data), rows: data[:min(len(data), mostSample)]}
	g.dates(&m)
	g.numbers(&m)
	g.kinds(&m)
	g.totals(&m)
	if g.shared(m.Columns.ID) {
		m.Columns.ID = "" // of orders, say, of which each may have several fills
	}
	return m, m.Doubts()
}

func separatorName(sep rune) string {
	if sep == '\t' {
		return "tab"
	}
	return string(sep)
}

// headerIn finds the line with most names that are known: a date and two more.
func headerIn(rows []sheet.Row) (int, Columns, bool) {
	best, bestCount := -1, 2
	var columns Columns
	for i, row := range rows[:min(len(rows), mostLinesAbove)] {
		c, count := columnsIn(row)
		if c.Date != "" && count > bestCount {
			best, bestCount, columns = i, count, c
		}
	}
	return best, columns, best >= 0
}

func columnsIn(row sheet.Row) (Columns, int) {
	var c Columns
	count := 0
	taken := map[int]bool{}
	for _, known := range columnWords(&c) {
		for word := range strings.SplitSeq(known.words, "|") {
			i := slices.IndexFunc(row.Cells, func(cell string) bool { return folded(cell) == word })
			if i >= 0 && !taken[i] {
				*known.field, taken[i] = row.At(i), true
				count++
				break
			}
		}
	}
	return c, count
}

// guesser looks at the cells of a table.
type guesser struct {
	table sheet.Table
	rows  []sheet.Row
}

// shared reports whether lines that say different things have the same number.
func (g guesser) shared(column string) bool {
	first := map[string]sheet.Row{}
	for _, row := range g.rows {
		number := cell(g.table, row, column)
		before, seen := first[number]
		if number != "" && seen && !slices.Equal(before.Cells, row.Cells) {
			return true
		}
		first[number] = row
	}
	return false
}

func (g guesser) cells(columns ...string) []string {
	var out []string
	for _, column := range columns {
		if column == "" {
			continue
		}
		for _, row := range g.rows {
			if text := g.table.Cell(row, column); text != "" {
				out = append(out, text)
			}
		}
	}
	return out
}

// dates finds how days are written, and the time behind them.
func (g guesser) dates(m *Mapping) {
	cells := g.cells(m.Columns.Date)
	layout, sure := sheet.GuessDayOrder(cells)
	if sure {
		day := wordsOf(layout)
		for _, tail := range []string{"", " HH:mm:ss", " HH:mm", "THH:mm:ssZ", "THH:mm:ss", " HH:mm:ss Z", " HH:mm:ssZ", ", HH:mm:ss", "; HH:mm:ss", "T"} {
			if allParse(cells, day+tail) {
				m.Date = day + tail
				break
			}
		}
	}
	for _, words := range []string{"HH:mm:ss", "HH:mm", "HHmmss"} {
		if clocks := g.cells(m.Columns.Time); m.Time == "" && len(clocks) > 0 && allParse(clocks, words) {
			m.Time = words
		}
	}
}

func allParse(cells []string, words string) bool {
	layout, err := layoutOf(words)
	if err != nil {
		return false
	}
	for _, cell := range cells {
		if _, err := time.Parse(layout, cell); err != nil {
			return false
		}
	}
	return true
}

// numbers finds the decimal sign and what signs of numbers mean.
func (g guesser) numbers(m *Mapping) {
	c := m.Columns
	if sign, sure := sheet.GuessSign(g.cells(c.Quantity, c.Price, c.Amount, c.Fee, c.Tax)); sure {
		m.Decimal = string(rune(sign))
	}
	if m.Decimal == "" {
		return
	}
	sign := sheet.Sign(m.Decimal[0])
	if above, below := signs(g.cells(c.Quantity), sign); above || below {
		m.Quantities = convention(below, Signed, Unsigned)
	}
	if above, below := signs(g.cells(c.Amount), sign); above || below {
		m.Amounts = convention(below, Signed, Unsigned)
	}
	switch above, below := signs(g.cells(c.Fee, c.Tax), sign); {
	case above && !below:
		m.Costs = Positive
	case below && !above:
		m.Costs = Negative
	}
}

func convention(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

func signs(cells []string, sign sheet.Sign) (above, below bool) {
	for _, cell := range cells {
		d, _, err := sheet.Money(cell, sign)
		above = above || err == nil && d.IsPositive()
		below = below || err == nil && d.IsNegative()
	}
	return above, below
}

// kinds looks the words up for what happened; those that are not known stay open.
func (g guesser) kinds(m *Mapping) {
	known := kindWords()
	m.Kinds = map[string]string{}
	for _, word := range g.cells(m.Columns.Kind) {
		if len(m.Kinds) == mostWords {
			break
		}
		m.Kinds[word] = known[folded(word)]
	}
	if m.Columns.Kind == "" && m.Quantities == Signed {
		m.Fixed.Kind = Trade
	}
}

// totals finds whether amounts are before fees or after, by trades whose price and
// quantity tell.
func (g guesser) totals(m *Mapping) {
	if m.Decimal == "" || m.Columns.Quantity == "" || m.Columns.Price == "" || m.Columns.Amount == "" {
		return
	}
	r := reader{Mapping: *m, sign: sheet.Sign(m.Decimal[0])}
	r.Fixed.Currency = "XXX" // is not looked at
	gross, net := false, false
	for _, row := range g.rows {
		n, _, err := r.figures(g.table, row)
		value, whole := product(n)
		costs := n.fee.Decimal.Abs().Add(n.tax.Decimal.Abs())
		kind := m.Kinds[g.table.Cell(row, m.Columns.Kind)]
		trade := kind == string(portfolio.KindBuy) || kind == string(portfolio.KindSell) || kind == Trade || m.Fixed.Kind == Trade
		if err != nil || !whole || !n.amount.Valid || !trade || costs.LessThanOrEqual(slack(n).Mul(decimal.NewFromInt(2))) {
			continue
		}
		away := n.amount.Decimal.Abs().Sub(value).Abs()
		gross = gross || away.LessThanOrEqual(slack(n))
		net = net || away.Sub(costs).Abs().LessThanOrEqual(slack(n))
	}
	switch {
	case gross && !net:
		m.Totals = Gross
	case net && !gross:
		m.Totals = Net
	}
}
