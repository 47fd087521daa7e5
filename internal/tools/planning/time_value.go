package planning

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/fixedincome"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type timeValueInput struct {
	Solve        string   `json:"solve" jsonschema:"present_value, future_value, payment, periods or rate."`
	PresentValue *float64 `json:"present_value,omitempty"`
	FutureValue  *float64 `json:"future_value,omitempty"`
	Payment      *float64 `json:"payment,omitempty"`
	Periods      *float64 `json:"periods,omitempty"`
	Rate         *float64 `json:"rate,omitempty" jsonschema:"Per period: 0.005 for 6% a year, monthly."`
	Timing       string   `json:"timing,omitempty" arg:"rare" jsonschema:"end (default) or begin of each period."`
	PerYear      float64  `json:"periods_per_year,omitempty" arg:"rare" jsonschema:"12 for months; adds the effective annual rate."`
	Currency     string   `json:"currency,omitempty" jsonschema:"ISO 4217 code, for display only."`
}

const timeValueDescription = "Solves for present value, future value, payment, periods or rate, like PV, FV, PMT, NPER and RATE in a spreadsheet. Negative is paid out, positive received. For a loan schedule use loan_payment; with inflation, fees or risk use goal_plan."

const timeValueDetails = `Solves one of the five values from the other four. Rate and payment are per period: for monthly payments give the monthly rate. Example: to save 500 a month on top of 10000, give present_value -10000 and payment -500; the future value is positive.

Taxes, fees and inflation are not included. For those use retirement_simulation or goal_plan.`

const timeValueKeywords = "compound interest future present value discount discounted annuity fv pv pmt nper rate grow doubling double monthly deposit worth yearly invested periods savings 复利 现值 终值 利息 年金 多少年翻倍 贴现 本金 每月存"

var timeValuePhrasings = []string{
	"what will <num> be worth in <num> years at <pct>",
	"<num> a month for <num> years at <pct> interest",
	"present value of <num> in <num> years at <pct>",
	"how long to double my money at <pct>",
	"which rate turns <num> into <num> in <num> years",
	"<num>元按<pct>复利<num>年后是多少",
	"每月存<num>元<num>年有多少",
	"<pct> 多少年翻倍",
}

type timeValueResult struct {
	Solved       string        `json:"solved"`
	Value        *float64      `json:"value"`
	Values       []float64     `json:"values" label:"rate per period, solution" as:"rate"`
	PresentValue float64       `json:"present_value" label:"present value" as:"money"`
	FutureValue  float64       `json:"future_value" label:"future value" as:"money"`
	Payment      float64       `json:"payment" label:"payment per period" as:"money"`
	Periods      float64       `json:"periods" label:"periods" unit:"periods"`
	Rate         *float64      `json:"rate" label:"rate per period" as:"rate"` // null if there are several solutions
	AnnualRate   *float64      `json:"effective_annual_rate,omitempty" label:"annual rate" as:"rate" key:"2" formula:"(1 + rate)^periods_per_year - 1"`
	Timing       string        `json:"timing"`
	Currency     string        `json:"currency,omitempty"`
	Warnings     toolkit.Notes `json:"warnings"`
}

// newTimeValue returns the tool that solves an annuity.
func newTimeValue() tool.Tool {
	return toolkit.New("time_value", timeValueDescription, tool.Reads, timeValue).WithDetails(timeValueDetails).Find("planning", timeValueKeywords, timeValuePhrasings...).Computes()
}

func timeValue(_ context.Context, in timeValueInput) (timeValueResult, error) {
	currency, err := toolkit.ParseCurrency(in.Currency)
	if err != nil {
		return timeValueResult{}, toolkit.InvalidArgs(err)
	}
	a, err := in.annuity()
	if err != nil {
		return timeValueResult{}, toolkit.InvalidArgs(err)
	}
	values, err := solveFor(&a, in.Solve)
	if err != nil {
		return timeValueResult{}, toolkit.InvalidArgsf("time_value: %w", err)
	}
	answer := timeValueResult{Solved: in.Solve, Values: values, Timing: "end", Currency: currency}
	if a.AtBeginning {
		answer.Timing = "begin"
	}
	if in.Rate != nil && *in.Rate > 1 {
		answer.Warnings.Warn("unusual_rate", "A rate of %s per period more than doubles the money each period; write 0.05 for 5%%.", toolkit.Format(*in.Rate, toolkit.Rate, ""))
	}
	if len(values) > 1 {
		answer.Warnings.Warn("several_rates", "%d rates solve the equation, so no single rate describes these payments.", len(values))
	}
	answer.setValues(a, in.PerYear)
	answer.Warnings.Note("signs", "Payments are at the %s of each period; negative amounts are paid out.", answer.Timing)
	return answer, nil
}

