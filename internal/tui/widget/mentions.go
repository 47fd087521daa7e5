package widget

import (
	"strings"
	"unicode"
)

// Prefixes of words that can be completed.
const (
	FilePrefix   = '@'
	SymbolPrefix = '$'
)

// CompletionWord is the word up to the cursor that can be completed.
type CompletionWord struct {
	Prefix rune
	Text   string // after the prefix, without the opening quote of a path
	Len    int    // in characters, including prefix and quote
}

// CompletionWordAt returns the last word of before, the text before the cursor, if it can be
// completed. Its prefix must follow a space, an opening parenthesis or nothing. An amount of money is
// not a symbol.
func CompletionWordAt(before string) (CompletionWord, bool) {
	letters := []rune(before[strings.LastIndexByte(before, '\n')+1:])
	for at := len(letters) - 1; at >= 0; at-- {
		r := letters[at]
		if (r == FilePrefix || r == SymbolPrefix) && (at == 0 || unicode.IsSpace(letters[at-1]) || letters[at-1] == '(') {
			return newCompletionWord(r, letters[at+1:])
		}
		if r == SymbolPrefix {
			return CompletionWord{}, false
		}
	}
	return CompletionWord{}, false
}

func newCompletionWord(sign rune, rest []rune) (CompletionWord, bool) {
	w := CompletionWord{Prefix: sign, Text: string(rest), Len: len(rest) + 1}
	if sign == FilePrefix {
		if path, quoted := strings.CutPrefix(w.Text, `"`); quoted {
			w.Text = path
			return w, !strings.Contains(path, `"`)
		}
		return w, !strings.ContainsFunc(w.Text, unicode.IsSpace)
	}
	isLetter := len(rest) > 0 && (unicode.IsLetter(rest[0]) || rest[0] == '^')
	return w, isLetter && !strings.ContainsFunc(w.Text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("^.-=", r)
	})
}

// FormatMention writes a path so that FindMentions finds it again.
func FormatMention(path string) string {
	if strings.ContainsFunc(path, unicode.IsSpace) {
		return `@"` + path + `"`
	}
	return "@" + path
}

// maxMentions is the maximum number of files that a message names.
const maxMentions = 100

// FindMentions returns the paths that a message names with "@", in order and each once. Punctuation
// and brackets at the end may belong to the sentence; TrimMention removes them.
func FindMentions(text string) []string {
	var out []string
	seen := map[string]bool{}
	before := ' '
	for at, r := range text {
		if r == FilePrefix && (unicode.IsSpace(before) || before == '(') {
			path := parseMention(text[at+1:])
			if path != "" && !seen[path] && len(out) < maxMentions {
				out = append(out, path)
			}
			seen[path] = true
		}
		before = r
	}
	return out
}

func parseMention(rest string) string {
	if quoted, ok := strings.CutPrefix(rest, `"`); ok {
		path, _, closed := strings.Cut(quoted, `"`)
		if !closed || strings.Contains(path, "\n") {
			return ""
		}
		return path
	}
	if end := strings.IndexFunc(rest, unicode.IsSpace); end >= 0 {
		rest = rest[:end]
	}
	return rest
}

// TrimMention returns a mention without the punctuation or bracket at its end.
func TrimMention(mention string) string { return strings.TrimRight(mention, `.,;:!?)]}'"`) }

// attachmentNote starts the line that names the attachments of a message.
const attachmentNote = "(attached: "

// AddAttachmentNote returns a message with a line that names its attachments.
func AddAttachmentNote(text string, names []string) string {
	return text + "\n" + attachmentNote + strings.Join(names, ", ") + ")"
}

// TrimAttachmentNote removes the line that names the attachments of a message.
func TrimAttachmentNote(text string) string {
	at := strings.LastIndexByte(text, '\n')
	if at >= 0 && strings.HasPrefix(text[at+1:], attachmentNote) && strings.HasSuffix(text, ")") {
		return text[:at]
	}
	return text
}
