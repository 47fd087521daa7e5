package analysis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/analytics/optimize"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// assetUniverse are the assets of a call over their common window.
type assetUniverse struct {
	names     []string
	inputs    []string // what the call named them by
	series    []market.Series
	prices    []analytics.Prices
	latest    []market.Bar // the newest close of each, aligned or not
	sample    optimize.Sample
	benchmark []float64 // returns of the market, nil where none was named
	market    string
	interval  market.Interval
	gaps      []analytics.Gap
	currency  string
	warnings  []string
}

// loadUniverse fetches or reads the assets that a call is about.
func (d OptimizerDeps) loadUniverse(ctx context.Context, in assetsInput) (assetUniverse, error) {
	if (len(in.Symbols) > 0) == (in.Prices != nil) {
		return assetUniverse{}, fmt.Errorf("%w: give either symbols or prices", errInvalidInput)
	}
	var u assetUniverse
	var err error
	if in.Prices != nil {
		u, err = in.suppliedUniverse()
	} else {
		u, err = d.fetchAligned(ctx, in)
	}
	if err != nil {
		return assetUniverse{}, err
	}
	if err := u.checkCurrency(); err != nil {
		return assetUniverse{}, err
	}
	return u.withSample(in)
}

// fetchAligned loads the series of symbols, and of a benchmark, and cuts them to their common dates.
func (d OptimizerDeps) fetchAligned(ctx context.Context, in assetsInput) (assetUniverse, error) {
	sp, err := toolkit.ParsePeriod(in.Range, in.From, in.To, "5y")
	if err != nil {
		return assetUniverse{}, fmt.Errorf("%w: %w", errInvalidInput, err)
	}
	symbols := toolkit.ParseSymbols(in.Symbols, "")
	if len(symbols) < minAssets || len(symbols) > maxFetched {
		return assetUniverse{}, fmt.Errorf("%w: %d symbols; name %d to %d different ones", errInvalidInput, len(symbols), minAssets, maxFetched)
	}
	all, benchmark := symbols, -1
	if strings.TrimSpace(in.Benchmark) != "" {
		all, benchmark = toolkit.WithBenchmark(symbols, in.Benchmark)
	}
	series, err := toolkit.FetchSeries(ctx, d.Prices, all, sp)
	if err != nil {
		return assetUniverse{}, err
	}
	if err := toolkit.CheckDistinct(symbols, series); err != nil {
		return assetUniverse{}, fmt.Errorf("%w: %w", errInvalidInput, err)
	}
	u := assetUniverse{inputs: symbols}
	for _, s := range series[:len(symbols)] {
		u.names, u.latest = append(u.names, string(s.Symbol)), append(u.latest, s.Bars[len(s.Bars)-1])
	}
	return u.alignSeries(series, benchmark, sp)
}

// alignSeries brings the series of the assets, and of what comes after them, to common
// dates; benchmark is which of all is the market, -1 where none is.
func (u assetUniverse) alignSeries(series []market.Series, benchmark int, sp toolkit.Period) (assetUniverse, error) {
	l, err := toolkit.AlignSeries(series, sp)
	switch {
	case errors.Is(err, market.ErrNoData):
		return u, err
	case err != nil:
		return u, fmt.Errorf("%w: %w; leave it out", errInvalidInput, err)
	}
	u.warnings = append(u.warnings, l.Warnings...)
	for _, limit := range l.Limits {
		u.warnings = append(u.warnings, limit+": only the common window counts")
	}
	u.series, u.prices, u.interval = l.Series[:len(u.names)], l.Prices[:len(u.names)], l.Interval
	if benchmark >= 0 {
		u.benchmark, u.market = l.Prices[benchmark].Returns(), string(l.Series[benchmark].Symbol)
	}
	return u, nil
}

// checkCurrency refuses returns in several currencies, which would be weighed as if
// exchange rates stood still.
func (u *assetUniverse) checkCurrency() error {
	var currencies, without []string
	for _, s := range u.series {
		switch c := s.Provenance.Currency; {
		case c == "":
			without = append(without, string(s.Symbol))
		case u.currency == "":
			u.currency = c
		case u.currency != c:
			currencies = append(currencies, fmt.Sprintf("%s in %s", s.Symbol, c))
		}
	}
	if len(currencies) > 0 {
		return fmt.Errorf("%w: the assets are in several currencies: %s, the others in %s; choose listings in one currency, or convert the closes with fx_rate and give them as prices",
			errInvalidInput, strings.Join(currencies, ", "), u.currency)
	}
	if len(without) > 0 && u.currency != "" {
		u.warnings = append(u.warnings, fmt.Sprintf("no currency is known for %s: its returns are taken as if in %s", strings.Join(without, ", "), u.currency))
	}
	return nil
}

