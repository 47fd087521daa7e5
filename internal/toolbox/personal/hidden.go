package personal

import (
	"strings"
	"unicode"
)

// amountsHidden is what a model is told in the place of sums.
const amountsHidden = "hidden from you by the user's setting share_amounts; the user sees them"

// hidden stands in the place of one sum.
const hidden = "(hidden)"

// masked replaces the numbers in the user's own words, in which a sum may stand, by
// a mark of one length. Per cents stay: they are what a model may know.
func masked(text string) string {
	var b strings.Builder
	runes := []rune(text)
	for i := 0; i < len(runes); {
		if !unicode.IsNumber(runes[i]) {
			b.WriteRune(runes[i])
			i++
			continue
		}
		end := numberEnd(runes, i)
		if isPercent(runes[end:]) {
			b.WriteString(string(runes[i:end]))
		} else {
			b.WriteRune('…')
		}
		i = end
	}
	return b.String()
}

// numberEnd is where the number ends that begins at i, with what divides its digits.
func numberEnd(runes []rune, i int) int {
	const dividers = ".,'’_ \u00a0\u202f"
	for i++; i < len(runes); i++ {
		between := strings.ContainsRune(dividers, runes[i]) && i+1 < len(runes) && unicode.IsNumber(runes[i+1])
		if !unicode.IsNumber(runes[i]) && !between {
			break
		}
	}
	return i
}

func isPercent(rest []rune) bool {
	if len(rest) > 0 && unicode.IsSpace(rest[0]) {
		rest = rest[1:]
	}
	return len(rest) > 0 && rest[0] == '%'
}

// ownWords are words of the user as a model may read them.
func (d Deps) ownWords(text string) string {
	if d.HideAmounts {
		return masked(text)
	}
	return text
}
