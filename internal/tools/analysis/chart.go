package analysis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type chartInput struct {
	Symbols []string `json:"symbols,omitempty" jsonschema:"1 to 6 symbols, such as [\"AAPL\"]."`
	Symbol  string   `json:"symbol,omitempty" arg:"unsent" jsonschema:"Deprecated: symbols separated by commas."`
	Kind    string   `json:"kind,omitempty" jsonschema:"line, candles, drawdown, histogram or compare. Default line."`
	Range   string   `json:"range,omitempty" jsonschema:"Period to the last close: 1m, 6m, 1y, 5y, 10y, ytd or max. Default 1y."`
	From    string   `json:"from,omitempty" jsonschema:"Start date: YYYY, YYYY-MM or YYYY-MM-DD. Not with range."`
	To      string   `json:"to,omitempty" jsonschema:"End date: YYYY, YYYY-MM or YYYY-MM-DD. Not with range."`
}

const chartDescription = `Draws a price chart on the user's screen: closes, candles, drawdown, histogram of returns, or several symbols compared. Use for "show me a chart"; for figures use price_history, returns_stats or compare_assets. It returns no prices: do not describe the curve.`

const chartDetails = `Kinds: line (closes), candles (with volume), drawdown, histogram (of returns), and compare (2 to 6 symbols, each 100 at the start). The default is line for one symbol and compare for several.

price_history, returns_stats and compare_assets also have a chart, which the user sees when they open the result. Like returns_stats, drawdown, histogram and compare include dividends if the source has them.`

const chartKeywords = "chart graph plot draw diagram candlestick candles line histogram visualize picture curve show display trend drawn look 图 图表 走势图 K线 画图 曲线 直方图 折线图"

var chartPhrasings = []string{
	"chart of <sym>",
	"plot <sym> and <sym> over <num> years",
	"candlestick chart of <sym> for the last <num> months",
	"draw the drawdown of <sym>",
	"graph <sym> since <num>",
	"<sym> 走势图",
	"画出 <sym> 的K线",
	"histogram of the daily returns of <sym>",
}

// Kinds of charts.
const (
	lineChart      = "line"
	candleChart    = "candles"
	drawdownChart  = "drawdown"
	histogramChart = "histogram"
	compareChart   = "compare"
)

// ChartKinds returns the kinds of charts, the default first.
func ChartKinds() []string {
	return []string{lineChart, candleChart, drawdownChart, histogramChart, compareChart}
}

var (
	errChart      = toolkit.InvalidArgs(errors.New("invalid chart")) // because of the arguments
	errUndrawable = toolkit.NoDataf("no chart")                      // because of the data
)

// newChart returns the tool that draws price charts.
func newChart(d Deps) tool.Tool {
	return tool.New("chart", chartDescription, tool.Reads, func(ctx context.Context, in chartInput) (tool.Result, error) {
		sp, err := toolkit.ParsePeriod(in.Range, in.From, in.To, "1y")
		if err != nil {
			return toolkit.RefusalResult(err)
		}
		requested := toolkit.ParseSymbols(in.Symbols, in.Symbol)
		kind, err := chartKind(in.Kind, len(requested))
		if err != nil {
			return toolkit.RefusalResult(err)
		}
		draw := d.chartOne
		if kind == compareChart {
			draw = d.chartSeveral
		}
		a, err := draw(ctx, kind, requested, sp)
		switch {
		case errors.Is(err, analytics.ErrNonPositive), errors.Is(err, analytics.ErrOutOfRange):
			return tool.Errorf("chart of %s: %v; try again without that symbol", strings.Join(requested, ", "), err)
		case err != nil:
			return toolkit.RefusalResult(err)
		}
		res := toolkit.Render(a)
		res.Opened = true
		return res, nil
	}).WithOutput(toolkit.OutputSchema[chartResult]()).WithDetails(chartDetails).Find("market", chartKeywords, chartPhrasings...)
}

