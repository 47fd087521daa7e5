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
	Symbol string `json:"symbol" jsonschema:"one ticker symbol such as AAPL, in any case"`
	From   string `json:"from,omitempty" jsonschema:"first day, YYYY-MM-DD; a year or a month means its first day; five years before the last close when left out"`
	To     string `json:"to,omitempty" jsonschema:"last day, YYYY-MM-DD; a year or a month means its last day"`
}

const dividendsSplitsDescription = `Gives the dividends and splits of one share or fund, newest first: the day from which it trades without them, the amount a share in currency, or the ratio; and trailing_12m, the sum of the dividends of the last twelve months, with yield_pct, that sum over the last close, in per cent.
Use it for "does X pay a dividend", "when was the split", "what does it yield". For the return with dividends reinvested use returns_stats.
date is the ex-dividend day, not the day of payment. Amounts are of the shares of the last close: splits before it are undone, and where adjustment is split later ones, too. yield_pct looks back: it says nothing of what will be paid, and one special dividend raises it. A spin_off is a split of an odd ratio: the shares handed out are not in the prices.`

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
	})
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
