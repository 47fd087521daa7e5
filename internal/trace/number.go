package trace

import (
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// Class is the kind of a number in a text. Only a figure needs a source.
type Class string

// Classes of numbers.
const (
	ClassFigure  Class = "figure"
	ClassDate    Class = "date"
	ClassTime    Class = "time"
	ClassYear    Class = "year"
	ClassPeriod  Class = "period"  // Q3, FY24, the last 5 years, 10y
	ClassPlace   Class = "place"   // list numbers, sections, steps, footnotes
	ClassHeading Class = "heading" // in a heading
	ClassCode    Class = "code"    // in code
	ClassAddress Class = "address" // in a URL
	ClassName    Class = "name"    // S&P 500, 10-K, ISO 4217, tickers, versions
	ClassOrdinal Class = "ordinal" // 12th, 第3
)

// Number is a number in a text.
type Number struct {
	Start, End int    // bytes of the text, with sign, currency and unit
	Text       string // the text from Start to End
	Class      Class
	Kind       UnitKind
	Currency   string // an ISO code, or a sign that several currencies share: $ ¥ kr; "" if the text has none
	// Value includes the sign and the scale word: "-1.2 bn" is -1200000000.
	Value decimal.Decimal
	// Unit is the value of 1 in the last digit shown: 0.1 for 98.6.
	Unit decimal.Decimal

	from, to  int    // offsets in the document's text
	noun      string // the word after it, in the singular
	sign      int8   // as written: -1, +1; 0 if there is none
	direction int8   // by a verb: fell is -1, rose is +1
	power     int32  // of ten, from a scale word
	scaled    bool
	hedge     hedge
	paired    bool // one end of a range
	soft      bool // a period that states no figure: the last 5 years
}

// hedge describes how words or signs qualify a number.
type hedge int8

const (
	hedgeNone  hedge = iota
	hedgeAbout       // about, roughly, 约
	hedgeOver        // over, more than, 超过
	hedgeUnder       // nearly, less than, 不到
)

// decimalHalf, decimalHundred and decimalOne can be shared, because operations on decimals do not
// change them.
var (
	decimalHalf    = decimal.New(5, -1)
	decimalHundred = decimal.New(100, 0)
	decimalOne     = decimal.New(1, 0)
)

// bounds returns the range of absolute values that the digits allow. A hedged number allows one
// unit of its last nonzero digit, but at most a tenth: 12 is not "nearly 20".
func (n *Number) bounds() (low, high decimal.Decimal) {
	size, half, zeros := n.Value.Abs(), n.Unit.Mul(decimalHalf), n.trailingZeros()
	tolerance := decimal.Min(n.Unit.Shift(zeros), size.Shift(-1))
	switch n.hedge {
	case hedgeOver:
		return size.Sub(half), size.Add(tolerance)
	case hedgeUnder:
		return size.Sub(tolerance), size.Add(half)
	case hedgeAbout:
		half = decimal.Max(half, tolerance.Mul(decimalHalf))
	default:
		if zeros >= 3 && n.significant()-int(zeros) >= 3 && n.Unit.IsInteger() {
			half = half.Shift(zeros) // 402,000 was rounded to thousands
		}
	}
	return size.Sub(half), size.Add(half)
}

// significant returns the number of significant digits.
func (n *Number) significant() int {
	digits := len(n.Value.Abs().Coefficient().String())
	if n.Kind == UnitPlain && !n.scaled {
		return digits
	}
	return digits - int(n.trailingZeros())
}

// isCount reports whether a Chinese word after the number says what it counts: 11 期.
func (n *Number) isCount() bool { return isOneOf(n.noun, "股 家 只 手 期 次 笔 名 人 份") }

func (n *Number) trailingZeros() int32 {
	digits := n.Value.Coefficient().String()
	return int32(len(digits) - len(digits[:1]+strings.TrimRight(digits[1:], "0")))
}

// ScanNumbers returns every number of a text in order, with its class. The text is parsed as
// Markdown: the header of a table column gives the cells below it their unit.
func ScanNumbers(text string) []Number { return readDocument(text, false).numbers() }

func (d *document) numbers() []Number {
	found := make([]Number, 0, len(d.text)/32)
	for i := 0; i < len(d.text); {
		previous := d.byteAt(i - 1)
		if !d.digitAt(i) && !(d.text[i] == '.' && d.digitAt(i+1) && !isDigit(previous) && !isLetter(previous)) {
			i++
			continue
		}
		n := d.numberAt(i)
		if len(found) > 0 {
			n.from = max(n.from, found[len(found)-1].to) // a sign belongs to only one number
		}
		n.Start, n.End = d.origin[n.from], d.origin[n.to]
		n.Text = d.source[n.Start:n.End]
		found = append(found, n)
		for i = n.to; d.digitAt(i); {
			i++ // an identifier longer than any number
		}
	}
	d.joinRanges(found)
	return found
}

// numberAt parses the number whose digits start at i.
func (d *document) numberAt(i int) Number {
	before, after := d.before(i), d.after(i)
	name := func(class Class, length int) Number { return Number{Class: class, from: i, to: i + length} }
	whole := func() int { return len(wordOnly().FindString(after)) }
	if class := d.maskAt(i); class != "" {
		return name(class, whole())
	}
	if class, length := d.notFigure(i, before, after); length > 0 {
		n := name(class, length)
		if class == ClassYear && length == len(year2000) {
			n.Value, n.Unit = decimal.RequireFromString(after[:length]), decimalOne // it may be one of the user's amounts
		}
		return n
	}
	digits := d.readDigits(i, before, after)
	rest := d.after(digits.end)
	if len(digits.text) > maxDigits || strings.HasPrefix(rest, ".") && d.digitAt(digits.end+1) {
		return name(ClassName, whole()) // an identifier, or 3.2.1
	}
	if n, ok := readRatio(i, after); ok {
		return n
	}
	if digits.decimals == 0 && strings.HasPrefix(rest, "/") && d.digitAt(digits.end+1) {
		return name(ClassName, whole()) // 2016/679
	}
	p := readPrefix(before)
	u := suffixOf(rest, p.currency != "")
	n := digits.number(u.scale)
	if u.name || u.class != "" {
		n.Class, n.to = ClassName, digits.end+u.length
		if u.class != "" {
			n.Class, n.noun, n.soft = u.class, nounOf(rest), u.class == ClassPeriod && digits.decimals == 0
		}
		return n
	}
	n.Class, n.Kind, n.Currency, n.scaled = ClassFigure, u.kind, p.currency, u.scaled
	if n.Currency == "" || n.Currency == "$" && u.currency != "" {
		n.Currency = u.currency
	}
	n.from, n.to = i-p.length, digits.end+u.length
	n.sign, n.hedge, n.direction = p.sign, p.hedge, p.direction
	d.applyBrackets(&n)
	d.applyColumn(&n)
	rest = d.after(n.to)
	n.noun = nounOf(rest)
	if n.hedge == hedgeNone && hedgeAfter().MatchString(rest) {
		n.hedge = hedgeAbout
	}
	if n.hedge == hedgeOver && timeUnit(n.noun) != "" {
		n.hedge = hedgeAbout // "over 12 years" may mean during those years
	}
	if n.sign < 0 {
		n.Value = n.Value.Neg()
	}
	n.classifyCount(digits, strings.ToLower(wordBefore(d.before(n.from))), rest)
	return n
}

// maxDigits is more digits than any figure has.
const maxDigits = 30

var hedgeAfter = lazyregexp.New(`^(?:左右|上下|多| or so)`)

// digitRun holds the digits of a number, without separators.
type digitRun struct {
	start, end int
	text       string
	decimals   int32
	exponent   int32
}

// exponentPattern matches the exponent of 1.9e-7.
var exponentPattern = lazyregexp.New(`^[eE]([-+]?\d{1,2})(?:[^\dA-Za-z]|$)`)

// groupPattern matches digits in groups: 1,234,567 or 12,34,567 or 1.234 or 1'234 or 1 234.
var groupPattern = lazyregexp.New(`^([1-9]\d?(?:,\d\d)+,\d{3}|[1-9]\d{0,2}(?:(?:,\d{3})+|(?:\.\d{3})+|(?:'\d{3})+|(?:\x{a0}\d{3})+|(?: \d{3})+))(?:\D|$)`)

// readDigits parses digits with their separators.
func (d *document) readDigits(i int, before, after string) digitRun {
	end := i
	for d.digitAt(end) {
		end++
	}
	separator := d.byteAt(end)
	grouped := false
	if m := groupPattern().FindStringSubmatch(after); m != nil {
		groups := (len(m[1]) - 1) / 4
		next, decimalsNext := d.byteAt(i+len(m[1])), d.digitAt(i+len(m[1])+1)
		grouped = true
		switch separator {
		case ',':
			grouped = groups > 1 || !d.decimalComma
		case '.':
			grouped = groups > 1 && next != '.' || next == ',' && decimalsNext || d.decimalComma
		case ' ':
			// In prose, two numbers may be next to each other.
			u := suffixOf(after[len(m[1]):], false)
			hasUnit := !u.name && u.class == "" && (u.kind != UnitPlain || u.currency != "")
			grouped = !numberBefore().MatchString(before) && (groups > 1 || m[1][len(m[1])-3] == '0' || next == ',' && decimalsNext || hasUnit || currencySignBefore().MatchString(before))
		}
		if grouped {
			end = i + len(m[1])
		}
	}
	run := digitRun{start: i, end: end, text: d.text[i:end]}
	mark := d.byteAt(end)
	if (mark == '.' || mark == ',') && d.digitAt(end+1) && !(grouped && mark == separator) {
		last := end + 1
		for d.digitAt(last) {
			last++
		}
		list := d.byteAt(last) == ',' && d.digitAt(last+1) || d.byteAt(i-1) == ',' && d.digitAt(i-2)
		thousands := last-end == 4 && !d.decimalComma && d.text[i] != '0'
		if mark == '.' || grouped || !list && !thousands {
			run.text, run.decimals, run.end = d.text[i:last], int32(last-end-1), last
		}
	}
	if m := exponentPattern().FindStringSubmatch(d.after(run.end)); m != nil && !grouped {
		exponent, _ := strconv.Atoi(m[1]) // a sign and two digits
		run.exponent = int32(exponent)
		run.end += len("e") + len(m[1])
	}
	run.text = strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, run.text)
	return run
}

