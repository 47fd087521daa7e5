package answer

import (
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/llm/offline/quoted"
)

// absent stands where a result has no number. It is never replaced by a guess.
const absent = "n/a"

// percent writes a fraction in per cent, with one decimal.
func (o Object) percent(name string) string {
	d, ok := o.number(name)
	if !ok {
		return absent
	}
	return grouped(d.Shift(2).StringFixed(1)) + "%"
}

// percentSize is percent without the sign, for words that carry it.
func (o Object) percentSize(name string) string { return strings.TrimPrefix(o.percent(name), "-") }

// signedPercent is percent with a plus where it is one.
func (o Object) signedPercent(name string) string {
	d, ok := o.number(name)
	if !ok {
		return absent
	}
	return plus(d) + o.percent(name)
}

func plus(d decimal.Decimal) string {
	if d.IsPositive() {
		return "+"
	}
	return ""
}

// amount writes a number with thousands separators and two decimals, as a price
// is read; a small one with up to four, and one that begins behind them with as many
// digits of its own: a price that is not nothing is never told as 0.
func (o Object) amount(name string) string {
	d, ok := o.number(name)
	if !ok {
		return absent
	}
	const fewest, most = 2, 4
	if d.Abs().GreaterThanOrEqual(decimal.NewFromInt(10)) {
		return grouped(d.StringFixed(fewest))
	}
	places := int32(most)
	if d.Abs().LessThan(decimal.New(1, -1)) {
		places = most - int32(d.NumDigits()) - d.Exponent()
	}
	return grouped(d.StringFixed(min(max(-d.Exponent(), fewest), places)))
}

// count writes a whole number with thousands separators.
func (o Object) count(name string) string {
	d, ok := o.number(name)
	if !ok {
		return absent
	}
	return grouped(d.String())
}

// Count writes a whole number as answers do.
func Count(n int) string { return grouped(strconv.Itoa(n)) }

// grouped puts commas between the thousands of plain digits.
func grouped(digits string) string {
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

// known is a field's text, or n/a.
func (o Object) known(name string) string {
	if s := o.Text(name); s != "" {
		return quoted.Escaped(s)
	}
	return absent
}

// unit is what prices are counted in: the currency, or the unit of an index.
func (o Object) unit() string {
	if c := o.Text("currency"); c != "" {
		return quoted.Escaped(c)
	}
	if u := o.Text("unit"); u != "price" {
		return quoted.Escaped(u)
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
