package companies

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// maxUserTrades are shown to people; the model reads more.
const maxUserTrades = 20

func (a insidersAnswer) result() (tool.Result, error) {
	forModel, err := toolkit.EncodeResult(a)
	if len(forModel) > toolkit.MaxEncodedBytes {
		a.Warnings = append(a.Warnings, "not all of the trades are listed; the totals are of all that were read")
	}
	for err == nil && len(forModel) > toolkit.MaxEncodedBytes && len(a.Trades) > 1 {
		a.Trades = a.Trades[:len(a.Trades)*3/4]
		forModel, err = toolkit.EncodeResult(a)
	}
	if err != nil {
		return tool.Result{}, err
	}
	return tool.Result{
		Value: a, ForModel: forModel, ForUser: a.markdown(), Title: fmt.Sprintf("%s · %s to %s", a.Symbol, a.From, a.To),
		Summary: strings.TrimSpace(fmt.Sprintf("bought %s, sold %s on the market %s", formatGrouped(a.Bought.Shares, 0), formatGrouped(a.Sold.Shares, 0), a.FlagText())), Figures: a.figures(),
	}, nil
}

func (a insidersAnswer) markdown() string {
	var b strings.Builder
	b.WriteString(toolkit.InstrumentHeading(market.Instrument{Symbol: a.Symbol}) + " insiders, filed " + a.From + " to " + a.To + "\n\n")
	rows := [][]string{}
	for _, side := range []struct {
		name string
		t    tally
	}{{"bought", a.Bought}, {"sold", a.Sold}} {
		value := formatGrouped(side.t.Value, 0) + " " + currencyText(a.Currency)
		if side.t.Unpriced > 0 {
			value += fmt.Sprintf(" without %d unpriced", side.t.Unpriced)
		}
		rows = append(rows, []string{side.name, fmt.Sprint(side.t.Trades), fmt.Sprint(side.t.Owners), formatGrouped(side.t.Shares, 0), value, formatGrouped(side.t.Planned, 0)})
	}
	b.WriteString(toolkit.MarkdownTable([]string{"on the market", "trades:", "owners:", "shares:", "value:", "shares under a plan:"}, rows) + "\n")
	rows = nil
	for _, l := range a.Trades[:min(len(a.Trades), maxUserTrades)] {
		rows = append(rows, []string{l.Date, l.Owner, l.Role, l.description(), l.signedShares(), l.priceText()})
	}
	if len(rows) > 0 {
		b.WriteString(toolkit.MarkdownTable([]string{"day", "owner", "role", "what", "shares:", "price:"}, rows))
	}
	if hidden := len(a.Trades) - len(rows); hidden > 0 {
		fmt.Fprintf(&b, "\n! %d older ones\n", hidden)
	}
	for _, w := range a.Warnings {
		b.WriteString("\n! " + w + "\n")
	}
	b.WriteString("\n" + a.Footer() + "\n")
	return b.String()
}

func (l tradeLine) description() string {
	parts := []string{l.Code, l.Meaning}
	for _, note := range []struct {
		is   bool
		said string
	}{{l.Planned, "10b5-1 plan"}, {l.Derivative, "derivative"}, {l.Indirect, "indirect"}, {l.Restated, "AMENDED LATER"}} {
		if note.is {
			parts = append(parts, note.said)
		}
	}
	return parts[0] + " " + strings.Join(parts[1:], ", ")
}

func (l tradeLine) signedShares() string {
	shares := l.Shares
	if !l.Acquired {
		shares = shares.Neg()
	}
	if sign := "+"; shares.IsPositive() {
		return sign + formatGrouped(shares, 0)
	}
	return formatGrouped(shares, 0)
}

func (l tradeLine) priceText() string {
	if l.Price == nil {
		return ""
	}
	return l.Price.String() + " " + currencyText(l.Currency)
}

func (a insidersAnswer) figures() []tool.Figure {
	var out []tool.Figure
	total := func(id, label, unit, formula string, v decimal.Decimal) {
		out = append(out, tool.Figure{
			ID: id, Label: fmt.Sprintf("%s %s", a.Symbol, label), Value: v, Unit: unit, AsOf: a.newest.Filed, Source: a.Source,
			Formula: formula, Inputs: []string{fmt.Sprintf("%d trades filed %s to %s", a.Read, a.From, a.To)},
		})
	}
	for _, side := range []struct {
		id, label string
		t         tally
	}{{"bought", "insiders bought on the market", a.Bought}, {"sold", "insiders sold on the market", a.Sold}} {
		total(side.id+".shares", side.label+", shares", "shares", "sum(shares)", side.t.Shares)
		total(side.id+".value", side.label+", value", currencyText(a.Currency), "sum(shares * price), of those with a price", side.t.Value)
		total(side.id+".trades", side.label+", trades", "trades", "count", decimal.NewFromInt(int64(side.t.Trades)))
		total(side.id+".owners", side.label+", owners", "owners", "count", decimal.NewFromInt(int64(side.t.Owners)))
		total(side.id+".planned_shares", side.label+" under a plan, shares", "shares", "sum(shares under a 10b5-1 plan)", side.t.Planned)
	}
	for i, l := range a.Trades {
		out = append(out, l.figures(i, a.Symbol)...)
	}
	return out
}

func (l tradeLine) figures(i int, sym market.Symbol) []tool.Figure {
	t, unit := l.trade, currencyText(l.Currency)
	source := t.Provenance.Source + ", " + filingReference(t.Form, t.Accession, t.Filed)
	figure := func(label, unit string, v decimal.Decimal) tool.Figure {
		return tool.Figure{
			ID: fmt.Sprintf("%d.%s", i, label), Label: fmt.Sprintf("%s %s of %s: %s", sym, label, l.Owner, l.Meaning), Value: v, Unit: unit, AsOf: t.Date, Source: source,
		}
	}
	out := []tool.Figure{figure("shares", "shares", l.Shares)}
	if l.Price != nil {
		value := figure("value", unit, *l.Value)
		value.Formula, value.Inputs = "shares * price", []string{fmt.Sprintf("%d.shares %s", i, l.Shares), fmt.Sprintf("%d.price %s", i, l.Price)}
		out = append(out, figure("price", unit+"/share", *l.Price), value)
	}
	if l.After != nil {
		out = append(out, figure("shares_after", "shares", *l.After))
	}
	return out
}
