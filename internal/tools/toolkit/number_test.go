package toolkit_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

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
	for _, err := range []error{market.ErrUnknownSymbol, market.ErrNoData, market.ErrInvalidSymbol, market.ErrAmbiguous} {
		if res, got := toolkit.SourceErrorResult(fmt.Errorf("quote: %w", err)); got != nil || res.Code != tool.CodeNoData {
			t.Errorf("Mendable(%v) = %+v, %v; want a result for the model", err, res, got)
		}
	}
	if _, err := toolkit.SourceErrorResult(market.ErrUnavailable); !errors.Is(err, market.ErrUnavailable) {
		t.Errorf("Mendable(unavailable) = %v, want the error itself", err)
	}
}
