package markdown

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// Limits of an escape sequence. A sequence that is never terminated must remove a line at most, not the
// rest of the document.
const (
	maxControlBytes = 256
	maxStringBytes  = 4096
)

// Sanitize returns s without characters that control a terminal: C0 controls
// except newline and tab, DEL, C1 controls, escape sequences with their payload
// (7-bit and 8-bit), bidirectional controls, tag characters and other invisible
// controls. CRLF, a single CR and the line and paragraph separators of Unicode
// become a newline, invalid UTF-8 becomes U+FFFD. It keeps emoji joiners and
// variation selectors. It returns clean text without an allocation.
func Sanitize(s string) string {
	if cleanPrefix(s) == len(s) {
		return s
	}
	var z Sanitizer
	out := z.Clean(s)
	if rest := z.Close(); rest != "" {
		return out + rest
	}
	return out
}

// SanitizeLine works like [Sanitize] for a single line: newlines and tabs become spaces.
func SanitizeLine(s string) string {
	s = Sanitize(s)
	if !strings.ContainsAny(s, "\n\t") {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch r {
		case '\n', '\t':
			return ' '
		}
		return r
	}, s)
}

// cleanPrefix returns the number of leading bytes of s that are complete, valid
// and allowed.
func cleanPrefix(s string) int {
	for i := 0; i < len(s); {
		b := s[i]
		if b < utf8.RuneSelf {
			if isControlByte(b) {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || isForbidden(r) {
			return i
		}
		i += n
	}
	return len(s)
}

func isControlByte(b byte) bool {
	return b < 0x20 && b != '\n' && b != '\t' || b == 0x7f
}

// isForbidden reports whether a rune outside ASCII is removed or replaced: C1,
// controls that end lines or reorder and annotate text, invisible characters
// whose width differs between terminals, and tags with the unassigned runes
// around them, which can hide text.
func isForbidden(r rune) bool {
	switch {
	case r < 0x80:
		return false
	case r <= 0x9f || r == 0xad:
		return true
	case r < 0x061c:
		return false
	}
	return r == 0x061c || r == 0x180e || r == 0x200b || r == 0x200e || r == 0x200f ||
		r >= 0x2028 && r <= 0x202e || r >= 0x2060 && r <= 0x206f ||
		r == 0xfeff || r >= 0xfff9 && r <= 0xfffb ||
		r >= 0xe0000 && r <= 0xe00ff || r >= 0xe01f0 && r <= 0xe0fff
}

type sanitizerState uint8

const (
	inText    sanitizerState = iota
	inEscape                 // after ESC, perhaps with intermediates
	inControl                // CSI parameters, up to the final byte
	inString                 // payload of OSC, DCS, SOS, PM or APC
)

// Sanitizer is [Sanitize] for streamed text: the results concatenated equal the result for the whole text,
// even if pieces end inside a rune or an escape sequence. The zero value is ready to use; it is not safe
// for concurrent use.
type Sanitizer struct {
	state     sanitizerState
	swallowed int
	skipLF    bool
	partial   [utf8.UTFMax]byte // an incomplete rune at the end of a piece
	npartial  int
}

// Clean returns the sanitized chunk. It holds back up to three bytes of an incomplete rune for the next
// call.
func (z *Sanitizer) Clean(chunk string) string {
	if z.npartial > 0 {
		chunk = string(z.partial[:z.npartial]) + chunk
		z.npartial = 0
	}
	i := 0
	if z.state == inText && !z.skipLF {
		if i = cleanPrefix(chunk); i == len(chunk) {
			return chunk
		}
	}
	var out strings.Builder
	out.Grow(len(chunk))
	out.WriteString(chunk[:i])
	for i < len(chunk) {
		if z.state == inText && !z.skipLF {
			n := cleanPrefix(chunk[i:])
			out.WriteString(chunk[i : i+n])
			if i += n; i == len(chunk) {
				break
			}
		}
		if !utf8.FullRuneInString(chunk[i:]) {
			z.npartial = copy(z.partial[:], chunk[i:])
			break
		}
		r, n := utf8.DecodeRuneInString(chunk[i:])
		if r == utf8.RuneError && n == 1 {
			r = fromInvalid(chunk[i])
		}
		z.step(&out, r)
		i += n
	}
	return out.String()
}

// Close ends the text: it returns U+FFFD for an incomplete rune and drops an open escape sequence. The
// Sanitizer can then be used again.
func (z *Sanitizer) Close() string {
	var out strings.Builder
	for _, b := range z.partial[:z.npartial] {
		z.step(&out, fromInvalid(b))
	}
	*z = Sanitizer{}
	return out.String()
}

// fromInvalid returns the rune for a byte that is not UTF-8. Bytes 0x80 to 0x9F are C1 controls in an 8-bit
// terminal, so they start sequences here too.
func fromInvalid(b byte) rune {
	if b >= 0x80 && b <= 0x9f {
		return rune(b)
	}
	return utf8.RuneError
}

func (z *Sanitizer) step(out *strings.Builder, r rune) {
	afterCR := z.skipLF
	z.skipLF = false
	if afterCR && r == '\n' && z.state == inText {
		return
	}
	switch z.state {
	case inEscape:
		z.stepEscape(out, r)
	case inControl:
		z.stepControl(out, r)
	case inString:
		z.stepString(out, r)
	default:
		z.stepText(out, r)
	}
}

func (z *Sanitizer) enter(state sanitizerState) {
	z.state, z.swallowed = state, 0
}

func (z *Sanitizer) stepText(out *strings.Builder, r rune) {
	z.state = inText
	switch {
	case r == '\r':
		out.WriteByte('\n')
		z.skipLF = true
	case r == 0x2028 || r == 0x2029:
		out.WriteByte('\n')
	case r == 0x1b:
		z.enter(inEscape)
	case r == 0x9b:
		z.enter(inControl)
	case r == 0x90 || r == 0x98 || r >= 0x9d && r <= 0x9f:
		z.enter(inString)
	case r < utf8.RuneSelf && isControlByte(byte(r)), isForbidden(r):
	default:
		out.WriteRune(r)
	}
}

func (z *Sanitizer) stepEscape(out *strings.Builder, r rune) {
	z.swallowed++
	switch {
	case r >= 0x20 && r <= 0x2f && z.swallowed <= maxControlBytes:
	case z.swallowed > 1 && r >= 0x30 && r <= 0x7e:
		// After an intermediate, even "[" is a final byte.
		z.state = inText
	case r == '[':
		z.enter(inControl)
	case r == ']' || r == 'P' || r == 'X' || r == '^' || r == '_':
		z.enter(inString)
	case r >= 0x30 && r <= 0x7e:
		z.state = inText
	default:
		z.stepText(out, r)
	}
}

func (z *Sanitizer) stepControl(out *strings.Builder, r rune) {
	z.swallowed++
	switch {
	case z.swallowed > maxControlBytes:
		z.stepText(out, r)
	case r >= 0x20 && r <= 0x3f:
	case r >= 0x40 && r <= 0x7e:
		z.state = inText
	default:
		z.stepText(out, r)
	}
}

// stepString drops a payload up to BEL, ST, a control that cancels it, the end of the line or the limit. A
// 7-bit ST and any interrupting sequence start with ESC, so stepEscape handles both.
func (z *Sanitizer) stepString(out *strings.Builder, r rune) {
	z.swallowed += utf8.RuneLen(r)
	switch {
	case r == 0x07 || r == 0x9c || r == 0x18 || r == 0x1a:
		z.state = inText
	case r == 0x1b:
		z.enter(inEscape)
	case r == '\n' || r == '\r' || z.swallowed > maxStringBytes:
		z.stepText(out, r)
	}
}

// EscapeInvisible escapes control characters, line breaks, bidirectional overrides and all other invisible
// characters.
func EscapeInvisible(s string) string {
	quoted := strconv.Quote(s)
	var out strings.Builder
	previous := ' '
	for _, r := range strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`) {
		if IsBlank(r) && !(isEmojiStyle(r) && unicode.Is(unicode.So, previous)) {
			out.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		} else {
			out.WriteRune(r)
		}
		previous = r
	}
	return out.String()
}

// IsBlank reports whether a printable character is invisible: variation selectors, fillers and the empty
// Braille pattern.
func IsBlank(r rune) bool {
	return r == '\u2800' || unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// isEmojiStyle reports whether r selects how the symbol before it is drawn.
func isEmojiStyle(r rune) bool { return r == '\ufe0e' || r == '\ufe0f' }

// QuoteCode formats a line of text as inline code. Its backticks become apostrophes.
func QuoteCode(text string) string { return "`" + strings.ReplaceAll(text, "`", "'") + "`" }

// Escape escapes text so that Markdown shows it unchanged, on one line.
func Escape(text string) string {
	return strings.NewReplacer("\\", "\\\\", "*", "\\*", "_", "\\_", "`", "'", "[", "\\[", "<", "\\<", "|", "\\|", "\n", " ").Replace(text)
}

// Unescape removes the backslashes of Markdown outside code, for text that is not rendered. It keeps \|,
// because without the backslash a table cell would end there.
func Unescape(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	lines, inCode := strings.SplitAfter(text, "\n"), false
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			inCode = !inCode
		}
		if inCode {
			continue
		}
		spans := strings.Split(line, "`")
		for j := 0; j < len(spans); j += 2 {
			spans[j] = escapedPunctuation().ReplaceAllString(spans[j], "$1")
		}
		lines[i] = strings.Join(spans, "`")
	}
	return strings.Join(lines, "")
}

// escapedPunctuation matches an escape of CommonMark except \|.
var escapedPunctuation = lazyregexp.New(`\\([!-/:-@\[-` + "`" + `{}~])`)
