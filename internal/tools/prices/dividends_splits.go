package prices

import (
	"context"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type dividendsSplitsInput struct {
	Symbol string `json:"symbol" jsonschema:"One symbol such as AAPL."`
	From   string `json:"from,omitempty" jsonschema:"Start date: YYYY, YYYY-MM or YYYY-MM-DD. Default: five years back."`
	To     string `json:"to,omitempty" jsonschema:"End date: YYYY, YYYY-MM or YYYY-MM-DD."`
}

const dividendsSplitsDescription = `Dividends and splits of one share or fund, with the dividends and yield of the last 12 months. Use for "does X pay a dividend" or "when did X split"; for total return use returns_stats. Dates are ex-dividend dates; the yield looks back, not ahead.`

const dividendsSplitsDetails = `Entries are newest first: the ex-dividend date and the amount per share in currency, or the ratio of a split. trailing_12m is the sum of the dividends of the last twelve months. yield_pct is that sum divided by the last close, in percent. The default period is the five years before the last close.
The ex-dividend date is the first day on which the share trades without the dividend; it is not the payment date. Amounts are per share of the last close: earlier splits are applied, and if adjustment is split, later ones too.
yield_pct does not say what will be paid, and one special dividend raises it. A spin_off is recorded as a split with an odd ratio; the shares handed out are not in the prices. If the source has no dividends or splits, the result is an error, which does not mean that there were none.`

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

// newDividendsSplits is the tool that lists what a company did to its shares.
func newDividendsSplits(d Deps) tool.Tool {
	return tool.New("dividends_splits", dividendsSplitsDescription, tool.Reads, func(ctx context.Context, in dividendsSplitsInput) (tool.Result, error) {
		sp, err := toolkit.ParsePeriod("", in.From, in.To, fiveYearsBack)
		if err != nil {
			return toolkit.InvalidResult(err)
		}
		if sp.From.IsZero() && !sp.To.IsZero() {
			sp.From = sp.To.AddDate(-defaultYears, 0, 0)
		}
		series, _, err := d.History(ctx, in.Symbol, d.withYearBefore(sp))
		if err != nil {
			return toolkit.SourceErrorResult(err)
		}
		if series.Actions == nil {
			return tool.Failed(tool.CodeNoData, fmt.Sprintf("%s does not tell the dividends and splits of %s; that is not to say that there were none", series.Provenance.Source, series.Symbol)), nil
		}
		// Amounts of prices as they were traded are of the shares of their day. The last
		// close stays as it was traded, and splits after it are not known to it.
		if adjusted, err := series.SplitAdjusted(); err == nil {
			series.Actions = adjusted.Actions
		}
		return newActionsAnswer(series, sp).result(), nil
	}).WithDetails(dividendsSplitsDetails).Find("company", dividendsSplitsKeywords, dividendsSplitsPhrasings...)
}

const (
	defaultYears  = 5
	fiveYearsBack = "5y"
)

// withYearBefore widens explicit ends to the year that trailing_12m needs.
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
	Date   string            `json:"date"`
	Kind   market.ActionKind `json:"kind"`
	Amount *decimal.Decimal  `json:"amount,omitempty"`
	Ratio  string            `json:"ratio,omitempty"`
	Flags  []market.Flag     `json:"flags,omitempty"`

	action market.Action
}

type actionsAnswer struct {
	Symbol market.Symbol `json:"symbol"`
	Name   string        `json:"name"`
	From   string        `json:"from"`
	To     string        `json:"to"`
	toolkit.Origin
	Trailing  *decimal.Decimal `json:"trailing_12m,omitempty"` // a share, in currency
	YieldPct  *decimal.Decimal `json:"yield_pct,omitempty"`
	LastClose decimal.Decimal  `json:"last_close"`
	LastDate  string           `json:"last_close_date"`
	Payments  *int             `json:"payments_12m,omitempty"`
	Count     int              `json:"count"`
	Warnings  []string         `json:"warnings"`
	Actions   []actionLine     `json:"actions"` // newest first
	More      string           `json:"more,omitempty"`

	last   market.Bar
	unit   string
	paid   []market.Action
	splits bool // alone: the dividends are not known
}

// newActionsAnswer takes what happened in the span out of a series that also
// reaches a year before its end. Nothing after its last bar counts.
func newActionsAnswer(s market.Series, sp toolkit.Period) actionsAnswer {
	last := s.Bars[len(s.Bars)-1]
	begin := s.Bars[0].Date
	if !sp.From.IsZero() {
		begin = sp.From
	}
	a := actionsAnswer{
		Symbol: s.Symbol, Name: s.Name, From: toolkit.FormatDate(begin), To: toolkit.FormatDate(last.Date), Origin: priceOrigin(s.Provenance),
		LastClose: last.Close, LastDate: toolkit.FormatDate(last.Date), Warnings: []string{}, Actions: []actionLine{},
		last: last, unit: priceUnit(s.Provenance), splits: s.DividendsUnknown,
	}
	period := market.Range{From: begin, To: last.Date}
	for i := len(s.Actions) - 1; i >= 0; i-- {
		if action := s.Actions[i]; period.Contains(action.Date) {
			a.Count++
			a.Actions = append(a.Actions, newActionLine(action))
		}
	}
	if a.Count > maxActions {
		a.Actions = a.Actions[:maxActions]
		a.More = fmt.Sprintf("the newest %d of %d; ask with to before %s for older ones", maxActions, a.Count, a.Actions[maxActions-1].Date)
	}
	a.sumTrailing(s)
	return a
}

func newActionLine(action market.Action) actionLine {
	line := actionLine{Date: toolkit.FormatDate(action.Date), Kind: action.Kind, Flags: action.Flags, action: action}
	if action.Kind == market.ActionDividend {
		line.Amount = &action.Amount
	} else {
		line.Ratio = action.New.String() + " for " + action.Old.String()
	}
	return line
}

// sumTrailing sums the dividends of the year that ends with the last close, where the
// series tells of all of it.
func (a *actionsAnswer) sumTrailing(s market.Series) {
	if s.DividendsUnknown {
		a.Warnings = append(a.Warnings, fmt.Sprintf("the dividends of %s are not known to %s: splits alone are listed, and that is not to say that nothing was paid", s.Symbol, s.Provenance.Source))
		return
	}
	year := market.Range{From: a.last.Date.AddDate(-1, 0, 1), To: a.last.Date}
	if s.Bars[0].Date.After(year.From.AddDate(0, 0, 7)) {
		a.Warnings = append(a.Warnings, fmt.Sprintf("the prices begin on %s, so the last twelve months are not all there", toolkit.FormatDate(s.Bars[0].Date)))
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
		a.Warnings = append(a.Warnings, "no yield is given: it is not known that the last close is the price that was paid, since its adjustment is "+string(s.Provenance.Adjustment))
	case a.last.Close.IsPositive():
		percent := sum.Shift(2).DivRound(a.last.Close, 2)
		a.YieldPct = &percent
	}
}
