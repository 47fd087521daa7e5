package figures

import (
	"strings"

	"github.com/shopspring/decimal"
)

// counted tells the numbers that count the parts of the text itself (3 reasons),
// and those that measure a stretch of time.
func (p *page) counted(n *Number, b body) {
	if n.Currency != "" && p.isBase(n) {
		n.Class = Name
	}
	if n.Kind != Plain || n.Currency != "" || n.scaled || b.decimals > 0 || n.sign != 0 {
		return
	}
	switch {
	case len(b.digits) <= 2 && isPart(n.noun):
		n.Class = Place
	case len(b.digits) <= 3 && isSpan(n.noun) && (p.aroundToday(n.from) || spanOf(n.noun) == "hour"):
		n.Class, n.soft = Period, true
	}
}

// isBase reports whether an amount is what a rate is given for: 1 USD = 151.34
// JPY, of every $100.
func (p *page) isBase(n *Number) bool {
	if n.Value.Equal(one) {
		at := p.space(n.to, 1)
		return p.rune(at) == '=' || p.has(at, "buys") || p.has(at, "is worth")
	}
	end := p.spaceBefore(n.from)
	word := p.lower(p.lettersBefore(end), end)
	return (word == "every" || word == "each" || word == "per") && n.Value.Equal(decimal.New(1, int32(n.Value.NumDigits())+n.Value.Exponent()-1))
}

// aroundToday reports whether a stretch of time before i is counted from now: the
// last 5 years, the next 12 months.
func (p *page) aroundToday(i int) bool {
	end := p.spaceBefore(i)
	switch p.lower(p.lettersBefore(end), end) {
	case "last", "past", "next", "previous", "prior", "coming", "trailing", "following", "recent", "every", "first", "final":
		return true
	}
	return false
}

// noun is the word after a number, in the singular: shares is share.
func (p *page) noun(end int) string {
	at := p.space(end, 1)
	if p.rune(at) == '-' && at == end {
		at++
	}
	if isHan(p.rune(at)) {
		return p.hanNoun(at)
	}
	word := strings.ToLower(p.text(at, p.letters(at)))
	if len(word) > 2 && !strings.HasSuffix(word, "ss") {
		word = strings.TrimSuffix(word, "s")
	}
	switch word {
	case "key":
		return "part" // of the text: 4 key points
	case "main", "big", "simple", "important", "major", "quick", "practical", "other", "trading", "calendar", "business", "more", "full":
		return p.noun(p.letters(at))
	}
	return word
}

// isPart reports whether a noun, in the singular, is one for parts of a text.
func isPart(noun string) bool {
	switch noun {
	case "reason", "thing", "step", "factor", "risk", "option", "scenario", "way", "question", "part", "section",
		"takeaway", "idea", "example", "caveat", "note", "lesson", "rule", "item", "bullet", "assumption", "approache", "approach",
		"原因", "方面", "要点", "步骤", "因素", "风险", "问题", "建议", "选项", "情景", "例子", "部分", "理由", "关键":
		return true
	}
	return false
}

// isSpan reports whether a noun, in the singular, is one for a stretch of time.
func isSpan(noun string) bool { return spanOf(noun) != "" }

// spanOf is the plain name of a unit of time, or "".
func spanOf(noun string) string {
	switch noun {
	case "year", "yr", "y", "年":
		return "year"
	case "month", "mo", "个月", "月":
		return "month"
	case "quarter", "q", "季度":
		return "quarter"
	case "week", "w", "周":
		return "week"
	case "day", "session", "d", "天", "日", "交易日":
		return "day"
	case "hour", "hr", "h", "小时":
		return "hour"
	case "minute", "min", "分钟":
		return "minute"
	}
	return ""
}
