package trace_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/trace"
)

func TestCurrency_IsACodeOrASharedSign(t *testing.T) {
	for word, want := range map[string]string{
		"USD": "USD", "$": "$", "dollars": "$", "US$": "USD", "€": "EUR", "元": "CNY", "RMB": "CNY", "¥": "¥", "港元": "HKD", "kr": "kr",
		"pence": "GBp", "GBX": "GBp", "usd": "", "XYZ": "", "": "",
	} {
		if got := trace.CurrencyOf(word); got != want {
			t.Errorf("Currency(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestSameCurrency_ASignStandsForThoseThatShareIt(t *testing.T) {
	for _, row := range []struct {
		a, b string
		want bool
	}{
		{"USD", "USD", true}, {"$", "CAD", true}, {"HKD", "$", true}, {"¥", "JPY", true}, {"¥", "CNY", true}, {"kr", "SEK", true}, {"", "EUR", true},
		{"USD", "CAD", false}, {"$", "EUR", false}, {"kr", "EUR", false}, {"GBP", "GBp", false},
	} {
		if got := trace.SameCurrency(row.a, row.b); got != row.want {
			t.Errorf("SameCurrency(%q, %q) = %t, want %t", row.a, row.b, got, row.want)
		}
	}
}

func TestHan_TheLongestWordIsRead(t *testing.T) {
	for text, want := range map[string]struct {
		word  string
		power int32
	}{"万亿元": {"万亿", 12}, "亿": {"亿", 8}, "百万股": {"百万", 6}, "元": {}, "": {}} {
		if word, power := trace.HanScale(text); word != want.word || power != want.power {
			t.Errorf("HanScale(%q) = %q, %d; want %q, %d", text, word, power, want.word, want.power)
		}
	}
	for text, want := range map[string][2]string{"新加坡元。": {"新加坡元", "SGD"}, "元": {"元", "CNY"}, "円": {"円", "JPY"}, "股": {}} {
		if word, code := trace.HanCurrency(text); [2]string{word, code} != want {
			t.Errorf("HanCurrency(%q) = %q, %q; want %q", text, word, code, want)
		}
	}
	for text, want := range map[string][2]string{"约人民币": {"人民币", "CNY"}, "美元": {"美元", "USD"}, "的元": {}, "": {}} {
		if word, code := trace.HanCurrencyBefore(text); [2]string{word, code} != want {
			t.Errorf("HanCurrencyBefore(%q) = %q, %q; want %q", text, word, code, want)
		}
	}
}

func TestScaleAndTimeUnit_ReadTheSingular(t *testing.T) {
	for word, want := range map[string]int32{"k": 3, "lakh": 5, "mn": 6, "crore": 7, "billion": 9, "trn": 12} {
		if got, ok := trace.ScaleOf(word); got != want || !ok {
			t.Errorf("Scale(%q) = %d, %t; want %d", word, got, ok, want)
		}
	}
	if _, ok := trace.ScaleOf("share"); ok {
		t.Error(`Scale("share") is a power of ten`)
	}
	for noun, want := range map[string]string{"year": "year", "session": "day", "个月": "month", "季度": "quarter", "share": "", "": ""} {
		if got := trace.TimeUnit(noun); got != want || trace.IsTimeUnit(noun) != (want != "") {
			t.Errorf("TimeUnit(%q) = %q, want %q", noun, got, want)
		}
	}
}
