package trace

import (
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// Status is the result of looking for a number's source.
type Status string

// The results.
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
	// Computed is set if the number was computed from figures and states none.
	Computed *Computed `json:"computed,omitempty"`
	// Index is the index of the KnownFigure that the number is traced to or that contradicts it.
	// It is meaningless for an untraced number.
	Index int `json:"-"`
}

// Computed is a number that follows from figures.
type Computed struct {
	Formula string          `json:"formula"` // "294.32 - 281.73"
	Value   decimal.Decimal `json:"value"`   // with all digits
	Unit    string          `json:"unit,omitempty"`
	// Operands are the indices of the KnownFigures.
	Operands []int `json:"-"`
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
	x := e.index(readDocument(text, false))
	found := make([]finding, len(x.numbers))
	for i := range x.numbers {
		if x.numbers[i].Class == ClassFigure {
			found[i] = e.classify(x, i)
		}
	}
	checkOrder(found)
	e.checkYearAgo(x, found)
	r := Report{Numbers: []MatchedNumber{}}
	notes := map[int]int{}
	for i, n := range x.numbers {
		f := found[i]
		if n.Class == ClassFigure && (f.status == Untraced || f.status == Contradicted) {
			f = e.derive(x, i, found, f)
		}
		m := MatchedNumber{Start: n.Start, End: n.End, Text: n.Text, Status: f.status, Computed: f.computed}
		switch f.status {
		case "":
			continue
		case Traced:
			r.Traced++
		case Contradicted:
			r.Contradicted++
		}
		if f.fact != nil {
			m.Index = f.fact.Index
			key := m.Index
			if f.computed != nil {
				key = -1 - i // a note of its own
			}
			if notes[key] == 0 {
				notes[key] = len(notes) + 1
			}
			m.Note = notes[key]
		}
		r.Total++
		r.Numbers = append(r.Numbers, m)
	}
	return r
}

// checkOrder rejects figures that the text states in the wrong order of time: "from 256 to 271" where 271
// came first.
func checkOrder(found []finding) {
	for i := 1; i < len(found); i++ {
		a, b := &found[i-1], &found[i]
		if a.status != Traced || b.status != Traced || !a.claim.from && !a.claim.yearAgo || !b.claim.to || len(a.claim.periods) > 0 {
			continue
		}
		from, to := a.fact.time, b.fact.time
		if slices.Equal(a.fact.symbols, b.fact.symbols) && from.from == 0 && to.from == 0 && to.to != 0 && from.to > to.to && !a.fact.input && !b.fact.input {
			a.status, b.status = Untraced, Untraced
			a.fact, b.fact = nil, nil
		}
	}
}

// checkYearAgo rejects a figure of "a year earlier" if the series of the figure before it has no such value a
// year before that one.
func (e *Sources) checkYearAgo(x *tokenIndex, found []finding) {
	var before *finding
	for i := range found {
		f := &found[i]
		if f.status != Traced {
			continue
		}
		now := before
		before = f
		if now == nil || !f.claim.yearAgo || now.claim.yearAgo || !now.fact.isDatedLike(f.fact) {
			continue
		}
		low, high := x.numbers[i].bounds()
		known := slices.ContainsFunc(e.facts, func(o fact) bool {
			days := now.fact.time.to - o.time.to
			return o.kind == f.fact.kind && days > 365-slackDays && days < 365+slackDays && o.value.Abs().GreaterThanOrEqual(low) && o.value.Abs().LessThanOrEqual(high)
		})
		if !known {
			f.status, f.fact, f.rejected = Untraced, nil, true
		}
	}
}

// isDatedLike reports whether two facts are of one measure and subject, each on a day or in a fiscal year.
func (f *fact) isDatedLike(other *fact) bool {
	return f.time.to != 0 && other.time.to != 0 && f.time.from == other.time.from && f.meaning.key() == other.meaning.key() && slices.Equal(f.symbols, other.symbols)
}

