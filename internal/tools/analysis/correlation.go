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
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type datedClose struct {
	Date  string  `json:"date" jsonschema:"YYYY-MM-DD"`
	Close float64 `json:"close" jsonschema:"Price or level above 0."`
}

type correlationInput struct {
	Symbols []string                `json:"symbols,omitempty" jsonschema:"2 to 8 symbols, such as [\"AAPL\", \"GLD\"]."`
	Symbol  string                  `json:"symbol,omitempty" arg:"unsent" jsonschema:"Deprecated: symbols separated by commas."`
	Series  map[string][]datedClose `json:"series,omitempty" arg:"rare" jsonschema:"Own closes by name, oldest first, instead of symbols."`
	Range   string                  `json:"range,omitempty" jsonschema:"To the last close: 1m, 6m, 1y, 5y, 10y, ytd or max. Default max."`
	From    string                  `json:"from,omitempty" jsonschema:"Start date: YYYY, YYYY-MM or YYYY-MM-DD. Not with range."`
	To      string                  `json:"to,omitempty" jsonschema:"End date: YYYY, YYYY-MM or YYYY-MM-DD. Not with range."`
}

const correlationDescription = `Correlation of returns for each pair of 2 to 8 symbols, from -1 to 1, over their common period. Use for "do X and Y move together" or "what diversifies X"; for returns and risk use compare_assets. Correlation rises in crashes: do not call it constant.`

const correlationDetails = `Pearson's correlation of simple returns, from -1 (opposite) through 0 (unrelated) to 1 (identical), with the number of returns and the common period. It fetches the prices itself. compare_assets returns the correlations as well.

Only dates that all series share are used; gaps are not filled. limits names the series that starts latest or ends earliest. If one series is monthly, daily series are reduced to month-end closes. Fewer than 30 returns say little; a warning says so. The correlation is null, with a warning, if one of the two prices does not change.

series takes 2 to 8 named lists of {"date", "close"}.`

const correlationKeywords = "correlation correlated correlate together move diversify diversifier diversification hedge uncorrelated independent matrix pair relationship opposite inverse linked co-movement same direction 相关性 相关系数 同涨同跌 分散 对冲 联动 一起涨"

var correlationPhrasings = []string{
	"do <sym> and <sym> move together",
	"correlation between <sym> and <sym>",
	"correlation matrix of <sym>, <sym> and <sym>",
	"what diversifies my <sym>",
	"is <sym> a hedge against <sym>",
	"<sym> 和 <sym> 的相关性",
	"<sym> 与 <sym> 走势一样吗",
	"用什么分散 <sym> 的风险",
}

type correlationResult struct {
	Symbols []string              `json:"symbols"`
	Window  toolkit.CommonWindow  `json:"window"`
	Matrix  [][]*float64          `json:"matrix"`
	Pairs   []correlationPair     `json:"pairs"`
	Returns int                   `json:"returns" label:"returns" unit:"returns" formula:"counted"`
	Only    *float64              `json:"-" label:"correlation" key:"1"` // if there is one pair
	Sources []toolkit.NamedOrigin `json:"sources"`

	Warnings toolkit.Notes `json:"warnings"`

	prices analytics.Prices // of one of the series
}

type correlationPair struct {
	A           string   `json:"a"`
	B           string   `json:"b"`
	Correlation *float64 `json:"correlation"`
	Returns     int      `json:"returns"`

	i, j int // in the matrix
}

// newCorrelation returns the tool for correlations.
func newCorrelation(d Deps) tool.Tool {
	return toolkit.New("correlation", correlationDescription, tool.Reads, func(ctx context.Context, in correlationInput) (correlationResult, error) {
		sp, err := toolkit.ParsePeriod(in.Range, in.From, in.To, "max")
		if err != nil {
			return correlationResult{}, err
		}
		l, err := d.alignAssets(ctx, comparedAssets{symbols: in.Symbols, symbol: in.Symbol, series: in.Series}, sp)
		switch {
		case errors.Is(err, analytics.ErrNonPositive), errors.Is(err, analytics.ErrOutOfRange):
			return correlationResult{}, toolkit.Unusablef("correlation: %v; try again without that symbol", err)
		case err != nil:
			return correlationResult{}, err
		}
		return correlationsOf(l), nil
	}).
		WithDetails(correlationDetails).Find("statistics", correlationKeywords, correlationPhrasings...)
}

