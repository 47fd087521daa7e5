package planning

import (
	"cmp"
	"context"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type positionInput struct {
	Method     string  `json:"method" jsonschema:"risk (lose at most a fraction at a stop), volatility (hold so much that it moves the capital by a target) or kelly"`
	Capital    float64 `json:"capital" jsonschema:"all of the account, in the currency of the price"`
	Price      float64 `json:"price" jsonschema:"of one unit"`
	Stop       float64 `json:"stop,omitempty" jsonschema:"risk: price at which the position is closed; above the price for a short position"`
	Risk       float64 `json:"risk,omitempty" jsonschema:"risk: fraction of the capital that may be lost at the stop; 0.01 is 1 %, at most 0.5"`
	Target     float64 `json:"target_volatility,omitempty" jsonschema:"volatility: wanted a year, a fraction of the capital: 0.1 is 10 %"`
	Volatility float64 `json:"volatility,omitempty" jsonschema:"volatility: of the instrument a year, a fraction, as returns_stats gives it"`
	Win        float64 `json:"win_probability,omitempty" jsonschema:"kelly: between 0 and 1"`
	Payoff     float64 `json:"payoff,omitempty" jsonschema:"kelly: average win over average loss"`
	Part       float64 `json:"kelly_fraction,omitempty" jsonschema:"kelly: part of the full criterion that is staked; 0.5 when left out"`
	Largest    float64 `json:"max_fraction,omitempty" jsonschema:"largest position as a fraction of the capital; 1 when left out, so that nothing is borrowed"`
	Lot        float64 `json:"lot,omitempty" jsonschema:"smallest number of units; 1 when left out, smaller for fractional shares"`
	Currency   string  `json:"currency,omitempty" jsonschema:"ISO 4217 code, for the answer only"`
}

const positionDescription = `Says how large a position may be: by the risk at a stop (units = capital * risk / |price - stop|), by volatility (value = capital * target / volatility), or by a part of the Kelly criterion (f = p - (1-p)/payoff). Units are rounded down and never above max_fraction of the capital.
A stop is not a promise: a gap loses more; costs are not in it. Kelly with guessed probabilities overbets: never present it as safe.`

type positionResult struct {
	Method   string `json:"method"`
	Units    string `json:"units"`
	Value    string `json:"value"`
	Fraction string `json:"fraction"`
	AtRisk   string `json:"at_risk,omitempty"`
	Kelly    string `json:"full_kelly,omitempty"`
	Part     string `json:"kelly_fraction,omitempty"`
	Short    bool   `json:"short"`
	Bound    string `json:"bound,omitempty"`
	Largest  string `json:"max_fraction"`
	Lot      string `json:"lot"`
	Currency string `json:"currency,omitempty"`

	Warnings []string `json:"warnings"`
}

// newPositionSize is the tool that sizes a position.
func newPositionSize() tool.Tool {
	return tool.New("position_size", positionDescription, tool.Reads, func(_ context.Context, in positionInput) (tool.Result, error) {
		res, _, err := positionSize(in)
		return res, err
	})
}

// positionSize is the answer, with the part of the capital that it came to: zero
// where there is none, below zero for a short position.
func positionSize(in positionInput) (tool.Result, decimal.Decimal, error) {
	invalid := func(err error) (tool.Result, decimal.Decimal, error) {
		res, err := toolkit.InvalidResult(err)
		return res, decimal.Zero, err
	}
	currency, err := toolkit.ParseCurrency(in.Currency)
	if err != nil {
		return invalid(err)
	}
	if err := in.checkUnusedArguments(); err != nil {
		return invalid(err)
	}
	in.Largest, in.Lot = cmp.Or(in.Largest, 1), cmp.Or(in.Lot, 1)
	num := decimal.NewFromFloat
	account := rebalance.SizingAccount{Capital: num(in.Capital), Price: num(in.Price), Largest: num(in.Largest), Lot: num(in.Lot)}
	answer := positionResult{Method: in.Method, Largest: account.Largest.String(), Lot: account.Lot.String(), Currency: currency, Warnings: in.warnings()}
	var p rebalance.PositionSize
	var formula string
	inputs := []string{toolkit.FormatInput("capital", in.Capital), toolkit.FormatInput("price", in.Price)}
	switch in.Method {
	case "risk":
		formula, inputs = "capital * risk / |price - stop|", append(inputs, toolkit.FormatInput("risk", in.Risk), toolkit.FormatInput("stop", in.Stop))
		p, err = rebalance.SizeByRisk(account, num(in.Risk), num(in.Stop))
		answer.AtRisk = p.AtRisk.String()
	case "volatility":
		formula, inputs = "capital * target / volatility / price", append(inputs, toolkit.FormatInput("target volatility", in.Target), toolkit.FormatInput("volatility", in.Volatility))
		p, err = rebalance.SizeByVolatility(account, num(in.Target), num(in.Volatility))
	case "kelly":
		in.Part = cmp.Or(in.Part, 0.5)
		bet := rebalance.Bet{Win: num(in.Win), Payoff: num(in.Payoff), KellyShare: num(in.Part)}
		formula, inputs = "capital * part * (p - (1-p)/payoff) / price", append(inputs, toolkit.FormatInput("p", in.Win), toolkit.FormatInput("payoff", in.Payoff), toolkit.FormatInput("part", in.Part))
		p, err = rebalance.SizeByKelly(account, bet)
		if full, kellyErr := bet.Kelly(); kellyErr == nil {
			answer.Kelly, answer.Part = full.String(), bet.KellyShare.String()
		}
	default:
		err = fmt.Errorf("method %.20q: it is risk, volatility or kelly", in.Method)
	}
	if err != nil {
		return invalid(fmt.Errorf("position_size: %w", err))
	}
	inputs = append(inputs, "largest position "+answer.Largest+" of the capital", "lot "+answer.Lot)
	answer.Units, answer.Value, answer.Fraction = p.Units.String(), p.Value.String(), p.Fraction.Round(6).String()
	answer.Short, answer.Bound = p.Short, p.Bound
	part := p.Fraction
	if p.Short {
		part = part.Abs().Neg()
	}
	return answer.result(p, formula, inputs), part, nil
}

// checkUnusedArguments refuses what the method does not look at: an argument without
// effect is one that was misunderstood.
func (in positionInput) checkUnusedArguments() error {
	for _, f := range []struct {
		name, method string
		value        float64
	}{
		{"stop", "risk", in.Stop}, {"risk", "risk", in.Risk}, {"target_volatility", "volatility", in.Target}, {"volatility", "volatility", in.Volatility},
		{"win_probability", "kelly", in.Win}, {"payoff", "kelly", in.Payoff}, {"kelly_fraction", "kelly", in.Part},
	} {
		if f.value != 0 && in.Method != f.method {
			return fmt.Errorf("%s belongs to the method %s, not %.20q: leave it out, or choose one of risk, volatility and kelly", f.name, f.method, in.Method)
		}
	}
	return nil
}

// warnings are arguments that are more likely per cents than fractions.
func (in positionInput) warnings() []string {
	out := []string{}
	if in.Risk > 0.1 {
		out = append(out, fmt.Sprintf("%s of the capital is lost at one stop; half a per cent is 0.005", toolkit.FormatRate(in.Risk)))
	}
	if in.Largest > 1 {
		out = append(out, fmt.Sprintf("max_fraction %v allows a position of %s of the capital: what is above it is borrowed; 5 %% is 0.05", in.Largest, toolkit.FormatRate(in.Largest)))
	}
	return out
}

func (a positionResult) result(p rebalance.PositionSize, formula string, inputs []string) tool.Result {
	s := toolkit.CalculationSheet{Tool: "position_size", Currency: a.Currency}
	s.Add(toolkit.SheetLine{ID: "units", Label: "units", Value: p.Units, Unit: "units", Formula: formula + ", rounded down", Inputs: inputs})
	s.Add(toolkit.SheetLine{ID: "value", Label: "value", Value: p.Value, Unit: s.MoneyUnit(), Formula: "units * price", Inputs: inputs})
	s.Add(toolkit.SheetLine{ID: "fraction", Label: "part of the capital", Value: p.Fraction.Shift(2).Round(4), Unit: "%", Formula: "value / capital", Inputs: inputs})
	if a.AtRisk != "" {
		s.Add(toolkit.SheetLine{ID: "at_risk", Label: "lost at the stop", Value: p.AtRisk, Unit: s.MoneyUnit(), Formula: "units * |price - stop|", Inputs: inputs})
	}
	if a.Kelly != "" {
		s.Add(toolkit.SheetLine{ID: "full_kelly", Label: "full Kelly", Value: decimal.RequireFromString(a.Kelly).Shift(2).Round(4), Unit: "%", Formula: "p - (1-p)/payoff", Inputs: inputs})
	}
	side := "long"
	if a.Short {
		side = "short"
	}
	notes := append([]string{}, a.Warnings...)
	notes = append(notes, side+"; costs and gaps beyond a stop are not in it")
	if a.Bound != "" {
		notes = append(notes, "limited: "+a.Bound)
	}
	return tool.Result{
		Value: a, ForUser: s.Table("Position size by "+a.Method, notes),
		Title: "by " + a.Method, Summary: a.Units + " units, " + a.Value + " " + s.MoneyUnit(), Figures: s.Figures(),
	}
}
