package allocation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/analytics/allocation"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/toolbox/lineup"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// universe are the assets of a call over their common window.
type universe struct {
	names     []string
	asked     []string // what the call named them by
	series    []market.Series
	prices    []analytics.Prices
	latest    []market.Bar // the newest close of each, aligned or not
	sample    allocation.Sample
	benchmark []float64 // returns of the market, nil where none was named
	market    string
	interval  market.Interval
	gaps      []analytics.Gap
	currency  string
	warnings  []string
}

// universe fetches or reads the assets that a call is about.
func (d Deps) universe(ctx context.Context, in assetsInput) (universe, error) {
	if (len(in.Symbols) > 0) == (in.Prices != nil) {
		return universe{}, fmt.Errorf("%w: give either symbols or prices", errAsked)
	}
	var u universe
	var err error
	if in.Prices != nil {
		u, err = in.read()
	} else {
		u, err = d.fetch(ctx, in)
	}
	if err != nil {
		return universe{}, err
	}
	if err := u.oneCurrency(); err != nil {
		return universe{}, err
	}
	return u.sampled(in)
}

// fetch brings the series of symbols, and of a benchmark, to their common dates.
func (d Deps) fetch(ctx context.Context, in assetsInput) (universe, error) {
	sp, err := question.ParseSpan(in.Range, in.From, in.To, "5y")
	if err != nil {
		return universe{}, fmt.Errorf("%w: %w", errAsked, err)
	}
	asked := question.Symbols(in.Symbols, "")
	if len(asked) < fewestAssets || len(asked) > mostFetched {
		return universe{}, fmt.Errorf("%w: %d symbols; name %d to %d different ones", errAsked, len(asked), fewestAssets, mostFetched)
	}
	all, benchmark := asked, -1
	if strings.TrimSpace(in.Benchmark) != "" {
		all, benchmark = lineup.Beside(asked, in.Benchmark)
	}
	series, err := lineup.Fetch(ctx, d.Prices, all, sp)
	if err != nil {
		return universe{}, err
	}
	if err := lineup.Twice(asked, series); err != nil {
		return universe{}, fmt.Errorf("%w: %w", errAsked, err)
	}
	u := universe{asked: asked}
	for _, s := range series[:len(asked)] {
		u.names, u.latest = append(u.names, string(s.Symbol)), append(u.latest, s.Bars[len(s.Bars)-1])
	}
	return u.aligned(series, benchmark, sp)
}

// aligned brings the series of the assets, and of what comes after them, to common
// dates; benchmark is which of all is the market, -1 where none is.
func (u universe) aligned(series []market.Series, benchmark int, sp question.Span) (universe, error) {
	l, err := lineup.Align(series, sp)
	switch {
	case errors.Is(err, market.ErrNoData):
		return u, err
	case err != nil:
		return u, fmt.Errorf("%w: %w; leave it out", errAsked, err)
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

// oneCurrency refuses returns in several currencies, which would be weighed as if
// exchange rates stood still.
func (u *universe) oneCurrency() error {
	var said, without []string
	for _, s := range u.series {
		switch c := s.Provenance.Currency; {
		case c == "":
			without = append(without, string(s.Symbol))
		case u.currency == "":
			u.currency = c
		case u.currency != c:
			said = append(said, fmt.Sprintf("%s in %s", s.Symbol, c))
		}
	}
	if len(said) > 0 {
		return fmt.Errorf("%w: the assets are in several currencies: %s, the others in %s; choose listings in one currency, or convert the closes with fx_rate and give them as prices",
			errAsked, strings.Join(said, ", "), u.currency)
	}
	if len(without) > 0 && u.currency != "" {
		u.warnings = append(u.warnings, fmt.Sprintf("no currency is known for %s: its returns are taken as if in %s", strings.Join(without, ", "), u.currency))
	}
	return nil
}

// sampled takes the returns of the common window.
func (u universe) sampled(in assetsInput) (universe, error) {
	if in.Frequency != 0 && (!(in.Frequency > 0) || in.Frequency > 1e5) {
		return u, fmt.Errorf("%w: frequency %v; it is 252 for daily closes, 52 for weekly, 12 for monthly", errAsked, in.Frequency)
	}
	frequency := cmp.Or(in.Frequency, u.perYear())
	if said := lineup.Pace(lineup.Dates(u.series[0]), u.perYear(), in.Frequency); said != "" {
		u.warnings = append(u.warnings, said)
	}
	columns := make([][]float64, len(u.series))
	for i, s := range u.series {
		columns[i] = u.prices[i].Returns()
		if len(columns[i]) < 3 {
			return u, fmt.Errorf("%w: %d common closes, from %s to %s; ask for a longer range", market.ErrNoData, len(s.Bars), present.Dated(s.Bars[0].Date), present.Dated(u.asOf()))
		}
		if slices.Min(columns[i]) == slices.Max(columns[i]) {
			return u, fmt.Errorf("%w: the returns of %s do not vary, so that it would pass for safe; leave it out and keep cash apart", errAsked, s.Symbol)
		}
	}
	u.gaps = analytics.Gaps(u.prices[0])
	var err error
	u.sample, err = allocation.NewSample(columns, frequency)
	return u, err
}

// perYear is how many closes of the window make a year: by their interval, or where
// that is none of the usual ones as many as there are.
func (u universe) perYear() float64 {
	dates := lineup.Dates(u.series[0])
	if years := lineup.Years(dates); u.interval == "" && years > 0 {
		return float64(len(dates)-1) / years
	}
	return lineup.PeriodsPerYear(u.interval, dates)
}

// index is the asset that a text names.
func (u universe) index(text string) (int, error) {
	text = strings.TrimSpace(text)
	for i, name := range u.names {
		if strings.EqualFold(name, text) || strings.EqualFold(u.asked[i], text) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%w: %.40q is none of the assets, which are %s", errAsked, text, strings.Join(u.names, ", "))
}

// asOf is the last day of the window.
func (u universe) asOf() market.Date {
	bars := u.series[0].Bars
	return bars[len(bars)-1].Date
}
