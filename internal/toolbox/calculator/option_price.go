package calculator

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/option"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

type optionInput struct {
	Type       string   `json:"type" jsonschema:"call or put"`
	Spot       float64  `json:"spot" jsonschema:"price of the share"`
	Strike     float64  `json:"strike"`
	Years      float64  `json:"years" jsonschema:"to expiry, in years: 30 days are 30/365 = 0.0822"`
	Rate       float64  `json:"rate,omitempty" jsonschema:"risk-free rate a year, continuously compounded, a fraction; 0 when left out"`
	Yield      float64  `json:"dividend_yield,omitempty" jsonschema:"a year, continuously compounded, a fraction; 0 when left out"`
	Volatility *float64 `json:"volatility,omitempty" jsonschema:"a year, a fraction: 0.25 is 25 %; either this or price"`
	Price      *float64 `json:"price,omitempty" jsonschema:"market price of the option, for its implied volatility; either this or volatility"`
	Style      string   `json:"style,omitempty" jsonschema:"european (when left out) or american"`
	Currency   string   `json:"currency,omitempty" jsonschema:"ISO 4217 code, for the answer only"`
}

const optionDescription = `Values an option on a share: price, delta, gamma, vega, theta and rho from a volatility, or the implied volatility (and the same) from a market price. European by Black-Scholes-Merton, American (most listed options on single shares) by a Leisen-Reimer lattice of 801 steps.
Rates, dividend yield and volatility are fractions a year; vega and rho are for one percentage point, theta for one calendar day. Dividends enter as a constant yield: large single dividends before expiry make it inexact; say so.`

type optionAnswer struct {
	Type      string  `json:"type"`
	Style     string  `json:"style"`
	Method    string  `json:"method"`
	Price     float64 `json:"price"`
	Intrinsic float64 `json:"intrinsic_value"`
	TimeValue float64 `json:"time_value"`
	Vol       float64 `json:"volatility"`
	Implied   bool    `json:"volatility_is_implied"`
	Delta     float64 `json:"delta"`
	Gamma     float64 `json:"gamma"`
	Vega      float64 `json:"vega_per_point"`
	Theta     float64 `json:"theta_per_day"`
	Rho       float64 `json:"rho_per_point"`
	BreakEven float64 `json:"break_even"`
	Spot      float64 `json:"spot"`
	Strike    float64 `json:"strike"`
	Years     float64 `json:"years"`
	Rate      float64 `json:"rate"`
	Yield     float64 `json:"dividend_yield"`
	Currency  string  `json:"currency,omitempty"`

	Warnings []string `json:"warnings"`
}

// newOptionPrice is the tool that values an option.
func newOptionPrice() tool.Tool {
	return tool.New("option_price", optionDescription, tool.Reads, func(_ context.Context, in optionInput) (tool.Result, error) {
		return optionPrice(in)
	})
}

func optionPrice(in optionInput) (tool.Result, error) {
	o, currency, err := in.option()
	if err == nil && (in.Volatility == nil) == (in.Price == nil) {
		err = errors.New("give either volatility or price: the other comes out")
	}
	if err != nil {
		return present.Invalid(err)
	}
	if in.Volatility != nil {
		o.Vol = *in.Volatility
	} else {
		o.Vol, err = o.Implied(*in.Price)
	}
	var v option.Value
	if err == nil {
		v, err = o.Value()
	}
	if err != nil {
		return present.Invalid(fmt.Errorf("option_price: %w", err))
	}
	return answerOf(o, v, in.Price != nil, currency).result(o), nil
}

func (in optionInput) option() (option.Option, string, error) {
	o := option.Option{Spot: in.Spot, Strike: in.Strike, Years: in.Years, Rate: in.Rate, Yield: in.Yield}
	currency, err := question.Currency(in.Currency)
	switch {
	case err != nil:
	case in.Type != "call" && in.Type != "put":
		err = fmt.Errorf("type %.20q: it is call or put", in.Type)
	case in.Style != "" && in.Style != "european" && in.Style != "american":
		err = fmt.Errorf("style %.20q: it is european or american", in.Style)
	}
	o.Put, o.American = in.Type == "put", in.Style == "american"
	return o, currency, err
}

