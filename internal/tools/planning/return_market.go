package planning

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/analytics/simulate"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// marketDetails describes marketInput.
const marketDetails = `The method is normal if mean_return and volatility are given, else bootstrap. normal draws each year from mean_return (arithmetic mean, before inflation, fee and tax) and volatility (annual standard deviation). bootstrap draws blocks of the past of symbol, by months, or of returns: fractions, oldest first. historical starts at every month or period of that past, so it has as many paths as the past has starts, and paths does not apply. block_periods counts months of a symbol's past, or periods of returns. The same seed gives the same result.

inflation, fee, tax_on_gains and contribution_raise are annual fractions, 0 by default. fee is a fraction of the balance, tax_on_gains the part of each year's gain that is paid as tax, and contribution_raise a raise on top of inflation. success_probability is 0.9 by default.`

// marketInput says where possible futures come from.
type marketInput struct {
	Method  string    `json:"method,omitempty" arg:"rare" jsonschema:"normal, bootstrap or historical. Default from the inputs."`
	Mean    *float64  `json:"mean_return,omitempty" jsonschema:"Nominal: 0.06."`
	Vol     *float64  `json:"volatility,omitempty" jsonschema:"Annual: 0.15."`
	Symbol  string    `json:"symbol,omitempty" arg:"explain" jsonschema:"Or a symbol whose past returns are used."`
	Range   string    `json:"range,omitempty" arg:"rare" jsonschema:"Of the past of symbol, such as 20y. Default max."`
	Returns []float64 `json:"returns,omitempty" arg:"rare" jsonschema:"bootstrap, historical: own returns instead of symbol."`
	PerYear int       `json:"periods_per_year,omitempty" arg:"rare" jsonschema:"Of returns: 1 yearly, 12 monthly, 252 daily. Default 1."`
	Block   int       `json:"block_periods,omitempty" arg:"rare" jsonschema:"bootstrap: length of a block in periods. Default a year."`
	Paths   int       `json:"paths,omitempty" arg:"rare" jsonschema:"Simulated futures, at most 200000. Default 10000."`
	Seed    uint64    `json:"seed,omitempty" arg:"rare" jsonschema:"The same seed gives the same futures. Default 1."`
}

// returnMarket is a market that futures come from, in words and with its origin.
type returnMarket struct {
	market      simulate.ReturnModel
	options     simulate.SimulationOptions
	method      string
	assumptions []string
	warnings    []string
	growth      float64 // of a year, for what is worked out without chance
	source      string
	asOf        time.Time
	start       time.Time       // the day of the call: the first of a plan's years
	origin      *toolkit.Origin // nil where nothing was fetched
}

// errInvalidMarket marks arguments that make no market.
var errInvalidMarket = errors.New("not a market")

const (
	methodNormal     = "normal"
	methodBootstrap  = "bootstrap"
	methodHistorical = "historical"
)

// loadMarket reads a market. Errors of arguments wrap errInvalidMarket or toolkit.ErrPeriod.
func (d Deps) loadMarket(ctx context.Context, in marketInput, tool string) (returnMarket, error) {
	w := returnMarket{method: in.Method, source: tool, start: d.today(), options: simulate.SimulationOptions{Paths: in.Paths, Seed: max(in.Seed, 1)}}
	if w.method == "" {
		w.method = methodBootstrap
		if in.Mean != nil || in.Vol != nil {
			w.method = methodNormal
		}
	}
	if err := in.check(w.method); err != nil {
		return w, err
	}
	if w.method == methodNormal {
		w.setNormal(in)
		return w, nil
	}
	past, err := d.loadPast(ctx, in, &w)
	if err != nil {
		return w, err
	}
	w.growth = annualGrowth(past)
	if w.method == methodHistorical {
		w.market = simulate.HistoricalSequences{PastReturns: past}
		w.assumptions = append(w.assumptions, "the past from every start that leaves enough years; the paths overlap")
		return w, nil
	}
	block := in.Block
	if block == 0 {
		block = past.PerYear
	}
	w.market = simulate.BlockBootstrap{PastReturns: past, Block: block}
	w.assumptions = append(w.assumptions, fmt.Sprintf("blocks of %d periods drawn from the past, seed %d", block, w.options.Seed))
	return w, nil
}

