package planning

import (
	"context"
	"fmt"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/fixedincome"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type xirrInput struct {
	CashFlows []datedAmount `json:"cash_flows" jsonschema:"Paid in is negative; received, and the final value, positive."`
	Currency  string        `json:"currency,omitempty" jsonschema:"ISO 4217 code, for display only."`
}

type datedAmount struct {
	Date   string  `json:"date" jsonschema:"YYYY-MM-DD"`
	Amount float64 `json:"amount"`
}

const xirrDescription = `Annual money-weighted return (XIRR) of dated cash flows. Use for "what did I earn on what I paid in"; for the recorded portfolio use portfolio_performance. If rate is null, several rates fit: say that no single return describes the payments.`

const xirrDetails = `XIRR is the rate at which the net present value of the payments is zero, with actual/365 days. Payments may be in any order. Amounts paid in are negative, amounts received are positive. Add the final value as a last positive payment on its date.

Rates are fractions: 0.0834 is 8.34% a year. If several rates solve it, rates lists all of them. Flows over less than a year are annualized, which exaggerates; a warning reports it.`

const xirrKeywords = "xirr irr internal rate money-weighted return cash flows flow deposits deposited payments invested paid dated dates contributions savings plan earned yearly annual 内部收益率 资金加权 现金流 定投 投入 实际收益率 年化收益"

var xirrPhrasings = []string{
	"I paid in <num> in <num> and <num> in <num>, now it is worth <num>",
	"xirr of these payments",
	"internal rate of return of my deposits",
	"what did I earn a year on money paid in at different dates",
	"money-weighted return of <num> cash flows",
	"我分几次投入现在值<num>，年化收益多少",
	"定投的内部收益率",
	"用XIRR算一下这些现金流",
}

type xirrResult struct {
	Rate        *float64        `json:"rate" label:"annual return" as:"change" key:"1" formula:"sum(amount / (1 + r)^(days / 365)) = 0"`
	Rates       []float64       `json:"rates" label:"solution" as:"change" formula:"sum(amount / (1 + r)^(days / 365)) = 0"`
	SignChanges int             `json:"sign_changes"`
	From        string          `json:"from"`
	To          string          `json:"to"`
	Days        int             `json:"days"`
	Payments    int             `json:"payments"`
	PaidIn      decimal.Decimal `json:"paid_in" label:"paid in" as:"money" key:"3"`
	Received    decimal.Decimal `json:"received" label:"received" as:"money" basis:"including the final value" key:"4"`
	Gain        decimal.Decimal `json:"gain" label:"gain" as:"gain" key:"2" formula:"received - paid in"`
	Currency    string          `json:"currency,omitempty"`
	DayCount    string          `json:"day_count"`
	Warnings    toolkit.Notes   `json:"warnings"`

	last time.Time
}

// newXIRR returns the tool that computes the money-weighted return.
func newXIRR() tool.Tool {
	return toolkit.New("xirr", xirrDescription, tool.Reads, xirr).WithDetails(xirrDetails).Find("planning", xirrKeywords, xirrPhrasings...).Computes()
}

const maxFlows = 20_000

func xirr(_ context.Context, in xirrInput) (xirrResult, error) {
	currency, err := toolkit.ParseCurrency(in.Currency)
	if err != nil {
		return xirrResult{}, toolkit.InvalidArgs(err)
	}
	if len(in.CashFlows) > maxFlows {
		return xirrResult{}, toolkit.InvalidArgsf("%d payments; use at most %d", len(in.CashFlows), maxFlows)
	}
	var flows []fixedincome.CashFlow
	var paid, received decimal.Decimal
	for _, f := range in.CashFlows {
		date, err := toolkit.ParseDay("date", f.Date)
		if err != nil {
			return xirrResult{}, toolkit.InvalidArgs(err)
		}
		flows = append(flows, fixedincome.CashFlow{Date: date, Amount: f.Amount})
		if amount := decimal.NewFromFloat(f.Amount); amount.IsNegative() {
			paid = paid.Sub(amount)
		} else {
			received = received.Add(amount)
		}
	}
	found, err := fixedincome.XIRR(flows)
	if err != nil {
		return xirrResult{}, toolkit.InvalidArgsf("xirr: %w", err)
	}
	answer := xirrResult{
		SignChanges: found.SignChanges, From: toolkit.FormatDate(found.From), To: toolkit.FormatDate(found.To), Days: found.Days, Payments: len(flows),
		Rates: found.Rates, PaidIn: paid, Received: received, Gain: received.Sub(paid), Currency: currency, DayCount: "actual/365", last: found.To,
	}
	if len(found.Rates) == 1 {
		answer.Rate = &found.Rates[0]
	} else {
		answer.Warnings.Warn("several_rates", "%d rates solve the equation, so no single return describes these payments.", len(found.Rates))
	}
	if found.Days < 365 {
		answer.Warnings.Warn("short_period", "Only %d days are annualized: the rate assumes the same pace for a whole year.", found.Days)
	}
	answer.Warnings.Note("day_count", "Day count: %s.", answer.DayCount)
	return answer, nil
}

func (a xirrResult) Headline(lang string) string {
	rate, gain := toolkit.Format(a.Rate, toolkit.Change, ""), toolkit.Format(a.Gain, toolkit.Gain, a.Currency)
	switch {
	case lang == "zh" && a.Rate == nil:
		return fmt.Sprintf("%s 至 %s 的现金流有 %d 个内部收益率，没有单一的年化收益率。", a.From, a.To, len(a.Rates))
	case lang == "zh":
		return fmt.Sprintf("%s 至 %s 的资金加权年化收益率为 %s，收益 %s。", a.From, a.To, rate, gain)
	case a.Rate == nil:
		return fmt.Sprintf("%d rates fit the payments from %s to %s, so no single return describes them.", len(a.Rates), a.From, a.To)
	}
	return fmt.Sprintf("The payments from %s to %s returned %s a year (gain %s).", a.From, a.To, rate, gain)
}

func (a xirrResult) Title() string {
	return fmt.Sprintf("%d payments, %s to %s", a.Payments, a.From, a.To)
}

func (a xirrResult) Explain(field string) toolkit.Explanation {
	return toolkit.Explanation{Inputs: []string{a.Title()}, AsOf: a.last, Omit: field == "rates" && len(a.Rates) < 2}
}
