package economy

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

func (a curveAnswer) result() tool.Result {
	title := a.Curve + " · " + a.Date
	if a.ComparedDate != "" {
		title += " against " + a.ComparedDate
	}
	return tool.Result{
		Value: a, ForUser: a.markdown(), Title: title, Figures: a.figures(),
		Summary: strings.TrimSpace(fmt.Sprintf("%d maturities %s", len(a.Tenors), a.FlagText())),
	}
}

func (a curveAnswer) markdown() string {
	columns := []string{"maturity", "yield %:"}
	if a.ComparedDate != "" {
		columns = append(columns, a.ComparedDate+" %:", "change bp:")
	}
	rows := make([][]string, len(a.Tenors))
	for i, t := range a.Tenors {
		rows[i] = []string{t.Tenor, t.Yield.String()}
		switch {
		case t.ChangeBP != nil:
			rows[i] = append(rows[i], t.Before.String(), toolkit.FormatSigned(*t.ChangeBP, max(-t.ChangeBP.Exponent(), 0)))
		case a.ComparedDate != "":
			rows[i] = append(rows[i], "", "")
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** of %s, per cent a year\n\n%s\n", toolkit.TableCell(a.Name), a.Date, toolkit.MarkdownTable(columns, rows))
	for _, s := range a.Spreads {
		fmt.Fprintf(&b, "%s: %s percentage points\n\n", s.Name, toolkit.FormatSigned(s.Value, max(-s.Value.Exponent(), 0)))
	}
	for _, w := range a.Warnings {
		b.WriteString("! " + w + "\n\n")
	}
	b.WriteString(a.Footer() + "\n")
	return b.String()
}

func (a curveAnswer) figures() []tool.Figure {
	figure := func(id, label, unit string, v decimal.Decimal, on market.Date, source string) tool.Figure {
		return tool.Figure{ID: id, Label: a.Name + ", " + label, Value: v, Unit: unit, AsOf: on, Source: source}
	}
	var out []tool.Figure
	for _, t := range a.Tenors {
		out = append(out, figure(t.Tenor, t.Tenor, "%", t.Yield, a.day, a.Source))
		if t.ChangeBP == nil {
			continue
		}
		change := figure(t.Tenor+".change_bp", t.Tenor+" change since "+a.ComparedDate, "bp", *t.ChangeBP, a.day, a.Source)
		change.Formula = "(yield - compared yield) * 100"
		change.Inputs = []string{t.Yield.String() + " % on " + a.Date, t.Before.String() + " % on " + a.ComparedDate}
		out = append(out, figure(t.Tenor+".compared", t.Tenor, "%", *t.Before, a.base, a.baseSource), change)
	}
	for _, s := range a.Spreads {
		spread := figure("spread."+s.Name, "spread "+s.Name, "percentage points", s.Value, a.day, a.Source)
		spread.Formula = s.Name
		spread.Inputs = []string{s.long.Tenor + " " + s.long.Yield.String() + " %", s.short.Tenor + " " + s.short.Yield.String() + " %"}
		out = append(out, spread)
	}
	return out
}
