package performance_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

func dec(s string) decimal.Decimal { return decimal.RequireFromString(s) }

func date(s string) market.Date {
	d, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return d
}

// transaction returns a transaction of the account "main" in dollars; change sets the other fields.
func transaction(day string, kind portfolio.Kind, change func(*portfolio.Transaction)) portfolio.Transaction {
	t := portfolio.Transaction{Date: date(day), Kind: kind, Account: "main", Currency: "USD"}
	if change != nil {
		change(&t)
	}
	return t
}

func cash(day string, kind portfolio.Kind, amount string) portfolio.Transaction {
	return transaction(day, kind, func(t *portfolio.Transaction) { t.Amount = dec(amount) })
}

func deposit(day, amount string) portfolio.Transaction {
	return cash(day, portfolio.KindDeposit, amount)
}

func withdraw(day, amount string) portfolio.Transaction {
	return cash(day, portfolio.KindWithdrawal, amount)
}

func trade(day string, kind portfolio.Kind, symbol market.Symbol, quantity, amount string) portfolio.Transaction {
	return transaction(day, kind, func(t *portfolio.Transaction) {
		t.Symbol, t.Quantity, t.Amount = symbol, dec(quantity), dec(amount)
	})
}

func buy(day string, symbol market.Symbol, quantity, amount string) portfolio.Transaction {
	return trade(day, portfolio.KindBuy, symbol, quantity, amount)
}

func sell(day string, symbol market.Symbol, quantity, amount string) portfolio.Transaction {
	return trade(day, portfolio.KindSell, symbol, quantity, amount)
}

func dividend(day string, symbol market.Symbol, amount, tax string) portfolio.Transaction {
	return transaction(day, portfolio.KindDividend, func(t *portfolio.Transaction) {
		t.Symbol, t.Amount, t.Tax = symbol, dec(amount), dec(tax)
	})
}

func split(day string, symbol market.Symbol, fresh, old string) portfolio.Transaction {
	return transaction(day, portfolio.KindSplit, func(t *portfolio.Transaction) {
		t.Symbol, t.New, t.Old, t.Currency = symbol, dec(fresh), dec(old), ""
	})
}

// inCurrency returns t in another currency.
func inCurrency(currency string, t portfolio.Transaction) portfolio.Transaction {
	t.Currency = currency
	return t
}

// ledger has the accounts "main" and "other", both with their cash tracked.
func ledger(ts ...portfolio.Transaction) portfolio.Ledger {
	l := portfolio.Ledger{Accounts: []portfolio.Account{portfolio.NewAccount("main"), portfolio.NewAccount("other")}}
	for i, t := range ts {
		t.ID = fmt.Sprintf("t%04d", i)
		l.Transactions = append(l.Transactions, t)
	}
	return l
}

// untracked returns the same ledger without the cash of its accounts: only trades count.
func untracked(l portfolio.Ledger) portfolio.Ledger {
	for i := range l.Accounts {
		l.Accounts[i].Cash = portfolio.CashUntracked
	}
	return l
}

// prices returns closes of successive days, in dollars and as traded; an empty one is a day without a
// close.
func prices(symbol market.Symbol, from string, closes ...string) market.Series {
	s := market.Series{
		Instrument: market.Instrument{Symbol: symbol}, Interval: market.Daily, Actions: []market.Action{},
		Provenance: market.Provenance{Source: "test", Currency: "USD", Adjustment: market.AdjustmentRaw},
	}
	for i, c := range closes {
		if c != "" {
			s.Bars = append(s.Bars, market.Bar{Date: date(from).AddDate(0, 0, i), Close: dec(c)})
		}
	}
	return s
}

// closesOn returns closes on the given days.
func closesOn(symbol market.Symbol, dayAndClose ...string) market.Series {
	s := prices(symbol, "2000-01-01")
	for i := 0; i < len(dayAndClose); i += 2 {
		s.Bars = append(s.Bars, market.Bar{Date: date(dayAndClose[i]), Close: dec(dayAndClose[i+1])})
	}
	return s
}

// closesFrom repeats each close until the day before the next: the price changes on the given days only.
func closesFrom(symbol market.Symbol, until string, dayAndClose ...string) market.Series {
	s := prices(symbol, "2000-01-01")
	for i := 0; i < len(dayAndClose); i += 2 {
		end := date(until)
		if i+2 < len(dayAndClose) {
			end = date(dayAndClose[i+2]).AddDate(0, 0, -1)
		}
		for d := date(dayAndClose[i]); !d.After(end); d = d.AddDate(0, 0, 1) {
			s.Bars = append(s.Bars, market.Bar{Date: d, Close: dec(dayAndClose[i+1])})
		}
	}
	return s
}

