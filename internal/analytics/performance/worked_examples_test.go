package performance_test

import (
	"math"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// 1,000 fall by a tenth on the day on which 500 are paid in. They buy at the lower price and count from the
// start of that day: (900 + 500) / (1,000 + 500) = -6.6667%. Plus a tenth on the next day: 1,400 -> 1,540.
func TestReport_ADepositOnADayOfLossSharesIt(t *testing.T) {
	data := marketOf(prices("FUND", "2024-01-01", "10", "9", "9.9"))
	h := history(t, ledger(
		deposit("2024-01-01", "1000"), buy("2024-01-01", "FUND", "100", "1000"),
		deposit("2024-01-02", "500"), buy("2024-01-02", "FUND", "55.5", "499.5"),
	), data, "2024-01-03")
	r, err := h.Measure(date("2024-01-01"), date("2024-01-03"))
	if err != nil {
		t.Fatal(err)
	}
	// 155.5 at 9 and 0.50 in cash are 1,400; at 9.90 they are 1,539.95.
	wantReturn(t, "time-weighted", r.TimeWeighted, 1400.0/1500*1539.95/1400-1)
	wantSum(t, "gain", r.Attribution.Total.Gain, "39.95")
	// The 500 were there on both of two days: 39.95 on 1,500.
	wantReturn(t, "Modified Dietz", r.ModifiedDietz, 39.95/1500)
	wantIdentity(t, r)
}

// 600 are withdrawn at the end of a day of loss: 1,000 -> 900, of which 300 are left, and these double.
func TestReport_AWithdrawalOnADayOfLossBearsIt(t *testing.T) {
	data := marketOf(prices("FUND", "2024-01-01", "10", "9", "18"))
	h := history(t, ledger(
		deposit("2024-01-01", "1000"), buy("2024-01-01", "FUND", "100", "1000"),
		sell("2024-01-02", "FUND", "66.6666666", "600"), withdraw("2024-01-02", "600"),
	), data, "2024-01-03")
	r, err := h.Measure(date("2024-01-01"), date("2024-01-03"))
	if err != nil {
		t.Fatal(err)
	}
	left := 33.3333334
	wantReturn(t, "time-weighted", r.TimeWeighted, (left*9+600)/1000*2-1)
	// Out after one day of two: 1,000 - 600 / 2.
	wantReturn(t, "Modified Dietz", r.ModifiedDietz, (left*18+600-1000)/700)
	wantIdentity(t, r)
}

// 1,000 at 10 are 100 units. 300 taken out at 15 are 20 of them, and the other 80 at 12 are 960. The
// portfolio is all cash and has 700.
func TestCompare_SellsForWhatIsTakenOut(t *testing.T) {
	series := closesFrom("FUND", "2024-03-01", "2023-12-31", "10", "2024-02-01", "15", "2024-03-01", "12")
	h := history(t, ledger(deposit("2024-01-01", "1000"), withdraw("2024-02-10", "300")), marketOf(), "2024-03-01")
	c := compare(t, h, series)
	wantSum(t, "end", c.End.Decimal, "960")
	wantSum(t, "ahead", c.EndDifference.Decimal, "-260")
	wantReturn(t, "time-weighted", c.TimeWeighted, 0.2)
	if c.TimeWeightedDifference == nil || math.Abs(*c.TimeWeightedDifference+0.2) > 1e-12 {
		t.Errorf("ahead by time %v, want 0 - 20 %%", c.TimeWeightedDifference)
	}
	// 700 of 1,000 are left and 300 were taken out: no gain.
	wantReturn(t, "series", c.Series, 0.2)
}

// 10 shares at 100 euros and 1.00 become 20 at 60 (2 for 1) while the euro rises to 1.10 on the day of the
// split and to 1.20 later.
//
//	day of the split  currency 10 * 100 * 0.10 = 100; price (20*60 - 10*100) * 1.10 = 220
//	later             currency 20 *  60 * 0.10 = 120
func TestAttribution_AcrossASplitAndAMoveOfTheCurrency(t *testing.T) {
	series := priced("EUR", closesFrom("EUFUND", "2024-03-01", "2024-01-01", "100", "2024-02-01", "60"))
	series.Actions = []market.Action{{Kind: market.ActionSplit, Date: date("2024-02-01"), New: dec("2"), Old: dec("1")}}
	data := withRates(marketOf(series), rates("EUR", "USD", closesFrom("", "2024-03-01", "2024-01-01", "1", "2024-02-01", "1.1", "2024-02-15", "1.2")))
	h := history(t, ledger(
		inCurrency("EUR", deposit("2024-01-01", "1000")), inCurrency("EUR", buy("2024-01-01", "EUFUND", "10", "1000")), split("2024-02-01", "EUFUND", "2", "1"),
	), data, "2024-03-01")
	r := mustMeasure(t, h)
	line := lineOf(r, "EUFUND")
	wantSum(t, "price", line.Price, "220")
	wantSum(t, "currency", line.Currency, "220")
	wantSum(t, "end", r.End.Value.Decimal, "1440")
	wantReturn(t, "time-weighted", r.TimeWeighted, 0.44)
	wantIdentity(t, r)
}

// A fund without a price for two weeks, and one with a price on every day: the days without a price have no
// value, and the returns before and after them are linked.
func TestReport_APriceMissingInTheMiddleIsSteppedOver(t *testing.T) {
	data := marketOf(
		closesFrom("FUND", "2024-03-01", "2024-01-01", "10", "2024-02-01", "12"),
		closesOn("RARE", "2024-01-01", "50", "2024-01-08", "50", "2024-01-31", "60", "2024-02-07", "60", "2024-02-14", "60", "2024-02-21", "60", "2024-02-28", "60"))
	h := history(t, ledger(
		deposit("2024-01-01", "1500"), buy("2024-01-01", "FUND", "100", "1000"), buy("2024-01-01", "RARE", "10", "500"),
	), data, "2024-03-01")
	r := mustMeasure(t, h)
	// January 16 to 30 have none: 1,500 -> 1,600 on the 31st -> 1,800.
	wantSum(t, "end", r.End.Value.Decimal, "1800")
	wantReturn(t, "time-weighted", r.TimeWeighted, 0.2)
	wantReturn(t, "Modified Dietz", r.ModifiedDietz, 0.2)
	if len(h.Gaps()) != 1 || !h.Gaps()[0].From.Equal(date("2024-01-16")) || !h.Gaps()[0].To.Equal(date("2024-01-30")) {
		t.Errorf("gaps = %+v, want one of January 16 to 30", h.Gaps())
	}
	wantIdentity(t, r)
}

// Half of the portfolio is delisted: no price from the week after, and written off in the end.
func TestReport_DelistedToZero(t *testing.T) {
	data := marketOf(closesFrom("FUND", "2024-06-01", "2024-01-01", "10"), closesFrom("GONE", "2024-02-01", "2024-01-01", "10", "2024-01-20", "4"))
	writeOff := sell("2024-04-01", "GONE", "100", "0")
	writeOff.Price.Valid = true
	l := ledger(deposit("2024-01-01", "2000"), buy("2024-01-01", "FUND", "100", "1000"), buy("2024-01-01", "GONE", "100", "1000"), writeOff)
	h := history(t, l, data, "2024-06-01")
	r := mustMeasure(t, h)
	wantSum(t, "end", r.End.Value.Decimal, "1000")
	wantSum(t, "gain of what is gone", lineOf(r, "GONE").Gain, "-1000")
	wantReturn(t, "time-weighted", r.TimeWeighted, -0.5)
	wantReturn(t, "Modified Dietz", r.ModifiedDietz, -0.5)
	wantReturn(t, "money-weighted", r.MoneyWeighted, -0.5)
	if len(h.Gaps()) != 1 || !h.Gaps()[0].From.Equal(date("2024-02-09")) || !h.Gaps()[0].To.Equal(date("2024-03-31")) {
		t.Errorf("gaps = %+v, want one of February 9 to March 31", h.Gaps())
	}
	g, err := h.Gains(h.First())
	if err != nil {
		t.Fatal(err)
	}
	wantSum(t, "realised", g.Realized.Sum, "-1000")
	wantIdentity(t, r)
}

// Bought on the 2nd and sold on the 5th; a dividend is paid on the 10th. Of January 2 to 12 the seven days
// from the 6th on are left out, the 10th among them.
func TestReport_GainWithoutCapitalIsReported(t *testing.T) {
	data := marketOf(closesFrom("FUND", "2024-01-12", "2024-01-01", "10", "2024-01-05", "11"))
	h := history(t, untracked(ledger(buy("2024-01-02", "FUND", "100", "1000"), sell("2024-01-05", "FUND", "100", "1100"), dividend("2024-01-10", "FUND", "30", "5"))), data, "2024-01-12")
	r := mustMeasure(t, h)
	wantReturn(t, "time-weighted", r.TimeWeighted, 0.1)
	notes := strings.Join(r.TimeWeighted.Notes, " ")
	for _, says := range []string{"on 7 of 11 days", "A gain of 25 USD is from days", "2024-01-10"} {
		if !strings.Contains(notes, says) {
			t.Errorf("notes = %q, want %q said", notes, says)
		}
	}
	wantSum(t, "gain", r.Attribution.Total.Gain, "125")
	wantIdentity(t, r)
}

// Everything is lost: -100%, and a later deposit does not change it.
func TestReport_AllOfItGone(t *testing.T) {
	data := marketOf(closesFrom("GONE", "2024-02-01", "2024-01-01", "10"))
	writeOff := sell("2024-02-01", "GONE", "100", "0")
	writeOff.Price.Valid = true
	l := ledger(deposit("2024-01-01", "1000"), buy("2024-01-01", "GONE", "100", "1000"), writeOff, deposit("2024-03-01", "500"))
	h := history(t, l, data, "2024-04-01")
	r := mustMeasure(t, h)
	wantReturn(t, "time-weighted", r.TimeWeighted, -1)
	wantSum(t, "gain", r.Attribution.Total.Gain, "-1000")
	wantIdentity(t, r)
}

// A dividend of a share that is bought two days later is income of the share.
func TestAttribution_ADividendBeforeThePurchaseIsOfTheSecurity(t *testing.T) {
	data := marketOf(closesFrom("FUND", "2024-02-01", "2024-01-01", "10"))
	h := history(t, ledger(deposit("2024-01-01", "1000"), dividend("2024-01-03", "FUND", "20", "3"), buy("2024-01-05", "FUND", "100", "1000")), data, "2024-02-01")
	r := mustMeasure(t, h)
	line := lineOf(r, "FUND")
	wantSum(t, "income", line.Income, "20")
	wantSum(t, "taxes", line.Taxes, "-3")
	wantSum(t, "price", line.Price, "0")
	wantReturn(t, "time-weighted", r.TimeWeighted, 0.017)
	wantIdentity(t, r)
}

// Capital of 200 is returned and the price falls by as much: there is no gain, and the cost of the rest is
// 800.
func TestReport_CapitalPaidBackIsNoGain(t *testing.T) {
	data := marketOf(closesFrom("FUND", "2024-03-01", "2024-01-01", "10", "2024-02-01", "8"))
	back := cash("2024-02-01", portfolio.KindReturnOfCapital, "200")
	back.Symbol = "FUND"
	h := history(t, ledger(deposit("2024-01-01", "1000"), buy("2024-01-01", "FUND", "100", "1000"), back), data, "2024-03-01")
	r := mustMeasure(t, h)
	wantSum(t, "gain", lineOf(r, "FUND").Gain, "0")
	wantReturn(t, "time-weighted", r.TimeWeighted, 0)
	g, err := h.Gains(h.First())
	if err != nil {
		t.Fatal(err)
	}
	wantSum(t, "unrealised", g.Unrealized.Sum, "0")
	wantIdentity(t, r)
}

// A dividend of 60, 9 of it withheld, becomes 5 shares at 10 with a fee of 1: income, tax and fee belong to
// the security, and there is no flow.
func TestAttribution_AReinvestedDividend(t *testing.T) {
	data := marketOf(closesFrom("FUND", "2024-03-01", "2024-01-01", "10"))
	again := trade("2024-02-01", portfolio.KindReinvest, "FUND", "5", "60")
	again.Tax, again.Fee = dec("9"), dec("1")
	for name, records := range map[string]portfolio.Ledger{
		"tracked":   ledger(deposit("2024-01-01", "1000"), buy("2024-01-01", "FUND", "100", "1000"), again),
		"untracked": untracked(ledger(buy("2024-01-01", "FUND", "100", "1000"), again)),
	} {
		h := history(t, records, data, "2024-03-01")
		r := mustMeasure(t, h)
		line := lineOf(r, "FUND")
		wantSum(t, name+": income", line.Income, "60")
		wantSum(t, name+": taxes", line.Taxes, "-9")
		wantSum(t, name+": fees", line.Fees, "-1")
		wantSum(t, name+": price", line.Price, "0")
		wantSum(t, name+": net flow", r.NetFlow.Decimal, "1000")
		wantReturn(t, name+": time-weighted", r.TimeWeighted, 0.05)
		wantIdentity(t, r)
	}
}

// Without prices, the figures that need them are absent.
func TestReport_NothingIsSaidOfWhatIsNotKnown(t *testing.T) {
	h := history(t, ledger(deposit("2024-01-01", "1000"), buy("2024-01-02", "FUND", "100", "1000")), performance.Market{}, "2024-02-01")
	r := mustMeasure(t, h)
	for name, m := range map[string]performance.Return{"time": r.TimeWeighted, "money": r.MoneyWeighted, "dietz": r.ModifiedDietz, "linked": r.LinkedDietz} {
		wantAbsent(t, name, m)
		if !strings.Contains(m.Reason, "FUND") {
			t.Errorf("%s is absent because %q, want FUND named", name, m.Reason)
		}
	}
	wantSum(t, "net flow", r.NetFlow.Decimal, "1000")
}

// Five shares bought on the day on which the prices split, three days before the ledger does, may be
// counted before or after the split too.
func TestSplit_ATradeOnTheFirstOfItsDaysIsADisagreement(t *testing.T) {
	h := history(t, ledger(
		deposit("2024-01-01", "1150"), buy("2024-01-01", "FUND", "10", "1000"), buy("2024-02-01", "FUND", "5", "150"), split("2024-02-04", "FUND", "4", "1"),
	), marketOf(splitSeries(true)), "2024-03-01")
	r := mustMeasure(t, h)
	if len(h.Disagreements()) != 1 || r.End.Value.Valid {
		t.Errorf("disagreements = %+v, end %v; want one, and no value", h.Disagreements(), r.End.Value)
	}
}
