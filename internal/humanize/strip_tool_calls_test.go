package humanize_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/cputest"
	"github.com/nfa-cli/nfa/internal/humanize"
)

func TestForPeople_NamesTheVerbAndNotTheCall(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"a call with arguments", `it is not known: portfolio_settings {"securities":[{"symbol":"A)B"}]} (nfa portfolio facts A --region REGION); so`, "it is not known: nfa portfolio facts A --region REGION; so"},
		{"a tool by its name", "record it with add_transaction (nfa portfolio add), or read it with import_transactions (nfa portfolio import FILE)", "record it with nfa portfolio add, or read it with nfa portfolio import FILE"},
		{"no verb behind it", `add_transaction {"a":1}, and (nfa portfolio)`, `add_transaction {"a":1}, and (nfa portfolio)`},
		{"arguments that never end", `add_transaction {"a": (nfa x)`, `add_transaction {"a": (nfa x)`},
		{"brackets that never end", "add_transaction (nfa portfolio", "add_transaction (nfa portfolio"},
		{"a bracket that closes far behind", "add_transaction (nfa portfolio" + strings.Repeat(" x", 100) + ")", "add_transaction (nfa portfolio" + strings.Repeat(" x", 100) + ")"},
		{"no tool", "a word (nfa portfolio) and A_B (nfa x)", "a word (nfa portfolio) and A_B (nfa x)"},
		{"nothing", "", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := humanize.ForPeople(row.text); got != row.want {
				t.Errorf("ForPeople(%q) = %q, want %q", row.text, got, row.want)
			}
		})
	}
}

// TestForPeople_TheTimeGrowsWithTheText checks that the time grows with the length of a text, not
// with its square. Otherwise two million bytes of brackets from a server would take over half a
// minute.
func TestForPeople_TheTimeGrowsWithTheText(t *testing.T) {
	for _, part := range []string{"a_b (", "a_b (nfa ", "a_b {", `a_b {"`, "a_b {} (", "a_b {} (nfa x", "a_b_"} {
		t.Run(part, func(t *testing.T) {
			took := func(length int, enough time.Duration) time.Duration {
				text := strings.Repeat(part, length/len(part))
				return cputest.Least(t, enough, func() {
					if got := humanize.ForPeople(text); got != text {
						t.Errorf("ForPeople changed a text that names no verb: %d bytes of %d", len(got), len(text))
					}
				})
			}
			const few, many = 10_000, 320_000
			short := took(few, 0)
			if long := took(many, 200*short); long > 200*short { // 32 times as long; their square is 1,024
				t.Errorf("%d bytes took %v, %d took %v", few, short, many, long)
			}
		})
	}
}

func FuzzForPeople(f *testing.F) {
	f.Add("a_b {} (nfa x) a_b (nfa y)")
	f.Add("a_b {")
	f.Fuzz(func(t *testing.T, text string) {
		if got := humanize.ForPeople(text); len(got) > len(text) || !strings.Contains(text, "nfa ") && got != text {
			t.Errorf("ForPeople(%q) = %q", text, got)
		}
	})
}
