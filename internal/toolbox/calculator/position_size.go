package calculator

import (
	"context"
	"errors"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/sizing"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

type positionInput struct {
	Method     string  `json:"method" jsonschema:"risk (lose at most a fraction at a stop), volatility (hold so much that it moves the capital by a target) or kelly"`
	Capital    float64 `json:"capital" jsonschema:"all of the account, in the currency of the price"`
	Price      float64 `json:"price" jsonschema:"of one unit"`
	Stop       float64 `json:"stop,omitempty" jsonschema:"risk: price at which the position is closed; above the price for a short position"`
	Risk       float64 `json:"risk,omitempty" jsonschema:"risk: fraction of the capital that may be lost at the stop; 0.01 is 1 %"`
	Target     float64 `json:"target_volatility,omitempty" jsonschema:"volatility: wanted a year, a fraction of the capital"`
	Volatility float64 `json:"volatility,omitempty" jsonschema:"volatility: of the instrument a year, as returns_stats gives it"`
	Win        float64 `json:"win_probability,omitempty" jsonschema:"kelly: between 0 and 1"`
	Payoff     float64 `json:"payoff,omitempty" jsonschema:"kelly: average win over average loss"`
	Part       float64 `json:"kelly_fraction,omitempty" jsonschema:"kelly: part of the full criterion that is staked; 0.5 when left out"`
	Largest    float64 `json:"max_fraction,omitempty" jsonschema:"largest position as a fraction of the capital; 1 when left out, so that nothing is borrowed"`
	Lot        float64 `json:"lot,omitempty" jsonschema:"smallest number of units; 1 when left out, smaller for fractional shares"`
	Currency   string  `json:"currency,omitempty" jsonschema:"ISO 4217 code, for the answer only"`
}

const positionDescription = `Says how large a position may be: by the risk at a stop (units = capital * risk / |price - stop|), by volatility (value = capital * target / volatility), or by a part of the Kelly criterion (f = p - (1-p)/payoff). Units are rounded down and never above max_fraction of the capital.
A stop is not a promise: a gap loses more; costs are not in it. Kelly with guessed probabilities overbets: never present it as safe.`

type positionAnswer struct {
	Method   string `json:"method"`
	Units    string `json:"units"`
	Value    string `json:"value"`
	Fraction string `json:"fraction"`
	AtRisk   string `json:"at_risk,omitempty"`
	Kelly    string `json:"full_kelly,omitempty"`
	Short    bool   `json:"short"`
	Bound    string `json:"bound,omitempty"`
	Currency string `json:"currency,omitempty"`
}

// newPositionSize is the tool that sizes a position.
func newPositionSize() tool.Tool {
	return tool.New("position_size", positionDescription, tool.Reads, func(_ context.Context, in positionInput) (tool.Result, error) {
		return positionSize(in)
	})
}

func positionSize(in positionInput) (tool.Result, error) {
	currency, err := currencyOf(in.Currency)
	if err != nil {
		return present.Invalid(err)
	}
	num := decimal.NewFromFloat
	account := sizing.Account{Capital: num(in.Capital), Price: num(in.Price), Largest: num(in.Largest), Lot: num(in.Lot)}
	answer := positionAnswer{Method: in.Method, Currency: currency}
	var p sizing.Position
	var formula string
	inputs := []string{given("capital", in.Capital), given("price", in.Price)}
	switch in.Method {
	case "risk":
		formula, inputs = "capital * risk / |price - stop|", append(inputs, given("risk", in.Risk), given("stop", in.Stop))
		p, err = sizing.ByRisk(account, num(in.Risk), num(in.Stop))
		answer.AtRisk = p.AtRisk.String()
	case "volatility":
		formula, inputs = "capital * target / volatility / price", append(inputs, given("target volatility", in.Target), given("volatility", in.Volatility))
		p, err = sizing.ByVolatility(account, num(in.Target), num(in.Volatility))
	case "kelly":
		bet := sizing.Bet{Win: num(in.Win), Payoff: num(in.Payoff), Part: num(in.Part)}
		formula, inputs = "capital * part * (p - (1-p)/payoff) / price", append(inputs, given("p", in.Win), given("payoff", in.Payoff), given("part", in.Part))
		p, err = sizing.ByKelly(account, bet)
		if full, kellyErr := bet.Kelly(); kellyErr == nil {
			answer.Kelly = full.String()
		}
	default:
		err = fmt.Errorf("method %.20q: it is risk, volatility or kelly", in.Method)
	}
	if err != nil {
		if !errors.Is(err, sizing.ErrInput) {
			return present.Invalid(err)
		}
		return present.Invalid(fmt.Errorf("position_size: %w", err))
	}
	answer.Units, answer.Value, answer.Fraction = p.Units.String(), p.Value.String(), p.Fraction.Round(6).String()
	answer.Short, answer.Bound = p.Short, p.Bound
	return answer.result(p, formula, inputs), nil
}

func (a positionAnswer) result(p sizing.Position, formula string, inputs []string) tool.Result {
	s := sheet{tool: "position_size", currency: a.Currency}
	s.add(line{id: "units", label: "units", value: p.Units, unit: "units", formula: formula + ", rounded down", inputs: inputs})
	s.add(line{id: "value", label: "value", value: p.Value, unit: s.money(), formula: "units * price", inputs: inputs})
	s.add(line{id: "fraction", label: "part of the capital", value: p.Fraction.Shift(2).Round(4), unit: "%", formula: "value / capital", inputs: inputs})
	if a.AtRisk != "" {
		s.add(line{id: "at_risk", label: "lost at the stop", value: p.AtRisk, unit: s.money(), formula: "units * |price - stop|", inputs: inputs})
	}
	if a.Kelly != "" {
		s.add(line{id: "full_kelly", label: "full Kelly", value: decimal.RequireFromString(a.Kelly).Shift(2).Round(4), unit: "%", formula: "p - (1-p)/payoff", inputs: inputs})
	}
	side := "long"
	if a.Short {
		side = "short"
	}
	notes := []string{side + "; costs and gaps beyond a stop are not in it"}
	if a.Bound != "" {
		notes = append(notes, "limited: "+a.Bound)
	}
	return tool.Result{
		Value: a, ForUser: s.table("Position size by "+a.Method, notes),
		Title: "by " + a.Method, Summary: a.Units + " units, " + a.Value + " " + s.money(), Figures: s.figures,
	}
}
