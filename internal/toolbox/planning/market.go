package planning

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nfa-cli/nfa/internal/analytics/simulation"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// futures says where possible futures come from.
type futures struct {
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

// world is a market that futures come from, in words and with its origin.
type world struct {
	market   simulation.Market
	options  simulation.Options
	method   string
	words    []string
	warnings []string
	growth   float64 // of a year, for what is worked out without chance
	source   string
	asOf     time.Time
	begins   time.Time       // the day of the call: the first of a plan's years
	origin   *present.Origin // nil where nothing was fetched
}

// errWorld marks arguments that make no market.
var errWorld = errors.New("not a market")

const (
	normal     = "normal"
	bootstrap  = "bootstrap"
	historical = "historical"
)

// worldOf reads a market. Errors of arguments wrap errWorld or question.ErrSpan.
func (d Deps) worldOf(ctx context.Context, in futures, tool string) (world, error) {
	w := world{method: in.Method, source: tool, begins: d.today(), options: simulation.Options{Paths: in.Paths, Seed: max(in.Seed, 1)}}
	if w.method == "" {
		w.method = bootstrap
		if in.Mean != nil || in.Vol != nil {
			w.method = normal
		}
	}
	if err := in.check(w.method); err != nil {
		return w, err
	}
	if w.method == normal {
		w.normal(in)
		return w, nil
	}
	past, err := d.past(ctx, in, &w)
	if err != nil {
		return w, err
	}
	w.growth = yearly(past)
	if w.method == historical {
		w.market = simulation.Sequences{Past: past}
		w.words = append(w.words, "the past from every start that leaves enough years; the paths overlap")
		return w, nil
	}
	block := in.Block
	if block == 0 {
		block = past.PerYear
	}
	w.market = simulation.Bootstrap{Past: past, Block: block}
	w.words = append(w.words, fmt.Sprintf("blocks of %d periods drawn from the past, seed %d", block, w.options.Seed))
	return w, nil
}

// check refuses what the method would pass over: an argument without effect is one
// that was misunderstood.
func (in futures) check(method string) error {
	switch {
	case method != normal && method != bootstrap && method != historical:
		return fmt.Errorf("%w: method %.20q: it is normal, bootstrap or historical", errWorld, method)
	case in.Paths < 0:
		return fmt.Errorf("%w: %d paths; leave them out for 10,000", errWorld, in.Paths)
	case method == historical && in.Paths > 0:
		return fmt.Errorf("%w: historical has as many paths as the past has starts; leave paths out", errWorld)
	case method != bootstrap && in.Block != 0:
		return fmt.Errorf("%w: block_periods belongs to the method bootstrap", errWorld)
	case in.PerYear != 0 && len(in.Returns) == 0:
		return fmt.Errorf("%w: periods_per_year belongs to returns", errWorld)
	case in.Range != "" && in.Symbol == "":
		return fmt.Errorf("%w: range belongs to symbol", errWorld)
	case method == normal && (in.Mean == nil || in.Vol == nil || in.Symbol != "" || len(in.Returns) > 0):
		return fmt.Errorf("%w: the method normal takes mean_return and volatility, both, and no symbol or returns", errWorld)
	case method != normal && (in.Mean != nil || in.Vol != nil):
		return fmt.Errorf("%w: mean_return and volatility belong to the method normal", errWorld)
	}
	return nil
}

func (w *world) normal(in futures) {
	w.market, w.growth = simulation.Normal{Mean: *in.Mean, Deviation: *in.Vol}, *in.Mean
	w.words = []string{
		fmt.Sprintf("each year drawn for itself: mean %s, standard deviation %s, 1 + r lognormal, seed %d", percentText(*in.Mean), percentText(*in.Vol), w.options.Seed),
		"mean and volatility are assumptions of the caller",
	}
}
