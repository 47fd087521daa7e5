package performance_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// 100 shares at 50 euros whose price does not change, while the euro goes from 1.10 to 1.21 dollars: 5,000
// * 0.11 = 550 of currency effect, and nothing else.
func TestAttribution_AForeignPriceThatStandsStillEarnsTheCurrency(t *testing.T) {
	data := withRates(
		marketOf(priced("EUR", closesFrom("EUFUND", "2024-06-30", "2024-01-01", "50"))),
		rates("EUR", "USD", closesFrom("", "2024-06-30", "2024-01-01", "1.10", "2024-06-30", "1.21")))
	h := history(t, ledger(
		inCurrency("EUR", deposit("2024-01-01", "5000")), inCurrency("EUR", buy("2024-01-01", "EUFUND", "100", "5000")),
	), data, "2024-06-30")
	r := mustMeasure(t, h)
	line := lineOf(r, "EUFUND")
	wantSum(t, "price", line.Price, "0")
	wantSum(t, "currency", line.Currency, "550")
	wantSum(t, "end", r.End.Value.Decimal, "6050")
	wantReturn(t, "time-weighted", r.TimeWeighted, 0.1)
	wantIdentity(t, r)
}

// Price 50 -> 60 and rate 1.10 -> 1.20 on one day. Currency: 100 * 50 * 0.10 = 500; price: 100 * 10 * 1.20
// = 1,200, which includes 100 * 10 * 0.10 of both together.
func TestAttribution_WhatPriceAndRateDoTogetherIsInThePrice(t *testing.T) {
	data := withRates(
		marketOf(priced("EUR", prices("EUFUND", "2024-01-01", "50", "60"))),
		rates("EUR", "USD", prices("", "2024-01-01", "1.10", "1.20")))
	h := history(t, ledger(
		inCurrency("EUR", deposit("2024-01-01", "5000")), inCurrency("EUR", buy("2024-01-01", "EUFUND", "100", "5000")),
	), data, "2024-01-02")
	r := mustMeasure(t, h)
	wantSum(t, "currency", r.Attribution.Total.Currency, "500")
	wantSum(t, "price", r.Attribution.Total.Price, "1200")
	wantIdentity(t, r)
}

// 1,000 dollars buy 100 shares less a fee of 9 and a tax of 1 paid from more cash; 30
// of dividend, 5 of it withheld; sold for 1,050 at a fee of 7; 2 of interest, 4 of fees.
func TestAttribution_DividesAGainByWhereItCameFrom(t *testing.T) {
	data := marketOf(closesFrom("FUND", "2024-03-01", "2024-01-01", "10", "2024-02-01", "10.5"))
	purchase := buy("2024-01-02", "FUND", "100", "1000")
	purchase.Fee, purchase.Tax = dec("9"), dec("1")
	sale := sell("2024-02-15", "FUND", "100", "1050")
	sale.Fee = dec("7")
	h := history(t, ledger(
		deposit("2024-01-01", "2000"), purchase, dividend("2024-01-15", "FUND", "30", "5"), sale,
		cash("2024-02-20", portfolio.KindInterest, "2"), cash("2024-02-21", portfolio.KindFee, "4"),
	), data, "2024-03-01")
	r := mustMeasure(t, h)
	line := lineOf(r, "FUND")
	for _, c := range []struct {
		name string
		got  performance.Effects
		want [5]string // price, income, fees, taxes, gain
	}{
		{"the closed position", line.Effects, [5]string{"50", "30", "-16", "-6", "58"}},
		{"all", r.Attribution.Total, [5]string{"50", "32", "-20", "-6", "56"}},
	} {
		wantSum(t, c.name+": price", c.got.Price, c.want[0])
		wantSum(t, c.name+": income", c.got.Income, c.want[1])
		wantSum(t, c.name+": fees", c.got.Fees, c.want[2])
		wantSum(t, c.name+": taxes", c.got.Taxes, c.want[3])
		wantSum(t, c.name+": gain", c.got.Gain, c.want[4])
	}
	wantSum(t, "end", r.End.Value.Decimal, "2056")
	// The capital was there all the time: 56 on 2,000, all of it attributed to the lines.
	wantReturn(t, "Modified Dietz", r.ModifiedDietz, 0.028)
	wantIdentity(t, r)
}

