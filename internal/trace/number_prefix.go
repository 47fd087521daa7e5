package trace

import (
	"strings"
)

// prefix is what stands before the digits of a number.
type prefix struct {
	from      int
	currency  string
	sign      int8
	direction int8
	hedge     hedge
}

// prefix reads currency, sign and the words that qualify a number, backwards from
// its first digit.
func (p *scanner) prefix(i int) prefix {
	h := prefix{from: i}
	p.signBefore(&h)
	p.currencyBefore(&h)
	p.signBefore(&h)
	p.wordsBefore(&h)
	return h
}

// signBefore reads a sign that belongs to the number: the dash of a range or of a
// list does not.
func (p *scanner) signBefore(h *prefix) {
	if h.sign != 0 {
		return
	}
	i := h.from - 1
	switch p.Rune(i) {
	case '±', '~', '≈':
		h.from, h.hedge = i, hedgeAbout
		if p.Rune(i) == '±' {
			h.hedge = hedgeNone
		}
		return
	case '>', '≥':
		h.hedge = hedgeOver
		return
	case '<', '≤':
		h.hedge = hedgeUnder
		return
	case '-', '–', '+':
	default:
		return
	}
	if p.Rune(i-1) == '/' && p.Rune(i-2) == '+' {
		h.from = i - 2 // +/-5 %
		return
	}
	before := p.Rune(i - 1)
	if IsDigit(before) || IsLatin(before) || strings.ContainsRune("%)]-–", before) {
		return
	}
	if p.Rune(i) == '–' && before == ' ' && p.Digit(i-2) {
		return
	}
	h.from, h.sign = i, -1
	if p.Rune(i) == '+' {
		h.sign = 1
	}
}

// currencyBefore reads $, US$, USD, 人民币 and the like.
func (p *scanner) currencyBefore(h *prefix) {
	if h.currency != "" {
		return
	}
	if r := p.Rune(h.from - 1); IsCurrencySign(r) {
		start := p.LettersBefore(h.from - 1)
		if code := CurrencyOf(p.Text(start, h.from)); code != "" && start < h.from-1 {
			h.currency, h.from = code, start
			return
		}
		h.currency, h.from = CurrencyOf(string(r)), h.from-1
		return
	}
	end := h.from
	if r := p.Rune(end - 1); r == ' ' || r == NBSP {
		end--
	}
	start := p.LettersBefore(end)
	if end-start >= 2 && !p.Digit(start-1) && p.Rune(start-1) != '/' {
		if code := CurrencyOf(p.Text(start, end)); code != "" && IsUpper(p.Rune(start)) {
			h.currency, h.from = code, start
			return
		}
	}
	if IsHan(p.Rune(end - 1)) {
		if word, code := HanCurrencyBefore(p.Text(end-MaxHanCurrency, end)); word != "" {
			h.currency, h.from = code, end-len([]rune(word))
		}
	}
}

// wordsBefore reads the words that qualify a number: about 5, more than 5, fell 5.
func (p *scanner) wordsBefore(h *prefix) {
	end := h.from
	for range 3 {
		if p.hanBefore(h, &end) {
			continue
		}
		at := p.LettersBefore(p.SpaceBefore(end))
		word := p.Lower(at, p.SpaceBefore(end))
		if word == "" || end-at > 16 {
			return
		}
		switch {
		case word == "by" || word == "a" || word == "an" || word == "than" || word == "least" || word == "most":
		case hedgeOf(word) != hedgeNone:
			if h.hedge == hedgeNone {
				h.hedge = hedgeOf(word)
			}
		default:
			h.direction = directionOf(word)
			return
		}
		end = at
	}
}

func hedgeOf(word string) hedge {
	switch word {
	case "about", "around", "roughly", "approximately", "approx", "circa", "some", "near":
		return hedgeAbout
	case "over", "above", "exceeding", "exceeds", "exceeded", "more":
		return hedgeOver
	case "nearly", "almost", "under", "below", "less", "just":
		return hedgeUnder
	}
	return hedgeNone
}

