package toolkit_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

func TestFormatSigned_ShowsTheSignWithoutColour(t *testing.T) {
	for text, want := range map[string]string{"1.234": "+1.23", "-1.234": "−1.23", "0.001": "0.00", "-0.004": "0.00"} {
		if got := toolkit.FormatSigned(decimal.RequireFromString(text), 2); got != want {
			t.Errorf("Signed(%s) = %s, want %s", text, got, want)
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

func TestRoundDecimalSignificant_ASmallNumberDoesNotBecomeZero(t *testing.T) {
	for _, tc := range []struct {
		v      float64
		places int32
		want   string
	}{
		{4.759422, 4, "4.7594"}, {0.000009934567, 6, "0.000009935"}, {-0.000012345, 2, "-0.00001235"}, {0.5, 2, "0.5"}, {123456.789, 2, "123456.79"}, {0, 2, "0"}, {1e-300, 2, "0"},
	} {
		if got := toolkit.RoundDecimalSignificant(tc.v, tc.places); got.String() != tc.want {
			t.Errorf("Significant(%v, %d) = %s, want %s", tc.v, tc.places, got, tc.want)
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
	for _, err := range []error{market.ErrUnknownSymbol, market.ErrNoData, market.ErrInvalidSymbol, market.ErrAmbiguous} {
		if res, got := toolkit.SourceErrorResult(fmt.Errorf("quote: %w", err)); got != nil || res.Code != tool.CodeNoData {
			t.Errorf("Mendable(%v) = %+v, %v; want a result for the model", err, res, got)
		}
	}
	if _, err := toolkit.SourceErrorResult(market.ErrUnavailable); !errors.Is(err, market.ErrUnavailable) {
		t.Errorf("Mendable(unavailable) = %v, want the error itself", err)
	}
}
