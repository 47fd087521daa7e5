package advice_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/advice"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// outcomes returns the rules of an answer with their numbers, such as "largest_holding fail 0.75".
func outcomes(t testing.TB, value map[string]any) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, one := range value["rules"].([]any) {
		row := one.(map[string]any)
		text := row["outcome"].(string)
		if n, ok := row["number"].(string); ok {
			text += " " + toolstest.MustDecimal(n).Round(6).String()
		}
		out[row["rule"].(string)] = text
	}
	return out
}

// newCheckupFixture returns newRebalanceFixture with 2,500 USD of the fund CCC and 2,500 in cash:
// 15,000 in total, of which AAA is 7,500. Dividends are 90 from AAA and 60 from CCC.
func newCheckupFixture(t testing.TB) suitabilityFixture {
	w := newRebalanceFixture()
	c := flat("CCC", "10")
	c.Kind = "fund"
	w.Series[2] = c
	paid := func(id, sym, amount, day string) portfolio.Transaction {
		return portfolio.Transaction{ID: id, Date: portfoliotest.Day(day), Kind: portfolio.KindDividend, Account: "main", Symbol: market.Symbol(sym), Amount: toolstest.MustDecimal(amount), Currency: "USD"}
	}
	w.Transactions = append(w.Transactions, toolstest.Deposit("4", "main", "4850", "2022-01-05"), toolstest.Buy("5", "main", "CCC", "250", "2500", "USD", "2022-01-06"),
		paid("6", "AAA", "90", "2024-03-01"), paid("7", "CCC", "60", "2023-06-29"), paid("8", "CCC", "500", "2023-06-28"),
		portfolio.Transaction{ID: "9", Date: portfoliotest.Day("2024-03-02"), Kind: portfolio.KindWithdrawal, Account: "main", Amount: toolstest.MustDecimal("500"), Currency: "USD"},
	)
	w.Securities = []portfolio.Security{{Symbol: "CCC", Class: portfolio.ClassBond, Region: "World", Fee: optionalPart("0.002")}, {Symbol: "AAA", Region: "US"}}
	w.profile = newProfile(t, investor.QuestionLargestHolding, "40 %", investor.QuestionClassLimits, "bond min 20 %", investor.QuestionLiquidityNeeds, "3000 USD, 2025-01-15; 9000 USD, 2030-01-01",
		investor.QuestionExcludedClasses, "crypto")
	return w
}

func TestPortfolioCheckup_HoldsTheBookAgainstEveryRule(t *testing.T) {
	res, value := toolstest.CallOK(t, advice.SuitabilityTools(newCheckupFixture(t).deps(t)), portfolioCheckup, nil)
	want := map[string]string{
		"priced": "pass 0", "fresh_prices": "pass 0",
		"largest_holding":    "fail 0.5",            // A, against 40 % of the profile
		"five_largest":       "fail 0.666667",       // A and B, which are no funds
		"effective_holdings": "not judged 2.272727", // (5/6)^2 / (1/4 + 1/36 + 1/36) = 25/11, with a fund
		"class:bond":         "fail 0.166667",       // at least 20 %
		"class:crypto":       "pass 0",              // excluded
		"foreign_currency":   "pass 0",
		"largest_region":     "not judged 0.6", // A of 12500; B is not known
		"fund_fees":          "pass 0.002",
		"cash_reserve":       "fail 0.166667", // 3000 are needed by 2025, the fifth part
		"idle_cash":          "pass 0.166667", // up to what is needed
		"drift":              "fail 0.233333", // B: a sixth where 40 % should be
		"overlap":            "not judged",    // a week of closes
		"largest_payer":      "fail 0.6",      // 90 of 150; what was paid a year and a day ago is out
		"income_yield":       "not judged 0.01",
	}
	got := outcomes(t, value)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	toolstest.WantFields(t, value, map[string]any{"failed": 6.0, "passed": 6.0, "not_judged": 4.0})
	for _, want := range []string{
		"| largest single position | 50.0% | at most 40.0% | **FAIL** |", "your profile", "If AAA lost half of its price, the portfolio would lose 25%.",
		"the region of BBB is unknown; set its region: nfa portfolio classify SYMBOL", "default thresholds are conventions", "markettest · 2024-06-28 close",
	} {
		if !strings.Contains(res.UserText(), want) {
			t.Errorf("ForUser lacks %q:\n%s", want, res.UserText())
		}
	}
	for id, want := range map[string]string{"rules.2.number": "50", "rules.2.threshold": "40", "rules.9.number": "0.2"} {
		if f := toolstest.Figure(t, res, id); f.Value.String() != want || f.Formula == "" || f.Source == "" || f.AsOf.IsZero() {
			t.Errorf("figure %s = %+v; want %s with formula, source and day", id, f, want)
		}
	}
}

