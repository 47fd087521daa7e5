package prices

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

func (a actionsAnswer) result() tool.Result {
	summary := fmt.Sprintf("%d actions", a.Count)
	if a.Trailing != nil {
		summary = fmt.Sprintf("%s %s in 12 months", a.Trailing, a.unit)
	}
	return tool.Result{
		Value: a, ForUser: a.markdown(), Title: fmt.Sprintf("%s · %s to %s", a.Symbol, a.From, a.To),
		Summary: strings.TrimSpace(summary + " " + a.FlagText()), Figures: a.figures(),
	}
}

func (a actionsAnswer) markdown() string {
	var b strings.Builder
	b.WriteString(toolkit.InstrumentHeading(market.Instrument{Symbol: a.Symbol, Name: a.Name}) + "\n\n")
	if a.Trailing != nil {
		fmt.Fprintf(&b, "dividends of the last 12 months: **%s %s** a share in %d payments\n\n", a.Trailing, a.unit, *a.Payments)
	}
	if a.YieldPct != nil {
		fmt.Fprintf(&b, "%s %% of the close of %s, %s %s\n\n", a.YieldPct.StringFixed(2), a.LastDate, a.LastClose, a.unit)
	}
	rows := make([][]string, min(len(a.Actions), maxUserBars))
	for i := range rows {
		l := a.Actions[i]
		value := l.Ratio
		if l.Amount != nil {
			value = l.Amount.String() + " " + a.unit
		}
		rows[i] = []string{l.Date, strings.ReplaceAll(string(l.Kind), "_", "-"), value, toolkit.Origin{Flags: l.Flags}.FlagText()}
	}
	if len(rows) == 0 {
		fmt.Fprintf(&b, "no %s from %s to %s\n", a.describeActions(), a.From, a.To)
	} else {
		b.WriteString(toolkit.MarkdownTable([]string{"from", "what", "a share:", "note"}, rows))
	}
	if hidden := a.Count - len(rows); hidden > 0 {
		fmt.Fprintf(&b, "\n! %d older ones\n", hidden)
	}
	for _, w := range a.Warnings {
		b.WriteString("\n! " + w + "\n")
	}
	b.WriteString("\n" + a.Footer() + "\n")
	return b.String()
}

// describeActions is what the answer would tell if there had been any.
func (a actionsAnswer) describeActions() string {
	if a.splits {
		return "splits"
	}
	return "dividends and splits"
}

func (a actionsAnswer) figures() []tool.Figure {
	figure := func(id, label, unit string, v decimal.Decimal, on market.Date) tool.Figure {
		return tool.Figure{ID: id, Label: fmt.Sprintf("%s %s", a.Symbol, label), Value: v, Unit: unit, AsOf: on, Source: a.Source}
	}
	out := []tool.Figure{
		figure("last_close", "last close", a.unit, a.LastClose, a.last.Date),
		figure("count", a.describeActions(), "actions", decimal.NewFromInt(int64(a.Count)), a.last.Date),
	}
	if a.Trailing != nil {
		sum := figure("trailing_12m", "dividends of 12 months", a.unit, *a.Trailing, a.last.Date)
		sum.Formula = "sum(dividends of 12 months)"
		for _, action := range a.paid {
			sum.Inputs = append(sum.Inputs, action.Amount.String()+" on "+toolkit.FormatDate(action.Date))
		}
		out = append(out, sum, figure("payments_12m", "dividends paid in 12 months", "payments", decimal.NewFromInt(int64(*a.Payments)), a.last.Date))
	}
	if a.YieldPct != nil {
		yield := figure("yield_pct", "dividend yield", "%", *a.YieldPct, a.last.Date)
		yield.Formula = "trailing_12m / last_close * 100"
		yield.Inputs = []string{"trailing_12m " + a.Trailing.String(), "last_close " + a.LastClose.String() + " on " + a.LastDate}
		out = append(out, yield)
	}
	for i, l := range a.Actions {
		id := fmt.Sprintf("%d.%s.%s", i, l.Date, l.Kind)
		if l.Amount != nil {
			out = append(out, figure(id, "dividend of "+l.Date, a.unit, *l.Amount, l.action.Date))
			continue
		}
		out = append(out, figure(id+".new", "new shares of "+l.Date, "shares", l.action.New, l.action.Date),
			figure(id+".old", "for old shares of "+l.Date, "shares", l.action.Old, l.action.Date))
	}
	return out
}
