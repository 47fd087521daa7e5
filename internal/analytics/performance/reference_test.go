package performance_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// dailyReference measures a portfolio in dollars in the simplest way: it adds up everything at the end of
// each day, in floating point. Lots are first in, first out.
type dailyReference struct {
	rate, price map[string][]float64 // dollars per unit of a currency; price in the security's currency
	currency    map[string]string
	cash, held  map[string]float64
	lots        map[string][][2]float64 // quantity, and cost in dollars per share

	values, flows                 []float64
	income, fees, taxes, realized float64
}

func (r *dailyReference) apply(t portfolio.Transaction, day int) {
	f := func(d decimal.Decimal) float64 { return d.InexactFloat64() }
	symbol, rate, costs := string(t.Symbol), r.rate[t.Currency][day], f(t.Fee)+f(t.Tax)
	r.fees, r.taxes = r.fees-f(t.Fee)*rate, r.taxes-f(t.Tax)*rate
	switch t.Kind {
	case portfolio.KindDeposit, portfolio.KindWithdrawal:
		amount := f(t.Amount)
		if t.Kind == portfolio.KindWithdrawal {
			amount = -amount
		}
		r.cash[t.Currency] += amount
		r.flows[day] += amount * rate
	case portfolio.KindBuy:
		r.cash[t.Currency] -= f(t.Amount) + costs
		r.held[symbol] += f(t.Quantity)
		r.lots[symbol] = append(r.lots[symbol], [2]float64{f(t.Quantity), (f(t.Amount) + costs) * rate / f(t.Quantity)})
	case portfolio.KindSell:
		r.cash[t.Currency] += f(t.Amount) - costs
		r.held[symbol] -= f(t.Quantity)
		r.realized += (f(t.Amount) - f(t.Fee)) * rate // the tax withheld is not a cost of the sale
		for left := f(t.Quantity); left > 1e-9; {
			first := &r.lots[symbol][0]
			n := math.Min(left, first[0])
			r.realized -= n * first[1]
			left, first[0] = left-n, first[0]-n
			if first[0] < 1e-9 {
				r.lots[symbol] = r.lots[symbol][1:]
			}
		}
	case portfolio.KindDividend, portfolio.KindInterest:
		r.cash[t.Currency] += f(t.Amount) - costs
		r.income += f(t.Amount) * rate
	}
}

func (r *dailyReference) value(day int) float64 {
	sum := 0.0
	for currency, amount := range r.cash {
		sum += amount * r.rate[currency][day]
	}
	for symbol, n := range r.held {
		sum += n * r.price[symbol][day] * r.rate[r.currency[symbol]][day]
	}
	return sum
}

