package rebalance_test

import (
	"errors"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
)

func sizingDec(s string) decimal.Decimal { return decimal.RequireFromString(s) }

func sizingAccount(capital, price string) rebalance.SizingAccount {
	return rebalance.SizingAccount{Capital: sizingDec(capital), Price: sizingDec(price)}
}

// 1% of 50,000 at risk, entry 100, stop 95: 500 / 5 = 100 shares.
func TestSizeByRisk_LosesNoMoreThanItMay(t *testing.T) {
	got, err := rebalance.SizeByRisk(sizingAccount("50000", "100"), sizingDec("0.01"), sizingDec("95"))
	if err != nil || !got.Units.Equal(sizingDec("100")) || !got.AtRisk.Equal(sizingDec("500")) || !got.Fraction.Equal(sizingDec("0.2")) || got.Short {
		t.Errorf("ByRisk = %+v, %v; want 100 shares with 500 at risk", got, err)
	}
	got, err = rebalance.SizeByRisk(sizingAccount("50000", "100"), sizingDec("0.01"), sizingDec("103"))
	if err != nil || !got.Units.Equal(sizingDec("166")) || !got.Short || got.AtRisk.GreaterThan(sizingDec("500")) {
		t.Errorf("ByRisk of a short = %+v, %v; want 166 shares, rounded down", got, err)
	}
}

func TestSizeByRisk_ATightStopDoesNotBorrow(t *testing.T) {
	got, err := rebalance.SizeByRisk(sizingAccount("10000", "100"), sizingDec("0.02"), sizingDec("99.9"))
	if err != nil || !got.Units.Equal(sizingDec("100")) || got.Bound == "" {
		t.Errorf("ByRisk = %+v, %v; want the capital at most, and that said", got, err)
	}
	capped := sizingAccount("10000", "100")
	capped.Largest = sizingDec("0.25")
	if got, err = rebalance.SizeByRisk(capped, sizingDec("0.02"), sizingDec("99.9")); err != nil || !got.Units.Equal(sizingDec("25")) {
		t.Errorf("ByRisk = %+v, %v; want a quarter of the capital", got, err)
	}
}

// 10% volatility wanted, of an asset with 25% a year: 40% of the capital.
func TestSizeByVolatility_ScalesByTheTarget(t *testing.T) {
	a := sizingAccount("30000", "33")
	a.Lot = sizingDec("0.001")
	got, err := rebalance.SizeByVolatility(a, sizingDec("0.10"), sizingDec("0.25"))
	if err != nil || !got.Units.Equal(sizingDec("363.636")) {
		t.Errorf("ByVolatility = %+v, %v; want 363.636 units", got, err)
	}
}

// Even money at 60%: 20%; two to one at 40%: 10%; a losing bet: nothing.
func TestKelly_IsThatOfTheFormula(t *testing.T) {
	for _, tc := range []struct{ win, payoff, want string }{{"0.6", "1", "0.2"}, {"0.4", "2", "0.1"}, {"0.3", "1", "0"}, {"1", "1", "1"}} {
		if got, err := (rebalance.Bet{Win: sizingDec(tc.win), Payoff: sizingDec(tc.payoff)}).Kelly(); err != nil || !got.Equal(sizingDec(tc.want)) {
			t.Errorf("Kelly(%s, %s) = %s, %v; want %s", tc.win, tc.payoff, got, err, tc.want)
		}
	}
	got, err := rebalance.SizeByKelly(sizingAccount("10000", "10"), rebalance.Bet{Win: sizingDec("0.6"), Payoff: sizingDec("1")})
	if err != nil || !got.Units.Equal(sizingDec("100")) {
		t.Errorf("ByKelly = %+v, %v; want half of 20%%, 100 units", got, err)
	}
	if got, err = rebalance.SizeByKelly(sizingAccount("10000", "10"), rebalance.Bet{Win: sizingDec("0.3"), Payoff: sizingDec("1")}); err != nil || !got.Units.IsZero() || got.Bound == "" {
		t.Errorf("ByKelly of a losing bet = %+v, %v; want nothing, and why", got, err)
	}
}

// p = 1/2 at three to one is a third: half of it of 3,000 at 10 is exactly 50 units; with a rounded third
// it would be 49.
func TestSizeByKelly_DoesNotLoseAUnitToRounding(t *testing.T) {
	got, err := rebalance.SizeByKelly(sizingAccount("3000", "10"), rebalance.Bet{Win: sizingDec("0.5"), Payoff: sizingDec("3")})
	if err != nil || !got.Units.Equal(sizingDec("50")) {
		t.Errorf("ByKelly = %+v, %v; want 50 units", got, err)
	}
}

