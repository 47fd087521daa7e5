package positions_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func TestTaxLots_HiddenAmountsLeaveRatiosAndCountsOfLines(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Hide = true
	w.Series[0].Actions = []market.Action{toolstest.Split("2024-01-05", "4", "1")}
	output := toolstest.Call(t, taxLotToolsOf(t, w), "tax_lots", nil).ModelText()
	for _, want := range []string{"a split of 4:1 on 2024-01-05", `\"new\":4,\"old\":1`} {
		if !strings.Contains(output, want) {
			t.Errorf("a model is not told %q:\n%s", want, output)
		}
	}
	large := toolstest.LargeFixture(40, 2000)
	large.Hide = true
	output = toolstest.Call(t, taxLotToolsOf(t, large), "tax_lots", nil).ModelText()
	if !strings.Contains(output, "lines of each list stand here") || strings.Contains(output, "at most "+toolkit.HiddenAmount) {
		t.Errorf("a model is not told how many lines are left out: %.2000s", output[max(0, strings.Index(output, "notes")):])
	}
}
