package trace

import (
	"strings"

	"github.com/shopspring/decimal"
)

// ScanNumbers finds every number of a text, in its order, and says what each one is.
// Only those of class Figure are claims that need a source. Markdown is read as
// such: tables lend the unit in a column's head to the cells below it.
func ScanNumbers(text string) []Number { return ScanDocument(ParseDocument(text)) }

// ScanDocument finds every number of a document, as ScanNumbers does.
func ScanDocument(text *Document) []Number {
	p := &scanner{Document: text}
	var found []Number
	for i := 0; i < p.Len(); {
		n, end := p.numberAt(i)
		if end <= i {
			i++
			continue
		}
		if len(found) > 0 {
			n.From = max(n.From, found[len(found)-1].To) // a sign belongs to one number
		}
		n.Text, n.Start, n.End = p.Source(n.From, n.To)
		found = append(found, n)
		i = end
	}
	p.joinRanges(found)
	return found
}

// scanner reads the numbers of one page.
type scanner struct {
	*Document
	columns map[*TableColumn]*columnUnit
}

// numberAt reads the number that begins at i; its end is no further than i where
// none does.
func (p *scanner) numberAt(i int) (Number, int) {
	r := p.Rune(i)
	switch {
	case IsDigit(r):
	case r == '.' && p.Digit(i+1) && !p.Latin(i-1) && !p.Digit(i-1):
	default:
		return Number{}, i
	}
	if cover := p.MaskAt(i); cover != "" {
		return p.nonFigure(i, p.wordEnd(i), Class(cover))
	}
	if end, class := p.notFigure(i); class != "" {
		return p.nonFigure(i, end, class)
	}
	return p.figure(i)
}

// nonFigure is a number that is no figure. Its value is not read, but for a year,
// which may turn out to be an amount.
func (p *scanner) nonFigure(from, end int, class Class) (Number, int) {
	n := Number{Class: class, From: from, To: end}
	if class == ClassYear && end-from == 4 {
		n.Value, n.Unit = decimal.NewFromInt(int64(p.Int(from, end))), decimalOne
	}
	return n, end
}

// wordEnd is the end of the digits, letters and joints at i.
func (p *scanner) wordEnd(i int) int {
	for p.Digit(i) || p.Latin(i) || strings.ContainsRune(".,-/:_", p.Rune(i)) && (p.Digit(i+1) || p.Latin(i+1)) {
		i++
	}
	return i
}

// notFigure tells what the digits at i are where they are no figure. The class is
// empty where they may be one.
func (p *scanner) notFigure(i int) (end int, class Class) {
	if end, class = p.calendar(i); class != "" && !p.Latin(i-1) {
		return end, class
	}
	if end = p.joinedName(i); end > i {
		return end, ClassName
	}
	return p.namedNumber(i)
}

// figure reads digits, sign and unit; the unit may show that they are no figure.
func (p *scanner) figure(i int) (Number, int) {
	b, ok := p.digitRun(i)
	if !ok {
		return p.nonFigure(i, max(b.end, p.Digits(i)), ClassName)
	}
	if p.Rune(b.end) == '.' && p.Digit(b.end+1) {
		return p.nonFigure(i, p.wordEnd(i), ClassName) // 3.2.1
	}
	if n, ok := p.ratio(b); ok {
		return n, n.To
	}
	if p.Rune(b.end) == '/' && p.Digit(b.end+1) && b.decimals == 0 {
		return p.nonFigure(i, p.wordEnd(i), ClassName) // 2016/679
	}
	h := p.prefix(i)
	s := p.suffixAt(b.end, h.currency != "")
	if s.name || s.class != "" {
		n, end := p.nonFigure(i, s.end, ClassName)
		if s.class != "" {
			n.Class = s.class
		}
		if s.class == ClassPeriod {
			value := p.numberFrom(b, 0)
			n.Value, n.Unit, n.Noun = value.Value, value.Unit, p.noun(b.end)
			n.Soft = b.decimals == 0
		}
		return n, end
	}
	n := p.numberFrom(b, s.scale)
	n.Class, n.Kind, n.Scaled = ClassFigure, s.kind, s.scaled
	n.Currency = h.currency
	if n.Currency == "" || n.Currency == "$" && s.currency != "" {
		n.Currency = s.currency
	}
	n.From, n.To = h.from, s.end
	n.Sign, n.hedge, n.Direction = h.sign, h.hedge, h.direction
	p.applyBrackets(&n)
	p.applyColumn(&n)
	n.Noun = p.noun(n.To)
	if p.hedgedAfter(n.To) && n.hedge == hedgeNone {
		n.hedge = hedgeAbout
	}
	if n.Sign < 0 {
		n.Value = n.Value.Neg()
	}
	p.classifyCount(&n, b)
	return n, n.To
}

