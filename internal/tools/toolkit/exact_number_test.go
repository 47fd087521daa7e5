package toolkit_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

func TestParseExact_KeepsEveryDigitAndRefusesWhatIsEndless(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"a price", "118.20", "118.2"},
		{"what a float64 rounds", "1234567890.123456789", "1234567890.123456789"},
		{"a power of ten", "1e3", "1000"},
		{"below zero", "-0.5", "-0.5"},
		{"as fine as it goes", "1e-18", "0.000000000000000001"},
		{"finer", "1e-19", ""},
		{"a power of a billion", "1e999999999", ""},
		{"many digits", strings.Repeat("7", 39), ""},
		{"many zeros", "1" + strings.Repeat("0", 99), ""},
		{"a word", "dear", ""},
		{"nothing", "", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := toolkit.ParseExact("price", json.Number(row.text))
			if row.want == "" {
				if err == nil || !strings.HasPrefix(err.Error(), "price ") {
					t.Errorf("Exact(%q) = %s, %v, want an error that names the argument", row.text, got, err)
				}
				return
			}
			if err != nil || got.String() != row.want {
				t.Errorf("Exact(%q) = %s, %v, want %s", row.text, got, err, row.want)
			}
		})
	}
}