// withSample takes the returns of the common window.
func (u assetUniverse) withSample(in assetsInput) (assetUniverse, error) {
	if in.Frequency != 0 && (!(in.Frequency > 0) || in.Frequency > 1e5) {
		return u, fmt.Errorf("%w: frequency %v; it is 252 for daily closes, 52 for weekly, 12 for monthly", errInvalidInput, in.Frequency)
	}
	frequency := cmp.Or(in.Frequency, u.perYear())
	if warning := toolkit.AnnualizationWarning(toolkit.SeriesDates(u.series[0]), u.perYear(), in.Frequency); warning != "" {
		u.warnings = append(u.warnings, warning)
	}
	columns := make([][]float64, len(u.series))
	for i, s := range u.series {
		columns[i] = u.prices[i].Returns()
		if len(columns[i]) < 3 {
			return u, fmt.Errorf("%w: %d common closes, from %s to %s; ask for a longer range", market.ErrNoData, len(s.Bars), toolkit.FormatDate(s.Bars[0].Date), toolkit.FormatDate(u.asOf()))
		}
		if slices.Min(columns[i]) == slices.Max(columns[i]) {
			return u, fmt.Errorf("%w: the returns of %s do not vary, so that it would pass for safe; leave it out and keep cash apart", errInvalidInput, s.Symbol)
		}
	}
	u.gaps = analytics.Gaps(u.prices[0])
	var err error
	u.sample, err = optimize.NewSample(columns, frequency)
	return u, err
}

// perYear is how many closes of the window make a year: by their interval, or where
// that is none of the usual ones as many as there are.
func (u assetUniverse) perYear() float64 {
	dates := toolkit.SeriesDates(u.series[0])
	if years := toolkit.YearsSpanned(dates); u.interval == "" && years > 0 {
		return float64(len(dates)-1) / years
	}
	return toolkit.PeriodsPerYear(u.interval, dates)
}

// assetIndex is the asset that a text names.
func (u assetUniverse) assetIndex(text string) (int, error) {
	text = strings.TrimSpace(text)
	for i, name := range u.names {
		if strings.EqualFold(name, text) || strings.EqualFold(u.inputs[i], text) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%w: %.40q is none of the assets, which are %s", errInvalidInput, text, strings.Join(u.names, ", "))
}

// asOf is the last day of the window.
func (u assetUniverse) asOf() market.Date {
	bars := u.series[0].Bars
	return bars[len(bars)-1].Date
}

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

// maxPriceAge is how far back a close may lie for a purchase without a word of warning.
const maxPriceAge = 7 * 24 * time.Hour

// buyWholeShares lays the sum out in whole shares at the last closes.
func (p *optimization) buyWholeShares(now time.Time) error {
	prices := make([]decimal.Decimal, len(p.weights))
	for i, bar := range p.universe.latest {
		s := p.universe.series[i]
		if s.Kind == "index" && p.weights[i] != 0 {
			return fmt.Errorf("%w: %s is an index, of which there are no shares; leave sum out, or name a fund that follows it", errInvalidInput, s.Symbol)
		}
		if p.weights[i] < 0 {
			return fmt.Errorf("%w: %s has a weight below zero; whole shares are for what is bought, so leave sum out or negative weights", errInvalidInput, s.Symbol)
		}
		prices[i] = bar.Close
		if now.Sub(bar.Date) > maxPriceAge {
			p.universe.warnings = append(p.universe.warnings, fmt.Sprintf("the last close of %s is of %s, perhaps adjusted since: take today's price before buying", s.Symbol, toolkit.FormatDate(bar.Date)))
		}
	}
	bought, err := optimize.WholeShares(p.weights, prices, decimal.NewFromFloat(p.input.Sum))
	if err != nil {
		return err
	}
	p.purchase = &bought
	return nil
}
