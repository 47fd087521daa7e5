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

const timeValueDetails = `Solves one of the five values from the other four. Rate and payment are per period: for months give the monthly rate. Example: to save 500 a month on top of 10000, give present_value -10000 and payment -500; the future value is positive.

It knows no taxes, fees or inflation. For those use retirement_simulation or goal_plan.`

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
	Solved       string    `json:"solved"`
	Value        *float64  `json:"value"`
	Values       []float64 `json:"values"`
	PresentValue float64   `json:"present_value"`
	FutureValue  float64   `json:"future_value"`
	Payment      float64   `json:"payment"`
	Periods      float64   `json:"periods"`
	Rate         *float64  `json:"rate"` // null where several solve it
	AnnualRate   *float64  `json:"effective_annual_rate,omitempty"`
	Timing       string    `json:"timing"`
	Currency     string    `json:"currency,omitempty"`
	Warnings     []string  `json:"warnings"`
}

// newTimeValue is the tool that solves an annuity.
func newTimeValue() tool.Tool {
	return tool.New("time_value", timeValueDescription, tool.Reads, func(_ context.Context, in timeValueInput) (tool.Result, error) {
		return timeValue(in)
	}).WithDetails(timeValueDetails).Find("planning", timeValueKeywords, timeValuePhrasings...)
}

func timeValue(in timeValueInput) (tool.Result, error) {
	currency, err := toolkit.ParseCurrency(in.Currency)
	if err != nil {
		return toolkit.InvalidResult(err)
	}
	a, err := in.annuity()
	if err != nil {
		return toolkit.InvalidResult(err)
	}
	values, err := solveFor(a, in.Solve)
	if err != nil {
		return toolkit.InvalidResult(fmt.Errorf("time_value: %w", err))
	}
	answer := timeValueResult{Solved: in.Solve, Values: values, Timing: "end", Currency: currency, Warnings: []string{}}
	if a.AtBeginning {
		answer.Timing = "begin"
	}
	if in.Rate != nil && *in.Rate > 1 {
		answer.Warnings = append(answer.Warnings, fmt.Sprintf("a rate of %s a period is more than doubling; give 5 %% as 0.05", toolkit.FormatRate(*in.Rate)))
	}
	if len(values) > 1 {
		answer.Warnings = append(answer.Warnings, fmt.Sprintf("%d rates solve it: no single one describes these payments", len(values)))
	}
	answer.setValues(withSolution(a, in.Solve, values[0]), in.PerYear)
	return answer.result(), nil
}

// annuity checks that what is not asked for was given.
func (in timeValueInput) annuity() (fixedincome.Annuity, error) {
	var a fixedincome.Annuity
	if in.Timing != "" && in.Timing != "end" && in.Timing != "begin" {
		return a, fmt.Errorf("timing %.20q: it is end or begin", in.Timing)
	}
	if in.PerYear < 0 || in.PerYear > 366 {
		return a, fmt.Errorf("periods_per_year %v: 12 for months, 1 for years, at most 366", in.PerYear)
	}
	if in.Rate != nil && *in.Rate > 10 {
		return a, fmt.Errorf("rate %v: it is the fraction of one period; give 5 %% as 0.05", *in.Rate)
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
			return a, fmt.Errorf("%s is asked for and given; leave it out", f.name)
		case f.name == in.Solve:
			known = true
		case f.value != nil:
			*f.field = *f.value
		case f.required:
			return a, fmt.Errorf("%s is missing; give all but what solve asks for", f.name)
		}
	}
	if !known {
		return a, fmt.Errorf("solve %.30q: it is present_value, future_value, payment, periods or rate", in.Solve)
	}
	return a, nil
}

func solveFor(a fixedincome.Annuity, what string) ([]float64, error) {
	if what == "rate" {
		return a.SolveRate()
	}
	solve := map[string]func() (float64, error){
		"present_value": a.SolvePresent, "future_value": a.SolveFuture, "payment": a.SolvePayment, "periods": a.SolvePeriods,
	}[what]
	v, err := solve()
	return []float64{v}, err
}

func withSolution(a fixedincome.Annuity, what string, v float64) fixedincome.Annuity {
	switch what {
	case "present_value":
		a.Present = v
	case "future_value":
		a.Future = v
	case "payment":
		a.Payment = v
	case "periods":
		a.Periods = v
	case "rate":
		a.Rate = v
	}
	return a
}

