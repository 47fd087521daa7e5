package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// sentence is a question cut into words.
type sentence struct {
	plain string // one line, without control characters
	low   string // the same in lower case, with plain quotes and hyphens
	words []word
	flat  string // the lower-case words, a space before and after each
}

type word struct{ text, low string }

var plainSigns = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "–", "-", "—", "-", "−", "-", "\u00a0", " ",
	"？", "?", "，", ", ", "。", ". ", "、", ", ", "：", ": ", "％", "%")

func parseSentence(text string) sentence {
	s := sentence{plain: CleanLine(plainSigns.Replace(text), maxQuestionBytes)}
	s.low = strings.ToLower(s.plain)
	var flat strings.Builder
	flat.WriteByte(' ')
	for _, field := range strings.Fields(separated(s.plain)) {
		if w := trimmedWord(field); w != "" {
			low := strings.ToLower(w)
			s.words = append(s.words, word{w, low})
			flat.WriteString(low + " ")
		}
	}
	s.flat = flat.String()
	return s
}

// separated puts a space after commas and slashes, but within numbers.
func separated(text string) string {
	var b strings.Builder
	for i, r := range text {
		if strings.ContainsRune(",;/", r) {
			if next, _ := utf8.DecodeRuneInString(text[i+1:]); !unicode.IsDigit(next) {
				r = ' '
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

func trimmedWord(w string) string {
	w = strings.TrimLeft(w, `([{<"'*_¿¡«`+"`")
	w = strings.TrimRight(w, `.,;:?!)]}>"'*_»`+"`")
	return strings.TrimSuffix(w, "'s")
}

// has reports whether one of the phrases occurs, as whole words; one that ends
// in * may go on, and Chinese is found without spaces around it.
func (s sentence) has(phrases ...string) bool {
	for _, p := range phrases {
		first, _ := utf8.DecodeRuneInString(p)
		stem, open := strings.CutSuffix(p, "*")
		switch {
		case unicode.Is(unicode.Han, first):
			stem, open = p, true
		case open:
			stem = " " + stem
		default:
			stem = " " + p + " "
		}
		if strings.Contains(s.flat, stem) {
			return true
		}
	}
	return false
}

// begins reports whether the sentence opens with one of the phrases.
func (s sentence) begins(phrases ...string) bool {
	for _, p := range phrases {
		if strings.HasPrefix(s.flat, " "+p+" ") {
			return true
		}
	}
	return false
}

// SplitWords are the words of a text, as they are written.
func SplitWords(text string) []string {
	var out []string
	for _, w := range parseSentence(text).words {
		out = append(out, w.text)
	}
	return out
}
