package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// piece is a word or a number between spaces.
type piece struct {
	text  string // as written
	class string // of a number; otherwise ""
	first bool   // the first word of the text, which is capitalized anyway
}

// reader splits texts into words.
type reader struct {
	*normalizer
	mode  textMode
	known func(term string) bool
	run   []piece // consecutive English words
	begun bool    // a word of the text was read
	out   []word
}

// words returns the words of a text. The slice is valid until the next call.
func (r *reader) words(text string, mode textMode) []word {
	r.mode, r.begun, r.out = mode, false, r.out[:0]
	r.read(norm.NFKC.String(text))
	return r.out
}

func (r *reader) read(text string) {
	for text != "" {
		first, size := utf8.DecodeRuneInString(text)
		switch {
		case first == '<' && classPrefix(text) != "":
			r.flush()
			r.addClass(classPrefix(text))
			text = text[len(classPrefix(text)):]
		case unicode.Is(unicode.Han, first):
			r.flush()
			text = text[r.readChinese(text):]
		case isWordStart(first):
			text = text[r.readChunk(text):]
		default:
			if !unicode.IsSpace(first) && first != '&' {
				r.flush()
			}
			text = text[size:]
		}
	}
	r.flush()
}

func (r *reader) flush() {
	r.classify(r.run)
	r.run = r.run[:0]
}

func (r *reader) add(text, class string) {
	r.run = append(r.run, piece{text: text, class: class, first: !r.begun})
	r.begun = true
}

func classPrefix(text string) string {
	for _, class := range [...]string{symbolClass, numberClass, percentClass, urlClass, fileClass, isinClass} {
		if strings.HasPrefix(text, class) {
			return class
		}
	}
	return ""
}

func isWordStart(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '^' || r == '~' || r == '/' || r == '.'
}

// readChunk reads the text up to the next space, Chinese character or bracket and returns its length.
func (r *reader) readChunk(text string) int {
	if n := urlLength(text); n > 0 {
		r.flush()
		r.addClass(urlClass)
		return n
	}
	end := strings.IndexFunc(text, func(c rune) bool {
		return unicode.IsSpace(c) || unicode.Is(unicode.Han, c) || strings.ContainsRune("()[]{}<>\"“”‘。，、？！；：!?;|*+…", c)
	})
	if end < 0 {
		end = len(text)
	}
	end = max(end, 1)
	chunk := strings.TrimRight(text[:end], ".,:'’-")
	switch {
	case chunk == "":
		return end
	case isPlain(chunk):
		r.add(chunk, "")
		return end
	case isFile(chunk):
		r.flush()
		r.addClass(fileClass)
		r.addExtension(chunk)
	case isHost(chunk):
		r.flush()
		r.addClass(urlClass)
	case isISIN(chunk):
		r.flush()
		r.addClass(isinClass)
	case r.mode != literalText && isQualifiedSymbol(chunk) && !r.hasKnownParts(chunk):
		r.flush()
		r.addClass(symbolClass)
	default:
		r.readWords(chunk)
	}
	return end + r.readUnit(chunk, text[end:])
}