// C31: returns, gains, income, fees and taxes of random portfolios with tax withheld on sales, in two
// currencies, agree with an independent implementation.
func TestHistory_AgreesWithADailySum(t *testing.T) {
	const days = 120
	figures := 0
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 25))
		ref := &dailyReference{
			rate: map[string][]float64{"USD": {}, "EUR": {}}, price: map[string][]float64{}, currency: map[string]string{"A": "USD", "B": "EUR"},
			cash: map[string]float64{}, held: map[string]float64{}, lots: map[string][][2]float64{}, values: make([]float64, days), flows: make([]float64, days),
		}
		walk := func(start float64, places int32) ([]float64, []string) {
			var values []float64
			var texts []string
			for range days {
				start *= math.Exp(0.02 * random.NormFloat64())
				d := decimal.NewFromFloat(start).Round(places)
				values, texts = append(values, d.InexactFloat64()), append(texts, d.String())
			}
			return values, texts
		}
		var texts [3][]string
		ref.price["A"], texts[0] = walk(80, 2)
		ref.price["B"], texts[1] = walk(40, 2)
		ref.rate["EUR"], texts[2] = walk(1.1, 4)
		for range days {
			ref.rate["USD"] = append(ref.rate["USD"], 1)
		}
		data := withRates(marketOf(prices("A", "2024-01-01", texts[0]...), priced("EUR", prices("B", "2024-01-01", texts[1]...))), rates("EUR", "USD", prices("", "2024-01-01", texts[2]...)))
		cents := func(most int64) decimal.Decimal { return decimal.New(1+random.Int64N(most*100), -2) }
		var ts []portfolio.Transaction
		for day := range days {
			pick := random.IntN(8)
			if day == 0 {
				pick = 0
			}
			symbol := []string{"A", "B"}[random.IntN(2)]
			x := portfolio.Transaction{Date: date("2024-01-01").AddDate(0, 0, day), Account: "main", Currency: ref.currency[symbol], Amount: cents(2000)}
			switch held := int64(ref.held[symbol]); {
			case pick == 0:
				x.Kind, x.Amount = portfolio.KindDeposit, cents(9000).Add(decimal.NewFromInt(5000))
			case pick == 1:
				x.Kind, x.Amount = portfolio.KindWithdrawal, cents(50)
			case pick == 2:
				x.Kind, x.Tax = portfolio.KindInterest, cents(1)
			case pick == 3:
				x.Kind, x.Symbol, x.Amount, x.Tax = portfolio.KindDividend, market.Symbol(symbol), cents(30), cents(3)
			case pick < 6:
				x.Kind, x.Symbol, x.Quantity, x.Fee, x.Tax = portfolio.KindBuy, market.Symbol(symbol), decimal.NewFromInt(1+random.Int64N(30)), cents(9), cents(4)
			case pick == 6 && held > 0:
				x.Kind, x.Symbol, x.Quantity, x.Fee, x.Tax = portfolio.KindSell, market.Symbol(symbol), decimal.NewFromInt(1+random.Int64N(held)), cents(9), cents(150)
			}
			if x.Kind != "" {
				ts = append(ts, x)
				ref.apply(x, day)
			}
			ref.values[day] = ref.value(day)
		}
		l := ledger(ts...)
		l.Accounts[0].Cash = portfolio.CashMargin
		h := historyOf(t, l, data, performance.Request{Base: "USD", To: date("2024-01-01").AddDate(0, 0, days-1)})
		got := mustMeasure(t, h)
		gains, err := h.Gains(h.First())
		if err != nil {
			t.Fatal(err)
		}
		growth, netFlow, before := 1.0, 0.0, 0.0
		for day := range days {
			in, out := math.Max(ref.flows[day], 0), math.Max(-ref.flows[day], 0) // a withdrawal is invested until the end of its day
			growth, netFlow, before = growth*(ref.values[day]+out)/(before+in), netFlow+ref.flows[day], ref.values[day]
		}
		end := ref.values[days-1]
		unrealized := end
		for currency, amount := range ref.cash {
			unrealized -= amount * ref.rate[currency][days-1]
		}
		for _, all := range ref.lots {
			for _, lot := range all {
				unrealized -= lot[0] * lot[1]
			}
		}
		total := got.Attribution.Total
		for _, figure := range []struct {
			name      string
			got, want float64
		}{
			{"time-weighted return", *got.TimeWeighted.Value, growth - 1},
			{"end", got.End.Value.Decimal.InexactFloat64(), end},
			{"net flow", got.NetFlow.Decimal.InexactFloat64(), netFlow},
			{"income", total.Income.InexactFloat64(), ref.income},
			{"fees", total.Fees.InexactFloat64(), ref.fees},
			{"taxes", total.Taxes.InexactFloat64(), ref.taxes},
			{"gain", total.Price.Add(total.Income).Add(total.Currency).Add(total.Fees).Add(total.Taxes).InexactFloat64(), end - netFlow},
			{"realized", gains.Realized.Sum.InexactFloat64(), ref.realized},
			{"unrealized", gains.Unrealized.Sum.InexactFloat64(), unrealized},
		} {
			if figures++; math.Abs(figure.got-figure.want) > 1e-6*math.Max(1, math.Abs(figure.want)) {
				t.Errorf("portfolio %d: %s is %v, want %v", seed, figure.name, figure.got, figure.want)
			}
		}
	}
	if figures < 180 {
		t.Errorf("compared %d figures, want at least 180", figures)
	}
}