var numberBefore, currencySignBefore = lazyregexp.New(`\d $`), lazyregexp.New(`[$€£¥₹₩₽₿]$`)

// number returns these digits times ten to the power of scale.
func (r digitRun) number(scale int32) Number {
	value, _ := decimal.NewFromString(r.text) // only digits, so it cannot fail
	exponent := scale + r.exponent - r.decimals
	return Number{from: r.start, to: r.end, power: scale, Value: value.Shift(exponent), Unit: decimal.New(1, exponent)}
}

var ratioPattern = lazyregexp.New(`^(\d{1,4}(?:\.\d\d?)?)(-for-| for |-to-| to |:|/)(\d{1,4}(?:\.\d+)?)(?:[^\d%A-Za-z.,]|[.,](?:\D|$)|$)`)

func startsWithOneOf(s, list string) bool {
	for start := range strings.FieldsSeq(list) {
		if strings.HasPrefix(s, start) {
			return true
		}
	}
	return false
}

// readRatio parses 3-for-1, 2.5 to 1, 1:4 and 2/3. A 60/40 portfolio and 24/7 are names.
func readRatio(i int, after string) (Number, bool) {
	if rest := strings.TrimLeft(after, "0123456789."); !startsWithOneOf(rest, "-for- -to- : /") && !strings.HasPrefix(rest, " to ") && !strings.HasPrefix(rest, " for ") {
		return Number{}, false
	}
	m := ratioPattern().FindStringSubmatch(after)
	if m == nil || strings.HasPrefix(m[2], " ") && m[3] != "1" {
		return Number{}, false
	}
	a, b := decimal.RequireFromString(m[1]), decimal.RequireFromString(m[3])
	n := Number{Class: ClassFigure, Kind: UnitRatio, from: i, to: i + len(m[1]+m[2]+m[3])}
	switch {
	case b.IsZero():
		return Number{}, false
	case m[2] == "/" && (a.Add(b).Equal(decimalHundred) || a.GreaterThanOrEqual(b)):
		n.Class = ClassName
		return n, true
	}
	n.Value = a.DivRound(b, 12)
	n.Unit = decimal.New(1, a.Exponent()).DivRound(b, 12)
	return n, true
}

