package present

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/nfa-cli/nfa/internal/pattern"
)

// Hidden stands in what a model reads in the place of an amount that the user keeps
// to themself.
const Hidden = "(hidden)"

// AmountsHidden is what a model is told beside what it reads without amounts.
const AmountsHidden = "amounts are hidden from you by the user's setting share_amounts; the user sees them, so neither ask for them nor guess them"

// Kept are the kinds of number that stay in a text whose amounts are hidden.
type Kept uint8

// Kinds of number, each only where it is written in no way that an amount could be.
const (
	KeptPerCents Kept = 1 << iota // 12.5 %
	KeptDates                     // 2024-06-28, and with a time as RFC 3339 has it
	KeptSpans                     // 30 days, 2 years

	KeptNothing Kept = 0
	// KeptSaid are those of the program's own sentences.
	KeptSaid = KeptPerCents | KeptDates | KeptSpans
)

// Masked is text with Hidden for each number but those to keep, whatever its script
// and whatever divides its digits. How long a number was cannot be told, nor its
// sign. Masking twice changes nothing more.
//
// Spared stay as well, wherever they stand by themselves: symbols, identifiers, ratios
// of splits. The caller warrants that none of them follows from the size of the book;
// one without a letter or a colon might be taken for a sum, and is not spared.
func Masked(text string, keep Kept, spared ...string) string {
	var b strings.Builder
	for text != "" {
		at, whole := firstSpared(text, spared)
		b.WriteString(masked(text[:at], keep))
		b.WriteString(whole)
		text = text[at+len(whole):]
	}
	return b.String()
}

func masked(text string, keep Kept) string {
	var b strings.Builder
	runes := []rune(text)
	for i := 0; i < len(runes); {
		first := afterSign(runes, i)
		if first == len(runes) || !unicode.IsNumber(runes[first]) {
			b.WriteRune(runes[i])
			i++
			continue
		}
		end := numberEnd(runes, first)
		if stays := staysUntil(runes, i, end, keep); stays > i {
			b.WriteString(string(runes[i:stays]))
			i = stays
			continue
		}
		b.WriteString(Hidden)
		i = end
	}
	return b.String()
}

// MaskedAll masks each of several texts.
func MaskedAll(texts []string, keep Kept, spared ...string) []string {
	out := slices.Clone(texts)
	for i := range out {
		out[i] = Masked(out[i], keep, spared...)
	}
	return out
}

// afterSign is where the number begins whose sign may stand at i; a dash behind a
// letter or a digit divides words.
func afterSign(runes []rune, i int) int {
	if strings.ContainsRune("+-−±", runes[i]) && (i == 0 || !isWord(runes[i-1])) {
		return i + 1
	}
	return i
}

// divides reports what may stand between the digits of one number.
func divides(r rune) bool {
	return strings.ContainsRune(".,'’ʼ`´_·٫٬⁄", r) || unicode.In(r, unicode.Zs, unicode.Cf, unicode.Mn)
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// numberEnd is where the number ends that begins at i, with what divides its digits:
// points, spaces, and what nobody sees.
func numberEnd(runes []rune, i int) int {
	for i++; i < len(runes); i++ {
		between := divides(runes[i]) && i+1 < len(runes) && unicode.IsNumber(runes[i+1])
		if !unicode.IsNumber(runes[i]) && !between {
			break
		}
	}
	return i
}

var (
	aDate    = pattern.Lazy(`^(?:19|20|21)[0-9]{2}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:Z|[-+][0-9]{2}:[0-9]{2}))?`)
	aPerCent = pattern.Lazy(`^[-+−]?[0-9]+(?:[.,][0-9]+)?[ \x{a0}\x{202f}]?%`)
	// A span of five digits is no span that anybody speaks of.
	aSpan = pattern.Lazy(`^[0-9]{1,4} (?:day|week|month|year)s?`)
)

// staysUntil is the end of what may stay of the number between i and end, else i.
func staysUntil(runes []rune, i, end int, keep Kept) int {
	const longest = 64
	if i > 0 && (isWord(runes[i-1]) || strings.ContainsRune(".,-−_", runes[i-1]) || unicode.Is(unicode.Sc, runes[i-1])) {
		return i
	}
	rest := string(runes[i:min(i+longest, len(runes))])
	for _, kind := range []struct {
		of    Kept
		shape func() *regexp.Regexp
	}{{KeptDates, aDate}, {KeptPerCents, aPerCent}, {KeptSpans, aSpan}} {
		found := kind.shape().FindString(rest)
		stop := i + len([]rune(found))
		// What is shorter than the number is a part of it; a date is longer.
		if found == "" || keep&kind.of == 0 || kind.of != KeptDates && stop <= end || !ends(runes, stop) {
			continue
		}
		if kind.of == KeptDates && !isDay(found) {
			continue
		}
		return stop
	}
	return i
}

// ends reports whether nothing goes on at i that began before.
func ends(runes []rune, i int) bool {
	if i == len(runes) {
		return true
	}
	goesOn := strings.ContainsRune(".,'’-−_:", runes[i]) && i+1 < len(runes) && isWord(runes[i+1])
	return !isWord(runes[i]) && !goesOn
}

func isDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text[:len(time.DateOnly)])
	return err == nil
}

// Reworded is an error that reads as text and is what err is: errors.Is and
// errors.As find the same in both.
func Reworded(err error, text string) error { return &reworded{text, err} }

type reworded struct {
	text string
	err  error
}

func (r *reworded) Error() string { return r.text }
func (r *reworded) Unwrap() error { return r.err }

// Discreet is err as a model may read it that is told no amounts: its text is
// masked, and says so once. No error is none.
func Discreet(err error, keep Kept) error {
	if err == nil {
		return nil
	}
	return Reworded(err, DiscreetText(err.Error(), keep))
}

// DiscreetText is a masked text that says that it is.
func DiscreetText(text string, keep Kept) string {
	text = Masked(text, keep)
	if strings.Contains(text, AmountsHidden) {
		return text
	}
	return text + " (" + AmountsHidden + ")"
}
