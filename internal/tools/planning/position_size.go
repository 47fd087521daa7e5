package planning

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

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
	Risk       float64 `json:"risk,omitempty" jsonschema:"risk: fraction of capital, such as 0.01."`
	Target     float64 `json:"target_volatility,omitempty" jsonschema:"volatility: of the capital, 0.1."`
	Volatility float64 `json:"volatility,omitempty" jsonschema:"volatility: of the instrument, 0.25."`
	Win        float64 `json:"win_probability,omitempty" jsonschema:"kelly."`
	Payoff     float64 `json:"payoff,omitempty" jsonschema:"kelly: average win / loss."`
	Part       float64 `json:"kelly_fraction,omitempty" arg:"rare" jsonschema:"kelly: fraction of full Kelly. Default 0.5."`
	Largest    float64 `json:"max_fraction,omitempty" arg:"rare" jsonschema:"Largest position as a fraction of capital. Default 1."`
	Lot        float64 `json:"lot,omitempty" arg:"rare" jsonschema:"Smallest tradable number of units. Default 1; 0.001 for fractions."`
	Currency   string  `json:"currency,omitempty" jsonschema:"ISO 4217 code, for display only."`
}

const positionDescription = `How many units to hold, by loss at a stop, volatility or the Kelly criterion. Use for "how many shares can I buy". If the error code is refused, lead with the broken limit and do not recommend the size. A gap can lose more than the stop: say so.`

const positionDetails = `By the risk at a stop: units = capital * risk / |price - stop|. By volatility: value = capital * target_volatility / volatility. By a fraction of the Kelly criterion: f = p - (1-p)/payoff. Units are rounded down to lots and never exceed max_fraction of the capital. With max_fraction 1, nothing is borrowed. risk is at most 0.5. returns_stats has the volatility of an instrument.

Costs are not included. With guessed probabilities, Kelly sizes are too large: never present them as safe.`

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
	Method   string           `json:"method"`
	Units    decimal.Decimal  `json:"units" label:"units" unit:"units" key:"1"`
	Value    decimal.Decimal  `json:"value" label:"value" as:"money" key:"2" formula:"units * price"`
	Fraction decimal.Decimal  `json:"fraction" label:"share of capital" as:"percent" key:"3" formula:"value / capital"`
	AtRisk   *decimal.Decimal `json:"at_risk,omitempty" label:"loss at the stop" as:"money" key:"4" formula:"units * |price - stop|"`
	Kelly    *decimal.Decimal `json:"full_kelly,omitempty" label:"full Kelly" as:"percent" formula:"p - (1-p)/payoff"`
	Part     *decimal.Decimal `json:"kelly_fraction,omitempty" input:"part"`
	Short    bool             `json:"short"`
	Bound    string           `json:"bound,omitempty"`
	Largest  decimal.Decimal  `json:"max_fraction" as:"percent" input:"largest position"`
	Lot      decimal.Decimal  `json:"lot" input:"lot"`
	Currency string           `json:"currency,omitempty"`
	Warnings toolkit.Notes    `json:"warnings"`

	formula string
	inputs  []string
}

// newPositionSize returns the tool that sizes a position.
func newPositionSize() tool.Tool {
	return toolkit.New("position_size", positionDescription, tool.Reads, func(_ context.Context, in positionInput) (positionResult, error) {
		a, _, err := positionSize(in)
		return a, err
	}).
		WithDetails(positionDetails).Find("planning", positionKeywords, positionPhrasings...)
}