// setValues states all five, the solved one among them. Where several rates solve it,
// there is no one rate to state.
func (r *timeValueResult) setValues(a fixedincome.Annuity, perYear float64) {
	r.PresentValue, r.FutureValue, r.Payment = toolkit.RoundMoneyFloat(a.Present), toolkit.RoundMoneyFloat(a.Future), toolkit.RoundMoneyFloat(a.Payment)
	r.Periods = toolkit.RoundSignificant(a.Periods)
	tidy := toolkit.RoundMoneyFloat
	if r.Solved == "rate" || r.Solved == "periods" {
		tidy = toolkit.RoundSignificant
	}
	for i, v := range r.Values {
		r.Values[i] = tidy(v)
	}
	if len(r.Values) > 1 {
		return
	}
	r.Value, r.Rate = &r.Values[0], new(toolkit.RoundSignificant(a.Rate))
	annual := math.Expm1(perYear * math.Log1p(a.Rate))
	switch {
	case perYear == 0:
	case math.IsInf(annual, 0):
		r.Warnings = append(r.Warnings, "no effective_annual_rate: no number can hold it")
	default:
		r.AnnualRate = new(toolkit.RoundSignificant(annual))
	}
}

// lines are the five as figures; the rate is one for each solution.
func (r timeValueResult) lines(money string) []toolkit.SheetLine {
	out := []toolkit.SheetLine{
		{ID: "present_value", Label: "present value", Value: toolkit.RoundDecimalSignificant(r.PresentValue, 2), Unit: money},
		{ID: "future_value", Label: "future value", Value: toolkit.RoundDecimalSignificant(r.FutureValue, 2), Unit: money},
		{ID: "payment", Label: "payment a period", Value: toolkit.RoundDecimalSignificant(r.Payment, 2), Unit: money},
		{ID: "periods", Label: "periods", Value: toolkit.RoundDecimalSignificant(r.Periods, 4), Unit: "periods"},
	}
	if r.Rate != nil {
		return append(out, toolkit.SheetLine{ID: "rate", Label: "rate a period", Value: toolkit.RoundDecimalSignificant(*r.Rate*100, 6), Unit: "%"})
	}
	for i, v := range r.Values {
		out = append(out, toolkit.SheetLine{ID: fmt.Sprintf("rate_%d", i+1), Label: fmt.Sprintf("rate a period, solution %d", i+1), Value: toolkit.RoundDecimalSignificant(v*100, 6), Unit: "%"})
	}
	return out
}

// isSolution reports whether a line is what was asked for: rate, or rate_1 and rate_2.
func (r timeValueResult) isSolution(id string) bool {
	return id == r.Solved || r.Solved == "rate" && strings.HasPrefix(id, "rate_")
}

const annuityFormula = "pv (1+i)^n + payment (1 + i begin) ((1+i)^n - 1)/i + fv = 0"

func (r timeValueResult) result() tool.Result {
	s := toolkit.CalculationSheet{Tool: "time_value", Currency: r.Currency}
	all := r.lines(s.MoneyUnit())
	var inputs []string
	for _, l := range all {
		if !r.isSolution(l.ID) {
			inputs = append(inputs, l.Label+" "+l.Value.String())
		}
	}
	inputs = append(inputs, "payments at the "+r.Timing+" of a period")
	for _, l := range all {
		l.Formula, l.Inputs = "as given", []string{l.Label + " " + l.Value.String()}
		if r.isSolution(l.ID) {
			l.Formula, l.Inputs = annuityFormula, inputs
		}
		s.Add(l)
	}
	if r.AnnualRate != nil {
		s.Add(toolkit.SheetLine{ID: "effective_annual_rate", Label: "rate a year", Value: toolkit.RoundDecimalSignificant(*r.AnnualRate*100, 4), Unit: "%", Formula: "(1 + rate)^periods_per_year - 1", Inputs: inputs})
	}
	name := strings.ReplaceAll(r.Solved, "_", " ")
	summary := fmt.Sprintf("%d solutions", len(r.Values))
	if r.Value != nil {
		summary = fmt.Sprintf("%s %s", name, toolkit.RoundDecimalSignificant(*r.Value, 6))
	}
	return tool.Result{
		Value: r, ForUser: s.Table("Time Value: "+name, append([]string{"payments at the " + r.Timing + " of a period; paid out is negative"}, r.Warnings...)),
		Title: name, Summary: summary, Figures: s.Figures(),
	}
}