// chartKind returns the requested kind, after checking that it fits the number of symbols.
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
		return "", fmt.Errorf("%w: unknown kind %.40q; use one of %s", errChart, text, strings.Join(ChartKinds(), ", "))
	case symbols == 0:
		return "", fmt.Errorf(`%w: symbols is required, for example {"symbols": ["AAPL"]}`, errChart)
	case kind == compareChart && (symbols < 2 || symbols > toolkit.MaxComparedSeries):
		return "", fmt.Errorf("%w: compare needs 2 to %[3]d different symbols, got %[2]d", errChart, symbols, toolkit.MaxComparedSeries)
	case kind != compareChart && symbols > 1:
		return "", fmt.Errorf("%w: kind %s takes one symbol; for several use compare", errChart, kind)
	}
	return kind, nil
}

// chartResult describes the chart without prices, which other tools return.
type chartResult struct {
	Kind     string                `json:"kind"`
	Symbols  []string              `json:"symbols"`
	Interval market.Interval       `json:"interval,omitempty"`
	From     string                `json:"from"`
	To       string                `json:"to"`
	Points   int                   `json:"points" label:"closes in the chart" unit:"bars" formula:"count"`
	Sources  []toolkit.NamedOrigin `json:"sources"`
	Warnings toolkit.Notes         `json:"warnings"`

	end   market.Date
	chart *chart.Spec
	units []string // for several series: "AAPL in USD"
	keys  []tool.KeyFigure
}

// KeyFigures implements [toolkit.Keyed]: the last value and the change over the chart, or the change of
// each of several series.
func (a chartResult) KeyFigures() []tool.KeyFigure { return a.keys }

// About implements [toolkit.Abouter].
func (a chartResult) About() tool.KeyAbout {
	about := tool.KeyAbout{Dated: a.From + " to " + a.To}
	if len(a.Symbols) == 1 {
		about.Subject = a.Symbols[0]
	}
	return about
}

// changeKey returns the change from the first to the last value as a key figure.
func changeKey(label string, first, last decimal.Decimal) tool.KeyFigure {
	change := last.Div(first).Sub(decimal.NewFromInt(1))
	return tool.KeyFigure{Label: label, Text: toolkit.Format(change, toolkit.Change, ""), Sign: change.Sign()}
}

func (a chartResult) Headline(lang string) string {
	names := strings.Join(a.Symbols, ", ")
	if lang == "zh" {
		return fmt.Sprintf("%s 的图表：%s 至 %s，%s 个收盘价。", names, a.From, a.To, toolkit.Format(a.Points, toolkit.Count, ""))
	}
	return chart.Describe(*a.chart)
}

func (a chartResult) Summary() string {
	return fmt.Sprintf("%s %s closes", toolkit.Format(a.Points, toolkit.Count, ""), a.Interval)
}

func (a chartResult) Title() string {
	return fmt.Sprintf("%s · %s · %s to %s", strings.Join(a.Symbols, ", "), a.Kind, a.From, a.To)
}

// depthKey returns a drawdown in percent as a key figure.
func depthKey(label string, depth float64) tool.KeyFigure {
	return tool.KeyFigure{Label: label, Text: toolkit.Format(depth/100, toolkit.Change, ""), Sign: cmp.Compare(depth, 0)}
}

// Text implements [toolkit.Texter]: the units of several series.
func (a chartResult) Text() string { return toolkit.TableCell(strings.Join(a.units, ", ")) }

func (a chartResult) Chart() *chart.Spec { return a.chart }

func (a chartResult) Explain(string) toolkit.Explanation {
	return toolkit.Explanation{AsOf: a.end, Inputs: a.Symbols}
}

