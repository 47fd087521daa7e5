package performance_test

import (
	"math/rand/v2"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/replay"
)

// plain is a book on one day, looked at by itself.
type plain struct {
	quantity map[market.Symbol]decimal.Decimal
	cash     map[string]decimal.Decimal
	price    map[market.Symbol]decimal.Decimal
	rate     map[string]decimal.Decimal
}

func look(t *testing.T, book *replay.Book, world performance.Market, d market.Date) plain {
	t.Helper()
	if err := book.Advance(d); err != nil {
		t.Fatal(err)
	}
	p := plain{map[market.Symbol]decimal.Decimal{}, map[string]decimal.Decimal{}, map[market.Symbol]decimal.Decimal{}, map[string]decimal.Decimal{}}
	for symbol, s := range world.Series {
		bars := s.Within(market.Range{To: d}).Bars
		p.price[symbol] = bars[len(bars)-1].Close
	}
	for _, currency := range []string{"USD", "EUR", "JPY"} {
		p.rate[currency] = plainRate(t, world, currency, d)
	}
	for x := range book.Holdings() {
		p.quantity[x.Symbol] = p.quantity[x.Symbol].Add(x.Quantity)
	}
	for _, x := range book.Balances() {
		p.cash[x.Currency] = p.cash[x.Currency].Add(x.Amount)
	}
	return p
}

// The effects by their definitions, day by day and security by security, are those
// that the history comes to by another way: prices as (q1 p1 - q0 p0 + paid) * r1,
// currency as q0 p0 (r1 - r0) and cash0 (r1 - r0) and what exchanges came to.
func TestAttribution_IsThatOfItsDefinition(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 17))
		world, l := randomWorld(r), randomLedger(r)
		h := history(t, l, world, randomTo.Format("2006-01-02"))
		book, err := replay.Open(l)
		if err != nil {
			t.Fatal(err)
		}
		from := date("2024-01-15")
		price, currency, before, seen := decimal.Zero, decimal.Zero, look(t, book, world, from), len(book.Postings())
		for d := from.AddDate(0, 0, 1); !d.After(randomTo); d = d.AddDate(0, 0, 1) {
			now := look(t, book, world, d)
			for symbol, s := range world.Series {
				in := s.Provenance.Currency
				was := before.quantity[symbol].Mul(before.price[symbol])
				price = price.Add(now.quantity[symbol].Mul(now.price[symbol]).Sub(was).Mul(now.rate[in]))
				currency = currency.Add(was.Mul(now.rate[in].Sub(before.rate[in])))
			}
			for in, amount := range before.cash {
				currency = currency.Add(amount.Mul(now.rate[in].Sub(before.rate[in])))
			}
			for _, p := range book.Postings()[seen:] {
				switch {
				case p.Part == portfolio.PartTrade && p.Quantity.IsZero():
					price = price.Add(p.Amount.Mul(now.rate[p.Currency]))
				case p.Part == portfolio.PartExternal && !p.Quantity.IsZero():
					price = price.Sub(p.Quantity.Mul(now.price[p.Symbol]).Mul(now.rate[world.Series[p.Symbol].Provenance.Currency]))
				case p.Kind == portfolio.KindExchange && p.Part == portfolio.PartInternal:
					currency = currency.Add(p.Amount.Mul(now.rate[p.Currency]))
				}
			}
			before, seen = now, len(book.Postings())
		}
		report, err := h.Over(from, randomTo)
		if err != nil {
			t.Fatal(err)
		}
		if got := report.Attribution.Total; !got.Price.Equal(price) || !got.Currency.Equal(currency) {
			t.Errorf("seed %d: price %s, currency %s; by the definition %s and %s", seed, got.Price, got.Currency, price, currency)
		}
	}
}