// directionOf is the direction a verb gives the number after it.
func directionOf(word string) int8 {
	switch word {
	case "fell", "falls", "fallen", "dropped", "drops", "declined", "declines", "lost", "loses", "down", "decreased", "slid", "shed",
		"shrank", "tumbled", "slumped", "sank":
		return -1
	case "rose", "rises", "risen", "gained", "gains", "up", "grew", "grows", "grown", "increased", "increases", "climbed", "climbs", "added",
		"jumped", "surged", "rallied":
		return 1
	}
	return 0
}

// hanBefore reads a Chinese word that qualifies what follows it, moves end before
// it, and reports whether there was one.
func (p *scanner) hanBefore(h *prefix, end *int) bool {
	at := *end
	for p.Rune(at-1) == '了' || p.Rune(at-1) == ' ' || p.Rune(at-1) == '*' {
		at--
	}
	if !IsHan(p.Rune(at - 1)) {
		return false
	}
	for _, w := range hanQualifiers {
		if !p.HasBefore(at, w.word) {
			continue
		}
		if w.hedge != hedgeNone && h.hedge == hedgeNone {
			h.hedge = w.hedge
		}
		if w.way != 0 {
			h.direction = w.way
		}
		*end = at - len([]rune(w.word))
		return w.way == 0
	}
	return false
}

var hanQualifiers = [...]struct {
	word  string
	hedge hedge
	way   int8
}{
	{"大约", hedgeAbout, 0}, {"约为", hedgeAbout, 0}, {"约", hedgeAbout, 0}, {"大概", hedgeAbout, 0}, {"左右", hedgeAbout, 0},
	{"超过", hedgeOver, 0}, {"高于", hedgeOver, 0}, {"逾", hedgeOver, 0}, {"超", hedgeOver, 0},
	{"不到", hedgeUnder, 0}, {"不足", hedgeUnder, 0}, {"低于", hedgeUnder, 0}, {"接近", hedgeUnder, 0}, {"将近", hedgeUnder, 0}, {"近", hedgeUnder, 0},
	{"下跌", hedgeNone, -1}, {"下降", hedgeNone, -1}, {"减少", hedgeNone, -1}, {"跌", hedgeNone, -1}, {"降", hedgeNone, -1},
	{"上涨", hedgeNone, 1}, {"增长", hedgeNone, 1}, {"上升", hedgeNone, 1}, {"增加", hedgeNone, 1}, {"涨", hedgeNone, 1},
}

// hedgedAfter reports whether a number is qualified by what follows: 100万左右.
func (p *scanner) hedgedAfter(end int) bool {
	return p.Has(end, "左右") || p.Has(end, "上下") || p.Has(end, "多") || p.Has(end, " or so")
}

// ratio reads 3-for-1, 2.5 to 1, 1:4 and 2/3; its value is the first by the
// second. Both are small as people say them: 1:1e17 is none.
func (p *scanner) ratio(b digitRun) (Number, bool) {
	at, joint := b.end, ""
	for _, j := range [...]string{"-for-", " for ", "-to-", " to ", ":", "/"} {
		if p.Has(at, j) && p.Digit(at+len(j)) {
			joint = j
			break
		}
	}
	if joint == "" || b.decimals > 2 || b.exponent != 0 {
		return Number{}, false
	}
	second, ok := p.digitRun(at + len(joint))
	if !ok || second.exponent != 0 || len(b.digits) > 4 || len(second.digits) > 4 || p.Rune(second.end) == '%' || p.Latin(second.end) {
		return Number{}, false
	}
	if (joint == " to " || joint == " for ") && second.digits != "1" {
		return Number{}, false
	}
	a, c := p.numberFrom(b, 0), p.numberFrom(second, 0)
	n := Number{Class: ClassFigure, Kind: UnitRatio, From: b.start, To: second.end}
	switch {
	case c.Value.IsZero():
		return Number{}, false
	case joint == "/" && a.Value.Add(c.Value).Equal(decimalHundred), joint == "/" && a.Value.GreaterThanOrEqual(c.Value):
		n.Class = ClassName // a 60/40 portfolio, 24/7
		return n, true
	}
	n.Value = a.Value.DivRound(c.Value, 12)
	n.Unit = a.Unit.DivRound(c.Value, 12)
	return n, true
}
