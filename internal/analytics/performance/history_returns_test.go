package performance_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// A fund doubles, then falls by 40%. An investor pays in 1,000 before the first year and 9,000 before the
// second:
//
//	1,000 -> 2,000; + 9,000 = 11,000 -> 6,600
//
// Time-weighted: 2 * 0.6 - 1 = +20%. Money-weighted, the second year counts most: 10,000 were paid in and
// 6,600 are left.
func TestReport_TimeAndMoneyCanDifferInSign(t *testing.T) {
	data := marketOf(closesFrom("FUND", "2023-12-31", "2022-01-01", "10", "2022-12-31", "20", "2023-12-31", "12"))
	h := history(t, ledger(
		deposit("2022-01-01", "1000"), buy("2022-01-01", "FUND", "100", "1000"),
		deposit("2023-01-01", "9000"), buy("2023-01-01", "FUND", "450", "9000"),
	), data, "2023-12-31")
	r := mustMeasure(t, h)
	wantSum(t, "end", r.End.Value.Decimal, "6600")
	wantSum(t, "net flow", r.NetFlow.Decimal, "10000")
	wantSum(t, "gain", r.Attribution.Total.Gain, "-3400")
	wantReturn(t, "time-weighted", r.TimeWeighted, 0.2)
	if r.MoneyWeighted.Annual == nil || *r.MoneyWeighted.Annual >= 0 {
		t.Fatalf("money-weighted = %s, want a loss", formatReturn(r.MoneyWeighted))
	}
	// 1000 x^729 + 9000 x^364 = 6600 with x = (1 + r)^(1/365), days from each deposit.
	x := math.Pow(1+*r.MoneyWeighted.Annual, 1.0/365)
	if left := 1000*math.Pow(x, 729) + 9000*math.Pow(x, 364) - 6600; math.Abs(left) > 1e-6 {
		t.Errorf("at %v a year %v is left over, want 0", *r.MoneyWeighted.Annual, left)
	}
	wantIdentity(t, r)
}

// Begin 100,000; 20,000 come in on day 10 and 5,000 go out on day 20 of a window of 30
// days; end 121,000.
//
//	gain     121,000 - 100,000 - 15,000 = 6,000
//	weights  in: (30 - 10 + 1) / 30 = 0.7; out: (30 - 20) / 30 = 1/3
//	capital  100,000 + 14,000 - 1,666.67 = 112,333.33
//	return   6,000 / 112,333.33 = 5.3412 %
func TestReport_ModifiedDietzWeighsFlowsByTheirDays(t *testing.T) {
	data := marketOf(closesFrom("FUND", "2024-04-30", "2024-03-31", "100", "2024-04-30", "106"))
	h := history(t, ledger(
		deposit("2024-03-31", "100000"), buy("2024-03-31", "FUND", "1000", "100000"),
		deposit("2024-04-10", "20000"), withdraw("2024-04-20", "5000"),
	), data, "2024-04-30")
	r, err := h.Measure(date("2024-03-31"), date("2024-04-30"))
	if err != nil {
		t.Fatal(err)
	}
	wantSum(t, "start", r.Start.Value.Decimal, "100000")
	wantSum(t, "end", r.End.Value.Decimal, "121000")
	wantReturn(t, "Modified Dietz", r.ModifiedDietz, 6000/(100000+20000*0.7-5000.0/3))
	wantReturn(t, "linked monthly over one month", r.LinkedDietz, *r.ModifiedDietz.Value)
	// By day: nothing until the 30th, when 115,000 become 121,000.
	wantReturn(t, "time-weighted", r.TimeWeighted, 121.0/115-1)
	wantIdentity(t, r)
}

// 1,000 were paid in, 2,300 taken out and 1,320 are owed: 10% and 20% both solve -1 + 2.3 v - 1.32 v^2 = 0.
func TestReport_SeveralMoneyWeightedReturnsAreNone(t *testing.T) {
	l := ledger(deposit("2021-01-01", "1000"), withdraw("2022-01-01", "2300"))
	l.Accounts[0].Cash = portfolio.CashMargin
	l.Transactions = append(l.Transactions,
		portfolio.Transaction{ID: "fee", Date: date("2023-01-01"), Kind: portfolio.KindFee, Account: "main", Currency: "USD", Amount: dec("20")})
	r, err := history(t, l, performance.Market{}, "2023-01-01").Measure(date("2021-01-01"), date("2023-01-01"))
	if err != nil {
		t.Fatal(err)
	}
	wantSum(t, "end", r.End.Value.Decimal, "-1320")
	wantAbsent(t, "money-weighted", r.MoneyWeighted)
	if !strings.Contains(r.MoneyWeighted.Reason, "10.00%, 20.00%") {
		t.Errorf("money-weighted is absent because %q, want both rates named", r.MoneyWeighted.Reason)
	}
	wantAbsent(t, "time-weighted of a portfolio that owes", r.TimeWeighted)
	wantIdentity(t, r)
}

// Everything is sold, the cash is withdrawn for a month and paid in again: that month is not part of the
// return.
func TestReport_DaysWithNothingInvestedAreLeftOutAndSaid(t *testing.T) {
	data := marketOf(closesFrom("FUND", "2024-03-10", "2024-01-01", "10", "2024-01-10", "11", "2024-02-20", "20", "2024-03-10", "22"))
	h := history(t, ledger(
		deposit("2024-01-01", "1000"), buy("2024-01-01", "FUND", "100", "1000"),
		sell("2024-01-15", "FUND", "100", "1100"), withdraw("2024-01-15", "1100"),
		deposit("2024-02-25", "2000"), buy("2024-02-25", "FUND", "100", "2000"),
	), data, "2024-03-10")
	r := mustMeasure(t, h)
	wantReturn(t, "time-weighted", r.TimeWeighted, 1.1*1.1-1)
	// January: 100 on 1,000 for 31 days less 1,100 for 16 of them; March: 2,000 to 2,200.
	wantReturn(t, "linked", r.LinkedDietz, (1+100/(1000-1100*16.0/31))*1.1-1)
	// January 16 to February 24.
	if !strings.Contains(strings.Join(r.TimeWeighted.Notes, " "), "Nothing was invested on 40 of 70 days") {
		t.Errorf("notes = %q, want the 40 idle days said", r.TimeWeighted.Notes)
	}
	wantSum(t, "gain", r.Attribution.Total.Gain, "300")
	wantIdentity(t, r)
}

