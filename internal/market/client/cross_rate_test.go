package client_test

import (
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

func TestCrossed_IsQuotePerEuroDividedByBasePerEuro(t *testing.T) {
	of := func(text string) decimal.Decimal { return decimal.RequireFromString(text) }
	day := map[string]decimal.Decimal{"USD": of("1.1000"), "GBP": of("0.8500"), "JPY": of("162.5"), "XXX": of("0")}
	for _, row := range []struct {
		base, quote, want, note string // want is empty if a rate is missing
	}{
		{"EUR", "USD", "1.1", "not a trading price"},
		{"USD", "EUR", "0.9090909091", "1 divided by USD"},
		{"GBP", "USD", "1.294117647", "USD per euro divided by GBP per euro"},
		{"JPY", "GBP", "0.005230769231", "GBP per euro divided by JPY per euro"},
		{"EUR", "CHF", "", ""}, {"CHF", "EUR", "", ""}, {"USD", "CHF", "", ""}, {"XXX", "USD", "", ""}, {"EUR", "XXX", "", ""},
	} {
		pair := market.Pair{Base: row.base, Quote: row.quote}
		got, ok := client.CrossRate(pair, day)
		if ok != (row.want != "") || ok && !got.Equal(of(row.want)) {
			t.Errorf("%s = %s, %v; want %q", pair, got, ok, row.want)
		}
		if note := client.CrossRateNote(pair); ok && !strings.Contains(note, row.note) {
			t.Errorf("%s is said to be %q, want %q in it", pair, note, row.note)
		}
	}
}

func TestSignificant_CountsDigitsWhereverThePointIs(t *testing.T) {
	for text, want := range map[string]string{
		"123456.789": "123000", "0.00123456": "0.00123", "-1.2355": "-1.24", "0": "0", "12": "12", "999.9": "1000",
	} {
		if got := client.RoundSignificant(decimal.RequireFromString(text), 3); !got.Equal(decimal.RequireFromString(want)) {
			t.Errorf("three digits of %s = %s, want %s", text, got, want)
		}
	}
}
