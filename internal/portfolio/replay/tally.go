package replay

import "github.com/shopspring/decimal"

// tally is a sum that is added to far more often than it is looked at: what fits into
// a word is added there, and the decimal takes it over before the word is full.
type tally struct {
	full     decimal.Decimal
	word     int64
	exponent int32 // of word: the lowest so far
}

func (t *tally) add(d decimal.Decimal) {
	x, y, exponent, ok := t.words(d)
	if sum := x + y; ok && magnitude(sum) < tens[wordDigits] {
		t.word, t.exponent = sum, exponent
		return
	}
	t.full, t.word, t.exponent = t.sum().Add(d), 0, min(t.exponent, d.Exponent())
}

// words are what the word has and what is added to it, over one power of ten.
func (t *tally) words(d decimal.Decimal) (x, y int64, exponent int32, ok bool) {
	x, exponent = t.word, t.exponent
	if y, ok = word(d); !ok {
		return x, y, exponent, false
	}
	switch by := d.Exponent() - exponent; {
	case by > 0:
		y, ok = raised(y, by)
	case by < 0:
		exponent = d.Exponent()
		x, ok = raised(x, -by)
	}
	return x, y, exponent, ok
}

func (t *tally) sum() decimal.Decimal {
	sum := decimal.New(t.word, t.exponent)
	if !t.full.IsZero() {
		sum = sum.Add(t.full)
	}
	return sum
}

func (t *tally) isNegative() bool {
	if t.full.IsZero() {
		return t.word < 0
	}
	return t.sum().IsNegative()
}
