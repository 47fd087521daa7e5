package advice_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/advice"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// failingStore is a store that cannot be read.
type failingStore struct {
	portfolio.Store
	err error
}

func (f failingStore) Ledger(context.Context) (portfolio.Ledger, error) {
	return portfolio.Ledger{}, f.err
}

func TestSuitabilityTools_AnErrorTellsAModelNoAmount(t *testing.T) {
	for _, tt := range []struct {
		name, code string
		err        error
	}{
		{"of the disk", "", errors.New("disk full at 4711.5 of page (4711.5), 3 % free")},
		{"of the book", tool.CodeNoData, fmt.Errorf("selling 4711.5 of 10 VTI: %w", portfolio.ErrNotHeld)},
		{"of a symbol", market.CodeUnknownSymbol, fmt.Errorf("4711.5 of what: %w", market.ErrUnknownSymbol)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newRebalanceFixture().deps(t)
			d.Store = failingStore{err: tt.err}
			for _, name := range []string{rebalancePlan, portfolioCheckup} {
				res := toolstest.CallHidden(t, advice.SuitabilityTools(d), name, nil)
				toolstest.WantError(t, res, tt.code, "4711.5")
				if text := toolstest.ModelOutput(res); strings.Contains(text, "4711") || !strings.Contains(text, "(hidden)") {
					t.Errorf("%s: the model reads %s, want no amount", name, text)
				}
			}
		})
	}
}

// 1500 USD are left in cash, at 1.10 USD a euro 1363.64 EUR, less than 1400 EUR.
func TestRebalancePlan_CashIsJudgedInTheCurrencyOfTheLimit(t *testing.T) {
	for _, tt := range []struct{ least, code, want string }{
		{"1300 EUR", "", "The suggestion leaves 1363.64 EUR in cash; your minimum is 1300 EUR."},
		{"1400 EUR", tool.CodeRefused, "The suggestion leaves 1363.64 EUR in cash; your minimum is 1400 EUR."},
		{"1400 CHF", "", "needs an exchange rate"},
	} {
		w := newRebalanceFixture()
		w.profile = newProfile(t, investor.QuestionCashMinimum, tt.least)
		d := w.deps(t)
		d.Rates = rateSource{d.Rates}
		res := toolstest.Call(t, advice.SuitabilityTools(d), rebalancePlan, args{"full": true, "targets": map[string]float64{"AAA": 0.6, "BBB": 0.25}})
		if res.Code != tt.code || !strings.Contains(res.UserText(), tt.want) {
			t.Errorf("at least %s = code %q; want %q with %q:\n%s", tt.least, res.Code, tt.code, tt.want, res.UserText())
		}
	}
}

// rateSource adds USD/EUR to a feed that has only EUR/USD, at 1.10.
type rateSource struct{ market.RateSource }

func (b rateSource) Rates(ctx context.Context, pair market.Pair, r market.Range) (market.RateSeries, error) {
	if pair.Base != "USD" || pair.Quote != "EUR" {
		return b.RateSource.Rates(ctx, pair, r)
	}
	rate := market.Rate{Date: portfoliotest.Day("2024-06-28"), Value: toolstest.MustDecimal("1").DivRound(toolstest.MustDecimal("1.10"), 12)}
	return market.RateSeries{Pair: pair, Rates: []market.Rate{rate}, Provenance: market.Provenance{Source: "markettest"}}, nil
}

// 1000 EUR in cash is 1100 USD, enough for 22 B; a warning mentions the exchange.
func TestRebalancePlan_CashOfOtherCurrenciesCountsAndIsTold(t *testing.T) {
	w := newRebalanceFixture()
	w.profile = newProfile(t)
	euros := toolstest.Deposit("4", "main", "1000", "2022-01-05")
	euros.Currency = "EUR"
	w.Transactions = append(w.Transactions, euros)
	res, value := toolstest.CallOK(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, args{"targets": map[string]float64{"AAA": 0.675, "BBB": 0.325}})
	if got := strings.Join(trades(t, value), ", "); got != "buy 22 BBB main" {
		t.Errorf("trades = %s; want 22 of B", got)
	}
	if !strings.Contains(res.UserText(), "EUR cash in main is converted at the current rate; exchange costs are not included.") {
		t.Errorf("ForUser does not say that euros are to be changed:\n%s", res.UserText())
	}
}

// The cost of a lot in euros with an unknown date cannot be converted to dollars.
func TestRebalancePlan_ACostWithoutADayIsNotKnown(t *testing.T) {
	w := newSuitabilityFixture(portfolio.NewAccount("de"))
	w.profile = newProfile(t)
	sap := flat("SAP", "150")
	sap.Provenance.Currency = "EUR"
	w.Series = []market.Series{sap, flat("BBB", "50")}
	w.Transactions = []portfolio.Transaction{{
		ID: "1", Date: portfoliotest.Day("2024-06-03"), Kind: portfolio.KindTransferIn, Account: "de", Symbol: "SAP", Quantity: toolstest.MustDecimal("10"), Amount: toolstest.MustDecimal("1000"), Currency: "EUR",
	}}
	res, value := toolstest.CallOK(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, args{"targets": map[string]float64{"SAP": 0, "BBB": 1}})
	cost := value["cost"].(map[string]any)
	if _, hasTax := cost["tax"]; hasTax || cost["sold_at_unknown_cost"] != "1650" || !strings.Contains(res.UserText(), "The cost basis of some lots sold is unknown") || !strings.Contains(res.Headline, "estimated tax n/a") {
		t.Errorf("cost = %v; want 1650 sold at a cost that is not known, and no tax", cost)
	}
}

// The cash of an account with untracked cash is unknown, so missing cash breaks no rule; its known
// value is fully invested.
func TestRebalancePlan_UntrackedCashBreaksNoRule(t *testing.T) {
	w := newRebalanceFixture()
	w.Accounts[0].Cash = portfolio.CashUntracked
	w.Transactions = w.Transactions[1:]
	w.profile = newProfile(t, investor.QuestionCashPart, "5 %", investor.QuestionLargestHolding, "70 %")
	res, value := toolstest.CallOK(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, nil)
	outcomes := map[string]any{}
	for _, one := range value["verdict"].(map[string]any)["rules"].([]any) {
		rule := one.(map[string]any)
		outcomes[rule["rule"].(string)] = rule["outcome"]
	}
	if outcomes["cash_minimum_part"] != "not judged" || outcomes["weights"] != "pass" || outcomes["largest_holding"] != "pass" {
		t.Errorf("outcomes = %v; want the least cash not judged, and the whole and the largest holding", outcomes)
	}
	if !strings.Contains(res.UserText(), "Cash in main is not tracked") {
		t.Errorf("ForUser does not say so:\n%s", res.UserText())
	}
}

func TestPortfolioCheckup_ABookThatOwesMoreThanItHasIsNotWeighed(t *testing.T) {
	w := newRebalanceFixture()
	w.Accounts[0].Cash = portfolio.CashMargin
	w.Series[0], w.Series[1] = flat("AAA", "1"), flat("BBB", "1")
	w.Transactions[0].Amount = toolstest.MustDecimal("1")
	_, value := toolstest.CallOK(t, advice.SuitabilityTools(w.deps(t)), portfolioCheckup, nil)
	if got := outcomes(t, value); got["largest_holding"] != "not judged" || got["priced"] != "pass 0" {
		t.Errorf("rules = %v; want no weights", got)
	}
}
