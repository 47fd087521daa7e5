package calculator

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// sheet gathers what a calculator found: each line is a figure for the model and a
// row for people, so that neither says what the other does not.
type sheet struct {
	tool     string
	currency string // as the caller named it, or ""
	asOf     time.Time

	figures []tool.Figure
	rows    [][]string
}

// line is one number of a sheet.
type line struct {
	id, label string
	value     decimal.Decimal
	unit      string
	formula   string
	inputs    []string
}

func (s *sheet) add(l line) {
	s.figures = append(s.figures, tool.Figure{
		ID: l.id, Label: l.label, Value: l.value, Unit: l.unit, AsOf: s.asOf, Source: s.tool, Formula: l.formula, Inputs: l.inputs,
	})
	s.rows = append(s.rows, []string{l.label, strings.TrimSpace(l.value.String() + " " + l.unit), l.formula})
}

// money is the unit of sums: the currency, or what stands for one that was not
// named.
func (s *sheet) money() string {
	if s.currency == "" {
		return "units of money"
	}
	return s.currency
}

// table is the sheet as people read it, below a heading, with its assumptions.
func (s *sheet) table(heading string, assumptions []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\n", heading)
	b.WriteString(present.Table([]string{"measure", "value:", "formula"}, s.rows))
	for _, a := range assumptions {
		b.WriteString("\n- " + a)
	}
	if len(assumptions) > 0 {
		b.WriteString("\n")
	}
	return b.String()
}

// rounded is v with so many digits after the point. NaN and the infinities never
// get here: what computes refuses them.
func rounded(v float64, places int32) decimal.Decimal {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return decimal.Zero
	}
	return decimal.NewFromFloat(v).Round(places)
}

// percent is a fraction in per cent with so many digits.
func percent(v float64, places int32) decimal.Decimal { return rounded(v*100, places) }

// given says an input as it was given.
func given(name string, v float64) string { return name + " " + decimal.NewFromFloat(v).String() }

// currencyOf tidies a currency that a caller named.
func currencyOf(text string) (string, error) {
	text = strings.ToUpper(strings.TrimSpace(text))
	if text == "" {
		return "", nil
	}
	if len(text) != 3 || strings.ContainsFunc(text, func(r rune) bool { return r < 'A' || r > 'Z' }) {
		return "", fmt.Errorf("currency %.10q: give an ISO 4217 code such as USD", text)
	}
	return text, nil
}

// dateOf reads a day of a call.
func dateOf(name, text string) (time.Time, error) {
	d, err := time.Parse(time.DateOnly, strings.TrimSpace(text))
	if err != nil {
		return time.Time{}, fmt.Errorf("%s %.20q is no date; write YYYY-MM-DD", name, text)
	}
	if d.Year() < 1700 || d.Year() > 2400 {
		return time.Time{}, fmt.Errorf("%s %s is too far away", name, text)
	}
	return d, nil
}

// wholeUnits are the currencies without a smaller unit.
const wholeUnits = " JPY KRW CLP VND ISK XOF XAF UGX PYG "

// placesOf is how many decimals sums of a currency have.
func placesOf(currency string) int32 {
	if currency != "" && strings.Contains(wholeUnits, " "+currency+" ") {
		return 0
	}
	return 2
}