// positionSize returns the answer and the fraction of the capital: zero if there is no position,
// negative for a short one. Its errors are about the arguments.
func positionSize(in positionInput) (a positionResult, part decimal.Decimal, err error) {
	if a.Currency, err = toolkit.ParseCurrency(in.Currency); err != nil {
		return a, part, err
	}
	if err := in.checkUnusedArguments(); err != nil {
		return a, part, err
	}
	in.Largest, in.Lot, in.Part = cmp.Or(in.Largest, 1), cmp.Or(in.Lot, 1), cmp.Or(in.Part, 0.5)
	num := decimal.NewFromFloat
	account := rebalance.SizingAccount{Capital: num(in.Capital), Price: num(in.Price), Largest: num(in.Largest), Lot: num(in.Lot)}
	a.Method, a.Largest, a.Lot, a.Warnings = in.Method, account.Largest, account.Lot, in.warnings()
	a.input("capital", in.Capital, toolkit.Money)
	a.input("price", in.Price, toolkit.Price)
	var p rebalance.PositionSize
	switch in.Method {
	case "risk":
		a.formula = "capital * risk / |price - stop|"
		a.input("risk", in.Risk, toolkit.Percent)
		a.input("stop", in.Stop, toolkit.Price)
		p, err = rebalance.SizeByRisk(account, num(in.Risk), num(in.Stop))
		a.AtRisk = &p.AtRisk
	case "volatility":
		a.formula = "capital * target / volatility / price"
		a.input("target volatility", in.Target, toolkit.Percent)
		a.input("volatility", in.Volatility, toolkit.Percent)
		p, err = rebalance.SizeByVolatility(account, num(in.Target), num(in.Volatility))
	case "kelly":
		bet := rebalance.Bet{Win: num(in.Win), Payoff: num(in.Payoff), KellyShare: num(in.Part)}
		a.formula = "capital * part * (p - (1-p)/payoff) / price"
		a.input("p", in.Win, toolkit.Number)
		a.input("payoff", in.Payoff, toolkit.Number)
		p, err = rebalance.SizeByKelly(account, bet)
		if full, kellyErr := bet.Kelly(); kellyErr == nil {
			a.Kelly, a.Part = &full, &bet.KellyShare
		}
	default:
		err = fmt.Errorf("unknown method %.20q; use risk, volatility or kelly", in.Method)
	}
	if err != nil {
		return a, part, toolkit.InvalidArgsf("position_size: %w", err)
	}
	a.Units, a.Value, a.Fraction, a.Short, a.Bound = p.Units, p.Value, p.Fraction, p.Short, p.Bound
	a.Warnings.Note("costs", "%s; costs and gaps beyond a stop are not included", a.side())
	if a.Bound != "" {
		a.Warnings.Note("limited", "limited: %s", a.Bound)
	}
	part = p.Fraction
	if p.Short {
		part = part.Abs().Neg()
	}
	return a, part, nil
}

// input records an argument that no field of the answer repeats.
func (a *positionResult) input(name string, v float64, style toolkit.Style) {
	a.inputs = append(a.inputs, name+" "+toolkit.Format(v, style, a.Currency))
}

func (a positionResult) side() string {
	if a.Short {
		return "short"
	}
	return "long"
}

// checkUnusedArguments rejects arguments that the method ignores, because the caller expects them
// to have an effect.
func (in positionInput) checkUnusedArguments() error {
	for _, f := range []struct {
		name, method string
		value        float64
	}{
		{"stop", "risk", in.Stop}, {"risk", "risk", in.Risk}, {"target_volatility", "volatility", in.Target}, {"volatility", "volatility", in.Volatility},
		{"win_probability", "kelly", in.Win}, {"payoff", "kelly", in.Payoff}, {"kelly_fraction", "kelly", in.Part},
	} {
		if f.value != 0 && in.Method != f.method {
			return toolkit.InvalidArgsf("%s applies only to method %s, not to %.20q: omit it, or choose another method", f.name, f.method, in.Method)
		}
	}
	return nil
}

// warnings reports arguments that are probably percentages instead of fractions.
func (in positionInput) warnings() (out toolkit.Notes) {
	if in.Risk > 0.1 {
		out.Warn("unusual_risk", "Each stop-out loses %s of the capital; write 0.005 for 0.5%%.", toolkit.Format(in.Risk, toolkit.Percent, ""))
	}
	if in.Largest > 1 {
		out.Warn("borrowed", "max_fraction %v is %s of the capital, which requires borrowing. 5%% is written 0.05.", in.Largest, toolkit.Format(in.Largest, toolkit.Percent, ""))
	}
	return out
}