// isPlain reports whether a chunk is one English word.
func isPlain(chunk string) bool {
	for i := range len(chunk) {
		if c := chunk[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return chunk != ""
}

// readWords splits a chunk at punctuation. Short compounds stay whole: "P/E" is "pe".
func (r *reader) readWords(chunk string) {
	chunk = strings.ReplaceAll(chunk, "’", "'")
	if class, rest := numberPrefix(chunk); class != "" && rest == "" {
		r.add(chunk, class)
		return
	}
	parts := strings.FieldsFunc(chunk, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '\'' && c != '%' && c != '.' && c != ','
	})
	if joined := strings.Join(parts, ""); len(parts) > 1 && len(joined) <= 4 && strings.ContainsFunc(joined, unicode.IsLetter) {
		r.add(strings.ToLower(joined), "") // not a symbol, although it is short and upper case
		return
	}
	for _, part := range parts {
		class, rest := numberPrefix(part)
		switch {
		case class != "" && rest == "":
			r.add(part, class)
		case class != "":
			// "50k", "7A", "401k", "5y"
			r.addClass(class)
			r.add(part, "")
		default:
			for w := range strings.FieldsFuncSeq(part, func(c rune) bool { return c == '.' || c == ',' || c == '%' }) {
				if w = strings.Trim(w, "'"); w != "" {
					r.add(trimPossessive(w), "")
				}
			}
		}
	}
}

func trimPossessive(w string) string {
	if n := len(w) - 2; n > 0 && w[n] == '\'' && (w[n+1] == 's' || w[n+1] == 'S') {
		return w[:n]
	}
	return strings.ReplaceAll(w, "'", "")
}

// readUnit handles what follows a number: "5 percent" is a percentage and 50万 one number. It
// returns the length of the unit.
func (r *reader) readUnit(chunk, rest string) int {
	if class, left := numberPrefix(chunk); class != numberClass || left != "" {
		return 0
	}
	unit := strings.TrimLeft(rest, " ")
	spaces := len(rest) - len(unit)
	for _, name := range [...]string{"per cent", "percent", "pct"} {
		if len(unit) >= len(name) && strings.EqualFold(unit[:len(name)], name) {
			r.run[len(r.run)-1].class = percentClass
			return spaces + len(name)
		}
	}
	if strings.HasPrefix(unit, "%") {
		r.run[len(r.run)-1].class = percentClass
		return spaces + 1
	}
	n := 0
	for _, c := range rest {
		if !strings.ContainsRune("十百千万亿", c) {
			break
		}
		n += utf8.RuneLen(c)
	}
	return n
}

// numberPrefix returns the class of the number that text starts with, and the rest.
func numberPrefix(text string) (class, rest string) {
	n := 0
	for n < len(text) && (text[n] >= '0' && text[n] <= '9' || n > 0 && (text[n] == '.' || text[n] == ',')) {
		n++
	}
	switch {
	case n == 0:
		return "", text
	case n < len(text) && text[n] == '%':
		return percentClass, text[n+1:]
	default:
		return numberClass, text[n:]
	}
}

// readChinese reads a run of Chinese characters as pairs, or as a single character, and the names and
// numbers in it. It returns the length of the run.
func (r *reader) readChinese(text string) int {
	at, from := 0, 0
	for at < len(text) {
		c, size := utf8.DecodeRuneInString(text[at:])
		if !unicode.Is(unicode.Han, c) {
			break
		}
		name := 0
		if r.mode != literalText {
			name = r.names.matchChinese(text[at:])
		}
		number, class := chineseNumber(text[at:])
		switch {
		case name > 0 && r.isKnownChinese(text[at:at+name]):
			r.addClass(symbolClass)
			at += name
			continue
		case name > 0:
			r.addPairs(text[from:at])
			r.addClass(symbolClass)
			at += name
			from = at
			continue
		case number > 0:
			r.addPairs(text[from:at])
			r.addClass(class)
			at += number
			from = at
			continue
		}
		at += size
	}
	r.addPairs(text[from:at])
	return at
}

// isKnownChinese reports whether all pairs of a name, such as "黄金", occur in documents.
func (r *reader) isKnownChinese(name string) bool {
	pairs := chinesePairs(name)
	for _, p := range pairs {
		if !r.known(p) {
			return false
		}
	}
	return len(pairs) > 0 && !strings.ContainsFunc(name, func(c rune) bool { return !unicode.Is(unicode.Han, c) })
}

func (r *reader) addPairs(run string) {
	for _, p := range chinesePairs(run) {
		if !isChineseStopWord(p) {
			r.out = append(r.out, word{term: p})
		}
	}
}

// chinesePairs returns all pairs of adjacent characters, or the only character.
func chinesePairs(run string) []string {
	var out []string
	for at := 0; at < len(run); {
		_, size := utf8.DecodeRuneInString(run[at:])
		next := at + size
		if next == len(run) {
			if at == 0 {
				out = append(out, run)
			}
			break
		}
		_, second := utf8.DecodeRuneInString(run[next:])
		out = append(out, run[at:next+second])
		at = next
	}
	return out
}

const chineseDigits = "零〇一二三四五六七八九十百千万亿两点半"

// chineseNumber returns the length and class of the number that text starts with: 百分之五, 三万, or
// 十 before a unit of time. Other single digits are parts of words, as in 一下.
func chineseNumber(text string) (int, string) {
	if rest, ok := strings.CutPrefix(text, "百分之"); ok {
		n, _ := digitsLength(rest)
		return len(text) - len(rest) + n, percentClass
	}
	n, amount := digitsLength(text)
	if n == 0 {
		return 0, ""
	}
	for _, unit := range [...]string{"年", "个月", "月", "天", "周"} {
		if strings.HasPrefix(text[n:], unit) {
			return n, numberClass
		}
	}
	if amount && n > len("万") {
		return n, numberClass
	}
	return 0, ""
}

// digitsLength returns the length of the Chinese digits that text starts with and whether they include
// a power of ten.
func digitsLength(text string) (n int, amount bool) {
	for _, c := range text {
		if !strings.ContainsRune(chineseDigits, c) {
			break
		}
		amount = amount || strings.ContainsRune("十百千万亿", c)
		n += utf8.RuneLen(c)
	}
	return n, amount
}
