package figures

import "strings"

// prefix is what stands before the digits of a number.
type prefix struct {
	from     int
	currency string
	sign     int8
	way      int8
	hedge    hedge
}

// prefix reads currency, sign and the words that qualify a number, backwards from
// its first digit.
func (p *page) prefix(i int) prefix {
	h := prefix{from: i}
	p.signBefore(&h)
	p.currencyBefore(&h)
	p.signBefore(&h)
	p.wordsBefore(&h)
	return h
}

// signBefore reads a sign that belongs to the number: the dash of a range or of a
// list does not.
func (p *page) signBefore(h *prefix) {
	if h.sign != 0 {
		return
	}
	i := h.from - 1
	switch p.rune(i) {
	case '±', '~', '≈':
		h.from, h.hedge = i, about
		if p.rune(i) == '±' {
			h.hedge = exact
		}
		return
	case '>', '≥':
		h.hedge = over
		return
	case '<', '≤':
		h.hedge = under
		return
	case '-', '–', '+':
	default:
		return
	}
	if p.rune(i-1) == '/' && p.rune(i-2) == '+' {
		h.from = i - 2 // +/-5 %
		return
	}
	before := p.rune(i - 1)
	if isDigit(before) || isLatin(before) || strings.ContainsRune("%)]-–", before) {
		return
	}
	if p.rune(i) == '–' && before == ' ' && p.digit(i-2) {
		return
	}
	h.from, h.sign = i, -1
	if p.rune(i) == '+' {
		h.sign = 1
	}
}

// currencyBefore reads $, US$, USD, 人民币 and the like.
func (p *page) currencyBefore(h *prefix) {
	if h.currency != "" {
		return
	}
	if r := p.rune(h.from - 1); isSign(r) {
		start := p.lettersBefore(h.from - 1)
		if code := currencyCode(p.text(start, h.from)); code != "" && start < h.from-1 {
			h.currency, h.from = code, start
			return
		}
		h.currency, h.from = currencyCode(string(r)), h.from-1
		return
	}
	end := h.from
	if r := p.rune(end - 1); r == ' ' || r == nbsp {
		end--
	}
	start := p.lettersBefore(end)
	if end-start >= 2 && !p.digit(start-1) && p.rune(start-1) != '/' {
		if code := currencyCode(p.text(start, end)); code != "" && isUpper(p.r[start]) {
			h.currency, h.from = code, start
			return
		}
	}
	for _, word := range hanCurrencies {
		if len(word) > len("元") && p.hasBefore(end, word) {
			h.currency, h.from = currencyCode(word), end-len([]rune(word))
			return
		}
	}
}

// wordsBefore reads the words that qualify a number: about 5, more than 5, fell 5.
func (p *page) wordsBefore(h *prefix) {
	end := h.from
	for range 3 {
		if p.hanBefore(h, &end) {
			continue
		}
		at := p.lettersBefore(p.spaceBefore(end))
		word := p.lower(at, p.spaceBefore(end))
		if word == "" || end-at > 16 {
			return
		}
		switch {
		case word == "by" || word == "a" || word == "an" || word == "than" || word == "least" || word == "most":
		case hedgeOf(word) != exact:
			if h.hedge == exact {
				h.hedge = hedgeOf(word)
			}
		default:
			h.way = wayOf(word)
			return
		}
		end = at
	}
}

// spaceBefore is i without the blanks and marks of emphasis before it.
func (p *page) spaceBefore(i int) int {
	for strings.ContainsRune(" *_(", p.rune(i-1)) || p.rune(i-1) == nbsp {
		i--
	}
	return i
}

func (p *page) lower(i, j int) string { return strings.ToLower(p.text(i, j)) }

func hedgeOf(word string) hedge {
	switch word {
	case "about", "around", "roughly", "approximately", "approx", "circa", "some", "near":
		return about
	case "over", "above", "exceeding", "exceeds", "exceeded", "more":
		return over
	case "nearly", "almost", "under", "below", "less", "just":
		return under
	}
	return exact
}

// wayOf is the direction a verb gives the number after it.
func wayOf(word string) int8 {
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
func (p *page) hanBefore(h *prefix, end *int) bool {
	at := *end
	for p.rune(at-1) == '了' || p.rune(at-1) == ' ' || p.rune(at-1) == '*' {
		at--
	}
	if !isHan(p.rune(at - 1)) {
		return false
	}
	for _, w := range hanQualifiers {
		if !p.hasBefore(at, w.word) {
			continue
		}
		if w.hedge != exact && h.hedge == exact {
			h.hedge = w.hedge
		}
		if w.way != 0 {
			h.way = w.way
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
	{"大约", about, 0}, {"约为", about, 0}, {"约", about, 0}, {"大概", about, 0}, {"左右", about, 0},
	{"超过", over, 0}, {"高于", over, 0}, {"逾", over, 0}, {"超", over, 0},
	{"不到", under, 0}, {"不足", under, 0}, {"低于", under, 0}, {"接近", under, 0}, {"将近", under, 0}, {"近", under, 0},
	{"下跌", exact, -1}, {"下降", exact, -1}, {"减少", exact, -1}, {"跌", exact, -1}, {"降", exact, -1},
	{"上涨", exact, 1}, {"增长", exact, 1}, {"上升", exact, 1}, {"增加", exact, 1}, {"涨", exact, 1},
}

// hedgedAfter reports whether a number is qualified by what follows: 100万左右.
func (p *page) hedgedAfter(end int) bool {
	return p.has(end, "左右") || p.has(end, "上下") || p.has(end, "多") || p.has(end, " or so")
}

// ratio reads 3-for-1, 2.5 to 1, 1:4 and 2/3; its value is the first by the
// second.
func (p *page) ratio(b body) (Number, bool) {
	at, joint := b.end, ""
	for _, j := range [...]string{"-for-", " for ", "-to-", " to ", ":", "/"} {
		if p.has(at, j) && p.digit(at+len(j)) {
			joint = j
			break
		}
	}
	if joint == "" || b.decimals > 2 {
		return Number{}, false
	}
	second, ok := p.body(at + len(joint))
	if !ok || len(b.digits) > 4 || len(second.digits) > 4 || p.rune(second.end) == '%' || p.latin(second.end) {
		return Number{}, false
	}
	if (joint == " to " || joint == " for ") && second.digits != "1" {
		return Number{}, false
	}
	a, c := p.valued(b, 0), p.valued(second, 0)
	n := Number{Class: Figure, Kind: Ratio, from: b.start, to: second.end}
	switch {
	case c.Value.IsZero():
		return Number{}, false
	case joint == "/" && a.Value.Add(c.Value).Equal(hundred), joint == "/" && a.Value.GreaterThanOrEqual(c.Value):
		n.Class = Name // a 60/40 portfolio, 24/7
		return n, true
	}
	n.Value = a.Value.DivRound(c.Value, 12)
	n.Unit = a.Unit.DivRound(c.Value, 12)
	return n, true
}
