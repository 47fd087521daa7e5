package planning_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tools/planning"
)

func TestEvaluate_NothingPassesThroughAFloat(t *testing.T) {
	for text, want := range map[string]string{
		"0.1 + 0.2":             "0.3",
		"9007199254740993":      "9007199254740993", // 2^53 + 1
		"round(1000*1.07^2, 2)": "1144.9",
		"200 + 200 * 5%":        "210",
	} {
		got, err := planning.Evaluate(text)
		if err != nil || got.Rounded().String() != want || !got.Exact() {
			t.Errorf("Evaluate(%s) = %s, exact %v, %v; want %s exactly", text, got.Rounded(), got.Exact(), err, want)
		}
	}
}

func TestEvaluate_SaysWhereAnExpressionGoesWrong(t *testing.T) {
	for text, part := range map[string]string{
		"1 +":    "ends where a number was expected",
		"2 3":    "operator was expected",
		"log(8)": "ln(x) or log10(x)",
		"1/0":    "zero",
		"":       "",
	} {
		if got, err := planning.Evaluate(text); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("Evaluate(%q) = %s, %v; want an error with %q", text, got.Rounded(), err, part)
		}
	}
}
