package trace

import (
	"slices"
	"strconv"
	"strings"
)

// label is the part that the labels of several figures have in common: "MSFT close on 2022-05-31" and "MSFT
// close on 2022-06-28" differ only in the day, others only in the symbol.
type label struct {
	terms   []term
	numbers []string
	words   []string // that name neither a measure nor a symbol
	facts   []int
	kind    UnitKind
	isRow   bool // a row of a table in a document, whose cells name nothing
}

// addLabel adds the fact at an index to the label that it shares with others.
func (e *Sources) addLabel(at int) {
	f := &e.facts[at]
	l := label{numbers: f.numbers, words: f.extra, kind: f.kind, isRow: strings.Contains(f.Label, " | ")}
	for _, t := range f.meaning.terms {
		if t.group != "direction" && t.name != "change" { // any measure may rise
			l.terms = append(l.terms, t)
		}
	}
	names := f.meaning.names()
	for _, i := range e.labelsByMeasure[names[0]] {
		if same := e.labels[i]; same.kind == l.kind && slices.Equal(same.terms, l.terms) && slices.Equal(same.numbers, l.numbers) && slices.Equal(same.words, l.words) {
			e.labels[i].facts = append(same.facts, at)
			f.label = i
			return
		}
	}
	l.facts = []int{at}
	f.label = len(e.labels)
	e.labels = append(e.labels, l)
	for _, name := range names {
		e.labelsByMeasure[name] = append(e.labelsByMeasure[name], f.label)
	}
}

// isDefault reports whether a detail is usually not stated: the last close, the total return.
func (t term) isDefault() bool {
	return t.group == "order" && t.name == "last" || t.group == "basis" && t.name == "total"
}

// naming is what a text says around one of its numbers, as terms and words.
type naming struct {
	terms, before, near []term // of the text up to the end of the sentence, up to the number, and next to it
	words               []word
	from, at, to        int // the bytes next to the number, and its own
	numbers             []string
	han                 bool
	offset              int // of the words in the document
}

// namingOf returns what the text says around the number at a token, or of its row and column.
func (x *tokenIndex) namingOf(at int) *naming {
	out := &naming{}
	n := &x.numbers[x.tokens[at].number]
	if c := x.d.cellAt(n.from); c != nil {
		text := c.row + " " + c.head
		row, column := x.head(c.row), x.head(c.head)
		out.near = slices.Concat(row.meaning.terms, column.meaning.terms)
		out.terms, out.numbers, out.words, out.to, out.han = out.near, slices.Concat(row.numbers, column.numbers), wordsIn(text), len(text), isHan(text)
		return out
	}
	first, last := x.sentenceAt(at)
	*out = x.saidIn(first, last)
	start, end := at, at+1
	for start > first && x.tokens[start-1].kind != tokenFigure {
		start--
	}
	if start > first { // 13.7% for the index, and 26.9%
		if i := slices.IndexFunc(x.tokens[start:at], func(t token) bool { return t.kind == tokenBreak }); i >= 0 {
			start += i
		}
	}
	for end < last && x.tokens[end].kind != tokenFigure && x.tokens[end].kind != tokenBreak && !x.isComparison(end) {
		end++
	}
	for i := start; i < end; i++ {
		if t := x.tokens[i]; !follows(x.d.before(t.start), "than from over versus vs against", "比 较 从") {
			out.near = append(out.near, t.terms...)
		}
	}
	for i := x.paragraphStart(first); i < at; i++ {
		out.before = append(out.before, x.tokens[i].terms...)
	}
	own := leadingDigits(n.Text)
	out.numbers = slices.Clone(out.numbers)
	if i := slices.Index(out.numbers, own); i >= 0 {
		out.numbers = slices.Delete(out.numbers, i, i+1)
	}
	out.from, out.at, out.to = max(0, x.endBefore(start)-out.offset), x.tokens[at].start-out.offset, x.startOf(end)-out.offset
	return out
}

// isComparison reports whether a token compares with what follows: below the benchmark's 1.04.
func (x *tokenIndex) isComparison(i int) bool {
	t := x.tokens[i]
	return t.kind == tokenTerms && isOneOf(strings.ToLower(x.d.text[t.start:t.end]), "above below")
}

// paragraphStart returns the first token of the paragraph that the sentence at a token is in.
func (x *tokenIndex) paragraphStart(first int) int {
	start := first
	for start > 0 && x.tokens[start-1].kind != tokenLine && first-start < maxSentence {
		start--
	}
	return start
}

// endBefore returns where the previous token ends, or the start of the text.
func (x *tokenIndex) endBefore(i int) int {
	if i > 0 {
		return x.tokens[i-1].end
	}
	return 0
}

// startOf returns where a token starts, or the end of the text.
func (x *tokenIndex) startOf(i int) int {
	if i < len(x.tokens) {
		return x.tokens[i].start
	}
	return len(x.d.text)
}

// saidIn returns what a sentence says, and the sentences of its paragraph before it.
func (x *tokenIndex) saidIn(first, last int) naming {
	if out, ok := x.said[first]; ok {
		return out
	}
	var out naming
	paragraph := x.paragraphStart(first)
	for i := paragraph; i < last; i++ {
		t := x.tokens[i]
		out.terms = append(out.terms, t.terms...)
		if i >= first && (t.kind == tokenFigure || t.kind == tokenNumber) {
			out.numbers = append(out.numbers, leadingDigits(x.numbers[t.number].Text))
		}
	}
	out.offset = x.endBefore(paragraph)
	text := x.d.text[out.offset:x.startOf(last)]
	out.words, out.han = wordsIn(text), isHan(text)
	for _, w := range out.words {
		if code := currencyOf(w.text); code == "$" {
			out.words = append(out.words, word{w.start, w.end, "usd"})
		} else if code != "" {
			out.words = append(out.words, word{w.start, w.end, strings.ToLower(code)})
		}
	}
	for i, name := range numberWords {
		if slices.ContainsFunc(out.words, func(w word) bool { return w.text == name }) || out.han && strings.Contains(text, hanDigits[i]+"年") {
			out.numbers = append(out.numbers, strconv.Itoa(i+1))
		}
	}
	x.said[first] = out
	return out
}