// finding is the result for one number.
type finding struct {
	status   Status // empty if the number needs no source
	fact     *fact  // that the number states or contradicts
	computed *Computed
	claim    claim
	reversed bool // the fact has the other sign
	rejected bool // the only facts with this value are of another time
}

// classify looks for the source of the number i.
func (e *Sources) classify(x *tokenIndex, i int) finding {
	n := &x.numbers[i]
	c := x.claimOf(i)
	out := finding{status: Untraced, claim: c}
	f, reversed, named := e.find(x, n, &c)
	if f != nil && !reversed {
		if g := e.rival(x, x.at[i], n, &c, f); g != nil {
			if c.direct {
				out.fact = g
				out.status = Contradicted
			}
			return out
		}
	}
	switch {
	case f != nil && !reversed && (named || n.significant() >= 3):
		out.status, out.fact = Traced, f
	case e.isStated(n) && (x.isRowName(n) || e.contradicted(x, n, &c) == nil):
		out.status = ""
	case f != nil && !reversed:
		out.status, out.fact = Traced, f
	case f != nil && (n.significant() >= 3 || named):
		out.status, out.fact, out.reversed = Contradicted, f, named
	default:
		if f := e.contradicted(x, n, &c); f != nil {
			out.status, out.fact = Contradicted, f
		} else if n.paired || x.isRowName(n) || x.isDiagonal(n) || n.Kind == UnitPlain && timeUnit(n.noun) != "" && n.Unit.Equal(decimalOne) {
			out.status = "" // a range such as 3-5%, the name of a row, the correlation with itself, a number of years
		}
	}
	return out
}

// maxCompared limits the work for a number that is close to very many figures.
const maxCompared = 500

// find returns the fact that a number states: if several match, the one that the text names best,
// then the newest. reversed is true if the number's sign is opposite to that of every match. named
// is true if the text names the measure or a word of the label.
func (e *Sources) find(x *tokenIndex, n *Number, c *claim) (found *fact, reversed, named bool) {
	best, newest := -1, -1
	low, high := n.bounds()
	near := ""
	for _, shift := range append(shifts(n), x.formulaShifts(n)...) {
		from, to := low.Shift(shift), high.Shift(shift)
		slack := 1e-9 * to.Abs().InexactFloat64() // compare sizes as floats first
		atLeast, atMost := from.InexactFloat64()-slack, to.InexactFloat64()+slack
		first := sort.Search(len(e.bySize), func(i int) bool { return e.bySize[i].size >= atLeast })
		for _, s := range e.bySize[first:min(first+maxCompared, len(e.bySize))] {
			if s.size > atMost {
				break
			}
			f := &e.facts[s.fact]
			if size := f.value.Abs(); !e.fits(n, f, shift) || !e.suitsCurrency(n, c, f) || size.LessThan(from) || size.GreaterThan(to) || !c.suits(f) {
				continue
			}
			if near == "" {
				near = x.d.near(n)
			}
			words := overlap(near, f)
			isNamed := words > 0 || len(c.meanings) > 0 && f.meaning.hasMeasure()
			if isCoincidence(n, f, shift, isNamed) {
				continue
			}
			grade := gradeName * words
			if !c.opposite(n, f) {
				grade += gradeSign
			}
			if !f.input {
				grade += gradeItself
			}
			if shift == 0 && (n.Kind == f.kind || n.Currency != "" && n.Currency == f.currency) {
				grade += gradeUnit
			}
			if grade > best || grade == best && s.fact > newest {
				best, newest, found, named = grade, s.fact, f, isNamed
			}
		}
	}
	return found, found != nil && best < gradeSign, named
}

// suitsCurrency reports whether an input without a currency may be the amount n: the prices of a symbol
// have the currency of its other figures.
func (e *Sources) suitsCurrency(n *Number, c *claim, f *fact) bool {
	if !f.input || f.currency != "" || f.kind != UnitPlain || len(f.symbols) == 0 {
		return true
	}
	currency := e.currencies[f.symbols[0]]
	return sameCurrency(n.Currency, currency) && c.names(currency)
}

