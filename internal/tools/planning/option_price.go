package planning

import (
	"context"
	"errors"
	"fmt"
	"math"

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

const optionDetails = `Price, delta, gamma, vega, theta and rho. European options by Black-Scholes-Merton; American options (most listed options on single shares) by their exercise boundary (Andersen, Lake and Offengenden), to better than 1e-5 of the price. Rates, dividend yield and volatility are annual fractions; rate and yield are continuously compounded. vega and rho are per percentage point, theta is per calendar day. Values are per share, not per contract.`

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
	Type      string        `json:"type" input:"type"`
	Style     string        `json:"style" input:"style"`
	Method    string        `json:"method"`
	Price     float64       `json:"price" label:"price" as:"price" key:"1"`
	Intrinsic float64       `json:"intrinsic_value" label:"intrinsic value" as:"price" formula:"max(spot - strike, 0), for a put max(strike - spot, 0)"`
	TimeValue float64       `json:"time_value" label:"time value" as:"price" formula:"price - intrinsic value"`
	Vol       float64       `json:"volatility" label:"annual volatility" as:"rate" key:"2"`
	Implied   bool          `json:"volatility_is_implied"`
	Delta     float64       `json:"delta" label:"delta" unit:"per 1 of spot" key:"3" formula:"∂price/∂spot"`
	Gamma     float64       `json:"gamma" label:"gamma" unit:"per 1 of spot" formula:"∂²price/∂spot²"`
	Vega      float64       `json:"vega_per_point" label:"vega" as:"price" unit:"per point of volatility" formula:"∂price/∂volatility / 100"`
	Theta     float64       `json:"theta_per_day" label:"theta" as:"price" unit:"per day" formula:"∂price/∂time / 365"`
	Rho       float64       `json:"rho_per_point" label:"rho" as:"price" unit:"per point of rate" formula:"∂price/∂rate / 100"`
	BreakEven float64       `json:"break_even" label:"break-even at expiry" as:"price" key:"4" formula:"strike + price, for a put strike - price"`
	Spot      float64       `json:"spot" as:"price" input:"spot"`
	Strike    float64       `json:"strike" as:"price" input:"strike"`
	Years     float64       `json:"years" input:"years"`
	Rate      float64       `json:"rate" as:"rate" input:"rate"`
	Yield     float64       `json:"dividend_yield" as:"rate" input:"dividend yield"`
	Currency  string        `json:"currency,omitempty"`
	Warnings  toolkit.Notes `json:"warnings"`
}

// newOptionPrice returns the tool that values an option.
func newOptionPrice() tool.Tool {
	return toolkit.New("option_price", optionDescription, tool.Reads, optionPrice).WithDetails(optionDetails).Find("valuation", optionKeywords, optionPhrasings...)
}

func optionPrice(_ context.Context, in optionInput) (optionResult, error) {
	o, currency, err := in.option()
	if err == nil && (in.Volatility == nil) == (in.Price == nil) {
		err = errors.New("use either volatility or price; the other is computed")
	}
	if err != nil {
		return optionResult{}, toolkit.InvalidArgs(err)
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
		return optionResult{}, toolkit.InvalidArgsf("option_price: %w", err)
	}
	return newOptionResult(o, v, in.Price != nil, currency), nil
}

func (in optionInput) option() (option.Option, string, error) {
	o := option.Option{Spot: in.Spot, Strike: in.Strike, Years: in.Years, Rate: in.Rate, Yield: in.Yield}
	currency, err := toolkit.ParseCurrency(in.Currency)
	switch {
	case err != nil:
	case in.Type != "call" && in.Type != "put":
		err = fmt.Errorf("unknown type %.20q; use call or put", in.Type)
	case in.Style != "" && in.Style != "european" && in.Style != "american":
		err = fmt.Errorf("unknown style %.20q; use european or american", in.Style)
	}
	o.Put, o.American = in.Type == "put", in.Style == "american"
	return o, currency, err
}