// applyBrackets includes the brackets of an accounting negative: in a table, before a percent sign
// and before a currency. Other brackets are ordinary parentheses.
func (d *document) applyBrackets(n *Number) {
	if d.byteAt(n.from-1) != '(' || d.byteAt(n.to) != ')' || n.sign != 0 {
		return
	}
	code := ""
	if m := currencyAfterBracket().FindStringSubmatch(d.after(n.to)); m != nil && n.Currency == "" {
		code = currencyOf(m[1])
	}
	switch {
	case d.byteAt(n.to+1) == '%':
		n.Kind, n.from, n.to, n.sign = UnitPercent, n.from-1, n.to+2, -1
	case code != "" || d.cellAt(n.from) != nil:
		n.Currency += code
		n.from, n.to, n.sign = n.from-1, n.to+1, -1
	}
}

var currencyAfterBracket = lazyregexp.New(`^\) ([A-Z]{3})\b`)

// applyColumn gives a bare cell the unit of its column, of its row, or of its table.
func (d *document) applyColumn(n *Number) {
	c := d.cellAt(n.from)
	if c == nil || n.Kind != UnitPlain || n.scaled {
		return
	}
	if c.unit.class != "" && n.Currency == "" && n.Value.IsInteger() {
		n.Class = c.unit.class
		return
	}
	first := strings.HasPrefix(c.row, d.text[c.start:min(c.end, c.start+maxName)])
	for _, u := range []columnUnit{c.unit, columnUnitOf(c.row), columnUnitOf(c.corner)} {
		if n.Currency == "" && n.Kind == UnitPlain {
			n.Kind, n.Currency = u.kind, u.currency
		}
		if u.scale != 0 && n.Kind == UnitPlain && !n.scaled {
			n.Value, n.Unit, n.scaled = n.Value.Shift(u.scale), n.Unit.Shift(u.scale), true
		}
		if first {
			return // the name of the row
		}
	}
}

