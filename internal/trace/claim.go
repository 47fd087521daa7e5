package trace

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// claim is what a text says about one of its numbers.
type claim struct {
	meanings  []meaning  // the possible meanings; none if the text names no measure
	direct    bool       // the measure is named in the number's own clause, or in its row and column
	subjects  [][]string // possible subjects, each with the symbols that its name may mean
	together  bool       // the figure is about all of the subjects
	periods   []period
	numbers   []string // numbers next to it: 200 in "the 200-day average"
	planYear  string   // the year of a plan: 10 in "after 10 years"
	from, to  bool     // "from" or "to" precedes it
	atStart   bool     // the figure is for the start of the periods: "in 2019 it rose from 60 to 106"
	direction int8     // from a verb or a noun next to it: fell is -1
	recovers  bool     // the sentence is about a recovery
	yearAgo   bool     // dated a year before another one: "up from 4.2% a year earlier"
	other     bool     // compared with the figure before it, but without a name of its own
	// currencies are the currencies that the sentence or the row names for amounts without one.
	currencies []string
	// rest holds the words of the clause before it that name neither a measure nor a symbol.
	rest []string
}

// tokenIndex finds what a document says around its numbers.
type tokenIndex struct {
	d       *document
	tokens  []token
	numbers []Number
	at      []int                 // index of the token of each number
	heads   map[string]*headClaim // by the text of rows and columns
	in      subjects
	plans   bool             // some figure is for one year of a plan
	said    map[int]naming   // of sentences, by their first token
	money   map[int][]string // currencies that sentences and rows name, by where they start
}

// headClaim is what the header of a row or a column says.
type headClaim struct {
	meaning  meaning
	subjects [][]string
	periods  []period
	numbers  []string
}

func (e *Sources) index(d *document) *tokenIndex {
	x := &tokenIndex{d: d, numbers: d.numbers(), heads: map[string]*headClaim{}, in: subjects{e.Names, e.symbols, e.indexSymbol()}, plans: e.plans, said: map[int]naming{}, money: map[int][]string{}}
	x.tokens = scanTokens(d.text, x.numbers, x.in, func(i int) bool {
		class := d.maskAt(i)
		return class == ClassCode || class == ClassAddress
	})
	x.at = make([]int, len(x.numbers))
	for i := range x.at {
		x.at[i] = -1
	}
	for i, t := range x.tokens {
		if t.kind == tokenFigure || t.kind == tokenNumber {
			x.at[x.numberFrom(t.start)] = i
			x.tokens[i].number = x.numberFrom(t.start)
		}
		if t.kind == tokenTerms && i > 0 {
			x.tokens[i].base = x.isBase(i)
		}
	}
	return x
}

// startsAt reports whether the clause before a number makes it the first value: it started 2020 at 154.07.
func (x *tokenIndex) startsAt(first, at int) bool {
	for i := at - 1; i >= first; i-- {
		switch t := x.tokens[i]; t.kind {
		case tokenBreak, tokenFigure:
			return false
		case tokenTerms:
			if hasDetail(t.terms, "order", "first") {
				return true
			}
		}
	}
	return false
}

// planYear returns the number of a year that the sentence names before a token, such as 10 in "after 10
// years" and 第 10 年, or "".
func (x *tokenIndex) planYear(first, at int) string {
	if m := yearAfter().FindStringSubmatch(x.d.after(x.tokens[at].end)); m != nil { // As in "7,641 in year 5, 1,153.78 in the second".
		if year := slices.Index(ordinals, m[1]); year >= 0 {
			return strconv.Itoa(year + 1)
		}
		return m[2]
	}
	text := x.d.text[x.endBefore(first):x.tokens[at].start]
	if _, rest, ok := strings.Cut(text, "第"); ok {
		for i, digit := range hanDigits {
			if strings.HasPrefix(rest, digit+"年") {
				return strconv.Itoa(i + 1)
			}
		}
	}
	words := wordsIn(text)
	for i := len(words) - 1; i >= 0; i-- {
		if year := slices.Index(ordinals, words[i].text); year >= 0 && (i+1 < len(words) && words[i+1].text == "year" || i == len(words)-1) {
			return strconv.Itoa(year + 1)
		}
		if count := slices.Index(numberWords, words[i].text); count >= 0 && i+1 < len(words) && words[i+1].text == "year" {
			return strconv.Itoa(count + 1)
		}
	}
	for i := at - 1; i >= first; i-- {
		if t := x.tokens[i]; t.kind == tokenFigure || t.kind == tokenNumber {
			n := &x.numbers[t.number]
			if timeUnit(n.noun) == "year" || follows(x.d.before(n.from), "year", "第") {
				return leadingDigits(n.Text)
			}
		}
	}
	return ""
}