func correlationsOf(l toolkit.AlignedSeries) correlationResult {
	n := len(l.Series)
	a := correlationResult{
		Symbols: symbolsOf(l), Window: l.CommonWindow, Matrix: make([][]*float64, n), Returns: max(l.Observations-1, 0),
		Warnings: alignmentWarnings(l), prices: l.Prices[0], Sources: toolkit.SeriesOrigins(l.Series, l.StartNote),
	}
	for _, text := range l.Limits {
		a.Warnings.Note("window", "%s", text)
	}
	for i := range n {
		a.Matrix[i] = make([]*float64, n)
	}
	for i := range n {
		for j := i; j < n; j++ {
			r, returns, err := analytics.Correlation(l.Prices[i], l.Prices[j])
			switch {
			case err == nil:
				a.Matrix[i][j], a.Matrix[j][i] = &r, &r
			case i != j:
				a.Warnings.Warn("not_computed", "not computed: %s and %s: %v", a.Symbols[i], a.Symbols[j], err)
			}
			if i != j {
				a.Pairs = append(a.Pairs, correlationPair{A: a.Symbols[i], B: a.Symbols[j], Correlation: a.Matrix[i][j], Returns: returns, i: i, j: j})
			}
		}
	}
	if a.Returns < analytics.FewObservations {
		a.Warnings.Warn("few_returns", "only %d returns (fewer than %d): the correlation is uncertain", a.Returns, analytics.FewObservations)
	}
	if len(a.Pairs) == 1 {
		a.Only = a.Pairs[0].Correlation
	}
	return a
}

func (a correlationResult) Headline(lang string) string {
	var known []correlationPair
	for _, p := range a.Pairs {
		if p.Correlation != nil {
			known = append(known, p)
		}
	}
	if len(known) == 0 {
		if lang == "zh" {
			return "无法计算相关系数。"
		}
		return "No correlation can be computed."
	}
	format := func(p correlationPair) string { return toolkit.Format(p.Correlation, toolkit.Number, "") }
	byValue := func(a, b correlationPair) int { return cmp.Compare(*a.Correlation, *b.Correlation) }
	low, high := slices.MinFunc(known, byValue), slices.MaxFunc(known, byValue)
	switch {
	case lang == "zh" && len(known) == 1:
		return fmt.Sprintf("%s 与 %s 从 %s 至 %s 的收益率相关系数为 %s。", low.A, low.B, a.Window.From, a.Window.To, format(low))
	case lang == "zh":
		return fmt.Sprintf("相关系数最高的是 %s 与 %s（%s），最低的是 %s 与 %s（%s）。", high.A, high.B, format(high), low.A, low.B, format(low))
	case len(known) == 1:
		return fmt.Sprintf("The returns of %s and %s had a correlation of %s from %s to %s.", low.A, low.B, format(low), a.Window.From, a.Window.To)
	}
	return fmt.Sprintf("Correlation is highest between %s and %s (%s), lowest between %s and %s (%s).", high.A, high.B, format(high), low.A, low.B, format(low))
}

func (a correlationResult) Title() string {
	return fmt.Sprintf("correlation · %s · %s to %s", strings.Join(a.Symbols, ", "), a.Window.From, a.Window.To)
}

func (a correlationResult) Explain(field string) toolkit.Explanation {
	return toolkit.Explanation{AsOf: a.prices.To(), Omit: field == "Only" && len(a.Pairs) > 1}
}

// Tables returns the matrix, with the pairs as figures.
func (a correlationResult) Tables() []toolkit.Table { return []toolkit.Table{a.table("")} }

// table returns the matrix with the pairs as figures, whose IDs start with path.
func (a correlationResult) table(path string) toolkit.Table {
	out := toolkit.Table{Columns: []string{"correlation"}}
	for i, symbol := range a.Symbols {
		out.Columns = append(out.Columns, symbol+":")
		row := []string{symbol}
		for _, r := range a.Matrix[i] {
			row = append(row, toolkit.Format(r, toolkit.Number, ""))
		}
		out.Rows = append(out.Rows, row)
	}
	for _, p := range a.Pairs {
		if p.Correlation != nil {
			out.Figures = append(out.Figures, tool.Figure{
				ID: fmt.Sprintf("%smatrix.%d.%d", path, p.i, p.j), Label: fmt.Sprintf("correlation of %s and %s", p.A, p.B), Value: decimal.NewFromFloat(*p.Correlation),
				Unit: "correlation", AsOf: a.prices.To(), Source: toolkit.JoinSources(a.Sources), Formula: "Pearson's r of simple returns",
				Inputs: []string{fmt.Sprintf("%d returns of each, %s to %s", p.Returns, a.Window.From, a.Window.To)},
			})
		}
	}
	return out
}
