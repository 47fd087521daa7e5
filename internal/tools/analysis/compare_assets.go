package analysis

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type compareAssetsInput struct {
	Symbols []string                `json:"symbols,omitempty" jsonschema:"2 to 8 symbols, such as [\"AAPL\", \"MSFT\"]."`
	Symbol  string                  `json:"symbol,omitempty" arg:"unsent" jsonschema:"Deprecated: symbols separated by commas."`
	Series  map[string][]datedClose `json:"series,omitempty" arg:"rare" jsonschema:"Own closes by name, oldest first, instead of symbols."`
	Range   string                  `json:"range,omitempty" jsonschema:"To the last close: 1m, 6m, 1y, 5y, 10y, ytd or max. Default max."`
	From    string                  `json:"from,omitempty" jsonschema:"Start date: YYYY, YYYY-MM or YYYY-MM-DD. Not with range."`
	To      string                  `json:"to,omitempty" jsonschema:"End date: YYYY, YYYY-MM or YYYY-MM-DD. Not with range."`
	Base    string                  `json:"base,omitempty" arg:"rare" jsonschema:"The investor's currency, such as USD. Does not convert."`
}

const compareAssetsDescription = `Return, volatility, drawdown and correlation of 2 to 8 symbols over their common period. Use for "A or B" or "which did better"; for one symbol use returns_stats. Do not rank assets if a warning says that they differ in currency or dividends.`

const compareAssetsDetails = `It fetches the prices itself and finds the common period: only dates that all series share are used. window.limits names the series that starts latest or ends earliest. Each asset has total and annual return, annual volatility, maximum drawdown with its dates and the current drawdown, as in returns_stats. The result also has the value of 100 over time (rebased, at most 30 evenly spaced rows for the model) and the correlation of the returns.

annual_return compounds over years of 365.25 days. If one series is monthly, daily series are reduced to month-end closes, with a warning. Nothing is converted between currencies. Warnings name assets in other currencies and assets whose returns include or omit dividends. A better past does not make a better choice.

series takes 2 to 8 named lists of {"date", "close"}, daily or monthly. base is used only to report assets in another currency.`

const compareAssetsKeywords = "compare comparison versus vs against better best outperform outperformed beat winner side-by-side relative difference which stronger safer riskier both either pair assets funds stocks 比较 对比 哪个 更好 相比 跑赢 谁 好还是"

var compareAssetsPhrasings = []string{
	"<sym> or <sym>",
	"<sym> vs <sym> over <num> years",
	"which did better, <sym> or <sym>",
	"compare <sym>, <sym> and <sym>",
	"<sym> against the index since <num>",
	"<sym> 和 <sym> 哪个更好",
	"对比 <sym> 与 <sym>",
	"<sym> 跑赢 <sym> 了吗",
}

// rebasedTo is the value of each asset at the start of the period.
const rebasedTo = 100

const maxRebasedRows = 30

// comparedAsset holds the statistics of one asset; comparison.Explain describes them.
type comparedAsset returnsStats

type comparison struct {
	Window      toolkit.CommonWindow `json:"window"`
	Base        string               `json:"base,omitempty"`
	Assets      []comparedAsset      `json:"assets" table:"Assets" across:"true"`
	Correlation correlationMatrix    `json:"correlation"`
	Rebased     rebased              `json:"rebased"`
	Warnings    toolkit.Notes        `json:"warnings"`

	correlation correlationResult
	chart       *chart.Spec
}

type correlationMatrix struct {
	Symbols []string     `json:"symbols"`
	Matrix  [][]*float64 `json:"matrix"`
	Returns int          `json:"returns"`
}

type rebased struct {
	Base   float64              `json:"base"`
	Dates  []string             `json:"dates"`
	Series map[string][]float64 `json:"series"`
	Note   string               `json:"note,omitempty"`
}

// newCompareAssets returns the tool that compares instruments.
func newCompareAssets(d Deps) tool.Tool {
	return toolkit.New("compare_assets", compareAssetsDescription, tool.Reads, func(ctx context.Context, in compareAssetsInput) (comparison, error) {
		sp, err := toolkit.ParsePeriod(in.Range, in.From, in.To, "max")
		if err != nil {
			return comparison{}, err
		}
		l, err := d.alignAssets(ctx, comparedAssets{symbols: in.Symbols, symbol: in.Symbol, series: in.Series, annualized: true}, sp)
		requested := append(toolkit.ParseSymbols(in.Symbols, in.Symbol), slices.Sorted(maps.Keys(in.Series))...)
		switch {
		case errors.Is(err, analytics.ErrNonPositive), errors.Is(err, analytics.ErrOutOfRange):
			return comparison{}, toolkit.Unusablef("compare %s: %v; try again without that symbol", strings.Join(requested, ", "), err)
		case err != nil:
			return comparison{}, err
		case l.Observations < 2:
			return comparison{}, toolkit.NoDataf("%s have only one common close in the range, on %s; use a longer range",
				strings.Join(symbolsOf(l), ", "), l.From)
		}
		c, err := compareAligned(l, sp, strings.ToUpper(strings.TrimSpace(in.Base)))
		if err != nil {
			return comparison{}, toolkit.Unusablef("compare %s: %v", strings.Join(requested, ", "), err)
		}
		return c, nil
	}).
		WithDetails(compareAssetsDetails).Find("statistics", compareAssetsKeywords, compareAssetsPhrasings...)
}

