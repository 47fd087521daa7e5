package investor

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// Bounds of what one answer may hold.
const (
	maxAnswer         = 8000 // bytes
	maxNameLength     = 200  // runes of a name or note
	maxItems          = 100
	maxDigits         = 30
	maxFractionDigits = 12 // after the point
	largestPower      = 18
)

// cleanAnswer trims an answer and refuses what cannot be one line or list of people's
// text: control characters and marks that turn the direction of writing.
func cleanAnswer(answer string) (string, error) {
	if len(answer) > maxAnswer {
		return "", fmt.Errorf("longer than %d characters", maxAnswer)
	}
	if !utf8.ValidString(answer) {
		return "", errors.New("not UTF-8 text")
	}
	answer = strings.TrimSpace(strings.NewReplacer("\r\n", "\n", "\t", " ").Replace(answer))
	if strings.ContainsFunc(answer, isInvisible) || strings.ContainsAny(answer, "\u2028\u2029") {
		return "", errors.New("control characters have no place in an answer")
	}
	return answer, nil
}

// isInvisible tells of a character that does not show. Joiners are needed to write
// Persian, Hindi and others.
func isInvisible(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	return r != '\n' && r != nonJoiner && r != joiner && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r))
}

func clip(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

func readName(text string) (string, error) {
	switch {
	case utf8.RuneCountInString(text) > maxNameLength:
		return "", fmt.Errorf("longer than %d characters", maxNameLength)
	case strings.ContainsAny(text, ";\n"):
		return "", errors.New("write it on one line and without semicolons")
	}
	return text, nil
}

var (
	plainNumber     = lazyregexp.New(`^-?[0-9]+(\.[0-9]+)?$`)
	threeDigitGroup = lazyregexp.New(`^-?[0-9]{1,3}[.,][0-9]{3}$`)
	singleComma     = lazyregexp.New(`^-?[0-9]+,[0-9]+$`)
)

// readAmount reads the digits of a sum. Where a comma or point may mean two things nothing
// is guessed.
func readAmount(text string) (decimal.Decimal, error) {
	if threeDigitGroup().MatchString(removeSeparators(text)) {
		return decimal.Decimal{}, fmt.Errorf("%q may mean thousands or a fraction; write 80000 or 80.50", clip(text))
	}
	return readNumber(text)
}

// removeSeparators takes away what may divide thousands and nothing else.
func removeSeparators(text string) string {
	return strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "'", "", "’", "", "_", "").Replace(text)
}

// readNumber reads digits with a point or comma before a fraction.
func readNumber(text string) (decimal.Decimal, error) {
	bare := removeSeparators(text)
	if singleComma().MatchString(bare) {
		bare = strings.Replace(bare, ",", ".", 1)
	}
	if !plainNumber().MatchString(bare) {
		return decimal.Decimal{}, fmt.Errorf("%q is not a number; write digits, with a point before a fraction", clip(text))
	}
	n, err := decimal.NewFromString(bare)
	if err != nil || !hasBoundedDigits(n) {
		return decimal.Decimal{}, fmt.Errorf("%q has too many digits", clip(text))
	}
	return n, nil
}

// hasBoundedDigits reports whether a number may be an answer.
func hasBoundedDigits(n decimal.Decimal) bool { return isBounded(n, maxFractionDigits, maxDigits) }

// isBounded tells whether arithmetic on n stays small: an exponent of a billion is a
// few bytes to write and gigabytes to add.
func isBounded(n decimal.Decimal, fractionDigits int32, digits int) bool {
	return n.Exponent() >= -fractionDigits && n.Exponent() <= largestPower && n.NumDigits() <= digits
}