// Of a dividend of 30 a tax of 9 was withheld in January, and 4.50 of it was refunded in February, when a
// fee of 6 was charged and 2.50 of it refunded: 30 - 9 + 4.50 - 6 + 2.50. February alone has no dividend,
// and the refund is more than the tax paid.
func TestAttribution_WhatIsGivenBackLowersFeesAndTaxes(t *testing.T) {
	data := marketOf(closesFrom("FUND", "2024-03-01", "2024-01-01", "10"))
	back := transaction("2024-02-10", portfolio.KindTaxRefund, func(t *portfolio.Transaction) { t.Symbol, t.Amount = "FUND", dec("4.50") })
	h := history(t, ledger(
		deposit("2024-01-01", "2000"), buy("2024-01-02", "FUND", "100", "1000"), dividend("2024-01-15", "FUND", "30", "9"), back,
		cash("2024-02-20", portfolio.KindFee, "6"), cash("2024-02-21", portfolio.KindFeeRefund, "2.50"),
	), data, "2024-03-01")
	all := mustMeasure(t, h)
	february, err := h.Measure(date("2024-01-31"), date("2024-02-29"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		got  performance.Effects
		want [4]string // income, fees, taxes, gain
	}{
		{"the security", lineOf(all, "FUND").Effects, [4]string{"30", "0", "-4.5", "25.5"}},
		{"all", all.Attribution.Total, [4]string{"30", "-3.5", "-4.5", "22"}},
		{"the security in February", lineOf(february, "FUND").Effects, [4]string{"0", "0", "4.5", "4.5"}},
		{"February", february.Attribution.Total, [4]string{"0", "-3.5", "4.5", "1"}},
	} {
		wantSum(t, c.name+": income", c.got.Income, c.want[0])
		wantSum(t, c.name+": fees", c.got.Fees, c.want[1])
		wantSum(t, c.name+": taxes", c.got.Taxes, c.want[2])
		wantSum(t, c.name+": gain", c.got.Gain, c.want[3])
	}
	wantSum(t, "end", all.End.Value.Decimal, "2022")
	wantIdentity(t, all)
	wantIdentity(t, february)
}

// 1,100 dollars become 990 euros at a rate of 1.10: worth 1,089, so the exchange cost 11. The exchange back
// is at the same rate and free.
func TestAttribution_AnExchangeCostsWhatItIsBesideTheRateOfTheDay(t *testing.T) {
	data := withRates(marketOf(), rates("EUR", "USD", closesFrom("", "2024-01-31", "2024-01-01", "1.10")))
	exchange := func(day, from, amount, to, toAmount string) portfolio.Transaction {
		return inCurrency(from, transaction(day, portfolio.KindExchange, func(t *portfolio.Transaction) {
			t.Amount, t.ToCurrency, t.ToAmount = dec(amount), to, dec(toAmount)
		}))
	}
	for name, c := range map[string]struct{ euros, back, gain string }{
		"at the rate":      {"1000", "1100", "0"},
		"with a spread":    {"990", "1089", "-11"},
		"with two spreads": {"990", "1080", "-20"},
	} {
		t.Run(name, func(t *testing.T) {
			h := history(t, ledger(deposit("2024-01-01", "1100"),
				exchange("2024-01-10", "USD", "1100", "EUR", c.euros), exchange("2024-01-20", "EUR", c.euros, "USD", c.back)), data, "2024-01-31")
			r := mustMeasure(t, h)
			wantSum(t, "gain", r.Attribution.Total.Gain, c.gain)
			wantSum(t, "currency", r.Attribution.Total.Currency, c.gain)
			wantSum(t, "end", r.End.Value.Decimal, dec("1100").Add(dec(c.gain)).String())
			wantIdentity(t, r)
			for _, l := range r.Attribution.Lines {
				if l.Cash != "" && !l.Gain.IsZero() {
					t.Errorf("cash in %s gained %s at a rate that stood still, want 0", l.Cash, l.Gain)
				}
			}
		})
	}
}

// A pair may be quoted the other way: 1 / 0.8 is 1.25 exactly.
func TestAttribution_ARateQuotedTheOtherWayIsTurnedRound(t *testing.T) {
	data := withRates(marketOf(), rates("USD", "EUR", closesFrom("", "2024-01-31", "2024-01-01", "0.8")))
	r := mustMeasure(t, history(t, ledger(inCurrency("EUR", deposit("2024-01-05", "100"))), data, "2024-01-31"))
	wantSum(t, "end", r.End.Value.Decimal, "125")
	both := []market.RateSeries{rates("USD", "EUR", closesFrom("", "2024-01-31", "2024-01-01", "0.8")), rates("EUR", "USD", closesFrom("", "2024-01-31", "2024-01-01", "1.26"))}
	for range 2 {
		r = mustMeasure(t, history(t, ledger(inCurrency("EUR", deposit("2024-01-05", "100"))), withRates(marketOf(), both...), "2024-01-31"))
		wantSum(t, "end by the pair as it is quoted", r.End.Value.Decimal, "126")
		both[0], both[1] = both[1], both[0]
	}
}

// A parent at 100 distributes one share of CHILD for each of its own and opens at 80; the child closes at
// 20 on that day and at 25 later. Nothing was lost: the gain of the parent includes the 20 that it
// distributed.
func TestAttribution_ASpunOffShareIsAProceedOfItsParent(t *testing.T) {
	data := marketOf(
		closesFrom("PARENT", "2024-03-01", "2024-01-01", "100", "2024-02-01", "80"),
		closesFrom("CHILD", "2024-03-01", "2024-02-01", "20", "2024-02-15", "25"))
	h := history(t, ledger(
		deposit("2024-01-01", "1000"), buy("2024-01-01", "PARENT", "10", "1000"),
		transaction("2024-02-01", portfolio.KindSpinOff, func(t *portfolio.Transaction) {
			t.Symbol, t.ToSymbol, t.Quantity, t.Currency = "PARENT", "CHILD", dec("10"), ""
		}),
	), data, "2024-03-01")
	r := mustMeasure(t, h)
	wantSum(t, "gain of the parent", lineOf(r, "PARENT").Gain, "0")
	wantSum(t, "gain of the child", lineOf(r, "CHILD").Gain, "50")
	wantReturn(t, "time-weighted", r.TimeWeighted, 0.05)
	wantIdentity(t, r)
}

// Ten shares at 50 become five of BUYER at 90, and 200 in cash: 650 for 500.
func TestAttribution_AMergerIsAProceedOfWhatIsGone(t *testing.T) {
	data := marketOf(
		closesFrom("GONE", "2024-01-31", "2024-01-01", "50"),
		closesFrom("BUYER", "2024-03-01", "2024-01-01", "90", "2024-02-15", "100"))
	h := history(t, ledger(
		deposit("2024-01-01", "500"), buy("2024-01-01", "GONE", "10", "500"),
		transaction("2024-02-01", portfolio.KindMerger, func(t *portfolio.Transaction) {
			t.Symbol, t.ToSymbol, t.New, t.Old, t.Amount = "GONE", "BUYER", dec("1"), dec("2"), dec("200")
		}),
	), data, "2024-03-01")
	r := mustMeasure(t, h)
	wantSum(t, "gain of what is gone", lineOf(r, "GONE").Gain, "150")
	wantSum(t, "gain of the buyer", lineOf(r, "BUYER").Gain, "50")
	wantIdentity(t, r)
}

// Shares that are transferred in count at the close of that day, 12, whatever their cost.
func TestFlow_SecuritiesCountAtTheCloseOfTheirDay(t *testing.T) {
	data := marketOf(closesFrom("FUND", "2024-03-01", "2024-01-01", "10", "2024-01-10", "12", "2024-02-01", "15"))
	transfer := func(day string, kind portfolio.Kind, quantity, cost string) portfolio.Transaction {
		return transaction(day, kind, func(t *portfolio.Transaction) {
			t.Symbol, t.Quantity, t.Amount = "FUND", dec(quantity), dec(cost)
			if kind == portfolio.KindTransferOut {
				t.Currency = ""
			}
		})
	}
	h := history(t, ledger(transfer("2024-01-15", portfolio.KindTransferIn, "100", "300"), transfer("2024-02-10", portfolio.KindTransferOut, "40", "0")), data, "2024-03-01")
	r := mustMeasure(t, h)
	if len(r.Flows) != 2 {
		t.Fatalf("flows = %v, want two", r.Flows)
	}
	wantSum(t, "in", r.Flows[0].Amount, "1200")
	wantSum(t, "out", r.Flows[1].Amount, "-600")
	wantSum(t, "gain", r.Attribution.Total.Gain, "300") // 100 * 3
	wantReturn(t, "time-weighted", r.TimeWeighted, 0.25)
	wantIdentity(t, r)
}

// A transfer between two accounts is a flow for each of them, but not for both together.
func TestFlow_AMoveBetweenAccountsIsNoneForBoth(t *testing.T) {
	data := marketOf(closesFrom("FUND", "2024-03-01", "2024-01-01", "10", "2024-02-01", "11"))
	move := func(day string, change func(*portfolio.Transaction)) portfolio.Transaction {
		return transaction(day, portfolio.KindTransferOut, func(t *portfolio.Transaction) { t.ToAccount = "other"; change(t) })
	}
	l := ledger(
		deposit("2024-01-01", "2000"), buy("2024-01-01", "FUND", "100", "1000"),
		move("2024-01-10", func(t *portfolio.Transaction) { t.Amount = dec("300") }),
		move("2024-01-20", func(t *portfolio.Transaction) { t.Symbol, t.Quantity, t.Currency = "FUND", dec("40"), "" }),
	)
	for _, c := range []struct {
		name     string
		accounts []string
		net, end string
		gain     string
	}{
		{"both", nil, "2000", "2100", "100"},
		{"both by name", []string{"main", "other"}, "2000", "2100", "100"},
		{"where it came from", []string{"main"}, "1300", "1360", "60"},
		{"where it went", []string{"other"}, "700", "740", "40"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := mustMeasure(t, historyOf(t, l, data, performance.Request{Base: "USD", To: date("2024-03-01"), Accounts: c.accounts}))
			wantSum(t, "net flow", r.NetFlow.Decimal, c.net)
			wantSum(t, "end", r.End.Value.Decimal, c.end)
			wantSum(t, "gain", r.Attribution.Total.Gain, c.gain)
			wantIdentity(t, r)
		})
	}
}