func TestPortfolioCheckup_AThresholdOfTheCallComesFirst(t *testing.T) {
	_, value := toolstest.CallOK(t, advice.SuitabilityTools(newCheckupFixture(t).deps(t)), portfolioCheckup, args{"max_holding": 0.6, "min_yield": 0.02, "max_drift": 0.3})
	got := outcomes(t, value)
	for rule, want := range map[string]string{"largest_holding": "pass 0.5", "income_yield": "fail 0.01", "drift": "pass 0.233333"} {
		if got[rule] != want {
			t.Errorf("%s = %q, want %q", rule, got[rule], want)
		}
	}
	res := toolstest.Call(t, advice.SuitabilityTools(newCheckupFixture(t).deps(t)), portfolioCheckup, args{"max_holding": 40})
	toolstest.WantError(t, res, tool.CodeValidation, "max_holding must be from 0 to 1")
}

func TestPortfolioCheckup_WithoutAPriceNoWeightIsJudged(t *testing.T) {
	w := newCheckupFixture(t)
	w.Transactions = append(w.Transactions, toolstest.Buy("10", "main", "GONE", "1", "5", "USD", "2024-03-05"))
	res, value := toolstest.CallOK(t, advice.SuitabilityTools(w.deps(t)), portfolioCheckup, nil)
	got := outcomes(t, value)
	if got["priced"] != "fail 1" || !strings.HasPrefix(got["largest_holding"], "not judged 0.5") || !strings.HasPrefix(got["drift"], "not judged") {
		t.Errorf("rules = %v; want one holding without a worth, and no judgment of weights", got)
	}
	if !strings.Contains(res.UserText(), "GONE") {
		t.Errorf("ForUser does not name GONE:\n%s", res.UserText())
	}
}

// The two moved together over two years of weekly closes.
func TestPortfolioCheckup_FindsHoldingsThatMoveAsOne(t *testing.T) {
	w := newRebalanceFixture()
	var closes, doubled []string
	for i := range 520 {
		price := 100 + (i*7)%13
		closes, doubled = append(closes, fmt.Sprint(price)), append(doubled, fmt.Sprint(2*price))
	}
	first := portfoliotest.Day("2022-07-04")
	w.Series = []market.Series{markettest.Daily("AAA", first, closes...), markettest.Daily("BBB", first, doubled...)}
	_, value := toolstest.CallOK(t, advice.SuitabilityTools(w.deps(t)), portfolioCheckup, nil)
	if got := outcomes(t, value)["overlap"]; got != "fail 1" {
		t.Errorf("overlap = %q; want that one is twice the other", got)
	}
}

