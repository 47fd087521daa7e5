package advice

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

func (a watchlistAnswer) markdown() string {
	var rows [][]string
	var footers, problems []string
	for _, line := range a.Watches {
		price, asOf := "", ""
		if line.Origin != nil {
			price = line.Price.String() + " " + priceUnit(line.quote.Provenance)
			asOf = strings.TrimSpace(line.AsOf + " " + line.FlagText())
			if footer := line.Footer(); !slices.Contains(footers, footer) {
				footers = append(footers, footer)
			}
		} else {
			problems = append(problems, fmt.Sprintf("! %s: %s", line.Symbol, toolkit.TableCell(line.Error)))
		}
		var targets []string
		for _, t := range line.Targets {
			targets = append(targets, t.text())
			if t.Reason != "" && line.Origin != nil {
				problems = append(problems, fmt.Sprintf("! %s %s: %s", line.Symbol, t.stateText(), t.Reason))
			}
		}
		rows = append(rows, []string{string(line.Symbol), line.Name, price, asOf, strings.Join(targets, "; "), line.Note})
	}
	text := toolkit.MarkdownTable([]string{"symbol", "name", "price:", "as of", "targets", "note"}, rows) + "\n"
	for _, paragraph := range append(problems, footers...) {
		text += paragraph + "\n\n"
	}
	return strings.TrimRight(text, "\n") + "\n"
}

func (t watchTarget) text() string {
	text := t.stateText()
	switch {
	case t.Reached == nil:
		return text + ": not judged"
	case *t.Reached:
		return text + ": REACHED"
	}
	return text + ": " + toolkit.FormatSigned(*t.DistancePct, 2) + " % to go"
}

func (t watchTarget) stateText() string {
	return investor.PriceTarget{Side: t.Side, Price: t.Price, Currency: t.Currency}.Describe()
}

// priceUnit is what a price is counted in. A source that does not tell it must not have
// its price read in the reader's own currency.
func priceUnit(p market.Provenance) string {
	if unit := toolkit.UnitOf(p); unit != "" && unit != "price" {
		return unit
	}
	return "of unknown currency"
}

func (line watchLine) figures() []tool.Figure {
	if line.Origin == nil {
		return nil
	}
	p, id := line.quote.Provenance, string(line.Symbol)
	out := []tool.Figure{{ID: id + ".price", Label: id + " price", Value: *line.Price, Unit: priceUnit(p), AsOf: p.AsOf, Source: p.Source}}
	for _, t := range line.Targets {
		name := fmt.Sprintf("%s.%s.%s", id, t.Side, t.Price)
		out = append(out, tool.Figure{ID: name, Label: fmt.Sprintf("%s target %s", id, t.Side), Value: t.Price, Unit: targetUnit(t.Currency), Source: watchlistSource})
		if t.DistancePct == nil {
			continue
		}
		out = append(out, tool.Figure{
			ID: name + ".distance_pct", Label: fmt.Sprintf("%s to its target %s", id, t.Side), Value: *t.DistancePct, Unit: "%", AsOf: p.AsOf,
			Source: p.Source, Formula: "(target / price - 1) * 100",
			Inputs: []string{"target " + t.Price.String() + " " + targetUnit(t.Currency), "price " + line.Price.String() + " of " + line.AsOf},
		})
	}
	return out
}

const watchlistSource = "watchlist, as the user said"
