package toolkit_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

func TestParseCurrency_IsACodeOrNone(t *testing.T) {
	for text, want := range map[string]string{"": "", " usd ": "USD", "EUR": "EUR"} {
		if got, err := toolkit.ParseCurrency(text); err != nil || got != want {
			t.Errorf("Currency(%q) = %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"dollars", "U$D", "€"} {
		if got, err := toolkit.ParseCurrency(text); err == nil {
			t.Errorf("Currency(%q) = %q, want an error", text, got)
		}
	}
}

func TestParseDay_RefusesWhatIsNone(t *testing.T) {
	for _, text := range []string{"", "soon", "2024-02-30", "0001-01-01", "2024-1-1"} {
		if got, err := toolkit.ParseDay("date", text); err == nil {
			t.Errorf("Day(%q) = %s, want an error", text, got)
		}
	}
}

func TestCurrencyPlaces_YenHasNoCentsAndADinarAThousandFils(t *testing.T) {
	for currency, want := range map[string]int32{"JPY": 0, "XPF": 0, "USD": 2, "HUF": 2, "": 2, "KWD": 3} {
		if got := toolkit.CurrencyPlaces(currency); got != want {
			t.Errorf("PlacesOf(%q) = %d, want %d", currency, got, want)
		}
	}
}

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

func TestParseSymbols_AreTakenOnceAndInOrder(t *testing.T) {
	got := toolkit.ParseSymbols([]string{"VTI", " aapl , "}, "AAPL,BND,vti")
	if diff := cmp.Diff([]string{"VTI", "aapl", "BND"}, got); diff != "" {
		t.Errorf("Symbols (-want +got):\n%s", diff)
	}
}
