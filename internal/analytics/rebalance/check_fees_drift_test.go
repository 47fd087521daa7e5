package rebalance_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

func withFee(h rebalance.CheckedPosition, fee string) rebalance.CheckedPosition {
	return withChange(h, func(h *rebalance.CheckedPosition) { h.Fee = checkupKnown(fee) })
}

// (0.6 * 0.01 + 0.2 * 0.002) / 0.8 = 0.008; (1 - 0.008)^10 = 0.9228.
func TestCheck_FeesOfFunds(t *testing.T) {
	dear, cheap := withFee(fund("D", "0.6"), "0.01"), withFee(fund("C", "0.2"), "0.002")
	wantResults(t, rebalance.RuleFee, []checkExample{
		{"a weighted average", portfolioOf(dear, cheap, stock("A", "0.2")), rebalance.Limits{}, "fail 0.008 of 0.005", "Funds cost 0.8% of their value each year, about 7.72% over ten years"},
		{"one is not known", portfolioOf(cheap, fund("X", "0.2")), rebalance.Limits{}, "not judged 0.002 of 0.005", "the fee of X is unknown"},
		{"whatever X costs", portfolioOf(dear, fund("X", "0.2")), rebalance.Limits{}, "fail 0.01 of 0.005", ""},
		{"none is known", portfolioOf(fund("X", "0.2")), rebalance.Limits{}, "not judged of 0.005", "nfa portfolio classify"},
		{"shares have none", portfolioOf(stock("A", "1")), rebalance.Limits{}, "pass of 0.005", "there are no funds"},
	})
}

func TestCheck_CashForNeeds(t *testing.T) {
	needing := func(b rebalance.Portfolio, need string, elsewhere ...string) rebalance.Portfolio {
		b.Reserve, b.UntrackedCash = checkupKnown(need), elsewhere
		return b
	}
	checkedPortfolio := portfolioOf(stock("A", "0.8"), withClass(fund("M", "0.1"), portfolio.ClassCash)) // and 10% cash
	wantResults(t, rebalance.RuleReserve, []checkExample{
		{"with a money market fund", needing(checkedPortfolio, "0.2"), rebalance.Limits{}, "pass 0.2 of 0.2", ""},
		{"too little", needing(checkedPortfolio, "0.3"), rebalance.Limits{}, "fail 0.2 of 0.3", "Cash is 20% of the portfolio, but 30% is needed within a year"},
		{"another account has cash", needing(checkedPortfolio, "0.3", "bank"), rebalance.Limits{}, "not judged 0.2 of 0.3", "the cash of bank is not recorded"},
		{"X may be cash", needing(portfolioOf(fund("X", "0.9")), "0.3"), rebalance.Limits{}, "not judged 0.1 of 0.3", "whether X counts as cash"},
		{"needs are not known", checkedPortfolio, rebalance.Limits{}, "not judged 0.2", "liquidity_needs"},
	})
}

func TestCheck_IdleCash(t *testing.T) {
	with := func(change func(*rebalance.Portfolio)) rebalance.Portfolio {
		b := portfolioOf(stock("A", "0.8"))
		change(&b)
		return b
	}
	plain := with(func(*rebalance.Portfolio) {})
	wantResults(t, rebalance.RuleCash, []checkExample{
		{"a fifth", plain, rebalance.Limits{}, "fail 0.2 of 0.1", "20% of the portfolio is uninvested cash"},
		{"it is needed", with(func(b *rebalance.Portfolio) { b.Reserve = checkupKnown("0.25") }), rebalance.Limits{}, "pass 0.2 of 0.25", "your needs"},
		{"it is meant", with(func(b *rebalance.Portfolio) {
			b.Targets = []portfolio.Target{{Symbol: "A", Weight: checkupDec("0.85")}}
		}), rebalance.Limits{}, "pass 0.2 of 0.2", "the cash weight of your targets"},
		{"the caller's", plain, rebalance.Limits{MaxCash: limit("0.3")}, "pass 0.2 of 0.3", "the test"},
		{"more elsewhere", with(func(b *rebalance.Portfolio) { b.UntrackedCash = []string{"bank"} }), rebalance.Limits{MaxCash: limit("0.3")}, "not judged 0.2 of 0.3", "the cash of bank"},
	})
}

