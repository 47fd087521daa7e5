package trace

import (
	"strings"
)

// suffix is what a number is followed by.
type suffix struct {
	end      int
	kind     UnitKind
	currency string
	scale    int32
	scaled   bool
	name     bool  // letters that make it a name: 10-K, 13F
	class    Class // of what is no figure: 12th, 10y
}

// suffixAt reads the unit of the number that ends at i. Scale, currency and per
// cent may follow each other: "3.2 bn USD", "3.2万亿美元".
func (p *scanner) suffixAt(i int, money bool) suffix {
	s := suffix{end: i}
	for range 3 {
		next := s
		if !p.oneUnit(&next, money || s.currency != "") {
			return s
		}
		s = next
		if s.kind != UnitPlain || s.name || s.class != "" {
			return s
		}
	}
	return s
}

// oneUnit reads one word or sign of a unit, and reports whether there was one.
func (p *scanner) oneUnit(s *suffix, money bool) bool {
	i := s.end
	at := p.Space(i, 1)
	r := p.Rune(at)
	switch {
	case r == '%':
		return s.percent(p, at+1)
	case r == '‰':
		s.kind, s.scale, s.end = UnitPercent, s.scale-1, at+1
		return true
	case IsCurrencySign(r) && s.currency == "" && !p.Digit(at+1):
		s.currency, s.end = CurrencyOf(string(r)), at+1
		return true
	case IsHan(r) || r == '円':
		return p.hanUnit(s, at)
	case IsLatin(r):
		return p.latinUnit(s, at, at == i, money)
	case r == '-' && at == i && p.Latin(at+1):
		return p.hyphenUnit(s, at+1)
	case r == '(' && at == i && p.Latin(at+1) && p.Rune(at+2) == ')':
		s.name, s.end = true, at+3 // 401(k)
		return true
	}
	return false
}

func (s *suffix) percent(p *scanner, end int) bool {
	s.kind, s.end = UnitPercent, end
	for _, word := range []string{" points", "-points", " point", "-point", "点", " pts"} {
		if p.Has(end, word) && !p.Latin(end+len([]rune(word))) {
			s.kind, s.end = UnitPoints, end+len([]rune(word))
			return true
		}
	}
	return true
}

// latinUnit reads a word after a number, which may be joined to it.
func (p *scanner) latinUnit(s *suffix, at int, joined, money bool) bool {
	end := p.Letters(at)
	word := p.Text(at, end)
	if p.Digit(end) || joined && p.Rune(end) == '-' && p.Digit(end+1) {
		s.name = joined
		s.end = end
		return joined
	}
	lower := strings.ToLower(word)
	if kind, to := p.rate(lower, end); kind != UnitPlain {
		s.kind, s.end = kind, to
		return true
	}
	if scale, ok := ScaleOf(lower); ok && !s.scaled && (len(word) > 1 || joined || money) && !p.otherWord(word, joined, end) {
		s.scale, s.scaled, s.end = s.scale+scale, true, end
		return true
	}
	if lower == "cents" || lower == "cent" {
		s.currency, s.scale, s.scaled, s.end = "$", s.scale-2, true, end
		return true
	}
	if code := CurrencyOf(word); code != "" && s.currency == "" && (len(word) > 2 || joined) {
		s.currency, s.end = code, end
		return true
	}
	if joined && !s.scaled {
		return s.joined(p, word, end)
	}
	return false
}

// otherWord tells a scale from a word that begins alike: "12 m" is a length, and
// in "5 t" it is a weight.
func (p *scanner) otherWord(word string, joined bool, end int) bool {
	return !joined && len(word) == 1 && IsLatin(p.Rune(end))
}

// joined reads letters that stand at a number's end and are no unit of value.
func (s *suffix) joined(p *scanner, word string, end int) bool {
	s.end = end
	switch word {
	case "p":
		s.currency = "GBp"
	case "st", "nd", "rd", "th":
		s.class = ClassOrdinal
	case "y", "Y", "yr", "yrs", "d", "D", "w", "W", "mo", "h", "hr", "hrs", "min", "q":
		s.class = ClassPeriod
	case "ms", "s", "GB", "MB", "KB", "GiB", "MiB", "KiB", "am", "pm":
		s.end = end - len(word)
		return false
	default:
		s.name = true
	}
	return true
}

// rate reads per cent, points and multiples.
func (p *scanner) rate(word string, end int) (UnitKind, int) {
	next := func(words ...string) (int, bool) {
		at := end
		if r := p.Rune(at); r == ' ' || r == '-' || r == NBSP {
			at++
		}
		to := p.Letters(at)
		got := strings.ToLower(p.Text(at, to))
		for _, w := range words {
			if got == w {
				return to, true
			}
		}
		return end, false
	}
	switch word {
	case "percent", "pct", "percentage":
		if to, ok := next("point", "points", "pts"); ok {
			return UnitPoints, to
		}
		if word != "percentage" {
			return UnitPercent, end
		}
	case "per":
		if to, ok := next("cent"); ok {
			return UnitPercent, to
		}
	case "pp", "pps", "ppt", "ppts":
		return UnitPoints, end
	case "bp", "bps":
		return UnitBasisPoints, end
	case "basis":
		if to, ok := next("point", "points"); ok {
			return UnitBasisPoints, to
		}
	case "x", "times":
		return UnitMultiple, end
	}
	return UnitPlain, end
}

// hyphenUnit reads a word joined by a hyphen: a unit in "5-percent", and else
// part of a name or a period, as in 10-K and 52-week.
func (p *scanner) hyphenUnit(s *suffix, at int) bool {
	end := p.Letters(at)
	word := strings.ToLower(p.Text(at, end))
	if kind, to := p.rate(word, end); kind != UnitPlain && word != "x" && word != "times" {
		s.kind, s.end = kind, to
		return true
	}
	if scale, ok := ScaleOf(word); ok && len(word) > 1 && !s.scaled {
		s.scale, s.scaled, s.end = s.scale+scale, true, end
		return true
	}
	if s.scaled || s.currency != "" {
		return false
	}
	switch word {
	case "year", "month", "week", "day", "hour", "minute", "quarter", "session", "yr", "fold":
		s.class, s.end = ClassPeriod, end
	case "for":
		return false // 3-for-1
	default:
		s.name, s.end = true, end
	}
	return true
}
