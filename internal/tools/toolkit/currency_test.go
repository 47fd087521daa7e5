package toolkit_test

import (
	"testing"

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