// Grades of a fact that matches a number. The sign counts more than the name, and a figure more
// than its inputs.
const (
	gradeSign   = 1000
	gradeName   = 10
	gradeItself = 5
	gradeUnit   = 1
)

// suits reports whether a claim may be about a fact: everything that the text names fits the fact.
func (c *claim) suits(f *fact) bool {
	if len(c.meanings) > 0 && !slices.ContainsFunc(c.meanings, f.allows) || !c.suitsSubject(f) || !c.suitsTime(f) || f.kind == UnitPlain && !c.names(f.currency) {
		return false
	}
	if slices.ContainsFunc(f.meaning.terms, func(t term) bool {
		return t.group == "order" && ((c.from || c.atStart) && t.name == "last" || c.to && t.name == "first") && f.meaning.has("price")
	}) {
		return false
	}
	if c.planYear != "" && f.planYear != "" && c.planYear != f.planYear {
		return false
	}
	if len(f.numbers) == 0 {
		return true
	}
	own := slices.ContainsFunc(f.numbers, func(s string) bool { return slices.Contains(c.numbers, s) || f.isTail(s, c.numbers) })
	return own || len(c.numbers) == 0
}

// isTail reports whether the label states a confidence, such as 95%, whose other side, the worst 5%, is one of
// some numbers.
func (f *fact) isTail(confidence string, numbers []string) bool {
	level, err := decimal.NewFromString(confidence)
	return err == nil && (f.meaning.has("var") || f.meaning.has("cvar")) && slices.ContainsFunc(numbers, func(s string) bool {
		tail, err := decimal.NewFromString(s)
		return err == nil && tail.Add(level).Equal(decimalHundred)
	})
}

// names reports whether a currency is the one that the text names for amounts without one, or the text names
// none: in "trades in JPY at 137", 137 is not an amount of USD.
func (c *claim) names(currency string) bool {
	return len(c.currencies) == 0 || slices.ContainsFunc(c.currencies, func(name string) bool { return sameCurrency(name, currency) || strings.EqualFold(name, currency) })
}

func (c *claim) suitsTime(f *fact) bool {
	if len(c.periods) == 0 {
		return true
	}
	allowed := func(p period) bool {
		if c.recovers && slices.ContainsFunc(f.time.recovery, p.contains) {
			return true
		}
		before := period{from: p.from - slackDays, to: p.from - 1}
		return f.time.allows(p) || c.atStart && f.time.allows(before)
	}
	bounds := slices.ContainsFunc(c.periods, func(p period) bool { return p.role != roleAt })
	if !bounds || f.time.from == 0 { // of several times, or of one end of a range
		return slices.ContainsFunc(c.periods, allowed)
	}
	return !slices.ContainsFunc(c.periods, func(p period) bool { return !allowed(p) })
}

// allows reports whether a claim may be about the fact. An input without a measure, such as "previous
// 148.62", is a price.
func (f *fact) allows(claim meaning) bool {
	if f.ranked && f.meaning.has("drawdown") && (hasDetail(claim.terms, "depth", "deepest") && !f.lowest || hasDetail(claim.terms, "depth", "mildest") && !f.highest) {
		return false
	}
	if f.ranked && (f.meaning.has("return") || f.meaning.has("change")) && (hasDetail(claim.terms, "place", "best") && !f.highest || hasDetail(claim.terms, "place", "worst") && !f.lowest) {
		return false
	}
	if f.ranked && !f.meaning.has("price") && !f.meaning.has("drawdown") {
		highest, lowest := hasDetail(claim.terms, "extreme", "highest"), hasDetail(claim.terms, "extreme", "lowest")
		if highest != lowest && (highest && !f.highest || lowest && !f.lowest) {
			return false
		}
	}
	if f.highest || f.lowest {
		claim.terms = slices.DeleteFunc(slices.Clone(claim.terms), func(t term) bool {
			return t.group == "extreme" && (t.name == "highest" && f.highest || t.name == "lowest" && f.lowest)
		})
	}
	if f.input && !f.meaning.hasMeasure() && slices.ContainsFunc(claim.terms, func(t term) bool { return t.group == "extreme" && !hasDetail(f.meaning.terms, t.group, t.name) }) {
		return false
	}
	return f.meaning.allows(claim) && !(f.input && !f.meaning.hasMeasure() && (claim.specific() || claim.has("change") && f.hasWord("cost")))
}