func newOptionResult(o option.Option, v option.Valuation, implied bool, currency string) optionResult {
	a := optionResult{
		Type: "call", Style: "european", Method: "Black-Scholes-Merton", Price: v.Price, Intrinsic: o.Intrinsic(), TimeValue: v.Price - o.Intrinsic(), Vol: o.Vol, Implied: implied,
		Delta: v.Delta, Gamma: v.Gamma, Vega: v.Vega / 100, Theta: v.Theta / 365, Rho: v.Rho / 100, BreakEven: o.Strike + v.Price, Currency: currency,
	}
	if o.Put {
		a.Type, a.BreakEven = "put", o.Strike-v.Price
	}
	if o.American {
		a.Style, a.Method = "american", "exercise boundary (Andersen, Lake and Offengenden)"
	}
	a.Spot, a.Strike, a.Years, a.Rate, a.Yield = o.Spot, o.Strike, o.Years, o.Rate, o.Yield
	a.Warnings = optionWarnings(o, v, implied)
	a.Warnings.Note("method", "%s. Rates and dividend yield are continuous; values are per share, not per contract.", a.Method)
	return a
}

// Beyond these bounds, an input is probably in the wrong unit, or a price implies only a vague
// volatility.
const (
	manyYears         = 10
	highVol           = 3
	highRate          = 0.2
	tickOfSpot        = 1e-4 // fraction of the spot
	maxTickVolatility = 0.05 // change in volatility
)

func optionWarnings(o option.Option, v option.Valuation, implied bool) (out toolkit.Notes) {
	if o.Years > manyYears {
		out.Warn("unusual_term", "The option expires in %v years; for %v days, set years to %v.", o.Years, o.Years, toolkit.RoundSignificant(o.Years/365))
	}
	if math.Abs(o.Rate) > highRate {
		out.Warn("unusual_rate", "%s", toolkit.UnusualRateNote("rate", o.Rate))
	}
	if math.Abs(o.Yield) > highRate {
		out.Warn("unusual_rate", "%s", toolkit.UnusualRateNote("dividend yield", o.Yield))
	}
	if o.Vol > highVol {
		out.Warn("unusual_volatility", "A volatility of %s a year is unusual; write 0.2 for 20%%.", toolkit.Format(o.Vol, toolkit.Rate, ""))
	}
	if implied && v.Vega*maxTickVolatility < o.Spot*tickOfSpot {
		out.Warn("vague_volatility", "The implied volatility is imprecise: changing the price by %v moves it by more than 5 points.", toolkit.RoundSignificant(o.Spot*tickOfSpot))
	}
	return out
}

func (a optionResult) Explain(field string) toolkit.Explanation {
	volFormula, priceFormula, given := "as given", a.Method, "volatility "+toolkit.Format(a.Vol, toolkit.Rate, "")
	if a.Implied {
		volFormula, priceFormula, given = "the volatility at which "+a.Method+" gives the price", "as given", "price "+toolkit.Format(a.Price, toolkit.Price, a.Currency)
	}
	e := toolkit.Explanation{Inputs: []string{given}}
	switch field {
	case "price":
		e.Formula = priceFormula
	case "volatility":
		e.Formula = volFormula
	}
	return e
}

func (a optionResult) Headline(lang string) string {
	price := func(v float64) string { return toolkit.Format(v, toolkit.Price, a.Currency) }
	vol, delta := toolkit.Format(a.Vol, toolkit.Rate, ""), toolkit.Format(a.Delta, toolkit.Number, "")
	if lang == "zh" {
		kind := map[string]string{"call": "看涨", "put": "看跌"}[a.Type]
		return fmt.Sprintf("行权价 %s 的%s期权价格为 %s，波动率 %s，delta %s。", price(a.Strike), kind, price(a.Price), vol, delta)
	}
	return fmt.Sprintf("The %s %s with strike %s is priced at %s for a volatility of %s, with a delta of %s.", a.Style, a.Type, price(a.Strike), price(a.Price), vol, delta)
}

func (a optionResult) Title() string {
	return fmt.Sprintf("%s %s · strike %s", a.Style, a.Type, toolkit.Format(a.Strike, toolkit.Price, ""))
}
