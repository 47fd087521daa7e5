package figures

import "github.com/shopspring/decimal"

// Class says what a number of a text is. Only a Figure needs a source.
type Class string

// The classes.
const (
	Figure  Class = "figure"
	Date    Class = "date"
	Time    Class = "time"
	Year    Class = "year"
	Period  Class = "period"  // Q3, FY24, the last 5 years, 10y
	Place   Class = "place"   // list numbers, sections, steps, footnotes
	Heading Class = "heading" // in a heading
	Code    Class = "code"    // in code
	Address Class = "address" // in a URL
	Name    Class = "name"    // S&P 500, 10-K, ISO 4217, tickers, versions
	Ordinal Class = "ordinal" // 12th, 第3
)

// Kind is what a number counts, as far as its unit says so.
type Kind string

// The kinds.
const (
	Plain    Kind = ""
	Percent  Kind = "%"
	Points   Kind = "pp" // percentage points
	Basis    Kind = "bp" // basis points
	Multiple Kind = "x"  // 12x, 12 times, 12 倍
	Ratio    Kind = ":"  // 1:3, 3-for-1, 2/3; the value is the first by the second
)

// Number is a number as it stands in a text.
type Number struct {
	Start, End int    // bytes, sign, currency and unit included
	Text       string // what stands there
	Class      Class
	Kind       Kind
	Currency   string // an ISO code, or a sign that several share: $ ¥ kr; "" where unsaid
	// Value has the sign and the scale word applied: "-1.2 bn" is -1200000000.
	Value decimal.Decimal
	// Unit is what one more in the last digit shown would add: 0.1 for 98.6.
	Unit decimal.Decimal

	sign     int8 // written out: -1, +1; 0 where there is none
	way      int8 // said in words: fell is -1, rose is +1
	hedge    hedge
	scaled   bool   // by a word of its own
	soft     bool   // a stretch of time that states nothing: the last 5 years
	power    int32  // of ten, of the scale word
	paired   bool   // one end of a range
	noun     string // the word after it, in the singular
	from, to int    // runes, digits alone to unit
}

// hedge is how a number is qualified by the words before it.
type hedge int8

const (
	exact hedge = iota
	about       // about, roughly, 约
	over        // over, more than, 超过
	under       // nearly, less than, 不到
)

// bounds is the interval of sizes, without sign, that the digits shown allow. A
// hedged round number allows as much more as its last digit that is no zero, but
// no more than a tenth: 12 is not "nearly 20".
func (n *Number) bounds() (low, high decimal.Decimal) {
	size := n.Value.Abs()
	half := n.Unit.Mul(oneHalf)
	if n.hedge == exact {
		if zeros := trailingZeros(n); zeros >= 3 && significant(n)-zeros >= 3 && n.Unit.IsInteger() {
			half = n.lastDigit().Mul(oneHalf) // 402,000 was rounded to thousands
		}
		return size.Sub(half), size.Add(half)
	}
	room := decimal.Min(n.lastDigit(), size.Shift(-1))
	switch n.hedge {
	case over:
		return size, size.Add(room)
	case under:
		return size.Sub(room), size
	}
	half = decimal.Max(half, room.Mul(oneHalf))
	return size.Sub(half), size.Add(half)
}

// lastDigit is the value of one more in the last digit that is no zero.
func (n *Number) lastDigit() decimal.Decimal {
	unit, size := n.Unit, n.Value.Abs()
	if size.IsZero() || unit.IsZero() {
		return unit
	}
	for next := unit.Shift(1); size.Mod(next).IsZero(); next = unit.Shift(1) {
		unit = next
	}
	return unit
}

// one, oneHalf and hundred are not changed by anybody: decimals are values.
var (
	oneHalf = decimal.New(5, -1)
	hundred = decimal.New(100, 0)
	one     = decimal.New(1, 0)
)
