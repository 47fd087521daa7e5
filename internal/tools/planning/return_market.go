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
const marketDetails = `The method is normal if mean_return and volatility are given, else bootstrap. normal draws each year from mean_return (arithmetic mean, before inflation, fee and tax) and volatility (annual standard deviation). bootstrap draws blocks of past monthly returns of symbol, or of returns (fractions, oldest first). historical starts at every month or period of that past, so the number of starts is the number of paths, and paths does not apply. block_periods counts months of a symbol's past, or periods of returns. The same seed gives the same result.

inflation, fee, tax_on_gains and contribution_raise are annual fractions (default 0). fee is a fraction of the balance, tax_on_gains the fraction of each year's gain paid as tax, and contribution_raise a raise on top of inflation. The default of success_probability is 0.9.`

// marketInput defines where simulated returns come from.
type marketInput struct {
	Method  string    `json:"method,omitempty" arg:"rare" jsonschema:"normal, bootstrap or historical. Default: by the inputs."`
	Mean    *float64  `json:"mean_return,omitempty" jsonschema:"Nominal: 0.06."`
	Vol     *float64  `json:"volatility,omitempty" jsonschema:"Annual: 0.15."`
	Symbol  string    `json:"symbol,omitempty" arg:"explain" jsonschema:"Or a symbol, to use its past returns."`
	Range   string    `json:"range,omitempty" arg:"rare" jsonschema:"Past of symbol to use, such as 20y. Default max."`
	Returns []float64 `json:"returns,omitempty" arg:"rare" jsonschema:"bootstrap, historical: your own returns instead of symbol."`
	PerYear int       `json:"periods_per_year,omitempty" arg:"rare" jsonschema:"Of returns: 1 yearly, 12 monthly, 252 daily. Default 1."`
	Block   int       `json:"block_periods,omitempty" arg:"rare" jsonschema:"bootstrap: length of a block in periods. Default: a year."`
	Paths   int       `json:"paths,omitempty" arg:"rare" jsonschema:"Simulated futures, at most 200000. Default 10000."`
	Seed    uint64    `json:"seed,omitempty" arg:"rare" jsonschema:"The same seed gives the same futures. Default 1."`
}

// returnMarket is a source of simulated returns, with its description and origin.
type returnMarket struct {
	market      simulate.ReturnModel
	options     simulate.SimulationOptions
	method      string
	assumptions []string
	warnings    []string
	growth      float64 // annual, for the calculation with a constant return
	asOf        time.Time
	start       time.Time       // the day of the call, when the plan starts
	origin      *toolkit.Origin // nil if nothing was fetched
}

// errInvalidMarket marks arguments that do not define a market.
var errInvalidMarket = errors.New("invalid return assumptions")

const (
	methodNormal     = "normal"
	methodBootstrap  = "bootstrap"
	methodHistorical = "historical"
)

// loadMarket builds a market. Errors of arguments wrap errInvalidMarket or toolkit.ErrPeriod.
func (d Deps) loadMarket(ctx context.Context, in marketInput) (returnMarket, error) {
	w := returnMarket{method: in.Method, start: d.Today(), options: simulate.SimulationOptions{Paths: in.Paths, Seed: max(in.Seed, 1)}}
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
		w.assumptions = append(w.assumptions, "the past from every starting date with enough years; the paths overlap")
		return w, nil
	}
	block := in.Block
	if block == 0 {
		block = past.PerYear
	}
	w.market = simulate.BlockBootstrap{PastReturns: past, Block: block}
	w.assumptions = append(w.assumptions, fmt.Sprintf("blocks of %d periods drawn from past returns, seed %d", block, w.options.Seed))
	return w, nil
}