// chartOne draws one instrument. Prices are those of price_history; drawdowns and histograms include
// dividends if the source has them, as in returns_stats.
func (d Deps) chartOne(ctx context.Context, kind string, requested []string, sp toolkit.Period) (chartResult, error) {
	fetch, counted := d.History, func(s market.Series) string { return toolkit.AdjustmentText(s.Provenance.Adjustment) }
	if kind == drawdownChart || kind == histogramChart {
		counted = toolkit.SeriesReturnKind
		fetch = func(ctx context.Context, text string, sp toolkit.Period) (market.Series, []string, error) {
			return toolkit.FetchReturnSeries(ctx, d.Prices, text, sp)
		}
	}
	s, warnings, err := fetch(ctx, requested[0], sp)
	if err != nil {
		return chartResult{}, err
	}
	end := s.Bars[len(s.Bars)-1].Date
	a := chartResult{
		Kind: kind, Symbols: []string{string(s.Symbol)}, Interval: s.Interval, Points: len(s.Bars),
		From: toolkit.FormatDate(s.Bars[0].Date), To: toolkit.FormatDate(end), end: end,
		Sources: []toolkit.NamedOrigin{{Name: string(s.Symbol), Origin: toolkit.OriginOf(s.Provenance, "in "+toolkit.UnitOf(s.Provenance)+", "+counted(s), sp.StartNote(s))}},
	}
	a.Warnings.WarnEach("prices", warnings...)
	drawn := map[string]func(market.Series) *chart.Spec{
		lineChart: toolkit.ClosesChart, candleChart: toolkit.CandleChart, drawdownChart: toolkit.DrawdownChart, histogramChart: toolkit.ReturnsHistogram,
	}
	if a.chart = drawn[kind](s); a.chart == nil {
		return a, undrawableError(kind, s)
	}
	switch first, last := s.Bars[0].Close, s.Bars[len(s.Bars)-1].Close; kind {
	case lineChart, candleChart:
		a.keys = []tool.KeyFigure{{Text: toolkit.Format(last, toolkit.Price, "") + " " + toolkit.UnitOf(s.Provenance)}}
		if first.IsPositive() {
			a.keys = append(a.keys, changeKey("", first, last))
		}
	case drawdownChart:
		depths := a.chart.Series[0].Values // in percent
		a.keys = []tool.KeyFigure{depthKey("max drawdown", slices.Min(depths)), depthKey("below the high", depths[len(depths)-1])}
	}
	return a, nil
}

// undrawableError returns why a series has no chart of this kind, and what to use instead.
func undrawableError(kind string, s market.Series) error {
	switch {
	case len(s.Bars) < 2, kind == histogramChart && len(s.Bars) < 3:
		return fmt.Errorf("%w: %s has only %s from %s on; use a longer range", errUndrawable, s.Symbol, humanize.Count(len(s.Bars), "close", "closes"), toolkit.FormatDate(s.Bars[0].Date))
	case kind == candleChart:
		return fmt.Errorf("%w: %s has only closes, without open, high or low prices; use kind line", errUndrawable, s.Symbol)
	}
	return fmt.Errorf("%w: %s has a close that is not above zero, so kind %s is not possible; use kind line", errUndrawable, s.Symbol, kind)
}

// chartSeveral draws several instruments over their common period.
func (d Deps) chartSeveral(ctx context.Context, kind string, requested []string, sp toolkit.Period) (chartResult, error) {
	l, err := d.alignAssets(ctx, comparedAssets{symbols: requested}, sp)
	if err != nil {
		return chartResult{}, err
	}
	a := chartResult{
		Kind: kind, Symbols: symbolsOf(l), Interval: l.Interval, Points: l.Observations, From: l.From, To: l.To,
		Sources: toolkit.SeriesOrigins(l.Series, l.StartNote), chart: toolkit.CompareChart(l.Series), end: l.Prices[0].To(),
	}
	a.Warnings.WarnEach("window", l.Limits...)
	a.Warnings = append(a.Warnings, alignmentWarnings(l)...)
	for _, s := range l.Series {
		if first, last := s.Bars[0].Close, s.Bars[len(s.Bars)-1].Close; first.IsPositive() && len(a.keys) < 4 {
			a.keys = append(a.keys, changeKey(string(s.Symbol), first, last))
		}
		a.units = append(a.units, fmt.Sprintf("%s in %s", s.Symbol, toolkit.UnitOf(s.Provenance)))
	}
	if a.chart == nil {
		return a, fmt.Errorf("%w: %s have only one common close in the range, on %s; use a longer range", errUndrawable, strings.Join(a.Symbols, ", "), l.From)
	}
	return a, nil
}
