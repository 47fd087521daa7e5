package allocation

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/toolbox/lineup"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// read takes the assets from closes that came with the call.
func (in assetsInput) read() (universe, error) {
	t := *in.Prices
	if in.Range != "" || in.From != "" || in.To != "" {
		return universe{}, fmt.Errorf("%w: range, from and to are for symbols; cut prices yourself", errAsked)
	}
	currency, err := question.Currency(t.Currency)
	if err != nil {
		return universe{}, fmt.Errorf("%w: %w", errAsked, err)
	}
	names := slices.Sorted(maps.Keys(t.Series))
	if len(names) > mostGiven+1 || len(t.Dates) > mostDates {
		return universe{}, fmt.Errorf("%w: prices of %d assets on %d dates; %d and %d are the most", errAsked, len(names), len(t.Dates), mostGiven, mostDates)
	}
	benchmark := strings.TrimSpace(in.Benchmark)
	if at := slices.Index(names, benchmark); at >= 0 {
		names = append(slices.Delete(names, at, at+1), benchmark)
	} else if benchmark != "" {
		return universe{}, fmt.Errorf("%w: benchmark %.40q is no series of prices", errAsked, benchmark)
	}
	series, skipped, err := t.read(names, currency)
	if err != nil {
		return universe{}, err
	}
	u := universe{}
	if skipped > 0 {
		u.warnings = append(u.warnings, fmt.Sprintf("%d of %d dates are left out, as not all assets have a close then", skipped, len(t.Dates)))
	}
	assets, last := len(names), -1
	if benchmark != "" {
		assets, last = assets-1, assets-1
	}
	if assets < fewestAssets {
		return universe{}, fmt.Errorf("%w: prices of %d assets; give at least %d", errAsked, assets, fewestAssets)
	}
	u.names, u.asked = names[:assets], names[:assets]
	for _, s := range series[:assets] {
		u.latest = append(u.latest, s.Bars[len(s.Bars)-1])
	}
	u, err = u.aligned(series, last, question.Span{})
	if err != nil {
		return u, err
	}
	if u.interval == "" && in.Frequency == 0 {
		return u, fmt.Errorf("%w: the dates are neither daily, weekly nor monthly; give frequency, the number of periods a year", errAsked)
	}
	return u, nil
}

// read makes a series of each name, of the dates on which none lacks a close.
func (t priceTable) read(names []string, currency string) (series []market.Series, skipped int, err error) {
	days, err := lineup.Days(t.Dates)
	if err != nil {
		return nil, 0, fmt.Errorf("%w: %w", errAsked, err)
	}
	for _, name := range names {
		if err := named(name); err != nil {
			return nil, 0, err
		}
		if n := len(t.Series[name]); n != len(days) {
			return nil, 0, fmt.Errorf("%w: %.40q has %d closes for %d dates", errAsked, name, n, len(days))
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
		return nil, 0, fmt.Errorf("%w: there is no date on which all assets have a close", errAsked)
	}
	interval, _ := lineup.Spacing(kept)
	for i, name := range names {
		s, err := lineup.Given(name, currency, kept, closes[i])
		if err != nil {
			return nil, 0, fmt.Errorf("%w: %.40q: %w", errAsked, name, err)
		}
		s.Interval = interval
		series = append(series, s)
	}
	return series, len(days) - len(kept), nil
}

// named refuses names that would not fit a table.
func named(text string) error {
	if n := utf8.RuneCountInString(text); strings.TrimSpace(text) == "" || n > mostLetters {
		return fmt.Errorf("%w: name %.40q; it has 1 to %d characters", errAsked, text, mostLetters)
	}
	return nil
}