var (
	ordinals  = strings.Fields("first second third fourth fifth sixth seventh eighth ninth tenth")
	yearAfter = lazyregexp.New(`^ (?:in|after) (?:the ([a-z]+)\b(?: year)?|year (\d+))`)
)

// isBase reports whether a percentage is of the measure: 27% of revenue, 占营收的27%.
func (x *tokenIndex) isBase(i int) bool {
	t, previous := x.tokens[i], x.tokens[i-1]
	if strings.HasSuffix(x.d.text[:t.start], "占") {
		return true
	}
	between := strings.TrimSpace(x.d.text[previous.end:t.start])
	return previous.kind == tokenFigure && x.numbers[x.tokens[i-1].number].Kind == UnitPercent && isOneOf(between, "of")
}

// numberFrom returns the index of the first number at or after a position.
func (x *tokenIndex) numberFrom(start int) int {
	return sort.Search(len(x.numbers), func(i int) bool { return x.numbers[i].from >= start })
}

// sentenceAt returns the tokens of the sentence around a token: from first up to, but not including, last.
func (x *tokenIndex) sentenceAt(at int) (first, last int) {
	ends := func(t token) bool { return t.kind == tokenEnd || t.kind == tokenLine }
	for first = at; first > 0 && !ends(x.tokens[first-1]) && at-first < maxSentence; first-- {
	}
	for last = at + 1; last < len(x.tokens) && !ends(x.tokens[last]) && last-at < maxSentence; last++ {
	}
	return first, last
}

// maxSentence is the maximum number of tokens before and after a number that may describe it.
const maxSentence = 80

// claimOf returns what the text says about the number i.
func (x *tokenIndex) claimOf(i int) claim {
	n := &x.numbers[i]
	at := x.at[i]
	if at < 0 {
		return claim{}
	}
	first, last := x.sentenceAt(at)
	var c claim
	if cell := x.d.cellAt(n.from); cell != nil {
		c = x.cellClaim(cell)
	} else {
		next := at+1 < last && x.tokens[at+1].kind == tokenSubject && x.tokens[at+1].start <= n.to+1
		if next && n.Kind == UnitPlain && n.Currency == "" {
			return claim{subjects: [][]string{x.tokens[at+1].symbols}} // buy 22 IBM
		}
		if n.Kind != UnitPlain || n.Currency != "" || !isOneOf(n.noun, "share unit 股 份") { // 10 shares are not a price
			x.readMeasure(&c, first, at, last)
		}
		c.rest = x.otherWords(first, at)
		if next && n.Kind == UnitPercent && !(at > first && x.tokens[at-1].kind == tokenSubject) {
			c.subjects = [][]string{x.tokens[at+1].symbols} // 77.5% MSFT and 22.5% GOOGL
		} else {
			x.readSubject(&c, first, at, last)
		}
		if x.plans {
			c.planYear = x.planYear(first, at)
		}
		c.from, c.to = follows(x.d.before(n.from), "from", "从 自 由"), follows(x.d.before(n.from), "to", "至 涨到 跌到 升到 降到")
		c.atStart = c.from || x.startsAt(first, at)
		x.readPeriods(&c, first, at, last)
		if after := x.d.after(n.to); strings.HasPrefix(after, " since") && sinceThen().MatchString(after) {
			c.periods = nil
		}
		into := at + 1
		if into < last && x.d.text[x.tokens[into].start] == ')' {
			into++ // everything (100%) into Apple
		}
		if n.Kind == UnitPercent && into < last && x.tokens[into].kind == tokenSubject && isOneOf(strings.Trim(x.d.text[n.to:x.tokens[into].start], " )"), "in into") {
			c.meanings, c.direct = []meaning{{[]term{{kind: termMeasure, name: "weight"}}}}, true // 77.9% in Microsoft
			c.subjects = [][]string{x.tokens[into].symbols}
		}
	}
	for _, i := range []int{at - 1, at + 1} {
		c.yearAgo = c.yearAgo || i >= first && i < last && hasDetail(x.tokens[i].terms, "order", "yearago")
	}
	c.recovers = x.says(first, last, "recover recovered recovering recovery regained recouped")
	if n.Kind == UnitPlain && n.Currency == "" {
		c.currencies = x.currenciesAt(first, last, n)
	}
	if x.d.inFormula(n) {
		c.meanings, c.direct = nil, false
	}
	c.direction = x.directionAt(first, at, last)
	if level := follows(x.d.before(n.from), "to at", "至 到 为") || endsWithOneOf(x.d.before(n.from), "的") && hanObject().MatchString(x.d.before(n.from)); c.direction == 0 && !c.direct && !level { // "Apple was down 7.5% and Microsoft 5.4%"
		for i := at - 1; i >= first && c.direction == 0; i-- {
			if t := x.tokens[i]; t.kind == tokenFigure && x.numbers[t.number].Kind != n.Kind {
				break
			} else if t.kind == tokenTerms {
				c.direction = directionOf(t)
			}
		}
	}
	if len(c.subjects) == 0 && !c.other {
		c.subjects = x.subjectsBefore(first)
	}
	return c
}

