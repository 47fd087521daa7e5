package calculator

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/cashflow"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

type timeValueInput struct {
	Solve        string   `json:"solve" jsonschema:"what is asked for: present_value, future_value, payment, periods or rate; the other four are given"`
	PresentValue *float64 `json:"present_value,omitempty" jsonschema:"now; negative is paid out, positive is received"`
	FutureValue  *float64 `json:"future_value,omitempty" jsonschema:"at the end; 0 when left out and not asked for"`
	Payment      *float64 `json:"payment,omitempty" jsonschema:"the same each period; 0 when left out and not asked for"`
	Periods      *float64 `json:"periods,omitempty" jsonschema:"number of periods"`
	Rate         *float64 `json:"rate,omitempty" jsonschema:"rate of one period as a fraction: 5 % is 0.05; a nominal 6 % a year paid monthly is 0.005"`
	Timing       string   `json:"timing,omitempty" jsonschema:"end (standard) or begin: when in a period the payment is made"`
	PerYear      float64  `json:"periods_per_year,omitempty" jsonschema:"periods of one year, 12 for months: says the effective rate a year, too"`
	Currency     string   `json:"currency,omitempty" jsonschema:"ISO 4217 code, for the answer only"`
}

const timeValueDescription = `Time value of money, like the functions PV, FV, PMT, NPER and RATE of a spreadsheet: solves one of present value, future value, level payment, number of periods and rate from the others.
Signs: paid out is negative, received is positive. Saving 500 a month from 10000: present_value -10000, payment -500, and the future value comes out positive. Rate and payment are of one period: for months give the monthly rate.
It knows no taxes, fees or inflation: for those use retirement_simulation or goal_plan. For a loan with its schedule use loan_payment.`

type timeValueAnswer struct {
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
	})
}

func timeValue(in timeValueInput) (tool.Result, error) {
	currency, err := question.Currency(in.Currency)
	if err != nil {
		return present.Invalid(err)
	}
	a, err := in.annuity()
	if err != nil {
		return present.Invalid(err)
	}
	values, err := solved(a, in.Solve)
	if err != nil {
		return present.Invalid(fmt.Errorf("time_value: %w", err))
	}
	answer := timeValueAnswer{Solved: in.Solve, Values: values, Timing: "end", Currency: currency, Warnings: []string{}}
	if a.AtBegin {
		answer.Timing = "begin"
	}
	if in.Rate != nil && *in.Rate > 1 {
		answer.Warnings = append(answer.Warnings, fmt.Sprintf("a rate of %s a period is more than doubling; give 5 %% as 0.05", present.PercentOf(*in.Rate)))
	}
	if len(values) > 1 {
		answer.Warnings = append(answer.Warnings, fmt.Sprintf("%d rates solve it: no single one describes these payments", len(values)))
	}
	answer.fill(with(a, in.Solve, values[0]), in.PerYear)
	return answer.result(), nil
}

