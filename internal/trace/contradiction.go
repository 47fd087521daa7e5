package trace

import (
	"slices"
	"strings"
)

// contradictedFact is the fact that a number names and does not state: "the annual
// return is 7.5%" where a tool gave 5.7 %. It is nil unless the name is plain: the
// words right before the number, or the row and column it stands in, are the
// figure's name and nothing else, and nothing says that another time or a wish is
// meant.
func (e *Sources) contradictedFact(p *textContext, n *Number) *fact {
	if len(e.groups) == 0 || n.Paired || n.Hedged() {
		return nil
	}
	f := e.factNamedBefore(p, n)
	if f == nil || p.isHypothetical(n) {
		return nil
	}
	return f
}

// factNamedBefore is the fact that the words before a number name, or its row and column.
func (e *Sources) factNamedBefore(p *textContext, n *Number) *fact {
	if c, ok := p.CellOf(n.From); ok {
		words := splitWords(inEnglish(c.Row + " " + c.Head))
		return e.factNamed(n, words, [2]string{c.Row + " " + c.Head})
	}
	clause := p.before(n.From, true)
	words := splitWords(clause)
	for len(words) > 0 && isConnector(strings.ToLower(words[len(words)-1])) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return nil
	}
	words = nameAtEnd(words)
	return e.factNamed(n, words, [2]string{clause, p.before(n.From, false)})
}

// nameAtEnd is the words at the end of a clause that are one name: those after
// the last word that can stand before one.
func nameAtEnd(words []string) []string {
	if last := words[len(words)-1]; strings.ContainsFunc(last, IsHan) {
		return append([]string{}, hanName(last)...)
	}
	for i := len(words) - 1; i >= 0; i-- {
		if beginsName(strings.ToLower(words[i])) {
			return words[i+1:]
		}
	}
	return words
}

// beginsName reports whether a new name may begin after a word.
func beginsName(w string) bool {
	switch w {
	case "has", "had", "have", "with", "its", "and", "while", "but", "whose", "so", "that", "shows", "gives", "gave", "their", "where", "because":
		return true
	}
	return false
}

// hanName gives the English words of a Chinese name, and the name itself where it
// holds more.
func hanName(name string) []string {
	rest := name
	var words []string
	for _, m := range hanMeasures {
		if strings.Contains(rest, m.han) {
			rest = strings.Replace(rest, m.han, "", 1)
			words = append(words, strings.Fields(m.english)...)
		}
	}
	for _, filler := range [...]string{"今日", "仅为", "约为", "达到", "为", "是", "达", "仅", "的", "约", "率"} {
		rest = strings.Replace(rest, filler, "", 1)
	}
	if rest != "" {
		words = append(words, rest)
	}
	return words
}

// factNamed is the fact whose name the words are. Its symbol is among them, or in the
// texts around, the nearer first.
func (e *Sources) factNamed(n *Number, words []string, around [2]string) *fact {
	for _, w := range words {
		for _, g := range e.groups[strings.ToLower(w)] {
			if !allIn(g.words, words) {
				continue
			}
			f := e.pick(g, around)
			if f == nil || !onlyNames(words, g, f) || f.kind != n.Kind && !isBareMultiple(n, f) || !fits(n, f, 0) || f.bare && n.Currency != "" {
				continue
			}
			return f
		}
	}
	return nil
}

// isBareMultiple reports whether a number may leave out the x of a P/E.
func isBareMultiple(n *Number, f *fact) bool {
	return f.kind == UnitMultiple && n.Kind == UnitPlain && n.Currency == "" && !n.Scaled
}

// onlyNames reports whether words hold nothing but the name of a fact.
func onlyNames(words []string, g *namedGroup, f *fact) bool {
	symbol, _ := splitLabel(f.Label)
	for _, w := range words {
		w = strings.ToLower(w)
		if !slices.Contains(g.words, w) && !slices.Contains(strings.Fields(symbol), w) && w != "s" && !isFiller(w) && !isUnitWord(w) && !strings.ContainsFunc(w, IsHan) {
			return false
		}
		if strings.ContainsFunc(w, IsHan) && !allIn(hanName(w), g.words) {
			return false
		}
	}
	return true
}

// isUnitWord reports whether a word of a column's head is of its unit.
func isUnitWord(w string) bool {
	_, scale := ScaleOf(w)
	return scale || CurrencyOf(strings.ToUpper(w)) != "" || w == "value"
}

// pick is the fact of a group whose symbol is named, or the only one where no
// symbol is.
func (e *Sources) pick(g *namedGroup, around [2]string) *fact {
	for _, text := range around {
		picked, named := ambiguous, 0
		words := splitWords(text)
		for _, symbol := range g.symbolsIn(words) {
			if allIn(strings.Fields(symbol), words) {
				picked, named = g.indexBySymbol[symbol], named+1
			}
		}
		switch {
		case named == 1 && picked != ambiguous:
			return &e.facts[picked]
		case named > 0 || slices.ContainsFunc(words, isTicker):
			return nil
		}
	}
	if len(g.indexBySymbol) == 1 {
		for _, i := range g.indexBySymbol {
			if i != ambiguous {
				return &e.facts[i]
			}
		}
	}
	return nil
}

// maxAlike bounds the work where very many symbols begin alike, as those with a
// date do.
const maxAlike = 64

// symbolsIn are the symbols of the group whose first word is among the words.
func (g *namedGroup) symbolsIn(words []string) []string {
	var out []string
	for i, w := range words {
		if slices.Contains(words[:i], w) {
			continue
		}
		begun := g.begin[strings.ToLower(w)]
		out = append(out, begun[:min(len(begun), maxAlike)]...)
	}
	return out
}

// isTicker is stricter than isSymbol: prose shouts, too.
func isTicker(w string) bool {
	return isSymbol(w) && CurrencyOf(w) == "" && !IsDigit(rune(w[0]))
}

func allIn(words, in []string) bool {
	for _, w := range words {
		if !slices.ContainsFunc(in, func(s string) bool { return strings.EqualFold(s, w) }) {
			return false
		}
	}
	return true
}

// isConnector reports whether a word ties a name to its number.
func isConnector(w string) bool {
	switch w {
	case "is", "was", "are", "were", "of", "at", "stands", "stood", "came", "in", "a", "the", "now", "currently", "exactly", "equals", "reached", "-", "to":
		return true
	}
	return false
}
