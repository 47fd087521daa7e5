package analysis

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type compareAssetsInput struct {
	Symbols []string                `json:"symbols,omitempty" jsonschema:"2 to 8 symbols, such as [\"AAPL\", \"MSFT\"]."`
	Symbol  string                  `json:"symbol,omitempty" arg:"unsent" jsonschema:"Older form: symbols separated by commas."`
	Series  map[string][]datedClose `json:"series,omitempty" arg:"rare" jsonschema:"Own closes by name, oldest first, instead of symbols."`
	Range   string                  `json:"range,omitempty" jsonschema:"To the last close: 1m, 6m, 1y, 5y, 10y, ytd or max. Default max."`
	From    string                  `json:"from,omitempty" jsonschema:"Start date: YYYY, YYYY-MM or YYYY-MM-DD. Not with range."`
	To      string                  `json:"to,omitempty" jsonschema:"End date: YYYY, YYYY-MM or YYYY-MM-DD. Not with range."`
	Base    string                  `json:"base,omitempty" arg:"rare" jsonschema:"Currency of the investor, such as USD; nothing is converted."`
}

const compareAssetsDescription = `Return, volatility, drawdown and correlation of 2 to 8 symbols over their common period. Use for "A or B" or "which did better"; for one symbol use returns_stats. Do not rank assets that a warning names as differing in currency or in dividends.`

const compareAssetsDetails = `It fetches the prices itself and finds the common window: only dates that all series have count. window.limits names the series that begins last or ends first. Each asset has total and annual return, annual volatility, maximum drawdown with its dates and the current drawdown, as in returns_stats. The result also has the value of 100 over time (rebased, at most 30 evenly spaced rows for the model) and the correlation of the returns.

annual_return compounds over years of 365.25 days. If one series is monthly, daily series are taken at month ends, with a warning. Nothing is converted between currencies. Warnings name assets with other currencies and assets whose returns include or omit dividends. The better past is not the better choice.

series takes 2 to 8 named lists of {"date", "close"}, daily or monthly. base only names which assets are in another currency.`

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

// rebasedTo is what each asset is worth at the start of the window.
const rebasedTo = 100

const maxRebasedRows = 30

