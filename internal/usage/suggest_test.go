package usage_test

import (
	"strings"
	"testing"
	"testing/quick"

	"github.com/nfa-cli/nfa/internal/usage"
)

func TestDistance_CountsInsertionsDeletionsReplacementsAndSwaps(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"model", "model", 0}, {"modle", "model", 1}, {"divdiend", "dividend", 1}, {"maximun", "minimum", 3}, {"mode", "model", 1}, {"models", "model", 1}, {"", "abc", 3},
		{"kitten", "sitting", 3}, {"café", "cafe", 1}, {"中文", "中", 1},
		{"x", strings.Repeat("x", 101), 101}, {strings.Repeat("x", 300), "x", 101},
	} {
		if got := usage.Distance(tt.a, tt.b, 100); got != tt.want {
			t.Errorf("Distance(%.20q, %.20q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestDistance_StopsAboveTheLimit(t *testing.T) {
	for _, tt := range []struct {
		a, b        string
		limit, want int
	}{{"maximun", "minimum", 1, 2}, {"maximun", "minimum", 3, 3}, {"ab", "ba", 1, 1}, {"a", "abcd", 2, 3}, {"", "", 0, 0}, {"abcd", "bacd", 0, 1}} {
		if got := usage.Distance(tt.a, tt.b, tt.limit); got != tt.want {
			t.Errorf("Distance(%q, %q) up to %d = %d, want %d", tt.a, tt.b, tt.limit, got, tt.want)
		}
	}
}

func TestDistance_IsTheSameFromBothSides(t *testing.T) {
	same := func(a, b string) bool {
		d := usage.Distance(a, b, 100)
		return d == usage.Distance(b, a, 100) && (d == 0) == (string([]rune(a)) == string([]rune(b)))
	}
	if err := quick.Check(same, nil); err != nil {
		t.Error(err)
	}
}

func TestDidYouMean_NamesTheNearestOrAll(t *testing.T) {
	known := []string{"horizon", "income", "objectives"}
	for word, want := range map[string]string{
		"horison": "did you mean horizon?", "incom": "did you mean income?", "zzzzzzzzzzzz": "known: horizon, income, objectives",
	} {
		if got := usage.DidYouMean(word, known); got != want {
			t.Errorf("Hint(%q) = %q, want %q", word, got, want)
		}
	}
	if got := usage.DidYouMean("horizon", nil); got != "" {
		t.Errorf("Hint of nothing = %q, want nothing", got)
	}
}
