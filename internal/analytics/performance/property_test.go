package performance_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
)

const randomDays = 200

// randomMarket has prices in three currencies with holes, and rates to the dollar.
func randomMarket(r *rand.Rand) performance.Market {
	walk := func(symbol market.Symbol, start float64, places int32, holes float64) market.Series {
		s := prices(symbol, "2024-01-01")
		for i, last := 0, 0; i < randomDays; i++ {
			start *= math.Exp(0.03 * r.NormFloat64())
			if i > 0 && i-last < 7 && r.Float64() < holes {
				continue
			}
			last = i
			s.Bars = append(s.Bars, market.Bar{Date: date("2024-01-01").AddDate(0, 0, i), Close: decimal.NewFromFloat(start).Round(places)})
		}
		return s
	}
	m := withRates(performance.Market{}, rates("EUR", "USD", walk("", 1.1, 4, 0.3)), rates("USD", "JPY", walk("", 150, 2, 0.3)))
	m.Series = map[market.Symbol]market.Series{}
	for i, currency := range []string{"USD", "EUR", "JPY", "EUR"} {
		symbol := market.Symbol(fmt.Sprintf("S%d", i))
		m.Series[symbol] = priced(currency, walk(symbol, 40*float64(i+1), int32(2*i), 0.3))
	}
	return m
}

// randomLedger returns trades, income, costs, exchanges and transfers between two accounts that may owe
// cash.
func randomLedger(r *rand.Rand) portfolio.Ledger {
	currencies, accounts := []string{"USD", "EUR", "JPY", "EUR"}, []string{"main", "other"}
	have := map[string]int64{}
	amount := func() decimal.Decimal { return decimal.New(r.Int64N(100000)+1, -2) }
	ts := []portfolio.Transaction{deposit("2024-01-01", "5000")}
	for i := 0; i < randomDays; i += r.IntN(6) {
		n := r.IntN(4)
		t := portfolio.Transaction{Date: date("2024-01-01").AddDate(0, 0, i), Account: accounts[r.IntN(2)], Currency: currencies[n], Amount: amount()}
		symbol := market.Symbol(fmt.Sprintf("S%d", n))
		place := t.Account + string(symbol)
		switch t.Kind = portfolio.Kinds()[r.IntN(len(portfolio.Kinds()))]; t.Kind {
		case portfolio.KindBuy:
			t.Symbol, t.Quantity, t.Fee, t.Tax = symbol, decimal.NewFromInt(10), decimal.New(r.Int64N(900), -2), decimal.New(r.Int64N(100), -2)
			have[place] += 10
		case portfolio.KindSell:
			if have[place] < 3 {
				continue
			}
			t.Symbol, t.Quantity, t.Fee = symbol, decimal.NewFromInt(3), decimal.New(r.Int64N(90), -2)
			have[place] -= 3
		case portfolio.KindDividend:
			t.Symbol, t.Tax = symbol, decimal.New(1, -2)
		case portfolio.KindFeeRefund, portfolio.KindTaxRefund:
			if r.IntN(2) == 0 {
				t.Symbol = symbol
			}
		case portfolio.KindInterest, portfolio.KindFee, portfolio.KindTax, portfolio.KindDeposit, portfolio.KindWithdrawal:
		case portfolio.KindExchange:
			t.Currency, t.ToCurrency, t.ToAmount = "USD", "EUR", amount()
		case portfolio.KindTransferIn:
			t.Symbol, t.Quantity = symbol, decimal.NewFromInt(5)
			have[place] += 5
		case portfolio.KindTransferOut:
			if have[place] < 2 {
				continue
			}
			t.Symbol, t.Quantity, t.Amount, t.Currency = symbol, decimal.NewFromInt(2), decimal.Zero, ""
			have[place] -= 2
			if r.IntN(2) == 0 {
				t.ToAccount = accounts[0]
				if t.Account == t.ToAccount {
					t.ToAccount = accounts[1]
				}
				have[t.ToAccount+string(symbol)] += 2
			}
		default:
			continue
		}
		ts = append(ts, t)
	}
	l := ledger(ts...)
	for i := range l.Accounts {
		l.Accounts[i].Cash = portfolio.CashMargin
	}
	return l
}

var randomTo = date("2024-01-01").AddDate(0, 0, randomDays-1)