// currenciesAt returns the currencies that the sentence of a number names, or its row and column.
// The currencies of other numbers do not count.
func (x *tokenIndex) currenciesAt(first, last int, n *Number) []string {
	start, end, head := x.endBefore(first), x.startOf(last), ""
	if c := x.d.cellAt(n.from); c != nil {
		start = strings.LastIndexByte(x.d.text[:n.from], '\n') + 1
		end, head = n.to+len(x.d.after(n.to)), c.head
	}
	found, ok := x.money[start]
	if !ok {
		at := start
		for i := x.numberFrom(start); i < len(x.numbers) && x.numbers[i].from < end; i++ {
			found = append(found, currenciesIn(x.d.text[at:x.numbers[i].from])...)
			at = x.numbers[i].to
		}
		found = append(found, currenciesIn(x.d.text[at:max(at, end)])...)
		x.money[start] = found
	}
	return append(currenciesIn(head), found...)
}

// cellClaim returns what the row and the column of a table cell say.
func (x *tokenIndex) cellClaim(cell *cell) claim {
	row, column := x.head(cell.row), x.head(cell.head)
	c := claim{direct: true, numbers: slices.Concat(row.numbers, column.numbers), periods: slices.Concat(row.periods, column.periods)}
	m := meaning{slices.Clone(row.meaning.terms)}
	m.add(column.meaning.terms...)
	if m.hasMeasure() {
		c.meanings = []meaning{m}
	}
	c.subjects = slices.Concat(row.subjects, column.subjects)
	c.together = len(row.subjects) > 0 && len(column.subjects) > 0
	return c
}

func (x *tokenIndex) head(text string) *headClaim {
	if h := x.heads[text]; h != nil {
		return h
	}
	h := &headClaim{}
	x.heads[text] = h
	numbers := readDocument(text, true).numbers()
	for _, t := range scanTokens(text, numbers, x.in, func(int) bool { return false }) {
		switch t.kind {
		case tokenTerms:
			h.meaning.add(t.terms...)
		case tokenSubject:
			h.subjects = append(h.subjects, t.symbols)
		case tokenPeriod:
			h.periods = append(h.periods, t.period)
		case tokenNumber, tokenFigure:
			h.numbers = append(h.numbers, leadingDigits(numbers[t.number].Text))
		}
	}
	return h
}

// readMeasure finds the measure of the number at a token: in its clause before it, after it, or in
// an earlier clause whose number has the same unit.
func (x *tokenIndex) readMeasure(c *claim, first, at, last int) {
	n := &x.numbers[x.tokens[at].number]
	before, start := x.clauseBefore(first, at)
	after, _ := x.clauseAfter(at, last)
	level := follows(x.d.before(n.from), "to at from", "至 到 为 从")
	before, after = before.of(n, level), after.of(n, level)
	after.remove("price")
	details := func(m *meaning, from meaning) {
		for _, t := range from.terms {
			if t.isDetail() && t.group != "direction" {
				m.add(t)
			}
		}
	}
	switch {
	case before.hasMeasure():
		c.direct = true
		m := meaning{slices.Clone(before.terms)}
		if !before.specific() && after.specific() && !startsAfresh(x, at) {
			// "up 6.4% in revenue": the noun after the number says what rose
			c.meanings = []meaning{m, after}
			return
		}
		if near := x.detailsAfter(at, last); len(near.terms) > 0 {
			details(&m, near)
		}
		c.meanings = append([]meaning{m}, x.listBefore(first, start)...)
		if len(c.meanings) == 1 && !m.specific() {
			x.addEarlier(c, first, start, n)
		}
	case after.hasMeasure():
		c.direct = true
		m := meaning{slices.Clone(after.terms)}
		details(&m, before)
		c.meanings = []meaning{m}
	default:
		if m, ok := x.afterCompared(at, last); ok {
			c.meanings = append(c.meanings, m.of(n, level)) // 19.9% vs 30.2% volatility
		}
		var near meaning
		details(&near, before)
		details(&near, x.detailsAfter(at, last))
		for _, t := range after.terms {
			if t.group == "side" {
				near.add(t) // 109.0% for the benchmark
			}
		}
		if perShare().MatchString(x.d.after(n.to)) {
			return // $6.13 a share, after the net income
		}
		m, ok := x.earlier(first, start, n)
		if !ok && x.startsWithName(first, at) && first > 1 && isOneOf(x.d.text[x.tokens[first-1].start:x.tokens[first-1].end], "; ；") { // FY2024 margin: 54.1%; FY2026: 60.4%
			previous, _ := x.sentenceAt(first - 2)
			m, ok = x.earlier(previous, first-1, n)
		}
		if ok {
			if m = m.of(n, level); !m.specific() {
				m.remove("price") // prices of 2022-06-28: 41,114.80 USD in all
			}
			if !m.hasMeasure() {
				return
			}
			if x.says(first, last, "range ranging between") { // the median is 55,674, with a range from 48,614
				m.terms = slices.DeleteFunc(m.terms, func(t term) bool { return t.group == "rank" })
			}
			if len(near.terms) > 0 {
				m.terms = slices.DeleteFunc(m.terms, func(t term) bool {
					return t.isDetail() && slices.ContainsFunc(near.terms, func(o term) bool { return o.group == t.group })
				})
			}
			m.add(near.terms...)
			c.meanings = append(append(c.meanings, m), x.lists(first, start, at, last)...)
		}
	}
}

