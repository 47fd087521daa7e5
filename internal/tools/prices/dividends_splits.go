package prices

import (
	"context"
	"fmt"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type dividendsSplitsInput struct {
	Symbol string `json:"symbol" jsonschema:"One symbol such as AAPL."`
	From   string `json:"from,omitempty" jsonschema:"Start date: YYYY, YYYY-MM or YYYY-MM-DD. Default: five years ago."`
	To     string `json:"to,omitempty" jsonschema:"End date: YYYY, YYYY-MM or YYYY-MM-DD."`
}

const dividendsSplitsDescription = `Dividends and splits of one share or fund, with the dividends and yield of the last 12 months. Use for "does X pay a dividend" or "when did X split"; for total return use returns_stats. Dates are ex-dividend dates; the yield is for the past, not a forecast.`

const dividendsSplitsDetails = `Entries are newest first: the ex-dividend date and the amount per share in currency, or the ratio of a split. trailing_12m is the sum of the dividends of the last twelve months. yield_pct is that sum divided by the last close, in percent. The default period is the five years before the last close.
The ex-dividend date is the first day on which the share trades without the dividend; it is not the payment date. Amounts are per current share: earlier splits are applied, and if adjustment is split, later ones too.
yield_pct does not predict payments, and a single special dividend raises it. A spin-off is recorded as a split with an odd ratio; the distributed shares are not in the prices. If the source has no data on dividends or splits, the result is an error; there may still have been some.`

const dividendsSplitsKeywords = `dividend dividends payout distribution income yield trailing pay paid paying ex-date exdividend split splits reverse stock spinoff payments quarterly 分红 股息 派息 股息率 除权 除息 拆股 拆分 送股 红利`

var dividendsSplitsPhrasings = []string{
	"does <sym> pay a dividend",
	"dividend yield of <sym>",
	"dividends paid by <sym> since <num>",
	"when did <sym> last split its stock",
	"last ex-dividend date and amount of <sym>",
	"<sym>去年分红多少",
	"<sym>的股息率",
	"<sym>什么时候拆过股",
}

const maxActions = 60

// newDividendsSplits returns the tool for dividends and splits.
func newDividendsSplits(d Deps) tool.Tool {
	return toolkit.New("dividends_splits", dividendsSplitsDescription, tool.Reads, func(ctx context.Context, in dividendsSplitsInput) (actionsAnswer, error) {
		sp, err := toolkit.ParsePeriod("", in.From, in.To, fiveYearsBack)
		if err != nil {
			return actionsAnswer{}, err
		}
		if sp.From.IsZero() && !sp.To.IsZero() {
			sp.From = sp.To.AddDate(-defaultYears, 0, 0)
		}
		series, _, err := d.History(ctx, in.Symbol, d.withYearBefore(sp))
		if err != nil {
			return actionsAnswer{}, err
		}
		if series.Actions == nil {
			return actionsAnswer{}, toolkit.NoDataf("%s does not report dividends or splits for %s; there may have been some", series.Provenance.Source, series.Symbol)
		}

		if adjusted, err := series.SplitAdjusted(); err == nil {
			series.Actions = adjusted.Actions
		}
		return newActionsAnswer(series, sp), nil
	}).
		WithDetails(dividendsSplitsDetails).Find("company", dividendsSplitsKeywords, dividendsSplitsPhrasings...)
}

const (
	defaultYears  = 5
	fiveYearsBack = "5y"
)

// withYearBefore extends explicit dates by the year that trailing_12m needs.
func (d Deps) withYearBefore(sp toolkit.Period) toolkit.Period {
	if sp.From.IsZero() {
		return sp
	}
	end := toolkit.Today(d.Now())
	if !sp.To.IsZero() && sp.To.Before(end) {
		end = sp.To
	}
	if year := end.AddDate(-1, 0, -7); sp.From.After(year) {
		sp.From = year
	}
	return sp
}

type actionLine struct {
	Date   string            `json:"date" label:"ex-date"`
	Kind   market.ActionKind `json:"kind" label:"action"`
	Amount *decimal.Decimal  `json:"amount,omitempty" label:"dividend" as:"price" currency:"/PriceUnit" row:"-"`
	Ratio  string            `json:"ratio,omitempty"`
	New    *decimal.Decimal  `json:"new_shares,omitempty" label:"new shares" unit:"shares" row:"-"`
	Old    *decimal.Decimal  `json:"old_shares,omitempty" label:"for old shares" unit:"shares" row:"-"`
	Flags  []market.Flag     `json:"flags,omitempty"`
	Each   string            `json:"-" label:"per share"`
	Flag   string            `json:"-" label:"flags"`

	day market.Date
}

func (l actionLine) Explain(string) toolkit.Explanation { return toolkit.Explanation{AsOf: l.day} }

type actionsAnswer struct {
	Symbol market.Symbol `json:"symbol"`
	Name   string        `json:"name"`
	From   string        `json:"from"`
	To     string        `json:"to"`
	toolkit.Origin
	Trailing  *decimal.Decimal `json:"trailing_12m,omitempty" label:"dividends of the last 12 months" as:"price" currency:"PriceUnit" key:"1" basis:"per share" formula:"sum(dividends of 12 months)"`
	YieldPct  *decimal.Decimal `json:"yield_pct,omitempty" label:"dividend yield" as:"rate" in:"percent" key:"2" formula:"trailing_12m / last_close * 100"`
	LastClose decimal.Decimal  `json:"last_close" label:"last close" as:"price" currency:"PriceUnit" key:"3"`
	LastDate  string           `json:"last_close_date"`
	Payments  *int             `json:"payments_12m,omitempty" label:"payments in 12 months" unit:"payments"`
	Count     int              `json:"count" label:"dividends and splits" unit:"actions"`
	Warnings  toolkit.Notes    `json:"warnings"`
	Actions   []actionLine     `json:"actions" table:"Dividends and splits" show:"24"` // newest first
	More      string           `json:"more,omitempty"`

	PriceUnit string `json:"-"`

	last   market.Bar
	paid   []market.Action
	splits bool // only splits: dividends are unknown
}

func (a actionsAnswer) Headline(lang string) string {
	if a.Trailing == nil {
		if lang == "zh" {
			return fmt.Sprintf("%s 从 %s 到 %s 共有 %d 次分红或拆股。", a.Symbol, a.From, a.To, a.Count)
		}
		count := "no"
		if a.Count > 0 {
			count = strconv.Itoa(a.Count)
		}
		return fmt.Sprintf("%s had %s %s from %s to %s.", a.Symbol, count, a.describeActions(), a.From, a.To)
	}
	paid, yield := toolkit.Format(*a.Trailing, toolkit.Price, a.PriceUnit), ""
	if a.YieldPct != nil {
		yield = toolkit.Format(a.YieldPct.Shift(-2), toolkit.Rate, "")
	}
	if lang == "zh" {
		if yield != "" {
			yield = "，股息率 " + yield
		}
		return fmt.Sprintf("%s 过去 12 个月每股分红 %s%s。", a.Symbol, paid, yield)
	}
	if yield != "" {
		yield = ", a yield of " + yield
	}
	return fmt.Sprintf("%s paid %s per share in the last 12 months%s.", a.Symbol, paid, yield)
}

func (a actionsAnswer) Title() string { return fmt.Sprintf("%s · %s to %s", a.Symbol, a.From, a.To) }

func (a actionsAnswer) Text() string {
	if a.Count == 0 {
		return a.Headline("en")
	}
	return a.More
}

func (a actionsAnswer) Explain(field string) toolkit.Explanation {
	e := toolkit.Explanation{AsOf: a.last.Date}
	switch field {
	case "trailing_12m":
		for _, action := range a.paid {
			e.Inputs = append(e.Inputs, action.Amount.String()+" on "+toolkit.FormatDate(action.Date))
		}
	case "yield_pct":
		if a.Trailing != nil {
			e.Inputs = []string{"trailing_12m " + a.Trailing.String(), "last_close " + a.LastClose.String() + " on " + a.LastDate}
		}
	case "last_close":
		e.Basis = a.LastDate
	case "count":
		e.Label, e.Basis = a.describeActions(), a.From+" to "+a.To
	}
	return e
}

// describeActions returns the kind of actions in the answer.
func (a actionsAnswer) describeActions() string {
	if a.splits {
		return "splits"
	}
	return "dividends and splits"
}

// newActionsAnswer returns the actions in the period from a series that also covers the year before
// its end. Actions after the last bar do not count.
func newActionsAnswer(s market.Series, sp toolkit.Period) actionsAnswer {
	last := s.Bars[len(s.Bars)-1]
	begin := s.Bars[0].Date
	if !sp.From.IsZero() {
		begin = sp.From
	}
	a := actionsAnswer{
		Symbol: s.Symbol, Name: s.Name, From: toolkit.FormatDate(begin), To: toolkit.FormatDate(last.Date), Origin: priceOrigin(s.Provenance),
		LastClose: last.Close, LastDate: toolkit.FormatDate(last.Date), Actions: []actionLine{},
		last: last, PriceUnit: priceUnit(s.Provenance), splits: s.DividendsUnknown,
	}
	period := market.Range{From: begin, To: last.Date}
	for i := len(s.Actions) - 1; i >= 0; i-- {
		if action := s.Actions[i]; period.Contains(action.Date) {
			a.Count++
			a.Actions = append(a.Actions, newActionLine(action, a.PriceUnit))
		}
	}
	if a.Count > maxActions {
		a.Actions = a.Actions[:maxActions]
		a.More = fmt.Sprintf("newest %d of %d; for older ones set an end date (to) before %s", maxActions, a.Count, a.Actions[maxActions-1].Date)
	}
	a.sumTrailing(s)
	return a
}

func newActionLine(action market.Action, unit string) actionLine {
	line := actionLine{Date: toolkit.FormatDate(action.Date), Kind: action.Kind, Flags: action.Flags, Flag: toolkit.Origin{Flags: action.Flags}.FlagText(), day: action.Date}
	if action.Kind == market.ActionDividend {
		line.Amount, line.Each = &action.Amount, toolkit.Format(action.Amount, toolkit.Price, unit)
		return line
	}
	line.Ratio, line.New, line.Old = action.New.String()+" for "+action.Old.String(), &action.New, &action.Old
	line.Each = line.Ratio
	return line
}

// sumTrailing sums the dividends of the year that ends with the last close, if the series covers all
// of it.
func (a *actionsAnswer) sumTrailing(s market.Series) {
	if s.DividendsUnknown {
		a.Warnings.Warn("dividends_unknown", "%[2]s does not report dividends for %[1]s: only splits are listed", s.Symbol, s.Provenance.Source)
		return
	}
	year := market.Range{From: a.last.Date.AddDate(-1, 0, 1), To: a.last.Date}
	if s.Bars[0].Date.After(year.From.AddDate(0, 0, 7)) {
		a.Warnings.Warn("short_history", "no 12-month total: prices start on %s", toolkit.FormatDate(s.Bars[0].Date))
		return
	}
	sum := decimal.Zero
	for _, action := range s.Actions {
		if action.Kind == market.ActionDividend && year.Contains(action.Date) {
			sum, a.paid = sum.Add(action.Amount), append(a.paid, action)
		}
	}
	payments := len(a.paid)
	a.Trailing, a.Payments = &sum, &payments
	switch {
	case s.Provenance.Adjustment == market.AdjustmentSplitDiv || s.Provenance.Adjustment == market.AdjustmentUnknown:
		a.Warnings.Warn("no_yield", "no yield: the last close may not be a traded price (adjustment: %s)", s.Provenance.Adjustment)
	case a.last.Close.IsPositive():
		a.YieldPct = toolkit.PercentOf(sum, a.last.Close)
	}
}
