package importer

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Bounds of what is looked at.
const (
	maxMappedPreamble  = 40   // the header
	maxMappedSample    = 5000 // lines of data
	maxMappedKindWords = 40   // different words for what happened
)

// GuessMapping proposes a mapping for a file, by the names of its columns and by what its
// cells prove. What they do not prove is left open, and the doubts say how to settle
// it; with none, only a name is missing.
func GuessMapping(f File) (Mapping, []string) {
	m := Mapping{}
	rows, err := f.Rows(0)
	if err != nil {
		return m, []string{fmt.Sprintf("the file cannot be read as a table: %v", err)}
	}
	header, columns, found := findMappedHeader(rows)
	if !found {
		return m, append([]string{"no line has names of columns that are known: set skip and columns by hand"}, m.OpenQuestions()...)
	}
	m.Columns = columns
	m.Skip = rows[header].Line - 1
	m.Separator = mappedSeparatorName(f.Separator())
	data := rows[header+1:]
	g := mappingGuesser{table: NewTable(rows[header], data), rows: data[:min(len(data), maxMappedSample)]}
	g.guessDates(&m)
	g.guessNumbers(&m)
	g.guessKinds(&m)
	g.guessTotals(&m)
	if g.sharesNumbers(m.Columns.ID) {
		m.Columns.ID = "" // of orders, say, of which each may have several fills
	}
	return m, m.OpenQuestions()
}

func mappedSeparatorName(sep rune) string {
	if sep == '\t' {
		return "tab"
	}
	return string(sep)
}

// findMappedHeader finds the line with most names that are known: a date and two more.
func findMappedHeader(rows []Row) (int, MappingColumns, bool) {
	best, bestCount := -1, 2
	var columns MappingColumns
	for i, row := range rows[:min(len(rows), maxMappedPreamble)] {
		c, count := mappedColumnsIn(row)
		if c.Date != "" && count > bestCount {
			best, bestCount, columns = i, count, c
		}
	}
	return best, columns, best >= 0
}

func mappedColumnsIn(row Row) (MappingColumns, int) {
	var c MappingColumns
	count := 0
	taken := map[int]bool{}
	for _, known := range mappingColumnWords(&c) {
		for word := range strings.SplitSeq(known.words, "|") {
			i := slices.IndexFunc(row.Cells, func(cell string) bool { return foldMappedWord(cell) == word })
			if i >= 0 && !taken[i] {
				*known.field, taken[i] = row.At(i), true
				count++
				break
			}
		}
	}
	return c, count
}

// mappingGuesser looks at the cells of a table.
type mappingGuesser struct {
	table Table
	rows  []Row
}

// sharesNumbers reports whether lines that say different things have the same number.
func (g mappingGuesser) sharesNumbers(column string) bool {
	first := map[string]Row{}
	for _, row := range g.rows {
		number := mappedCell(g.table, row, column)
		before, seen := first[number]
		if number != "" && seen && !slices.Equal(before.Cells, row.Cells) {
			return true
		}
		first[number] = row
	}
	return false
}

func (g mappingGuesser) columnCells(columns ...string) []string {
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

// guessDates finds how days are written, and the time behind them.
func (g mappingGuesser) guessDates(m *Mapping) {
	cells := g.columnCells(m.Columns.Date)
	layout, sure := GuessDayOrder(cells)
	if sure {
		day := formatDateLayout(layout)
		for _, tail := range []string{"", " HH:mm:ss", " HH:mm", "THH:mm:ssZ", "THH:mm:ss", " HH:mm:ss Z", " HH:mm:ssZ", ", HH:mm:ss", "; HH:mm:ss", "T"} {
			if allDatesParse(cells, day+tail) {
				m.Date = day + tail
				break
			}
		}
	}
	for _, pattern := range []string{"HH:mm:ss", "HH:mm", "HHmmss"} {
		if clocks := g.columnCells(m.Columns.Time); m.Time == "" && len(clocks) > 0 && allDatesParse(clocks, pattern) {
			m.Time = pattern
		}
	}
}

func allDatesParse(cells []string, pattern string) bool {
	layout, err := parseDateLayout(pattern)
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

// guessNumbers finds the decimal sign and what signs of numbers mean.
func (g mappingGuesser) guessNumbers(m *Mapping) {
	c := m.Columns
	if sign, sure := GuessDecimalSeparator(g.columnCells(c.Quantity, c.Price, c.Amount, c.Fee, c.Tax)); sure {
		m.Decimal = string(rune(sign))
	}
	if m.Decimal == "" {
		return
	}
	sign := DecimalSeparator(m.Decimal[0])
	if above, below := mappedSigns(g.columnCells(c.Quantity), sign); above || below {
		m.Quantities = mappedConventionIf(below, NumbersSigned, NumbersUnsigned)
	}
	if above, below := mappedSigns(g.columnCells(c.Amount), sign); above || below {
		m.Amounts = mappedConventionIf(below, NumbersSigned, NumbersUnsigned)
	}
	switch above, below := mappedSigns(g.columnCells(c.Fee, c.Tax), sign); {
	case above && !below:
		m.Costs = CostsPositive
	case below && !above:
		m.Costs = CostsNegative
	}
}

func mappedConventionIf(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

func mappedSigns(cells []string, sign DecimalSeparator) (above, below bool) {
	for _, cell := range cells {
		d, _, err := ParseMoney(cell, sign)
		above = above || err == nil && d.IsPositive()
		below = below || err == nil && d.IsNegative()
	}
	return above, below
}

// guessKinds looks the words up for what happened; those that are not known stay open.
func (g mappingGuesser) guessKinds(m *Mapping) {
	known := mappingKindWords()
	m.Kinds = map[string]string{}
	for _, word := range g.columnCells(m.Columns.Kind) {
		if len(m.Kinds) == maxMappedKindWords {
			break
		}
		m.Kinds[word] = known[foldMappedWord(word)]
	}
	if m.Columns.Kind == "" && m.Quantities == NumbersSigned {
		m.Fixed.Kind = MeaningTrade
	}
}

// guessTotals finds whether amounts are before fees or after, by trades whose price and
// quantity tell.
func (g mappingGuesser) guessTotals(m *Mapping) {
	if m.Decimal == "" || m.Columns.Quantity == "" || m.Columns.Price == "" || m.Columns.Amount == "" {
		return
	}
	r := mappedReader{Mapping: *m, sign: DecimalSeparator(m.Decimal[0])}
	r.Fixed.Currency = "XXX" // is not looked at
	gross, net := false, false
	for _, row := range g.rows {
		n, _, err := r.parseNumbers(g.table, row)
		value, whole := mappedProduct(n)
		costs := n.fee.Decimal.Abs().Add(n.tax.Decimal.Abs())
		kind := m.Kinds[g.table.Cell(row, m.Columns.Kind)]
		trade := kind == string(portfolio.KindBuy) || kind == string(portfolio.KindSell) || kind == MeaningTrade || m.Fixed.Kind == MeaningTrade
		if err != nil || !whole || !n.amount.Valid || !trade || costs.LessThanOrEqual(mappedRoundingSlack(n).Mul(decimal.NewFromInt(2))) {
			continue
		}
		away := n.amount.Decimal.Abs().Sub(value).Abs()
		gross = gross || away.LessThanOrEqual(mappedRoundingSlack(n))
		net = net || away.Sub(costs).Abs().LessThanOrEqual(mappedRoundingSlack(n))
	}
	switch {
	case gross && !net:
		m.Totals = TotalsGross
	case net && !gross:
		m.Totals = TotalsNet
	}
}
