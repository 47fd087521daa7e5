package advice_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/advice"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// newLargeFixture returns a portfolio of n positions with several lots each, and targets.
func newLargeFixture(n, lots int) (suitabilityFixture, map[string]float64) {
	w := newSuitabilityFixture(portfolio.NewAccount("main"))
	w.Transactions = []portfolio.Transaction{toolstest.Deposit("d", "main", fmt.Sprint(n*lots*1000), "2022-01-03")}
	targets := map[string]float64{}
	for i := range n {
		sym := fmt.Sprintf("S%dX", i)
		w.Series = append(w.Series, flat(sym, fmt.Sprint(50+i%100)))
		for j := range lots {
			w.Transactions = append(w.Transactions, toolstest.Buy(fmt.Sprintf("%s-%d", sym, j), "main", sym, "10", "1000", "USD", "2022-01-04"))
		}
		targets[sym] = float64(1+i%3*99) / float64(150*n)
	}
	return w, targets
}

// A model gets the part that fits, as complete JSON; the user gets everything.
func TestRebalancePlan_ALargeBookFitsAModel(t *testing.T) {
	w, targets := newLargeFixture(150, 10)
	w.profile = newProfile(t)
	d := w.deps(t)
	start := time.Now()
	res, value := toolstest.CallOK(t, advice.SuitabilityTools(d), rebalancePlan, args{"full": true, "targets": targets})
	t.Logf("150 holdings of 10 lots: %v, %d bytes for the model", time.Since(start), len(res.ForModel))
	if len(res.ForModel) > toolkit.MaxEncodedBytes {
		t.Errorf("ForModel has %d bytes, want at most %d", len(res.ForModel), toolkit.MaxEncodedBytes)
	}
	model := toolstest.Object(t, res.ForModel)
	if sent, omitted := len(model["drift"].([]any)), model["drift_omitted"].(float64); sent < 10 || sent+int(omitted) != 151 {
		t.Errorf("the model gets %d rows of drift without %v, want 151 in all", sent, omitted)
	}
	if all := len(value["drift"].([]any)); all != 151 || strings.Count(res.UserText(), "| S") < 150 {
		t.Errorf("the user sees %d rows of drift, want 151", all)
	}
}

func TestPortfolioCheckup_OfALargeBookFitsAModel(t *testing.T) {
	w, _ := newLargeFixture(150, 1)
	w.Series = w.Series[:60]
	res := toolstest.Call(t, advice.SuitabilityTools(w.deps(t)), portfolioCheckup, nil)
	if len(res.ForModel) > toolkit.MaxEncodedBytes || !strings.Contains(res.ForModel, "and 78 more") {
		t.Errorf("ForModel has %d bytes: %.2000s", len(res.ForModel), res.ForModel)
	}
}

// An excluded position is not traded, but counts for the limits.
func TestRebalancePlan_WhatIsLeftAloneCountsForTheLimits(t *testing.T) {
	w := newRebalanceFixture()
	w.profile = newProfile(t)
	_, value := toolstest.CallOK(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, args{"targets": map[string]float64{"AAA": 0.9, "CCC": 0.1}, "leave": []string{"bbb"}})
	if got := strings.Join(trades(t, value), ", "); got != "sell 8 AAA main, buy 75 CCC main" {
		t.Errorf("trades = %s; want a tenth of the 7500 of A in C, in whole shares", got)
	}
	why := value["verdict"].(map[string]any)["rules"].([]any)[0].(map[string]any)["why"].(string)
	if !strings.Contains(why, "100%") {
		t.Errorf("weights after = %s; want those of the whole portfolio", why)
	}
}

func TestRebalancePlan_CoinsAndFractionsAreNotWhole(t *testing.T) {
	w := newRebalanceFixture()
	w.Series[2].Kind = "crypto"
	w.Series[2] = priced(w.Series[2], "60000")
	_, value := toolstest.CallOK(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, args{"targets": map[string]float64{"AAA": 0.75, "BBB": 0.15, "CCC": 0.1}})
	if got := strings.Join(trades(t, value), ", "); !strings.Contains(got, "buy 0.01666666 CCC") {
		t.Errorf("trades = %s; want a sixtieth of a coin", got)
	}
	_, value = toolstest.CallOK(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, args{"targets": map[string]float64{"AAA": 0.66665, "BBB": 0.33335}, "whole_shares": false})
	if got := strings.Join(trades(t, value), ", "); !strings.Contains(got, "sell 8.335 AAA") {
		t.Errorf("trades = %s; want ten-thousandths of shares", got)
	}
}

func priced(s market.Series, price string) market.Series {
	for i := range s.Bars {
		s.Bars[i].Close = toolstest.MustDecimal(price)
	}
	return s
}
