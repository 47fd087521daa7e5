package positions_test

import (
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/positions"
)

func TestDescribeSecurity_SaysWhatIsKnownAndNothingElse(t *testing.T) {
	fee := decimal.NewNullDecimal(decimal.RequireFromString("0.0007"))
	for want, s := range map[string]portfolio.Security{
		"": {Symbol: "VTI"},
		"class equity, region US, expense ratio 0.07%": {Symbol: "VTI", Class: portfolio.ClassEquity, Region: "US", Fee: fee},
		"sector energy": {Symbol: "XLE", Sector: "energy"},
	} {
		if got := positions.DescribeSecurity(s); got != want {
			t.Errorf("Facts(%+v) = %q, want %q", s, got, want)
		}
	}
}
