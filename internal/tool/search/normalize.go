package search

import (
	"strings"
	"unicode"
)

// Classes replace the parts that differ between requests.
const (
	symbolClass  = "<sym>"
	numberClass  = "<num>"
	percentClass = "<pct>"
	urlClass     = "<url>"
	fileClass    = "<file>"
	isinClass    = "<isin>"
)

const (
	maxQueryBytes = 4096 // a longer text is truncated
	maxQueryTerms = 64
)

// word is a unit of text: a stem, a pair of Chinese characters or a class.
type word struct {
	term     string
	spelling string // of an English word, lower case; otherwise ""
}

// textMode states how names and symbols are recognized.
type textMode int

const (
	literalText  textMode = iota // tool names and keywords contain none
	documentText                 // names and symbols are capitalized
	requestText                  // symbols may have any case
)

type normalizer struct {
	isSymbol func(string) bool
	names    nameTable
}

func newNormalizer(o Options) normalizer {
	return normalizer{isSymbol: o.IsSymbol, names: newNameTable(o.Names)}
}

// words returns the words of a text, in no order that matters. known reports whether documents
// have a term.
func (n *normalizer) words(text string, mode textMode, known func(term string) bool) []word {
	if mode == requestText && len(text) > maxQueryBytes {
		text = strings.ToValidUTF8(text[:maxQueryBytes], "")
	}
	r := reader{normalizer: n, known: known}
	return r.words(text, mode)
}

// classify adds a run of consecutive English words.
func (r *reader) classify(run []piece) {
	for i := 0; i < len(run); i++ {
		if r.mode != literalText {
			if count := r.names.match(run[i:]); count > 1 {
				r.addClass(symbolClass)
				i += count - 1
				continue
			}
		}
		r.classifyWord(run[i])
	}
}

func (r *reader) classifyWord(p piece) {
	if p.class != "" {
		r.addClass(p.class)
		return
	}
	lower := strings.ToLower(p.text)
	term := stem(lower)
	if r.mode == literalText {
		r.addWord(term, lower)
		return
	}
	capital := startsUpper(p.text)
	named := (capital || r.mode == requestText) && r.names.has(term)
	switch {
	case r.known(term):
		// "Target" within a sentence is a company, "target" is not.
		if named && capital && !p.first {
			r.addClass(symbolClass)
		}
		r.addWord(term, lower)
	case isStopWord(lower):
	case named, r.isTicker(p.text):
		r.addClass(symbolClass)
	default:
		r.addWord(term, lower)
	}
}

// isTicker reports whether a word that occurs in no document is a symbol.
func (r *reader) isTicker(text string) bool {
	upper := isUpper(text)
	if (upper || r.mode == requestText) && r.isSymbol != nil && r.isSymbol(text) {
		return true
	}
	return upper && r.mode == requestText && len(text) >= 2 && len(text) <= 5
}

func (r *reader) addClass(class string) { r.out = append(r.out, word{term: class}) }

func (r *reader) addWord(term, lower string) {
	if !isStopWord(lower) {
		r.out = append(r.out, word{term: term, spelling: lower})
	}
}

// isStopWord reports whether an English word has no meaning for the search.
func isStopWord(lower string) bool {
	switch lower {
	case "a", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could", "does", "for",
		"from", "get", "give", "had", "has", "have", "if", "in", "into", "is", "it", "its", "just", "let", "me",
		"of", "on", "or", "please", "so", "some", "tell", "than", "that", "the", "their", "them", "then", "there", "these",
		"they", "this", "to", "us", "was", "we", "were", "which", "will", "with", "would", "you", "your":
		return true
	default:
		return false
	}
}

// isChineseStopWord works like isStopWord for a pair of characters or a single one.
func isChineseStopWord(pair string) bool {
	switch pair {
	case "什么", "为什", "怎么", "怎样", "这个", "那个", "这只", "这家", "这几", "一下", "哪些", "哪个", "给我", "帮我", "请问", "可以", "的", "吗", "了":
		return true
	default:
		return false
	}
}

// Stem returns the form in which the index compares an English word in lower case.
func Stem(w string) string { return stem(w) }

// stem cuts the endings of a lower-case English word, so that "pricing", "priced" and "prices" are
// the same: possessive, plural, -ing, -ed and the final e, and the endings that distinguish "volatile"
// and "volatility" or "allocate" and "allocation". Double consonants at the end become one.
func stem(w string) string {
	w = strings.TrimSuffix(w, "'s")
	w = strings.TrimSuffix(w, "'")
	switch {
	case w == "news": // not the plural of "new"
		return w
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		w = w[:len(w)-3] + "y"
	case len(w) > 4 && (strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "shes") || strings.HasSuffix(w, "xes")):
		w = w[:len(w)-2]
	case len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		w = w[:len(w)-1]
	}
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ied"):
		w = w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "ing") && hasStem(w[:len(w)-3]):
		w = w[:len(w)-3]
	case strings.HasSuffix(w, "ed") && hasStem(w[:len(w)-2]):
		w = w[:len(w)-2]
	}
	for _, ending := range [...]string{"ity", "ly"} {
		if rest, ok := strings.CutSuffix(w, ending); ok && hasStem(rest) {
			w = rest
		}
	}
	if rest, ok := strings.CutSuffix(w, "ion"); ok && len(rest) > 4 && (rest[len(rest)-1] == 't' || rest[len(rest)-1] == 's') {
		w = rest
	}
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "e")
	}
	if len(w) > 6 {
		w = strings.TrimSuffix(w, "at")
	}
	if n := len(w); n > 2 && w[n-1] == w[n-2] && !isVowel(w[n-1]) && w[n-1] >= 'a' && w[n-1] <= 'z' {
		w = w[:n-1]
	}
	return w
}

// hasStem reports whether the rest of a word without its ending can be a stem.
func hasStem(rest string) bool {
	return len(rest) >= 3 && strings.ContainsAny(rest, "aeiouy")
}

func isVowel(c byte) bool { return strings.IndexByte("aeiou", c) >= 0 }

func startsUpper(text string) bool {
	for _, r := range text {
		return unicode.IsUpper(r)
	}
	return false
}

// isUpper reports whether a word has only upper-case letters.
func isUpper(text string) bool {
	for _, r := range text {
		if !unicode.IsUpper(r) {
			return false
		}
	}
	return text != ""
}

// splitName separates the words of a tool name: "price_history" is "price history".
func splitName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '.' || r == '/' {
			return ' '
		}
		return r
	}, name)
}