func (a positionResult) Explain(field string) toolkit.Explanation {
	e := toolkit.Explanation{Inputs: a.inputs}
	if field == "units" {
		e.Formula = a.formula + ", rounded down"
	}
	return e
}

func (a positionResult) Headline(lang string) string {
	units, value := toolkit.Format(a.Units, toolkit.Number, ""), toolkit.Format(a.Value, toolkit.Money, a.Currency)
	share := toolkit.Format(a.Fraction, toolkit.Percent, "")
	if lang == "zh" {
		return fmt.Sprintf("按 %s 方法：%s 个单位，价值 %s，占资金的 %s。", a.Method, units, value, share)
	}
	return fmt.Sprintf("Sized by %s, the position is %s units %s for %s (%s of the capital).", a.Method, units, a.side(), value, share)
}

func (a positionResult) Title() string { return "by " + a.Method }

// LimitCheck checks a purchase, given as a fraction of the portfolio, against the user's limits.
// symbol is "" if unknown. The lines may be shown to people and models; refused reports whether a
// limit is broken.
type LimitCheck func(ctx context.Context, symbol string, part decimal.Decimal) (lines []string, refused bool, err error)

// CalculatorToolsWithLimits returns the tools of CalculatorTools, with position sizes checked
// against the user's limits.
func CalculatorToolsWithLimits(j LimitCheck) []tool.Tool {
	tools := CalculatorTools()
	size := newLimitedPositionSize(j)
	tools[slices.IndexFunc(tools, func(t tool.Tool) bool { return t.Name == size.Name })] = size
	return tools
}

type limitedPositionInput struct {
	positionInput
	Symbol string `json:"symbol,omitempty" jsonschema:"Symbol to buy, to check the user's limits."`
}

const limitedPositionDetails = `

The size is checked against the user's own limits; capital counts as the whole portfolio. If a limit is broken, the result is an error with code refused. your_limits also states whether the advice is general.`

// limitedPositionResult is a size with the result of the limit check.
type limitedPositionResult struct {
	positionResult
	Limits  []string `json:"your_limits"` // descriptions, the decision first
	Refused bool     `json:"refused"`
	Error   string   `json:"error,omitempty"`
	Code    string   `json:"code,omitempty"`
}

// ErrorText returns why the size is refused, "" if it is not.
func (a limitedPositionResult) ErrorText() string { return a.Error }

func newLimitedPositionSize(judge LimitCheck) tool.Tool {
	return tool.New("position_size", positionDescription, tool.Reads, func(ctx context.Context, in limitedPositionInput) (tool.Result, error) {
		size, part, err := positionSize(in.positionInput)
		if err != nil {
			return toolkit.RefusalResult(err)
		}
		a := limitedPositionResult{positionResult: size}
		if a.Limits, a.Refused, err = judge(ctx, strings.TrimSpace(in.Symbol), part); err != nil {
			return toolkit.SourceErrorResult(fmt.Errorf("check the size against your limits: %w", err))
		}
		return a.result(), nil
	}).WithDetails(positionDetails+limitedPositionDetails).Find("planning", positionKeywords, positionPhrasings...)
}

// result puts the verdict before the size. A refused size is an error that also shows the size.
func (a limitedPositionResult) result() tool.Result {
	var b strings.Builder
	for i, line := range a.Limits {
		if i == 0 {
			fmt.Fprintf(&b, "**%s**\n\n", toolkit.TableCell(line))
			continue
		}
		fmt.Fprintf(&b, "- %s\n", toolkit.TableCell(line))
	}
	size := toolkit.Render(a)
	shown := b.String() + "\n" + size.ForUser
	if a.Refused {
		a.Code, a.Error = tool.CodeRefused, shown
	}
	res := toolkit.Render(a)
	res.ForUser = shown
	if a.Refused {
		res.IsError, res.Code, res.Summary = true, tool.CodeRefused, "NO: refused by your limits: "+res.Summary
	}
	return res
}