// The gain equals the sum of its parts to the last digit, in any window and for any set of accounts.
func TestAttribution_AddsUpExactly(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 7))
		data, l := randomMarket(r), randomLedger(r)
		for _, accounts := range [][]string{nil, {"main"}} {
			h := historyOf(t, l, data, performance.Request{Base: "USD", To: randomTo, Accounts: accounts})
			if gaps := h.Gaps(); len(gaps) > 0 && gaps[0].To.After(date("2024-01-08")) {
				t.Fatalf("seed %d: gaps %v; the market should have none", seed, gaps)
			}
			wantIdentity(t, mustMeasure(t, h))
			from := 20 + r.IntN(100)
			part, err := h.Measure(date("2024-01-01").AddDate(0, 0, from), date("2024-01-01").AddDate(0, 0, from+1+r.IntN(50)))
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			wantIdentity(t, part)
		}
	}
}

// Each day's value equals the sum of the positions and balances of the ledger.
func TestHistory_ValuesAreThoseOfTheHoldings(t *testing.T) {
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 11))
		data, l := randomMarket(r), randomLedger(r)
		h := history(t, l, data, randomTo.Format("2006-01-02"))
		engine, err := lots.New(l)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range h.Days(date("2024-01-10"), randomTo) {
			if err := engine.Advance(d.Date); err != nil {
				t.Fatal(err)
			}
			if want := plainValue(t, engine, data, d.Date); !d.Value.Valid || !d.Value.Decimal.Equal(want) {
				t.Errorf("seed %d: value on %s = %v, want %s", seed, d.Date.Format("2006-01-02"), d.Value, want)
			}
		}
	}
}

// plainValue multiplies and adds up each position and balance; the history keeps a running sum.
func plainValue(t *testing.T, engine *lots.Engine, data performance.Market, d market.Date) decimal.Decimal {
	t.Helper()
	rate := func(currency string) decimal.Decimal { return plainRate(t, data, currency, d) }
	sum := decimal.Zero
	for p := range engine.OpenPositions() {
		bars := data.Series[p.Symbol].Within(market.Range{To: d}).Bars
		sum = sum.Add(p.Quantity.Mul(bars[len(bars)-1].Close).Mul(rate(data.Series[p.Symbol].Provenance.Currency)))
	}
	for _, b := range engine.Balances() {
		sum = sum.Add(b.Amount.Mul(rate(b.Currency)))
	}
	return sum
}

func plainRate(t *testing.T, data performance.Market, currency string, d market.Date) decimal.Decimal {
	t.Helper()
	if currency == "USD" {
		return decimal.NewFromInt(1)
	}
	series := data.Rates[0]
	if currency == "JPY" {
		series = data.Rates[1]
	}
	got, err := series.On(d)
	if err != nil {
		t.Fatal(err)
	}
	if currency == "JPY" {
		return decimal.NewFromInt(1).DivRound(got.Value, performance.InversePlaces)
	}
	return got.Value
}

// sameReturns compares two reports that must have the same returns.
func sameReturns(t *testing.T, what string, a, b performance.Report) {
	t.Helper()
	for name, pair := range map[string][2]performance.Return{
		"time-weighted": {a.TimeWeighted, b.TimeWeighted}, "money-weighted": {a.MoneyWeighted, b.MoneyWeighted},
		"Modified Dietz": {a.ModifiedDietz, b.ModifiedDietz}, "linked": {a.LinkedDietz, b.LinkedDietz},
	} {
		x, y := pair[0], pair[1]
		if x.Value == nil && y.Value == nil {
			continue
		}
		if x.Value == nil || y.Value == nil || math.Abs(*x.Value-*y.Value) > 1e-8*max(1, math.Abs(*x.Value)) {
			t.Errorf("%s: %s = %s, was %s", what, name, formatReturn(y), formatReturn(x))
		}
	}
}

func TestReport_IsTheSameForEquivalentTransactions(t *testing.T) {
	known := 0
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 13))
		data, l := randomMarket(r), randomLedger(r)
		measure := func(l portfolio.Ledger) performance.Report {
			return mustMeasure(t, history(t, l, data, randomTo.Format("2006-01-02")))
		}
		want := measure(l)
		if want.TimeWeighted.Value != nil {
			known++
		}
		sameReturns(t, "ten times as much", want, measure(each(l, func(ts []portfolio.Transaction, x portfolio.Transaction) []portfolio.Transaction {
			for _, d := range []*decimal.Decimal{&x.Quantity, &x.Amount, &x.Fee, &x.Tax, &x.ToAmount} {
				*d = d.Shift(1)
			}
			return append(ts, x)
		})))
		halved := measure(each(l, func(ts []portfolio.Transaction, x portfolio.Transaction) []portfolio.Transaction {
			if x.Kind != portfolio.KindBuy {
				return append(ts, x)
			}
			y := x
			for _, d := range [][2]*decimal.Decimal{{&x.Quantity, &y.Quantity}, {&x.Amount, &y.Amount}, {&x.Fee, &y.Fee}, {&x.Tax, &y.Tax}} {
				*d[1] = d[0].Div(decimal.NewFromInt(2))
				*d[0] = d[0].Sub(*d[1])
			}
			y.ID += "b"
			return append(ts, x, y)
		}))
		sameReturns(t, "each purchase in two", want, halved)
		if !halved.Attribution.Total.Gain.Equal(want.Attribution.Total.Gain) || !halved.Attribution.Total.Currency.Equal(want.Attribution.Total.Currency) {
			t.Errorf("each purchase in two: gain %s, was %s", halved.Attribution.Total.Gain, want.Attribution.Total.Gain)
		}
	}
	if known < 5 {
		t.Errorf("only %d ledgers have a return by time: the test sees too little", known)
	}
}

