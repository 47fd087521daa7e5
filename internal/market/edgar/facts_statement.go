package edgar

import (
	"cmp"
	"maps"
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
)

// Statements returns the reported statements selected by v, newest first. The instrument has the name and CIK
// of the document; the caller adds the symbol and the provenance.
func (c *CompanyFacts) Statements(v StatementView) []market.Statement {
	look := c.view(v)
	var out []market.Statement
	for _, end := range look.periodEnds(v.Span) {
		if s, ok := look.statement(v.Span, end); ok {
			out = append(out, s)
		}
	}
	if v.Span == market.SpanQuarterly {
		look.reportGaps(out)
	}
	return out
}

// periodEnds returns the last days of the reported periods, newest first.
func (v *factsView) periodEnds(span market.Span) []day {
	uses := make(map[day]int)
	for f := range v.knownFacts(v.core...) {
		switch {
		case span == market.SpanQuarterly || span == market.SpanTrailing:
			if f.class != periodOther && f.class != periodInstant {
				uses[f.end]++
			}
		case f.class == periodYear && f.filing.annual():
			uses[f.end]++
		}
	}
	all := slices.SortedFunc(maps.Keys(uses), func(a, b day) int { return cmp.Compare(b, a) })
	// If a report lists one period under two dates by mistake, keep the date with more figures.
	var out []day
	for _, end := range all {
		last := len(out) - 1
		switch {
		case last < 0 || !withinDays(out[last], end, maxStartGap):
			out = append(out, end)
		case uses[end] > uses[out[last]]:
			out[last] = end
		}
	}
	return out
}

// statementDraft is a statement that is being built.
type statementDraft struct {
	view     *factsView
	span     market.Span
	end      day
	currency string
	items    map[string]market.Item
	start    day
	warnings []string
}

func (v *factsView) statement(span market.Span, end day) (market.Statement, bool) {
	d := &statementDraft{view: v, span: span, end: end, currency: v.currencyAt(end), items: make(map[string]market.Item), start: noDay}
	s := market.Statement{Span: span, Template: v.template, PeriodEnd: end.date(), Items: d.items}
	s.Name, s.Kind, s.CIK = v.company.Name, "equity", v.company.CIK
	if !d.label(&s) {
		return s, false
	}
	flows := 0
	for _, l := range v.lines {
		if l.balance {
			continue
		}
		if item, ok := d.flow(l); ok {
			d.items[l.item] = item
			flows++
		}
	}
	// Balance sheet figures alone do not make a period.
	if flows == 0 {
		return s, false
	}
	s.Form, s.Filed = newestFiling(d.items)
	d.balances()
	d.coverShares()
	d.flagNonControlling()
	d.derive()
	d.dropParts()
	d.toNewestBasis()
	d.checkShareScale(market.ItemBasicShares, market.ItemBasicEPS)
	d.checkShareScale(market.ItemDilutedShares, market.ItemDilutedEPS)
	s.PeriodStart = d.start.date()
	s.Warnings = append(d.warnings, v.splitWarnings(d.items)...)
	s.Provenance.Currency, s.Provenance.Unit, s.Provenance.AsOf = d.currency, d.currency, s.PeriodEnd
	return s, len(d.items) > 0
}

// newestFiling returns the form and date of the newest filing among the items, ignoring lines used
// only to derive others.
func newestFiling(items map[string]market.Item) (form string, filed market.Date) {
	for name, item := range items {
		if slices.Contains(parts(), name) {
			continue
		}
		if item.Filed.After(filed) || item.Filed.Equal(filed) && item.Form > form {
			form, filed = item.Form, item.Filed
		}
	}
	return form, filed
}

func (d *statementDraft) label(s *market.Statement) bool {
	var ok bool
	switch d.span {
	case market.SpanQuarterly:
		var l fiscalLabel
		l, ok = d.view.calendar.quarter(d.end)
		s.FiscalYear, s.FiscalPeriod = l.year, l.period
	case market.SpanTrailing:
		var l fiscalLabel
		l, ok = d.view.calendar.quarter(d.end)
		s.FiscalYear, s.FiscalPeriod = l.year, "TTM"
	default:
		s.Span, s.FiscalPeriod = market.SpanAnnual, "FY"
		s.FiscalYear, ok = d.view.calendar.year(d.end)
	}
	return ok
}

func (d *statementDraft) flow(l compiledLine) (market.Item, bool) {
	switch d.span {
	case market.SpanQuarterly:
		return d.quarterFlow(l)
	case market.SpanTrailing:
		return d.trailingFlow(l)
	}
	f, ok := d.view.figure(l, d.currency, periodYear, d.end)
	if !ok {
		return market.Item{}, false
	}
	d.noteStart(f.last.start)
	return d.view.item(l, f), true
}

// noteStart records the first day of the period, taken from the first figure found, which is
// revenue if reported.
func (d *statementDraft) noteStart(start day) {
	if d.start == noDay {
		d.start = start
	}
}

func (d *statementDraft) balances() {
	for _, l := range d.view.lines {
		if !l.balance {
			continue
		}
		if f, ok := d.view.figure(l, d.currency, periodInstant, d.end); ok {
			d.items[l.item] = d.view.item(l, f)
		}
	}
}

// item returns a filed figure as a statement item.
func (v *factsView) item(l compiledLine, f reportedValue) market.Item {
	out := market.Item{
		Value: f.last.value, Unit: unitName(f.unit), Tag: f.concept,
		Form: f.last.filing.form, Accession: f.last.filing.accession, Filed: f.last.filing.filed.date(),
	}
	if v.restated(l, f) {
		out.First.Decimal, out.First.Valid = f.first.value, true
		out.Flags = append(out.Flags, market.FlagRestated)
	}
	if f.doubtful {
		out.Flags = append(out.Flags, market.FlagSuspect)
	}
	return out
}

// unitName returns a unit as statements write it: "USD/share".
func unitName(unit string) string {
	if len(unit) > len("/shares") && unit[len(unit)-len("/shares"):] == "/shares" {
		return unit[:len(unit)-1]
	}
	return unit
}
