package calculator

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/cashflow"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

type timeValueInput struct {
	Solve        string   `json:"solve" jsonschema:"what is asked for: present_value, future_value, payment, periods or rate; the other four are given"`
	PresentValue *float64 `json:"present_value,omitempty" jsonschema:"now; negative is paid out, positive is received"`
	FutureValue  *float64 `json:"future_value,omitempty" jsonschema:"at the end; 0 when left out and not asked for"`
	Payment      *float64 `json:"payment,omitempty" jsonschema:"the same each period; 0 when left out and not asked for"`
	Periods      *float64 `json:"periods,omitempty" jsonschema:"number of periods"`
	Rate         *float64 `json:"rate,omitempty" jsonschema:"rate of one period as a fraction: 6 % a year paid monthly is 0.005"`
	Timing       string   `json:"timing,omitempty" jsonschema:"end (standard) or begin: when in a period the payment is made"`
	PerYear      float64  `json:"periods_per_year,omitempty" jsonschema:"periods of one year, to say the rate a year too; 1 when left out"`
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
	Rate         float64   `json:"rate"`
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
	currency, err := currencyOf(in.Currency)
	if err != nil {
		return present.Invalid(err)
	}
	a, err := in.annuity()
	if err != nil {
		return present.Invalid(err)
	}
	values, err := solved(a, in.Solve)
	if errors.Is(err, cashflow.ErrInput) || errors.Is(err, cashflow.ErrNoRate) {
		return present.Invalid(fmt.Errorf("time_value: %w", err))
	}
	answer := timeValueAnswer{Solved: in.Solve, Values: values, Timing: "end", Currency: currency, Warnings: []string{}}
	if a.AtBegin {
		answer.Timing = "begin"
	}
	if len(values) > 1 {
		answer.Warnings = append(answer.Warnings, fmt.Sprintf("%d rates solve it: no single one describes these payments", len(values)))
	} else {
		answer.Value = &values[0]
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

func (r *timeValueAnswer) fill(a cashflow.Annuity, perYear float64) {
	r.PresentValue, r.FutureValue, r.Payment = present.Tidy(a.Present), present.Tidy(a.Future), present.Tidy(a.Payment)
	r.Periods, r.Rate = present.Tidy(a.Periods), present.Tidy(a.Rate)
	if perYear > 0 && perYear <= 366 {
		annual := present.Tidy(math.Expm1(perYear * math.Log1p(a.Rate)))
		r.AnnualRate = &annual
	}
	if r.Value != nil {
		tidied := present.Tidy(*r.Value)
		r.Value = &tidied
	}
	for i, v := range r.Values {
		r.Values[i] = present.Tidy(v)
	}
}

const annuityFormula = "pv (1+i)^n + payment (1 + i begin) ((1+i)^n - 1)/i + fv = 0"

func (r timeValueAnswer) result() tool.Result {
	s := sheet{tool: "time_value", currency: r.Currency}
	all := []line{
		{id: "present_value", label: "present value", value: rounded(r.PresentValue, 2), unit: s.money()},
		{id: "future_value", label: "future value", value: rounded(r.FutureValue, 2), unit: s.money()},
		{id: "payment", label: "payment a period", value: rounded(r.Payment, 2), unit: s.money()},
		{id: "periods", label: "periods", value: rounded(r.Periods, 4), unit: "periods"},
		{id: "rate", label: "rate a period", value: percent(r.Rate, 6), unit: "%"},
	}
	var inputs []string
	for _, l := range all {
		if l.id != r.Solved {
			inputs = append(inputs, l.label+" "+l.value.String())
		}
	}
	inputs = append(inputs, "payments at the "+r.Timing+" of a period")
	for _, l := range all {
		if l.id == r.Solved {
			l.formula, l.inputs = annuityFormula, inputs
		}
		s.add(l)
	}
	if r.AnnualRate != nil {
		s.add(line{id: "effective_annual_rate", label: "rate a year", value: percent(*r.AnnualRate, 4), unit: "%", formula: "(1 + rate)^periods_per_year - 1"})
	}
	name := strings.ReplaceAll(r.Solved, "_", " ")
	summary := fmt.Sprintf("%d solutions", len(r.Values))
	if r.Value != nil {
		summary = fmt.Sprintf("%s %s", name, rounded(*r.Value, 6))
	}
	return tool.Result{
		Value: r, ForUser: s.table("Time value: "+name, append([]string{"payments at the " + r.Timing + " of a period; paid out is negative"}, r.Warnings...)),
		Title: name, Summary: summary, Figures: s.figures,
	}
}
