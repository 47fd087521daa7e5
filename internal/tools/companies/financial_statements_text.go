package companies

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// maxItemNotes are shown to people below a table; the answer has them all.
const maxItemNotes = 10

func (a statementsAnswer) result() (tool.Result, error) {
	statements := a.statements
	forModel, err := toolkit.EncodeResult(a)
	for err == nil && len(forModel) > toolkit.MaxEncodedBytes && len(a.statements) > 1 {
		count := len(a.statements) - 1
		a = newStatementsAnswer(statements[:count], a.Statement)
		a.Warnings = append(a.Warnings, fmt.Sprintf("the answer would be too long: %d older periods are left out; ask for one statement at a time", len(statements)-count))
		forModel, err = toolkit.EncodeResult(a)
	}
	if err != nil {
		return tool.Result{}, err
	}
	title := fmt.Sprintf("%s · %s · %s", a.Symbol, strings.ReplaceAll(a.Statement, "_", " "), a.Periods[0].Period)
	if len(a.Periods) > 1 {
		title += " to " + a.Periods[len(a.Periods)-1].Period
	}
	return tool.Result{
		Value: a, ForModel: forModel, ForUser: a.markdown(), Title: title, Figures: a.figures(),
		Summary: strings.TrimSpace(fmt.Sprintf("%d lines of %d periods in %s %s", len(a.Lines), len(a.Periods), a.Currency, a.FlagText())),
	}, nil
}

// scale is one for all sums of the answer, and another for its counts of shares.
func (a statementsAnswer) scale(unit string) scale {
	var values []decimal.Decimal
	for _, row := range a.Lines {
		for _, item := range row.items {
			if item != nil && item.Unit == unit {
				values = append(values, item.Value)
			}
		}
	}
	return scaleFor(values)
}

func (a statementsAnswer) markdown() string {
	var b strings.Builder
	sums, shares := a.scale(a.Currency), a.scale("shares")
	fmt.Fprintf(&b, "%s · %s · in %s\n\n", toolkit.InstrumentHeading(market.Instrument{Symbol: a.Symbol, Name: a.Name}), a.Span, sums.unitOf(a.Currency))
	columns := []string{"fiscal period"}
	ends, filed := []string{"ended"}, []string{"from"}
	for _, p := range a.Periods {
		columns = append(columns, p.Period+":")
		ends = append(ends, p.End)
		filed = append(filed, strings.TrimSpace(p.Form+" "+p.Filed))
	}
	rows := [][]string{ends, filed}
	for _, row := range a.Lines {
		cells := []string{row.Label}
		if row.Unit != a.Currency && row.Unit != "shares" {
			cells[0] += ", " + row.Unit
		} else if row.Unit == "shares" && shares.name != "" {
			cells[0] += ", " + shares.name
		}
		for _, item := range row.items {
			cells = append(cells, a.cell(item, sums, shares))
		}
		rows = append(rows, cells)
	}
	b.WriteString(toolkit.MarkdownTable(columns, rows))
	b.WriteString(a.notes(sums))
	b.WriteString("\n" + a.Footer() + "\n")
	return b.String()
}

// cell is a number with a letter for what is to be known of it.
func (a statementsAnswer) cell(item *market.Item, sums, shares scale) string {
	if item == nil {
		return "–"
	}
	text := item.Value.StringFixed(max(2, -item.Value.Exponent()))
	switch item.Unit {
	case a.Currency:
		text = sums.format(item.Value)
	case "shares":
		text = shares.format(item.Value)
	}
	flagged := market.Provenance{Flags: item.Flags}
	if flagged.Has(market.FlagRestated) || item.First.Valid {
		text += " r"
	}
	if item.Formula != "" {
		text += " d"
	}
	if flagged.Has(market.FlagSuspect) {
		text += " ?"
	}
	return text
}

func (a statementsAnswer) notes(sums scale) string {
	var b strings.Builder
	if legend := a.legend(); legend != "" {
		b.WriteString("\n" + legend + "\n")
	}
	lines := a.noteLines(sums)
	for _, s := range lines[:min(len(lines), maxItemNotes)] {
		b.WriteString("\n- " + toolkit.TableCell(s))
	}
	if hidden := len(lines) - maxItemNotes; hidden > 0 {
		fmt.Fprintf(&b, "\n- and %d more", hidden)
	}
	if len(lines) > 0 {
		b.WriteString("\n")
	}
	for _, w := range a.Warnings {
		b.WriteString("\n! " + toolkit.TableCell(w) + "\n")
	}
	return b.String()
}

func (a statementsAnswer) legend() string {
	var out []string
	for _, l := range []struct {
		letter string
		all    []itemNote
	}{{"r changed by a later filing", a.Restated}, {"d derived", a.Derived}, {"? doubtful", a.Doubtful}} {
		if len(l.all) > 0 {
			out = append(out, l.letter)
		}
	}
	return strings.Join(out, " · ")
}

// noteLines are the remarks in words.
func (a statementsAnswer) noteLines(sums scale) []string {
	var out []string
	named := func(r itemNote) string {
		return strings.ReplaceAll(strings.Join(r.Items, ", "), "_", " ") + " of " + strings.Join(r.Periods, ", ")
	}
	for _, r := range a.Restated {
		if r.First == nil {
			continue
		}
		first := r.First.String()
		if a.unitOf(r.Items[0]) == a.Currency {
			first = sums.format(*r.First)
		}
		out = append(out, named(r)+" was "+first+" at first")
	}
	for _, r := range a.Derived {
		out = append(out, named(r)+": "+r.Formula)
	}
	return out
}

func (a statementsAnswer) unitOf(item string) string {
	for _, row := range a.Lines {
		if row.Item == item {
			return row.Unit
		}
	}
	return ""
}

func (a statementsAnswer) figures() []tool.Figure {
	var out []tool.Figure
	for _, row := range a.Lines {
		for i, item := range row.items {
			if item == nil {
				continue
			}
			s, period := a.statements[i], a.Periods[i].Period
			f := tool.Figure{
				ID: strings.ReplaceAll(period, " ", ".") + "." + row.Item, Label: fmt.Sprintf("%s %s %s", a.Symbol, row.Label, period),
				Value: item.Value, Unit: item.Unit, AsOf: s.PeriodEnd, Source: itemSource(s, *item), Formula: item.Formula, Inputs: item.Inputs,
			}
			out = append(out, f)
			if item.First.Valid {
				f.ID, f.Label = f.ID+".first_reported", f.Label+", as first reported"
				f.Value, f.Formula, f.Inputs, f.Source = item.First.Decimal, "", nil, s.Provenance.Source
				out = append(out, f)
			}
		}
	}
	return out
}

// itemSource is who gave an item, and the filing it is from.
func itemSource(s market.Statement, item market.Item) string {
	filing := filingReference(item.Form, item.Accession, item.Filed)
	if filing == "" || item.Accession != "" && strings.Contains(s.Provenance.Source, item.Accession) {
		return s.Provenance.Source
	}
	return s.Provenance.Source + ", " + filing
}
