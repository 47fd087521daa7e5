package trace

import "strings"

// ScaleOf is the power of ten that a word after a number stands for.
func ScaleOf(w string) (int32, bool) {
	switch w {
	case "k", "thousand", "thousands":
		return 3, true
	case "lakh", "lakhs":
		return 5, true
	case "m", "mn", "mm", "mln", "mio", "million", "millions":
		return 6, true
	case "cr", "crore", "crores":
		return 7, true
	case "b", "bn", "bln", "mrd", "billion", "billions":
		return 9, true
	case "t", "tn", "trn", "trillion", "trillions":
		return 12, true
	}
	return 0, false
}

// hanScales are the powers of ten in Chinese, the longer ones first.
var hanScales = [...]struct {
	word  string
	power int32
}{
	{"万亿", 12}, {"萬億", 12}, {"千亿", 11}, {"百亿", 10}, {"十亿", 9}, {"千万", 7}, {"千萬", 7}, {"百万", 6}, {"百萬", 6}, {"十万", 5},
	{"兆", 12}, {"亿", 8}, {"億", 8}, {"万", 4}, {"萬", 4}, {"千", 3}, {"百", 2},
}

// HanScale is the power of ten that a text begins with in Chinese, and the word
// for it; "" where there is none.
func HanScale(text string) (word string, power int32) {
	for _, s := range hanScales {
		if strings.HasPrefix(text, s.word) {
			return s.word, s.power
		}
	}
	return "", 0
}
