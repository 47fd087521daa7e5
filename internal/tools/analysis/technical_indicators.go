package analysis

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/indicator"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type technicalIndicatorsInput struct {
	Symbol     string        `json:"symbol,omitempty" jsonschema:"Symbol, such as AAPL or ^GSPC."`
	Range      string        `json:"range,omitempty" jsonschema:"Period to the last close: 1m, 6m, 1y, 5y, 10y, ytd or max. Default 1y."`
	From       string        `json:"from,omitempty" jsonschema:"Start date: YYYY, YYYY-MM or YYYY-MM-DD. Not with range."`
	To         string        `json:"to,omitempty" jsonschema:"End date: YYYY, YYYY-MM or YYYY-MM-DD. Not with range."`
	Bars       []suppliedBar `json:"bars,omitempty" arg:"rare" jsonschema:"Own bars, oldest first, instead of symbol."`
	Indicators []string      `json:"indicators" jsonschema:"Such as rsi, sma:200, macd:12,26,9 or bbands:20,2."`
}

type suppliedBar struct {
	Date   string   `json:"date" jsonschema:"YYYY-MM-DD"`
	Open   *float64 `json:"open,omitempty"`
	High   *float64 `json:"high,omitempty"`
	Low    *float64 `json:"low,omitempty"`
	Close  float64  `json:"close"`
	Volume *float64 `json:"volume,omitempty"`
}

const technicalIndicatorsDescription = "Latest value and series of sma, ema, rsi, macd, bbands, atr, adx, stoch, obv, mfi, cci, willr, roc, vwap, ichimoku, aroon, psar, donchian or keltner for one symbol. For return or drawdown use returns_stats. Indicators are neither forecasts nor trading signals."

const technicalIndicatorsDetails = `It fetches the prices itself. Name indicators with optional parameters: sma:20, ema:20, rsi:14, macd:12,26,9, bbands:20,2, atr:14, adx:14, stoch:14,3,3, obv, mfi:14, cci:20, willr:14, roc:12, vwap, ichimoku, aroon:25, psar, donchian:20, keltner:20,2. The parameters shown are the defaults.

Definitions are standard: Wilder's smoothing in rsi, atr and adx; exponential averages that start with a simple average; Bollinger bands with the population standard deviation. Lengths count bars: sessions on daily data, months on monthly data (see interval). Values are in the unit of the price, except rsi, adx, stoch, mfi, aroon and willr (a scale of 100), roc (percent) and obv (units of volume).

Bars before the range are used for the warm-up, if available. obv and vwap count from the first bar of the range. null is a bar of the warm-up or an undefined value, for example because the price did not change; it is not zero. span_a and span_b of ichimoku are the cloud drawn at that date; lagging is the close 26 bars later.

If the source has only closes, indicators that need highs, lows or volume are listed under refused; the others are computed. The model receives the last 30 rows (see series_note).`

const technicalIndicatorsKeywords = "technical indicator indicators moving average sma ema rsi macd bollinger bands atr adx stochastic obv ichimoku momentum oscillator overbought oversold crossover golden death cross 技术指标 均线 移动平均 布林带 超买 超卖 金叉 死叉 相对强弱"

var technicalIndicatorsPhrasings = []string{
	"rsi of <sym>",
	"is <sym> above its <num> day moving average",
	"macd and bollinger bands of <sym>",
	"is <sym> overbought",
	"golden cross in <sym>",
	"<sym> 的RSI是多少",
	"<sym> 的<num>日均线",
	"<sym> 超买了吗",
}

const (
	maxIndicators    = 25
	maxIndicatorRows = 30
)

type indicatorLine struct {
	Indicator string              `json:"indicator"`
	Title     string              `json:"title"`
	Unit      string              `json:"unit"`
	Latest    map[string]*float64 `json:"latest"`
	// WarmUp counts the bars of the series before the first value, by output.
	WarmUp map[string]int `json:"warm_up"`

	spec indicatorSpec
}

type rejectedIndicator struct {
	Indicator string `json:"indicator"`
	Reason    string `json:"reason"`
}

type technicalIndicators struct {
	Symbol   market.Symbol   `json:"symbol,omitempty"`
	Name     string          `json:"name,omitempty"`
	Interval market.Interval `json:"interval,omitempty"`
	From     string          `json:"from"`
	To       string          `json:"to"`
	Count    int             `json:"count"`
	toolkit.Origin
	Indicators []indicatorLine       `json:"indicators"`
	Rejected   []rejectedIndicator   `json:"refused"`
	Warnings   toolkit.Notes         `json:"warnings"`
	Dates      []string              `json:"dates"`
	Series     map[string][]*float64 `json:"series"`
	SeriesNote string                `json:"series_note,omitempty"`

	series market.Series
}

