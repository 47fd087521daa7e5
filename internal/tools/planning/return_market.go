package planning

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nfa-cli/nfa/internal/analytics/simulate"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// marketInput says where possible futures come from.
type marketInput struct {
	Method  string    `json:"method,omitempty" jsonschema:"normal (mean_return and volatility), bootstrap (blocks of the past) or historical (the past from every start); normal where those two are given, else bootstrap"`
	Mean    *float64  `json:"mean_return,omitempty" jsonschema:"normal: arithmetic mean a year, a fraction, before inflation, fee and tax"`
	Vol     *float64  `json:"volatility,omitempty" jsonschema:"normal: standard deviation of a year, a fraction; 0 for no chance"`
	Symbol  string    `json:"symbol,omitempty" jsonschema:"bootstrap, historical: the instrument whose past is played, by months"`
	Range   string    `json:"range,omitempty" jsonschema:"of the symbol's past: 20y; max when left out"`
	Returns []float64 `json:"returns,omitempty" jsonschema:"bootstrap, historical: returns of your own, oldest first, as fractions, instead of symbol"`
	PerYear int       `json:"periods_per_year,omitempty" jsonschema:"of returns: 1 for yearly, 12 for monthly, 252 for daily; 1 when left out"`
	Block   int       `json:"block_periods,omitempty" jsonschema:"bootstrap: length of a block, in months of a symbol's past or in periods of returns; a year when left out"`
	Paths   int       `json:"paths,omitempty" jsonschema:"normal, bootstrap: 10,000 when left out, at most 200,000; historical has as many as the past has starts"`
	Seed    uint64    `json:"seed,omitempty" jsonschema:"normal, bootstrap: the same one gives the same futures; 1 when left out"`
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

// loadMarket reads a market. Errors of arguments wrap errInvalidMarket or question.ErrSpan.
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
