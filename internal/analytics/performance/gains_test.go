package performance_test

import (
	"sync"
	"testing"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// 100 shares for 5,000 euros at 1.10 (5,500 dollars); 40 sold for 2,400 at 1.20
// (2,880), at a cost of 2,200; 60 left at 70 euros and 1.25: 5,250 - 3,300.
func TestGains_AreAtTheRatesOfTheirOwnDays(t *testing.T) {
	data := withRates(
		marketOf(priced("EUR", closesFrom("EUFUND", "2024-03-31", "2024-01-01", "50", "2024-02-15", "60", "2024-03-31", "70"))),
		rates("EUR", "USD", closesFrom("", "2024-03-31", "2024-01-01", "1.10", "2024-02-15", "1.20", "2024-03-31", "1.25")))
	h := history(t, ledger(
		inCurrency("EUR", deposit("2024-01-01", "5000")), inCurrency("EUR", buy("2024-01-01", "EUFUND", "100", "5000")),
		inCurrency("EUR", sell("2024-02-20", "EUFUND", "40", "2400")),
	), data, "2024-03-31")
	g, err := h.Gains(h.First())
	if err != nil {
		t.Fatal(err)
	}
	wantSum(t, "realised", g.Realized.Sum, "680")
	wantSum(t, "unrealised", g.Unrealized.Sum, "1950")
	later, err := h.Gains(date("2024-02-20"))
	if err != nil || later.Realized.Lots != 0 {
		t.Errorf("gains after the sale = %+v, %v; want none realised", later.Realized, err)
	}
}

func TestGains_OfUnknownCostAreCountedAndNotAdded(t *testing.T) {
	data := marketOf(closesFrom("FUND", "2024-03-31", "2024-01-01", "50"))
	h := history(t, ledger(
		transaction("2024-01-05", portfolio.KindTransferIn, func(t *portfolio.Transaction) {
			t.Symbol, t.Quantity, t.CostUnknown, t.Currency = "FUND", dec("10"), true, ""
		}),
		deposit("2024-01-06", "400"), buy("2024-01-06", "FUND", "10", "400"),
	), data, "2024-03-31")
	g, err := h.Gains(h.First())
	if err != nil {
		t.Fatal(err)
	}
	wantSum(t, "unrealised", g.Unrealized.Sum, "100")
	if g.Unrealized.Unknown != 1 || g.Unrealized.Lots != 2 {
		t.Errorf("unrealised = %+v, want one of two lots of unknown cost", g.Unrealized)
	}
}

// Sold short for 1,000 at 10, half of it bought back for 400, the rest at 7 now.
func TestGains_OfAShortPosition(t *testing.T) {
	data := marketOf(closesFrom("FUND", "2024-03-31", "2024-01-01", "10", "2024-02-01", "8", "2024-03-01", "7"))
	sale := sell("2024-01-05", "FUND", "100", "1000")
	sale.Short = true
	r := history(t, ledger(deposit("2024-01-01", "1000"), sale, buy("2024-02-05", "FUND", "50", "400")), data, "2024-03-31")
	g, err := r.Gains(r.First())
	if err != nil {
		t.Fatal(err)
	}
	wantSum(t, "realised", g.Realized.Sum, "100")
	wantSum(t, "unrealised", g.Unrealized.Sum, "150")
	report := mustMeasure(t, r)
	wantSum(t, "gain", report.Attribution.Total.Gain, "250")
	wantIdentity(t, report)
}

// Over a whole history in one currency, realized gains, unrealized gains and the other payments add up to
// the gain.
func TestGains_AddUpToTheGainOfThePortfolio(t *testing.T) {
	data := marketOf(closesFrom("FUND", "2024-03-31", "2024-01-01", "10", "2024-02-01", "12", "2024-03-01", "9"))
	h := history(t, ledger(
		deposit("2024-01-01", "2000"), buy("2024-01-02", "FUND", "70", "700"), buy("2024-02-02", "FUND", "30", "361"),
		sell("2024-02-10", "FUND", "45", "540"), sell("2024-03-05", "FUND", "20", "179"),
	), data, "2024-03-31")
	g, err := h.Gains(h.First())
	if err != nil {
		t.Fatal(err)
	}
	want := mustMeasure(t, h).Attribution.Total.Gain
	if got := g.Realized.Sum.Add(g.Unrealized.Sum); !got.Equal(want) {
		t.Errorf("realised %s + unrealised %s = %s, want the gain of %s", g.Realized.Sum, g.Unrealized.Sum, got, want)
	}
}

// Sold short for 1,000 euros at 1.10, bought back for 800 at 1.20: 1,100 - 960.
func TestGains_OfAForeignShortAreAtTheRatesOfBothDays(t *testing.T) {
	data := withRates(
		marketOf(priced("EUR", closesFrom("FUND", "2024-03-31", "2024-01-01", "10", "2024-02-01", "8"))),
		rates("EUR", "USD", closesFrom("", "2024-03-31", "2024-01-01", "1.10", "2024-02-01", "1.20")))
	sale := inCurrency("EUR", sell("2024-01-05", "FUND", "100", "1000"))
	sale.Short = true
	h := history(t, ledger(deposit("2024-01-01", "1000"), sale, inCurrency("EUR", buy("2024-02-05", "FUND", "100", "800"))), data, "2024-03-31")
	g, err := h.Gains(h.First())
	if err != nil {
		t.Fatal(err)
	}
	wantSum(t, "realised", g.Realized.Sum, "140")
}

func TestHistory_IsReadBySeveralAtATime(t *testing.T) {
	data := marketOf(closesFrom("FUND", "2024-03-31", "2024-01-01", "10", "2024-02-01", "12"))
	h := history(t, ledger(deposit("2024-01-01", "2000"), buy("2024-01-02", "FUND", "70", "700"), buy("2024-01-01", "OTHER", "1", "10")), data, "2024-03-31")
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			h.Windows()
			if g, err := h.Gains(h.First()); err != nil || !g.Unrealized.Sum.Equal(dec("140")) || g.Unrealized.Unknown != 1 {
				t.Errorf("Gains = %+v, %v; want 140 and one unknown", g.Unrealized, err)
			}
		})
	}
	group.Wait()
}