var baseAfter = lazyregexp.New(`^ ?(?:=|buys\b|is worth\b)`)

// classifyCount recognizes numbers that count parts of the text (3 reasons), measure a period from
// now (the last 5 years) or are the base of a rate (1 USD = 151.34 JPY, of every $100).
func (n *Number) classifyCount(digits digitRun, word, after string) {
	if n.Class == ClassFigure && n.Kind == UnitPlain && n.Value.Equal(decimalOne) && isOneOf(word, "each every per") {
		n.Class = ClassName // loses 0.34 for each 1 of the share
	}
	if n.Class == ClassFigure && n.Currency != "" && (n.Value.Equal(decimalOne) && baseAfter().MatchString(after) || strings.Trim(digits.text, "0") == "1" && isOneOf(word, "every each per")) {
		n.Class = ClassName
	}
	if n.Kind != UnitPlain || n.Currency != "" || n.scaled || digits.decimals > 0 || n.sign != 0 {
		return
	}
	switch {
	case len(digits.text) <= 2 && isOneOf(n.noun, "reason thing step factor risk option scenario way question part section takeaway idea example caveat note lesson "+
		"rule item bullet assumption approache approach key"):
		n.Class = ClassPlace
	case len(digits.text) <= 3 && timeUnit(n.noun) != "" && (isOneOf(word, "last past next previous prior coming trailing following recent every first final") || timeUnit(n.noun) == "hour"):
		n.Class, n.soft = ClassPeriod, true
	}
}

// joinRanges copies the unit of a range's end to its start, and the currency of its start to its
// end: "3-5%", "$3 to 5 bn".
func (d *document) joinRanges(found []Number) {
	for i := 1; i < len(found); i++ {
		a, b := &found[i-1], &found[i]
		if a.Class != ClassFigure || b.Class != ClassFigure || b.from < a.to || b.from > a.to+10 ||
			!isOneOf(strings.TrimSpace(d.text[a.to:b.from]), "- – — ~ to 至 到") {
			continue
		}
		if !strings.HasSuffix(strings.TrimRight(d.before(a.from), " "), "from") && (a.Kind == b.Kind || a.Kind == UnitPlain) && (a.Currency == b.Currency || b.Currency == "" || a.Currency == "") {
			a.paired, b.paired = true, true // "from 5 to 6" is not a range but two values
		}
		if timeUnit(b.noun) != "" && a.noun != b.noun {
			a.noun = b.noun
		}
		if b.Currency == "" && b.Kind == UnitPlain {
			b.Currency = a.Currency
		}
		if a.Kind != UnitPlain || a.scaled {
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
