package figures

import "strings"

// calendar reads a date, a time, a year or the name of a period that begins at i.
// The class is empty where none does.
func (p *page) calendar(i int) (end int, class Class) {
	end = p.digits(i)
	width := end - i
	if width > 8 {
		return i, ""
	}
	if to := p.numericDate(i, end); to > i {
		return to, Date
	}
	if to := p.clock(i, end); to > i {
		return to, Time
	}
	if class := p.hanDate(i, end); class != "" {
		return end, class
	}
	if width <= 2 && p.beside(i, end) {
		return end, Date
	}
	if width == 2 && p.rune(i-1) == '\'' && !p.digit(i-2) && !p.latin(i-2) {
		return end, Year // '24
	}
	if width == 4 {
		return p.year(i, end)
	}
	return i, ""
}

// numericDate is the end of 2024-03-31, 2024-03, 2024/3/31, 31.12.2024, 3/31/2024.
func (p *page) numericDate(i, end int) int {
	sep := p.rune(end)
	if sep != '-' && sep != '/' && sep != '.' {
		return i
	}
	a, second := p.number(i, end), p.digits(end+1)
	b := p.number(end+1, second)
	if second == end+1 || second-end > 5 || a == 0 {
		return i
	}
	third := second
	if p.rune(second) == sep {
		third = p.digits(second + 1)
	}
	c, long := p.number(second+1, third), third > second+1
	switch width := end - i; {
	case width == 4 && isYear(a) && long && b >= 1 && b <= 12 && c >= 1 && c <= 31 && third-second <= 3:
		if p.rune(third) == 'T' && p.digit(third+1) {
			return p.wordEnd(third)
		}
		return third
	case width == 4 && isYear(a) && !long && sep != '.' && second-end == 3:
		if b >= 1 && b <= 12 || b == (a+1)%100 {
			return second // 2024-03, 2023/24
		}
	case width == 4 && isYear(a) && !long && sep != '.' && second-end == 5 && isYear(b):
		return second // 2008-2020
	case width <= 2 && long && third-second == 5 && isYear(c) && (a <= 12 && b <= 31 || b <= 12 && a <= 31):
		return third
	}
	return i
}

// clock is the end of 16:00, 9:30 am, 4 pm, 16h30.
func (p *page) clock(i, end int) int {
	if end-i > 2 {
		return i
	}
	hour, at := p.number(i, end), end
	if p.rune(end) == ':' && p.digits(end+1) == end+3 && hour < 24 && p.number(end+1, end+3) < 60 {
		at = end + 3
		if p.rune(at) == ':' && p.digits(at+1) == at+3 {
			at += 3
		}
	}
	word := p.space(at, 1)
	half := p.lower(word, p.letters(word))
	switch {
	case hour <= 12 && (half == "am" || half == "pm"):
		return p.letters(word)
	case hour <= 12 && (p.has(word, "a.m.") || p.has(word, "p.m.")):
		return word + 4
	}
	if at > end {
		return at
	}
	return i
}

// beside reports whether a month's name stands beside a day: 17 April, April 17,
// the 3rd of May.
func (p *page) beside(i, end int) bool {
	n := p.number(i, end)
	if n < 1 || n > 31 {
		return false
	}
	at := end
	switch p.lower(end, p.letters(end)) {
	case "st", "nd", "rd", "th":
		at = p.letters(end)
	}
	if p.has(at, " of ") {
		at += len(" of")
	}
	at = p.space(at, 1)
	if next := p.letters(at); isMonth(p.text(at, next)) && at > end {
		return true
	}
	if r := p.rune(i - 1); r == '-' || r == '–' {
		if to := p.lettersBefore(p.digitsBefore(i-1) - 1); to < i-1 && isMonth(p.text(to, p.digitsBefore(i-1)-1)) {
			return true // April 3-5
		}
	}
	before := p.spaceBefore(i)
	if p.rune(before-1) == '.' {
		before--
	}
	start := p.lettersBefore(before)
	month := p.text(start, before)
	if !isMonth(month) || before == i {
		return false
	}
	// "may 12 funds" is a verb, "May 12" a date.
	return p.rune(end) != '%' && p.rune(end) != '.' || !p.digit(end+1)
}

// digitsBefore is the start of the run of digits that ends before i.
func (p *page) digitsBefore(i int) int {
	for p.digit(i - 1) {
		i--
	}
	return i
}

func isMonth(word string) bool {
	switch word {
	case "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
		"Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Sept", "Oct", "Nov", "Dec":
		return true
	}
	return false
}

func isYear(n int) bool { return n >= 1900 && n < 2100 }

// year tells four digits that are a year from four that count something: prices
// are given at, and things follow what is counted.
func (p *page) year(i, end int) (int, Class) {
	if !isYear(p.number(i, end)) || isSign(p.rune(i-1)) || p.rune(i-1) == '+' || p.rune(i-1) == '=' || p.rune(end) == '%' || p.rune(end) == '$' {
		return i, ""
	}
	if r := p.rune(end); (r == '.' || r == ',' || r == '/') && p.digit(end+1) {
		return i, ""
	}
	switch p.lower(end, p.letters(end)) {
	case "s", "e", "a", "f", "h", "fy", "q":
		return p.letters(end), Year // the 1990s, 2025e
	case "":
	default:
		return i, ""
	}
	start := p.lettersBefore(p.spaceBefore(i))
	before := p.text(start, p.spaceBefore(i))
	if currencyCode(before) != "" && len(before) > 2 {
		return i, ""
	}
	if c := p.inColumn(i); c != nil && (c.kind != Plain || c.currency != "" || c.scale != 0) {
		return i, ""
	}
	if s := p.suffixAt(end, false); isHan(p.rune(end)) && s.end > end {
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
	return end, Year
}

// countsThings reports whether a unit or something that is counted follows.
func (p *page) countsThings(end int) bool {
	at := p.space(end, 1)
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
	return isSpan(p.noun(end))
}
