package performance_test

import (
	"math/rand/v2"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
)

// plainState is the state of a ledger on one day, computed independently of History.
type plainState struct {
	quantity map[market.Symbol]decimal.Decimal
	cash     map[string]decimal.Decimal
	price    map[market.Symbol]decimal.Decimal
	rate     map[string]decimal.Decimal
}

func stateOn(t *testing.T, engine *lots.Engine, data performance.Market, d market.Date) plainState {
	t.Helper()
	if err := engine.Advance(d); err != nil {
		t.Fatal(err)
	}
	p := plainState{map[market.Symbol]decimal.Decimal{}, map[string]decimal.Decimal{}, map[market.Symbol]decimal.Decimal{}, map[string]decimal.Decimal{}}
	for symbol, s := range data.Series {
		bars := s.Within(market.Range{To: d}).Bars
		p.price[symbol] = bars[len(bars)-1].Close
	}
	for _, currency := range []string{"USD", "EUR", "JPY"} {
		p.rate[currency] = plainRate(t, data, currency, d)
	}
	for x := range engine.OpenPositions() {
		p.quantity[x.Symbol] = p.quantity[x.Symbol].Add(x.Quantity)
	}
	for _, x := range engine.Balances() {
		p.cash[x.Currency] = p.cash[x.Currency].Add(x.Amount)
	}
	return p
}

// The effects by their definitions, day by day and security by security, equal those of the history, which
// computes them differently: prices as (q1 p1 - q0 p0 + paid) * r1, currency as q0 p0 (r1 - r0) and cash0
// (r1 - r0) plus the gain of exchanges.
func TestAttribution_IsThatOfItsDefinition(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 17))
		data, l := randomMarket(r), randomLedger(r)
		h := history(t, l, data, randomTo.Format("2006-01-02"))
		engine, err := lots.New(l)
		if err != nil {
			t.Fatal(err)
		}
		from := date("2024-01-15")
		price, currency, before, seen := decimal.Zero, decimal.Zero, stateOn(t, engine, data, from), len(engine.Postings())
		for d := from.AddDate(0, 0, 1); !d.After(randomTo); d = d.AddDate(0, 0, 1) {
			now := stateOn(t, engine, data, d)
			for symbol, s := range data.Series {
				in := s.Provenance.Currency
				was := before.quantity[symbol].Mul(before.price[symbol])
				price = price.Add(now.quantity[symbol].Mul(now.price[symbol]).Sub(was).Mul(now.rate[in]))
				currency = currency.Add(was.Mul(now.rate[in].Sub(before.rate[in])))
			}
			for in, amount := range before.cash {
				currency = currency.Add(amount.Mul(now.rate[in].Sub(before.rate[in])))
			}
			for _, p := range engine.Postings()[seen:] {
				switch {
				case p.Category == portfolio.CategoryTrade && p.Quantity.IsZero():
					price = price.Add(p.Amount.Mul(now.rate[p.Currency]))
				case p.Category == portfolio.CategoryExternal && !p.Quantity.IsZero():
					price = price.Sub(p.Quantity.Mul(now.price[p.Symbol]).Mul(now.rate[data.Series[p.Symbol].Provenance.Currency]))
				case p.Kind == portfolio.KindExchange && p.Category == portfolio.CategoryInternal:
					currency = currency.Add(p.Amount.Mul(now.rate[p.Currency]))
				}
			}
			before, seen = now, len(engine.Postings())
		}
		report, err := h.Measure(from, randomTo)
		if err != nil {
			t.Fatal(err)
		}
		if got := report.Attribution.Total; !got.Price.Equal(price) || !got.Currency.Equal(currency) {
			t.Errorf("seed %d: price %s, currency %s; by the definition %s and %s", seed, got.Price, got.Currency, price, currency)
		}
	}
}
