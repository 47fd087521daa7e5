package analytics_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/market"
)

func day(t testing.TB, s string) time.Time {
	t.Helper()
	d, err := time.Parse(time.DateOnly, s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// newSeries returns a series with the given dates and closes.
func newSeries(t *testing.T, interval market.Interval, closes ...any) market.Series {
	t.Helper()
	s := market.Series{Interval: interval}
	for i := 0; i < len(closes); i += 2 {
		s.Bars = append(s.Bars, market.Bar{
			Date:  day(t, closes[i].(string)),
			Close: decimal.RequireFromString(closes[i+1].(string)),
		})
	}
	return s
}

func mustPrices(t *testing.T, s market.Series) analytics.Prices {
	t.Helper()
	p, err := analytics.NewPrices(s)
	if err != nil {
		t.Fatalf("NewPrices = %v", err)
	}
	return p
}

// pricesFromReturns starts at 100 on 2000-01-30 and applies one return each day.
func pricesFromReturns(t *testing.T, interval market.Interval, returns ...float64) analytics.Prices {
	t.Helper()
	s, price := market.Series{Interval: interval}, 100.0
	at := day(t, "2000-01-30")
	s.Bars = append(s.Bars, market.Bar{Date: at, Close: decimal.NewFromFloat(price)})
	for i, r := range returns {
		price *= 1 + r
		s.Bars = append(s.Bars, market.Bar{Date: at.AddDate(0, 0, i+1), Close: decimal.NewFromFloat(price)})
	}
	return mustPrices(t, s)
}

func wantNear(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > tolerance {
		t.Errorf("%s = %.12f, want %.12f ± %g", what, got, want, tolerance)
	}
}

func TestNewPrices_RefusesWhatWouldPoisonEveryResult(t *testing.T) {
	tests := []struct {
		name   string
		series market.Series
		want   error
	}{
		{"a price of zero", newSeries(t, market.Daily, "2020-01-02", "10", "2020-01-03", "0"), analytics.ErrNonPositive},
		{"a negative price", newSeries(t, market.Daily, "2020-04-20", "-37.63"), analytics.ErrNonPositive},
		{"one day twice", newSeries(t, market.Daily, "2020-01-02", "10", "2020-01-02", "11"), analytics.ErrDisordered},
		{"newest first", newSeries(t, market.Daily, "2020-01-03", "10", "2020-01-02", "11"), analytics.ErrDisordered},
		{"too small for a float64", newSeries(t, market.Daily, "2020-01-02", "1e-400"), analytics.ErrOutOfRange},
		{"too large for a float64", newSeries(t, market.Daily, "2020-01-02", "1e400"), analytics.ErrOutOfRange},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := analytics.NewPrices(tt.series); !errors.Is(err, tt.want) {
				t.Errorf("NewPrices = %v, want %v", err, tt.want)
			}
		})
	}
}

func TestPrices_EmptyRunHasNoDatesAndNoYears(t *testing.T) {
	p := mustPrices(t, market.Series{})
	if p.Len() != 0 || !p.From().IsZero() || !p.To().IsZero() || p.Years() != 0 {
		t.Errorf("empty run = %d prices, %s to %s, %v years; want nothing", p.Len(), p.From(), p.To(), p.Years())
	}
}

func TestPrices_YearsCountTheCalendarNotTheSessions(t *testing.T) {
	p := mustPrices(t, newSeries(t, market.Daily, "2016-01-01", "1", "2020-01-01", "2"))
	if got := p.Years(); got != 4 {
		t.Errorf("years from 2016-01-01 to 2020-01-01 = %v, want 4 (1461 days)", got)
	}
}