// check refuses what the method would pass over: an argument without effect is one
// that was misunderstood.
func (in marketInput) check(method string) error {
	switch {
	case method != methodNormal && method != methodBootstrap && method != methodHistorical:
		return fmt.Errorf("%w: method %.20q: it is normal, bootstrap or historical", errInvalidMarket, method)
	case in.Paths < 0:
		return fmt.Errorf("%w: %d paths; leave them out for 10,000", errInvalidMarket, in.Paths)
	case method == methodHistorical && in.Paths > 0:
		return fmt.Errorf("%w: historical has as many paths as the past has starts; leave paths out", errInvalidMarket)
	case method != methodBootstrap && in.Block != 0:
		return fmt.Errorf("%w: block_periods belongs to the method bootstrap", errInvalidMarket)
	case in.PerYear != 0 && len(in.Returns) == 0:
		return fmt.Errorf("%w: periods_per_year belongs to returns", errInvalidMarket)
	case in.Range != "" && in.Symbol == "":
		return fmt.Errorf("%w: range belongs to symbol", errInvalidMarket)
	case method == methodNormal && (in.Mean == nil || in.Vol == nil || in.Symbol != "" || len(in.Returns) > 0):
		return fmt.Errorf("%w: the method normal takes mean_return and volatility, both, and no symbol or returns", errInvalidMarket)
	case method != methodNormal && (in.Mean != nil || in.Vol != nil):
		return fmt.Errorf("%w: mean_return and volatility belong to the method normal", errInvalidMarket)
	}
	return nil
}

func (w *returnMarket) setNormal(in marketInput) {
	w.market, w.growth = simulate.NormalReturns{Mean: *in.Mean, Deviation: *in.Vol}, *in.Mean
	w.assumptions = []string{
		fmt.Sprintf("each year drawn for itself: mean %s, standard deviation %s, 1 + r lognormal, seed %d", formatPercent(*in.Mean), formatPercent(*in.Vol), w.options.Seed),
		"mean and volatility are assumptions of the caller",
	}
}

// loadPast is the history that a call names.
func (d Deps) loadPast(ctx context.Context, in marketInput, w *returnMarket) (simulate.PastReturns, error) {
	symbol := strings.TrimSpace(in.Symbol)
	switch {
	case (symbol == "") == (len(in.Returns) == 0):
		return simulate.PastReturns{}, fmt.Errorf("%w: give mean_return and volatility, or either symbol or returns", errInvalidMarket)
	case symbol == "":
		return w.suppliedPast(in)
	}
	sp, err := toolkit.ParsePeriod(in.Range, "", "", "max")
	if err != nil {
		return simulate.PastReturns{}, err
	}
	series, warnings, err := d.totalReturnSeries(ctx, symbol, sp)
	if err != nil {
		return simulate.PastReturns{}, err
	}
	series = toolkit.ToMonthEnds(series)
	prices, err := analytics.NewPrices(series)
	if err != nil {
		return simulate.PastReturns{}, fmt.Errorf("%s: %w", series.Symbol, err)
	}
	n := len(series.Bars)
	if n < 2 {
		return simulate.PastReturns{}, fmt.Errorf("%w: %s has no two month ends in the range; take a longer one", errInvalidMarket, series.Symbol)
	}
	origin := toolkit.OriginOf(series.Provenance, toolkit.ReturnKind(series.Instrument, series.Provenance.Adjustment))
	w.origin, w.source, w.asOf, w.warnings = &origin, origin.Source, series.Bars[n-1].Date, warnings
	w.assumptions = append(w.assumptions, fmt.Sprintf("%d monthly returns of %s, %s to %s", n-1, series.Symbol, toolkit.FormatDate(series.Bars[0].Date), toolkit.FormatDate(series.Bars[n-1].Date)))
	return simulate.PastReturns{Returns: prices.Returns(), PerYear: 12}, nil
}

// maxReturns bounds a past that comes with a call.
const maxReturns = 50_000

// suppliedPast is a past that came with the call.
func (w *returnMarket) suppliedPast(in marketInput) (simulate.PastReturns, error) {
	per := in.PerYear
	if per == 0 {
		per = 1
	}
	if len(in.Returns) > maxReturns {
		return simulate.PastReturns{}, fmt.Errorf("%w: %d returns; give at most %d", errInvalidMarket, len(in.Returns), maxReturns)
	}
	if most := slices.Max(in.Returns); most > 1 {
		w.warnings = append(w.warnings, fmt.Sprintf("a return of %s is among them: returns are fractions, 0.07 for 7 %%", formatPercent(most)))
	}
	w.assumptions = append(w.assumptions, fmt.Sprintf("%d returns of the caller's, %d a year", len(in.Returns), per))
	return simulate.PastReturns{Returns: in.Returns, PerYear: per}, nil
}

// annualGrowth is the compound growth a year of a past.
func annualGrowth(p simulate.PastReturns) float64 {
	grown := 1.0
	for _, r := range p.Returns {
		grown *= 1 + r
	}
	return simulate.AnnualGrowth(grown, float64(len(p.Returns))/float64(p.PerYear))
}