// startsWithName reports whether only symbols and periods are between the start of a sentence and the
// number at a token.
func (x *tokenIndex) startsWithName(first, at int) bool {
	named := false
	for _, t := range x.tokens[first:at] {
		if t.kind != tokenSubject && t.kind != tokenPeriod && t.kind != tokenBreak {
			return false
		}
		named = named || t.kind != tokenBreak
	}
	return named
}

// afterCompared returns the measure after the number that the one at a token is compared with.
func (x *tokenIndex) afterCompared(at, last int) (meaning, bool) {
	if at+2 >= last || x.tokens[at+1].kind != tokenBreak || x.tokens[at+2].kind != tokenFigure {
		return meaning{}, false
	}
	m, _ := x.clauseAfter(at+2, last)
	return m, m.specific()
}

var sinceThen = lazyregexp.New(`^ since(?: then)?(?:[.,;]|$)`)

var perShare = lazyregexp.New(`^(?: a | per |/)share`)

// follows reports whether a text ends with one of some English or Chinese words. "About" and "the" may come
// after the word.
func follows(before, english, han string) bool {
	for {
		before = strings.TrimRight(before, " *_(\u00a0")
		start := len(before)
		for start > 0 && isLetter(before[start-1]) {
			start--
		}
		w := strings.ToLower(before[start:])
		if w == "" {
			if rest, ok := strings.CutSuffix(before, "约"); ok {
				before = rest
				continue
			}
			return endsWithOneOf(before, han)
		}
		if !isOneOf(w, "the about around roughly nearly almost index") {
			return isOneOf(w, english)
		}
		before = before[:start]
	}
}

// of returns the part of a meaning that can apply to a number with its unit. A level, such as "rose to 5", is
// not a change; 30 times earnings is a P/E, not income.
func (m meaning) of(n *Number, level bool) meaning {
	out := meaning{slices.Clone(m.terms)}
	if level && !slices.ContainsFunc(m.terms, func(t term) bool { return t.group == "place" }) {
		out.remove("change growth")
	}
	if n.Kind == UnitMultiple {
		out.remove("cashflow terminal ev marketcap price netincome revenue bookvalue fcf ebitda cash assets")
	}
	if n.Currency != "" {
		out.remove("drawdown upside quantity shares employees users")
	}
	if n.Kind == UnitPlain && n.Value.Abs().GreaterThan(decimalOne) {
		out.remove("success ruin") // what a chance of 90% needs
	}
	return out
}

// remove removes the named measures.
func (m *meaning) remove(names string) {
	m.terms = slices.DeleteFunc(m.terms, func(t term) bool { return !t.isDetail() && isOneOf(t.name, names) })
}

// startsAfresh reports whether a clause break directly follows the number.
func startsAfresh(x *tokenIndex, at int) bool {
	return at+1 < len(x.tokens) && x.tokens[at+1].kind == tokenBreak && x.tokens[at+1].start <= x.tokens[at].end+1
}

// clauseBefore returns what the clause says before a token, and the index where the clause starts. It goes
// back to the last break or figure, or to a symbol that a measure follows.
func (x *tokenIndex) clauseBefore(first, at int) (meaning, int) {
	var m meaning
	for i := at - 1; i >= first; i-- {
		switch t := x.tokens[i]; t.kind {
		case tokenBreak, tokenFigure:
			return m, i + 1
		case tokenSubject:
			if m.hasMeasure() && !follows(x.d.text[max(0, t.start-12):t.start], "of for in", "") {
				return m, i
			}
		case tokenTerms:
			if !t.base {
				m.add(t.terms...)
			}
		}
	}
	return m, first
}

