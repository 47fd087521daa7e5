package fundamental_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/fundamental"
)

func withinTolerance(got, want, within float64) bool { return math.Abs(got-want) <= within }

func mustValue(t *testing.T, d fundamental.DCF) fundamental.DCFValue {
	t.Helper()
	v, err := d.Value()
	if err != nil {
		t.Fatalf("Value(%+v) = %v", d, err)
	}
	return v
}

// 100, 110, 121 at 10%, then 2% forever: the present value of each year is 90.909, and the terminal value
// is 121 * 1.02 / 0.08 = 1542.75, which is 1159.09 today.
func TestDCF_ByHand(t *testing.T) {
	got := mustValue(t, fundamental.DCF{CashFlows: []float64{100, 110, 121}, Rate: 0.10, Growth: 0.02, NetDebt: 200, Shares: 100})
	if !withinTolerance(got.ForecastValue, 3*100/1.1, 1e-9) || !withinTolerance(got.Terminal, 1542.75, 1e-9) || !withinTolerance(got.TerminalPresent, 1542.75/1.331, 1e-9) {
		t.Errorf("explicit %v, terminal %v, now %v", got.ForecastValue, got.Terminal, got.TerminalPresent)
	}
	firm := 3*100/1.1 + 1542.75/1.331
	if !withinTolerance(got.EnterpriseValue, firm, 1e-9) || !withinTolerance(got.PerShare, (firm-200)/100, 1e-9) || !withinTolerance(*got.TerminalShare, 1542.75/1.331/firm, 1e-12) || !withinTolerance(*got.Implied, 12.75, 1e-9) {
		t.Errorf("firm %v, per share %v, terminal share %v, implied multiple %v", got.EnterpriseValue, got.PerShare, *got.TerminalShare, *got.Implied)
	}
}

// With the same growth from the first year on it is Gordon's formula, for any number of forecast years.
func TestDCF_ConstantGrowthIsGordons(t *testing.T) {
	for _, years := range []int{1, 5, 30} {
		d := fundamental.DCF{CashFlows: fundamental.GrowCashFlow(100, fundamental.FadeGrowth(0.03, 0.03, years)), Rate: 0.08, Growth: 0.03, Shares: 1}
		if got := mustValue(t, d); !withinTolerance(got.EnterpriseValue, 103/(0.08-0.03), 1e-6) {
			t.Errorf("%d years: firm %v, want 2060", years, got.EnterpriseValue)
		}
		d.MidYear = true
		if got := mustValue(t, d); !withinTolerance(got.EnterpriseValue, 103/(0.08-0.03)*math.Sqrt(1.08), 1e-6) {
			t.Errorf("%d years from mid-year: firm %v, want half a year more", years, got.EnterpriseValue)
		}
	}
}

func TestDCF_ByAnExitMultiple(t *testing.T) {
	got := mustValue(t, fundamental.DCF{CashFlows: []float64{100}, Rate: 0.10, ByMultiple: true, Multiple: 8, Metric: 200, Shares: 10})
	if !withinTolerance(got.EnterpriseValue, (100+1600)/1.1, 1e-9) {
		t.Errorf("firm %v, want 1545.45", got.EnterpriseValue)
	}
	if back := 100 * (1 + *got.Implied) / (0.10 - *got.Implied); !withinTolerance(back, 1600, 1e-9) {
		t.Errorf("implied growth %v gives %v, want 1600", *got.Implied, back)
	}
}

// With cash in the middle of each year, the multiple that a growth rate implies implies the same growth
// rate.
func TestDCF_GrowthAndMultipleImplyEachOther(t *testing.T) {
	for _, midYear := range []bool{false, true} {
		grows := fundamental.DCF{CashFlows: []float64{100, 110, 121}, Rate: 0.10, Growth: 0.02, Shares: 1, MidYear: midYear}
		byGrowth := mustValue(t, grows)
		sold := grows
		sold.ByMultiple, sold.Multiple, sold.Metric = true, *byGrowth.Implied, 121
		byMultiple := mustValue(t, sold)
		if !withinTolerance(*byMultiple.Implied, 0.02, 1e-12) || !withinTolerance(byMultiple.EnterpriseValue, byGrowth.EnterpriseValue, 1e-9) {
			t.Errorf("mid-year %v: growth implies %v, which implies %v and a firm of %v; want 2 %% and %v", midYear, *byGrowth.Implied, *byMultiple.Implied, byMultiple.EnterpriseValue, byGrowth.EnterpriseValue)
		}
	}
}

