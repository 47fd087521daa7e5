package offline

import (
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
)

// absent stands where a result has no number. It is never replaced by a guess.
const absent = "n/a"

// percent writes a fraction in per cent, with one decimal.
func (o ResultObject) percent(name string) string {
	d, ok := o.number(name)
	if !ok {
		return absent
	}
	return groupThousands(d.Shift(2).StringFixed(1)) + "%"
}

// percentSize is percent without the sign, for words that carry it.
func (o ResultObject) percentSize(name string) string {
	return strings.TrimPrefix(o.percent(name), "-")
}

// signedPercent is percent with a plus where it is one.
func (o ResultObject) signedPercent(name string) string {
	d, ok := o.number(name)
	if !ok {
		return absent
	}
	return plusSign(d) + o.percent(name)
}

func plusSign(d decimal.Decimal) string {
	if d.IsPositive() {
		return "+"
	}
	return ""
}

// amount writes a number with thousands separators and two decimals, as prices are read; a small
// number with up to four, and a smaller one with as many as it needs, so that a price other than
// zero is never written as 0.
func (o ResultObject) amount(name string) string {
	d, ok := o.number(name)
	if !ok {
		return absent
	}
	const fewest, most = 2, 4
	if d.Abs().GreaterThanOrEqual(decimal.NewFromInt(10)) {
		return groupThousands(d.StringFixed(fewest))
	}
	places := int32(most)
	if d.Abs().LessThan(decimal.New(1, -1)) {
		places = most - int32(d.NumDigits()) - d.Exponent()
	}
	return groupThousands(d.StringFixed(min(max(-d.Exponent(), fewest), places)))
}

// count writes a whole number with thousands separators.
func (o ResultObject) count(name string) string {
	d, ok := o.number(name)
	if !ok {
		return absent
	}
	return groupThousands(d.String())
}

// FormatCount writes a whole number as answers do.
func FormatCount(n int) string { return groupThousands(strconv.Itoa(n)) }

// groupThousands puts commas between the thousands of plain digits.
func groupThousands(digits string) string {
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	var b strings.Builder
	for i, r := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	if fraction != "" {
		b.WriteString("." + fraction)
	}
	return sign + b.String()
}

// textOrAbsent is a field's text, or n/a.
func (o ResultObject) textOrAbsent(name string) string {
	if s := o.Text(name); s != "" {
		return EscapeMarkdown(s)
	}
	return absent
}

// unit is what prices are counted in: the currency, or the unit of an index.
func (o ResultObject) unit() string {
	if c := o.Text("currency"); c != "" {
		return EscapeMarkdown(c)
	}
	if u := o.Text("unit"); u != "price" {
		return EscapeMarkdown(u)
	}
	return ""
}

// withUnit writes an amount with its unit.
func withUnit(amount, unit string) string {
	if unit == "" || amount == absent {
		return amount
	}
	return amount + " " + unit
}

// table draws rows below a head; the first column is text, the others are
// aligned to the right.
func table(head []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(head)
	b.WriteString("|---|" + strings.Repeat("---:|", len(head)-1) + "\n")
	for _, row := range rows {
		line(row)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
