package toolkit

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/humanize"
)

// Style is how a value is formatted for people.
type Style string

// The styles. A fraction of 0.05 is 5%.
const (
	Percent   Style = "percent"   // a fraction: 12.3%
	Change    Style = "change"    // a fraction with its sign: +5.7%
	DayChange Style = "daychange" // a fraction, the change of one day: +0.47%
	Points    Style = "points"    // the difference of two fractions: +1.2 points
	Rate      Style = "rate"      // an interest rate or a yield, with one to four decimals: 4.25%
	Money     Style = "money"     // with the decimals of its currency: 1,234.50 USD
	Gain      Style = "gain"      // money with its sign: +1,234.50 USD
	Price     Style = "price"     // two to four decimals, two above 1,000: 94.6344 USD
	Number    Style = "number"    // at most four decimals, more for a small number
	Signed    Style = "signed"    // a number with its sign
	Count     Style = "count"     // a whole number: 12,345
	Exact     Style = "exact"     // every digit
	Date      Style = "date"
	Text      Style = "text"

	styleNotes Style = "notes" // a list of sentences, shown below the tables
	styleFlag  Style = "flag"  // a word before the title and the summary
)

func (s Style) fraction() bool {
	return s == Percent || s == Change || s == DayChange || s == Rate || s == Points
}
func (s Style) money() bool { return s == Money || s == Gain || s == Price }
func (s Style) signed() bool {
	return s == Change || s == DayChange || s == Points || s == Gain || s == Signed
}
func (s Style) numeric() bool {
	return s.fraction() || s.money() || s == Number || s == Signed || s == Count || s == Exact
}

// NotAvailable stands for an unknown value.
const NotAvailable = "n/a"

// Format formats a value for people. Amounts end with the currency, if there is one. It returns
// NotAvailable for nil, NaN, infinities, empty text and the zero time.
func Format(v any, style Style, currency string) string {
	if !style.numeric() {
		return formatText(v)
	}
	n, ok := numberOf(v)
	if !ok {
		return NotAvailable
	}
	var text string
	switch style {
	case Percent, Change:
		text = fixed(n.Shift(2), 1) + "%"
	case DayChange:
		text = fixed(n.Shift(2), 2) + "%"
	case Points:
		text = fixed(n.Shift(2), 1) + " points"
	case Rate:
		text = fixed(n.Shift(2), decimals(n.Shift(2), 1, 4)) + "%"
	case Money, Gain:
		places := CurrencyPlaces(currency)
		if n.Round(places).IsZero() {
			places = max(places, decimals(n, places, places))
		}
		text = fixed(n, places)
	case Price:
		most := int32(4)
		if magnitude(n) > 3 {
			most = 2
		}
		text = fixed(n, decimals(n, 2, most))
	case Number, Signed:
		text = fixed(n, decimals(n, 0, 4))
	case Count:
		text = fixed(n, 0)
	case Exact:
		text = GroupThousands(n.String())
	}
	if style.signed() && n.IsPositive() && strings.ContainsAny(text, "123456789") {
		text = "+" + text
	}
	if style.money() && currency != "" {
		text += " " + currency
	}
	return text
}

func formatText(v any) string {
	switch v := v.(type) {
	case nil:
		return NotAvailable
	case time.Time:
		return cmp.Or(FormatDate(v), NotAvailable)
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case []string:
		return cmp.Or(strings.Join(v, ", "), NotAvailable)
	}
	if r := reflect.ValueOf(v); r.Kind() == reflect.Pointer && r.IsNil() {
		return NotAvailable
	}
	return cmp.Or(fmt.Sprint(v), NotAvailable)
}

// maxWhole is the maximum number of digits before the decimal point that are written out.
const maxWhole = 18

// fixed formats a number with thousands separators. A number that rounds to zero has no sign.
func fixed(n decimal.Decimal, places int32) string {
	if magnitude(n) > maxWhole {
		return fmt.Sprintf("%.5e", n.InexactFloat64())
	}
	n = n.Round(places)
	if n.IsZero() {
		n = decimal.Zero
	}
	return GroupThousands(n.StringFixed(places))
}

// decimals returns how many decimals a number needs, from least to most. A number below one keeps
// four significant digits, unless it is so small that it is rounding noise.
func decimals(n decimal.Decimal, least, most int32) int32 {
	const digits, noise = 4, 9
	if n.IsZero() {
		return least
	}
	if m := magnitude(n); m <= 0 && m > -noise {
		most = max(most, digits-m)
	}
	n = n.Round(most)
	for places := least; places < most; places++ {
		if n.Equal(n.Truncate(places)) {
			return places
		}
	}
	return max(least, most)
}

// magnitude returns the number of digits before the decimal point, or for a number below 0.1 minus
// the number of zeros after it.
func magnitude(n decimal.Decimal) int32 { return int32(n.NumDigits()) + n.Exponent() }

// significant rounds a number to this many significant digits.
func significant(n decimal.Decimal, digits int32) decimal.Decimal {
	return n.Round(digits - magnitude(n))
}

// GroupThousands adds thousands separators to a number: "-1,234.50".
func GroupThousands(text string) string {
	whole, fraction, hasFraction := strings.Cut(text, ".")
	sign := ""
	if at := strings.IndexAny(whole, "0123456789"); at > 0 {
		sign, whole = whole[:at], whole[at:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if hasFraction {
		fraction = "." + fraction
	}
	return sign + whole + fraction
}

// JoinFew lists at most ten names and how many more there are.
func JoinFew(names []string) string {
	const limit = 10
	if len(names) <= limit {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:limit], ", "), len(names)-limit)
}

