package lots

import "github.com/shopspring/decimal"

// runningSum is a sum that is added to far more often than it is looked at: what fits into
// a word is added there, and the decimal takes it over before the word is full.
type runningSum struct {
	overflow decimal.Decimal
	word     int64
	exponent int32 // of word: the lowest so far
}

func (t *runningSum) add(d decimal.Decimal) {
	x, y, exponent, ok := t.alignedWords(d)
	if sum := x + y; ok && magnitude(sum) < powersOfTen[maxInt64Digits] {
		t.word, t.exponent = sum, exponent
		return
	}
	t.overflow, t.word, t.exponent = t.sum().Add(d), 0, min(t.exponent, d.Exponent())
}

// alignedWords are what the word has and what is added to it, over one power of ten.
func (t *runningSum) alignedWords(d decimal.Decimal) (x, y int64, exponent int32, ok bool) {
	x, exponent = t.word, t.exponent
	if y, ok = toInt64(d); !ok {
		return x, y, exponent, false
	}
	switch by := d.Exponent() - exponent; {
	case by > 0:
		y, ok = scaleByPowerOfTen(y, by)
	case by < 0:
		exponent = d.Exponent()
		x, ok = scaleByPowerOfTen(x, -by)
	}
	return x, y, exponent, ok
}

func (t *runningSum) sum() decimal.Decimal {
	sum := decimal.New(t.word, t.exponent)
	if !t.overflow.IsZero() {
		sum = sum.Add(t.overflow)
	}
	return sum
}

func (t *runningSum) isNegative() bool {
	if t.overflow.IsZero() {
		return t.word < 0
	}
	return t.sum().IsNegative()
}