// suitsSubject reports whether a claim names a symbol of a fact, or no symbol.
func (c *claim) suitsSubject(f *fact) bool {
	if len(c.subjects) == 0 || len(f.symbols) == 0 && !f.parameter {
		return true
	}
	if f.parameter {
		return false
	}
	about := 0
	for _, s := range c.subjects {
		if slices.ContainsFunc(s, func(symbol string) bool { return slices.Contains(f.symbols, symbol) }) {
			about++
		}
	}
	if len(f.symbols) > 1 && len(c.subjects) > 1 { // the correlation of two
		return about >= 2 || c.together && about == len(c.subjects)
	}
	return about > 0 && (!c.together || about == len(c.subjects))
}

// opposite reports whether the number's sign, or the verb next to it, is opposite to that of a fact.
// The name of a loss or of a cost may replace its sign.
func (c *claim) opposite(n *Number, f *fact) bool {
	direction := n.sign
	if direction == 0 {
		direction = c.direction
	}
	switch {
	case direction > 0 && f.meaning.has("drawdown"):
		return true // a drawdown is not a gain, even without a sign
	case f.value.IsZero() || int(direction) == f.value.Sign() || f.isLoss():
		return false
	case f.input:
		return n.sign < 0 || direction > 0 && f.value.Sign() < 0
	}
	switch {
	case n.sign != 0:
		return n.sign < 0 || f.value.Sign() < 0
	case f.value.Sign() < 0:
		return true
	}
	return direction < 0 && (f.isChange() || f.meaning.has("netincome")) // a price may have fallen to this one
}

// isLoss reports whether the name of a measure replaces its sign.
func (f *fact) isLoss() bool {
	return slices.ContainsFunc(f.meaning.terms, func(t term) bool {
		return isOneOf(t.name, "drawdown var cvar capex dividend buyback tax fee debt cogs interest downside payment")
	}) || f.hasWord("loss decline fall cost fee expense outflow shortfall repayment repurchase 亏损 跌幅")
}

// isChange reports whether the sign of a fact is a direction.
func (f *fact) isChange() bool {
	return slices.ContainsFunc(f.meaning.terms, func(t term) bool { return isOneOf(t.name, "change return growth goal upside") })
}

// contradicted returns the fact that a text names, but with another value: "the annual return is
// 7.5%" where a tool returned 5.7%. It returns nil if the text does not name exactly one value in
// the unit of the number, or has a wish or a comparison.
func (e *Sources) contradicted(x *tokenIndex, n *Number, c *claim) *fact {
	if !c.direct || len(c.meanings) != 1 || n.paired || n.hedge != hedgeNone {
		return nil
	}
	candidates := e.byMeasure[c.meanings[0].key()]
	if len(candidates) == 0 {
		return nil
	}
	before, within, after := x.d.sentence(n.from, n.to)
	if x.d.cellAt(n.from) == nil && isHypothetical(before+within+after) {
		return nil
	}
	var found *fact
	near := x.d.near(n)
	for _, i := range candidates {
		f := &e.facts[i]
		multiple := f.kind == UnitMultiple && n.Kind == UnitPlain && n.Currency == "" && !n.scaled // a P/E of 30
		if !c.suits(f) || len(f.symbols) == 0 && len(c.subjects) > 0 || len(c.periods) > 0 && f.time.to == 0 || !containsAll(near, f.extra) || !f.hasWords(c.rest) || f.kind != n.Kind && !multiple || !e.fits(n, f, 0) || f.bare && n.Currency != "" {
			continue
		}
		if found != nil && !found.value.Equal(f.value) {
			return nil
		}
		found = f
	}
	return found
}