// clauseAfter returns what the clause says after a token, and the index where it ends.
func (x *tokenIndex) clauseAfter(at, last int) (meaning, int) {
	var m meaning
	for i := at + 1; i < last; i++ {
		switch t := x.tokens[i]; t.kind {
		case tokenBreak, tokenFigure:
			return m, i
		case tokenTerms:
			if x.isComparison(i) || follows(x.d.before(t.start), "to from", "") && i+1 < last && x.tokens[i+1].kind == tokenFigure {
				return m, i // above the strike of 170, from 182.50 to the break-even of 162.03
			}
			if !t.base {
				m.add(t.terms...)
			}
		}
	}
	return m, last
}

// otherWords returns the words of the clause before a token that are in no token.
func (x *tokenIndex) otherWords(first, at int) []string {
	start := at
	for start > first && x.tokens[start-1].kind != tokenBreak && x.tokens[start-1].kind != tokenFigure {
		start--
	}
	place := x.endBefore(start)
	var out []string
	for i := start; i <= at; i++ {
		between := x.d.text[place:max(place, x.tokens[i].start)]
		for _, w := range wordsIn(between) {
			if !isOneOf(w.text, "is was were are of at stand stood came in a an the now currently exactly equal reached to s it for on by this about has have had its with") {
				out = append(out, w.text)
			}
		}
		if han := strings.Trim(between, "为是达仅约的今日了到天率 *_`\n|-：:>#"); isHan(han) {
			out = append(out, han)
		}
		place = x.tokens[i].end
	}
	return out
}

// detailsAfter returns the details directly after a number: 5.7% a year.
func (x *tokenIndex) detailsAfter(at, last int) meaning {
	var m meaning
	end := x.tokens[at].end
	for i := at + 1; i < last && x.tokens[i].kind == tokenTerms && x.tokens[i].start <= end+4; i++ {
		for _, t := range x.tokens[i].terms {
			if !t.isDetail() {
				return m
			}
		}
		m.add(x.tokens[i].terms...)
		end = x.tokens[i].end
	}
	return m
}

// earlier returns the measure named in an earlier clause of the sentence, unless its number has
// another unit.
func (x *tokenIndex) earlier(first, start int, n *Number) (meaning, bool) {
	var nearer meaning
	figures := false
	for i := start - 1; i >= first; i-- {
		switch t := x.tokens[i]; t.kind {
		case tokenBreak:
			if isOneOf(strings.ToLower(x.d.text[t.start:t.end]), "because since although though") {
				return meaning{}, false
			}
		case tokenFigure:
			other := &x.numbers[t.number]
			if other.Kind != n.Kind || (other.Currency == "") != (n.Currency == "") || n.isCount() != other.isCount() {
				return meaning{}, false
			}
			figures = true
		case tokenTerms:
			if t.base {
				continue
			}
			m, from := x.clauseBefore(first, i+1)
			if m.hasMeasure() {
				m.terms = slices.DeleteFunc(m.terms, func(t term) bool { return figures && isOneOf(t.group, "depth place") })
				if nearer.terms != nil { // the highest return, and IBM's the lowest; total return: 34% (annualized: 5%)
					m.terms = slices.DeleteFunc(m.terms, func(t term) bool {
						return t.isDetail() && slices.ContainsFunc(nearer.terms, func(o term) bool { return o.group == t.group })
					})
					m.add(nearer.terms...)
				}
				return m, true
			}
			for _, t := range m.terms {
				if isOneOf(t.group, "extreme basis") && !slices.ContainsFunc(nearer.terms, func(o term) bool { return o.group == t.group }) {
					nearer.add(t)
				}
			}
			i = from
		}
	}
	return meaning{}, false
}

// addEarlier adds the measures of earlier clauses to which a general measure, such as "rose", may
// refer.
func (x *tokenIndex) addEarlier(c *claim, first, start int, n *Number) {
	if m, ok := x.earlier(first, start, n); ok && m.specific() {
		both := meaning{slices.Clone(m.terms)}
		both.add(c.meanings[0].terms...)
		c.meanings = append(c.meanings, both)
	}
}

// listBefore returns the measures of the list that a clause ends: gross and operating margin.
func (x *tokenIndex) listBefore(first, start int) []meaning {
	var out []meaning
	for i := start - 1; i > first && x.tokens[i].kind == tokenBreak && x.tokens[i].soft && x.tokens[i-1].kind == tokenTerms && x.tokens[i-1].end >= x.tokens[i].start-2; {
		m, from := x.clauseBefore(first, i)
		out = append(out, m)
		i = from - 1
	}
	return out
}

