package statistics

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/drawing"
	"github.com/nfa-cli/nfa/internal/toolbox/lineup"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

type chartInput struct {
	Symbols []string `json:"symbols,omitempty" jsonschema:"1 to 6 ticker symbols such as AAPL or ^GSPC, in any case"`
	Symbol  string   `json:"symbol,omitempty" jsonschema:"the symbols as one text, separated by commas; instead of symbols"`
	Kind    string   `json:"kind,omitempty" jsonschema:"line (closes), candles (with volume), drawdown, histogram (of returns) or compare (several, each 100 at the start); line when left out, compare for several symbols"`
	Range   string   `json:"range,omitempty" jsonschema:"1m, 6m, 1y, 5y, 10y, ytd or max, counted back from the last close; 1y when neither this nor from and to are given"`
	From    string   `json:"from,omitempty" jsonschema:"first day, YYYY-MM-DD; a year or a month means its first day; not together with range"`
	To      string   `json:"to,omitempty" jsonschema:"last day, YYYY-MM-DD; a year or a month means its last day; not together with range"`
}

const chartDescription = `Draws a chart of prices on the user's screen: closes, candles with volume, drawdown, histogram of returns, or several instruments against each other.
Use it when the user wants to see a chart. It gives you no prices: for figures call price_history, returns_stats or compare_assets, which show their charts as well once the user opens them.
Say what is drawn, the source, and every warning; never describe a course that you have not seen in figures.`

// Kinds of chart that a call may name.
const (
	lineChart      = "line"
	candleChart    = "candles"
	drawdownChart  = "drawdown"
	histogramChart = "histogram"
	compareChart   = "compare"
)

// ChartKinds are the kinds that the tool chart draws, the usual first.
func ChartKinds() []string {
	return []string{lineChart, candleChart, drawdownChart, histogramChart, compareChart}
}

var (
	errChart    = errors.New("not a chart")   // of these arguments
	errNotDrawn = errors.New("nothing drawn") // of these data
)

// newChart is the tool that draws prices.
func newChart(d Deps) tool.Tool {
	return tool.New("chart", chartDescription, tool.Reads, func(ctx context.Context, in chartInput) (tool.Result, error) {
		sp, err := question.ParseSpan(in.Range, in.From, in.To, "1y")
		if err != nil {
			return present.Invalid(err)
		}
		asked := question.Symbols(in.Symbols, in.Symbol)
		kind, err := chartKind(in.Kind, len(asked))
		if err != nil {
			return present.Invalid(err)
		}
		draw := d.chartOne
		if kind == compareChart {
			draw = d.chartSeveral
		}
		a, err := draw(ctx, kind, asked, sp)
		switch {
		case errors.Is(err, errGiven), errors.Is(err, errChart):
			return present.Invalid(err)
		case errors.Is(err, errNotDrawn):
			return tool.Failed(tool.CodeNoData, err.Error()), nil
		case errors.Is(err, analytics.ErrNonPositive), errors.Is(err, analytics.ErrOutOfRange):
			return tool.Errorf("chart of %s: %v; draw the others without it", strings.Join(asked, ", "), err)
		case err != nil:
			return present.Mendable(err)
		}
		return a.result(), nil
	})
}

// chartKind is the kind that a call means, which so many symbols fit.
func chartKind(text string, symbols int) (string, error) {
	kind := strings.ToLower(strings.TrimSpace(text))
	if kind == "" {
		kind = lineChart
		if symbols > 1 {
			kind = compareChart
		}
	}
	switch {
	case !slices.Contains(ChartKinds(), kind):
		return "", fmt.Errorf("%w: kind %.40q; there is %s", errChart, text, strings.Join(ChartKinds(), ", "))
	case symbols == 0:
		return "", fmt.Errorf(`%w: no symbol; give one as {"symbol": "AAPL"}`, errChart)
	case kind == compareChart && (symbols < 2 || symbols > drawing.MostCompared):
		return "", fmt.Errorf("%w: %d symbols to compare; name 2 to %d different ones", errChart, symbols, drawing.MostCompared)
	case kind != compareChart && symbols > 1:
		return "", fmt.Errorf("%w: a chart of kind %s is of one symbol; for several use compare", errChart, kind)
	}
	return kind, nil
}

