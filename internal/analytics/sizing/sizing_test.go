package sizing_test

import (
	"errors"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/sizing"
)

func dec(s string) decimal.Decimal { return decimal.RequireFromString(s) }

func account(capital, price string) sizing.Account {
	return sizing.Account{Capital: dec(capital), Price: dec(price)}
}

// 1 % of 50,000 at risk, entry 100, stop 95: 500 / 5 = 100 shares.
func TestByRisk_LosesNoMoreThanItMay(t *testing.T) {
	got, err := sizing.ByRisk(account("50000", "100"), dec("0.01"), dec("95"))
	if err != nil || !got.Units.Equal(dec("100")) || !got.AtRisk.Equal(dec("500")) || !got.Fraction.Equal(dec("0.2")) || got.Short {
		t.Errorf("ByRisk = %+v, %v; want 100 shares with 500 at risk", got, err)
	}
	got, err = sizing.ByRisk(account("50000", "100"), dec("0.01"), dec("103"))
	if err != nil || !got.Units.Equal(dec("166")) || !got.Short || got.AtRisk.GreaterThan(dec("500")) {
		t.Errorf("ByRisk of a short = %+v, %v; want 166 shares, rounded down", got, err)
	}
}

func TestByRisk_ATightStopDoesNotBorrow(t *testing.T) {
	got, err := sizing.ByRisk(account("10000", "100"), dec("0.02"), dec("99.9"))
	if err != nil || !got.Units.Equal(dec("100")) || got.Bound == "" {
		t.Errorf("ByRisk = %+v, %v; want the capital at most, and that said", got, err)
	}
	capped := account("10000", "100")
	capped.Largest = dec("0.25")
	if got, err = sizing.ByRisk(capped, dec("0.02"), dec("99.9")); err != nil || !got.Units.Equal(dec("25")) {
		t.Errorf("ByRisk = %+v, %v; want a quarter of the capital", got, err)
	}
}

// 10 % wanted of an asset that moves 25 % a year: 40 % of the capital.
func TestByVolatility_ScalesByTheTarget(t *testing.T) {
	a := account("30000", "33")
	a.Lot = dec("0.001")
	got, err := sizing.ByVolatility(a, dec("0.10"), dec("0.25"))
	if err != nil || !got.Units.Equal(dec("363.636")) {
		t.Errorf("ByVolatility = %+v, %v; want 363.636 units", got, err)
	}
}

// Even money at 60 %: 20 %; two to one at 40 %: 10 %; a losing bet: nothing.
func TestKelly_IsThatOfTheFormula(t *testing.T) {
	for _, tc := range []struct{ win, payoff, want string }{{"0.6", "1", "0.2"}, {"0.4", "2", "0.1"}, {"0.3", "1", "0"}, {"1", "1", "1"}} {
		if got, err := (sizing.Bet{Win: dec(tc.win), Payoff: dec(tc.payoff)}).Kelly(); err != nil || !got.Equal(dec(tc.want)) {
			t.Errorf("Kelly(%s, %s) = %s, %v; want %s", tc.win, tc.payoff, got, err, tc.want)
		}
	}
	got, err := sizing.ByKelly(account("10000", "10"), sizing.Bet{Win: dec("0.6"), Payoff: dec("1")})
	if err != nil || !got.Units.Equal(dec("100")) {
		t.Errorf("ByKelly = %+v, %v; want half of 20 %%, 100 units", got, err)
	}
	if got, err = sizing.ByKelly(account("10000", "10"), sizing.Bet{Win: dec("0.3"), Payoff: dec("1")}); err != nil || !got.Units.IsZero() || got.Bound == "" {
		t.Errorf("ByKelly of a losing bet = %+v, %v; want nothing, and why", got, err)
	}
}

// p = 1/2 at three to one is a third: half of it of 3,000 at 10 is 50 units exactly,
// which a third rounded on the way would make 49.
func TestByKelly_DoesNotLoseAUnitToRounding(t *testing.T) {
	got, err := sizing.ByKelly(account("3000", "10"), sizing.Bet{Win: dec("0.5"), Payoff: dec("3")})
	if err != nil || !got.Units.Equal(dec("50")) {
		t.Errorf("ByKelly = %+v, %v; want 50 units", got, err)
	}
}