// annuity checks that what is not asked for was given.
func (in timeValueInput) annuity() (cashflow.Annuity, error) {
	var a cashflow.Annuity
	if in.Timing != "" && in.Timing != "end" && in.Timing != "begin" {
		return a, fmt.Errorf("timing %.20q: it is end or begin", in.Timing)
	}
	if in.PerYear < 0 || in.PerYear > 366 {
		return a, fmt.Errorf("periods_per_year %v: 12 for months, 1 for years, at most 366", in.PerYear)
	}
	if in.Rate != nil && *in.Rate > 10 {
		return a, fmt.Errorf("rate %v: it is the fraction of one period; give 5 %% as 0.05", *in.Rate)
	}
	a.AtBegin = in.Timing == "begin"
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

func solved(a cashflow.Annuity, what string) ([]float64, error) {
	if what == "rate" {
		return a.SolveRate()
	}
	solve := map[string]func() (float64, error){
		"present_value": a.SolvePresent, "future_value": a.SolveFuture, "payment": a.SolvePayment, "periods": a.SolvePeriods,
	}[what]
	v, err := solve()
	return []float64{v}, err
}

func with(a cashflow.Annuity, what string, v float64) cashflow.Annuity {
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

// fill states all five, the solved one among them. Where several rates solve it,
// there is no one rate to state.
func (r *timeValueAnswer) fill(a cashflow.Annuity, perYear float64) {
	r.PresentValue, r.FutureValue, r.Payment = present.Sum(a.Present), present.Sum(a.Future), present.Sum(a.Payment)
	r.Periods = present.Tidy(a.Periods)
	tidy := present.Sum
	if r.Solved == "rate" || r.Solved == "periods" {
		tidy = present.Tidy
	}
	for i, v := range r.Values {
		r.Values[i] = tidy(v)
	}
	if len(r.Values) > 1 {
		return
	}
	r.Value, r.Rate = &r.Values[0], new(present.Tidy(a.Rate))
	annual := math.Expm1(perYear * math.Log1p(a.Rate))
	switch {
	case perYear == 0:
	case math.IsInf(annual, 0):
		r.Warnings = append(r.Warnings, "no effective_annual_rate: no number can hold it")
	default:
		r.AnnualRate = new(present.Tidy(annual))
	}
}

// lines are the five as figures; the rate is one for each solution.
func (r timeValueAnswer) lines(money string) []present.Line {
	out := []present.Line{
		{ID: "present_value", Label: "present value", Value: present.Significant(r.PresentValue, 2), Unit: money},
		{ID: "future_value", Label: "future value", Value: present.Significant(r.FutureValue, 2), Unit: money},
		{ID: "payment", Label: "payment a period", Value: present.Significant(r.Payment, 2), Unit: money},
		{ID: "periods", Label: "periods", Value: present.Significant(r.Periods, 4), Unit: "periods"},
	}
	if r.Rate != nil {
		return append(out, present.Line{ID: "rate", Label: "rate a period", Value: present.Significant(*r.Rate*100, 6), Unit: "%"})
	}
	for i, v := range r.Values {
		out = append(out, present.Line{ID: fmt.Sprintf("rate_%d", i+1), Label: fmt.Sprintf("rate a period, solution %d", i+1), Value: present.Significant(v*100, 6), Unit: "%"})
	}
	return out
}

// solves reports whether a line is what was asked for: rate, or rate_1 and rate_2.
func (r timeValueAnswer) solves(id string) bool {
	return id == r.Solved || r.Solved == "rate" && strings.HasPrefix(id, "rate_")
}

const annuityFormula = "pv (1+i)^n + payment (1 + i begin) ((1+i)^n - 1)/i + fv = 0"

func (r timeValueAnswer) result() tool.Result {
	s := present.Sheet{Tool: "time_value", Currency: r.Currency}
	all := r.lines(s.Money())
	var inputs []string
	for _, l := range all {
		if !r.solves(l.ID) {
			inputs = append(inputs, l.Label+" "+l.Value.String())
		}
	}
	inputs = append(inputs, "payments at the "+r.Timing+" of a period")
	for _, l := range all {
		l.Formula, l.Inputs = "as given", []string{l.Label + " " + l.Value.String()}
		if r.solves(l.ID) {
			l.Formula, l.Inputs = annuityFormula, inputs
		}
		s.Add(l)
	}
	if r.AnnualRate != nil {
		s.Add(present.Line{ID: "effective_annual_rate", Label: "rate a year", Value: present.Significant(*r.AnnualRate*100, 4), Unit: "%", Formula: "(1 + rate)^periods_per_year - 1", Inputs: inputs})
	}
	name := strings.ReplaceAll(r.Solved, "_", " ")
	summary := fmt.Sprintf("%d solutions", len(r.Values))
	if r.Value != nil {
		summary = fmt.Sprintf("%s %s", name, present.Significant(*r.Value, 6))
	}
	return tool.Result{
		Value: r, ForUser: s.Table("Time Value: "+name, append([]string{"payments at the " + r.Timing + " of a period; paid out is negative"}, r.Warnings...)),
		Title: name, Summary: summary, Figures: s.Figures(),
	}
}
