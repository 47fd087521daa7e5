package trace

import (
	"strings"
)

// textContext are a page and what stands around the number that is looked at.
type textContext struct {
	*Document
	near   string // around the number that begins at nearOf-1
	nearOf int
}

// overlap counts the words of a fact's label near a number: in its sentence
// before it and shortly after it, in its row and in the head of its column.
func (p *textContext) overlap(n *Number, f *fact) int {
	if f == nil || len(f.words) == 0 {
		return 0
	}
	p.readNear(n)
	count := 0
	for _, w := range f.words {
		if strings.Contains(p.near, w) {
			count++
		}
	}
	return count
}

// How many runes before and after a number may name it.
const (
	nearBefore = 90
	nearAfter  = 40
)

// readNear keeps the surroundings of a number, in lower case and with the Chinese
// names of measures in English as well.
func (p *textContext) readNear(n *Number) {
	if p.nearOf == n.From+1 {
		return
	}
	p.nearOf = n.From + 1
	from, to := n.From, n.To
	for from > 0 && n.From-from < nearBefore && !p.SentenceEnd(from-1) {
		from--
	}
	for to < p.Len() && to-n.To < nearAfter && !p.SentenceEnd(to) {
		to++
	}
	text := p.Text(from, to)
	if c, ok := p.CellOf(n.From); ok {
		text = c.Row + " " + c.Head
	}
	p.near = strings.ToLower(inEnglish(text))
}

// before is the sentence before i, or the clause only.
func (p *textContext) before(i int, clause bool) string {
	start := i
	for start > 0 && i-start < nearBefore && !p.SentenceEnd(start-1) {
		if r := p.Rune(start - 1); clause && (r == ',' || r == '，') && !p.Digit(start) {
			break
		}
		start--
	}
	return p.Text(start, i)
}

// isHypothetical reports whether the sentence of a number speaks of a wish, of the
// user's own words, of a comparison or of another time.
func (p *textContext) isHypothetical(n *Number) bool {
	start, end := n.From, n.To
	for start > 0 && n.From-start < nearBefore && !p.SentenceEnd(start-1) {
		start--
	}
	for end < p.Len() && end-n.To < nearAfter && !p.SentenceEnd(end) {
		if r := p.Rune(end); r == ',' || r == '，' {
			break
		}
		end++
	}
	for _, w := range splitWords(p.Lower(start, end)) {
		switch w {
		case "if", "you", "your", "would", "could", "should", "assume", "assuming", "target", "expected", "forecast", "versus", "vs", "compared", "than", "higher",
			"lower", "above", "below", "or", "another", "average", "typical", "peer", "peers", "sector", "previous", "earlier", "last", "from", "between", "up", "down",
			"not", "no", "per", "each", "every", "after", "before", "until", "by", "maximum", "minimum":
			return true
		}
		if IsDigit(rune(w[0])) && len(w) >= 4 && (IsYear(parseYear(w[:4])) || strings.Count(w, "-") == 2) && !strings.Contains(p.Lower(n.From, n.To), w) {
			return true
		}
	}
	for _, w := range [...]string{"如果", "假设", "您", "你", "目标", "预期", "预计", "高于", "低于", "相比", "平均", "年的", "去年", "上年", "此前", "从"} {
		if strings.Contains(p.Text(start, end), w) {
			return true
		}
	}
	return false
}

// parseYear reads four digits; what holds anything else is 0.
func parseYear(s string) int {
	n := 0
	for _, r := range s {
		if !IsDigit(r) {
			return 0
		}
		n = 10*n + int(r-'0')
	}
	return n
}