// check rejects arguments that the method ignores, because the caller expects them to have an
// effect.
func (in marketInput) check(method string) error {
	switch {
	case method != methodNormal && method != methodBootstrap && method != methodHistorical:
		return fmt.Errorf("%w: unknown method %.20q; use normal, bootstrap or historical", errInvalidMarket, method)
	case in.Paths < 0:
		return fmt.Errorf("%w: %d paths is invalid; the default is 10,000", errInvalidMarket, in.Paths)
	case method == methodHistorical && in.Paths > 0:
		return fmt.Errorf("%w: historical uses every starting date of the past; omit paths", errInvalidMarket)
	case method != methodBootstrap && in.Block != 0:
		return fmt.Errorf("%w: block_periods applies only to method bootstrap", errInvalidMarket)
	case in.PerYear != 0 && len(in.Returns) == 0:
		return fmt.Errorf("%w: periods_per_year applies only to returns", errInvalidMarket)
	case in.Range != "" && in.Symbol == "":
		return fmt.Errorf("%w: range applies only to symbol", errInvalidMarket)
	case method == methodNormal && (in.Mean == nil || in.Vol == nil || in.Symbol != "" || len(in.Returns) > 0):
		return fmt.Errorf("%w: method normal takes both mean_return and volatility, and no symbol or returns", errInvalidMarket)
	case method != methodNormal && (in.Mean != nil || in.Vol != nil):
		return fmt.Errorf("%w: mean_return and volatility apply only to method normal", errInvalidMarket)
	}
	return nil
}

func (w *returnMarket) setNormal(in marketInput) {
	w.market, w.growth = simulate.NormalReturns{Mean: *in.Mean, Deviation: *in.Vol}, *in.Mean
	w.assumptions = []string{
		fmt.Sprintf("each year drawn independently: mean %s, standard deviation %s, 1 + r lognormal, seed %d", formatPercent(*in.Mean), formatPercent(*in.Vol), w.options.Seed),
		"mean and volatility are assumptions given in the call",
	}
}

// loadPast returns the past returns that a call names.
func (d Deps) loadPast(ctx context.Context, in marketInput, w *returnMarket) (simulate.PastReturns, error) {
	symbol := strings.TrimSpace(in.Symbol)
	switch {
	case (symbol == "") == (len(in.Returns) == 0):
		return simulate.PastReturns{}, fmt.Errorf("%w: set mean_return and volatility, or symbol, or returns", errInvalidMarket)
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
		return simulate.PastReturns{}, fmt.Errorf("%w: %s has fewer than two month ends in the range; choose a longer range", errInvalidMarket, series.Symbol)
	}
	origin := toolkit.OriginOf(series.Provenance, toolkit.ReturnKind(series.Instrument, series.Provenance.Adjustment))
	w.origin, w.asOf, w.warnings = &origin, series.Bars[n-1].Date, warnings
	w.assumptions = append(w.assumptions, fmt.Sprintf("%d monthly returns of %s, %s to %s", n-1, series.Symbol, toolkit.FormatDate(series.Bars[0].Date), toolkit.FormatDate(series.Bars[n-1].Date)))
	return simulate.PastReturns{Returns: prices.Returns(), PerYear: 12}, nil
}

// maxReturns limits the returns given in a call.
const maxReturns = 50_000

// suppliedPast returns the past returns given in the call.
func (w *returnMarket) suppliedPast(in marketInput) (simulate.PastReturns, error) {
	per := in.PerYear
	if per == 0 {
		per = 1
	}
	if len(in.Returns) > maxReturns {
		return simulate.PastReturns{}, fmt.Errorf("%w: %d returns; use at most %d", errInvalidMarket, len(in.Returns), maxReturns)
	}
	if most := slices.Max(in.Returns); most > 1 {
		w.warnings = append(w.warnings, fmt.Sprintf("one return is %s: returns are fractions; write 0.07 for 7%%", formatPercent(most)))
	}
	w.assumptions = append(w.assumptions, fmt.Sprintf("%d returns given in the call, %d per year", len(in.Returns), per))
	return simulate.PastReturns{Returns: in.Returns, PerYear: per}, nil
}

// annualGrowth returns the compound annual growth of past returns.
func annualGrowth(p simulate.PastReturns) float64 {
	grown := 1.0
	for _, r := range p.Returns {
		grown *= 1 + r
	}
	return simulate.AnnualGrowth(grown, float64(len(p.Returns))/float64(p.PerYear))
}
