package holdings_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/toolbox/holdings/holdingstest"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
)

// splitUp is a world of so many shares: one symbol of digits was split four for one,
// which the book lacks, and one has a split in the book that no price shows.
func splitUp(shares int, fresh, old string) *holdingstest.World {
	w := holdingstest.TwoCurrencies()
	w.Hide = true
	hk := holdingstest.Daily("0700.HK", "USD", holdingstest.Day("2024-01-02"), "115", "115", "115", "115", "115", "115", "115")
	hk.Actions = []market.Action{holdingstest.Split("2024-01-05", "4", "1")}
	w.Series = append(w.Series, hk)
	count := fmt.Sprint(shares)
	w.Added = append(w.Added,
		holdingstest.Buy("b1", "de", "0700.HK", count, count, "USD", "2024-01-03"), holdingstest.Buy("b2", "de", "9988.HK", count, count, "USD", "2024-01-03"),
		holdingstest.Buy("b3", "us", "VTI", "1", "1", "USD", "2024-01-03"),
		portfolio.Transaction{ID: "wrong1", Date: holdingstest.Day("2024-01-05"), Kind: portfolio.KindSplit, Account: "us", Symbol: "VTI", New: holdingstest.Dec(fresh), Old: holdingstest.Dec(old)},
	)
	w.Accounts[0].Cash, w.Accounts[1].Cash = portfolio.CashMargin, portfolio.CashMargin
	return w
}

func TestRoom_AHiddenSplitIsToldWholeAndMendable(t *testing.T) {
	for _, name := range []string{"portfolio_positions", "portfolio_allocation"} {
		said := toolboxtest.Call(t, toolsOf(t, splitUp(7, "2", "1")), name, nil).ModelText()
		for _, want := range []string{
			"The prices of 0700.HK show a split of 4:1 on 2024-01-05", `\"symbol\":\"0700.HK\"`, `\"new\":4,\"old\":1`, `remove_transaction {\"id\":\"wrong1\"}`, "a split of VTI of 2:1", "no value", "9988.HK",
		} {
			if !strings.Contains(said, want) && (want != "no value" || name != "portfolio_positions") {
				t.Errorf("%s does not tell the model %q:\n%s", name, want, said)
			}
		}
	}
}

func TestRoom_ARatioOfCountsIsHidden(t *testing.T) {
	for _, name := range []string{"portfolio_positions", "portfolio_allocation"} {
		said := toolboxtest.Call(t, toolsOf(t, splitUp(7, "5554", "2777")), name, nil).ModelText()
		if strings.Contains(said, "5554") || strings.Contains(said, "2777") {
			t.Errorf("%s tells the model how many shares there were:\n%s", name, said)
		}
	}
}

// The most that fits is told; how many are not is no amount.
func TestRoom_HowManyAreLeftOutIsToldWhereAmountsAreHidden(t *testing.T) {
	w := holdingstest.Large(400, 2000)
	w.Hide = true
	for name, want := range map[string]string{"portfolio_positions": "smallest positions are left out here", "portfolio_allocation": "smallest by symbol are left out here"} {
		said := toolboxtest.Call(t, toolsOf(t, w), name, nil).ModelText()
		if !strings.Contains(said, want) || strings.Contains(said, "the "+present.Hidden+" smallest") {
			i := strings.Index(said, "smallest")
			t.Errorf("%s says %q, want how many are left out", name, said[max(0, i-40):min(len(said), i+60)])
		}
	}
}

func TestRoom_AModelIsToldOnceThatNamesAreOutsideText(t *testing.T) {
	for _, c := range everyCall() {
		res := toolboxtest.Call(t, toolsOf(t, holdingstest.Eventful()), c.Tool, c.In)
		if n := strings.Count(res.ModelText(), present.Outside); n != 1 {
			t.Errorf("%s says %d times to a model that names are outside text, want once", c.Tool, n)
		}
		if strings.Contains(res.ForUser, present.Outside) {
			t.Errorf("%s says it to people:\n%s", c.Tool, res.ForUser)
		}
	}
}