// newTechnicalIndicators returns the tool for technical indicators.
func newTechnicalIndicators(d Deps) tool.Tool {
	return toolkit.New("technical_indicators", technicalIndicatorsDescription, tool.Reads, func(ctx context.Context, in technicalIndicatorsInput) (technicalIndicators, error) {
		specs, refused, err := parseSpecs(in.Indicators)
		if err != nil {
			return technicalIndicators{}, err
		}
		charted, err := d.indicatorBars(ctx, in, warmUpOf(specs))
		if err != nil {
			return technicalIndicators{}, err
		}
		t, err := charted.indicators(specs, refused)
		if err != nil {
			return t, toolkit.Unusablef("indicators of %s: %v; these prices of %s cannot be used for them", charted.series.Symbol, err, charted.series.Provenance.Source)
		}
		if len(t.Indicators) == 0 {
			var reasons []string
			for _, r := range t.Rejected {
				reasons = append(reasons, r.Indicator+": "+r.Reason)
			}
			return t, toolkit.InvalidArgsf("no indicator can be computed: %s", strings.Join(reasons, "; "))
		}
		return t, nil
	}).
		WithDetails(technicalIndicatorsDetails).Find("statistics", technicalIndicatorsKeywords, technicalIndicatorsPhrasings...)
}

// parseSpecs parses the indicators, each once, and returns the invalid ones separately.
func parseSpecs(texts []string) ([]indicatorSpec, []rejectedIndicator, error) {
	if len(texts) == 0 || len(texts) > maxIndicators {
		return nil, nil, toolkit.InvalidArgsf("need 1 to %[2]d indicators, got %[1]d; available: %[3]s", len(texts), maxIndicators, indicatorUsages())
	}
	var specs []indicatorSpec
	refused := []rejectedIndicator{}
	for _, text := range texts {
		one, err := parseSpec(text)
		switch {
		case err != nil:
			refused = append(refused, rejectedIndicator{Indicator: text, Reason: err.Error()})
		case !slices.ContainsFunc(specs, func(have indicatorSpec) bool { return have.key() == one.key() }):
			specs = append(specs, one)
		}
	}
	return specs, refused, nil
}

func (c indicatorBars) indicators(specs []indicatorSpec, refused []rejectedIndicator) (technicalIndicators, error) {
	within, err := indicator.NewBars(c.series.Bars)
	if err != nil {
		return technicalIndicators{}, err
	}
	all, err := indicator.NewBars(c.withLead.Bars)
	if err != nil {
		return technicalIndicators{}, err
	}
	s := c.series
	t := technicalIndicators{
		Symbol: s.Symbol, Name: s.Name, Interval: s.Interval, Count: len(s.Bars), Origin: toolkit.OriginOf(s.Provenance, c.span.StartNote(s)),
		From: toolkit.FormatDate(s.Bars[0].Date), To: toolkit.FormatDate(s.Bars[len(s.Bars)-1].Date), Rejected: refused,
		Series: map[string][]*float64{"close": nullable(within.Close)}, series: s,
	}
	t.Warnings.WarnEach("prices", c.warnings...)
	for _, bar := range s.Bars {
		t.Dates = append(t.Dates, toolkit.FormatDate(bar.Date))
	}
	for _, one := range specs {
		if why := one.missingInput(s.Bars); why != "" {
			t.Rejected = append(t.Rejected, rejectedIndicator{Indicator: one.key(), Reason: why})
			continue
		}
		from := all
		if one.anchored {
			from = within
		}
		t.add(one, one.compute(from, one.parameters))
	}
	c.addWarnings(&t.Warnings, specs)
	return t, nil
}

// add adds the outputs of an indicator and cuts off the bars before the range.
func (t *technicalIndicators) add(one indicatorSpec, columns [][]float64) {
	line := indicatorLine{
		Indicator: one.key(), Title: one.title, Unit: one.unit, Latest: map[string]*float64{}, WarmUp: map[string]int{}, spec: one,
	}
	if line.Unit == "" {
		line.Unit = toolkit.UnitOf(t.series.Provenance)
	}
	for i, output := range one.outputNames() {
		values := nullable(columns[i][len(columns[i])-t.Count:])
		t.Series[one.column(output)] = values
		name := cmp.Or(output, "value")
		line.Latest[name] = values[t.Count-1]
		line.WarmUp[name] = slices.IndexFunc(values, func(v *float64) bool { return v != nil })
		if line.WarmUp[name] < 0 {
			line.WarmUp[name] = t.Count
			t.Warnings.Warn("no_value", "%s has no value: too few bars, or the price did not change", one.column(output))
		}
	}
	t.Indicators = append(t.Indicators, line)
}