func priced(currency string, s market.Series) market.Series {
	s.Provenance.Currency = currency
	return s
}

// rates returns closes as rates of a pair.
func rates(base, quote string, s market.Series) market.RateSeries {
	r := market.RateSeries{Pair: market.Pair{Base: base, Quote: quote}}
	for _, b := range s.Bars {
		r.Rates = append(r.Rates, market.Rate{Date: b.Date, Value: b.Close})
	}
	return r
}

func marketOf(series ...market.Series) performance.Market {
	m := performance.Market{Series: map[market.Symbol]market.Series{}}
	for _, s := range series {
		m.Series[s.Symbol] = s
	}
	return m
}

func withRates(m performance.Market, r ...market.RateSeries) performance.Market {
	m.Rates = append(m.Rates, r...)
	return m
}

// history returns a history in dollars, or fails the test.
func history(t testing.TB, l portfolio.Ledger, m performance.Market, to string) *performance.History {
	t.Helper()
	return historyOf(t, l, m, performance.Request{Base: "USD", To: date(to)})
}

func historyOf(t testing.TB, l portfolio.Ledger, m performance.Market, q performance.Request) *performance.History {
	t.Helper()
	h, err := performance.NewHistory(l, m, q)
	if err != nil {
		t.Fatalf("New = %v", err)
	}
	return h
}

// mustMeasure returns the report of the whole history.
func mustMeasure(t testing.TB, h *performance.History) performance.Report {
	t.Helper()
	r, err := h.Measure(h.First(), h.Last())
	if err != nil {
		t.Fatalf("Over(%s, %s) = %v", h.First(), h.Last(), err)
	}
	return r
}

// wantReturn compares to within a billionth.
func wantReturn(t testing.TB, name string, got performance.Return, want float64) {
	t.Helper()
	if got.Value == nil || math.Abs(*got.Value-want) > 1e-9*max(1, math.Abs(want)) {
		t.Errorf("%s = %s; want %v", name, formatReturn(got), want)
	}
}

func wantAbsent(t testing.TB, name string, got performance.Return) {
	t.Helper()
	if got.Value != nil || got.Annual != nil || got.Reason == "" {
		t.Errorf("%s = %s; want it absent, with the reason", name, formatReturn(got))
	}
}

func formatReturn(m performance.Return) string {
	if m.Value == nil {
		return "absent: " + m.Reason
	}
	return fmt.Sprint(*m.Value)
}

func wantSum(t testing.TB, name string, got decimal.Decimal, want string) {
	t.Helper()
	if !got.Equal(dec(want)) {
		t.Errorf("%s = %s, want %s", name, got, want)
	}
}

// wantIdentity checks that the gain equals the sum of its parts exactly.
func wantIdentity(t testing.TB, r performance.Report) {
	t.Helper()
	a := r.Attribution
	if a.Reason != "" {
		t.Fatalf("attribution is absent: %s", a.Reason)
	}
	gain := r.End.Value.Decimal.Sub(r.Start.Value.Decimal).Sub(r.NetFlow.Decimal)
	parts := a.Total.Price.Add(a.Total.Income).Add(a.Total.Currency).Add(a.Total.Fees).Add(a.Total.Taxes)
	if !gain.Equal(parts) || !gain.Equal(a.Total.Gain) {
		t.Errorf("end %s - start %s - flows %s = %s; parts add up to %s, gains of the lines to %s",
			r.End.Value.Decimal, r.Start.Value.Decimal, r.NetFlow.Decimal, gain, parts, a.Total.Gain)
	}
	if r.ModifiedDietz.Value == nil {
		return
	}
	sum := 0.0
	for _, l := range a.Lines {
		sum += *l.Return
	}
	if math.Abs(sum-*r.ModifiedDietz.Value) > 1e-9*max(1, math.Abs(sum)) {
		t.Errorf("contributions add up to %v, Modified Dietz is %v", sum, *r.ModifiedDietz.Value)
	}
}

// lineOf returns the contribution of a security, zero if there is none.
func lineOf(r performance.Report, symbol market.Symbol) performance.Contribution {
	for _, l := range r.Attribution.Lines {
		if l.Symbol == symbol && l.Cash == "" {
			return l
		}
	}
	return performance.Contribution{}
}