// Without FUND only the rest is measured: the cost of FUND is a withdrawal.
func TestHistory_ExcludedSymbolsAreExternal(t *testing.T) {
	data := marketOf(closesFrom("OTHER", "2024-03-01", "2024-01-01", "10", "2024-02-01", "11"))
	l := ledger(deposit("2024-01-01", "2000"), buy("2024-01-01", "OTHER", "100", "1000"), buy("2024-01-05", "FUND", "10", "500"), dividend("2024-02-05", "FUND", "20", "0"))
	all := mustMeasure(t, history(t, l, data, "2024-03-01"))
	if all.End.Value.Valid || !strings.Contains(all.End.Reason, "FUND") {
		t.Errorf("end = %v (%s), want it absent for FUND", all.End.Value, all.End.Reason)
	}
	wantAbsent(t, "time-weighted with an unpriced FUND", all.TimeWeighted)
	r := mustMeasure(t, historyOf(t, l, data, performance.Request{Base: "USD", To: date("2024-03-01"), ExcludedSymbols: []market.Symbol{"FUND"}}))
	wantSum(t, "net flow", r.NetFlow.Decimal, "1520")
	wantSum(t, "end", r.End.Value.Decimal, "1620")
	wantSum(t, "gain", r.Attribution.Total.Gain, "100")
	wantIdentity(t, r)
}

