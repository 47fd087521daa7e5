package analysis

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type returnsStatsInput struct {
	Symbol string `json:"symbol,omitempty" jsonschema:"Symbol, such as AAPL or ^GSPC."`
	Range  string `json:"range,omitempty" jsonschema:"To the last close: 1m, 6m, 1y, 5y, 10y, ytd or max. Default max."`
	From   string `json:"from,omitempty" jsonschema:"Start date: YYYY, YYYY-MM or YYYY-MM-DD. Not with range."`
	To     string `json:"to,omitempty" jsonschema:"End date: YYYY, YYYY-MM or YYYY-MM-DD. Not with range."`
	unsentReturns
}

// unsentReturns are the arguments of suppliedReturns, hidden from the model, which uses risk_metrics
// for them.
type unsentReturns struct {
	Returns          []*float64 `json:"returns,omitempty" arg:"unsent" jsonschema:"Deprecated: own returns; use risk_metrics."`
	BenchmarkReturns []*float64 `json:"benchmark_returns,omitempty" arg:"unsent" jsonschema:"With returns: benchmark returns, as in risk_metrics."`
	PerYear          float64    `json:"periods_per_year,omitempty" arg:"unsent" jsonschema:"With returns: 252 for daily, 52 for weekly, 12 for monthly."`
	RiskFree         float64    `json:"risk_free_rate,omitempty" arg:"unsent" jsonschema:"With returns: annual rate as a fraction. Default 0."`
	Confid           float64    `json:"confidence,omitempty" arg:"unsent" jsonschema:"With returns: confidence of value at risk. Default 0.95."`
}

// suppliedReturns are the caller's own returns with their parameters.
type suppliedReturns struct {
	Returns          []*float64 `json:"returns,omitempty" jsonschema:"Own returns, oldest first, instead of symbol; null if unknown."`
	BenchmarkReturns []*float64 `json:"benchmark_returns,omitempty" arg:"rare" jsonschema:"With returns: benchmark returns for the same periods."`
	PerYear          float64    `json:"periods_per_year,omitempty" arg:"rare" jsonschema:"252 for daily, 52 weekly, 12 monthly. Default: from the prices."`
	RiskFree         float64    `json:"risk_free_rate,omitempty" jsonschema:"Annual, such as 0.04. Default 0."`
	Confid           float64    `json:"confidence,omitempty" arg:"rare" jsonschema:"Confidence of value at risk. Default 0.95."`
}

const returnsStatsDescription = `Total and annual return, volatility and maximum drawdown of one symbol. Use for "how did X do" or "how risky is X"; for Sharpe ratio, beta or VaR use risk_metrics. Rates are fractions (0.057 = 5.7%). State the period and whether dividends are included.`

const returnsStatsDetails = `It fetches the prices itself. It also returns the peak, trough and recovery dates of the maximum drawdown, and the current drawdown. The note says whether the return is a price return without dividends or a total return.

annual_return is the compound rate between the first and the last close, in years of 365.25 days. annual_volatility is the sample standard deviation of simple period returns times the square root of periods_per_year: 252 for daily data, 365 for assets that trade every day of the week, 12 for monthly data. A drawdown is a decline from the highest earlier close in the period, as a negative fraction. drawdown_recovery_date is null until the price reaches that close again.

A range ends at the last close of the series, which may be in the past. A year, quarter (2008-Q1), month or ytd, and a from date on the first day of a month, start at the last close before: 2008 is measured from the close of 2007-12-31. Any other from date is exact: daily data start with the first session on or after that day, monthly data with the last close on or before it. The note states the first close if it is earlier than the start date.

For your own returns use risk_metrics; the arguments returns, benchmark_returns, periods_per_year, risk_free_rate and confidence also work here.`

const returnsStatsKeywords = "return performance gain gained lost growth cagr annualized volatility risk risky drawdown decline crash fall fell recovered since history worst year annual 收益 收益率 涨幅 跌幅 年化 波动率 回撤 表现 涨了 跌了 风险"

var returnsStatsPhrasings = []string{
	"how has <sym> done over the past <num> years",
	"how risky is <sym>",
	"return of <sym> in <num>",
	"worst drop of <sym> and when did it recover",
	"annualized return and volatility of <sym>",
	"<sym> 过去<num>年涨了多少",
	"<sym> 的年化收益率是多少",
	"<sym> 最大回撤",
}

