package trace

import (
	"github.com/shopspring/decimal"
)

// Class says what a number of a text is. Only a Figure needs a source.
type Class string

// The classes.
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

// Number is a number as it stands in a text.
type Number struct {
	Start, End int    // bytes, sign, currency and unit included
	Text       string // what stands there
	Class      Class
	Kind       UnitKind
	Currency   string // an ISO code, or a sign that several share: $ ¥ kr; "" where unsaid
	// Value has the sign and the scale word applied: "-1.2 bn" is -1200000000.
	Value decimal.Decimal
	// Unit is what one more in the last digit shown would add: 0.1 for 98.6.
	Unit decimal.Decimal

	// From and To are the number's runes on its page.
	From, To  int
	Noun      string // the word after it, in the singular
	Sign      int8   // written out: -1, +1; 0 where there is none
	Direction int8   // said in words: fell is -1, rose is +1
	Scaled    bool   // by a word of its own, to the power of ten of Power
	Power     int32
	Paired    bool // one end of a range
	Soft      bool // a stretch of time that states nothing: the last 5 years

	hedge hedge
}

// hedge is how a number is qualified by the words before it.
type hedge int8

const (
	hedgeNone  hedge = iota
	hedgeAbout       // about, roughly, 约
	hedgeOver        // over, more than, 超过
	hedgeUnder       // nearly, less than, 不到
)

// Hedged reports whether words or signs say that the number is not exact.
func (n *Number) Hedged() bool { return n.hedge != hedgeNone }

// Bounds is the interval of sizes, without sign, that the digits shown allow. A
// hedged round number allows as much more as its last digit that is no zero, but
// no more than a tenth: 12 is not "nearly 20".
func (n *Number) Bounds() (low, high decimal.Decimal) {
	size := n.Value.Abs()
	half := n.Unit.Mul(decimalHalf)
	if n.hedge == hedgeNone {
		if zeros := trailingZeros(n); zeros >= 3 && n.Significant()-zeros >= 3 && n.Unit.IsInteger() {
			half = n.lastDigit().Mul(decimalHalf) // 402,000 was rounded to thousands
		}
		return size.Sub(half), size.Add(half)
	}
	tolerance := decimal.Min(n.lastDigit(), size.Shift(-1))
	switch n.hedge {
	case hedgeOver:
		return size, size.Add(tolerance)
	case hedgeUnder:
		return size.Sub(tolerance), size
	}
	half = decimal.Max(half, tolerance.Mul(decimalHalf))
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

// Significant is how many digits of a number say something.
func (n *Number) Significant() int {
	digits := len(n.Value.Abs().Coefficient().String())
	if n.Kind == UnitPlain && !n.Scaled {
		return digits
	}
	return digits - max(0, trailingZeros(n))
}

func trailingZeros(n *Number) int {
	digits := n.Value.Coefficient().String()
	zeros := 0
	for i := len(digits) - 1; i > 0 && digits[i] == '0'; i-- {
		zeros++
	}
	return zeros
}

// decimalHalf, decimalHundred and decimalOne are shared: operations on decimals do not change them.
var (
	decimalHalf    = decimal.New(5, -1)
	decimalHundred = decimal.New(100, 0)
	decimalOne     = decimal.New(1, 0)
)
