package positions_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// splitFixture returns a portfolio of that many shares. For one symbol of digits, the source has a split of
// four for one that the ledger lacks; for another, the ledger has a split that the prices do not show.
func splitFixture(shares int, fresh, old string) *toolstest.PortfolioFixture {
	w := toolstest.TwoCurrencyFixture()
	hk := toolstest.Daily("0700.HK", "USD", toolstest.MustDay("2024-01-02"), "115", "115", "115", "115", "115", "115", "115")
	hk.Actions = []market.Action{toolstest.Split("2024-01-05", "4", "1")}
	w.Series = append(w.Series, hk)
	count := fmt.Sprint(shares)
	w.Transactions = append(w.Transactions,
		toolstest.Buy("b1", "de", "0700.HK", count, count, "USD", "2024-01-03"), toolstest.Buy("b2", "de", "9988.HK", count, count, "USD", "2024-01-03"),
		toolstest.Buy("b3", "us", "VTI", "1", "1", "USD", "2024-01-03"),
		portfolio.Transaction{ID: "wrong1", Date: toolstest.MustDay("2024-01-05"), Kind: portfolio.KindSplit, Account: "us", Symbol: "VTI", New: toolstest.MustDecimal(fresh), Old: toolstest.MustDecimal(old)},
	)
	w.Accounts[0].Cash, w.Accounts[1].Cash = portfolio.CashMargin, portfolio.CashMargin
	return w
}

func TestOverview_AHiddenSplitIsShownWholeWithItsFix(t *testing.T) {
	for _, name := range []string{"portfolio_positions", "portfolio_allocation"} {
		output := toolstest.CallHidden(t, overviewToolsOf(t, splitFixture(7, "2", "1")), name, nil).ModelText()
		for _, want := range []string{
			"The prices of 0700.HK show a split of 4:1 on 2024-01-05", `\"symbol\":\"0700.HK\"`, `\"new\":4,\"old\":1`, `remove_transaction {\"id\":\"wrong1\"}`, "a split of VTI, 2:1", "No market value", "9988.HK",
		} {
			if !strings.Contains(output, want) {
				t.Errorf("%s does not tell the model %q:\n%s", name, want, output)
			}
		}
	}
}

func TestOverview_ARatioOfCountsIsHidden(t *testing.T) {
	for _, name := range []string{"portfolio_positions", "portfolio_allocation"} {
		output := toolstest.CallHidden(t, overviewToolsOf(t, splitFixture(7, "5554", "2777")), name, nil).ModelText()
		if strings.Contains(output, "5554") || strings.Contains(output, "2777") {
			t.Errorf("%s tells the model how many shares there were:\n%s", name, output)
		}
	}
}

// As many positions as fit are shown; the number of others is not an amount.
func TestOverview_TheNumberLeftOutIsShownWhereAmountsAreHidden(t *testing.T) {
	w := toolstest.LargeFixture(200, 400)
	for name, want := range map[string]string{"portfolio_positions": `"positions_omitted":`, "portfolio_allocation": `"parts_omitted":`} {
		if output := toolstest.CallHidden(t, overviewToolsOf(t, w), name, nil).ModelText(); !strings.Contains(output, want) {
			t.Errorf("%s lacks %s: %.2000s", name, want, output)
		}
	}
}

func TestRoom_AModelIsToldOnceThatNamesAreOutsideText(t *testing.T) {
	for _, c := range overviewCalls() {
		res := toolstest.Call(t, overviewToolsOf(t, toolstest.EventfulFixture()), c.Tool, c.Args)
		if n := strings.Count(res.ModelText(), toolkit.OutsideTextNote); n != 1 {
			t.Errorf("%s says %d times to a model that names are outside text, want once", c.Tool, n)
		}
		if strings.Contains(res.UserText(), toolkit.OutsideTextNote) {
			t.Errorf("%s says it to people:\n%s", c.Tool, res.UserText())
		}
	}
}
