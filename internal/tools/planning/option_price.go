package planning

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/option"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type optionInput struct {
	Type       string   `json:"type" jsonschema:"call or put."`
	Spot       float64  `json:"spot" jsonschema:"Share price."`
	Strike     float64  `json:"strike"`
	Years      float64  `json:"years" jsonschema:"To expiry: 30 days is 0.0822."`
	Rate       float64  `json:"rate,omitempty" jsonschema:"Annual. Default 0."`
	Yield      float64  `json:"dividend_yield,omitempty" jsonschema:"Annual. Default 0."`
	Volatility *float64 `json:"volatility,omitempty" jsonschema:"Annual: 0.25; or give price."`
	Price      *float64 `json:"price,omitempty" jsonschema:"For implied volatility."`
	Style      string   `json:"style,omitempty" jsonschema:"european (default) or american."`
	Currency   string   `json:"currency,omitempty" jsonschema:"ISO 4217 code, for display only."`
}

const optionDescription = "Price and Greeks of an option on a share from its volatility, or the implied volatility from a market price. For listed contracts and their quotes use option_chain. Dividends count as a constant yield: say that large single dividends make it inexact."

const optionDetails = `Price, delta, gamma, vega, theta and rho. European options by Black-Scholes-Merton; American options (most listed options on single shares) by a Leisen-Reimer lattice of 801 steps. Rates, dividend yield and volatility are annual fractions; rate and yield are continuously compounded. vega and rho are per percentage point, theta is per calendar day. Values are per share, not per contract.`

const optionKeywords = "option call put strike premium black-scholes greeks delta gamma vega theta rho implied volatility iv expiry fair theoretical american european exercise 期权 看涨 看跌 行权价 隐含波动率 希腊值 布莱克 权利金 认购 认沽"

var optionPhrasings = []string{
	"price of a <num> day call with strike <num> at <pct> volatility",
	"implied volatility of a put that costs <num>",
	"delta of a <num> strike call on <sym>",
	"black-scholes value of an option",
	"theta of my put with strike <num>",
	"行权价<num>的看涨期权值多少钱",
	"期权价格<num>的隐含波动率",
	"看跌期权的delta",
}

type optionResult struct {
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
	}).WithDetails(optionDetails).Find("valuation", optionKeywords, optionPhrasings...)
}

func optionPrice(in optionInput) (tool.Result, error) {
	o, currency, err := in.option()
	if err == nil && (in.Volatility == nil) == (in.Price == nil) {
		err = errors.New("give either volatility or price: the other comes out")
	}
	if err != nil {
		return toolkit.InvalidResult(err)
	}
	if in.Volatility != nil {
		o.Vol = *in.Volatility
	} else {
		o.Vol, err = o.ImpliedVolatility(*in.Price)
	}
	var v option.Valuation
	if err == nil {
		v, err = o.Value()
	}
	if err != nil {
		return toolkit.InvalidResult(fmt.Errorf("option_price: %w", err))
	}
	return newOptionResult(o, v, in.Price != nil, currency).result(o), nil
}

