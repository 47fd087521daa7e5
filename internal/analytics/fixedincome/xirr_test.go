package fixedincome_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/analytics/fixedincome"
)

func flowDay(t testing.TB, s string) time.Time {
	t.Helper()
	d, err := time.Parse(time.DateOnly, s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func nearRate(got, want, within float64) bool { return math.Abs(got-want) <= within }

// The example of Microsoft's documentation of XIRR.
func TestXIRR_IsThatOfSpreadsheets(t *testing.T) {
	got, err := fixedincome.XIRR([]fixedincome.CashFlow{
		{flowDay(t, "2008-01-01"), -10000}, {flowDay(t, "2008-03-01"), 2750}, {flowDay(t, "2008-10-30"), 4250},
		{flowDay(t, "2009-02-15"), 3250}, {flowDay(t, "2009-04-01"), 2750},
	})
	if err != nil || len(got.Rates) != 1 || !nearRate(got.Rates[0], 0.373362535, 1e-8) {
		t.Errorf("XIRR = %+v, %v; want 0.373362535 alone", got, err)
	}
}

// The present value of -100, +230, -132 a year apart is zero at 10% and at 20%.
func TestXIRR_FindsEveryRate(t *testing.T) {
	got, err := fixedincome.XIRR([]fixedincome.CashFlow{
		{flowDay(t, "2021-01-01"), -100}, {flowDay(t, "2022-01-01"), 230}, {flowDay(t, "2023-01-01"), -132},
	})
	if err != nil || len(got.Rates) != 2 || !nearRate(got.Rates[0], 0.10, 1e-9) || !nearRate(got.Rates[1], 0.20, 1e-9) || got.SignChanges != 2 {
		t.Errorf("XIRR = %+v, %v; want 10 %% and 20 %%", got, err)
	}
}

// (1+r)^2 - 2(1.1)(1+r) + 1.1^2 has one double root.
func TestXIRR_FindsARateThatOnlyTouchesZero(t *testing.T) {
	got, err := fixedincome.XIRR([]fixedincome.CashFlow{
		{flowDay(t, "2021-01-01"), 1}, {flowDay(t, "2022-01-01"), -2.2}, {flowDay(t, "2023-01-01"), 1.21},
	})
	if err != nil || len(got.Rates) != 1 || !nearRate(got.Rates[0], 0.10, 1e-6) {
		t.Errorf("XIRR = %+v, %v; want 10 %% alone", got, err)
	}
}

func TestXIRR_SaysWhenThereIsNone(t *testing.T) {
	for _, tc := range []struct {
		name  string
		flows []fixedincome.CashFlow
		want  error
	}{
		{"nothing", nil, fixedincome.ErrInvalidCashFlow},
		{"one day", []fixedincome.CashFlow{{flowDay(t, "2021-01-01"), -100}, {flowDay(t, "2021-01-01"), 110}}, fixedincome.ErrInvalidCashFlow},
		{"one sign", []fixedincome.CashFlow{{flowDay(t, "2021-01-01"), -100}, {flowDay(t, "2022-01-01"), -10}}, fixedincome.ErrInvalidCashFlow},
		{"no number", []fixedincome.CashFlow{{flowDay(t, "2021-01-01"), math.NaN()}, {flowDay(t, "2022-01-01"), 10}}, fixedincome.ErrInvalidCashFlow},
		{"larger than any sum", []fixedincome.CashFlow{{flowDay(t, "2021-01-01"), -1e300}, {flowDay(t, "2022-01-01"), 1e300}}, fixedincome.ErrInvalidCashFlow},
		{"tenfold in a day", []fixedincome.CashFlow{{flowDay(t, "2021-01-01"), -10}, {flowDay(t, "2021-01-02"), 100}}, fixedincome.ErrNoRate},
		{"a tenth in a day", []fixedincome.CashFlow{{flowDay(t, "2021-01-01"), -100}, {flowDay(t, "2021-01-02"), 10}}, fixedincome.ErrNoRate},
		{"just above zero", []fixedincome.CashFlow{{flowDay(t, "2021-01-01"), 1e6}, {flowDay(t, "2022-01-01"), -2.2e6}, {flowDay(t, "2023-01-01"), 1.21e6 + 0.05}}, fixedincome.ErrNoRate},
		{"never zero", []fixedincome.CashFlow{{flowDay(t, "2021-01-01"), 100}, {flowDay(t, "2022-01-01"), -100}, {flowDay(t, "2023-01-01"), 100}}, fixedincome.ErrNoRate},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got, err := fixedincome.XIRR(tc.flows); !errors.Is(err, tc.want) {
				t.Errorf("XIRR = %+v, %v; want %v", got, err, tc.want)
			}
		})
	}
}