// B is 10% instead of 8%; its band is a quarter of 8%, not five points.
func TestCheck_Drift(t *testing.T) {
	checkedPortfolio := portfolioOf(stock("A", "0.88"), stock("B", "0.1")) // and 2% cash
	checkedPortfolio.Targets = []portfolio.Target{{Symbol: "A", Weight: checkupDec("0.9")}, {Symbol: "B", Weight: checkupDec("0.07")}}
	extra := portfolioOf(stock("A", "0.9"), stock("N", "0.04"))
	extra.Targets = []portfolio.Target{{Symbol: "A", Weight: checkupDec("0.9")}}
	wantResults(t, rebalance.RuleDrift, []checkExample{
		{"beyond a quarter of the target", checkedPortfolio, rebalance.Limits{}, "fail 0.03 of 0.0175", "B is 10% of the portfolio; the target is 7%"},
		{"five points alone", checkedPortfolio, rebalance.Limits{Drift: limit("0.05")}, "pass 0.03 of 0.05", ""},
		{"held without a target", extra, rebalance.Limits{Drift: limit("0.03")}, "fail 0.04 of 0.03", ""},
		{"nothing is wanted", portfolioOf(stock("A", "1")), rebalance.Limits{}, "not judged of 0.05", "nfa portfolio targets"},
	})
}

func TestCheck_Income(t *testing.T) {
	paid := func(more ...rebalance.IncomeSource) rebalance.Portfolio {
		b := portfolioOf(stock("A", "1"))
		b.IncomeSources = more
		return b
	}
	two := paid(rebalance.IncomeSource{Name: "A", Share: checkupDec("0.012")}, rebalance.IncomeSource{Name: "cash", Share: checkupDec("0.004")})
	wantResults(t, rebalance.RuleIncomeSource, []checkExample{
		{"12 of 16", two, rebalance.Limits{}, "fail 0.75 of 0.5", "Without A, income would have been 75% lower"},
		{"none", paid(), rebalance.Limits{}, "not judged of 0.5", "no dividends or interest are recorded"},
	})
	wantResults(t, rebalance.RuleYield, []checkExample{
		{"1.2% and 0.4%", two, rebalance.Limits{Yield: limit("0.02")}, "fail 0.016 of 0.02", "1.6%"},
		{"enough", two, rebalance.Limits{Yield: limit("0.016")}, "pass 0.016 of 0.016", ""},
		{"how much is enough was not said", two, rebalance.Limits{}, "not judged 0.016", "min_yield"},
	})
	two.UnvaluedIncome = []string{"B on 2024-01-02: no rate"}
	wantResults(t, rebalance.RuleIncomeSource, []checkExample{{"a rate is missing", two, rebalance.Limits{}, "not judged of 0.5", "no rate"}})
}

func TestCheck_Prices(t *testing.T) {
	old := withChange(stock("O", "0.1"), func(h *rebalance.CheckedPosition) { h.PricedOn = checkupDay().AddDate(0, 0, -6) })
	near := withChange(stock("N", "0.1"), func(h *rebalance.CheckedPosition) { h.PricedOn = checkupDay().AddDate(0, 0, -5) })
	sample := withChange(stock("S", "0.1"), func(h *rebalance.CheckedPosition) { h.PriceWarning = "sample" })
	wantResults(t, rebalance.RulePriceAge, []checkExample{
		{"six days and a sample", portfolioOf(old, near, sample), rebalance.Limits{}, "fail 2 of 0", "O 6 days old, S sample"},
		{"a longer patience", portfolioOf(old, near), rebalance.Limits{PriceDays: limit("7")}, "pass 0 of 0", "the test"},
	})
	part := portfolioOf(stock("A", "0.5"))
	part.Unpriced = []string{"GONE: no data"}
	wantResults(t, rebalance.RulePriced, []checkExample{{"one has none", part, rebalance.Limits{}, "fail 1 of 0", "rules about weights are not checked"}})
	wantResults(t, rebalance.RuleLargest, []checkExample{{"of a part", part, rebalance.Limits{}, "not judged 0.5 of 0.1", "there is no market value for GONE: no data"}})
	part.NoWeightsReason = "it owes more than it has"
	wantResults(t, rebalance.RuleLargest, []checkExample{{"no weights at all", part, rebalance.Limits{}, "not judged of 0.1", "owes more"}})
}
