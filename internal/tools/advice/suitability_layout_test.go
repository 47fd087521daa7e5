package advice_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/advice"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// fieldLine is a line of a table that did not fit and became a list of fields.
var fieldLine = regexp.MustCompile(`(?m)^\s*(position|weight|trade|part|units|sold from|lot|rule|limit|now|why): .*$`)

func TestSuitabilityTools_AreTablesInEightyColumns(t *testing.T) {
	for _, name := range []string{rebalancePlan, portfolioCheckup} {
		res := toolstest.Call(t, advice.SuitabilityTools(newRebalanceFixture().deps(t)), name, nil)
		drawn := strings.Join(markdown.Render(res.UserText(), markdown.Options{Width: 80}), "\n")
		if found := fieldLine.FindString(drawn); found != "" {
			t.Errorf("80 columns hold no table of %s (%q):\n%s", name, found, drawn)
		}
	}
}

// 2000 are paid in and nothing is sold. By the definition of funds the turnover would be zero, which
// readers must not take for "no trades".
func TestRebalancePlan_PurchasesAloneAreNoTurnoverAndAreTold(t *testing.T) {
	res, value := toolstest.CallOK(t, advice.SuitabilityTools(newRebalanceFixture().deps(t)), rebalancePlan, args{"full": true, "new_cash": 2000, "only_buy": true})
	cost := value["cost"].(map[string]any)
	if cost["turnover"] != "0" || cost["sold_part"] != "0" || cost["bought_part"] == "0" {
		t.Errorf("cost = %v, want purchases and no turnover", cost)
	}
	toolstest.WantParts(t, "people read", res.UserText()+res.Summary, "| sold | 0.0% |", "| turnover | 0.0% | the lesser of both, as funds report it |", "trade, bought ")
}

// Cash that is not tracked may exist: a rule of minimum cash is not broken, and a rule of maximum cash is
// not met.
func TestRebalancePlan_CashThatIsNotKeptDecidesNoRuleOfCash(t *testing.T) {
	w := newRebalanceFixture()
	w.Accounts[0].Cash = portfolio.CashUntracked
	w.Transactions = w.Transactions[1:]
	w.profile = newProfile(t, investor.QuestionCashMinimum, "1000 USD", investor.QuestionClassLimits, "cash max 5 %", investor.QuestionExcludedClasses, "cash")
	_, value := toolstest.CallOK(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, nil)
	for _, one := range value["verdict"].(map[string]any)["rules"].([]any) {
		rule := one.(map[string]any)
		switch rule["rule"] {
		case "cash_minimum", "class:cash", "excluded_classes":
			if rule["outcome"] != "not judged" || !strings.Contains(rule["why"].(string), "the portfolio does not track cash in main") {
				t.Errorf("%s is %s (%s), want that it is not judged and why", rule["rule"], rule["outcome"], rule["why"])
			}
		case "weights":
			if rule["outcome"] != "pass" {
				t.Errorf("weights are %s (%s), want all that is kept", rule["outcome"], rule["why"])
			}
		}
	}
}