// In an account whose cash is not tracked, the payment for a purchase is a deposit on that day.
func TestReport_UntrackedCashIsAFlowOfEachTrade(t *testing.T) {
	data := marketOf(closesFrom("FUND", "2024-02-10", "2024-01-01", "10", "2024-01-20", "12", "2024-02-10", "15"))
	h := history(t, untracked(ledger(
		buy("2024-01-01", "FUND", "100", "1000"), dividend("2024-01-25", "FUND", "60", "10"), sell("2024-02-01", "FUND", "50", "600"),
	)), data, "2024-02-10")
	r := mustMeasure(t, h)
	wantSum(t, "net flow", r.NetFlow.Decimal, "350") // 1,000 - 50 - 600
	wantSum(t, "end", r.End.Value.Decimal, "750")
	// +20%, then 50 on 1,200, then +25%.
	wantReturn(t, "time-weighted", r.TimeWeighted, 1.2*1250/1200*1.25-1)
	line := lineOf(r, "FUND")
	wantSum(t, "income", line.Income, "60")
	wantSum(t, "taxes", line.Taxes, "-10")
	wantSum(t, "price", line.Price, "350") // 200 to 12, then 50 * 3
	wantIdentity(t, r)
}

func TestHistory_AnUnknownWindowIsRefused(t *testing.T) {
	h := history(t, ledger(deposit("2024-01-01", "1000")), performance.Market{}, "2024-02-01")
	for _, w := range [][2]string{{"2023-12-30", "2024-02-01"}, {"2024-01-01", "2024-02-02"}, {"2024-01-10", "2024-01-10"}, {"2024-01-11", "2024-01-10"}} {
		if _, err := h.Measure(date(w[0]), date(w[1])); err == nil {
			t.Errorf("Over(%s, %s) was answered, want ErrQuestion", w[0], w[1])
		}
	}
}

func TestHistory_WindowsLongerThanTheLedgerAreAbsent(t *testing.T) {
	data := marketOf(closesFrom("FUND", "2024-06-30", "2021-05-04", "10", "2024-06-30", "20"))
	h := history(t, ledger(deposit("2021-05-04", "1000"), buy("2021-05-04", "FUND", "100", "1000")), data, "2024-06-30")
	got := h.Windows()
	if len(got) != 4 {
		t.Fatalf("Windows() = %d, want 4", len(got))
	}
	for i, name := range []string{"1 year", "3 years", "5 years", "since inception"} {
		if got[i].Name != name {
			t.Errorf("window %d is %q, want %q", i, got[i].Name, name)
		}
		if i == 2 {
			if got[i].Reason != "the portfolio starts on 2021-05-04" {
				t.Errorf("%s: %q, want that the ledger begins later", name, got[i].Reason)
			}
			continue
		}
		if got[i].Reason != "" {
			t.Errorf("%s is absent: %s", name, got[i].Reason)
		}
		wantReturn(t, name, got[i].Report.TimeWeighted, 1)
	}
}

func TestHistory_AYearBeforeALeapDayIsAYear(t *testing.T) {
	data := marketOf(closesFrom("FUND", "2024-02-29", "2023-01-01", "10", "2024-02-29", "11"))
	h := history(t, ledger(deposit("2023-01-01", "1000"), buy("2023-01-01", "FUND", "100", "1000")), data, "2024-02-29")
	got := h.Windows()[0].Report
	if !got.From.Equal(date("2023-02-28")) || got.TimeWeighted.Annual == nil {
		t.Errorf("1 year to a leap day is from %s, annual %v; want from 2023-02-28 with an annual rate", got.From, got.TimeWeighted.Annual)
	}
}

func TestNewHistory_RefusesInvalidInput(t *testing.T) {
	sound := ledger(deposit("2024-01-01", "1000"))
	for _, c := range []struct {
		name string
		l    portfolio.Ledger
		q    performance.Request
		want error
	}{
		{"nothing recorded", ledger(), performance.Request{Base: "USD", To: date("2024-02-01")}, performance.ErrNoTransactions},
		{"nothing up to the day", sound, performance.Request{Base: "USD", To: date("2023-02-01")}, performance.ErrNoTransactions},
		{"no base", sound, performance.Request{To: date("2024-02-01")}, performance.ErrInvalidRequest},
		{"no day", sound, performance.Request{Base: "USD"}, performance.ErrInvalidRequest},
		{"an account that is not there", sound, performance.Request{Base: "USD", To: date("2024-02-01"), Accounts: []string{"ira"}}, portfolio.ErrUnknownAccount},
		{"a day in the far future", sound, performance.Request{Base: "USD", To: date("9999-02-01")}, performance.ErrInvalidRequest},
		{"more sold than held", ledger(sell("2024-01-01", "FUND", "1", "1")), performance.Request{Base: "USD", To: date("2024-02-01")}, portfolio.ErrNotHeld},
	} {
		if _, err := performance.NewHistory(c.l, performance.Market{}, c.q); !errors.Is(err, c.want) {
			t.Errorf("%s: New = %v, want %v", c.name, err, c.want)
		}
	}
}
