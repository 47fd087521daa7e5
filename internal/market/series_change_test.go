package market_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// datedSeries returns a series with values on given dates.
func datedSeries(t *testing.T, f market.Frequency, unit string, pairs ...string) market.EconomicSeries {
	t.Helper()
	s := market.EconomicSeries{SeriesInfo: market.SeriesInfo{ID: "X", Unit: unit, Frequency: f}}
	for i := 0; i < len(pairs); i += 2 {
		o := market.Observation{Date: on(t, pairs[i])}
		if pairs[i+1] != "." {
			o.Value = decimal.NewNullDecimal(decimal.RequireFromString(pairs[i+1]))
		}
		s.Observations = append(s.Observations, o)
	}
	return s
}

func TestEconomicSeries_Changes(t *testing.T) {
	index := []string{
		"2024-09-01", "314.851", "2024-10-01", "315.564", "2024-11-01", "316.449",
		"2025-09-01", "324.368", "2025-10-01", ".", "2025-11-01", "325.031",
	}
	gdp := []string{"2025-01-01", "23548.21", "2025-04-01", "23770.976", "2025-07-01", "24024.957"}
	days := []string{"2024-07-03", "4.36", "2024-07-04", ".", "2024-07-05", "4.28", "2025-07-05", "4.10", "2025-07-30", "4.38"}
	for _, row := range []struct {
		name, unit string
		f          market.Frequency
		change     market.Change
		values     []string
		want       []string
		wantUnit   string
	}{
		{
			// 324.368 / 314.851 = 1.03023, 325.031 / 316.449 = 1.02712.
			"a year's change is paired by the calendar across a hole", "index", market.FrequencyMonthly, market.ChangeYearPercent, index,
			[]string{"2024-09-01 .", "2024-10-01 .", "2024-11-01 .", "2025-09-01 3.02269962617238", "2025-10-01 .", "2025-11-01 2.71196938527219"}, "percent",
		},
		{
			"no monthly change beside a hole", "index", market.FrequencyMonthly, market.ChangePercent, index,
			[]string{"2024-09-01 .", "2024-10-01 0.2264563237849", "2024-11-01 0.28045024147241", "2025-09-01 .", "2025-10-01 .", "2025-11-01 ."}, "percent",
		},
		{
			// (23770.976 / 23548.21)^4 = 1.03838, (24024.957 / 23770.976)^4 = 1.04343.
			"a quarter compounds over four", "billions", market.FrequencyQuarterly, market.ChangeAnnualizedPercent, gdp,
			[]string{"2025-01-01 .", "2025-04-01 3.83803323338202", "2025-07-01 4.34278443849255"}, "percent",
		},
		{
			"what falls below zero does not compound", "billions", market.FrequencyQuarterly, market.ChangeAnnualizedPercent,
			[]string{"2025-01-01", "10", "2025-04-01", "-10", "2025-07-01", "5"},
			[]string{"2025-01-01 .", "2025-04-01 .", "2025-07-01 ."}, "percent",
		},
		{
			"a rate changes by points", "percent", market.FrequencyMonthly, market.ChangeDifference,
			[]string{"2020-02-01", "3.5", "2020-03-01", "4.4", "2020-04-01", "14.8"},
			[]string{"2020-02-01 .", "2020-03-01 0.9", "2020-04-01 10.4"}, "percentage points",
		},
		{
			"an amount changes by amounts", "billions", market.FrequencyQuarterly, market.ChangeDifference, gdp,
			[]string{"2025-01-01 .", "2025-04-01 222.766", "2025-07-01 253.981"}, "billions",
		},
		{
			"a day is compared with the last session", "percent", market.FrequencyDaily, market.ChangeDifference, days,
			[]string{"2024-07-03 .", "2024-07-04 .", "2024-07-05 -0.08", "2025-07-05 .", "2025-07-30 ."}, "percentage points",
		},
		{
			"a day a year on with the last session on or before", "percent", market.FrequencyDaily, market.ChangeYearDifference, days,
			[]string{"2024-07-03 .", "2024-07-04 .", "2024-07-05 .", "2025-07-05 -0.18", "2025-07-30 ."}, "percentage points",
		},
		{
			"no percentage of what is not above zero", "index", market.FrequencyMonthly, market.ChangePercent,
			[]string{"2020-01-01", "-1", "2020-02-01", "2", "2020-03-01", "0", "2020-04-01", "1"},
			[]string{"2020-01-01 .", "2020-02-01 .", "2020-03-01 -100", "2020-04-01 ."}, "percent",
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, ok := datedSeries(t, row.f, row.unit, row.values...).ApplyChange(row.change)
			if !ok {
				t.Fatalf("Changed(%s) is not to be had", row.change)
			}
			if diff := cmp.Diff(row.want, shown(got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", row.change, diff)
			}
			if got.Unit != row.wantUnit || got.Provenance.Unit != row.wantUnit {
				t.Errorf("unit %q and %q, want %q", got.Unit, got.Provenance.Unit, row.wantUnit)
			}
		})
	}
}

func TestEconomicSeries_OnlyPeriodsOfMonthsAreAnnualized(t *testing.T) {
	daily := datedSeries(t, market.FrequencyDaily, "percent", "2024-07-03", "4.36")
	if _, ok := daily.ApplyChange(market.ChangeAnnualizedPercent); ok {
		t.Error("a day's change was compounded over a year")
	}
	if _, ok := daily.ApplyChange("pct_chg"); ok {
		t.Error("an unknown change was made")
	}
	s := markettest.Monthly("RATE", on(t, "2020-01-01"), "1", "2")
	if same, ok := s.ApplyChange(market.ChangeNone); !ok || cmp.Diff(s, same) != "" {
		t.Error("the level is not the series as published")
	}
	if _, ok := s.ApplyChange(market.ChangeDifference); !ok || !s.Observations[0].Value.Valid {
		t.Error("making a change altered the series it was made of")
	}
}
