package trace

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed measures.txt
var measuresText string

// A term is what a phrase says about a figure: its measure, or a detail of it.
type term struct {
	kind  termKind
	group string // of a detail
	name  string
}

type termKind int8

const (
	termNone    termKind = iota // does not name a measure
	termMeasure                 // the figure is of this measure
	termGeneral                 // the figure is of this family of measures
	termDetail                  // tells several figures of one measure apart
	termOnly                    // a detail that a figure without it does not have
)

func (t term) isDetail() bool { return t.kind >= termDetail }

// hasDetail reports whether one of some terms is a detail.
func hasDetail(terms []term, group, name string) bool {
	return slices.ContainsFunc(terms, func(t term) bool { return t.group == group && t.name == name })
}

// phrase is a name of a measure or detail.
type phrase struct {
	words []string // or one text without spaces, in Chinese
	terms []term
}

// lexicon finds phrases by their first word, or their first character in Chinese; the longest are
// first.
type lexicon struct{ measures, details map[string][]phrase }

var readLexicon = sync.OnceValue(func() *lexicon {
	l := &lexicon{measures: map[string][]phrase{}, details: map[string][]phrase{}}
	kinds := map[string]termKind{"none": termNone, "measure": termMeasure, "general": termGeneral, "detail": termDetail, "only": termOnly}
	for line := range strings.Lines(measuresText) {
		head, list, ok := strings.Cut(line, " = ")
		fields := strings.Fields(head)
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		t := term{kind: kinds[fields[0]], name: fields[len(fields)-1]}
		phrases := l.measures
		if t.isDetail() {
			t.group, phrases = fields[1], l.details
		}
		for text := range strings.SplitSeq(list, ";") {
			addPhrase(phrases, strings.Fields(text), t)
		}
	}
	for _, phrases := range []map[string][]phrase{l.measures, l.details} {
		for _, list := range phrases {
			slices.SortStableFunc(list, func(a, b phrase) int { return len(strings.Join(b.words, " ")) - len(strings.Join(a.words, " ")) })
		}
	}
	return l
})

func addPhrase(to map[string][]phrase, words []string, t term) {
	first := words[0]
	if r, size := utf8.DecodeRuneInString(first); isHanRune(r) {
		first = first[:size]
	}
	if t.kind == termNone {
		to[first] = append(to[first], phrase{words: words})
		return
	}
	at := slices.IndexFunc(to[first], func(p phrase) bool { return slices.Equal(p.words, words) })
	if at < 0 {
		at, to[first] = len(to[first]), append(to[first], phrase{words: words})
	}
	to[first][at].terms = append(to[first][at].terms, t)
}

// findPhrase returns the longest phrase at the start of the words, and how many words it has.
func findPhrase(in map[string][]phrase, words []word) (phrase, int) {
	for _, p := range in[words[0].text] {
		if len(p.words) <= len(words) && slices.EqualFunc(p.words, words[:len(p.words)], func(a string, b word) bool { return a == b.text }) {
			return p, len(p.words)
		}
	}
	return phrase{}, 0
}

// findHan returns the longest Chinese phrase at the start of a text.
func findHan(in map[string][]phrase, text string) (phrase, int) {
	_, size := utf8.DecodeRuneInString(text)
	for _, p := range in[text[:size]] {
		if strings.HasPrefix(text, p.words[0]) {
			return p, len(p.words[0])
		}
	}
	return phrase{}, 0
}

// families are general measures that may stand for each other. "Up" may be a return or a growth.
var families = map[string]string{"change": "return growth drawdown upside goal", "return": "change", "growth": "change return", "profit": "netincome change return interest eps", "saving": "deposit payment", "endvalue": "futurevalue terminal",
	"worth": "marketvalue fairvalue npv marketcap ev equity balance price cleanprice"}

// meaning is what the words of a label, or of part of a sentence, say about a figure.
type meaning struct{ terms []term }

func (m *meaning) add(terms ...term) {
	for _, t := range terms {
		if !slices.Contains(m.terms, t) {
			m.terms = append(m.terms, t)
		}
	}
}

func (m meaning) has(name string) bool {
	return slices.ContainsFunc(m.terms, func(t term) bool { return !t.isDetail() && t.name == name })
}

// hasMeasure reports whether a measure is named, even a general one.
func (m meaning) hasMeasure() bool {
	return slices.ContainsFunc(m.terms, func(t term) bool { return !t.isDetail() })
}

// specific reports whether a measure is named that is not a general one.
func (m meaning) specific() bool {
	return slices.ContainsFunc(m.terms, func(t term) bool { return t.kind == termMeasure })
}

// allows reports whether a claim may be about a figure with the label m. Each measure that the claim
// names is one of the label's. If it names only general measures, one of them must suit. Details
// must not exclude each other.
func (m meaning) allows(claim meaning) bool {
	measured := m.hasMeasure() // not "result"
	general, suits := false, false
	for _, c := range claim.terms {
		switch c.kind {
		case termMeasure:
			if measured && !m.has(c.name) {
				return false
			}
		case termGeneral:
			general = true
			suits = suits || m.has(c.name) || m.inFamily(c, claim)
		default:
			if !claim.comparesSides(c) && !m.allowsDetail(c) {
				return false
			}
		}
	}
	return !measured || !general || suits || claim.specific()
}

// inFamily reports whether a general measure may stand for one of the label's. It may not if the claim names
// a period: the annual return is not the change of a day.
func (m meaning) inFamily(c term, claim meaning) bool {
	for _, t := range claim.terms {
		if isOneOf(c.name, "change return growth") && t.group == "basis" && !t.isDefault() && !slices.Contains(m.terms, t) {
			return false
		}
	}
	return slices.ContainsFunc(m.terms, func(t term) bool { return !t.isDetail() && isOneOf(t.name, families[c.name]) })
}

// comparesSides reports whether a detail is one of the two sides that a claim compares, a strategy and its
// benchmark: the figure may be of either or of both.
func (m meaning) comparesSides(c term) bool {
	return c.group == "side" && slices.ContainsFunc(m.terms, func(t term) bool { return t.group == c.group && t != c })
}

func (m meaning) allowsDetail(c term) bool {
	if isOneOf(c.group, "direction depth place") { // see claim.direction and fact.allows
		return true
	}
	if c.group == "extreme" { // the highest close, but also the highest return of several
		named := slices.ContainsFunc(m.terms, func(t term) bool { return t.group == c.group })
		return slices.Contains(m.terms, c) || !m.has("price") && !named
	}
	other := false
	for _, t := range m.terms {
		if t == c {
			return true
		}
		other = other || t.group == c.group && t.isDetail()
	}
	return !other && (c.kind != termOnly || !m.hasMeasure())
}

// names returns the measures, or one empty name.
func (m meaning) names() []string {
	var names []string
	for _, t := range m.terms {
		if !t.isDetail() {
			names = append(names, t.name)
		}
	}
	if names == nil {
		return []string{""}
	}
	slices.Sort(names)
	return names
}

// key returns the measures in a fixed order, to find figures of the same measure.
func (m meaning) key() string { return strings.Join(m.names(), " ") }
