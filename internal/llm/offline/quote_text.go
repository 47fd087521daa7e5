package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// MaxQuoteBytes is how many bytes of foreign text an answer repeats.
const MaxQuoteBytes = 600

var spaces = lazyregexp.New(`\s+`)

// CleanLine is text on one line, without control and formatting characters, of at
// most limit bytes.
func CleanLine(text string, limit int) string {
	// Spaces are folded below; four times the limit leaves enough after that.
	text = strings.ToValidUTF8(CutBytes(text, 4*limit), "")
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, text)
	return CutBytes(strings.TrimSpace(spaces().ReplaceAllString(text, " ")), limit)
}

// CutBytes is the first limit bytes of text, cut at a rune's edge.
func CutBytes(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// CutAtWord is Cut, but not within a word: half a word is another.
func CutAtWord(text string, limit int) string {
	cut := CutBytes(text, limit)
	if at := strings.LastIndexFunc(cut, unicode.IsSpace); len(cut) < len(text) && at > 0 {
		return strings.TrimSpace(cut[:at])
	}
	return cut
}

// markdownSigns would change how foreign words are drawn.
var markdownSigns = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "`", "'", "<", `\<`, "[", `\[`, "]", `\]`)

// EscapeMarkdown makes foreign words safe within a line of Markdown.
func EscapeMarkdown(text string) string { return markdownSigns.Replace(text) }

const longestName = 60 // bytes of a name that Code repeats

// InlineCode lists names as code, joined as in a sentence.
func InlineCode(names ...string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = "`" + strings.ReplaceAll(CleanLine(n, longestName), "`", "'") + "`"
	}
	if len(out) < 2 {
		return strings.Join(out, "")
	}
	return strings.Join(out[:len(out)-1], ", ") + " and " + out[len(out)-1]
}
