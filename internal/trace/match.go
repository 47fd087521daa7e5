package trace

import (
	"sort"
	"strings"

	"github.com/shopspring/decimal"
)

// Status is the result of looking for a number's source.
type Status string

// Results of looking for a source.
const (
	Traced       Status = "traced"
	Untraced     Status = "untraced"     // no tool returned it
	Contradicted Status = "contradicted" // a tool returned another value for the same name
)

// MatchedNumber is a figure of a text with the result of looking for its source.
type MatchedNumber struct {
	Start  int    `json:"start"` // byte offset in the text
	End    int    `json:"end"`
	Text   string `json:"text"`
	Status Status `json:"status"`
	// Note is the number of the figure's footnote, from 1 in text order; 0 for an untraced figure.
	Note int `json:"note,omitempty"`
	// Index is the index of the KnownFigure that the number is traced to or that contradicts it.
	// It is meaningless for an untraced number.
	Index int `json:"-"`
}

// Report counts the figures of a text and lists them in text order.
type Report struct {
	Total, Traced, Contradicted int
	Numbers                     []MatchedNumber
}

// Match compares the figures of a text with the figures of tools and with the question.
func Match(text string, known []KnownFigure, question string) Report {
	var e Sources
	e.Add(known...)
	e.AddText(question)
	return e.Match(text)
}

// Match compares the figures of a text with the sources. The report omits numbers that are not
// figures and numbers that were stated before.
func (e *Sources) Match(text string) Report {
	e.sortNew()
	d := readDocument(text, false)
	r := Report{Numbers: []MatchedNumber{}}
	notes := map[int]int{}
	for _, n := range d.numbers() {
		if n.Class != ClassFigure {
			continue
		}
		status, found := e.classify(d, &n)
		m := MatchedNumber{Start: n.Start, End: n.End, Text: n.Text, Status: status}
		switch status {
		case "":
			continue
		case Traced:
			r.Traced++
		case Contradicted:
			r.Contradicted++
		}
		if found != nil {
			m.Index = found.Index
			if notes[m.Index] == 0 {
				notes[m.Index] = len(notes) + 1
			}
			m.Note = notes[m.Index]
		}
		r.Total++
		r.Numbers = append(r.Numbers, m)
	}
	return r
}

// classify looks for the source of a number. The status is empty if it needs none.
func (e *Sources) classify(d *document, n *Number) (Status, *fact) {
	near := d.near(n)
	found, reversed := e.find(near, n)
	if found != nil && !reversed {
		return Traced, found
	}
	if named := e.contradictedFact(d, n); named != nil {
		return Contradicted, named
	}
	switch {
	case e.isStated(n):
		return "", nil
	case reversed && (n.significant() >= 3 || overlap(near, found) > 0):
		return Contradicted, found
	}
	return Untraced, nil
}

// maxCompared limits the work for a number that is close to very many figures.
const maxCompared = 500

// Grades of a fact that matches a number. The sign counts more than the name, and a figure more
// than its inputs.
const (
	gradeSign   = 1000
	gradeName   = 10
	gradeItself = 5
	gradeUnit   = 1
)

// find returns the fact that a number states: if several match, the one with the best matching
// name, then the newest. reversed is true if the number's sign is opposite to that of every match.
func (e *Sources) find(near string, n *Number) (found *fact, reversed bool) {
	best, newest := -1, -1
	low, high := n.bounds()
	for _, shift := range shifts(n) {
		from, to := low.Shift(shift), high.Shift(shift)
		slack := 1e-9 * to.Abs().InexactFloat64() // compare sizes as floats first
		atLeast, atMost := from.InexactFloat64()-slack, to.InexactFloat64()+slack
		first := sort.Search(len(e.bySize), func(i int) bool { return e.bySize[i].size >= atLeast })
		for _, s := range e.bySize[first:min(first+maxCompared, len(e.bySize))] {
			if s.size > atMost {
				break
			}
			f := &e.facts[s.fact]
			if size := f.value.Abs(); !fits(n, f, shift) || size.LessThan(from) || size.GreaterThan(to) || isCoincidence(near, n, f, shift) {
				continue
			}
			grade := gradeName * overlap(near, f)
			if !hasOppositeSign(n, f) {
				grade += gradeSign
			}
			if !f.Input {
				grade += gradeItself
			}
			if shift == 0 && (n.Kind == f.kind || n.Currency != "" && n.Currency == f.currency) {
				grade += gradeUnit
			}
			if grade > best || grade == best && s.fact > newest {
				best, newest, found = grade, s.fact, f
			}
		}
	}
	return found, found != nil && best < gradeSign
}

// near returns the text around a number that may name it, in lower case and with Chinese names of
// measures also in English: its sentence, or the row and header of its cell.
func (d *document) near(n *Number) string {
	before, within, after := d.sentence(n.from, n.to)
	text := before + within + after
	if c := d.cellAt(n.from); c != nil {
		text = c.row + " " + c.head
	}
	return strings.ToLower(inEnglish(text))
}

// overlap counts the words of a fact's label in a text.
func overlap(near string, f *fact) int {
	count := 0
	for _, w := range f.words {
		if strings.Contains(near, w) {
			count++
		}
	}
	return count
}