type returnsStats struct {
	Symbol         market.Symbol   `json:"symbol" label:"symbol"`
	Name           string          `json:"name"`
	From           string          `json:"from"`
	To             string          `json:"to"`
	Interval       market.Interval `json:"interval"`
	PeriodsPerYear float64         `json:"periods_per_year"`

	TotalReturn      float64  `json:"total_return" label:"total return" as:"change" key:"1" formula:"last / first - 1"`
	AnnualReturn     *float64 `json:"annual_return" label:"annual return" as:"change" key:"2" basis:"365.25-day years" formula:"(last / first)^(1 / years) - 1"`
	AnnualVolatility *float64 `json:"annual_volatility" label:"volatility" as:"percent" key:"3" formula:"sample standard deviation of returns * sqrt(periods per year)"`
	MaxDrawdown      float64  `json:"max_drawdown" label:"max drawdown" as:"percent" key:"4" formula:"min(close / highest close before - 1)"`
	PeakDate         *string  `json:"drawdown_peak_date"`
	TroughDate       *string  `json:"drawdown_trough_date"`
	RecoveryDate     *string  `json:"drawdown_recovery_date"`
	DrawdownDates    string   `json:"-" label:"drawdown dates"`
	Recovered        string   `json:"-" label:"recovered"`
	CurrentDrawdown  float64  `json:"current_drawdown" label:"current drawdown" as:"percent" formula:"last / highest close - 1"`

	FirstClose   decimal.Decimal `json:"first_close" label:"first close" as:"price" currency:"CountedIn"`
	LastClose    decimal.Decimal `json:"last_close" label:"last close" as:"price" currency:"CountedIn"`
	CountedIn    string          `json:"-" label:"unit"`
	Became       float64         `json:"-" label:"growth of 100" as:"money"`
	Observations int             `json:"observations" label:"closes" row:"-" unit:"closes"`

	toolkit.Origin
	Warnings toolkit.Notes `json:"warnings"`

	series market.Series
	perf   analytics.Performance
}

// newReturnsStats returns the tool for return and risk of one symbol.
func newReturnsStats(d Deps) tool.Tool {
	return toolkit.New("returns_stats", returnsStatsDescription, tool.Reads, func(ctx context.Context, in returnsStatsInput) (toolkit.Answer, error) {
		if len(in.Returns) > 0 || in.Symbol == "" {
			return d.riskMetrics(ctx, "returns_stats", riskMetricsInput{Symbol: in.Symbol, Range: in.Range, From: in.From, To: in.To, suppliedReturns: suppliedReturns(in.unsentReturns)})
		}
		if len(in.BenchmarkReturns) > 0 || in.PerYear != 0 || in.RiskFree != 0 || in.Confid != 0 {
			return nil, toolkit.InvalidArgsf("%w: benchmark_returns, periods_per_year, risk_free_rate and confidence work only with returns; for a symbol use risk_metrics", errReturns)
		}
		sp, err := toolkit.ParsePeriod(in.Range, in.From, in.To, "max")
		if err != nil {
			return nil, err
		}
		series, warnings, err := toolkit.FetchReturnSeries(ctx, d.Prices, in.Symbol, sp)
		if err != nil {
			return nil, err
		}
		perf, err := measureSeries(series)
		switch {
		case errors.Is(err, analytics.ErrTooFew):
			return nil, toolkit.NoDataf("returns of %s: only one close in the range, on %s; use a longer range",
				series.Symbol, toolkit.FormatDate(series.Bars[0].Date))
		case err != nil:
			return nil, toolkit.Unusablef("returns of %s: %v; these prices of %s cannot be used for returns", series.Symbol, err, series.Provenance.Source)
		}
		stats := statsOf(series, sp, perf)
		stats.Warnings.WarnEach("prices", warnings...)
		return stats, nil
	}).
		WithDetails(returnsStatsDetails).Find("statistics", returnsStatsKeywords, returnsStatsPhrasings...)
}

func measureSeries(s market.Series) (analytics.Performance, error) {
	prices, err := analytics.NewPrices(s)
	if err != nil {
		return analytics.Performance{}, err
	}
	return measurePrices(s, prices)
}

// measurePrices computes the performance of a series. Assets that trade every day have more returns a
// year, which scales their volatility.
func measurePrices(s market.Series, prices analytics.Prices) (analytics.Performance, error) {
	perf, err := analytics.Measure(prices)
	if err != nil {
		return perf, err
	}
	periods := toolkit.PeriodsPerYear(s.Interval, toolkit.SeriesDates(s))
	if perf.AnnualVolatility != nil {
		v := *perf.AnnualVolatility * math.Sqrt(periods/perf.PeriodsPerYear)
		perf.AnnualVolatility = &v
	}
	perf.PeriodsPerYear = periods
	if text := toolkit.SparseWarning(toolkit.SeriesDates(s), periods); text != "" {
		perf.Warnings = append(perf.Warnings, text)
	}
	return perf, nil
}