// percentPlaces is the number of decimals of a percentage computed by division.
const percentPlaces = 16

// PercentOf returns part / whole in percent, or nil if whole is zero.
func PercentOf(part, whole decimal.Decimal) *decimal.Decimal {
	if whole.IsZero() {
		return nil
	}
	percent := part.Shift(2).DivRound(whole, percentPlaces)
	return &percent
}

// PercentOfFraction returns a fraction in percent, or nil if it is unknown.
func PercentOfFraction(fraction *float64) *decimal.Decimal {
	if fraction == nil {
		return nil
	}
	return new(decimal.NewFromFloat(*fraction).Shift(2))
}

// Known returns a pointer to the number, or nil if it is unknown.
func Known(n decimal.NullDecimal) *decimal.Decimal {
	if !n.Valid {
		return nil
	}
	return &n.Decimal
}

// Spaced returns at most limit elements of a list, evenly spaced from the first to the last.
func Spaced[T any](all []T, limit int) []T {
	n := len(all)
	if n <= limit {
		return all
	}
	out := make([]T, limit)
	for i := range out {
		out[i] = all[i*(n-1)/(limit-1)]
	}
	return out
}

// FormatCount formats a count with thousands separators. n must not be negative.
func FormatCount(n int) string { return humanize.Number(n) }

// RoundSignificant rounds a number to seven significant digits.
func RoundSignificant(v float64) float64 {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	places := 6 - int(math.Floor(math.Log10(math.Abs(v))))
	if places <= 0 {
		return math.Round(v)
	}
	scale := math.Pow10(min(places, 300))
	return math.Round(v*scale) / scale
}

// FormatBytes formats a size: "512 bytes", "1.5 MiB".
func FormatBytes[N int | int64 | uint64](n N) string {
	for _, unit := range []struct {
		name string
		size uint64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if uint64(n) >= unit.size {
			return decimal.NewFromUint64(uint64(n)).DivRound(decimal.NewFromUint64(unit.size), 1).StringFixed(1) + " " + unit.name
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

// RoundDecimal returns v rounded to places decimals, or zero for NaN and infinities.
func RoundDecimal(v float64, places int32) decimal.Decimal {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return decimal.Zero
	}
	return decimal.NewFromFloat(v).Round(places)
}

// RoundPercent returns a fraction in percent, rounded to places decimals.
func RoundPercent(v float64, places int32) decimal.Decimal { return RoundDecimal(v*100, places) }

// UnusualRateNote returns the warning for an annual rate that was probably meant in percent.
func UnusualRateNote(name string, rate float64) string {
	return fmt.Sprintf("%s of %s a year is unusual; for %s pass %v", name, Format(rate, Rate, ""), Format(rate/100, Rate, ""), RoundSignificant(rate/100))
}

// Abbreviate returns text on one line of at most 60 characters, which fits into one line of a card.
func Abbreviate(text string) string { return Truncate(text, 60) }

// Truncate returns text on one line of at most limit characters.
func Truncate(text string, limit int) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= limit {
		return string(runes)
	}
	return string(runes[:limit-1]) + "…"
}

// CodeBlock returns a Markdown code block that its text cannot close; language may be "".
func CodeBlock(text, language string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + text + "\n" + fence + "\n"
}

// numberOf returns a value as a decimal; ok is false if it is not a number or unknown.
func numberOf(v any) (n decimal.Decimal, ok bool) {
	switch v := v.(type) {
	case decimal.Decimal:
		return v, true
	case decimal.NullDecimal:
		return v.Decimal, v.Valid
	case *decimal.Decimal:
		if v != nil {
			return *v, true
		}
	case float64:
		return fromFloat(v)
	case *float64:
		if v != nil {
			return fromFloat(*v)
		}
	case int:
		return decimal.NewFromInt(int64(v)), true
	}
	if r := reflect.ValueOf(v); r.IsValid() {
		switch {
		case r.CanInt():
			return decimal.NewFromInt(r.Int()), true
		case r.CanUint():
			return decimal.NewFromUint64(r.Uint()), true
		case r.CanFloat():
			return fromFloat(r.Float())
		}
	}
	return decimal.Decimal{}, false
}

func fromFloat(v float64) (decimal.Decimal, bool) {
	if v-v != 0 { // NaN or infinite
		return decimal.Decimal{}, false
	}
	n, err := decimal.NewFromString(strconv.FormatFloat(v, 'g', -1, 64))
	return n, err == nil
}

func interfaceOf(v reflect.Value) any {
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return nil
	}
	return v.Interface()
}

// WithUnit appends a unit to a formatted number: "1 year", "360 payments", "2.7%". Ratios have no
// visible unit.
func WithUnit(text, unit string) string {
	switch {
	case unit == "" || unit == "ratio" || text == NotAvailable:
		return text
	case unit == "%" || strings.EqualFold(unit, "percent"):
		return text + "%"
	case text == "1" && strings.HasSuffix(unit, "s"):
		unit = strings.TrimSuffix(unit, "s")
	}
	return text + " " + unit
}
