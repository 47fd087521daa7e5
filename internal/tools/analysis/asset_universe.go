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

// assetUniverse holds the assets of a call over their common period.
type assetUniverse struct {
	names     []string
	inputs    []string // names in the call
	series    []market.Series
	prices    []analytics.Prices
	latest    []market.Bar // newest bar of each asset, which may be after the common period
	sample    optimize.Sample
	benchmark []float64 // returns of the benchmark; nil without one
	market    string
	interval  market.Interval
	gaps      []analytics.Gap
	currency  string
	warnings  []string
}

// loadUniverse fetches the assets of a call, or reads them from its prices.
func (d OptimizerDeps) loadUniverse(ctx context.Context, in assetsInput) (assetUniverse, error) {
	if (len(in.Symbols) > 0) == (in.Prices != nil) {
		return assetUniverse{}, fmt.Errorf("%w: use either symbols or prices", errInvalidInput)
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

// fetchAligned fetches the series of the symbols and the benchmark and cuts them to their common dates.
func (d OptimizerDeps) fetchAligned(ctx context.Context, in assetsInput) (assetUniverse, error) {
	sp, err := toolkit.ParsePeriod(in.Range, in.From, in.To, "5y")
	if err != nil {
		return assetUniverse{}, fmt.Errorf("%w: %w", errInvalidInput, err)
	}
	symbols := toolkit.ParseSymbols(in.Symbols, "")
	if len(symbols) < minAssets || len(symbols) > maxFetched {
		return assetUniverse{}, fmt.Errorf("%w: need %[3]d to %[4]d different symbols, got %[2]d", errInvalidInput, len(symbols), minAssets, maxFetched)
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

// alignSeries cuts series to common dates: the assets first, then the benchmark if it is not one of
// them. benchmark is its index, or -1 for none.
func (u assetUniverse) alignSeries(series []market.Series, benchmark int, sp toolkit.Period) (assetUniverse, error) {
	l, err := toolkit.AlignSeries(series, sp)
	switch {
	case errors.Is(err, market.ErrNoData):
		return u, err
	case err != nil:
		return u, fmt.Errorf("%w: %w; remove it", errInvalidInput, err)
	}
	u.warnings = append(u.warnings, l.Warnings...)
	for _, limit := range l.Limits {
		u.warnings = append(u.warnings, limit+": only the common period is used")
	}
	u.series, u.prices, u.interval = l.Series[:len(u.names)], l.Prices[:len(u.names)], l.Interval
	if benchmark >= 0 {
		u.benchmark, u.market = l.Prices[benchmark].Returns(), string(l.Series[benchmark].Symbol)
	}
	return u, nil
}

// checkCurrency returns an error for assets in several currencies, because their returns would ignore
// exchange rates.
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
		return fmt.Errorf("%w: assets are in different currencies: %s, the others in %s; choose listings in one currency, or convert closes with fx_rate and pass them as prices",
			errInvalidInput, strings.Join(currencies, ", "), u.currency)
	}
	if len(without) > 0 && u.currency != "" {
		u.warnings = append(u.warnings, fmt.Sprintf("the currency of %s is unknown; treated as %s", strings.Join(without, ", "), u.currency))
	}
	return nil
}

// withSample computes the returns of the common period.
func (u assetUniverse) withSample(in assetsInput) (assetUniverse, error) {
	if in.Frequency != 0 && (!(in.Frequency > 0) || in.Frequency > 1e5) {
		return u, fmt.Errorf("%w: frequency %v is out of range; use 252 for daily closes, 52 for weekly, 12 for monthly", errInvalidInput, in.Frequency)
	}
	frequency := cmp.Or(in.Frequency, u.perYear())
	if warning := toolkit.AnnualizationWarning(toolkit.SeriesDates(u.series[0]), u.perYear(), in.Frequency); warning != "" {
		u.warnings = append(u.warnings, warning)
	}
	columns := make([][]float64, len(u.series))
	for i, s := range u.series {
		columns[i] = u.prices[i].Returns()
		if len(columns[i]) < 3 {
			return u, fmt.Errorf("%w: only %d common closes, from %s to %s; use a longer range", market.ErrNoData, len(s.Bars), toolkit.FormatDate(s.Bars[0].Date), toolkit.FormatDate(u.asOf()))
		}
		if slices.Min(columns[i]) == slices.Max(columns[i]) {
			return u, fmt.Errorf("%w: the returns of %s do not vary, so it would look risk-free; remove it and treat cash separately", errInvalidInput, s.Symbol)
		}
	}
	u.gaps = analytics.Gaps(u.prices[0])
	var err error
	u.sample, err = optimize.NewSample(columns, frequency)
	return u, err
}

// perYear returns the number of closes per year: by their interval, or if that is unusual their actual
// number.
func (u assetUniverse) perYear() float64 {
	dates := toolkit.SeriesDates(u.series[0])
	if years := toolkit.YearsSpanned(dates); u.interval == "" && years > 0 {
		return float64(len(dates)-1) / years
	}
	return toolkit.PeriodsPerYear(u.interval, dates)
}

// assetIndex returns the index of the asset that text names.
func (u assetUniverse) assetIndex(text string) (int, error) {
	text = strings.TrimSpace(text)
	for i, name := range u.names {
		if strings.EqualFold(name, text) || strings.EqualFold(u.inputs[i], text) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%w: %.40q is not one of the assets: %s", errInvalidInput, text, strings.Join(u.names, ", "))
}

// asOf returns the last day of the common period.
func (u assetUniverse) asOf() market.Date {
	bars := u.series[0].Bars
	return bars[len(bars)-1].Date
}

// suppliedUniverse returns the assets from the closes in the call.
func (in assetsInput) suppliedUniverse() (assetUniverse, error) {
	t := *in.Prices
	if in.Range != "" || in.From != "" || in.To != "" {
		return assetUniverse{}, fmt.Errorf("%w: range, from and to work only with symbols; shorten prices instead", errInvalidInput)
	}
	currency, err := toolkit.ParseCurrency(t.Currency)
	if err != nil {
		return assetUniverse{}, fmt.Errorf("%w: %w", errInvalidInput, err)
	}
	names := slices.Sorted(maps.Keys(t.Series))
	if len(names) > maxGiven+1 || len(t.Dates) > maxDates {
		return assetUniverse{}, fmt.Errorf("%w: prices has %d assets and %d dates; the limits are %d and %d", errInvalidInput, len(names), len(t.Dates), maxGiven, maxDates)
	}
	benchmark := strings.TrimSpace(in.Benchmark)
	if at := slices.Index(names, benchmark); at >= 0 {
		names = append(slices.Delete(names, at, at+1), benchmark)
	} else if benchmark != "" {
		return assetUniverse{}, fmt.Errorf("%w: benchmark %.40q is not in prices", errInvalidInput, benchmark)
	}
	series, skipped, err := t.suppliedSeries(names, currency)
	if err != nil {
		return assetUniverse{}, err
	}
	u := assetUniverse{}
	if skipped > 0 {
		u.warnings = append(u.warnings, fmt.Sprintf("dropped %d of %d dates on which not all assets have a close", skipped, len(t.Dates)))
	}
	assets, last := len(names), -1
	if benchmark != "" {
		assets, last = assets-1, assets-1
	}
	if assets < minAssets {
		return assetUniverse{}, fmt.Errorf("%w: prices needs at least %[3]d assets, got %[2]d", errInvalidInput, assets, minAssets)
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
		return u, fmt.Errorf("%w: the dates are neither daily, weekly nor monthly; set frequency to the number of periods a year", errInvalidInput)
	}
	return u, nil
}

// suppliedSeries returns a series for each name, with the dates on which all of them have a close.
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
		return nil, 0, fmt.Errorf("%w: no date on which all assets have a close", errInvalidInput)
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

// checkName returns an error for a name that is empty or too long for a table.
func checkName(text string) error {
	if n := utf8.RuneCountInString(text); strings.TrimSpace(text) == "" || n > maxNameLength {
		return fmt.Errorf("%w: invalid name %.40q; use 1 to %d characters", errInvalidInput, text, maxNameLength)
	}
	return nil
}

// maxPriceAge is the maximum age of a close used for a purchase without a warning.
const maxPriceAge = 7 * 24 * time.Hour

// buyWholeShares divides the sum into whole shares at the last closes.
func (p *optimization) buyWholeShares(now time.Time) error {
	prices := make([]decimal.Decimal, len(p.weights))
	for i, bar := range p.universe.latest {
		s := p.universe.series[i]
		if s.Kind == "index" && p.weights[i] != 0 {
			return fmt.Errorf("%w: %s is an index and has no shares; omit sum or use a fund that tracks it", errInvalidInput, s.Symbol)
		}
		if p.weights[i] < 0 {
			return fmt.Errorf("%w: %s has a negative weight, which whole shares do not support; omit sum or negative weights", errInvalidInput, s.Symbol)
		}
		prices[i] = bar.Close
		if now.Sub(bar.Date) > maxPriceAge {
			p.universe.warnings = append(p.universe.warnings, fmt.Sprintf("the last close of %s is from %s and may have been adjusted since: check today's price before buying", s.Symbol, toolkit.FormatDate(bar.Date)))
		}
	}
	bought, err := optimize.WholeShares(p.weights, prices, decimal.NewFromFloat(p.input.Sum))
	if err != nil {
		return err
	}
	p.purchase = &bought
	return nil
}
