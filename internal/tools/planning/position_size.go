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
	Method     string  `json:"method" jsonschema:"risk (loss at a stop), volatility or kelly."`
	Capital    float64 `json:"capital"`
	Price      float64 `json:"price"`
	Stop       float64 `json:"stop,omitempty" jsonschema:"risk: exit price."`
	Risk       float64 `json:"risk,omitempty" jsonschema:"risk: part of capital, such as 0.01."`
	Target     float64 `json:"target_volatility,omitempty" jsonschema:"volatility: of the capital, 0.1."`
	Volatility float64 `json:"volatility,omitempty" jsonschema:"volatility: of the instrument, 0.25."`
	Win        float64 `json:"win_probability,omitempty" jsonschema:"kelly."`
	Payoff     float64 `json:"payoff,omitempty" jsonschema:"kelly: average win / loss."`
	Part       float64 `json:"kelly_fraction,omitempty" arg:"rare" jsonschema:"kelly: part of the full criterion. Default 0.5."`
	Largest    float64 `json:"max_fraction,omitempty" arg:"rare" jsonschema:"Largest position as a part of capital. Default 1."`
	Lot        float64 `json:"lot,omitempty" arg:"rare" jsonschema:"Smallest number of units. Default 1; less for fractions."`
	Currency   string  `json:"currency,omitempty" jsonschema:"ISO 4217 code, for display only."`
}

const positionDescription = `How many units to hold: by the loss at a stop, by volatility or by the Kelly criterion. Use for "how many shares can I buy". If the error code is refused, lead with the broken limit and do not recommend the size. A gap can lose more than the stop: say so.`

const positionDetails = `By the risk at a stop: units = capital * risk / |price - stop|. By volatility: value = capital * target_volatility / volatility. By a part of the Kelly criterion: f = p - (1-p)/payoff. Units are rounded down to lots, and never above max_fraction of the capital. With max_fraction 1, nothing is borrowed. risk is at most 0.5. returns_stats has the volatility of an instrument.

Costs are not included. Kelly with guessed probabilities bets too much: never present it as safe.`

const positionKeywords = "position size sizing shares units buy many stop stop-loss risk per trade kelly criterion capital account fraction lot bet percent lose maximum 仓位 头寸 止损 凯利 买多少股 买几股 风险控制 资金管理 每笔风险"

var positionPhrasings = []string{
	"how many shares of <sym> can I buy with a stop at <num> and <pct> risk",
	"position size for <num> capital at <num> with stop <num>",
	"kelly criterion with a win rate of <pct> and payoff <num>",
	"size a position to <pct> volatility",
	"risk <pct> of my account on <sym>",
	"止损<num>应该买多少股",
	"账户<num>每笔风险<pct>的仓位",
	"胜率<pct>的凯利仓位",
}

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
	}).WithDetails(positionDetails).Find("planning", positionKeywords, positionPhrasings...)
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