// Amounts of the portfolio that must reach no model: quantities, values, costs, needs.
func TestSuitabilityTools_HiddenAmountsReachNoModel(t *testing.T) {
	w := newCheckupFixture(t)
	w.Transactions[0].Amount = toolstest.MustDecimal("12321.77")
	w.Transactions[1].Quantity, w.Transactions[1].Amount = toolstest.MustDecimal("73.717"), toolstest.MustDecimal("6137.31")
	w.profile = newProfile(t, investor.QuestionLargestHolding, "90 %", investor.QuestionCashMinimum, "1234.56 USD", investor.QuestionLiquidityNeeds, "4321 USD, 2025-01-15")
	canaries := []string{"12321", "73.717", `"73"`, "6137", "7371.7", "7,371", "1234.56", "4321", "500", "2500", "2,500"}
	d := w.deps(t)
	refusing := w
	refusing.profile = newProfile(t, investor.QuestionLargestHolding, "20 %", investor.QuestionCashMinimum, "1234.56 USD")
	other := refusing.deps(t)
	targets := map[string]float64{"AAA": 0.6, "BBB": 0.2, "CCC": 0.1}
	for _, tt := range []struct {
		name, tool string
		deps       advice.SuitabilityDeps
		in         args
	}{
		{"checkup", portfolioCheckup, d, nil},
		{"plan", rebalancePlan, d, args{"targets": targets}},
		{"refused plan", rebalancePlan, other, args{"targets": targets}},
		{"impossible plan", rebalancePlan, d, args{"targets": targets, "new_cash": -90000}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res := toolstest.CallHidden(t, advice.SuitabilityTools(tt.deps), tt.tool, tt.in)
			text := toolstest.ModelOutput(res)
			for _, canary := range canaries {
				if strings.Contains(text, canary) {
					t.Errorf("a model may read %q in:\n%s", canary, text)
				}
			}
			for _, name := range []string{"quantity", "value", "value_after", "fee", "fees", "gain", "tax", "total", "lot", "cost", "before", "after", "sold_at_unknown_cost"} {
				if strings.Contains(text, `"`+name+`":"`) {
					t.Errorf("the model gets a %s:\n%s", name, text)
				}
			}
			if tt.tool == rebalancePlan && !strings.Contains(text, "share_amounts") {
				t.Errorf("the model is not told that amounts are hidden:\n%s", text)
			}
			if open := toolstest.Call(t, advice.SuitabilityTools(tt.deps), tt.tool, tt.in); res.UserText() != open.UserText() || toolstest.JSON(t, res.Value) != toolstest.JSON(t, open.Value) {
				t.Errorf("the user sees another result if amounts are hidden from the model:\n%s", res.UserText())
			}
		})
	}
	res := toolstest.CallHidden(t, advice.SuitabilityTools(d), rebalancePlan, args{"full": true, "targets": targets})
	if !strings.Contains(res.UserText(), "| AAA | 7,371.70 |") || !strings.Contains(res.UserText(), "The suggestion leaves ") {
		t.Errorf("the user does not see the amounts:\n%s", res.UserText())
	}
}

func TestSuitabilityTools_NamesCannotBreakATable(t *testing.T) {
	w := newRebalanceFixture()
	w.Accounts[0].Name = "my | own account"
	for i := range w.Transactions {
		w.Transactions[i].Account = w.Accounts[0].Name
	}
	d := w.deps(t)
	res := toolstest.Call(t, advice.SuitabilityTools(d), rebalancePlan, args{"full": true})
	if !strings.Contains(res.UserText(), `| sell AAA my \| own account |`) {
		t.Errorf("the account is not quoted:\n%s", res.UserText())
	}
}

func TestSuitabilityTools_AProfileThatCannotBeReadLetsNothingPass(t *testing.T) {
	d := newRebalanceFixture().deps(t)
	d.Profiles = &toolstest.InvestorStore{Err: fmt.Errorf("profile of version 9: %w", investor.ErrNewerVersion)}
	for _, name := range []string{rebalancePlan, portfolioCheckup} {
		toolstest.WantError(t, toolstest.Call(t, advice.SuitabilityTools(d), name, nil), tool.CodeNoData, "newer version")
	}
}

func TestJudge_ACancelledCallIsAnError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d := newRebalanceFixture().deps(t)
	if _, _, err := d.JudgeMix(ctx, map[market.Symbol]decimal.Decimal{"AAA": toolstest.MustDecimal("1")}); !errors.Is(err, context.Canceled) {
		t.Errorf("JudgeMix = %v; want that it was cancelled", err)
	}
}