func each(l portfolio.Ledger, change func([]portfolio.Transaction, portfolio.Transaction) []portfolio.Transaction) portfolio.Ledger {
	var ts []portfolio.Transaction
	for _, x := range l.Transactions {
		ts = change(ts, x)
	}
	l.Transactions = ts
	return l
}

// The same ledger in euros and back, at rates that are exact both ways: each base computes the gain at its
// own rates, and the ratio of the end values is the rate.
func TestReport_InAnotherBaseIsTheSamePortfolio(t *testing.T) {
	data := withRates(
		marketOf(closesFrom("FUND", "2024-03-01", "2024-01-01", "10", "2024-02-01", "12")),
		rates("USD", "EUR", closesFrom("", "2024-03-01", "2024-01-01", "0.8")))
	l := ledger(deposit("2024-01-01", "1000"), buy("2024-01-02", "FUND", "70", "700"), withdraw("2024-02-10", "100"))
	dollars := mustMeasure(t, history(t, l, data, "2024-03-01"))
	euros := mustMeasure(t, historyOf(t, l, data, performance.Request{Base: "EUR", To: date("2024-03-01")}))
	sameReturns(t, "in euros", dollars, euros)
	if want := dollars.End.Value.Decimal.Mul(dec("0.8")); !euros.End.Value.Decimal.Equal(want) {
		t.Errorf("end = %s euros, want %s", euros.End.Value.Decimal, want)
	}
	wantSum(t, "currency", euros.Attribution.Total.Currency, "0")
	back := withRates(performance.Market{Series: data.Series}, rates("EUR", "USD", closesFrom("", "2024-03-01", "2024-01-01", "1.25")))
	again := mustMeasure(t, historyOf(t, l, back, performance.Request{Base: "EUR", To: date("2024-03-01")}))
	if !again.End.Value.Decimal.Equal(euros.End.Value.Decimal) || !again.Attribution.Total.Gain.Equal(euros.Attribution.Total.Gain) {
		t.Errorf("by the rate turned round: end %s, gain %s; want %s, %s", again.End.Value.Decimal, again.Attribution.Total.Gain, euros.End.Value.Decimal, euros.Attribution.Total.Gain)
	}
}

// For any close, rate, quantity and amount, the parts add up to the gain.
func FuzzAttribution_AddsUpExactly(f *testing.F) {
	f.Add("10", "11.5", "1.1", "1.25", "100", "1000", uint8(3))
	f.Add("0.00000001", "99999999.99", "0.000001", "150", "0.000000000000000001", "1", uint8(0))
	f.Add("1e3", "123456789.123456789", "1", "2", "1e9", "0.01", uint8(9))
	f.Fuzz(func(t *testing.T, p0, p1, r0, r1, quantity, amount string, day uint8) {
		var d [6]decimal.Decimal
		for i, s := range []string{p0, p1, r0, r1, quantity, amount} {
			v, err := decimal.NewFromString(s)
			if err != nil || len(s) > 30 || v.Exponent() > 12 || v.Exponent() < -24 || !v.IsPositive() {
				t.Skip()
			}
			d[i] = v
		}
		from := date("2024-01-01")
		series := priced("EUR", closesFrom("S", "2024-01-20", "2024-01-01", p0, "2024-01-10", p1))
		data := withRates(marketOf(series), rates("EUR", "USD", closesFrom("", "2024-01-20", "2024-01-01", r0, "2024-01-08", r1)))
		purchase := inCurrency("EUR", buy("2024-01-01", "S", quantity, amount))
		purchase.Date = from.AddDate(0, 0, int(day%20))
		l := untracked(ledger(purchase))
		h, err := performance.NewHistory(l, data, performance.Request{Base: "USD", To: date("2024-01-20")})
		if err != nil {
			t.Skip() // NewHistory refuses the ledger
		}
		if r := mustMeasure(t, h); r.End.Value.Valid {
			wantIdentity(t, r)
		}
	})
}
