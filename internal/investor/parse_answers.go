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

// Limits of an answer.
const (
	maxAnswer         = 8000 // bytes
	maxNameLength     = 200  // characters of a name or note
	maxItems          = 100
	maxDigits         = 30
	maxFractionDigits = 12 // decimals
	largestPower      = 18
)

// cleanAnswer trims an answer and rejects control and bidirectional characters.
func cleanAnswer(answer string) (string, error) {
	if len(answer) > maxAnswer {
		return "", fmt.Errorf("longer than %d bytes", maxAnswer)
	}
	if !utf8.ValidString(answer) {
		return "", errors.New("not UTF-8 text")
	}
	answer = strings.TrimSpace(strings.NewReplacer("\r\n", "\n", "\t", " ").Replace(answer))
	if strings.ContainsFunc(answer, isInvisible) || strings.ContainsAny(answer, "\u2028\u2029") {
		return "", errors.New("control characters are not allowed")
	}
	return answer, nil
}

// isInvisible reports whether r is an invisible character, except joiners, which Persian, Hindi and other
// languages need.
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
		return "", errors.New("use one line without semicolons")
	}
	return text, nil
}

var (
	plainNumber     = lazyregexp.New(`^-?[0-9]+(\.[0-9]+)?$`)
	threeDigitGroup = lazyregexp.New(`^-?[0-9]{1,3}[.,][0-9]{3}$`)
	singleComma     = lazyregexp.New(`^-?[0-9]+,[0-9]+$`)
)

// readAmount parses the digits of an amount. An ambiguous comma or point is an error.
func readAmount(text string) (decimal.Decimal, error) {
	if threeDigitGroup().MatchString(removeSeparators(text)) {
		return decimal.Decimal{}, fmt.Errorf("%q may be thousands or decimals; write 80000 or 80.50", clip(text))
	}
	return readNumber(text)
}

// removeSeparators removes thousands separators only.
func removeSeparators(text string) string {
	return strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "'", "", "’", "", "_", "").Replace(text)
}

// readNumber parses digits with a decimal point or comma.
func readNumber(text string) (decimal.Decimal, error) {
	bare := removeSeparators(text)
	if singleComma().MatchString(bare) {
		bare = strings.Replace(bare, ",", ".", 1)
	}
	if !plainNumber().MatchString(bare) {
		return decimal.Decimal{}, fmt.Errorf("%q is not a number; write digits, with a decimal point if needed", clip(text))
	}
	n, err := decimal.NewFromString(bare)
	if err != nil || !hasBoundedDigits(n) {
		return decimal.Decimal{}, fmt.Errorf("%q has too many digits", clip(text))
	}
	return n, nil
}

// hasBoundedDigits reports whether a number is valid as an answer.
func hasBoundedDigits(n decimal.Decimal) bool { return isBounded(n, maxFractionDigits, maxDigits) }

// isBounded reports whether arithmetic on n stays small, because an exponent of a billion takes
// gigabytes to add.
func isBounded(n decimal.Decimal, fractionDigits int32, digits int) bool {
	return n.Exponent() >= -fractionDigits && n.Exponent() <= largestPower && n.NumDigits() <= digits
}

// readMoney reads "80000 EUR". "80k" and "2m" are thousands and millions.
func readMoney(text string) (Money, error) {
	fields := strings.Fields(text)
	if len(fields) < 2 {
		return Money{}, errors.New("enter an amount and a currency, such as 80000 EUR")
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
		return Money{}, fmt.Errorf("%q is too large", clip(text))
	}
	return Money{Amount: amount, Currency: currency}, nil
}

// readNonNegative works like readMoney for amounts that cannot be negative.
func readNonNegative(text string) (Money, error) {
	m, err := readMoney(text)
	if err == nil && m.Amount.IsNegative() {
		return Money{}, errors.New("the amount is negative")
	}
	return m, err
}

func isCurrencyCode(code string) bool {
	return len(code) == 3 && !strings.ContainsFunc(code, func(r rune) bool { return r < 'A' || r > 'Z' })
}

func readCurrency(text string) (string, error) {
	code := strings.ToUpper(text)
	if !isCurrencyCode(code) {
		return "", fmt.Errorf("%q is not a currency; write a three-letter code, such as EUR", clip(text))
	}
	return code, nil
}

// readPercent reads "25%" as 0.25. A number of one or less needs the percent sign, because 0.25 may
// mean a quarter of one percent or 25%.
func readPercent(text string) (decimal.NullDecimal, error) {
	bare, signed := strings.CutSuffix(text, "%")
	n, err := readNumber(strings.TrimSpace(bare))
	switch {
	case err != nil:
		return decimal.NullDecimal{}, err
	case n.IsNegative() || n.GreaterThan(decimal.NewFromInt(100)):
		return decimal.NullDecimal{}, fmt.Errorf("%s is not between 0%% and 100%%", n)
	case !signed && !n.IsZero() && n.LessThanOrEqual(decimal.NewFromInt(1)):
		return decimal.NullDecimal{}, fmt.Errorf("ambiguous: write %s%% or %s%%", n, n.Shift(2))
	}
	if part := n.Shift(-2); hasBoundedDigits(part) {
		return decimal.NewNullDecimal(part), nil
	}
	return decimal.NullDecimal{}, fmt.Errorf("%q has too many digits", clip(text))
}

// formatPercent formats a fraction as readPercent accepts it, or "" if unknown.
func formatPercent(part decimal.NullDecimal) string {
	if !part.Valid {
		return ""
	}
	return part.Decimal.Shift(2).String() + "%"
}

// readYear reads "2040" and, if spans is set, "15 years" from today.
func readYear(text string, today time.Time, spans bool) (int, error) {
	if count, ok := readSpan(text); ok && spans {
		if today.IsZero() {
			return 0, errors.New("write the year, such as 2040")
		}
		if count > 100 {
			return 0, fmt.Errorf("%d years is too long", count)
		}
		return today.Year() + count, nil
	}
	year, err := strconv.Atoi(text)
	if err != nil || len(text) != 4 || year < earliestYear || year > latestYear {
		return 0, fmt.Errorf("%q is not a year from %d to %d", clip(text), earliestYear, latestYear)
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

// readDay reads a date, month or year and returns its first day, because money that is available
// early does no harm.
func readDay(text string) (time.Time, error) {
	for _, layout := range []string{"2006-01-02", "2006-01", "2006"} {
		day, err := time.Parse(layout, text)
		if err == nil && day.Year() >= earliestYear && day.Year() <= latestYear {
			return day, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a date; write 2027-06-30, 2027-06 or 2027", clip(text))
}
