package toolkit

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
)

// CalculationSheet gathers what a calculator found: each line is a figure for the model and a
// row for people. A new tool uses Render instead.
type CalculationSheet struct {
	Tool     string // the source of its figures
	Currency string // as the caller named it, or ""
	AsOf     time.Time

	figures []tool.Figure
	rows    [][]string
}

// SheetLine is one number of a sheet.
type SheetLine struct {
	ID, Label string
	Value     decimal.Decimal
	Unit      string
	Formula   string
	Inputs    []string
}

// Add puts a line below the others.
func (s *CalculationSheet) Add(l SheetLine) {
	s.AddFigure(l)
	s.rows = append(s.rows, []string{l.Label, strings.TrimSpace(l.Value.String() + " " + l.Unit), l.Formula})
}

// AddFigure makes a figure of a line that people see elsewhere, as in a table of
// its own.
func (s *CalculationSheet) AddFigure(l SheetLine) {
	s.figures = append(s.figures, tool.Figure{
		ID: l.ID, Label: l.Label, Value: l.Value, Unit: l.Unit, AsOf: s.AsOf, Source: s.Tool, Formula: l.Formula, Inputs: l.Inputs,
	})
}

// Figures are the lines as figures.
func (s *CalculationSheet) Figures() []tool.Figure { return s.figures }

// MoneyUnit is the unit of sums: the currency, or what stands for one that was not
// named.
func (s *CalculationSheet) MoneyUnit() string {
	if s.Currency == "" {
		return "units of money"
	}
	return s.Currency
}

// Table is the sheet as people read it, below a heading, with its assumptions.
func (s *CalculationSheet) Table(heading string, assumptions []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\n", heading)
	b.WriteString(MarkdownTable([]string{"measure", "value:", "formula"}, s.rows))
	for _, a := range assumptions {
		b.WriteString("\n- " + a)
	}
	if len(assumptions) > 0 {
		b.WriteString("\n")
	}
	return b.String()
}

// RoundDecimal is v with so many digits after the point. What computes refuses NaN and
// the infinities; they are zero here, since a decimal has none.
func RoundDecimal(v float64, places int32) decimal.Decimal {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return decimal.Zero
	}
	return decimal.NewFromFloat(v).Round(places)
}

// RoundDecimalSignificant is v with so many digits after the point, or as many more as four
// significant digits take: a small number does not become zero.
func RoundDecimalSignificant(v float64, places int32) decimal.Decimal {
	const digits, most = 4, 15
	if v != 0 && !math.IsInf(v, 0) && !math.IsNaN(v) {
		places = max(places, min(digits-1-int32(math.Floor(math.Log10(math.Abs(v)))), most))
	}
	return RoundDecimal(v, places)
}

// RoundPercent is a fraction in per cent with so many digits.
func RoundPercent(v float64, places int32) decimal.Decimal { return RoundDecimal(v*100, places) }

// UnusualRateNote doubts a rate a year that is more likely a percentage than a fraction.
func UnusualRateNote(name string, rate float64) string {
	return fmt.Sprintf("a %s of %s a year: if %s was meant, give %v", name, Format(rate, Rate, ""), Format(rate/100, Rate, ""), RoundSignificant(rate/100))
}