func TestDCF_AFirmWorthNothingHasNoShareOfIt(t *testing.T) {
	if got := mustValue(t, fundamental.DCF{CashFlows: []float64{-500, 10}, Rate: 0.10, Growth: 0.02, Shares: 1}); got.TerminalShare != nil || got.EnterpriseValue >= 0 {
		t.Errorf("firm %v has a terminal share: %v, want none of nothing", got.EnterpriseValue, got.TerminalShare != nil)
	}
}

func TestDCF_ImpliedGrowthIsTheInverse(t *testing.T) {
	source := rand.New(rand.NewPCG(1, 2))
	for n := range 100 {
		growth := -0.1 + 0.4*source.Float64()
		years := 1 + source.IntN(15)
		d := fundamental.DCF{CashFlows: fundamental.GrowCashFlow(50, fundamental.FadeGrowth(growth, growth, years)), Rate: 0.09, Growth: 0.02, NetDebt: 100 * source.Float64(), Shares: 10}
		from := fundamental.BaseYear{CashFlow: 50}
		if n%3 == 0 {
			from.Metric, d.ByMultiple, d.Multiple = 80, true, 9
			d.Metric = 80 * math.Pow(1+growth, float64(years))
		}
		price := mustValue(t, d).PerShare
		if price <= 0 {
			continue
		}
		if got, err := d.ImpliedGrowth(from, price); err != nil || !withinTolerance(got, growth, 1e-9) {
			t.Errorf("%+v: implied %v, %v; want %v", d, got, err, growth)
		}
	}
}

func TestDCF_RefusesWhatHasNoValue(t *testing.T) {
	sound := fundamental.DCF{CashFlows: []float64{100}, Rate: 0.1, Growth: 0.02, Shares: 1}
	for name, change := range map[string]func(*fundamental.DCF){
		"growth above the rate": func(d *fundamental.DCF) { d.Growth = 0.1 },
		"rate in per cent":      func(d *fundamental.DCF) { d.Rate = 9 },
		"no forecast":           func(d *fundamental.DCF) { d.CashFlows = nil },
		"a loss for ever":       func(d *fundamental.DCF) { d.CashFlows = []float64{100, -5} },
		"no shares":             func(d *fundamental.DCF) { d.Shares = 0 },
		"no multiple":           func(d *fundamental.DCF) { d.ByMultiple = true },
		"too large a sum":       func(d *fundamental.DCF) { d.CashFlows = []float64{1e308, 1e308} },
		"too few shares":        func(d *fundamental.DCF) { d.Shares = 1e-308 },
	} {
		d := sound
		change(&d)
		if got, err := d.Value(); !errors.Is(err, fundamental.ErrInvalidValuation) {
			t.Errorf("%s: %v, %v; want ErrInput", name, got.PerShare, err)
		}
	}
	if got, err := sound.ImpliedGrowth(fundamental.BaseYear{CashFlow: 100}, 1e12); !errors.Is(err, fundamental.ErrInvalidValuation) {
		t.Errorf("implied growth of an impossible price = %v, %v", got, err)
	}
}

// 600 of equity at 10%, 400 of debt at 5% and a tax of 25%: 6% + 1.5%.
func TestWACC_ByHand(t *testing.T) {
	got, err := fundamental.CapitalStructure{Equity: 600, Debt: 400, CostOfEquity: fundamental.CAPM(0.04, 1.2, 0.05), CostOfDebt: 0.05, TaxRate: 0.25}.WACC()
	if err != nil || !withinTolerance(got, 0.075, 1e-12) {
		t.Errorf("WACC = %v, %v; want 7.5 %%", got, err)
	}
	if got, err := (fundamental.CapitalStructure{Equity: 0, CostOfEquity: 0.1}).WACC(); !errors.Is(err, fundamental.ErrInvalidValuation) {
		t.Errorf("WACC without equity = %v, %v; want ErrInput", got, err)
	}
}

func TestDistribution_IsThatOfSpreadsheets(t *testing.T) {
	got := fundamental.NewDistribution([]float64{12, 8, 10, 30})
	if got.Q1 != 9.5 || got.Median != 11 || got.Q3 != 16.5 || got.Low != 8 || got.High != 30 {
		t.Errorf("spread = %+v, want quartiles 9.5, 11 and 16.5", got)
	}
	if !got.IsOutlier(100) || got.IsOutlier(30) {
		t.Errorf("100 is far out: %v, 30: %v", got.IsOutlier(100), got.IsOutlier(30))
	}
	if got := fundamental.NewDistribution(nil); got.Count != 0 {
		t.Errorf("spread of nothing = %+v", got)
	}
}
