package companies

import (
	"context"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type earningsInput struct {
	Symbol string `json:"symbol" jsonschema:"One symbol such as AAPL, or a company name."`
}

const earningsDescription = `Date of a company's next earnings report, analysts' estimates of earnings per share and revenue, and past surprises. Estimates are opinions, not results: for reported figures use financial_statements. Estimates are always current, never for a past date.`

const earningsDetails = `next_date is the day of the report; with next_date_to it is the first of the days on which the report is expected. next_date_is_estimate means that the company has not confirmed it.
Each estimate has the analysts' average, low and high, their number, the figure of a year before, and the growth from it. Analysts usually adjust earnings per share, so these differ from the diluted earnings per share in the statements. eps_30_days_ago is the average estimate of that day; raised and lowered count the analysts who changed their estimates in the last 30 days.
Each result has the reported and the expected earnings per share of a quarter; surprise is (reported - expected) / |expected|.`

const earningsKeywords = `earnings date report reports reporting next quarter results announcement calendar estimate estimates forecast consensus analysts expect expected eps revenue surprise beat miss guidance 财报 业绩 公布 发布 日期 预期 预测 一致预期 分析师 超预期 下次财报`

var earningsPhrasings = []string{
	"when does <sym> report earnings",
	"next earnings date of <sym>",
	"what do analysts expect <sym> to earn",
	"eps estimate for <sym> next quarter",
	"did <sym> beat estimates",
	"<sym>什么时候发布财报",
	"<sym>的盈利预期",
}

type estimateLine struct {
	Period    market.EstimatePeriod `json:"period" label:"period"`
	End       string                `json:"period_end,omitempty" label:"ends"`
	EPS       decimal.NullDecimal   `json:"eps" label:"EPS estimate" as:"price" currency:"eps_currency"`
	EPSLow    decimal.NullDecimal   `json:"eps_low" label:"EPS low" as:"price" currency:"eps_currency"`
	EPSHigh   decimal.NullDecimal   `json:"eps_high" label:"EPS high" as:"price" currency:"eps_currency"`
	EPSYear   decimal.NullDecimal   `json:"eps_year_ago" label:"EPS a year before" as:"price" currency:"eps_currency"`
	EPSGrowth decimal.NullDecimal   `json:"eps_growth" label:"EPS growth" as:"change"`
	EPSCount  int                   `json:"eps_analysts" label:"EPS analysts" unit:"analysts" row:"-"`
	EPSMonth  decimal.NullDecimal   `json:"eps_30_days_ago" label:"EPS estimate 30 days ago" as:"price" currency:"eps_currency" row:"-"`
	Raised    decimal.NullDecimal   `json:"raised_30_days" label:"estimates raised in 30 days" unit:"analysts" row:"-"`
	Lowered   decimal.NullDecimal   `json:"lowered_30_days" label:"estimates lowered in 30 days" unit:"analysts" row:"-"`
	Currency  string                `json:"eps_currency,omitempty"`

	Revenue         decimal.NullDecimal `json:"revenue" label:"revenue estimate" as:"money" currency:"revenue_currency"`
	RevenueLow      decimal.NullDecimal `json:"revenue_low" label:"revenue low" as:"money" currency:"revenue_currency" row:"-"`
	RevenueHigh     decimal.NullDecimal `json:"revenue_high" label:"revenue high" as:"money" currency:"revenue_currency" row:"-"`
	RevenueYear     decimal.NullDecimal `json:"revenue_year_ago" label:"revenue a year before" as:"money" currency:"revenue_currency" row:"-"`
	RevenueGrowth   decimal.NullDecimal `json:"revenue_growth" label:"revenue growth" as:"change"`
	RevenueCount    int                 `json:"revenue_analysts" label:"revenue analysts" unit:"analysts" row:"-"`
	RevenueCurrency string              `json:"revenue_currency,omitempty"`
}

func (l estimateLine) Explain(string) toolkit.Explanation {
	return toolkit.Explanation{Basis: strings.TrimSpace("analysts' estimates, " + string(l.Period) + " " + l.End)}
}

type resultLine struct {
	End      string              `json:"period_end" label:"quarter to"`
	Reported decimal.NullDecimal `json:"eps_reported" label:"EPS reported" as:"price" currency:"currency"`
	Expected decimal.NullDecimal `json:"eps_expected" label:"EPS expected" as:"price" currency:"currency"`
	Surprise decimal.NullDecimal `json:"surprise" label:"surprise" as:"change" formula:"(reported - expected) / |expected|"`
	Currency string              `json:"currency,omitempty"`
}

func (l resultLine) Explain(string) toolkit.Explanation {
	return toolkit.Explanation{Basis: "quarter to " + l.End}
}

type earningsAnswer struct {
	Symbol       market.Symbol `json:"symbol" input:"symbol"`
	Next         string        `json:"next_date,omitempty" label:"next report"`
	NextTo       string        `json:"next_date_to,omitempty" label:"or until"`
	Estimated    bool          `json:"next_date_is_estimate"`
	Call         string        `json:"call_time,omitempty" label:"call with investors"`
	ExDividend   string        `json:"ex_dividend_date,omitempty" label:"ex-dividend date"`
	DividendPaid string        `json:"dividend_date,omitempty" label:"dividend payment"`
	toolkit.Origin
	Warnings  toolkit.Notes  `json:"warnings"`
	Estimates []estimateLine `json:"estimates" table:"Analysts' estimates"`
	Results   []resultLine   `json:"results" table:"Reported and expected earnings per share"`
}

// newEarnings returns the tool for earnings dates and estimates.
func newEarnings(d FundamentalDeps) tool.Tool {
	return toolkit.New("earnings", earningsDescription, tool.Reads, func(ctx context.Context, in earningsInput) (earningsAnswer, error) {
		today := toolkit.FormatDate(toolkit.Today(d.Now()))
		if d.Replay {
			return earningsAnswer{}, toolkit.NoDataf("earnings dates and estimates are always current, so none are available as of %s; for past reports use filings", today)
		}
		e, err := toolkit.LookUp(ctx, d.Directory, in.Symbol, func(sym market.Symbol) (market.Earnings, error) { return d.Earnings.Earnings(ctx, sym) })
		if err != nil {
			return earningsAnswer{}, toolkit.WithContext(err, "earnings of %s", in.Symbol)
		}
		return newEarningsAnswer(e, today), nil
	}).
		WithDetails(earningsDetails).Find("company", earningsKeywords, earningsPhrasings...)
}

func newEarningsAnswer(e market.Earnings, today string) earningsAnswer {
	a := earningsAnswer{
		Symbol: e.Symbol, Next: toolkit.FormatDate(e.From), Estimated: e.DateEstimated, ExDividend: toolkit.FormatDate(e.ExDividend), DividendPaid: toolkit.FormatDate(e.DividendPaid),
		Origin: toolkit.OriginOf(e.Provenance).WithoutAdjustment(), Estimates: []estimateLine{}, Results: []resultLine{},
	}
	if e.To.After(e.From) {
		a.NextTo = toolkit.FormatDate(e.To)
	}
	if !e.Call.IsZero() {
		a.Call = e.Call.UTC().Format("2006-01-02 15:04 UTC")
	}
	for _, x := range e.Estimates {
		line := estimateLine{
			Period: x.Period, End: toolkit.FormatDate(x.End), Raised: x.Raised, Lowered: x.Lowered,
			EPS: x.EPS.Average, EPSLow: x.EPS.Low, EPSHigh: x.EPS.High, EPSYear: x.EPS.YearAgo, EPSGrowth: x.EPS.Growth, EPSCount: x.EPS.Analysts, Currency: x.EPS.Currency,
			Revenue: x.Revenue.Average, RevenueLow: x.Revenue.Low, RevenueHigh: x.Revenue.High, RevenueYear: x.Revenue.YearAgo, RevenueGrowth: x.Revenue.Growth,
			RevenueCount: x.Revenue.Analysts, RevenueCurrency: x.Revenue.Currency,
		}
		line.EPSMonth.Decimal, line.EPSMonth.Valid = x.EPSBefore[30]
		a.Estimates = append(a.Estimates, line)
	}
	for _, r := range e.Results {
		line := resultLine{End: toolkit.FormatDate(r.End), Reported: r.Reported, Expected: r.Expected, Currency: r.Currency}
		if r.Reported.Valid && r.Expected.Valid && !r.Expected.Decimal.IsZero() {
			line.Surprise = decimal.NewNullDecimal(r.Reported.Decimal.Sub(r.Expected.Decimal).Div(r.Expected.Decimal.Abs()))
		}
		a.Results = append(a.Results, line)
	}
	switch {
	case a.Next == "":
		a.Warnings.Warn("no_date", "the date of the next report is unknown")
	case max(a.Next, a.NextTo) < today:
		a.Warnings.Warn("past_date", "the source's date of the next report, %s, is in the past; the company may have reported since", max(a.Next, a.NextTo))
	case a.Estimated:
		a.Warnings.Warn("estimated_date", "the date of the next report is expected, not confirmed by the company")
	}
	if len(a.Estimates) > 0 {
		a.Warnings.Note("estimates", "Estimates are averages of analysts' opinions, not results.")
	}
	return a
}

func (a earningsAnswer) Headline(lang string) string {
	var eps, epsZH string
	if len(a.Estimates) > 0 && a.Estimates[0].EPS.Valid {
		first := a.Estimates[0]
		price := toolkit.Format(first.EPS, toolkit.Price, first.Currency)
		eps = fmt.Sprintf("; analysts expect %s a share for the quarter to %s", price, first.End)
		epsZH = fmt.Sprintf("；分析师预计截至 %s 的季度每股盈利 %s", first.End, price)
	}
	switch {
	case a.Next == "" && lang == "zh":
		return fmt.Sprintf("%s 的下次财报日期未知%s。", a.Symbol, epsZH)
	case a.Next == "":
		return fmt.Sprintf("The date of the next report from %s is unknown%s.", a.Symbol, eps)
	case lang == "zh":
		return fmt.Sprintf("%s 下次财报：%s%s。", a.Symbol, a.when(" 至 ", "（预计，未确认）"), epsZH)
	}
	return fmt.Sprintf("Next report from %s: %s%s.", a.Symbol, a.when(" to ", " (expected, not confirmed)"), eps)
}

func (a earningsAnswer) when(to, estimated string) string {
	text := a.Next
	if a.NextTo != "" {
		text += to + a.NextTo
	}
	if a.Estimated {
		text += estimated
	}
	return text
}

func (a earningsAnswer) Title() string { return string(a.Symbol) + " · earnings" }

func (a earningsAnswer) Summary() string {
	if a.Next == "" {
		return "date unknown"
	}
	return "next report " + a.when(" to ", "")
}