// lists returns the measures of a list in an earlier clause.
func (x *tokenIndex) lists(first, start, at, last int) []meaning {
	for i := start - 1; i >= first; i-- {
		if x.tokens[i].kind != tokenTerms {
			continue
		}
		_, from := x.clauseBefore(first, i+1)
		if list := x.listBefore(first, from); len(list) > 0 {
			return list
		}
		i = from
	}
	return nil
}

// readSubject finds the symbol that the number at a token is about: after it ("5% for AAPL"), or
// the last one before it.
func (x *tokenIndex) readSubject(c *claim, first, at, last int) {
	if c.subjects = x.pairInBrackets(first, at, last); c.subjects != nil {
		return
	}
	end := x.tokens[at].end
	for i := at + 1; i < last; i++ {
		t := x.tokens[i]
		if t.kind == tokenFigure || t.kind == tokenBreak && !strings.Contains("([", x.d.text[t.start:t.end]) {
			break
		}
		if t.kind == tokenSubject && i+1 < last && x.tokens[i+1].kind == tokenFigure && strings.HasPrefix(x.d.text[t.end:], "'s") {
			break // half of Apple's 30.1%
		}
		if t.kind == tokenSubject && (x.d.text[t.start-1] == '(' || follows(x.d.text[max(end, t.start-12):t.start], "of for by at in between", "")) {
			c.subjects = x.group(i, first, last, at)
			return
		}
	}
	for i := at - 1; i >= first; i-- {
		t := x.tokens[i]
		if i > first && t.kind == tokenBreak && x.tokens[i-1].kind == tokenFigure && isOneOf(strings.ToLower(x.d.text[t.start:t.end]), "vs versus against compared") {
			c.other = true // 3.2% vs 2.3%: of whatever it is compared with
			return
		}
		if t.kind != tokenSubject || x.isObject(i, at) {
			continue
		}
		c.subjects = x.group(i, first, last, at)
		return
	}
}

// pairInBrackets returns the symbol of one of two numbers in brackets that follow two symbols, or nil:
// Amazon returned more than Alphabet (1,782% vs 442%).
func (x *tokenIndex) pairInBrackets(first, at, last int) [][]string {
	is := func(i int, kind tokenKind, text string) bool {
		return i >= first && i < last && x.tokens[i].kind == kind && (text == "" || isOneOf(strings.ToLower(x.d.text[x.tokens[i].start:x.tokens[i].end]), text))
	}
	second := is(at-1, tokenBreak, "vs versus against") && is(at-2, tokenFigure, "")
	open := at
	if second {
		open = at - 2
	}
	if !is(open-1, tokenBreak, "(") || !is(open+1, tokenBreak, "vs versus against") || !is(open+2, tokenFigure, "") || !is(open+3, tokenBreak, ")") {
		return nil
	}
	var found [][]string
	for i := first; i < open; i++ {
		if x.tokens[i].kind == tokenSubject {
			found = append(found, x.tokens[i].symbols)
		}
	}
	switch {
	case len(found) != 2:
		return nil
	case second:
		return found[1:]
	}
	return found[:1]
}

// isObject reports whether a symbol is what another one is compared with: "AAPL, unlike MSFT,
// returned 5%". It is not if the number follows directly: "against MSFT's 5%".
func (x *tokenIndex) isObject(i, at int) bool {
	t := x.tokens[i]
	if !follows(x.d.text[max(0, t.start-20):t.start], "unlike than versus vs against like as to over with beat beats outperformed underperformed trailed lagged behind of", "比 较 跑赢 跑输 于") ||
		follows(x.d.text[max(0, t.start-20):t.start], "of", "") && !strings.HasSuffix(strings.TrimRight(x.d.text[max(0, t.start-20):t.start], " "), "ahead of") {
		return false
	}
	for _, t := range x.tokens[max(0, i-2):i] { // its beta to Microsoft was 0.61, its alpha against Microsoft 17.1%
		if m := (meaning{t.terms}); m.has("beta") || m.has("alpha") {
			return true
		}
	}
	between := strings.Trim(strings.TrimPrefix(x.d.text[t.end:x.tokens[at].start], "'s"), " *")
	return len(between) > 12 || strings.ContainsAny(between, ",，") || between != "" && !isOneOf(between, "at with on was is has of")
}

