package market

import (
	"sort"
	"time"

	"github.com/shopspring/decimal"
)

// Change is a transformation of a series' values.
type Change string

// Changes in use. Percent is not percentage points: the change of a rate is a ChangeDifference.
const (
	ChangeNone              Change = "level"         // as published
	ChangeDifference        Change = "change"        // from the previous period, in the series' unit
	ChangeYearDifference    Change = "change_1y"     // from the same period a year before, in the series' unit
	ChangePercent           Change = "pct_change"    // from the previous period, percent
	ChangeYearPercent       Change = "pct_change_1y" // from the same period a year before, percent
	ChangeAnnualizedPercent Change = "pct_change_annualized"
)

// Valid reports whether c is one of the changes in use.
func (c Change) Valid() bool {
	switch c {
	case ChangeNone, ChangeDifference, ChangeYearDifference, ChangePercent, ChangeYearPercent, ChangeAnnualizedPercent:
		return true
	}
	return false
}

// YearOverYear reports whether c compares with the year before.
func (c Change) YearOverYear() bool { return c == ChangeYearDifference || c == ChangeYearPercent }

// ratioPlaces is the number of decimals of a ratio; a change in percent has two fewer.
const ratioPlaces = 16

// holidaySlack is how much earlier than due the compared observation may be, because of holidays.
const holidaySlack = 7 * 24 * time.Hour

// ApplyChange returns the series with each value replaced by its change. A value is missing if its
// counterpart was not published or, for percentages, is not positive. Periods are paired by
// calendar date, not by position. ChangeAnnualizedPercent compounds the change of one period over a
// year if neither value is negative. It reports false for series that are not monthly, quarterly or
// annual.
func (s EconomicSeries) ApplyChange(c Change) (EconomicSeries, bool) {
	if c == ChangeNone {
		return s, true
	}
	if c == ChangeAnnualizedPercent && s.Frequency.months() == 0 || !c.Valid() {
		return s, false
	}
	changed := make([]Observation, len(s.Observations))
	for i, o := range s.Observations {
		changed[i] = Observation{Date: o.Date, Released: o.Released}
		if before, ok := s.baseValue(i, c.YearOverYear()); ok && o.Value.Valid {
			changed[i].Value = s.change(c, before, o.Value.Decimal)
		}
	}
	s.Observations = changed
	s.Unit = c.unit(s.Unit)
	s.Provenance.Unit = s.Unit
	if last, ok := s.Latest(); ok {
		s.Provenance.AsOf = last.Date
	}
	return s, true
}

// baseValue returns the value that observation i is compared with.
func (s EconomicSeries) baseValue(i int, yearOverYear bool) (decimal.Decimal, bool) {
	day := s.Observations[i].Date
	months := s.Frequency.months()
	switch {
	case yearOverYear:
		day = day.AddDate(-1, 0, 0)
	case months > 0:
		day = day.AddDate(0, -months, 0)
	default:
		return s.lastValueBefore(day)
	}
	if months > 0 {
		return s.valueOn(day)
	}
	return s.lastValueBefore(day.AddDate(0, 0, 1))
}

func (s EconomicSeries) valueOn(day Date) (decimal.Decimal, bool) {
	i := s.indexFrom(day)
	if i == len(s.Observations) || !s.Observations[i].Date.Equal(day) {
		return decimal.Decimal{}, false
	}
	v := s.Observations[i].Value
	return v.Decimal, v.Valid
}

// lastValueBefore returns the last value before a day, at most holidaySlack earlier.
func (s EconomicSeries) lastValueBefore(day Date) (decimal.Decimal, bool) {
	furthest := holidaySlack
	if s.Frequency == FrequencyWeekly {
		furthest += holidaySlack
	}
	for i := s.indexFrom(day) - 1; i >= 0 && day.Sub(s.Observations[i].Date) <= furthest; i-- {
		if v := s.Observations[i].Value; v.Valid {
			return v.Decimal, true
		}
	}
	return decimal.Decimal{}, false
}

// indexFrom returns the index of the first observation on or after day.
func (s EconomicSeries) indexFrom(day Date) int {
	return sort.Search(len(s.Observations), func(i int) bool { return !s.Observations[i].Date.Before(day) })
}

func (s EconomicSeries) change(c Change, before, now decimal.Decimal) decimal.NullDecimal {
	if c == ChangeDifference || c == ChangeYearDifference {
		return decimal.NewNullDecimal(now.Sub(before))
	}
	if !before.IsPositive() {
		return decimal.NullDecimal{}
	}
	ratio := now.DivRound(before, ratioPlaces)
	if c == ChangeAnnualizedPercent {
		// An even power would turn a negative ratio into a positive one.
		if now.IsNegative() {
			return decimal.NullDecimal{}
		}
		ratio = ratio.Pow(decimal.NewFromInt(int64(12 / s.Frequency.months())))
	}
	return decimal.NewNullDecimal(ratio.Sub(decimal.NewFromInt(1)).Shift(2).Round(ratioPlaces - 2))
}

// unit returns the unit of the change of a series whose unit is of.
func (c Change) unit(of string) string {
	if c == ChangeDifference || c == ChangeYearDifference {
		if of == "percent" {
			return "percentage points"
		}
		return of
	}
	return "percent"
}
