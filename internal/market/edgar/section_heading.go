package edgar

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// heading is what a line that may head an item or a part says.
type heading struct {
	part    string   // "I" to "IV"; empty where it names none
	numbers []string // of items, as the form writes them; none for a part alone
	title   string
	// bare means that nothing but blanks parts the number from the title, which
	// sentences do too.
	bare bool
}

const (
	maxHeadingTitle   = 400 // bytes of a heading that runs into its first paragraph
	maxHeadingNumbers = 20  // items that one heading names
)

// headingOf reads a line as the heading of an item or a part. It takes what
// filers write: "Item 7.", "ITEM 7 –", "Items 1 and 2:", "Part II, Item 1A",
// "PART I. Financial Information". A sentence that begins like one ("Item 7 of
// this report") is none.
func headingOf(line string) (heading, bool) {
	var h heading
	rest := strings.TrimLeft(line, " •*|-–—")
	if part, after, ok := partOf(rest); ok {
		h.part, rest = part, after
		if rest == "" {
			return h, true
		}
		if _, ok := cutWord(rest, "item"); !ok {
			// The name of the part; a sentence goes on in small letters.
			return h, len(rest) <= 60 && beginsTitle(rest)
		}
	}
	rest, ok := cutWord(rest, "item")
	if !ok {
		return heading{}, false
	}
	if h.numbers, rest = numbersOf(rest); len(h.numbers) == 0 {
		return heading{}, false
	}
	title := strings.TrimLeft(rest, " .:;-–—|)")
	h.bare = strings.TrimLeft(rest, " ") == title && title != ""
	h.title = strings.TrimSpace(title)
	switch {
	case title == "":
		return h, true
	case title == rest || !beginsTitle(title), isContinuedHeading(title):
		return heading{}, false
	case h.bare && len(title) > maxHeadingTitle/2:
		return heading{}, false
	}
	return h, true
}

// beginsTitle reports whether text begins as a title does.
func beginsTitle(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(r) || strings.ContainsRune("[(“\"'‘", r)
}

// isContinuedHeading reports whether a heading is the repetition of one on a later page.
func isContinuedHeading(title string) bool {
	tail := strings.ToLower(title[max(0, len(title)-16):])
	return strings.Contains(tail, "continued") || strings.Contains(tail, "(cont")
}

// cutWord cuts a word, or its plural, off the beginning of text, whatever its
// case.
func cutWord(text, word string) (after string, ok bool) {
	if len(text) < len(word) || !strings.EqualFold(text[:len(word)], word) {
		return text, false
	}
	after = text[len(word):]
	if after != "" && (after[0] == 's' || after[0] == 'S') {
		after = after[1:]
	}
	cut := strings.TrimLeft(after, " .#|")
	if cut == "" || cut == after && (cut[0] < '0' || cut[0] > '9') {
		return text, false
	}
	return cut, true
}

// partOf reads "PART II" off the beginning of text.
func partOf(text string) (part, after string, ok bool) {
	rest, ok := cutWord(text, "part")
	if !ok {
		return "", text, false
	}
	end := 0
	for end < len(rest) && isAlphanumeric(rest[end]) {
		end++
	}
	switch token := strings.ToUpper(rest[:end]); token {
	case "I", "II", "III", "IV":
		part = token
	case "1", "2", "3", "4":
		part = [...]string{"I", "II", "III", "IV"}[token[0]-'1']
	default:
		return "", text, false
	}
	return part, strings.TrimLeft(rest[end:], " .,:;-–—|/"), true
}

// numbersOf reads "7", "7A", "5.02", "1 and 2", "10, 11 and 12".
func numbersOf(text string) (numbers []string, rest string) {
	rest = text
	for len(numbers) < maxHeadingNumbers {
		number, after := numberOf(rest)
		if number == "" {
			return numbers, rest
		}
		numbers, rest = append(numbers, number), after
		next := strings.TrimLeft(after, " ")
		switch {
		case strings.HasPrefix(next, "&"):
			next = next[1:]
		case strings.HasPrefix(next, ","):
			next = strings.TrimPrefix(strings.TrimLeft(next[1:], " "), "and ")
		case len(next) > 4 && strings.EqualFold(next[:4], "and "):
			next = next[4:]
		default:
			return numbers, rest
		}
		next = strings.TrimLeft(next, " ")
		if again, ok := cutWord(next, "item"); ok {
			next = again
		}
		if number, _ := numberOf(next); number == "" {
			return numbers, rest
		}
		rest = next
	}
	return numbers, rest
}

// numberOf reads one: two digits at most, then a letter or two more digits.
func numberOf(text string) (number, rest string) {
	end := 0
	for end < len(text) && end < 3 && isDigit(text[end]) {
		end++
	}
	if end == 0 || end > 2 {
		return "", text
	}
	number, rest = strings.TrimLeft(text[:end], "0"), text[end:]
	if number == "" {
		return "", text
	}
	if len(rest) >= 3 && rest[0] == '.' && isDigit(rest[1]) && isDigit(rest[2]) && (len(rest) == 3 || !isAlphanumeric(rest[3])) {
		return number + rest[:3], withoutLetter(rest[3:])
	}
	letter := strings.TrimLeft(rest, " ")
	if letter == "" || !isLetter(letter[0]) || len(letter) > 1 && isAlphanumeric(letter[1]) {
		if rest != "" && isAlphanumeric(rest[0]) {
			return "", text
		}
		return number, withoutLetter(rest)
	}
	// "Item 9 A." is 9A, while "Item 1 A description" is a sentence.
	if letter != rest && (len(letter) == 1 || !strings.ContainsRune(".:)-", rune(letter[1]))) {
		return number, rest
	}
	return number + strings.ToUpper(letter[:1]), withoutLetter(letter[1:])
}

// withoutLetter cuts the letter of a paragraph off, as in 5.02(b), and that of
// 9A(T), which small companies had from 2007 to 2010.
func withoutLetter(text string) string {
	if len(text) >= 3 && text[0] == '(' && isAlphanumeric(text[1]) && text[2] == ')' {
		return text[3:]
	}
	return text
}

func isDigit(c byte) bool        { return c >= '0' && c <= '9' }
func isLetter(c byte) bool       { return c|0x20 >= 'a' && c|0x20 <= 'k' }
func isAlphanumeric(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' }