func nullable(values []float64) []*float64 {
	out := make([]*float64, len(values))
	for i, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			out[i] = &values[i]
		}
	}
	return out
}

func (t technicalIndicators) Headline(lang string) string {
	if lang == "zh" {
		return fmt.Sprintf("%s %s：%s。", cmp.Or(string(t.Symbol), "给定的数据"), t.To, strings.Join(t.firstValues(), "，"))
	}
	return fmt.Sprintf("%s on %s: %s.", cmp.Or(string(t.Symbol), "Supplied bars"), t.To, t.Summary())
}

func (t technicalIndicators) Summary() string { return strings.Join(t.firstValues(), ", ") }

// firstValues returns the first of the latest values with their names.
func (t technicalIndicators) firstValues() []string {
	var values []string
	for _, row := range t.latest()[1:] {
		values = append(values, row[0]+" "+row[1])
	}
	return values[:min(len(values), 3)]
}

func (t technicalIndicators) Title() string {
	return fmt.Sprintf("%s · %s %s, %s to %s", cmp.Or(instrumentTitle(t.series.Instrument), "Supplied bars"), toolkit.Format(t.Count, toolkit.Count, ""), t.bars(), t.From, t.To)
}

func (t technicalIndicators) bars() string { return strings.TrimSpace(string(t.Interval) + " bars") }

// Tables returns the latest values, with all values that a model reads as figures, and the indicators
// that were refused.
func (t technicalIndicators) Tables() []toolkit.Table {
	out := toolkit.Table{Columns: []string{"indicator", "latest:", "unit", "description"}, Rows: t.latest()}
	bars := t.series.Bars[t.Count-len(t.Dates):]
	for _, row := range out.Rows {
		name := row[0]
		for i, v := range t.Series[name] {
			if v != nil {
				out.Figures = append(out.Figures, tool.Figure{
					ID: fmt.Sprintf("series.%s.%s", name, t.Dates[i]), Label: strings.TrimSpace(fmt.Sprintf("%s %s on %s", t.Symbol, name, t.Dates[i])),
					Value: decimal.NewFromFloat(*v), Unit: row[2], AsOf: bars[i].Date, Source: t.Source, Formula: row[3], Inputs: []string{t.bars() + " to " + t.To},
				})
			}
		}
	}
	if len(t.Rejected) == 0 {
		return []toolkit.Table{out}
	}
	refused := toolkit.Table{Title: "Not computed", Columns: []string{"indicator", "reason"}}
	for _, r := range t.Rejected {
		refused.Rows = append(refused.Rows, []string{r.Indicator, r.Reason})
	}
	return []toolkit.Table{out, refused}
}

// latest returns a row for each latest value: column, value, unit and description.
func (t technicalIndicators) latest() [][]string {
	n := len(t.Dates) - 1
	rows := [][]string{{"close", toolkit.Format(t.Series["close"][n], toolkit.Price, ""), toolkit.UnitOf(t.series.Provenance), "closing price"}}
	for _, line := range t.Indicators {
		for _, output := range line.spec.outputNames() {
			column := line.spec.column(output)
			rows = append(rows, []string{column, line.spec.format(t.Series[column][n]), line.Unit, line.spec.formula(line.spec.parameters)})
		}
	}
	return rows
}

// Sampled implements [toolkit.Sampler]: only the last rows, because all of them would fill the model's
// context.
func (t technicalIndicators) Sampled() toolkit.Answer {
	cut := t.Count - maxIndicatorRows
	if cut <= 0 {
		return t
	}
	columns := t.Series
	t.Dates, t.Series = t.Dates[cut:], make(map[string][]*float64, len(columns))
	for name, values := range columns {
		t.Series[name] = values[cut:]
	}
	t.SeriesNote = fmt.Sprintf("last %d of %s rows; for earlier rows choose an earlier end date (to)", maxIndicatorRows, toolkit.Format(t.Count, toolkit.Count, ""))
	return t
}