func compareAligned(l toolkit.AlignedSeries, sp toolkit.Period, base string) (comparison, error) {
	all := correlationsOf(l)
	c := comparison{
		Window: l.CommonWindow, Base: base, correlation: all, chart: toolkit.CompareChart(l.Series),
		Correlation: correlationMatrix{Symbols: all.Symbols, Matrix: all.Matrix, Returns: all.Returns},
		Rebased:     rebased{Base: rebasedTo, Series: map[string][]float64{}},
		Warnings:    all.Warnings,
	}
	for _, bar := range l.Series[0].Bars {
		c.Rebased.Dates = append(c.Rebased.Dates, toolkit.FormatDate(bar.Date))
	}
	var foreign []string
	for i, s := range l.Series {
		perf, err := measurePrices(s, l.Prices[i])
		if err != nil {
			return comparison{}, fmt.Errorf("%s: %w", s.Symbol, err)
		}
		c.Assets = append(c.Assets, comparedAsset(statsOf(s, sp, perf)))
		c.Rebased.Series[string(s.Symbol)] = l.Prices[i].Rebased(rebasedTo)
		if in := s.Provenance.Currency; base != "" && in != "" && in != base {
			foreign = append(foreign, fmt.Sprintf("%s is in %s", s.Symbol, in))
		}
	}
	if len(foreign) > 0 {
		c.Warnings.Warn("currency", "%s, not %s: returns exclude exchange rate changes", strings.Join(foreign, ", "), base)
	}
	c.shareWarnings()
	return c, nil
}

// shareWarnings moves warnings that all assets have to the comparison.
func (c *comparison) shareWarnings() {
	var shared toolkit.Notes
	for _, w := range c.Assets[0].Warnings {
		if !slices.ContainsFunc(c.Assets, func(a comparedAsset) bool { return !slices.Contains(a.Warnings, w) }) {
			shared = append(shared, w)
		}
	}
	for i := range c.Assets {
		c.Assets[i].Warnings = slices.DeleteFunc(c.Assets[i].Warnings, func(w tool.Note) bool { return slices.Contains(shared, w) })
	}
	c.Warnings = append(c.Warnings, shared...)
}

func (c comparison) Headline(lang string) string {
	if lang == "zh" {
		return fmt.Sprintf("%s 至 %s 的总回报：%s。", c.Window.From, c.Window.To, strings.Join(c.totals(), "，"))
	}
	return fmt.Sprintf("Total return from %s to %s: %s.", c.Window.From, c.Window.To, c.Summary())
}

func (c comparison) Summary() string { return strings.Join(c.totals(), ", ") }

// totals returns the total return of each asset.
func (c comparison) totals() []string {
	totals := make([]string, len(c.Assets))
	for i, a := range c.Assets {
		totals[i] = string(a.Symbol) + " " + toolkit.Format(a.TotalReturn, toolkit.Change, "")
	}
	return totals
}

func (c comparison) Title() string {
	return fmt.Sprintf("%s · %s to %s", strings.Join(c.Correlation.Symbols, ", "), c.Window.From, c.Window.To)
}

func (c comparison) Chart() *chart.Spec { return c.chart }

func (c comparison) Explain(field string) toolkit.Explanation {
	e := toolkit.Explanation{AsOf: c.correlation.prices.To(), Inputs: []string{fmt.Sprintf("%d %s closes, %s to %s", c.Window.Observations, c.Window.Interval, c.Window.From, c.Window.To)}}
	switch field {
	case "assets.first_close":
		e.AsOf = c.correlation.prices.From()
	case "assets.observations", "assets.CountedIn":
		e.Omit = true
	}
	return e
}

// Tables returns the correlations, with the figures of the rebased closes.
func (c comparison) Tables() []toolkit.Table {
	matrix := c.correlation.table("correlation.")
	matrix.Title = fmt.Sprintf("Correlation of %s returns", toolkit.Format(c.Correlation.Returns, toolkit.Count, ""))
	for _, a := range c.Assets {
		for i, v := range c.Rebased.Series[string(a.Symbol)] {
			date := c.Rebased.Dates[i]
			at, _ := time.Parse(time.DateOnly, date) // written by FormatDate
			matrix.Figures = append(matrix.Figures, tool.Figure{
				ID: fmt.Sprintf("rebased.series.%s.%s", a.Symbol, date), Label: fmt.Sprintf("%s rebased on %s", a.Symbol, date),
				Value: decimal.NewFromFloat(v), Unit: "of 100", AsOf: at, Source: a.Source, Formula: "100 * close / first close",
				Inputs: []string{fmt.Sprintf("first close %s on %s", a.FirstClose, a.From)},
			})
		}
	}
	return []toolkit.Table{matrix}
}

// Sampled implements [toolkit.Sampler]: at most maxRebasedRows rows, evenly spaced from the first to
// the last.
func (c comparison) Sampled() toolkit.Answer {
	all := c.Rebased
	n := len(all.Dates)
	if n <= maxRebasedRows {
		return c
	}
	c.Rebased = rebased{
		Base: all.Base, Dates: toolkit.Spaced(all.Dates, maxRebasedRows), Series: map[string][]float64{},
		Note: fmt.Sprintf("%d of %s rows, evenly spaced", maxRebasedRows, toolkit.Format(n, toolkit.Count, "")),
	}
	for name, levels := range all.Series {
		c.Rebased.Series[name] = toolkit.Spaced(levels, maxRebasedRows)
	}
	return c
}