// (1+r - q)^2 for many q: rounding moves the double root away from zero, or splits it into two rates that
// cannot be told apart.
func TestXIRR_RoundingDoesNotSplitOrHideARateThatTouchesZero(t *testing.T) {
	for n := range 400 {
		q := 0.5 + float64(n)*0.0037
		got, err := fixedincome.XIRR([]fixedincome.CashFlow{
			{flowDay(t, "2021-01-01"), 1e6}, {flowDay(t, "2022-01-01"), -2e6 * q}, {flowDay(t, "2023-01-01"), 1e6 * q * q},
		})
		if err != nil || len(got.Rates) != 1 || !nearRate(got.Rates[0], q-1, 1e-6) {
			t.Errorf("XIRR touching at %v = %+v, %v; want it alone", q-1, got, err)
		}
	}
}

// For rates as low as this, Excel returns #NUM!.
func TestXIRR_FindsALossOfAlmostEverything(t *testing.T) {
	got, err := fixedincome.XIRR([]fixedincome.CashFlow{{flowDay(t, "2021-01-01"), -1000}, {flowDay(t, "2022-01-01"), 1}, {flowDay(t, "2023-01-01"), 0.001}})
	if err != nil || len(got.Rates) != 1 {
		t.Fatalf("XIRR = %+v, %v; want one rate", got, err)
	}
	// 1000 g^2 - g - 0.001 = 0 with g = 1 + r.
	if want := (1+math.Sqrt(1+4))/2000 - 1; !nearRate(got.Rates[0], want, 1e-12) {
		t.Errorf("XIRR = %v, want %v", got.Rates[0], want)
	}
}

// 0.1 + 0.2 - 0.3 leaves 5.6e-17, which as a payment would have a rate of its own.
func TestXIRR_WhatCancelsOutOnADayIsNoPayment(t *testing.T) {
	got, err := fixedincome.XIRR([]fixedincome.CashFlow{
		{flowDay(t, "2000-01-01"), 0.1}, {flowDay(t, "2000-01-01"), 0.2}, {flowDay(t, "2000-01-01"), -0.3},
		{flowDay(t, "2021-01-01"), -100}, {flowDay(t, "2022-01-01"), 110},
	})
	if err != nil || len(got.Rates) != 1 || !nearRate(got.Rates[0], 0.10, 1e-12) || got.SignChanges != 1 || !got.From.Equal(flowDay(t, "2021-01-01")) || got.Days != 365 {
		t.Errorf("XIRR = %+v, %v; want 10 %% over 365 days", got, err)
	}
}

func TestXIRR_EvenMoneyIsZeroExactly(t *testing.T) {
	got, err := fixedincome.XIRR([]fixedincome.CashFlow{{flowDay(t, "2021-01-01"), -100}, {flowDay(t, "2022-06-01"), 100}})
	if err != nil || len(got.Rates) != 1 || got.Rates[0] != 0 {
		t.Errorf("XIRR = %v, %v; want 0", got.Rates, err)
	}
}

// netPresentValue returns the value of flows on their first day at a rate, in the convention of XNPV: the
// sum of amount / (1 + rate)^(days/365).
func netPresentValue(flows []fixedincome.CashFlow, rate float64) float64 {
	first, total := flows[0].Date, 0.0
	for _, f := range flows {
		if f.Date.Before(first) {
			first = f.Date
		}
	}
	for _, f := range flows {
		total += f.Amount * math.Pow(1+rate, -f.Date.Sub(first).Hours()/24/365)
	}
	return total
}

