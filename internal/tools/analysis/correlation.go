package analysis

import (
	"context"
	"errors"
	"fmt"
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
	Symbol  string                  `json:"symbol,omitempty" arg:"unsent" jsonschema:"Older form: symbols separated by commas."`
	Series  map[string][]datedClose `json:"series,omitempty" arg:"rare" jsonschema:"Own closes by name, oldest first, instead of symbols."`
	Range   string                  `json:"range,omitempty" jsonschema:"To the last close: 1m, 6m, 1y, 5y, 10y, ytd or max. Default max."`
	From    string                  `json:"from,omitempty" jsonschema:"Start date: YYYY, YYYY-MM or YYYY-MM-DD. Not with range."`
	To      string                  `json:"to,omitempty" jsonschema:"End date: YYYY, YYYY-MM or YYYY-MM-DD. Not with range."`
}

const correlationDescription = `Correlation of returns for each pair of 2 to 8 symbols, from -1 to 1, over their common period. Use for "do X and Y move together" or "what diversifies X"; for returns and risk use compare_assets. Correlation rises in crashes: do not call it constant.`

const correlationDetails = `Pearson's correlation of simple returns, from -1 (opposite) over 0 (unrelated) to 1 (alike), with the number of returns and the common window. It fetches the prices itself. compare_assets returns the correlations as well.

Only dates that all series have are used, and nothing is filled in. limits names the series that begins last or ends first. If one series is monthly, daily series are taken at month ends. Fewer than 30 returns say little; a warning reports it. The correlation is null, with a warning, if one of the two prices does not change.

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
	Returns int                   `json:"returns"`
	Sources []toolkit.NamedOrigin `json:"sources"`
	// Warnings is never null: none is an answer too.
	Warnings []string `json:"warnings"`

	aligned toolkit.AlignedSeries
}

type correlationPair struct {
	A           string   `json:"a"`
	B           string   `json:"b"`
	Correlation *float64 `json:"correlation"`
	Returns     int      `json:"returns"`
}

// newCorrelation is the tool that says what moves together.
func newCorrelation(d Deps) tool.Tool {
	return tool.New("correlation", correlationDescription, tool.Reads, func(ctx context.Context, in correlationInput) (tool.Result, error) {
		sp, err := toolkit.ParsePeriod(in.Range, in.From, in.To, "max")
		if err != nil {
			return toolkit.InvalidResult(err)
		}
		l, err := d.alignAssets(ctx, comparedAssets{symbols: in.Symbols, symbol: in.Symbol, series: in.Series}, sp)
		switch {
		case errors.Is(err, errInvalidSeries):
			return toolkit.InvalidResult(err)
		case errors.Is(err, analytics.ErrNonPositive), errors.Is(err, analytics.ErrOutOfRange):
			return tool.Errorf("correlation: %v; leave that one out", err)
		case err != nil:
			return toolkit.SourceErrorResult(err)
		}
		return correlationsOf(l).result(), nil
	}).WithDetails(correlationDetails).Find("statistics", correlationKeywords, correlationPhrasings...)
}

func correlationsOf(l toolkit.AlignedSeries) correlationResult {
	n := len(l.Series)
	a := correlationResult{
		Symbols: symbolsOf(l), Window: l.CommonWindow, Matrix: make([][]*float64, n), Returns: max(l.Observations-1, 0),
		Warnings: append([]string{}, l.Warnings...), aligned: l, Sources: toolkit.SeriesOrigins(l.Series),
	}
	for i := range n {
		a.Matrix[i] = make([]*float64, n)
	}
	for i := range n {
		for j := i; j < n; j++ {
			r, returns, err := analytics.Correlation(l.Prices[i], l.Prices[j])
			if err != nil {
				if i != j {
					a.Warnings = append(a.Warnings, fmt.Sprintf("not computed: %s and %s: %v", a.Symbols[i], a.Symbols[j], err))
				}
			} else {
				v := toolkit.RoundFraction(r)
				a.Matrix[i][j], a.Matrix[j][i] = &v, &v
			}
			if i != j {
				a.Pairs = append(a.Pairs, correlationPair{A: a.Symbols[i], B: a.Symbols[j], Correlation: a.Matrix[i][j], Returns: returns})
			}
		}
	}
	if a.Returns < analytics.FewObservations {
		a.Warnings = append(a.Warnings, fmt.Sprintf("only %d returns (fewer than %d): the correlation is uncertain", a.Returns, analytics.FewObservations))
	}
	a.Warnings = append(a.Warnings, comparabilityWarnings(l)...)
	return a
}

func (a correlationResult) result() tool.Result {
	var b strings.Builder
	fmt.Fprintf(&b, "**Correlation of returns** · %s\n\n%s", windowHeading(a.Window), a.table())
	for _, w := range a.Warnings {
		b.WriteString("\n! " + w + "\n")
	}
	b.WriteString("\n" + alignedOrigins(a.aligned) + "\n")
	return tool.Result{
		Value: a, ForUser: b.String(), Figures: a.figures(),
		Title:   "correlation · " + strings.Join(a.Symbols, ", "),
		Summary: strings.TrimSpace(fmt.Sprintf("%s returns %s", toolkit.FormatCount(a.Returns), toolkit.CombinedFlagText(a.Sources))),
	}
}

// table is the matrix.
func (a correlationResult) table() string {
	head, rows := []string{""}, make([][]string, len(a.Symbols))
	for i, s := range a.Symbols {
		head, rows[i] = append(head, s+":"), []string{s}
		for _, r := range a.Matrix[i] {
			text := "n/a"
			if r != nil {
				text = toolkit.FormatSigned(decimal.NewFromFloat(*r), 2)
			}
			rows[i] = append(rows[i], text)
		}
	}
	return toolkit.MarkdownTable(head, rows)
}

func (a correlationResult) figures() []tool.Figure {
	source := toolkit.JoinSources(a.Sources)
	at := a.aligned.Prices[0].To()
	out := []tool.Figure{{
		ID: "returns", Label: "number of returns", Value: decimal.NewFromInt(int64(a.Returns)), Unit: "returns", AsOf: at, Source: source,
	}}
	for _, p := range a.Pairs {
		if p.Correlation != nil {
			out = append(out, tool.Figure{
				ID: p.A + "~" + p.B, Label: fmt.Sprintf("correlation of %s and %s", p.A, p.B), Value: decimal.NewFromFloat(*p.Correlation),
				Unit: "correlation", AsOf: at, Source: source, Formula: "Pearson's r of simple returns",
				Inputs: []string{fmt.Sprintf("%d returns of each, %s to %s", p.Returns, a.Window.From, a.Window.To)},
			})
		}
	}
	return out
}