// group returns the symbols of the list that the one at i belongs to. If as many figures follow as there are
// symbols, each symbol has its own figure.
func (x *tokenIndex) group(i, first, last, at int) [][]string {
	joined := func(a, b int) bool { // only a comma or an "and" is between
		for k := a + 1; k < b; k++ {
			if !x.tokens[k].soft {
				return false
			}
		}
		return b-a > 1 && x.tokens[b].start-x.tokens[a].end <= 8
	}
	from, to := i, i
	for k := i - 1; k >= first; k-- {
		if x.tokens[k].kind == tokenSubject {
			if !joined(k, from) || x.isObject(k, at) {
				break
			}
			from = k
		} else if !x.tokens[k].soft {
			break
		}
	}
	for k := i + 1; k < last; k++ {
		if x.tokens[k].kind == tokenSubject {
			if !joined(to, k) {
				break
			}
			to = k
		} else if !x.tokens[k].soft {
			break
		}
	}
	var list [][]string
	for k := from; k <= to; k++ {
		if x.tokens[k].kind == tokenSubject {
			list = append(list, x.tokens[k].symbols)
		}
	}
	if len(list) > 1 && at > to {
		place, count := 0, 0
		for k := to + 1; k < last; k++ {
			if x.tokens[k].kind == tokenFigure && x.numbers[x.tokens[k].number].Kind == x.numbers[x.tokens[at].number].Kind {
				if k == at {
					place = count
				}
				count++
			}
			if k > at && x.tokens[k].kind == tokenSubject {
				return list
			}
		}
		if count == len(list) {
			return list[place : place+1]
		}
	}
	return list
}

// subjectsBefore returns the symbols that a text names before a sentence: those earlier in its paragraph or,
// if there are none, those of the last line that names any.
func (x *tokenIndex) subjectsBefore(first int) [][]string {
	var list [][]string
	for i := first - 1; i >= 0 && first-i < 4*maxSentence; i-- {
		switch t := x.tokens[i]; t.kind {
		case tokenSubject:
			list = append(list, t.symbols)
		case tokenLine:
			if len(list) > 0 {
				return list
			}
		}
	}
	return list
}

// readPeriods finds the period of the number at a token: after or before it in its clause, or at the start of
// the sentence.
func (x *tokenIndex) readPeriods(c *claim, first, at, last int) {
	open := len(c.periods)
	from := at + 1
	if at > first+1 && x.tokens[at-2].kind == tokenTerms && x.isComma(at-1) && at+1 < last && x.isComma(at+1) {
		from++ // the drawdown, 25%, came in 2018
	}
	for i := from; i < last && !x.hard(i); i++ {
		switch t := x.tokens[i]; {
		case t.kind == tokenFigure:
			c.periods = c.periods[:open] // (FY22: 43.3%)
			i = last
		case t.kind == tokenPeriod:
			if i+1 < last && x.tokens[i+1].kind == tokenFigure && strings.Trim(x.d.text[t.end:max(t.end, x.tokens[i+1].start)], " 约为") == "的" {
				i = last // 降至2025财年的1,114.82亿
				continue
			}
			c.periods = append(c.periods, t.period)
			if i+1 < last && x.d.text[x.tokens[i+1].start] == ')' || !x.inBrackets(at, i) {
				open = len(c.periods)
			}
		case t.kind == tokenNumber:
			c.numbers = append(c.numbers, leadingDigits(x.numbers[t.number].Text))
		}
	}
	c.periods = c.periods[:open]
	clause, _ := x.clauseBefore(first, at)
	later, _ := x.clauseAfter(at, last)
	clause.add(later.terms...)
	if len(c.periods) > 0 || slices.ContainsFunc(clause.terms, func(t term) bool { return t.name == "yearago" }) ||
		slices.ContainsFunc(c.rest, func(w string) bool { return isOneOf(w, "later afterward afterwards thereafter") }) {
		return // "a year later" and "a year ago" are not the time before them
	}
	figures := 0
	for i := at - 1; i >= first && (figures == 0 || len(c.periods) == 0); i-- {
		switch t := x.tokens[i]; t.kind {
		case tokenFigure:
			figures++
		case tokenNumber:
			if figures == 0 {
				c.numbers = append(c.numbers, leadingDigits(x.numbers[t.number].Text))
			}
		case tokenPeriod:
			switch {
			case x.isOfFigure(first, i):
			case figures == 0 || !x.figureBefore(first, i) && !follows(x.d.before(x.tokens[at].start), "from versus vs than against with after to", "比 较 从"):
				c.periods = append(c.periods, t.period)
			}
		}
	}
}

func (x *tokenIndex) isComma(i int) bool {
	t := x.tokens[i]
	return t.kind == tokenBreak && isOneOf(x.d.text[t.start:t.end], ", ，")
}

// isOfFigure reports whether a period follows a figure in the same clause, and so is the period of that
// figure.
func (x *tokenIndex) isOfFigure(first, at int) bool {
	for i := at - 1; i >= first && (x.tokens[i].kind != tokenBreak || x.d.text[x.tokens[i].start] == '('); i-- {
		if x.tokens[i].kind == tokenFigure {
			return true
		}
	}
	return false
}

