package cashflow_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/analytics/cashflow"
)

func day(t testing.TB, s string) time.Time {
	t.Helper()
	d, err := time.Parse(time.DateOnly, s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func near(got, want, within float64) bool { return math.Abs(got-want) <= within }

// The example of Microsoft's documentation of XIRR.
func TestXIRR_IsThatOfSpreadsheets(t *testing.T) {
	got, err := cashflow.XIRR([]cashflow.Flow{
		{day(t, "2008-01-01"), -10000}, {day(t, "2008-03-01"), 2750}, {day(t, "2008-10-30"), 4250},
		{day(t, "2009-02-15"), 3250}, {day(t, "2009-04-01"), 2750},
	})
	if err != nil || len(got.Rates) != 1 || !near(got.Rates[0], 0.373362535, 1e-8) {
		t.Errorf("XIRR = %+v, %v; want 0.373362535 alone", got, err)
	}
}

// -100, +230, -132 a year apart are worth nothing at 10 % and at 20 %.
func TestXIRR_FindsEveryRate(t *testing.T) {
	got, err := cashflow.XIRR([]cashflow.Flow{
		{day(t, "2021-01-01"), -100}, {day(t, "2022-01-01"), 230}, {day(t, "2023-01-01"), -132},
	})
	if err != nil || len(got.Rates) != 2 || !near(got.Rates[0], 0.10, 1e-9) || !near(got.Rates[1], 0.20, 1e-9) || got.SignChanges != 2 {
		t.Errorf("XIRR = %+v, %v; want 10 %% and 20 %%", got, err)
	}
}

// (1+r)^2 - 2(1.1)(1+r) + 1.1^2: one rate, twice.
func TestXIRR_FindsARateThatOnlyTouchesZero(t *testing.T) {
	got, err := cashflow.XIRR([]cashflow.Flow{
		{day(t, "2021-01-01"), 1}, {day(t, "2022-01-01"), -2.2}, {day(t, "2023-01-01"), 1.21},
	})
	if err != nil || len(got.Rates) != 1 || !near(got.Rates[0], 0.10, 1e-6) {
		t.Errorf("XIRR = %+v, %v; want 10 %% alone", got, err)
	}
}

func TestXIRR_SaysWhenThereIsNone(t *testing.T) {
	for _, tc := range []struct {
		name  string
		flows []cashflow.Flow
		want  error
	}{
		{"nothing", nil, cashflow.ErrInput},
		{"one day", []cashflow.Flow{{day(t, "2021-01-01"), -100}, {day(t, "2021-01-01"), 110}}, cashflow.ErrInput},
		{"one sign", []cashflow.Flow{{day(t, "2021-01-01"), -100}, {day(t, "2022-01-01"), -10}}, cashflow.ErrInput},
		{"no number", []cashflow.Flow{{day(t, "2021-01-01"), math.NaN()}, {day(t, "2022-01-01"), 10}}, cashflow.ErrInput},
		{"never zero", []cashflow.Flow{{day(t, "2021-01-01"), 100}, {day(t, "2022-01-01"), -100}, {day(t, "2023-01-01"), 100}}, cashflow.ErrNoRate},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got, err := cashflow.XIRR(tc.flows); !errors.Is(err, tc.want) {
				t.Errorf("XIRR = %+v, %v; want %v", got, err, tc.want)
			}
		})
	}
}

func TestXIRR_ATotalLossAndALongRunDoNotOverflow(t *testing.T) {
	got, err := cashflow.XIRR([]cashflow.Flow{{day(t, "1926-01-01"), -1e9}, {day(t, "2026-01-01"), 0.01}})
	want := math.Pow(0.01/1e9, daysPerYearOver(t, "1926-01-01", "2026-01-01")) - 1
	if err != nil || len(got.Rates) != 1 || !near(got.Rates[0], want, 1e-9) {
		t.Errorf("XIRR = %+v, %v; want %v", got, err, want)
	}
}

func daysPerYearOver(t *testing.T, from, to string) float64 {
	return 365 / (day(t, to).Sub(day(t, from)).Hours() / 24)
}

func TestXIRR_ScaleAndOrderDoNotMatter(t *testing.T) {
	source := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		flows := []cashflow.Flow{{day(t, "2020-01-01"), -1000}}
		for range 12 {
			flows = append(flows, cashflow.Flow{Date: day(t, "2020-01-01").AddDate(0, 0, 1+source.IntN(2000)), Amount: 50 + 200*source.Float64()})
		}
		once, err := cashflow.XIRR(flows)
		if err != nil || len(once.Rates) != 1 {
			t.Fatalf("XIRR = %+v, %v", once, err)
		}
		if left := cashflow.PresentValue(flows, once.Rates[0]); !near(left, 0, 1e-6) {
			t.Errorf("present value at %v = %v, want 0", once.Rates[0], left)
		}
		source.Shuffle(len(flows), func(i, j int) { flows[i], flows[j] = flows[j], flows[i] })
		for i := range flows {
			flows[i].Amount *= 1e-4
		}
		again, err := cashflow.XIRR(flows)
		if err != nil || !near(again.Rates[0], once.Rates[0], 1e-9) {
			t.Errorf("XIRR shuffled and scaled = %+v, %v; want %v", again, err, once.Rates[0])
		}
	}
}

func BenchmarkXIRR_1000Flows(b *testing.B) {
	flows := []cashflow.Flow{{day(b, "2000-01-01"), -1000}}
	for i := range 999 {
		flows = append(flows, cashflow.Flow{Date: day(b, "2000-01-01").AddDate(0, 0, 7*i+7), Amount: 3})
	}
	for b.Loop() {
		if _, err := cashflow.XIRR(flows); err != nil {
			b.Fatal(err)
		}
	}
}
