package figures

import (
	"strings"

	"github.com/shopspring/decimal"
)

// Scan finds every number of a text, in its order, and says what each one is.
// Only those of class Figure are claims that need a source. Markdown is read as
// such: tables lend the unit in a column's head to the cells below it.
func Scan(text string) []Number {
	p := newPage(text)
	p.maskMarkdown()
	return p.scan()
}

// scan reads the page once.
func (p *page) scan() []Number {
	var found []Number
	for i := 0; i < len(p.r); {
		n, end := p.numberAt(i)
		if end <= i {
			i++
			continue
		}
		if len(found) > 0 {
			n.from = max(n.from, found[len(found)-1].to) // a sign belongs to one number
		}
		n.Start, n.End = p.at[n.from], p.at[n.to]
		n.Text = p.src[n.Start:n.End]
		found = append(found, n)
		i = end
	}
	p.ranges(found)
	return found
}

// numberAt reads the number that begins at i; its end is no further than i where
// none does.
func (p *page) numberAt(i int) (Number, int) {
	r := p.rune(i)
	switch {
	case isDigit(r):
	case r == '.' && p.digit(i+1) && !p.latin(i-1) && !p.digit(i-1):
	case isHan(r) && p.mask[i] == "":
		return p.hanNumber(i)
	default:
		return Number{}, i
	}
	if class := p.mask[i]; class != "" {
		return p.plain(i, p.wordEnd(i), class)
	}
	if end, class := p.notFigure(i); class != "" {
		return p.plain(i, end, class)
	}
	return p.figure(i)
}

// plain is a number that is no figure. Its value is not read, but for a year,
// which may turn out to be an amount.
func (p *page) plain(from, end int, class Class) (Number, int) {
	n := Number{Class: class, from: from, to: end}
	if class == Year && end-from == 4 {
		n.Value, n.Unit = decimal.NewFromInt(int64(p.number(from, end))), one
	}
	return n, end
}

// wordEnd is the end of the digits, letters and joints at i.
func (p *page) wordEnd(i int) int {
	for p.digit(i) || p.latin(i) || strings.ContainsRune(".,-/:_", p.rune(i)) && (p.digit(i+1) || p.latin(i+1)) {
		i++
	}
	return i
}

// notFigure tells what the digits at i are where they are no figure. The class is
// empty where they may be one.
func (p *page) notFigure(i int) (end int, class Class) {
	if end, class = p.calendar(i); class != "" && !p.latin(i-1) {
		return end, class
	}
	if end = p.joinedName(i); end > i {
		return end, Name
	}
	return p.called(i)
}

// figure reads digits, sign and unit; the unit may show that they are no figure.
func (p *page) figure(i int) (Number, int) {
	b, ok := p.body(i)
	if !ok {
		return p.plain(i, max(b.end, p.digits(i)), Name)
	}
	if p.rune(b.end) == '.' && p.digit(b.end+1) {
		return p.plain(i, p.wordEnd(i), Name) // 3.2.1
	}
	if n, ok := p.ratio(b); ok {
		return n, n.to
	}
	if p.rune(b.end) == '/' && p.digit(b.end+1) && b.decimals == 0 {
		return p.plain(i, p.wordEnd(i), Name) // 2016/679
	}
	h := p.prefix(i)
	s := p.suffixAt(b.end, h.currency != "")
	if s.name || s.class != "" {
		n, end := p.plain(i, s.end, Name)
		if s.class != "" {
			n.Class = s.class
		}
		if s.class == Period {
			value := p.valued(b, 0)
			n.Value, n.Unit, n.noun = value.Value, value.Unit, p.noun(b.end)
			n.soft = b.decimals == 0
		}
		return n, end
	}
	n := p.valued(b, s.scale)
	n.Class, n.Kind, n.scaled = Figure, s.kind, s.scaled
	n.Currency = h.currency
	if n.Currency == "" || n.Currency == "$" && s.currency != "" {
		n.Currency = s.currency
	}
	n.from, n.to = h.from, s.end
	n.sign, n.hedge, n.way = h.sign, h.hedge, h.way
	p.close(&n)
	p.fromColumn(&n)
	n.noun = p.noun(n.to)
	if p.hedgedAfter(n.to) && n.hedge == exact {
		n.hedge = about
	}
	if n.sign < 0 {
		n.Value = n.Value.Neg()
	}
	p.counted(&n, b)
	return n, n.to
}

// close takes in the brackets around a number that stand for a minus: in a table,
// and before a per cent sign. In prose they are an aside.
func (p *page) close(n *Number) {
	if p.rune(n.from-1) != '(' || p.rune(n.to) != ')' || n.sign != 0 {
		return
	}
	_, inTable := p.cellOf(n.from)
	switch percent := p.rune(n.to+1) == '%'; {
	case percent:
		n.Kind, n.from, n.to = Percent, n.from-1, n.to+2
	case inTable || p.currencyAfter(n):
		n.from, n.to = n.from-1, n.to+1
	}
}

// currencyAfter takes in a currency after the brackets: (12.5) EUR.
func (p *page) currencyAfter(n *Number) bool {
	at := n.to + 2
	word := p.text(at, p.letters(at))
	if n.Currency == "" && p.rune(at-1) == ' ' && len(word) == 3 {
		n.Currency = currencyCode(word)
		return n.Currency != ""
	}
	return false
}

// fromColumn lends a bare cell the unit in its column's head.
func (p *page) fromColumn(n *Number) {
	c := p.inColumn(n.from)
	if c == nil {
		return
	}
	if c.class != "" && n.Kind == Plain && n.Currency == "" && n.Value.IsInteger() {
		n.Class = c.class
		return
	}
	if n.Kind != Plain || n.scaled {
		return
	}
	if n.Currency == "" {
		n.Kind, n.Currency = c.kind, c.currency
	}
	if c.scale != 0 && n.Kind == Plain {
		n.Value, n.Unit, n.scaled = n.Value.Shift(c.scale), n.Unit.Shift(c.scale), true
	}
}

// ranges lends the unit of a range's end to its beginning, and the currency of
// its beginning to its end: "3-5%", "$3 to 5 bn".
func (p *page) ranges(found []Number) {
	for i := 1; i < len(found); i++ {
		a, b := &found[i-1], &found[i]
		if a.Class != Figure || b.Class != Figure || !p.isRange(a.to, b.from) {
			continue
		}
		a.paired, b.paired = true, true
		if isSpan(b.noun) && a.noun != b.noun {
			a.noun = b.noun
		}
		if b.Currency == "" && b.Kind == Plain {
			b.Currency = a.Currency
		}
		if a.Kind != Plain || a.scaled {
			continue
		}
		if a.Currency == "" {
			a.Kind, a.Currency = b.Kind, b.Currency
		}
		if b.scaled && sameCurrency(a.Currency, b.Currency) {
			a.Value, a.Unit, a.scaled = a.Value.Shift(b.power), a.Unit.Shift(b.power), true
		}
	}
}

// isRange reports whether what stands between two numbers makes them one range.
func (p *page) isRange(end, start int) bool {
	if start-end > 5 || start < end {
		return false
	}
	switch strings.TrimSpace(p.text(end, start)) {
	case "-", "–", "—", "~", "to", "至", "到":
		return true
	}
	return false
}