func statsOf(s market.Series, sp toolkit.Period, perf analytics.Performance) returnsStats {
	stats := returnsStats{
		Symbol: s.Symbol, Name: s.Name, From: toolkit.FormatDate(perf.From), To: toolkit.FormatDate(perf.To),
		Observations: perf.Observations, Interval: perf.Interval, PeriodsPerYear: perf.PeriodsPerYear,
		FirstClose: s.Bars[0].Close, LastClose: s.Bars[len(s.Bars)-1].Close,
		TotalReturn: perf.TotalReturn, AnnualReturn: perf.AnnualReturn, AnnualVolatility: perf.AnnualVolatility,
		MaxDrawdown: perf.MaxDrawdown.Depth, CurrentDrawdown: perf.CurrentDrawdown.Depth,
		PeakDate: dateOrNull(perf.MaxDrawdown.Peak), TroughDate: dateOrNull(perf.MaxDrawdown.Trough), RecoveryDate: dateOrNull(perf.MaxDrawdown.Recovery),
		Origin: toolkit.OriginOf(s.Provenance, toolkit.ReturnKind(s.Instrument, s.Provenance.Adjustment), sp.StartNote(s)),
		Became: rebasedTo * (1 + perf.TotalReturn), CountedIn: toolkit.UnitOf(s.Provenance),
		DrawdownDates: "none", Recovered: "none", series: s, perf: perf,
	}
	if perf.MaxDrawdown.Depth != 0 {
		stats.DrawdownDates, stats.Recovered = *stats.PeakDate+" to "+*stats.TroughDate, "not by "+stats.To
	}
	if stats.RecoveryDate != nil {
		stats.Recovered = *stats.RecoveryDate
	}
	stats.Warnings.WarnEach("measures", perf.Warnings...)
	return stats
}

func dateOrNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := toolkit.FormatDate(t)
	return &s
}

func (r returnsStats) Headline(lang string) string {
	total, fall := toolkit.Format(r.TotalReturn, toolkit.Change, ""), toolkit.Format(r.MaxDrawdown, toolkit.Percent, "")
	annual := toolkit.Format(r.AnnualReturn, toolkit.Change, "")
	if lang == "zh" {
		return fmt.Sprintf("%s 从 %s 至 %s 的总回报为 %s（年化 %s），最大回撤 %s。", r.Symbol, r.From, r.To, total, annual, fall)
	}
	return fmt.Sprintf("%s returned %s from %s to %s (%s a year), max drawdown %s.", r.Symbol, total, r.From, r.To, annual, fall)
}

func (r returnsStats) Title() string { return instrumentTitle(r.series.Instrument) }

func instrumentTitle(i market.Instrument) string {
	if i.Name == "" || i.Name == string(i.Symbol) {
		return string(i.Symbol)
	}
	return fmt.Sprintf("%s (%s)", i.Name, i.Symbol)
}

func (r returnsStats) Summary() string {
	return fmt.Sprintf("%s, drawdown %s", toolkit.Format(r.TotalReturn, toolkit.Change, ""), toolkit.Format(r.MaxDrawdown, toolkit.Percent, ""))
}

func (r returnsStats) Chart() *chart.Spec { return toolkit.DrawdownChart(r.series) }

func (r returnsStats) Explain(field string) toolkit.Explanation {
	first := fmt.Sprintf("first close %s on %s", r.FirstClose, r.From)
	last := fmt.Sprintf("last close %s on %s", r.LastClose, r.To)
	e := toolkit.Explanation{AsOf: r.perf.To}
	switch field {
	case "symbol", "Became", "CountedIn":
		e.Omit = true
	case "DrawdownDates", "Recovered":
		e.Omit = r.MaxDrawdown == 0
	case "first_close":
		e.AsOf, e.Basis = r.perf.From, r.From
	case "last_close":
		e.Basis = r.To
	case "total_return":
		e.Basis, e.Inputs = r.From+" to "+r.To, []string{first, last}
	case "annual_return":
		e.Inputs = []string{first, last, fmt.Sprintf("%.4f years of 365.25 days", r.perf.Years)}
	case "annual_volatility":
		e.Basis = fmt.Sprintf("%s closes, annualized by sqrt(%g)", r.Interval, r.PeriodsPerYear)
		e.Formula = fmt.Sprintf("sample standard deviation of returns * sqrt(%g)", r.PeriodsPerYear)
		e.Inputs = []string{fmt.Sprintf("%d %s returns, %s to %s", r.Observations-1, r.Interval, r.From, r.To)}
	case "max_drawdown":
		e.Basis, e.Inputs = "from the highest close before", []string{r.DrawdownDates + ", recovered " + r.Recovered}
		if r.MaxDrawdown == 0 {
			e.Basis, e.Inputs = "never below an earlier close", []string{"never below an earlier close"}
		}
	case "current_drawdown":
		e.Basis = "at the highest close of the period"
		if r.CurrentDrawdown != 0 {
			e.Basis = "below the close of " + toolkit.FormatDate(r.perf.CurrentDrawdown.Peak)
		}
		e.Inputs = []string{last, e.Basis}
	}
	return e
}
