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

const xirrDescription = `Annual money-weighted return (XIRR) of dated cash flows. Use for "what did I earn on what I paid in"; for the recorded portfolio use portfolio_performance. If rate is null, several rates fit: say that no single return describes these payments.`

const xirrDetails = `XIRR is the rate at which the payments are worth nothing together, with actual/365 days. Payments may be in any order. What is paid in is negative, what is received is positive. The value at the end is a last positive payment on its date.

Rates are fractions: 0.0834 is 8.34% a year. If several rates solve it, rates lists all of them. Flows of less than a year are annualized, which exaggerates; a warning reports it.`

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
	Rate        *float64  `json:"rate"`
	Rates       []float64 `json:"rates"`
	SignChanges int       `json:"sign_changes"`
	From        string    `json:"from"`
	To          string    `json:"to"`
	Days        int       `json:"days"`
	Payments    int       `json:"payments"`
	PaidIn      string    `json:"paid_in"`
	Received    string    `json:"received"`
	Gain        string    `json:"gain"`
	Currency    string    `json:"currency,omitempty"`
	DayCount    string    `json:"day_count"`
	Warnings    []string  `json:"warnings"`
}

// newXIRR is the tool that finds the money-weighted return.
func newXIRR() tool.Tool {
	return tool.New("xirr", xirrDescription, tool.Reads, func(_ context.Context, in xirrInput) (tool.Result, error) {
		return xirr(in)
	}).WithDetails(xirrDetails).Find("planning", xirrKeywords, xirrPhrasings...)
}

const maxFlows = 20_000

func xirr(in xirrInput) (tool.Result, error) {
	currency, err := toolkit.ParseCurrency(in.Currency)
	if err != nil {
		return toolkit.InvalidResult(err)
	}
	if len(in.CashFlows) > maxFlows {
		return toolkit.InvalidResult(fmt.Errorf("%d payments; at most %d at once", len(in.CashFlows), maxFlows))
	}
	var flows []fixedincome.CashFlow
	var paid, received decimal.Decimal
	for _, f := range in.CashFlows {
		date, err := toolkit.ParseDay("date", f.Date)
		if err != nil {
			return toolkit.InvalidResult(err)
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
		return toolkit.InvalidResult(fmt.Errorf("xirr: %w", err))
	}
	answer := xirrResult{
		SignChanges: found.SignChanges, From: toolkit.FormatDate(found.From), To: toolkit.FormatDate(found.To), Days: found.Days, Payments: len(flows),
		PaidIn: paid.String(), Received: received.String(), Gain: received.Sub(paid).String(), Currency: currency, DayCount: "actual/365", Warnings: []string{},
	}
	for _, r := range found.Rates {
		answer.Rates = append(answer.Rates, toolkit.RoundFraction(r))
	}
	if len(answer.Rates) == 1 {
		answer.Rate = &answer.Rates[0]
	} else {
		answer.Warnings = append(answer.Warnings, fmt.Sprintf("%d rates solve it: no single return describes these payments", len(answer.Rates)))
	}
	if found.Days < 365 {
		answer.Warnings = append(answer.Warnings, fmt.Sprintf("%d days are annualised: the rate is what a whole year at this pace would bring", found.Days))
	}
	return answer.result(found.To), nil
}

func (a xirrResult) result(last time.Time) tool.Result {
	s := toolkit.CalculationSheet{Tool: "xirr", Currency: a.Currency, AsOf: last}
	span := fmt.Sprintf("%d payments, %s to %s", a.Payments, a.From, a.To)
	for i, r := range a.Rates {
		l := toolkit.SheetLine{ID: "rate", Label: "money-weighted return a year", Value: toolkit.FractionToPercent(r), Unit: "%", Formula: "sum(amount / (1 + r)^(days / 365)) = 0", Inputs: []string{span}}
		if len(a.Rates) > 1 {
			l.ID, l.Label = fmt.Sprintf("rate_%d", i+1), fmt.Sprintf("solution %d", i+1)
		}
		s.Add(l)
	}
	s.Add(toolkit.SheetLine{ID: "paid_in", Label: "paid in", Value: decimal.RequireFromString(a.PaidIn), Unit: s.MoneyUnit(), Inputs: []string{span}})
	s.Add(toolkit.SheetLine{ID: "received", Label: "received, with the value at the end", Value: decimal.RequireFromString(a.Received), Unit: s.MoneyUnit(), Inputs: []string{span}})
	s.Add(toolkit.SheetLine{ID: "gain", Label: "gain", Value: decimal.RequireFromString(a.Gain), Unit: s.MoneyUnit(), Formula: "received - paid in"})
	summary := fmt.Sprintf("%d rates", len(a.Rates))
	if a.Rate != nil {
		summary = toolkit.FormatRate(*a.Rate) + " a year"
	}
	return tool.Result{
		Value: a, ForUser: s.Table("Money-weighted return", append([]string{span + ", " + a.DayCount}, a.Warnings...)),
		Title: span, Summary: summary, Figures: s.Figures(),
	}
}
