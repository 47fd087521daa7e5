package humanize_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/humanize"
)

func TestCount_OneIsNotMany(t *testing.T) {
	for n, want := range map[int]string{
		0: "0 entries", 1: "1 entry", 2: "2 entries", 101: "101 entries", 999: "999 entries", 1000: "1,000 entries", 1234567: "1,234,567 entries",
	} {
		if got := humanize.Count(n, "entry", "entries"); got != want {
			t.Errorf("Counted(%d) = %q, want %q", n, got, want)
		}
	}
}