func (in optionInput) option() (option.Option, string, error) {
	o := option.Option{Spot: in.Spot, Strike: in.Strike, Years: in.Years, Rate: in.Rate, Yield: in.Yield}
	currency, err := toolkit.ParseCurrency(in.Currency)
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

func newOptionResult(o option.Option, v option.Valuation, implied bool, currency string) optionResult {
	a := optionResult{
		Type: "call", Style: "european", Method: "Black-Scholes-Merton", Price: toolkit.RoundSignificant(v.Price), Intrinsic: toolkit.RoundSignificant(o.Intrinsic()),
		TimeValue: toolkit.RoundSignificant(v.Price - o.Intrinsic()), Vol: toolkit.RoundSignificant(o.Vol), Implied: implied, Delta: toolkit.RoundSignificant(v.Delta), Gamma: toolkit.RoundSignificant(v.Gamma),
		Vega: toolkit.RoundSignificant(v.Vega / 100), Theta: toolkit.RoundSignificant(v.Theta / 365), Rho: toolkit.RoundSignificant(v.Rho / 100), BreakEven: toolkit.RoundSignificant(o.Strike + v.Price), Currency: currency,
	}
	if o.Put {
		a.Type, a.BreakEven = "put", toolkit.RoundSignificant(o.Strike-v.Price)
	}
	if o.American {
		a.Style, a.Method = "american", "Leisen-Reimer lattice, 801 steps"
	}
	a.Spot, a.Strike, a.Years, a.Rate, a.Yield = o.Spot, o.Strike, o.Years, o.Rate, o.Yield
	a.Warnings = optionWarnings(o, v, implied)
	return a
}

// Bounds beyond which an input is more likely in the wrong unit, and of a volatility that a
// price says little about.
const (
	manyYears         = 10
	highVol           = 3
	highRate          = 0.2
	tickOfSpot        = 1e-4 // of the spot
	maxTickVolatility = 0.05 // of volatility
)

func optionWarnings(o option.Option, v option.Valuation, implied bool) []string {
	out := []string{}
	if o.Years > manyYears {
		out = append(out, fmt.Sprintf("%v years to expiry: if %v days were meant, give years %v", o.Years, o.Years, toolkit.RoundSignificant(o.Years/365)))
	}
	if math.Abs(o.Rate) > highRate {
		out = append(out, toolkit.UnusualRateNote("rate", o.Rate))
	}
	if math.Abs(o.Yield) > highRate {
		out = append(out, toolkit.UnusualRateNote("dividend yield", o.Yield))
	}
	if o.Vol > highVol {
		out = append(out, fmt.Sprintf("a volatility of %s %% a year: 20 %% is 0.2", toolkit.RoundPercent(o.Vol, 0)))
	}
	if implied && v.Vega*maxTickVolatility < o.Spot*tickOfSpot {
		out = append(out, fmt.Sprintf("the price says little of the volatility: one of %v more or less moves it by more than 5 points", toolkit.RoundSignificant(o.Spot*tickOfSpot)))
	}
	return out
}

func (a optionResult) result(o option.Option) tool.Result {
	s := toolkit.CalculationSheet{Tool: "option_price", Currency: a.Currency}
	inputs := []string{
		a.Style + " " + a.Type, toolkit.FormatInput("spot", o.Spot), toolkit.FormatInput("strike", o.Strike), toolkit.FormatInput("years", o.Years), toolkit.FormatInput("rate", o.Rate), toolkit.FormatInput("dividend yield", o.Yield),
	}
	volFormula, priceFormula := "as given", a.Method
	if a.Implied {
		volFormula, priceFormula = "the volatility at which "+a.Method+" gives the price", "as given"
		inputs = append(inputs, fmt.Sprintf("price %v", toolkit.RoundDecimalSignificant(a.Price, 6)))
	} else {
		inputs = append(inputs, fmt.Sprintf("volatility %v %%", toolkit.RoundPercent(a.Vol, 4)))
	}
	add := func(id, label string, v float64, places int32, unit, formula string) {
		l := toolkit.SheetLine{ID: id, Label: label, Value: toolkit.RoundDecimalSignificant(v, places), Unit: unit, Formula: formula, Inputs: inputs}
		if unit == "%" {
			l.Value = toolkit.RoundDecimalSignificant(v*100, places)
		}
		s.Add(l)
	}
	add("price", "price", a.Price, 4, s.MoneyUnit(), priceFormula)
	add("volatility", "volatility a year", a.Vol, 4, "%", volFormula)
	add("intrinsic_value", "intrinsic value", a.Intrinsic, 4, s.MoneyUnit(), "max(spot - strike, 0), for a put max(strike - spot, 0)")
	add("time_value", "time value", a.TimeValue, 4, s.MoneyUnit(), "price - intrinsic value")
	add("break_even", "break-even at expiry", a.BreakEven, 4, s.MoneyUnit(), "strike + price, for a put strike - price")
	add("delta", "delta", a.Delta, 4, "per 1 of spot", "∂price/∂spot")
	add("gamma", "gamma", a.Gamma, 6, "per 1 of spot", "∂²price/∂spot²")
	add("vega_per_point", "vega", a.Vega, 4, s.MoneyUnit()+" per point of volatility", "∂price/∂volatility / 100")
	add("theta_per_day", "theta", a.Theta, 4, s.MoneyUnit()+" per day", "∂price/∂time / 365")
	add("rho_per_point", "rho", a.Rho, 4, s.MoneyUnit()+" per point of rate", "∂price/∂rate / 100")
	return tool.Result{
		Value: a, ForUser: s.Table(fmt.Sprintf("%s %s, strike %v", a.Style, a.Type, toolkit.RoundDecimalSignificant(o.Strike, 6)), append([]string{
			strings.Join(inputs, ", "),
			a.Method + "; rates and dividend yield continuous; per share, not per contract",
		}, a.Warnings...)),
		Title: fmt.Sprintf("%s %s · strike %v", a.Style, a.Type, toolkit.RoundDecimalSignificant(o.Strike, 6)), Summary: fmt.Sprintf("%v at %v %% volatility", toolkit.RoundDecimalSignificant(a.Price, 4), toolkit.RoundPercent(a.Vol, 2)), Figures: s.Figures(),
	}
}
