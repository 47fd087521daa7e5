package chart

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// magnitude returns the divisor and the letter of large values. Thousands of millions are B, as in
// American reports.
func magnitude(size float64) (divisor float64, letter string) {
	switch {
	case size >= 1e12:
		return 1e12, "T"
	case size >= 1e9:
		return 1e9, "B"
	case size >= 1e6:
		return 1e6, "M"
	}
	return 1, ""
}

// tickLabel formats v with as many decimals as a multiple of step needs. size is the largest value
// on the scale, so all labels have the same letter.
func tickLabel(v, step, size float64) string {
	switch {
	case v == 0 && (size >= 1e15 || size < 1e-6):
		return "0" // because rounding may have left a minus sign
	case size >= 1e15 || size < 1e-6:
		// Enough digits to distinguish v from its neighbors.
		digits := int(math.Floor(math.Log10(size))) + stepDecimals(step) + 1
		return shortenExponent(strconv.FormatFloat(v, 'g', max(digits, 4), 64))
	}
	divisor, letter := magnitude(size)
	text := formatGrouped(v/divisor, max(stepDecimals(step/divisor), 0))
	if text == "0" {
		return text
	}
	return text + letter
}

// stepDecimals returns the number of decimals of a multiple of step; if negative, the number of
// zeros before the decimal point.
func stepDecimals(step float64) int {
	step = math.Abs(step)
	if step == 0 {
		return 0
	}
	power := math.Floor(math.Log10(step) + 1e-9)
	if math.Abs(step/math.Pow(10, power)-2.5) < 1e-6 {
		return int(1 - power)
	}
	return int(-power)
}

// formatFigure formats a value for reading: prices with two decimals, rates and values below one
// with five digits, six-digit amounts without decimals, millions with five digits and a letter,
// percentages with two decimals or two digits. It drops trailing zeros.
func formatFigure(v float64, unit string) string {
	size := math.Abs(v)
	switch {
	case size == 0:
		return "0" + unitSuffix(unit)
	case size >= 1e15 || size < 1e-6:
		return shortenExponent(strconv.FormatFloat(v, 'g', 5, 64)) + unitSuffix(unit)
	}
	divisor, letter := magnitude(size)
	power := int(math.Floor(math.Log10(size / divisor)))
	decimals := 2
	switch {
	case letter != "":
		decimals = 4 - power
	case unit == "%":
		decimals = max(2, 1-power)
	case size < 10:
		decimals = 4 - power
	case size >= 1e5:
		decimals = 0
	}
	text := formatGrouped(v/divisor, decimals)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text + letter + unitSuffix(unit)
}

// shortenExponent writes 1e+06 as 1e6.
func shortenExponent(text string) string {
	mantissa, power, ok := strings.Cut(text, "e")
	if !ok {
		return text
	}
	if n, err := strconv.Atoi(power); err == nil {
		return mantissa + "e" + strconv.Itoa(n)
	}
	return text
}

// formatGrouped formats v with thousands separators, and zero without a sign.
func formatGrouped(v float64, decimals int) string {
	text := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64)
	whole, fraction, _ := strings.Cut(text, ".")
	var b strings.Builder
	if v < 0 && strings.Trim(text, "0.") != "" {
		b.WriteByte('-')
	}
	for i := range len(whole) {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(whole[i])
	}
	if fraction != "" {
		b.WriteString("." + fraction)
	}
	return b.String()
}

// unitSuffix returns what follows each figure: "%", or nothing for other units, which are in the
// title.
func unitSuffix(unit string) string {
	if unit == "%" {
		return "%"
	}
	return ""
}

// cleanText makes outside text safe for one line: it removes control characters and characters
// that reorder or hide text, and truncates long text.
func cleanText(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r' || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Zs):
			return ' '
		// A variation selector would widen the previous letter.
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Variation_Selector):
			return -1
		}
		return r
	}, truncateText(text)))
}

// Heading returns the title and the unit of the figures, both clean.
func (s Spec) Heading() (title, about string) {
	title = cleanText(s.Title)
	if title == "" && len(s.Series) == 1 {
		title = cleanText(s.Series[0].Name)
	}
	if s.Kind == KindCompare {
		return title, "rebased to 100"
	}
	return title, cleanText(s.Unit)
}

func joinNonEmpty(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), ", ")
}