func TestXIRR_ATotalLossAndALongRunDoNotOverflow(t *testing.T) {
	got, err := fixedincome.XIRR([]fixedincome.CashFlow{{flowDay(t, "1926-01-01"), -1e9}, {flowDay(t, "2026-01-01"), 0.01}})
	want := math.Pow(0.01/1e9, daysPerYearOver(t, "1926-01-01", "2026-01-01")) - 1
	if err != nil || len(got.Rates) != 1 || !nearRate(got.Rates[0], want, 1e-9) {
		t.Errorf("XIRR = %+v, %v; want %v", got, err, want)
	}
}

func daysPerYearOver(t *testing.T, from, to string) float64 {
	return 365 / (flowDay(t, to).Sub(flowDay(t, from)).Hours() / 24)
}

func TestXIRR_ScaleAndOrderDoNotMatter(t *testing.T) {
	source := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		flows := []fixedincome.CashFlow{{flowDay(t, "2020-01-01"), -1000}}
		for range 12 {
			flows = append(flows, fixedincome.CashFlow{Date: flowDay(t, "2020-01-01").AddDate(0, 0, 1+source.IntN(2000)), Amount: 50 + 200*source.Float64()})
		}
		once, err := fixedincome.XIRR(flows)
		if err != nil || len(once.Rates) != 1 {
			t.Fatalf("XIRR = %+v, %v", once, err)
		}
		if left := netPresentValue(flows, once.Rates[0]); !nearRate(left, 0, 1e-6) {
			t.Errorf("present value at %v = %v, want 0", once.Rates[0], left)
		}
		source.Shuffle(len(flows), func(i, j int) { flows[i], flows[j] = flows[j], flows[i] })
		for i := range flows {
			flows[i].Amount *= 1e-4
		}
		again, err := fixedincome.XIRR(flows)
		if err != nil || !nearRate(again.Rates[0], once.Rates[0], 1e-9) {
			t.Errorf("XIRR shuffled and scaled = %+v, %v; want %v", again, err, once.Rates[0])
		}
	}
}

func BenchmarkXIRR_1000Flows(b *testing.B) {
	for name, each := range map[string][2]float64{"one change of sign": {3, 3}, "many": {9, -3}} {
		flows := []fixedincome.CashFlow{{flowDay(b, "2000-01-01"), -1000}}
		for i := range 999 {
			flows = append(flows, fixedincome.CashFlow{Date: flowDay(b, "2000-01-01").AddDate(0, 0, 7*i+7), Amount: each[i%2]})
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := fixedincome.XIRR(flows); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// netPresentValue computes each power on its own, XIRR by multiplying from day to day. At the rate that
// XIRR finds over thousands of days it must be zero too.
func TestXIRR_OfManyFlowsIsZeroInPresentValue(t *testing.T) {
	first := time.Date(2004, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name  string
		every int // days
		end   float64
		loss  bool
	}{
		{"a gain, paid in each day", 1, 2_000_000, false}, {"a loss, paid in each day", 1, 200_000, true},
		{"a gain, paid in each week", 7, 300_000, false}, {"most of it lost", 1, 20_000, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var flows []fixedincome.CashFlow
			size := 0.0
			for d := 0; d < 20*365; d += c.every + d%3 {
				amount := -100 - float64(d%7)
				if d%50 == 49 {
					amount = 40 // many sign changes: the whole range is scanned
				}
				flows, size = append(flows, fixedincome.CashFlow{Date: first.AddDate(0, 0, d), Amount: amount}), size+math.Abs(amount)
			}
			flows = append(flows, fixedincome.CashFlow{Date: first.AddDate(20, 0, 0), Amount: c.end})
			found, err := fixedincome.XIRR(flows)
			if err != nil || len(found.Rates) != 1 || (found.Rates[0] < 0) != c.loss {
				t.Fatalf("XIRR = %v, %v; want one rate, loss %v", found.Rates, err, c.loss)
			}
			left := netPresentValue(flows, found.Rates[0])
			scale := size * math.Max(1, math.Pow(1+found.Rates[0], -20))
			if math.Abs(left) > 1e-12*scale {
				t.Errorf("present value at %v = %v of %v, want zero", found.Rates[0], left, scale)
			}
		})
	}
}
