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

func TestSizing_RefusesWhatMakesNoPosition(t *testing.T) {
	sound := account("10000", "10")
	for name, size := range map[string]func() (sizing.Position, error){
		"no capital":        func() (sizing.Position, error) { return sizing.ByRisk(account("0", "10"), dec("0.01"), dec("9")) },
		"no price":          func() (sizing.Position, error) { return sizing.ByRisk(account("1", "0"), dec("0.01"), dec("9")) },
		"risk in per cent":  func() (sizing.Position, error) { return sizing.ByRisk(sound, dec("2"), dec("9")) },
		"stop at the price": func() (sizing.Position, error) { return sizing.ByRisk(sound, dec("0.01"), dec("10")) },
		"no volatility":     func() (sizing.Position, error) { return sizing.ByVolatility(sound, dec("0.1"), dec("0")) },
		"sure to win more": func() (sizing.Position, error) {
			return sizing.ByKelly(sound, sizing.Bet{Win: dec("1.2"), Payoff: dec("1")})
		},
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
