package taxlots_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/toolbox/holdings/holdingstest"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
)

func TestTaxLots_HiddenAmountsLeaveRatiosAndCountsOfLines(t *testing.T) {
	w := holdingstest.TwoCurrencies()
	w.Hide = true
	w.Series[0].Actions = []market.Action{holdingstest.Split("2024-01-05", "4", "1")}
	said := toolboxtest.Call(t, toolsOf(t, w), "tax_lots", nil).ModelText()
	for _, want := range []string{"a split of 4:1 on 2024-01-05", `\"new\":4,\"old\":1`} {
		if !strings.Contains(said, want) {
			t.Errorf("a model is not told %q:\n%s", want, said)
		}
	}
	large := holdingstest.Large(40, 2000)
	large.Hide = true
	said = toolboxtest.Call(t, toolsOf(t, large), "tax_lots", nil).ModelText()
	if !strings.Contains(said, "lines of each list stand here") || strings.Contains(said, "at most "+present.Hidden) {
		t.Errorf("a model is not told how many lines are left out: %.2000s", said[max(0, strings.Index(said, "notes")):])
	}
}
