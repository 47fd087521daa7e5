package client_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market/client"
)

// decimalText returns a number as text, empty if it is absent.
func decimalText(d decimal.NullDecimal) string {
	if !d.Valid {
		return ""
	}
	return d.Decimal.String()
}

func TestDecimal_IsAFigureOrAbsent(t *testing.T) {
	for _, row := range []struct {
		text, want, price string // empty: absent
	}{
		{"194.85", "194.85", "194.85"},
		{"-3.5", "-3.5", ""},
		{"0", "0", ""},
		{"0.00", "0", ""},
		{"1e3", "1000", "1000"},
		{"1e20", "1" + strings.Repeat("0", 20), "1" + strings.Repeat("0", 20)},
		{"1e21", "", ""},
		{"1e-20", "0." + strings.Repeat("0", 19) + "1", "0." + strings.Repeat("0", 19) + "1"},
		{"1e-21", "", ""},
		{"1e999999999", "", ""},
		{strings.Repeat("9", 40), strings.Repeat("9", 40), strings.Repeat("9", 40)},
		{strings.Repeat("9", 41), "", ""},
		{"", "", ""}, {"N/A", "", ""}, {"None", "", ""}, {"NaN", "", ""}, {"Infinity", "", ""}, {"null", "", ""}, {" 1", "", ""}, {"1,000", "", ""},
	} {
		if got := decimalText(client.ParseDecimal(row.text)); got != row.want {
			t.Errorf("Decimal(%q) = %q, want %q", row.text, got, row.want)
		}
		if got := decimalText(client.ParsePrice(row.text)); got != row.price {
			t.Errorf("Price(%q) = %q, want %q", row.text, got, row.price)
		}
	}
}

func TestPlain_TakesNoExponent(t *testing.T) {
	for _, row := range []struct {
		text, want string // empty: refused
	}{
		{"1.25", "1.25"}, {"-0.02", "-0.02"}, {"12345678", "12345678"}, {"123456789", ""}, {"1e3", ""}, {"1E3", ""}, {"", ""}, {".", ""}, {"n/a", ""},
	} {
		got, ok := client.ParsePlainDecimal(row.text, 8)
		if ok != (row.want != "") || ok && got.String() != row.want {
			t.Errorf("Plain(%q, 8) = %v, %v; want %q", row.text, got, ok, row.want)
		}
	}
}

func TestFigure_WhatIsNoNumberIsAbsentAndNoError(t *testing.T) {
	for _, row := range []struct {
		text, want, price string
	}{
		{`194.85`, "194.85", "194.85"}, {`-1`, "-1", ""}, {`0.0`, "0", ""}, {`1E-7`, "0.0000001", "0.0000001"},
		{`null`, "", ""}, {`"194.85"`, "", ""}, {`{"raw":1}`, "", ""}, {`[1]`, "", ""}, {`true`, "", ""}, {`1e400`, "", ""},
		{strings.Repeat("1", 41), "", ""},
	} {
		var row0 struct{ A, B client.LenientDecimal }
		if err := json.Unmarshal([]byte(`{"a":`+row.text+`,"b":7}`), &row0); err != nil || decimalText(row0.A.NullDecimal) != row.want || decimalText(row0.B.NullDecimal) != "7" {
			t.Errorf("Figure of %s = %v, %v; want %q and what follows read", row.text, row0.A, err, row.want)
		}
		if got := decimalText(row0.A.Price()); got != row.price {
			t.Errorf("Figure of %s: price %q, want %q", row.text, got, row.price)
		}
	}
}

func TestFigure_OfAnEarlierRowDoesNotStay(t *testing.T) {
	f := client.LenientDecimal{NullDecimal: decimal.NewNullDecimal(decimal.NewFromInt(5))}
	if err := f.UnmarshalJSON([]byte("null")); err != nil || f.Valid {
		t.Errorf("UnmarshalJSON(null) over 5 = %v, %v; want it absent", f, err)
	}
}

func FuzzFigure_IsBoundedWhateverComes(f *testing.F) {
	for _, seed := range []string{"1", "-0.5", "1e20", "1e-999999999", "0x10", "1_000", `"1"`, "null", strings.Repeat("0", 60)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var figure client.LenientDecimal
		if err := figure.UnmarshalJSON([]byte(text)); err != nil {
			t.Fatalf("UnmarshalJSON(%q) = %v, want no error", text, err)
		}
		if written := decimalText(figure.NullDecimal); len(written) > 70 || figure.Price().Valid && !figure.Decimal.IsPositive() {
			t.Errorf("figure of %q = %s of %d characters", text, written, len(written))
		}
		if plain, ok := client.ParsePlainDecimal(text, 40); ok && len(plain.String()) > 45 {
			t.Errorf("Plain(%q) = %s", text, plain)
		}
	})
}
