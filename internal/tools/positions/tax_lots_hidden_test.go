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
	w.Series[0].Actions = []market.Action{toolstest.Split("2024-01-05", "4", "1")}
	output := toolstest.CallHidden(t, taxLotToolsOf(t, w), "tax_lots", nil).ModelText()
	for _, want := range []string{"a split of 4:1 on 2024-01-05", `\"new\":4,\"old\":1`} {
		if !strings.Contains(output, want) {
			t.Errorf("a model is not told %q:\n%s", want, output)
		}
	}
	large := toolstest.LargeFixture(40, 2000)
	output = toolstest.CallHidden(t, taxLotToolsOf(t, large), "tax_lots", nil).ModelText()
	got := toolstest.Object(t, output)
	if shown, omitted := len(got["lots"].([]any)), got["lots_omitted"]; omitted != float64(360-shown) || len(output) > toolkit.MaxEncodedBytes {
		t.Errorf("a model gets %d lots and %v are omitted, in %d bytes; want 360 in all", shown, omitted, len(output))
	}
}
