package toolkit

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// NumberKinds are the kinds of number that stay in a text whose amounts are hidden.
type NumberKinds uint8

// Kinds of number, each only where it is written in no way that an amount could be.
const (
	KeepPercents  NumberKinds = 1 << iota // 12.5 %
	KeepDates                             // 2024-06-28, and with a time as RFC 3339 has it
	KeepDurations                         // 30 days, 2 years

	KeepNoNumbers NumberKinds = 0
	// KeepMessageNumbers are those of the program's own sentences.
	KeepMessageNumbers = KeepPercents | KeepDates | KeepDurations
)

// MaskNumbers replaces each number of text with HiddenAmount, except those to keep, whatever
// its script and its digit separators. The result shows neither the length of a number nor its
// sign. Masking twice changes nothing more.
//
// Exemptions stay as well, wherever they stand by themselves: symbols, identifiers, split
// ratios. The caller ensures that none of them reveals the size of the portfolio. An exemption
// without a letter or a colon might be an amount, and is ignored.
func MaskNumbers(text string, kept NumberKinds, exemptions ...string) string {
	var b strings.Builder
	for text != "" {
		at, exempt := findExempt(text, exemptions)
		b.WriteString(maskAllNumbers(text[:at], kept))
		b.WriteString(exempt)
		text = text[at+len(exempt):]
	}
	return b.String()
}

func maskAllNumbers(text string, keep NumberKinds) string {
	var b strings.Builder
	runes := []rune(text)
	for i := 0; i < len(runes); {
		first := skipSign(runes, i)
		if first == len(runes) || !unicode.IsNumber(runes[first]) {
			b.WriteRune(runes[i])
			i++
			continue
		}
		end := numberEnd(runes, first)
		if stop := keptEnd(runes, i, end, keep); stop > i {
			b.WriteString(string(runes[i:stop]))
			i = stop
			continue
		}
		b.WriteString(HiddenAmount)
		i = end
	}
	return b.String()
}

// MaskEach masks each of several texts.
func MaskEach(texts []string, keep NumberKinds, exemptions ...string) []string {
	out := slices.Clone(texts)
	for i := range out {
		out[i] = MaskNumbers(out[i], keep, exemptions...)
	}
	return out
}

// skipSign is where the number begins whose sign may stand at i; a dash behind a
// letter or a digit divides words.
func skipSign(runes []rune, i int) int {
	if strings.ContainsRune("+-−±", runes[i]) && (i == 0 || !isWordRune(runes[i-1])) {
		return i + 1
	}
	return i
}

// isDigitSeparator reports what may stand between the digits of one number.
func isDigitSeparator(r rune) bool {
	return strings.ContainsRune(".,'’ʼ`´_·٫٬⁄", r) || unicode.In(r, unicode.Zs, unicode.Cf, unicode.Mn)
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// numberEnd is where the number ends that begins at i, with what divides its digits:
// points, spaces, and what nobody sees.
func numberEnd(runes []rune, i int) int {
	for i++; i < len(runes); i++ {
		between := isDigitSeparator(runes[i]) && i+1 < len(runes) && unicode.IsNumber(runes[i+1])
		if !unicode.IsNumber(runes[i]) && !between {
			break
		}
	}
	return i
}

var (
	datePattern    = lazyregexp.New(`^(?:19|20|21)[0-9]{2}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:Z|[-+][0-9]{2}:[0-9]{2}))?`)
	percentPattern = lazyregexp.New(`^[-+−]?[0-9]+(?:[.,][0-9]+)?[ \x{a0}\x{202f}]?%`)
	// durationPattern accepts at most four digits, because nobody writes a longer duration.
	durationPattern = lazyregexp.New(`^[0-9]{1,4} (?:day|week|month|year)s?`)
)

// keptEnd is the end of what may stay of the number between i and end, else i.
func keptEnd(runes []rune, i, end int, keep NumberKinds) int {
	const longest = 64
	if i > 0 && (isWordRune(runes[i-1]) || strings.ContainsRune(".,-−_", runes[i-1]) || unicode.Is(unicode.Sc, runes[i-1])) {
		return i
	}
	rest := string(runes[i:min(i+longest, len(runes))])
	for _, kind := range []struct {
		of    NumberKinds
		shape func() *regexp.Regexp
	}{{KeepDates, datePattern}, {KeepPercents, percentPattern}, {KeepDurations, durationPattern}} {
		match := kind.shape().FindString(rest)
		matchEnd := i + len([]rune(match))
		// What is shorter than the number is a part of it; a date is longer.
		if match == "" || keep&kind.of == 0 || kind.of != KeepDates && matchEnd <= end || !isTokenEnd(runes, matchEnd) {
			continue
		}
		if kind.of == KeepDates && !isDate(match) {
			continue
		}
		return matchEnd
	}
	return i
}

// isTokenEnd reports whether nothing goes on at i that began before.
func isTokenEnd(runes []rune, i int) bool {
	if i == len(runes) {
		return true
	}
	continues := strings.ContainsRune(".,'’-−_:", runes[i]) && i+1 < len(runes) && isWordRune(runes[i+1])
	return !isWordRune(runes[i]) && !continues
}

func isDate(text string) bool {
	_, err := time.Parse(time.DateOnly, text[:len(time.DateOnly)])
	return err == nil
}

// RewordError is an error that reads as text and is what err is: errors.Is and
// errors.As find the same in both.
func RewordError(err error, text string) error { return &rewordedError{text, err} }

type rewordedError struct {
	text string
	err  error
}

func (r *rewordedError) Error() string { return r.text }
func (r *rewordedError) Unwrap() error { return r.err }

// MaskError is err for a model from which amounts are hidden: its text is masked, and says so
// once. A nil error stays nil.
func MaskError(err error, keep NumberKinds) error {
	if err == nil {
		return nil
	}
	return RewordError(err, MaskMessage(err.Error(), keep))
}

// MaskMessage is a masked text that says that it is.
func MaskMessage(text string, keep NumberKinds) string {
	text = MaskNumbers(text, keep)
	if strings.Contains(text, AmountsHiddenNote) {
		return text
	}
	return text + " (" + AmountsHiddenNote + ")"
}