// isCoincidence reports whether a coarse number, or a small bare one, is close to a fact that it
// does not name: 3 funds are not a beta of 2.71, and a rule of 2% is not a change of 2.149%.
func isCoincidence(near string, n *Number, f *fact, shift int32) bool {
	size := n.Value.Abs()
	off := size.Shift(shift).Sub(f.value.Abs()).Abs()
	if off.IsZero() {
		return false
	}
	small := n.Kind == UnitPlain && n.Currency == "" && n.Unit.Equal(decimalOne) && n.significant() <= 2
	if small && (n.paired || f.kind == UnitPercent || f.currency != "") {
		return true
	}
	// A coarse number that is nearly right was rounded: 0.1% for 0.097%.
	nearly := off.Mul(decimal.New(25, 0)).LessThanOrEqual(size.Shift(shift))
	coarse := n.Unit.GreaterThan(size.Shift(-1)) && !nearly && !(n.sign != 0 && isChange(f))
	return (coarse || small) && overlap(near, f) == 0
}

// shifts returns the powers of ten between a number and the facts that it may state: 98.6% may be
// 0.986, 25 bp may be 0.25%.
func shifts(n *Number) []int32 {
	switch {
	case n.Kind == UnitPercent || n.Kind == UnitPoints:
		return []int32{0, -2, 2}
	case n.Kind == UnitBasisPoints:
		return []int32{0, -2, -4}
	case n.scaled:
		return []int32{0, -n.power}
	case n.Currency == "GBP" || n.Currency == "GBp":
		return []int32{0, 2, -2}
	}
	return []int32{0}
}

// fits reports whether the unit of a number, times ten to the power of shift, can match that of a
// fact.
func fits(n *Number, f *fact, shift int32) bool {
	if f.open {
		return shift == 0 || n.scaled && shift == -n.power
	}
	percent := f.kind == UnitPercent || f.kind == UnitPoints
	fraction := f.bare && !isNeverPercent(f)
	switch n.Kind {
	case UnitPercent, UnitPoints:
		switch shift {
		case 0:
			return percent || f.bare
		case 2:
			return f.kind == UnitBasisPoints
		}
		return fraction
	case UnitBasisPoints:
		switch shift {
		case 0:
			return f.kind == UnitBasisPoints
		case -2:
			return percent
		}
		return fraction
	case UnitMultiple, UnitRatio:
		return f.kind == UnitMultiple || f.bare || f.kind == UnitPlain && f.currency == "" && f.span == ""
	}
	if n.scaled && shift == -n.power && shift != 0 {
		return f.bare && f.Unit == "" // computed in millions
	}
	if n.Currency != "" {
		switch {
		case f.kind != UnitPlain || f.span != "" || f.bare && f.Unit != "":
			return false
		case shift == 2: // pence are pounds divided by a hundred
			return n.Currency == "GBP" && f.currency == "GBp"
		case shift == -2:
			return n.Currency == "GBp" && f.currency == "GBP"
		}
		return sameCurrency(n.Currency, f.currency)
	}
	if span := timeUnit(n.noun); span != "" {
		return f.span == span || f.bare || f.daily && span == "day"
	}
	counted := isOneOf(n.noun, "share bar employee store contract company companie fund stock 股 家 只 手")
	return f.currency == "" || !counted
}

// isNeverPercent reports whether a bare figure is a measure that is never shown in percent.
func isNeverPercent(f *fact) bool {
	return f.hasWord("sharpe sortino calmar treynor beta rsi correlation p/e p/b p/s peg multiple skewness kurtosis z-score")
}

// isChange reports whether the sign of a fact is a direction.
func isChange(f *fact) bool {
	return f.hasWord("return change growth gain performance pct difference revision surprise 收益 涨跌幅 涨幅 增长 增长率 总收益 年化收益 收益率")
}

// hasOppositeSign reports whether the sign of a number, or the verb before it, is opposite to that
// of a fact. The name of a loss may replace its sign.
func hasOppositeSign(n *Number, f *fact) bool {
	direction := n.sign
	if direction == 0 {
		direction = n.direction
	}
	if direction == 0 || f.value.IsZero() || f.Input || int(direction) == f.value.Sign() {
		return false
	}
	if f.hasWord("drawdown loss losses decline fall cost costs fee fees expense expenses outflow outflows shortfall capex var " +
		"dividends repayment repurchases tax taxes debt 回撤 最大回撤 亏损 跌幅") {
		return false
	}
	// Amounts and levels have no direction: "fell 5.20" states a change, "fell 184" does not.
	return n.sign != 0 && f.value.Sign() < 0 || n.sign < 0 || isChange(f)
}

func (f *fact) hasWord(list string) bool {
	for _, w := range f.words {
		if isOneOf(w, list) {
			return true
		}
	}
	return false
}

// SameNumber reports whether two texts have the same number with the same digits, in any format:
// "23.4%" and "23.4 %", "1,234" and "1234".
func SameNumber(a, b string) bool {
	x, y := ScanNumbers(a), ScanNumbers(b)
	if len(x) != 1 || len(y) != 1 {
		return strings.TrimSpace(a) == strings.TrimSpace(b)
	}
	m, n := x[0], y[0]
	if m.Kind != n.Kind && m.Kind != UnitPlain && n.Kind != UnitPlain || !sameCurrency(m.Currency, n.Currency) {
		return false
	}
	return m.Value.Abs().Equal(n.Value.Abs()) && (m.Value.Equal(n.Value) || m.sign == 0 || n.sign == 0)
}