type comparison struct {
	Window      toolkit.CommonWindow `json:"window"`
	Base        string               `json:"base,omitempty"`
	Assets      []returnsStats       `json:"assets"`
	Correlation correlationMatrix    `json:"correlation"`
	Rebased     rebased              `json:"rebased"`
	Warnings    []string             `json:"warnings"`

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

// newCompareAssets is the tool that sets instruments side by side.
func newCompareAssets(d Deps) tool.Tool {
	return tool.New("compare_assets", compareAssetsDescription, tool.Reads, func(ctx context.Context, in compareAssetsInput) (tool.Result, error) {
		sp, err := toolkit.ParsePeriod(in.Range, in.From, in.To, "max")
		if err != nil {
			return toolkit.InvalidResult(err)
		}
		l, err := d.alignAssets(ctx, comparedAssets{symbols: in.Symbols, symbol: in.Symbol, series: in.Series, annualised: true}, sp)
		requested := append(toolkit.ParseSymbols(in.Symbols, in.Symbol), slices.Sorted(maps.Keys(in.Series))...)
		switch {
		case errors.Is(err, errInvalidSeries):
			return toolkit.InvalidResult(err)
		case errors.Is(err, analytics.ErrNonPositive), errors.Is(err, analytics.ErrOutOfRange):
			return tool.Errorf("comparing %s: %v; compare the others without it", strings.Join(requested, ", "), err)
		case err != nil:
			return toolkit.SourceErrorResult(err)
		case l.Observations < 2:
			return tool.Failed(tool.CodeNoData, fmt.Sprintf("only one close that all of %s have lies in the range, %s; ask for a longer one",
				strings.Join(symbolsOf(l), ", "), l.From)), nil
		}
		c, err := compareAligned(l, sp, strings.ToUpper(strings.TrimSpace(in.Base)))
		if err != nil {
			return tool.Errorf("comparing %s: %v", strings.Join(requested, ", "), err)
		}
		return c.result()
	}).WithDetails(compareAssetsDetails).Find("statistics", compareAssetsKeywords, compareAssetsPhrasings...)
}

func compareAligned(l toolkit.AlignedSeries, sp toolkit.Period, base string) (comparison, error) {
	all := correlationsOf(l)
	c := comparison{
		Window: l.CommonWindow, Base: base, correlation: all, chart: toolkit.CompareChart(l.Series),
		Correlation: correlationMatrix{Symbols: all.Symbols, Matrix: all.Matrix, Returns: all.Returns},
		Rebased:     rebased{Base: rebasedTo, Series: map[string][]float64{}},
		Warnings:    append(append([]string{}, all.Warnings...), foreignCurrencies(l, base)...),
	}
	for _, bar := range l.Series[0].Bars {
		c.Rebased.Dates = append(c.Rebased.Dates, toolkit.FormatDate(bar.Date))
	}
	for i, s := range l.Series {
		perf, err := measurePrices(s, l.Prices[i])
		if err != nil {
			return comparison{}, fmt.Errorf("%s: %w", s.Symbol, err)
		}
		c.Assets = append(c.Assets, statsOf(s, sp, perf))
		levels := l.Prices[i].Rebased(rebasedTo)
		for j, v := range levels {
			levels[j] = toolkit.RoundSignificant(v)
		}
		c.Rebased.Series[string(s.Symbol)] = levels
	}
	c.Warnings = append(c.Warnings, c.shareWarnings()...)
	return c, nil
}

// shareWarnings takes the warnings that all assets share out of each, to be said
// once.
func (c comparison) shareWarnings() []string {
	var shared []string
	for _, w := range c.Assets[0].Warnings {
		if !slices.ContainsFunc(c.Assets, func(a returnsStats) bool { return !slices.Contains(a.Warnings, w) }) {
			shared = append(shared, w)
		}
	}
	for i := range c.Assets {
		c.Assets[i].Warnings = slices.DeleteFunc(c.Assets[i].Warnings, func(w string) bool { return slices.Contains(shared, w) })
	}
	return shared
}

// foreignCurrencies says which assets are not in the investor's currency.
func foreignCurrencies(l toolkit.AlignedSeries, base string) []string {
	var out []string
	for _, s := range l.Series {
		if in := s.Provenance.Currency; base != "" && in != "" && in != base {
			out = append(out, fmt.Sprintf("%s is in %s, not %s: the exchange rate is missing from its return", s.Symbol, in, base))
		}
	}
	return out
}

func (c comparison) result() (tool.Result, error) {
	model := c
	model.Rebased = c.Rebased.sampleRows(maxRebasedRows)
	text, err := json.Marshal(model)
	if err != nil {
		return tool.Result{}, fmt.Errorf("encoding the comparison: %w", err)
	}
	names := strings.Join(c.Correlation.Symbols, ", ")
	return tool.Result{
		Value: c, ForModel: string(text), ForUser: c.markdown(), Figures: c.figures(model.Rebased), Chart: c.chart,
		Title:   fmt.Sprintf("%s · %s to %s", names, c.Window.From, c.Window.To),
		Summary: strings.TrimSpace(fmt.Sprintf("%d assets, %s %s closes %s", len(c.Assets), toolkit.FormatCount(c.Window.Observations), c.Window.Interval, toolkit.CombinedFlagText(c.correlation.Sources))),
	}, nil
}

// sampleRows keeps at most most rows, evenly spaced from the first to the last.
func (r rebased) sampleRows(most int) rebased {
	n := len(r.Dates)
	if n <= most {
		return r
	}
	out := rebased{Base: r.Base, Series: map[string][]float64{}, Note: fmt.Sprintf("%d of %s rows, evenly spaced", most, toolkit.FormatCount(n))}
	for i := range most {
		at := i * (n - 1) / (most - 1)
		out.Dates = append(out.Dates, r.Dates[at])
		for name, levels := range r.Series {
			out.Series[name] = append(out.Series[name], levels[at])
		}
	}
	return out
}