// chartOne draws one instrument. Prices are as price_history gives them; what returns
// are taken of counts dividends where the source tells them, as in returns_stats.
func (d Deps) chartOne(ctx context.Context, kind string, asked []string, sp question.Span) (chartAnswer, error) {
	fetch, counted := d.Prices.History, func(s market.Series) string { return present.AdjustedFor(s.Provenance.Adjustment) }
	if kind == drawdownChart || kind == histogramChart {
		fetch, counted = d.History, lineup.Kind
	}
	s, warnings, err := fetch(ctx, asked[0], sp)
	if err != nil {
		return chartAnswer{}, err
	}
	a := chartAnswer{
		Kind: kind, Symbols: []string{string(s.Symbol)}, Interval: s.Interval, Points: len(s.Bars), Warnings: append([]string{}, warnings...),
		From: present.Dated(s.Bars[0].Date), To: present.Dated(s.Bars[len(s.Bars)-1].Date), end: s.Bars[len(s.Bars)-1].Date,
		Sources: []present.Sourced{{Name: string(s.Symbol), Origin: present.OriginOf(s.Provenance, "in "+present.UnitOf(s.Provenance)+", "+counted(s), sp.Remark(s))}},
	}
	drawn := map[string]func(market.Series) *chart.Spec{
		lineChart: drawing.Closes, candleChart: drawing.Candles, drawdownChart: drawing.Drawdown, histogramChart: drawing.Returns,
	}
	if a.chart = drawn[kind](s); a.chart == nil {
		return a, notDrawn(kind, s)
	}
	return a, nil
}

// notDrawn says why there is no chart of a series, and which there may be.
func notDrawn(kind string, s market.Series) error {
	switch {
	case len(s.Bars) < 2, kind == histogramChart && len(s.Bars) < 3:
		return fmt.Errorf("%w: a chart of %s needs more closes than the %d from %s on; ask for a longer range", errNotDrawn, s.Symbol, len(s.Bars), present.Dated(s.Bars[0].Date))
	case kind == candleChart:
		return fmt.Errorf("%w: of %s only closes are known, no opens, highs and lows; draw a line", errNotDrawn, s.Symbol)
	}
	return fmt.Errorf("%w: a close of %s is not above zero, of which no %s can be drawn; draw a line", errNotDrawn, s.Symbol, kind)
}

// chartSeveral draws several instruments over the window that all have.
func (d Deps) chartSeveral(ctx context.Context, kind string, asked []string, sp question.Span) (chartAnswer, error) {
	l, err := d.several(ctx, givenAssets{symbols: asked}, sp)
	if err != nil {
		return chartAnswer{}, err
	}
	a := chartAnswer{
		Kind: kind, Symbols: symbolsOf(l), Interval: l.Interval, Points: l.Observations, From: l.From, To: l.To,
		Warnings: slices.Concat([]string{}, l.Limits, l.Warnings, unlike(l)),
		chart:    drawing.Compared(l.Series),
	}
	for _, s := range l.Series {
		in := fmt.Sprintf("%s in %s", s.Symbol, present.UnitOf(s.Provenance))
		a.Sources = append(a.Sources, present.Sourced{Name: string(s.Symbol), Origin: present.OriginOf(s.Provenance, in, lineup.Kind(s))})
		a.in = append(a.in, in)
		a.from = append(a.from, present.Sourced{Name: string(s.Symbol), Origin: present.OriginOf(s.Provenance, lineup.Kind(s))})
	}
	if a.chart == nil {
		return a, fmt.Errorf("%w: only one close that all of %s have lies in the range, %s; ask for a longer one", errNotDrawn, strings.Join(a.Symbols, ", "), l.From)
	}
	bars := l.Series[0].Bars
	a.end = bars[len(bars)-1].Date
	return a, nil
}