// A payoff below one: 80% wins of half of the possible loss is 0.8 - 0.2/0.5.
func TestKelly_APayoffBelowOneNeedsMoreWins(t *testing.T) {
	if got, err := (rebalance.Bet{Win: sizingDec("0.8"), Payoff: sizingDec("0.5")}).Kelly(); err != nil || !got.Equal(sizingDec("0.4")) {
		t.Errorf("Kelly = %s, %v; want 0.4", got, err)
	}
	if got, err := (rebalance.Bet{Win: sizingDec("0.6"), Payoff: sizingDec("0.5")}).Kelly(); err != nil || !got.IsZero() {
		t.Errorf("Kelly = %s, %v; want nothing: it loses on average", got, err)
	}
}

// Thirds, sevenths and the smallest lots: sizes never exceed the limit, not even by rounding.
func TestSizing_NeverALotTooMany(t *testing.T) {
	for _, lot := range []string{"1", "0.001", "0.000000000001", "7"} {
		for _, price := range []string{"3", "0.07", "149.99", "33.333333"} {
			a := rebalance.SizingAccount{Capital: sizingDec("10000"), Price: sizingDec(price), Lot: sizingDec(lot), Largest: sizingDec("0.3")}
			distance := a.Price.Mul(sizingDec("0.7"))
			p, err := rebalance.SizeByRisk(a, sizingDec("0.013"), a.Price.Sub(distance))
			if err != nil || p.AtRisk.GreaterThan(sizingDec("130")) || p.Value.GreaterThan(sizingDec("3000")) || !p.Units.Mod(a.Lot).IsZero() {
				t.Errorf("ByRisk at %s by %s = %+v, %v; want at most 130 at risk in whole lots", price, lot, p, err)
			}
			if next := p.Units.Add(a.Lot); p.Bound == "" && next.Mul(distance).LessThanOrEqual(sizingDec("130")) {
				t.Errorf("ByRisk at %s by %s = %s units, and another lot would have been allowed", price, lot, p.Units)
			}
		}
	}
}

func TestSizing_NoUnitsIsSaid(t *testing.T) {
	got, err := rebalance.SizeByRisk(sizingAccount("1000", "500"), sizingDec("0.01"), sizingDec("400"))
	if err != nil || !got.Units.IsZero() || got.Bound != "one lot exceeds the limit" {
		t.Errorf("ByRisk = %+v, %v; want nothing, and why", got, err)
	}
	if got, err = rebalance.SizeByRisk(sizingAccount("1000", "5000"), sizingDec("0.01"), sizingDec("4999")); err != nil || !got.Units.IsZero() || got.Bound != "one lot costs more than the maximum position size" {
		t.Errorf("ByRisk = %+v, %v; want nothing, and why", got, err)
	}
}

func TestSizing_RefusesWhatMakesNoPosition(t *testing.T) {
	sound := sizingAccount("10000", "10")
	for name, size := range map[string]func() (rebalance.PositionSize, error){
		"no capital": func() (rebalance.PositionSize, error) {
			return rebalance.SizeByRisk(sizingAccount("0", "10"), sizingDec("0.01"), sizingDec("9"))
		},
		"no price": func() (rebalance.PositionSize, error) {
			return rebalance.SizeByRisk(sizingAccount("1", "0"), sizingDec("0.01"), sizingDec("9"))
		},
		"risk in per cent": func() (rebalance.PositionSize, error) {
			return rebalance.SizeByRisk(sound, sizingDec("1"), sizingDec("9"))
		},
		"volatility in %": func() (rebalance.PositionSize, error) {
			return rebalance.SizeByVolatility(sound, sizingDec("0.1"), sizingDec("25"))
		},
		"a sliver of a lot": func() (rebalance.PositionSize, error) {
			return rebalance.SizeByRisk(rebalance.SizingAccount{Capital: sizingDec("1"), Price: sizingDec("1"), Lot: sizingDec("1e-300")}, sizingDec("0.01"), sizingDec("0.9"))
		},
		"stop at the price": func() (rebalance.PositionSize, error) {
			return rebalance.SizeByRisk(sound, sizingDec("0.01"), sizingDec("10"))
		},
		"no volatility": func() (rebalance.PositionSize, error) {
			return rebalance.SizeByVolatility(sound, sizingDec("0.1"), sizingDec("0"))
		},
		"sure to win more": func() (rebalance.PositionSize, error) {
			return rebalance.SizeByKelly(sound, rebalance.Bet{Win: sizingDec("1.2"), Payoff: sizingDec("1")})
		},
		"no chance": func() (rebalance.PositionSize, error) {
			return rebalance.SizeByKelly(sound, rebalance.Bet{Payoff: sizingDec("2")})
		},
		"no payoff": func() (rebalance.PositionSize, error) {
			return rebalance.SizeByKelly(sound, rebalance.Bet{Win: sizingDec("0.5")})
		},
		"more than Kelly": func() (rebalance.PositionSize, error) {
			return rebalance.SizeByKelly(sound, rebalance.Bet{Win: sizingDec("0.6"), Payoff: sizingDec("1"), KellyShare: sizingDec("2")})
		},
	} {
		if got, err := size(); !errors.Is(err, rebalance.ErrInvalidSize) {
			t.Errorf("%s: %+v, %v; want ErrInput", name, got, err)
		}
	}
}