// annuity checks that every value except the one to solve for is given.
func (in timeValueInput) annuity() (fixedincome.Annuity, error) {
	var a fixedincome.Annuity
	if in.Timing != "" && in.Timing != "end" && in.Timing != "begin" {
		return a, fmt.Errorf("unknown timing %.20q; use end or begin", in.Timing)
	}
	if in.PerYear < 0 || in.PerYear > 366 {
		return a, fmt.Errorf("periods_per_year %v: use 12 for months, 1 for years, at most 366", in.PerYear)
	}
	if in.Rate != nil && *in.Rate > 10 {
		return a, fmt.Errorf("rate %v: it is a fraction per period; write 0.05 for 5%%", *in.Rate)
	}
	a.AtBeginning = in.Timing == "begin"
	known := false
	for _, f := range []struct {
		name     string
		value    *float64
		field    *float64
		required bool
	}{
		{"present_value", in.PresentValue, &a.Present, false}, {"future_value", in.FutureValue, &a.Future, false},
		{"payment", in.Payment, &a.Payment, false}, {"periods", in.Periods, &a.Periods, true}, {"rate", in.Rate, &a.Rate, true},
	} {
		switch {
		case f.name == in.Solve && f.value != nil:
			return a, fmt.Errorf("%s is the value to solve for; omit it", f.name)
		case f.name == in.Solve:
			known = true
		case f.value != nil:
			*f.field = *f.value
		case f.required:
			return a, fmt.Errorf("%s is missing; give all values except the one to solve for", f.name)
		}
	}
	if !known {
		return a, fmt.Errorf("solve: unknown value %.30q; use present_value, future_value, payment, periods or rate", in.Solve)
	}
	return a, nil
}

// solveFor stores the first solution in the annuity.
func solveFor(a *fixedincome.Annuity, what string) (solutions []float64, err error) {
	var v float64
	switch what {
	case "present_value":
		v, err = a.SolvePresent()
		a.Present = v
	case "future_value":
		v, err = a.SolveFuture()
		a.Future = v
	case "payment":
		v, err = a.SolvePayment()
		a.Payment = v
	case "periods":
		v, err = a.SolvePeriods()
		a.Periods = v
	case "rate":
		rates, err := a.SolveRate()
		if err != nil {
			return nil, err
		}
		a.Rate = rates[0]
		return rates, nil
	}
	return []float64{v}, err
}

// setValues sets all five values, including the solution. If several rates solve the equation, none
// is set.
func (r *timeValueResult) setValues(a fixedincome.Annuity, perYear float64) {
	r.PresentValue, r.FutureValue, r.Payment, r.Periods = a.Present, a.Future, a.Payment, a.Periods
	if len(r.Values) > 1 {
		return
	}
	r.Value, r.Rate = &r.Values[0], &a.Rate
	annual := math.Expm1(perYear * math.Log1p(a.Rate))
	switch {
	case perYear == 0:
	case math.IsInf(annual, 0):
		r.Warnings.Warn("rate_too_large", "There is no effective_annual_rate, because it is too large.")
	default:
		r.AnnualRate = &annual
	}
}

const annuityFormula = "pv (1+i)^n + payment (1 + i begin) ((1+i)^n - 1)/i + fv = 0"

// annuityTerm is one of the five values for display.
type annuityTerm struct{ field, english, chinese string }

func (r timeValueResult) terms() []annuityTerm {
	term := func(field, english, chinese, value string) annuityTerm {
		return annuityTerm{field, english + " " + value, chinese + " " + value}
	}
	money := func(v float64) string { return toolkit.Format(v, toolkit.Money, r.Currency) }
	return []annuityTerm{
		term("present_value", "present value", "现值", money(r.PresentValue)), term("future_value", "future value", "终值", money(r.FutureValue)),
		term("payment", "payment per period", "每期付款", money(r.Payment)), term("periods", "periods", "期数", toolkit.Format(r.Periods, toolkit.Number, "")),
		term("rate", "rate per period", "每期利率", toolkit.Format(r.Rate, toolkit.Rate, "")),
	}
}

// Explain implements [toolkit.Explainer]. The solved value has the equation and the four other
// values; the others are as given.
func (r timeValueResult) Explain(field string) toolkit.Explanation {
	solved := field == r.Solved || field == "values"
	e := toolkit.Explanation{Formula: "as given", Omit: field == "values" && len(r.Values) < 2 || field == "rate" && r.Rate == nil}
	switch {
	case field == "effective_annual_rate":
		e.Formula = ""
	case solved:
		e.Formula, e.Key = annuityFormula, 1
	}
	for _, t := range r.terms() {
		if t.field == field && !solved || t.field != r.Solved && e.Formula != "as given" {
			e.Inputs = append(e.Inputs, t.english)
		}
	}
	if solved {
		e.Inputs = append(e.Inputs, "payments at the "+r.Timing+" of a period")
	}
	return e
}

func (r timeValueResult) Headline(lang string) string {
	zh := lang == "zh"
	solution := fmt.Sprintf("%d rates", len(r.Values))
	if zh {
		solution = fmt.Sprintf("%d 个利率", len(r.Values))
	}
	var given []string
	for _, t := range r.terms() {
		text := t.english
		if zh {
			text = t.chinese
		}
		switch {
		case t.field != r.Solved:
			given = append(given, text)
		case r.Value != nil:
			solution = text
		}
	}
	if zh {
		return fmt.Sprintf("求解结果：%s（已知%s）。", solution, strings.Join(given, "，"))
	}
	return fmt.Sprintf("Solution: %s, given %s.", solution, strings.Join(given, ", "))
}

func (r timeValueResult) Title() string { return strings.ReplaceAll(r.Solved, "_", " ") }
