package trace

import (
	"strings"
)

// calendar reads a date, a time, a year or the name of a period that begins at i.
// The class is empty where none does.
func (p *scanner) calendar(i int) (end int, class Class) {
	end = p.Digits(i)
	width := end - i
	if width > 8 {
		return i, ""
	}
	if to := p.numericDate(i, end); to > i {
		return to, ClassDate
	}
	if to := p.clock(i, end); to > i {
		return to, ClassTime
	}
	if class := p.hanDate(i, end); class != "" {
		return end, class
	}
	if width <= 2 && p.nextToMonth(i, end) {
		return end, ClassDate
	}
	if width == 2 && p.Rune(i-1) == '\'' && !p.Digit(i-2) && !p.Latin(i-2) {
		return end, ClassYear // '24
	}
	if width == 4 {
		return p.year(i, end)
	}
	return i, ""
}

// numericDate is the end of 2024-03-31, 2024-03, 2024/3/31, 31.12.2024, 3/31/2024.
func (p *scanner) numericDate(i, end int) int {
	sep := p.Rune(end)
	if sep != '-' && sep != '/' && sep != '.' {
		return i
	}
	a, second := p.Int(i, end), p.Digits(end+1)
	b := p.Int(end+1, second)
	if second == end+1 || second-end > 5 || a == 0 {
		return i
	}
	third := second
	if p.Rune(second) == sep {
		third = p.Digits(second + 1)
	}
	c, long := p.Int(second+1, third), third > second+1
	switch width := end - i; {
	case width == 4 && IsYear(a) && long && b >= 1 && b <= 12 && c >= 1 && c <= 31 && third-second <= 3:
		if p.Rune(third) == 'T' && p.Digit(third+1) {
			return p.wordEnd(third)
		}
		return third
	case width == 4 && IsYear(a) && !long && sep != '.' && second-end == 3:
		if b >= 1 && b <= 12 || b == (a+1)%100 {
			return second // 2024-03, 2023/24
		}
	case width == 4 && IsYear(a) && !long && sep != '.' && second-end == 5 && IsYear(b):
		return second // 2008-2020
	case width <= 2 && long && third-second == 5 && IsYear(c) && (a <= 12 && b <= 31 || b <= 12 && a <= 31):
		return third
	}
	return i
}

// clock is the end of 16:00, 9:30 am, 4 pm, 16h30.
func (p *scanner) clock(i, end int) int {
	if end-i > 2 {
		return i
	}
	hour, at := p.Int(i, end), end
	if p.Rune(end) == ':' && p.Digits(end+1) == end+3 && hour < 24 && p.Int(end+1, end+3) < 60 {
		at = end + 3
		if p.Rune(at) == ':' && p.Digits(at+1) == at+3 {
			at += 3
		}
	}
	word := p.Space(at, 1)
	half := p.Lower(word, p.Letters(word))
	switch {
	case hour <= 12 && (half == "am" || half == "pm"):
		return p.Letters(word)
	case hour <= 12 && (p.Has(word, "a.m.") || p.Has(word, "p.m.")):
		return word + 4
	}
	if at > end {
		return at
	}
	return i
}

// nextToMonth reports whether a month's name stands beside a day: 17 April, April 17,
// the 3rd of May.
func (p *scanner) nextToMonth(i, end int) bool {
	n := p.Int(i, end)
	if n < 1 || n > 31 {
		return false
	}
	at := end
	switch p.Lower(end, p.Letters(end)) {
	case "st", "nd", "rd", "th":
		at = p.Letters(end)
	}
	if p.Has(at, " of ") {
		at += len(" of")
	}
	at = p.Space(at, 1)
	if next := p.Letters(at); isMonth(p.Text(at, next)) && at > end {
		return true
	}
	if r := p.Rune(i - 1); r == '-' || r == '–' {
		if to := p.LettersBefore(p.DigitsBefore(i-1) - 1); to < i-1 && isMonth(p.Text(to, p.DigitsBefore(i-1)-1)) {
			return true // April 3-5
		}
	}
	before := p.SpaceBefore(i)
	if p.Rune(before-1) == '.' {
		before--
	}
	start := p.LettersBefore(before)
	month := p.Text(start, before)
	if !isMonth(month) || before == i {
		return false
	}
	// "may 12 funds" is a verb, "May 12" a date.
	return p.Rune(end) != '%' && p.Rune(end) != '.' || !p.Digit(end+1)
}

func isMonth(word string) bool {
	switch word {
	case "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
		"Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Sept", "Oct", "Nov", "Dec":
		return true
	}
	return false
}

// IsYear reports whether four digits may be a year of our time.
func IsYear(n int) bool { return n >= 1900 && n < 2100 }

// year tells four digits that are a year from four that count something: prices
// are given at, and things follow what is counted.
func (p *scanner) year(i, end int) (int, Class) {
	if !IsYear(p.Int(i, end)) || IsCurrencySign(p.Rune(i-1)) || p.Rune(i-1) == '+' || p.Rune(i-1) == '=' || p.Rune(end) == '%' || p.Rune(end) == '$' {
		return i, ""
	}
	if r := p.Rune(end); (r == '.' || r == ',' || r == '/') && p.Digit(end+1) {
		return i, ""
	}
	switch p.Lower(end, p.Letters(end)) {
	case "s", "e", "a", "f", "h", "fy", "q":
		return p.Letters(end), ClassYear // the 1990s, 2025e
	case "":
	default:
		return i, ""
	}
	start := p.LettersBefore(p.SpaceBefore(i))
	before := p.Text(start, p.SpaceBefore(i))
	if CurrencyOf(before) != "" && len(before) > 2 {
		return i, ""
	}
	if c := p.columnAt(i); c != nil && (c.kind != UnitPlain || c.currency != "" || c.scale != 0) {
		return i, ""
	}
	if s := p.suffixAt(end, false); IsHan(p.Rune(end)) && s.end > end {
		return i, ""
	}
	if p.countsThings(end) && strings.ToLower(before) != "in" && strings.ToLower(before) != "since" {
		return i, ""
	}
	switch strings.ToLower(before) {
	case "at", "of", "exactly", "about", "roughly", "approximately", "hold", "own", "bought", "sold", "buy", "sell":
		if before != "of" || p.countsThings(end) {
			return i, ""
		}
	}
	return end, ClassYear
}

// countsThings reports whether a unit or something that is counted follows.
func (p *scanner) countsThings(end int) bool {
	at := p.Space(end, 1)
	if at == end {
		return false
	}
	if s := p.suffixAt(end, false); s.end > end && !s.name && s.class == "" {
		return true
	}
	switch p.noun(end) {
	case "share", "unit", "store", "employee", "people", "bar", "contract", "company", "companie", "fund", "customer", "token", "ounce", "trade",
		"observation", "lot", "home", "aircraft", "vehicle", "stock", "simulation", "path", "run", "index":
		return true
	}
	return IsTimeUnit(p.noun(end))
}
