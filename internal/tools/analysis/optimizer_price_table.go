package analysis

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// suppliedUniverse takes the assets from closes that came with the call.
func (in assetsInput) suppliedUniverse() (assetUniverse, error) {
	t := *in.Prices
	if in.Range != "" || in.From != "" || in.To != "" {
		return assetUniverse{}, fmt.Errorf("%w: range, from and to are for symbols; cut prices yourself", errInvalidInput)
	}
	currency, err := toolkit.ParseCurrency(t.Currency)
	if err != nil {
		return assetUniverse{}, fmt.Errorf("%w: %w", errInvalidInput, err)
	}
	names := slices.Sorted(maps.Keys(t.Series))
	if len(names) > maxGiven+1 || len(t.Dates) > maxDates {
		return assetUniverse{}, fmt.Errorf("%w: prices of %d assets on %d dates; %d and %d are the most", errInvalidInput, len(names), len(t.Dates), maxGiven, maxDates)
	}
	benchmark := strings.TrimSpace(in.Benchmark)
	if at := slices.Index(names, benchmark); at >= 0 {
		names = append(slices.Delete(names, at, at+1), benchmark)
	} else if benchmark != "" {
		return assetUniverse{}, fmt.Errorf("%w: benchmark %.40q is no series of prices", errInvalidInput, benchmark)
	}
	series, skipped, err := t.suppliedSeries(names, currency)
	if err != nil {
		return assetUniverse{}, err
	}
	u := assetUniverse{}
	if skipped > 0 {
		u.warnings = append(u.warnings, fmt.Sprintf("%d of %d dates are left out, as not all assets have a close then", skipped, len(t.Dates)))
	}
	assets, last := len(names), -1
	if benchmark != "" {
		assets, last = assets-1, assets-1
	}
	if assets < minAssets {
		return assetUniverse{}, fmt.Errorf("%w: prices of %d assets; give at least %d", errInvalidInput, assets, minAssets)
	}
	u.names, u.inputs = names[:assets], names[:assets]
	for _, s := range series[:assets] {
		u.latest = append(u.latest, s.Bars[len(s.Bars)-1])
	}
	u, err = u.alignSeries(series, last, toolkit.Period{})
	if err != nil {
		return u, err
	}
	if u.interval == "" && in.Frequency == 0 {
		return u, fmt.Errorf("%w: the dates are neither daily, weekly nor monthly; give frequency, the number of periods a year", errInvalidInput)
	}
	return u, nil
}

// suppliedSeries makes a series of each name, of the dates on which none lacks a close.
func (t priceTable) suppliedSeries(names []string, currency string) (series []market.Series, skipped int, err error) {
	days, err := toolkit.ParseDays(t.Dates)
	if err != nil {
		return nil, 0, fmt.Errorf("%w: %w", errInvalidInput, err)
	}
	for _, name := range names {
		if err := checkName(name); err != nil {
			return nil, 0, err
		}
		if n := len(t.Series[name]); n != len(days) {
			return nil, 0, fmt.Errorf("%w: %.40q has %d closes for %d dates", errInvalidInput, name, n, len(days))
		}
	}
	var kept []market.Date
	closes := make([][]float64, len(names))
	for at, day := range days {
		if slices.ContainsFunc(names, func(name string) bool { return t.Series[name][at] == nil }) {
			continue
		}
		kept = append(kept, day)
		for i, name := range names {
			closes[i] = append(closes[i], *t.Series[name][at])
		}
	}
	if len(kept) == 0 {
		return nil, 0, fmt.Errorf("%w: there is no date on which all assets have a close", errInvalidInput)
	}
	interval, _ := toolkit.Spacing(kept)
	for i, name := range names {
		s, err := toolkit.CallerSeries(name, currency, kept, closes[i])
		if err != nil {
			return nil, 0, fmt.Errorf("%w: %.40q: %w", errInvalidInput, name, err)
		}
		s.Interval = interval
		series = append(series, s)
	}
	return series, len(days) - len(kept), nil
}

// checkName refuses names that would not fit a table.
func checkName(text string) error {
	if n := utf8.RuneCountInString(text); strings.TrimSpace(text) == "" || n > maxNameLength {
		return fmt.Errorf("%w: name %.40q; it has 1 to %d characters", errInvalidInput, text, maxNameLength)
	}
	return nil
}