func answerOf(o option.Option, v option.Value, implied bool, currency string) optionAnswer {
	a := optionAnswer{
		Type: "call", Style: "european", Method: "Black-Scholes-Merton", Price: present.Tidy(v.Price), Intrinsic: present.Tidy(o.Intrinsic()),
		TimeValue: present.Tidy(v.Price - o.Intrinsic()), Vol: present.Tidy(o.Vol), Implied: implied, Delta: present.Tidy(v.Delta), Gamma: present.Tidy(v.Gamma),
		Vega: present.Tidy(v.Vega / 100), Theta: present.Tidy(v.Theta / 365), Rho: present.Tidy(v.Rho / 100), BreakEven: present.Tidy(o.Strike + v.Price), Currency: currency,
	}
	if o.Put {
		a.Type, a.BreakEven = "put", present.Tidy(o.Strike-v.Price)
	}
	if o.American {
		a.Style, a.Method = "american", "Leisen-Reimer lattice, 801 steps"
	}
	a.Spot, a.Strike, a.Years, a.Rate, a.Yield = o.Spot, o.Strike, o.Years, o.Rate, o.Yield
	a.Warnings = optionDoubts(o, v, implied)
	return a
}

// What is more likely a slip of the unit than an option, and a volatility that a
// price says little of.
const (
	longYears   = 10
	highVol     = 3
	highRate    = 0.2
	oneTick     = 1e-4 // of the spot
	looseByTick = 0.05 // of volatility
)

func optionDoubts(o option.Option, v option.Value, implied bool) []string {
	out := []string{}
	if o.Years > longYears {
		out = append(out, fmt.Sprintf("%v years to expiry: if %v days were meant, give years %v", o.Years, o.Years, present.Tidy(o.Years/365)))
	}
	if math.Abs(o.Rate) > highRate {
		out = append(out, present.RareRate("rate", o.Rate))
	}
	if math.Abs(o.Yield) > highRate {
		out = append(out, present.RareRate("dividend yield", o.Yield))
	}
	if o.Vol > highVol {
		out = append(out, fmt.Sprintf("a volatility of %s %% a year: 20 %% is 0.2", present.RoundedPercent(o.Vol, 0)))
	}
	if implied && v.Vega*looseByTick < o.Spot*oneTick {
		out = append(out, fmt.Sprintf("the price says little of the volatility: one of %v more or less moves it by more than 5 points", present.Tidy(o.Spot*oneTick)))
	}
	return out
}

func (a optionAnswer) result(o option.Option) tool.Result {
	s := present.Sheet{Tool: "option_price", Currency: a.Currency}
	inputs := []string{
		a.Style + " " + a.Type, present.Given("spot", o.Spot), present.Given("strike", o.Strike), present.Given("years", o.Years), present.Given("rate", o.Rate), present.Given("dividend yield", o.Yield),
	}
	volFormula, priceFormula := "as given", a.Method
	if a.Implied {
		volFormula, priceFormula = "the volatility at which "+a.Method+" gives the price", "as given"
		inputs = append(inputs, fmt.Sprintf("price %v", present.Significant(a.Price, 6)))
	} else {
		inputs = append(inputs, fmt.Sprintf("volatility %v %%", present.RoundedPercent(a.Vol, 4)))
	}
	add := func(id, label string, v float64, places int32, unit, formula string) {
		l := present.Line{ID: id, Label: label, Value: present.Significant(v, places), Unit: unit, Formula: formula, Inputs: inputs}
		if unit == "%" {
			l.Value = present.Significant(v*100, places)
		}
		s.Add(l)
	}
	add("price", "price", a.Price, 4, s.Money(), priceFormula)
	add("volatility", "volatility a year", a.Vol, 4, "%", volFormula)
	add("intrinsic_value", "intrinsic value", a.Intrinsic, 4, s.Money(), "max(spot - strike, 0), for a put max(strike - spot, 0)")
	add("time_value", "time value", a.TimeValue, 4, s.Money(), "price - intrinsic value")
	add("break_even", "break-even at expiry", a.BreakEven, 4, s.Money(), "strike + price, for a put strike - price")
	add("delta", "delta", a.Delta, 4, "per 1 of spot", "∂price/∂spot")
	add("gamma", "gamma", a.Gamma, 6, "per 1 of spot", "∂²price/∂spot²")
	add("vega_per_point", "vega", a.Vega, 4, s.Money()+" per point of volatility", "∂price/∂volatility / 100")
	add("theta_per_day", "theta", a.Theta, 4, s.Money()+" per day", "∂price/∂time / 365")
	add("rho_per_point", "rho", a.Rho, 4, s.Money()+" per point of rate", "∂price/∂rate / 100")
	return tool.Result{
		Value: a, ForUser: s.Table(fmt.Sprintf("%s %s, strike %v", a.Style, a.Type, present.Significant(o.Strike, 6)), append([]string{
			strings.Join(inputs, ", "),
			a.Method + "; rates and dividend yield continuous; per share, not per contract",
		}, a.Warnings...)),
		Title: fmt.Sprintf("%s %s · strike %v", a.Style, a.Type, present.Significant(o.Strike, 6)), Summary: fmt.Sprintf("%v at %v %% volatility", present.Significant(a.Price, 4), present.RoundedPercent(a.Vol, 2)), Figures: s.Figures(),
	}
}