// A payoff below one: 80 % wins of half of what is lost otherwise is 0.8 - 0.2/0.5.
func TestKelly_APayoffBelowOneNeedsMoreWins(t *testing.T) {
	if got, err := (sizing.Bet{Win: dec("0.8"), Payoff: dec("0.5")}).Kelly(); err != nil || !got.Equal(dec("0.4")) {
		t.Errorf("Kelly = %s, %v; want 0.4", got, err)
	}
	if got, err := (sizing.Bet{Win: dec("0.6"), Payoff: dec("0.5")}).Kelly(); err != nil || !got.IsZero() {
		t.Errorf("Kelly = %s, %v; want nothing: it loses on average", got, err)
	}
}

// Thirds, sevenths and the smallest lots: not a trillionth over what was allowed.
func TestSizing_NeverALotTooMany(t *testing.T) {
	for _, lot := range []string{"1", "0.001", "0.000000000001", "7"} {
		for _, price := range []string{"3", "0.07", "149.99", "33.333333"} {
			a := sizing.Account{Capital: dec("10000"), Price: dec(price), Lot: dec(lot), Largest: dec("0.3")}
			distance := a.Price.Mul(dec("0.7"))
			p, err := sizing.ByRisk(a, dec("0.013"), a.Price.Sub(distance))
			if err != nil || p.AtRisk.GreaterThan(dec("130")) || p.Value.GreaterThan(dec("3000")) || !p.Units.Mod(a.Lot).IsZero() {
				t.Errorf("ByRisk at %s by %s = %+v, %v; want at most 130 at risk in whole lots", price, lot, p, err)
			}
			if next := p.Units.Add(a.Lot); p.Bound == "" && next.Mul(distance).LessThanOrEqual(dec("130")) {
				t.Errorf("ByRisk at %s by %s = %s units, and another lot would have been allowed", price, lot, p.Units)
			}
		}
	}
}

func TestSizing_NoUnitsIsSaid(t *testing.T) {
	got, err := sizing.ByRisk(account("1000", "500"), dec("0.01"), dec("400"))
	if err != nil || !got.Units.IsZero() || got.Bound != "one lot is more than the rule allows" {
		t.Errorf("ByRisk = %+v, %v; want nothing, and why", got, err)
	}
	if got, err = sizing.ByRisk(account("1000", "5000"), dec("0.01"), dec("4999")); err != nil || !got.Units.IsZero() || got.Bound != "one lot is worth more than the largest position allowed" {
		t.Errorf("ByRisk = %+v, %v; want nothing, and why", got, err)
	}
}

func TestSizing_RefusesWhatMakesNoPosition(t *testing.T) {
	sound := account("10000", "10")
	for name, size := range map[string]func() (sizing.Position, error){
		"no capital":       func() (sizing.Position, error) { return sizing.ByRisk(account("0", "10"), dec("0.01"), dec("9")) },
		"no price":         func() (sizing.Position, error) { return sizing.ByRisk(account("1", "0"), dec("0.01"), dec("9")) },
		"risk in per cent": func() (sizing.Position, error) { return sizing.ByRisk(sound, dec("1"), dec("9")) },
		"volatility in %":  func() (sizing.Position, error) { return sizing.ByVolatility(sound, dec("0.1"), dec("25")) },
		"a sliver of a lot": func() (sizing.Position, error) {
			return sizing.ByRisk(sizing.Account{Capital: dec("1"), Price: dec("1"), Lot: dec("1e-300")}, dec("0.01"), dec("0.9"))
		},
		"stop at the price": func() (sizing.Position, error) { return sizing.ByRisk(sound, dec("0.01"), dec("10")) },
		"no volatility":     func() (sizing.Position, error) { return sizing.ByVolatility(sound, dec("0.1"), dec("0")) },
		"sure to win more": func() (sizing.Position, error) {
			return sizing.ByKelly(sound, sizing.Bet{Win: dec("1.2"), Payoff: dec("1")})
		},
		"no chance": func() (sizing.Position, error) { return sizing.ByKelly(sound, sizing.Bet{Payoff: dec("2")}) },
		"no payoff": func() (sizing.Position, error) { return sizing.ByKelly(sound, sizing.Bet{Win: dec("0.5")}) },
		"more than Kelly": func() (sizing.Position, error) {
			return sizing.ByKelly(sound, sizing.Bet{Win: dec("0.6"), Payoff: dec("1"), Part: dec("2")})
		},
	} {
		if got, err := size(); !errors.Is(err, sizing.ErrInput) {
			t.Errorf("%s: %+v, %v; want ErrInput", name, got, err)
		}
	}
}
