package prices

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

func (a quoteAnswer) result() tool.Result {
	symbols := make([]string, len(a.Quotes))
	var figures []tool.Figure
	for i, q := range a.Quotes {
		symbols[i] = string(q.Symbol)
		figures = append(figures, q.figures()...)
	}
	return tool.Result{
		Value: a, ForUser: a.markdown(), Title: toolkit.Abbreviate(strings.Join(symbols, ", ")), Summary: a.summary(), Figures: figures,
	}
}

func (a quoteAnswer) summary() string {
	text := fmt.Sprintf("%d quotes", len(a.Quotes))
	if len(a.Quotes) == 1 {
		q := a.Quotes[0]
		text = strings.TrimSpace(q.amount()+" "+q.FlagText()) + " · " + q.AsOf
	}
	if n := len(a.Errors); n > 0 {
		text += fmt.Sprintf(" · %d not answered", n)
	}
	return text
}

func (q quoteLine) amount() string {
	return q.Price.String() + " " + q.unit()
}

func (q quoteLine) unit() string { return priceUnit(q.quote.Provenance) }

// dateText is the date of a price and how far to trust it.
func (q quoteLine) dateText() string {
	parts := []string{q.AsOf, q.FlagText()}
	if q.Session != market.PhaseUnknown && q.Session != market.PhaseRegular {
		parts = append(parts, "session "+string(q.Session))
	}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

func (a quoteAnswer) markdown() string {
	var rows [][]string
	var footers []string
	for _, q := range a.Quotes {
		change := ""
		if q.Change != nil {
			change = fmt.Sprintf("%s (%s %%) %s", toolkit.FormatSigned(*q.Change, max(-q.Change.Exponent(), 0)), toolkit.FormatSigned(*q.ChangePct, 2), q.changeSince())
		}
		rows = append(rows, []string{string(q.Symbol), q.Name, q.amount(), change, q.dateText()})
		if line := q.Footer(); !slices.Contains(footers, line) {
			footers = append(footers, line)
		}
	}
	text := toolkit.MarkdownTable([]string{"symbol", "name", "price:", "change:", "as of"}, rows)
	for _, e := range a.Errors {
		text += "\n! " + e.Error + "\n"
	}
	return text + "\n" + strings.Join(footers, "\n\n") + "\n"
}

func (q quoteLine) figures() []tool.Figure {
	p := q.quote.Provenance
	figure := func(label string, v decimal.Decimal, unit string) tool.Figure {
		return tool.Figure{
			ID: string(q.Symbol) + "." + label, Label: fmt.Sprintf("%s %s", q.Symbol, strings.ReplaceAll(label, "_", " ")),
			Value: v, Unit: unit, AsOf: p.AsOf, Source: p.Source,
		}
	}
	out := []tool.Figure{figure("price", q.Price, q.unit())}
	if q.Change == nil {
		return out
	}
	previous := figure("previous_price", q.quote.Previous.Decimal, q.unit())
	previous.AsOf = q.quote.PreviousAsOf
	change, percent := figure("change", *q.Change, q.unit()), figure("change_pct", *q.ChangePct, "%")
	change.Formula, percent.Formula = "price - previous", "(price - previous) / previous * 100"
	change.Inputs = []string{"price " + q.Price.String() + " on " + q.AsOf, "previous " + previous.Value.String() + " " + q.previousDate()}
	percent.Inputs = change.Inputs
	return append(out, previous, change, percent)
}

// changeSince says from when a change is counted, where the source tells.
func (q quoteLine) changeSince() string {
	if q.PreviousAsOf == "" {
		return "since the close before"
	}
	return "since " + q.PreviousAsOf
}

// previousDate says of when the previous price is.
func (q quoteLine) previousDate() string {
	if q.PreviousAsOf == "" {
		return "of the session before"
	}
	return "on " + q.PreviousAsOf
}
