package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxNameWords is the maximum length of a recognized name, in words.
const maxNameWords = 6

// nameTable holds names of companies and funds.
type nameTable struct {
	english map[string]nameEntry // by the stems of the words, separated by spaces
	chinese map[rune][]string    // by first character, the longest first
}

type nameEntry struct {
	whole   bool // these words form a name
	longest int  // for one word: number of words in the longest name that starts with it
}

func newNameTable(names []string) nameTable {
	t := nameTable{english: make(map[string]nameEntry, 2*len(names)), chinese: map[rune][]string{}}
	for _, name := range names {
		name = norm.NFKC.String(strings.TrimSpace(name))
		first, size := utf8.DecodeRuneInString(name)
		switch {
		case name == "":
		case unicode.Is(unicode.Han, first):
			if len(name) > size { // a single character is part of too many words
				t.chinese[first] = append(t.chinese[first], name)
			}
		default:
			t.addEnglish(name)
		}
	}
	for _, list := range t.chinese {
		slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
	}
	return t
}

func (t *nameTable) addEnglish(name string) {
	name, _, _ = strings.Cut(strings.ToLower(name), "(")
	var stems [maxNameWords]string
	words := stems[:0]
	for chunk := range strings.FieldsSeq(name) {
		chunk = strings.TrimRight(chunk, ".,")
		if isPlain(chunk) {
			words = append(words, stem(chunk))
			continue
		}
		r := reader{normalizer: &normalizer{}, mode: literalText}
		r.readWords(chunk)
		for _, p := range r.run {
			words = append(words, stem(p.text))
		}
	}
	t.put(words)
	for len(words) > 1 && isLegalForm(words[len(words)-1]) {
		words = words[:len(words)-1]
		t.put(words)
	}
}

func (t *nameTable) put(words []string) {
	switch {
	case len(words) == 0 || len(words) > maxNameWords:
		return
	case len(words) > 1:
		key := strings.Join(words, " ")
		e := t.english[key]
		e.whole = true
		t.english[key] = e
	case len(words[0]) < 2 || isStopWord(words[0]) || words[0][0] >= '0' && words[0][0] <= '9':
		return
	}
	e := t.english[words[0]]
	e.longest = max(e.longest, len(words))
	e.whole = e.whole || len(words) == 1
	t.english[words[0]] = e
}

// has reports whether a stem is a name by itself.
func (t *nameTable) has(stem string) bool { return t.english[stem].whole }

// match returns the number of words in the longest name that run starts with, or 0.
func (t *nameTable) match(run []piece) int {
	key := stem(strings.ToLower(run[0].text))
	first := t.english[key]
	found := 0
	if first.whole {
		found = 1
	}
	for i := 1; i < min(first.longest, len(run)); i++ {
		key += " " + stem(strings.ToLower(run[i].text))
		if t.english[key].whole {
			found = i + 1
		}
	}
	return found
}

// matchChinese returns the length of the longest name that text starts with, or 0.
func (t *nameTable) matchChinese(text string) int {
	if len(t.chinese) == 0 {
		return 0
	}
	first, _ := utf8.DecodeRuneInString(text)
	for _, name := range t.chinese[first] {
		if len(text) >= len(name) && strings.EqualFold(text[:len(name)], name) {
			return len(name)
		}
	}
	return 0
}

// isLegalForm reports whether the stem of the last word of a name may be missing in a request.
func isLegalForm(word string) bool {
	switch word {
	case "inc", "incorporat", "corp", "corporation", "co", "company", "ltd", "limit", "plc", "llc", "lp", "sa", "se", "nv", "ag",
		"spa", "asa", "ab", "oyj", "kk", "group", "hold", "holding", "the":
		return true
	default:
		return false
	}
}
