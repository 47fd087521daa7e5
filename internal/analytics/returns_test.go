package analytics_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/market"
)

// sp500YearEnds returns the S&P 500 index at the turning points of 2008 to 2020, closes as
// published by S&P Dow Jones Indices.
func sp500YearEnds(t *testing.T) analytics.Prices {
	t.Helper()
	return mustPrices(t, newSeries(t, market.Daily,
		"2008-01-02", "1447.16",
		"2009-03-09", "676.53",
		"2012-09-12", "1436.56",
		"2012-09-13", "1459.99",
		"2020-02-19", "3386.15",
		"2020-03-23", "2237.40",
		"2020-04-17", "2874.56"))
}

// The textbook example: 10,000 grows to 13,000, 14,000 and 19,000 in three years,
// which is 90% in all and 23.86% a year (Investopedia, "Compound Annual Growth
// Rate"). The third year is a day longer than 3 x 365.25, hence the tolerance.
func TestReturns_TextbookGrowthOverThreeYears(t *testing.T) {
	p := mustPrices(t, newSeries(t, market.Monthly,
		"2018-01-01", "10000", "2019-01-01", "13000", "2020-01-01", "14000", "2021-01-01", "19000"))
	total, err := analytics.TotalReturn(p)
	if err != nil {
		t.Fatal(err)
	}
	wantNear(t, "total return", total, 0.9, 1e-12)
	annual, err := analytics.AnnualReturn(p)
	if err != nil {
		t.Fatal(err)
	}
	wantNear(t, "annual return", annual, 0.2386, 1e-4)
	for i, want := range []float64{0.30, 0.0769, 0.3571} {
		wantNear(t, "yearly return", p.Returns()[i], want, 5e-5)
	}
}

// 2874.56/1447.16 - 1 = 0.986346; over 4489 days, 12.2902 years, 5.74% a year.
func TestReturns_IndexSince2008(t *testing.T) {
	total, err := analytics.TotalReturn(sp500YearEnds(t))
	if err != nil {
		t.Fatal(err)
	}
	wantNear(t, "total return", total, 0.986346, 5e-7)
	annual, err := analytics.AnnualReturn(sp500YearEnds(t))
	if err != nil {
		t.Fatal(err)
	}
	wantNear(t, "annual return", annual, 0.0574, 5e-5)
}

func TestReturns_FlatPricesReturnNothing(t *testing.T) {
	p := pricesFromReturns(t, market.Daily, 0, 0, 0, 0)
	for name, measure := range measures() {
		if got, err := measure(p); err != nil || got != 0 {
			t.Errorf("%s of flat prices = %v, %v; want 0", name, got, err)
		}
	}
}

func TestReturns_OneObservationHasNoReturn(t *testing.T) {
	p := pricesFromReturns(t, market.Daily)
	if got := p.Returns(); got != nil {
		t.Errorf("returns of one price = %v, want none", got)
	}
	for _, name := range []string{"total return", "annual return", "volatility"} {
		if got, err := measures()[name](p); !errors.Is(err, analytics.ErrTooFew) {
			t.Errorf("%s of one price = %v, %v; want ErrTooFew", name, got, err)
		}
	}
}

func TestAnnualReturn_BeyondFloat64IsRefusedNotInfinite(t *testing.T) {
	p := pricesFromReturns(t, market.Daily, 99)
	if got, err := analytics.AnnualReturn(p); !errors.Is(err, analytics.ErrOutOfRange) {
		t.Errorf("annual return of x100 in a day = %v, %v; want ErrOutOfRange", got, err)
	}
}

// measures returns all measures that must not change when all prices are scaled.
func measures() map[string]func(analytics.Prices) (float64, error) {
	return map[string]func(analytics.Prices) (float64, error){
		"total return":  analytics.TotalReturn,
		"annual return": analytics.AnnualReturn,
		"volatility":    analytics.AnnualVolatility,
		"worst drawdown": func(p analytics.Prices) (float64, error) {
			d, err := analytics.MaxDrawdown(p)
			return d.Depth, err
		},
		"current drawdown": func(p analytics.Prices) (float64, error) {
			d, err := analytics.CurrentDrawdown(p)
			return d.Depth, err
		},
	}
}

// randomSeries returns a repeatable random walk of n daily closes.
func randomSeries(t testing.TB, seed uint64, n int) market.Series {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	s, price, at := market.Series{Interval: market.Daily}, 100.0, day(t, "1990-01-01")
	for i := range n {
		price *= 1 + 0.01*rng.NormFloat64()
		s.Bars = append(s.Bars, market.Bar{Date: at.AddDate(0, 0, i), Close: decimal.NewFromFloat(price)})
	}
	return s
}

func TestMeasures_ScaleOfPricesDoesNotMatter(t *testing.T) {
	for seed := range uint64(20) {
		s := randomSeries(t, seed, 300)
		scaled := market.Series{Interval: s.Interval}
		for _, bar := range s.Bars {
			bar.Close = bar.Close.Mul(decimal.NewFromFloat(0.0173))
			scaled.Bars = append(scaled.Bars, bar)
		}
		for name, measure := range measures() {
			want, err := measure(mustPrices(t, s))
			if err != nil {
				t.Fatal(err)
			}
			got, err := measure(mustPrices(t, scaled))
			if err != nil {
				t.Fatal(err)
			}
			wantNear(t, name+" of scaled prices", got, want, 1e-10)
		}
	}
}
