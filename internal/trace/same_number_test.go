package trace_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/trace"
)

func TestSame_IsOfTheNumberAndNotOfItsSetting(t *testing.T) {
	for _, row := range []struct {
		a, b string
		want bool
	}{
		{"23.4%", "23.4 %", true}, {"1,234", "1234", true}, {"$5 bn", "5 billion", true}, {"-3%", "3%", true}, {"23.4", "23.4%", true}, {"soon", " soon ", true},
		{"23.4%", "23.5%", false}, {"+3%", "-3%", false}, {"€5", "$5", false}, {"5 bp", "5%", false}, {"soon", "later", false},
	} {
		if got := trace.SameNumber(row.a, row.b); got != row.want {
			t.Errorf("SameNumber(%q, %q) = %t, want %t", row.a, row.b, got, row.want)
		}
	}
}
