package checkup_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/checkup"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

func costing(h checkup.Holding, fee string) checkup.Holding {
	return in(h, func(h *checkup.Holding) { h.Fee = known(fee) })
}

// (0.6 * 0.01 + 0.2 * 0.002) / 0.8 = 0.008; (1 - 0.008)^10 = 0.9228.
func TestCheck_FeesOfFunds(t *testing.T) {
	dear, cheap := costing(fund("D", "0.6"), "0.01"), costing(fund("C", "0.2"), "0.002")
	check(t, checkup.RuleFee, []worked{
		{"a weighted average", bookOf(dear, cheap, share("A", "0.2")), checkup.Limits{}, "fail 0.008 of 0.005", "Funds take 0.8 % of what is in them each year, and about 7.72 % of it in ten years"},
		{"one is not known", bookOf(cheap, fund("X", "0.2")), checkup.Limits{}, "not judged 0.002 of 0.005", "the fee of X is not known"},
		{"whatever X costs", bookOf(dear, fund("X", "0.2")), checkup.Limits{}, "fail 0.01 of 0.005", ""},
		{"none is known", bookOf(fund("X", "0.2")), checkup.Limits{}, "not judged of 0.005", "nfa portfolio facts"},
		{"shares have none", bookOf(share("A", "1")), checkup.Limits{}, "pass of 0.005", "no funds are held"},
	})
}

func TestCheck_CashForNeeds(t *testing.T) {
	needing := func(b checkup.Book, need string, elsewhere ...string) checkup.Book {
		b.Reserve, b.CashElsewhere = known(need), elsewhere
		return b
	}
	book := bookOf(share("A", "0.8"), of(fund("M", "0.1"), portfolio.ClassCash)) // and 10 % cash
	check(t, checkup.RuleReserve, []worked{
		{"with a money market fund", needing(book, "0.2"), checkup.Limits{}, "pass 0.2 of 0.2", ""},
		{"too little", needing(book, "0.3"), checkup.Limits{}, "fail 0.2 of 0.3", "Cash is 20 % of the book where 30 % is needed within a year"},
		{"another account has cash", needing(book, "0.3", "bank"), checkup.Limits{}, "not judged 0.2 of 0.3", "the cash of bank is not in the book"},
		{"X may be cash", needing(bookOf(fund("X", "0.9")), "0.3"), checkup.Limits{}, "not judged 0.1 of 0.3", "whether X is held in place of cash"},
		{"needs are not known", book, checkup.Limits{}, "not judged 0.2", "liquidity_needs"},
	})
}

func TestCheck_IdleCash(t *testing.T) {
	with := func(change func(*checkup.Book)) checkup.Book {
		b := bookOf(share("A", "0.8"))
		change(&b)
		return b
	}
	plain := with(func(*checkup.Book) {})
	check(t, checkup.RuleCash, []worked{
		{"a fifth", plain, checkup.Limits{}, "fail 0.2 of 0.1", "20 % of the book is cash"},
		{"it is needed", with(func(b *checkup.Book) { b.Reserve = known("0.25") }), checkup.Limits{}, "pass 0.2 of 0.25", "what you need"},
		{"it is meant", with(func(b *checkup.Book) { b.Targets = []portfolio.Target{{Symbol: "A", Weight: dec("0.85")}} }), checkup.Limits{}, "pass 0.2 of 0.2", "what your targets leave"},
		{"the caller's", plain, checkup.Limits{CashMost: limit("0.3")}, "pass 0.2 of 0.3", "the test"},
		{"more elsewhere", with(func(b *checkup.Book) { b.CashElsewhere = []string{"bank"} }), checkup.Limits{CashMost: limit("0.3")}, "not judged 0.2 of 0.3", "the cash of bank"},
	})
}

// B: 10 % where 8 % should be; its band is a quarter of 8 %, not five points.
func TestCheck_Drift(t *testing.T) {
	book := bookOf(share("A", "0.88"), share("B", "0.1")) // and 2 % cash
	book.Targets = []portfolio.Target{{Symbol: "A", Weight: dec("0.9")}, {Symbol: "B", Weight: dec("0.07")}}
	extra := bookOf(share("A", "0.9"), share("N", "0.04"))
	extra.Targets = []portfolio.Target{{Symbol: "A", Weight: dec("0.9")}}
	check(t, checkup.RuleDrift, []worked{
		{"beyond a quarter of the target", book, checkup.Limits{}, "fail 0.03 of 0.0175", "B is 10 % of the book where 7 % was wanted"},
		{"five points alone", book, checkup.Limits{Drift: limit("0.05")}, "pass 0.03 of 0.05", ""},
		{"held without a target", extra, checkup.Limits{Drift: limit("0.03")}, "fail 0.04 of 0.03", ""},
		{"nothing is wanted", bookOf(share("A", "1")), checkup.Limits{}, "not judged of 0.05", "nfa portfolio targets"},
	})
}

func TestCheck_Income(t *testing.T) {
	paid := func(more ...checkup.Payer) checkup.Book {
		b := bookOf(share("A", "1"))
		b.Payers = more
		return b
	}
	two := paid(checkup.Payer{Name: "A", Part: dec("0.012")}, checkup.Payer{Name: "cash", Part: dec("0.004")})
	check(t, checkup.RulePayer, []worked{
		{"12 of 16", two, checkup.Limits{}, "fail 0.75 of 0.5", "Without A, income would have been lower by 75 %"},
		{"none", paid(), checkup.Limits{}, "not judged of 0.5", "no dividends or interest are recorded"},
	})
	check(t, checkup.RuleYield, []worked{
		{"1.2 % and 0.4 %", two, checkup.Limits{Yield: limit("0.02")}, "fail 0.016 of 0.02", "1.6 %"},
		{"enough", two, checkup.Limits{Yield: limit("0.016")}, "pass 0.016 of 0.016", ""},
		{"how much is enough was not said", two, checkup.Limits{}, "not judged 0.016", "min_yield"},
	})
	two.Unpaid = []string{"B on 2024-01-02: no rate"}
	check(t, checkup.RulePayer, []worked{{"a rate is missing", two, checkup.Limits{}, "not judged of 0.5", "no rate"}})
}

func TestCheck_Prices(t *testing.T) {
	old := in(share("O", "0.1"), func(h *checkup.Holding) { h.PricedOn = day().AddDate(0, 0, -6) })
	near := in(share("N", "0.1"), func(h *checkup.Holding) { h.PricedOn = day().AddDate(0, 0, -5) })
	sample := in(share("S", "0.1"), func(h *checkup.Holding) { h.Doubt = "sample" })
	check(t, checkup.RuleFresh, []worked{
		{"six days and a sample", bookOf(old, near, sample), checkup.Limits{}, "fail 2 of 0", "O 6 days old, S sample"},
		{"a longer patience", bookOf(old, near), checkup.Limits{PriceDays: limit("7")}, "pass 0 of 0", "the test"},
	})
	part := bookOf(share("A", "0.5"))
	part.Unpriced = []string{"GONE: no data"}
	check(t, checkup.RulePriced, []worked{{"one has none", part, checkup.Limits{}, "fail 1 of 0", "no rule of weights is judged"}})
	check(t, checkup.RuleLargest, []worked{{"of a part", part, checkup.Limits{}, "not judged 0.5 of 0.1", "there is no worth of GONE: no data"}})
	part.Weightless = "it owes more than it has"
	check(t, checkup.RuleLargest, []worked{{"no weights at all", part, checkup.Limits{}, "not judged of 0.1", "owes more"}})
}
