package toolkit

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// Style is how a value is written for people.
type Style string

// The styles. Fractions are numbers of which 0.05 is 5%.
const (
	Percent   Style = "percent"   // a fraction: 12.3%
	Change    Style = "change"    // a fraction with its sign: +5.7%
	DayChange Style = "daychange" // the change of a day: +0.47%
	Points    Style = "points"    // the difference of two fractions: +1.2 points
	Rate      Style = "rate"      // an interest rate or a yield, with the digits it needs: 4.25%
	Money     Style = "money"     // with the decimals of its currency: 1,234.50 USD
	Gain      Style = "gain"      // money with its sign: +1,234.50 USD
	Price     Style = "price"     // two to four decimals, two from 1,000 on: 94.6344 USD
	Number    Style = "number"    // at most four decimals, more for a small number
	Signed    Style = "signed"    // a number with its sign
	Count     Style = "count"     // a whole number: 12,345
	Exact     Style = "exact"     // every digit
	Date      Style = "date"
	Text      Style = "text"

	styleNotes Style = "notes" // a list of sentences, shown below the tables
	styleFlag  Style = "flag"  // a word that stands in front of the title and the summary
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

// NotAvailable is written for what is not known.
const NotAvailable = "n/a"

// Format writes a value for people. Amounts end in the currency, if it is named. What is not known
// is NotAvailable: nil, NaN, an infinity, an empty text, the zero time.
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
		return firstNonEmpty(FormatDate(v), NotAvailable)
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case []string:
		return firstNonEmpty(strings.Join(v, ", "), NotAvailable)
	}
	if r := reflect.ValueOf(v); r.Kind() == reflect.Pointer && r.IsNil() {
		return NotAvailable
	}
	return firstNonEmpty(fmt.Sprint(v), NotAvailable)
}

// maxWhole is how many digits before the point are written out.
const maxWhole = 18

// fixed writes a number with its places, grouped; what rounds to zero has no sign.
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

// decimals is how many decimals a number needs, from least to most; a number below one keeps four
// significant digits, unless it is nothing but the noise of a calculation.
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

// magnitude is how many digits a number has before its point; below one, minus the zeros behind it.
func magnitude(n decimal.Decimal) int32 { return int32(n.NumDigits()) + n.Exponent() }

// significant rounds a number to so many digits.
func significant(n decimal.Decimal, digits int32) decimal.Decimal {
	return n.Round(digits - magnitude(n))
}