// readMoney reads "80000 EUR". "80k" and "2m" are thousands and millions.
func readMoney(text string) (Money, error) {
	fields := strings.Fields(text)
	if len(fields) < 2 {
		return Money{}, errors.New("name the sum and its currency, such as 80000 EUR")
	}
	last := len(fields) - 1
	currency, err := readCurrency(fields[last])
	if err != nil {
		return Money{}, err
	}
	digits, power := strings.ToLower(strings.Join(fields[:last], "")), int32(0)
	if bare, ok := strings.CutSuffix(digits, "k"); ok {
		digits, power = bare, 3
	} else if bare, ok := strings.CutSuffix(digits, "m"); ok {
		digits, power = bare, 6
	}
	n, err := readAmount(digits)
	if err != nil {
		return Money{}, err
	}
	amount := n.Shift(power)
	if amount.Abs().GreaterThan(decimal.New(1, largestPower-3)) {
		return Money{}, fmt.Errorf("%q is more than all the money there is", clip(text))
	}
	return Money{Amount: amount, Currency: currency}, nil
}

// readNonNegative is readMoney for what cannot be owed.
func readNonNegative(text string) (Money, error) {
	m, err := readMoney(text)
	if err == nil && m.Amount.IsNegative() {
		return Money{}, errors.New("the sum is below zero")
	}
	return m, err
}

func isCurrencyCode(code string) bool {
	return len(code) == 3 && !strings.ContainsFunc(code, func(r rune) bool { return r < 'A' || r > 'Z' })
}

func readCurrency(text string) (string, error) {
	code := strings.ToUpper(text)
	if !isCurrencyCode(code) {
		return "", fmt.Errorf("%q is not a currency; write its three letters, such as EUR", clip(text))
	}
	return code, nil
}

// readPercent reads "25 %" as 0.25. A number of one or less needs the sign,
// because 0.25 may be meant as a quarter of one per cent or of the whole.
func readPercent(text string) (decimal.NullDecimal, error) {
	bare, signed := strings.CutSuffix(text, "%")
	n, err := readNumber(strings.TrimSpace(bare))
	switch {
	case err != nil:
		return decimal.NullDecimal{}, err
	case n.IsNegative() || n.GreaterThan(decimal.NewFromInt(100)):
		return decimal.NullDecimal{}, fmt.Errorf("%s is not between 0 %% and 100 %%", n)
	case !signed && !n.IsZero() && n.LessThanOrEqual(decimal.NewFromInt(1)):
		return decimal.NullDecimal{}, fmt.Errorf("write %s %% or %s %%: which is meant is not clear", n, n.Shift(2))
	}
	if part := n.Shift(-2); hasBoundedDigits(part) {
		return decimal.NewNullDecimal(part), nil
	}
	return decimal.NullDecimal{}, fmt.Errorf("%q has too many digits", clip(text))
}

// formatPercent writes a fraction as readPercent takes it; "" where it is not known.
func formatPercent(part decimal.NullDecimal) string {
	if !part.Valid {
		return ""
	}
	return part.Decimal.Shift(2).String() + " %"
}

// readYear reads "2040", and "15 years" from today on where spans are allowed.
func readYear(text string, today time.Time, spans bool) (int, error) {
	if count, ok := readSpan(text); ok && spans {
		if today.IsZero() {
			return 0, errors.New("write the year itself, such as 2040")
		}
		if count > 100 {
			return 0, fmt.Errorf("%d years are more than anybody plans", count)
		}
		return today.Year() + count, nil
	}
	year, err := strconv.Atoi(text)
	if err != nil || len(text) != 4 || year < earliestYear || year > latestYear {
		return 0, fmt.Errorf("%q is not a year between %d and %d", clip(text), earliestYear, latestYear)
	}
	return year, nil
}

func readSpan(text string) (int, bool) {
	fields := strings.Fields(strings.ToLower(text))
	if len(fields) != 2 || fields[1] != "years" && fields[1] != "year" {
		return 0, false
	}
	count, err := strconv.Atoi(fields[0])
	return count, err == nil && count >= 0
}

// readDay reads a day, a month or a year; of a span it is the first day, because
// money that comes too early does no harm.
func readDay(text string) (time.Time, error) {
	for _, layout := range []string{"2006-01-02", "2006-01", "2006"} {
		day, err := time.Parse(layout, text)
		if err == nil && day.Year() >= earliestYear && day.Year() <= latestYear {
			return day, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a date; write 2027-06-30, 2027-06 or 2027", clip(text))
}
