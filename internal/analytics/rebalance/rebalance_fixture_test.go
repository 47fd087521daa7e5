package rebalance_test

import (
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
)

func dec(s string) decimal.Decimal { return decimal.RequireFromString(s) }

func known(s string) decimal.NullDecimal { return decimal.NewNullDecimal(dec(s)) }

func day(text string) market.Date {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

func us(t testing.TB) tax.Jurisdiction {
	t.Helper()
	j, err := tax.FindJurisdiction("us")
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// weights parses "A 0.6 B 0.4".
func weights(text string) []portfolio.Target {
	f := strings.Fields(text)
	out := make([]portfolio.Target, 0, len(f)/2)
	for i := 0; i+1 < len(f); i += 2 {
		out = append(out, portfolio.Target{Symbol: market.Symbol(f[i]), Weight: dec(f[i+1])})
	}
	return out
}

// prices parses "A 100 B 50".
func prices(text string) map[market.Symbol]decimal.Decimal {
	f := strings.Fields(text)
	out := map[market.Symbol]decimal.Decimal{}
	for i := 0; i+1 < len(f); i += 2 {
		out[market.Symbol(f[i])] = dec(f[i+1])
	}
	return out
}

// account returns an account with cash and positions such as "A 75 B 50", without lots.
func account(name, cash, held string) rebalance.Account {
	a := rebalance.Account{Name: name, Cash: dec(cash)}
	f := strings.Fields(held)
	for i := 0; i+1 < len(f); i += 2 {
		a.Positions = append(a.Positions, rebalance.Position{Symbol: market.Symbol(f[i]), Quantity: dec(f[i+1])})
	}
	return a
}

func lot(id, acquired, quantity, cost string) rebalance.Lot {
	l := rebalance.Lot{ID: id, Quantity: dec(quantity)}
	if acquired != "" {
		l.Acquired = day(acquired)
	}
	if cost != "" {
		l.Cost = known(cost)
	}
	return l
}

func plan(t testing.TB, r rebalance.Request) rebalance.Plan {
	t.Helper()
	p, err := r.Plan()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// tradeLines formats trades as "sell main A 15".
func tradeLines(p rebalance.Plan) []string {
	var out []string
	for _, t := range p.Trades {
		out = append(out, strings.Join([]string{string(t.Side), t.Account, string(t.Symbol), t.Quantity.String()}, " "))
	}
	return out
}

// requestAfter returns the request for the portfolio after a plan.
func requestAfter(r rebalance.Request, p rebalance.Plan) rebalance.Request {
	accounts := make([]rebalance.Account, len(r.Accounts))
	for i, a := range r.Accounts {
		a.Flow, a.Positions = decimal.Zero, append([]rebalance.Position(nil), a.Positions...)
		for _, c := range p.Cash {
			if c.Account == a.Name {
				a.Cash = c.After
			}
		}
		for _, t := range p.Trades {
			if t.Account == a.Name {
				a.Positions = applyTrade(a.Positions, t)
			}
		}
		accounts[i] = a
	}
	r.Accounts = accounts
	later := map[market.Symbol]market.Date{}
	for _, l := range p.Skipped {
		later[l.Symbol] = l.From // what the plan sold at a loss
	}
	r.BuyFrom = later
	return r
}

func applyTrade(positions []rebalance.Position, t rebalance.Trade) []rebalance.Position {
	quantity := t.Quantity
	if t.Side == rebalance.Sell {
		quantity = quantity.Neg()
	}
	for i := range positions {
		if positions[i].Symbol == t.Symbol {
			positions[i].Quantity, positions[i].Lots = positions[i].Quantity.Add(quantity), nil
			return positions
		}
	}
	return append(positions, rebalance.Position{Symbol: t.Symbol, Quantity: quantity})
}
