package market_test

import (
	"fmt"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
)

func TestMinorUnit_IsAPartOfACurrency(t *testing.T) {
	for code, want := range map[string]string{"GBp": "GBP 2", "GBX": "GBP 2", "ZAc": "ZAR 2", "ILA": "ILS 2", "KWF": "KWD 3", "GBP": " 0", "USX": "USD 2", "": " 0"} {
		whole, places := market.MinorUnit(code)
		if got := fmt.Sprint(whole, " ", places); got != want {
			t.Errorf("Minor(%q) = %s, want %s", code, got, want)
		}
	}
}
