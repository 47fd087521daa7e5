package toolkit_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// Numbers look the same everywhere: ASCII minus, no space before %, thousands separators, a sign on
// changes, n/a for unknown values.
func TestFormat_SpellsANumberOneWay(t *testing.T) {
	dec := decimal.RequireFromString
	for _, row := range []struct {
		v        any
		style    toolkit.Style
		currency string
		want     string
	}{
		{0.123, toolkit.Percent, "", "12.3%"},
		{-0.533, toolkit.Percent, "", "-53.3%"},
		{22.575, toolkit.Percent, "", "2,257.5%"},
		{0.0, toolkit.Percent, "", "0.0%"},
		{-0.0001, toolkit.Percent, "", "0.0%"},
		{dec("0.33250"), toolkit.Percent, "", "33.3%"},
		{0.0572, toolkit.Change, "", "+5.7%"},
		{-0.0572, toolkit.Change, "", "-5.7%"},
		{0.0001, toolkit.Change, "", "0.0%"},
		{0.0047, toolkit.DayChange, "", "+0.47%"},
		{-0.0165, toolkit.DayChange, "", "-1.65%"},
		{-0.0123, toolkit.Points, "", "-1.2 points"},
		{0.0425, toolkit.Rate, "", "4.25%"},
		{0.05, toolkit.Rate, "", "5.0%"},
		{0.08 / 12, toolkit.Rate, "", "0.6667%"},
		{0.0000012, toolkit.Rate, "", "0.00012%"},
		{1234.5, toolkit.Money, "USD", "1,234.50 USD"},
		{-1234567.891, toolkit.Money, "EUR", "-1,234,567.89 EUR"},
		{1234.5, toolkit.Money, "JPY", "1,235 JPY"},
		{dec("1234.5678"), toolkit.Money, "KWD", "1,234.568 KWD"},
		{1234.5, toolkit.Money, "", "1,234.50"},
		{0, toolkit.Money, "USD", "0.00 USD"},
		{-0.001, toolkit.Money, "", "-0.001"},
		{-8.7e-16, toolkit.Money, "USD", "0.00 USD"},
		{1698.2, toolkit.Gain, "USD", "+1,698.20 USD"},
		{-363.7, toolkit.Gain, "USD", "-363.70 USD"},
		{0.0, toolkit.Gain, "USD", "0.00 USD"},
		{94.63436162132211, toolkit.Price, "USD", "94.6344 USD"},
		{271.5, toolkit.Price, "USD", "271.50 USD"},
		{14979.917359, toolkit.Price, "", "14,979.92"},
		{0.0690087643, toolkit.Price, "", "0.06901"},
		{7.183036025, toolkit.Number, "", "7.183"},
		{0.000009932192, toolkit.Number, "", "0.000009932"},
		{dec("363.636"), toolkit.Number, "", "363.636"},
		{1000000, toolkit.Number, "", "1,000,000"},
		{1e30, toolkit.Number, "", "1.00000e+30"},
		{12345, toolkit.Count, "", "12,345"},
		{dec("0.2283333333333333333333333333"), toolkit.Exact, "", "0.2283333333333333333333333333"},
		{dec("-12345.5"), toolkit.Exact, "", "-12,345.5"},
		{math.NaN(), toolkit.Percent, "", "n/a"},
		{math.Inf(-1), toolkit.Money, "USD", "n/a"},
		{nil, toolkit.Change, "", "n/a"},
		{(*float64)(nil), toolkit.Change, "", "n/a"},
		{decimal.NullDecimal{}, toolkit.Money, "USD", "n/a"},
		{new(0.5), toolkit.Percent, "", "50.0%"},
		{time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC), toolkit.Date, "", "2026-11-22"},
		{time.Time{}, toolkit.Date, "", "n/a"},
		{"act/act", toolkit.Text, "", "act/act"},
		{"", toolkit.Text, "", "n/a"},
		{true, toolkit.Text, "", "yes"},
		{[]string{"A", "B"}, toolkit.Text, "", "A, B"},
	} {
		if got := toolkit.Format(row.v, row.style, row.currency); got != row.want {
			t.Errorf("Format(%v, %s, %q) = %q, want %q", row.v, row.style, row.currency, got, row.want)
		}
	}
}

func TestRoundSignificant_KeepsSevenDigits(t *testing.T) {
	for v, want := range map[float64]float64{0: 0, 1234567.89: 1234568, 0.000123456789: 0.0001234568, 98765432: 98765432} {
		if got := toolkit.RoundSignificant(v); got != want {
			t.Errorf("Tidy(%v) = %v, want %v", v, got, want)
		}
	}
}

func TestTable_OutsideTextCannotBreakOut(t *testing.T) {
	got := toolkit.MarkdownTable([]string{"name", "price:"}, [][]string{{"a | b\nc", "1"}})
	if lines := strings.Split(strings.TrimSpace(got), "\n"); len(lines) != 3 || strings.Count(strings.ReplaceAll(lines[2], `\|`, ""), "|") != 3 {
		t.Errorf("Table = %q, want three lines of two cells", got)
	}
}

func TestFenced_TextCannotEndItsBlock(t *testing.T) {
	got := toolkit.CodeBlock("```\nescaped", "")
	if !strings.HasPrefix(got, "````\n") || !strings.HasSuffix(got, "\n````\n") {
		t.Errorf("Fenced = %q, want a longer fence", got)
	}
}

func TestSourceErrorResult_OnlyWhatABetterQuestionAvoidsIsAResult(t *testing.T) {
	for err, code := range map[error]string{
		market.ErrUnknownSymbol: market.CodeUnknownSymbol, market.ErrNoData: tool.CodeNoData, market.ErrInvalidSymbol: tool.CodeNoData, market.ErrAmbiguous: tool.CodeNoData,
	} {
		if res, got := toolkit.SourceErrorResult(fmt.Errorf("quote: %w", err)); got != nil || res.Code != code {
			t.Errorf("Mendable(%v) = %+v, %v; want a result for the model", err, res, got)
		}
	}
	if _, err := toolkit.SourceErrorResult(market.ErrUnavailable); !errors.Is(err, market.ErrUnavailable) {
		t.Errorf("Mendable(unavailable) = %v, want the error itself", err)
	}
}