// The shares of an excluded spin-off are a withdrawal at their own close, if that is known.
func TestHistory_AnExcludedSpinOffIsExternal(t *testing.T) {
	parent := closesFrom("PARENT", "2024-03-01", "2024-01-01", "100", "2024-02-01", "80")
	l := ledger(
		deposit("2024-01-01", "1000"), buy("2024-01-01", "PARENT", "10", "1000"),
		transaction("2024-02-01", portfolio.KindSpinOff, func(t *portfolio.Transaction) {
			t.Symbol, t.ToSymbol, t.Quantity, t.Currency = "PARENT", "CHILD", dec("10"), ""
		}))
	q := performance.Request{Base: "USD", To: date("2024-03-01"), ExcludedSymbols: []market.Symbol{"CHILD"}}
	r := mustMeasure(t, historyOf(t, l, marketOf(parent, closesFrom("CHILD", "2024-03-01", "2024-02-01", "20")), q))
	wantSum(t, "net flow", r.NetFlow.Decimal, "800")
	wantSum(t, "gain", r.Attribution.Total.Gain, "0")
	wantReturn(t, "time-weighted", r.TimeWeighted, 0)
	wantIdentity(t, r)
	wantAbsent(t, "time-weighted without a price of it", mustMeasure(t, historyOf(t, l, marketOf(parent), q)).TimeWeighted)
}