// applyBrackets takes in the brackets around a number that stand for a minus: in a table,
// and before a per cent sign. In prose they are an aside.
func (p *scanner) applyBrackets(n *Number) {
	if p.Rune(n.From-1) != '(' || p.Rune(n.To) != ')' || n.Sign != 0 {
		return
	}
	_, inTable := p.CellOf(n.From)
	switch percent := p.Rune(n.To+1) == '%'; {
	case percent:
		n.Kind, n.From, n.To = UnitPercent, n.From-1, n.To+2
	case inTable || p.currencyAfter(n):
		n.From, n.To = n.From-1, n.To+1
	}
}

// currencyAfter takes in a currency after the brackets: (12.5) EUR.
func (p *scanner) currencyAfter(n *Number) bool {
	at := n.To + 2
	word := p.Text(at, p.Letters(at))
	if n.Currency == "" && p.Rune(at-1) == ' ' && len(word) == 3 {
		n.Currency = CurrencyOf(word)
		return n.Currency != ""
	}
	return false
}

// applyColumn lends a bare cell the unit in its column's head.
func (p *scanner) applyColumn(n *Number) {
	c := p.columnAt(n.From)
	if c == nil {
		return
	}
	if c.class != "" && n.Kind == UnitPlain && n.Currency == "" && n.Value.IsInteger() {
		n.Class = c.class
		return
	}
	if n.Kind != UnitPlain || n.Scaled {
		return
	}
	if n.Currency == "" {
		n.Kind, n.Currency = c.kind, c.currency
	}
	if c.scale != 0 && n.Kind == UnitPlain {
		n.Value, n.Unit, n.Scaled = n.Value.Shift(c.scale), n.Unit.Shift(c.scale), true
	}
}

// joinRanges lends the unit of a range's end to its beginning, and the currency of
// its beginning to its end: "3-5%", "$3 to 5 bn".
func (p *scanner) joinRanges(found []Number) {
	for i := 1; i < len(found); i++ {
		a, b := &found[i-1], &found[i]
		if a.Class != ClassFigure || b.Class != ClassFigure || !p.isRange(a.To, b.From) {
			continue
		}
		a.Paired, b.Paired = true, true
		if IsTimeUnit(b.Noun) && a.Noun != b.Noun {
			a.Noun = b.Noun
		}
		if b.Currency == "" && b.Kind == UnitPlain {
			b.Currency = a.Currency
		}
		if a.Kind != UnitPlain || a.Scaled {
			continue
		}
		if a.Currency == "" {
			a.Kind, a.Currency = b.Kind, b.Currency
		}
		if b.Scaled && SameCurrency(a.Currency, b.Currency) {
			a.Value, a.Unit, a.Scaled = a.Value.Shift(b.Power), a.Unit.Shift(b.Power), true
		}
	}
}

// isRange reports whether what stands between two numbers makes them one range.
func (p *scanner) isRange(end, start int) bool {
	if start-end > 5 || start < end {
		return false
	}
	switch strings.TrimSpace(p.Text(end, start)) {
	case "-", "–", "—", "~", "to", "至", "到":
		return true
	}
	return false
}
