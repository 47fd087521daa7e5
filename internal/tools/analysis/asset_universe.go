package analysis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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
