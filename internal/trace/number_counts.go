package trace

import (
	"strings"

	"github.com/shopspring/decimal"
)

// classifyCount tells the numbers that count the parts of the text itself (3 reasons),
// and those that measure a stretch of time.
func (p *scanner) classifyCount(n *Number, b digitRun) {
	if n.Currency != "" && p.isBase(n) {
		n.Class = ClassName
	}
	if n.Kind != UnitPlain || n.Currency != "" || n.Scaled || b.decimals > 0 || n.Sign != 0 {
		return
	}
	switch {
	case len(b.digits) <= 2 && isPart(n.Noun):
		n.Class = ClassPlace
	case len(b.digits) <= 3 && IsTimeUnit(n.Noun) && (p.aroundToday(n.From) || TimeUnit(n.Noun) == "hour"):
		n.Class, n.Soft = ClassPeriod, true
	}
}

// isBase reports whether an amount is what a rate is given for: 1 USD = 151.34
// JPY, of every $100.
func (p *scanner) isBase(n *Number) bool {
	if n.Value.Equal(decimalOne) {
		at := p.Space(n.To, 1)
		return p.Rune(at) == '=' || p.Has(at, "buys") || p.Has(at, "is worth")
	}
	end := p.SpaceBefore(n.From)
	word := p.Lower(p.LettersBefore(end), end)
	return (word == "every" || word == "each" || word == "per") && n.Value.Equal(decimal.New(1, int32(n.Value.NumDigits())+n.Value.Exponent()-1))
}

// aroundToday reports whether a stretch of time before i is counted from now: the
// last 5 years, the next 12 months.
func (p *scanner) aroundToday(i int) bool {
	end := p.SpaceBefore(i)
	switch p.Lower(p.LettersBefore(end), end) {
	case "last", "past", "next", "previous", "prior", "coming", "trailing", "following", "recent", "every", "first", "final":
		return true
	}
	return false
}

// noun is the word after a number, in the singular: shares is share.
func (p *scanner) noun(end int) string {
	at := p.Space(end, 1)
	if p.Rune(at) == '-' && at == end {
		at++
	}
	if IsHan(p.Rune(at)) {
		return p.hanNoun(at)
	}
	word := strings.ToLower(p.Text(at, p.Letters(at)))
	if len(word) > 2 && !strings.HasSuffix(word, "ss") {
		word = strings.TrimSuffix(word, "s")
	}
	switch word {
	case "key":
		return "part" // of the text: 4 key points
	case "main", "big", "simple", "important", "major", "quick", "practical", "other", "trading", "calendar", "business", "more", "full":
		return p.noun(p.Letters(at))
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