// inBrackets reports whether a bracket opens between two tokens.
func (x *tokenIndex) inBrackets(from, to int) bool {
	return slices.ContainsFunc(x.tokens[from+1:to], func(t token) bool { return x.d.text[t.start] == '(' })
}

func (x *tokenIndex) figureBefore(first, at int) bool {
	for i := first; i < at; i++ {
		if x.tokens[i].kind == tokenFigure {
			return true
		}
	}
	return false
}

// hard reports whether a token ends the text in which a number's period may be.
func (x *tokenIndex) hard(i int) bool {
	t := x.tokens[i]
	return t.kind == tokenBreak && !isOneOf(x.d.text[t.start:t.end], "from since ( [ to 从 自")
}

// isRowName reports whether a number is in the name of a table row: VaR (95%).
func (x *tokenIndex) isRowName(n *Number) bool {
	c := x.d.cellAt(n.from)
	return c != nil && strings.HasPrefix(x.d.text[c.start:c.end], c.row) && strings.ContainsFunc(strings.Replace(c.row, x.d.text[n.from:n.to], "", 1), unicode.IsLetter)
}

// isDiagonal reports whether a number is the correlation of a symbol with itself, in a table.
func (x *tokenIndex) isDiagonal(n *Number) bool {
	c := x.d.cellAt(n.from)
	if c == nil || !n.Value.Equal(decimalOne) {
		return false
	}
	row, column := x.head(c.row), x.head(c.head)
	return len(row.subjects) == 1 && len(column.subjects) == 1 && slices.Equal(row.subjects[0], column.subjects[0])
}

// directionOf returns the direction that a token names.
func directionOf(t token) int8 {
	for _, o := range t.terms {
		if o.group == "direction" {
			return map[string]int8{"down": -1, "up": 1}[o.name]
		}
	}
	return 0
}

// directionAt returns the direction of the verb before a number, or of the noun after it.
func (x *tokenIndex) directionAt(first, at, last int) int8 {
	start, end := x.tokens[at].start, x.tokens[at].end
	if before := x.d.text[max(0, start-20):start]; follows(before, "to at", "至 到 为") && !follows(before, "", "幅为 幅约为") {
		return 0 // not in 跌幅为7.5%
	}
	if before := x.d.before(start); before != "" && before[len(before)-1] >= utf8.RuneSelf {
		if hanObject().MatchString(before) {
			return 0
		}
		if way := hanComparison().FindString(before); way != "" { // 比现价低3.7%
			if endsWithOneOf(strings.TrimSuffix(way, "约"), "低 少") {
				return -1
			}
			return 1
		}
	}
	joined := false // "down $11.18 or 7.5%", "down 7.5% ($11.18)"
	for i := at - 1; i >= first && start-x.tokens[i].end <= nearDirection; i-- {
		t := x.tokens[i]
		switch name := x.d.text[t.start:t.end]; t.kind {
		case tokenBreak:
			or := name == "," && (follows(x.d.before(start), "or", "") || strings.HasSuffix(x.d.before(start), "i.e. "))
			if !or && !isOneOf(name, "( or from 从") {
				return x.directionAfter(at, last, end)
			}
			joined = joined || or || isOneOf(name, "( or")
		case tokenFigure:
			if n := &x.numbers[t.number]; !joined || n.Kind == UnitPoints || n.noun == "point" {
				return x.directionAfter(at, last, end)
			}
		case tokenTerms:
			negated := follows(x.d.before(t.start), "not never", "没有 未") && !follows(x.d.text[max(0, start-20):start], "than", "")
			if way := directionOf(t); way != 0 && !negated {
				return way
			}
		}
	}
	return x.directionAfter(at, last, end)
}

// directionAfter returns the direction of the noun after a number: a 5% decline.
func (x *tokenIndex) directionAfter(at, last, end int) int8 {
	if strings.HasPrefix(x.d.text[end:], " point") {
		end += len(" points")
	}
	if at+1 < last && x.tokens[at+1].kind == tokenTerms && x.tokens[at+1].start <= end+3 {
		return directionOf(x.tokens[at+1])
	}
	switch rest := x.d.after(end); {
	case strings.HasPrefix(rest, " less than "):
		return -1
	case strings.HasPrefix(rest, " more than "):
		return 1
	}
	return 0
}

// hanObject matches the text before a figure that another one is compared with: 低于基准的9.4%.
var hanObject = lazyregexp.New(`[高低]于[^，。,]*的$`)

var hanComparison = lazyregexp.New(`[比较][^，。；,;]*[低少高多]约?$`)

// nearDirection is the maximum number of bytes between a verb and its number.
const nearDirection = 40