var (
	numberWords = strings.Fields("one two three four five six seven eight nine ten")
	hanDigits   = strings.Split("一二三四五六七八九十", "")
)

// has reports whether the text has one of some words.
func (s *naming) has(list string) bool {
	return slices.ContainsFunc(s.words, func(w word) bool { return isOneOf(w.text, list) })
}

// says reports whether a sentence, or one of its paragraph before it, has one of some words.
func (x *tokenIndex) says(first, last int, list string) bool {
	said := x.saidIn(first, last)
	return said.has(list)
}

// score counts the parts of a label that the text has next to the number, and the parts that it does not
// have at all. A part of a rival that follows only after the number counts as missing.
func (s *naming) score(l *label, rival bool) (said, unsaid int) {
	for _, t := range l.terms {
		switch {
		case slices.Contains(s.near, t):
			said++
		case t.isDefault():
		case !slices.Contains(s.terms, t), rival && !slices.Contains(s.before, t):
			unsaid++
		}
	}
	for _, number := range l.numbers {
		if slices.Contains(s.numbers, number) {
			said++
		} else {
			unsaid++
		}
	}
	if s.han { // labels are in English
		return said, unsaid
	}
	for _, name := range l.words {
		if slices.ContainsFunc(s.words, func(w word) bool { return w.start >= s.from && w.end <= s.to && sameStem(w.text, name) }) {
			said++
		} else if !slices.ContainsFunc(s.words, func(w word) bool { return !(rival && w.start > s.at) && sameStem(w.text, name) }) {
			unsaid++
		}
	}
	return said, unsaid
}

// sameStem reports whether two words are forms of one: save, saved, saving; after, afterwards.
func sameStem(a, b string) bool {
	a = strings.TrimSuffix(strings.TrimSuffix(a, "s"), "ward")
	b = strings.TrimSuffix(strings.TrimSuffix(b, "s"), "ward")
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	return a == b || same >= 3 && len(a)-same <= 3 && len(b)-same <= 3 && same*2 > max(len(a), len(b))
}

// rival returns a figure with another value that the text names better than f: "the worst drawdown was
// 56.8%" names that of a strategy, and not "benchmark max drawdown". It returns nil if there is none.
func (e *Sources) rival(x *tokenIndex, token int, n *Number, c *claim, f *fact) *fact {
	if token < 0 || f.input || e.labels[f.label].isRow || n.paired || c.atStart || slices.ContainsFunc(c.periods, func(p period) bool { return p.role == roleStart }) {
		return nil
	}
	names := f.meaning.names()
	if c.direct && len(c.meanings) == 1 {
		names = append(names, c.meanings[0].names()...)
	}
	var labels []int
	for _, name := range names {
		for _, i := range e.labelsByMeasure[name] {
			if !slices.Contains(labels, i) && !e.labels[i].isRow {
				labels = append(labels, i)
			}
		}
	}
	if len(labels) < 2 {
		return nil
	}
	text := x.namingOf(token)
	if text.has("between range ranging") {
		return nil // of several figures
	}
	exact := n.significant() >= 4 // hardly by chance
	at := f.label
	said, unsaid := text.score(&e.labels[at], false)
	var contradicts *fact // unless the number belongs to another label that the text also names
	for next := 0; next < len(labels); next++ {
		i := labels[next]
		if i == at {
			continue
		}
		more, less := text.score(&e.labels[i], true)
		if text.han && more == said {
			less += len(e.labels[i].words)
		}
		if more == 0 || more < said || less > unsaid || more == said && (less == unsaid || exact && said > 0) {
			continue
		}
		var found *fact
		stated := false
		for _, k := range e.labels[i].facts {
			g := &e.facts[k]
			if g.Unit != f.Unit || g.currency != f.currency || g.planYear != f.planYear && g.planYear != c.planYear || !slices.Equal(g.symbols, f.symbols) || !c.suits(g) || e.isPartOf(x, token, g) {
				continue
			}
			found = g
			if stated = e.states(n, g); stated {
				break
			}
		}
		switch {
		case stated: // the number is this figure: is another named better still?
			at = i
			said, unsaid = text.score(&e.labels[at], false)
			next, contradicts = -1, nil
		case found != nil && contradicts == nil:
			contradicts = found
		}
	}
	return contradicts
}

// isPartOf reports whether a fact is the part in "5 GiB of 8 GiB are available", where the number at the
// token is the whole.
func (e *Sources) isPartOf(x *tokenIndex, token int, f *fact) bool {
	if token == 0 || x.tokens[token-1].kind != tokenFigure || !follows(x.d.before(x.tokens[token].start), "of", "") {
		return false
	}
	return e.states(&x.numbers[x.tokens[token-1].number], f)
}

// states reports whether a number has the value of a fact.
func (e *Sources) states(n *Number, f *fact) bool {
	low, high := n.bounds()
	return slices.ContainsFunc(shifts(n), func(shift int32) bool {
		size := f.value.Abs()
		return e.fits(n, f, shift) && size.GreaterThanOrEqual(low.Shift(shift)) && size.LessThanOrEqual(high.Shift(shift))
	})
}
