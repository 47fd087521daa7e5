package prices

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

func (a chainAnswer) result() tool.Result {
	return tool.Result{
		Value: a, ForUser: a.markdown(), Figures: a.figures(), Title: fmt.Sprintf("%s · %s", a.Symbol, a.Expiry),
		Summary: strings.TrimSpace(fmt.Sprintf("%d of %d options %s", len(a.Options), a.Count, a.FlagText())),
	}
}

func (a chainAnswer) markdown() string {
	unit := priceUnit(a.chain.Provenance)
	var b strings.Builder
	fmt.Fprintf(&b, "%s · options to %s, %s a share\n\n", toolkit.InstrumentHeading(a.chain.Instrument), a.Expiry, unit)
	if a.Spot.Valid {
		fmt.Fprintf(&b, "price of the underlying: %s %s\n\n", a.Spot.Decimal, unit)
	}
	rows := make([][]string, len(a.Options))
	for i, o := range a.Options {
		implied := ""
		if o.Implied.Valid {
			implied = o.Implied.Decimal.Shift(2).StringFixed(1) + " %"
		}
		day, _, _ := strings.Cut(o.LastTraded, "T")
		if day == "" && o.Last.Valid {
			day = "not told"
		}
		rows[i] = []string{
			string(o.Kind), o.Strike.String(), knownOrAbsent(o.Bid), knownOrAbsent(o.Ask), knownOrAbsent(o.Last), day,
			toolkit.FormatCount(int(o.Volume)), toolkit.FormatCount(int(o.OpenInterest)), implied,
		}
	}
	b.WriteString(toolkit.MarkdownTable([]string{"type", "strike:", "bid:", "ask:", "last:", "traded", "volume:", "open interest:", "implied vol.:"}, rows))
	if a.Left != "" {
		b.WriteString("\n! " + a.Left + "\n")
	}
	b.WriteString("\n" + a.Footer() + "\n")
	return b.String()
}

func (a chainAnswer) figures() []tool.Figure {
	p := a.chain.Provenance
	unit := priceUnit(p)
	figure := func(id, label, unit string, v decimal.Decimal) tool.Figure {
		return tool.Figure{ID: id, Label: label, Value: v, Unit: unit, AsOf: p.AsOf, Source: p.Source}
	}
	var out []tool.Figure
	if a.Spot.Valid {
		out = append(out, figure("spot", string(a.Symbol)+" price of the underlying", unit, a.Spot.Decimal))
	}
	for _, o := range a.Options {
		name := fmt.Sprintf("%s %s %s of %s", a.Symbol, o.Strike, o.Kind, a.Expiry)
		out = append(out, a.optionFigures(o.OptionQuote, name, unit, figure)...)
	}
	return out
}

func (a chainAnswer) optionFigures(o market.OptionQuote, name, unit string, figure func(id, label, unit string, v decimal.Decimal) tool.Figure) []tool.Figure {
	// Two contracts of one strike are there where a split has changed one.
	id := cmp.Or(o.Contract, fmt.Sprintf("%s.%s", o.Kind, o.Strike))
	out := []tool.Figure{
		figure(id+".strike", name+" strike", unit, o.Strike),
		figure(id+".volume", name+" volume", "contracts", decimal.NewFromInt(o.Volume)),
		figure(id+".open_interest", name+" open interest", "contracts", decimal.NewFromInt(o.OpenInterest)),
	}
	for _, part := range []struct {
		what, unit string
		value      decimal.NullDecimal
	}{{"bid", unit, o.Bid}, {"ask", unit, o.Ask}, {"last", unit, o.Last}} {
		if !part.value.Valid {
			continue
		}
		f := figure(id+"."+part.what, name+" "+part.what, part.unit, part.value.Decimal)
		if part.what == "last" {
			f.AsOf = o.LastTraded // zero if unknown: it may be days ago
		}
		out = append(out, f)
	}
	if o.Implied.Valid {
		out = append(out, figure(id+".implied_volatility", name+" implied volatility", "% a year", o.Implied.Decimal.Shift(2)))
	}
	return out
}