func containsAll(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// isHypothetical reports whether a sentence expresses a wish, repeats the user's words or compares.
func isHypothetical(sentence string) bool {
	for _, w := range wordsIn(sentence) {
		if isOneOf(w.text, "if you your would could should assume assuming target expected forecast versus vs compared than higher lower above below or another average typical peer sector "+
			"previous earlier last between not no each every before until by minimum") {
			return true
		}
	}
	return strings.ContainsFunc(sentence, isHanRune) && hanHypothetical().MatchString(sentence)
}

var hanHypothetical = lazyregexp.New(`如果|假设|您|你|目标|预期|预计|高于|低于|相比|平均|去年|上年|此前`)

// isHanRune reports whether r is a Chinese character. Its first check is fast and suffices for Latin letters.
func isHanRune(r rune) bool { return r >= '⺀' && unicode.Is(unicode.Han, r) }

func isHan(s string) bool { return strings.ContainsFunc(s, isHanRune) }

// near returns the text around a number that may name it, in lower case: its sentence, or the row
// and header of its cell.
func (d *document) near(n *Number) string {
	before, within, after := d.sentence(n.from, n.to)
	text := before + within + after
	if c := d.cellAt(n.from); c != nil {
		text = c.row + " " + c.head
	}
	return strings.ToLower(text)
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
func isCoincidence(n *Number, f *fact, shift int32, named bool) bool {
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
	coarse := n.Unit.GreaterThan(size.Shift(-1)) && !nearly && !(n.sign != 0 && f.isChange())
	return (coarse || small) && !named
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

// formulaShifts returns the scales that a number of a formula in brackets may leave out.
func (x *tokenIndex) formulaShifts(n *Number) []int32 {
	if n.Kind != UnitPlain || n.Currency != "" || n.scaled || n.significant() < 3 || !x.d.inFormula(n) {
		return nil
	}
	return []int32{3, 6, 9}
}

// fits reports whether the unit of a number, times ten to the power of shift, can match that of a
// fact.
func (e *Sources) fits(n *Number, f *fact, shift int32) bool {
	if f.open {
		return shift == 0 || n.scaled && shift == -n.power
	}
	percent := f.kind == UnitPercent || f.kind == UnitPoints
	fraction := f.bare && !isNeverPercent(f)
	switch n.Kind {
	case UnitPercent, UnitPoints:
		switch shift {
		case 0:
			return f.kind == n.Kind || fraction || f.kind == UnitPoints
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
		case f.kind != UnitPlain || f.span != "" || f.bare && f.Unit != "" || f.Unit == indexPoints:
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
	if isOneOf(n.noun, "byte kib mib gib tib kb mb gb tb") {
		return strings.EqualFold(strings.TrimSuffix(f.Unit, "s"), n.noun)
	}
	if unit := strings.TrimSuffix(f.Unit, "s"); n.noun != "" && unit != n.noun && e.counted[n.noun] && !f.bare {
		return false // 11 payments, and payments of 11
	}
	counted := isOneOf(n.noun, "share bar employee store contract company companie fund stock 股 家 只 手")
	return f.currency == "" || !counted
}

// indexPoints is the unit of indices, which are not amounts of money.
const indexPoints = "index points"

// isNeverPercent reports whether a bare figure is a measure that is never shown in percent.
func isNeverPercent(f *fact) bool {
	return slices.ContainsFunc(f.meaning.terms, func(t term) bool {
		return isOneOf(t.name, "sharpe sortino calmar omega treynor information beta rsi correlation pe pb ps peg skewness kurtosis")
	}) || f.hasWord("multiple")
}

func (f *fact) hasWords(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(f.words, w) })
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
