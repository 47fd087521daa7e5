package edgar

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// quarterFigure is the figure of a line for one quarter, as filed or derived.
type quarterFigure struct {
	item       market.Item
	concept    string // the concept of the filed figure, or of the longer period
	start, end day
}

func (q quarterFigure) doubtful() bool { return slices.Contains(q.item.Flags, market.FlagSuspect) }

func (d *statementDraft) quarterFlow(l compiledLine) (market.Item, bool) {
	q, ok := d.quarter(l)
	if ok {
		d.noteStart(q.start)
	}
	return q.item, ok
}

// quarter returns the figure of a line, as filed or derived from two periods of the same fiscal
// year. Cash flows are filed only from the start of the year, and fourth quarters hardly ever. The
// tiers are tried in order, so that the difference of two statements is preferred to a rounded
// figure from a note, unless it would mix different concepts.
func (d *statementDraft) quarter(l compiledLine) (quarterFigure, bool) {
	var doubtful *quarterFigure
	for i := range l.tags {
		tier := l
		tier.tags = l.tags[i : i+1]
		if f, ok := d.view.figure(tier, d.currency, periodQuarter, d.end); ok {
			return quarterFigure{d.view.item(l, f), f.concept, f.last.start, f.last.end}, true
		}
		derived, ok := d.derivedQuarter(l, tier)
		if ok && !derived.doubtful() {
			return derived, true
		}
		if ok && doubtful == nil {
			doubtful = &derived
		}
	}
	if doubtful == nil {
		return quarterFigure{}, false
	}
	return *doubtful, true
}

// derivedQuarter subtracts two periods that start with the fiscal year. The longer one is from the
// tier, the shorter one from any tier of the line.
func (d *statementDraft) derivedQuarter(l, tier compiledLine) (quarterFigure, bool) {
	v := d.view
	for _, pair := range [...]struct{ long, short periodClass }{{periodHalfYear, periodQuarter}, {periodNineMonths, periodHalfYear}, {periodYear, periodNineMonths}} {
		long, ok := v.figure(tier, d.currency, pair.long, d.end)
		if !ok {
			continue
		}
		short, ok := v.figureFromStart(l, long, pair.short)
		if !ok {
			continue
		}
		long = v.restateLike(long, short)
		a, b, original := v.alignVintages(v.newInput(l, long), v.newInput(l, short))
		value, ok := v.subtract(l, a, b)
		if !ok {
			continue
		}
		out := deriveItem(value, unitName(long.unit), pair.long.String()+" - "+pair.short.String(), a, b)
		if l.measure == measureShares {
			out.Formula += ", weighted by days"
		}
		if original {
			out.Formula += ", as first reported"
		}
		if long.doubtful || short.doubtful || !v.comparable(long, short) {
			out.Flags = append(out.Flags, market.FlagSuspect)
		}
		return quarterFigure{out, long.concept, short.last.end + 1, long.last.end}, true
	}
	return quarterFigure{}, false
}

// subtract returns the figure for the days in a but not in b. Share figures are first converted to
// one split basis, and average share counts are weighted by the days of their periods.
func (v *factsView) subtract(l compiledLine, a, b flowInput) (decimal.Decimal, bool) {
	if l.measure == measureMoney {
		return a.value.Sub(b.value), true
	}
	basis := max(a.filing.filed, b.filing.filed)
	long, ok := v.onBasis(l.measure, a.value, a.filing.filed, basis)
	if !ok {
		return decimal.Decimal{}, false
	}
	short, ok := v.onBasis(l.measure, b.value, b.filing.filed, basis)
	if !ok || l.measure == measurePerShare {
		return long.Sub(short), ok
	}
	longDays, shortDays := decimal.NewFromInt(int64(a.end-a.start+1)), decimal.NewFromInt(int64(b.end-b.start+1))
	average := long.Mul(longDays).Sub(short.Mul(shortDays)).DivRound(longDays.Sub(shortDays), 0)
	return average, average.IsPositive()
}

// onBasis converts a share count or a figure per share that was filed on one day to the shares of a
// later filing. It reports false if a split took effect on an unknown day between the two.
func (v *factsView) onBasis(m lineMeasure, value decimal.Decimal, filed, basis day) (decimal.Decimal, bool) {
	if filed == basis || m == measureMoney {
		return value, true
	}
	for _, s := range v.splits {
		switch {
		case filed >= s.by || basis <= s.after:
		case filed <= s.after && basis >= s.by:
			value = s.convert(m, value)
		default:
			return value, false
		}
	}
	return value, true
}

// maxStartGap is the maximum difference, in days, between the starts of one period in several
// filings.
const maxStartGap = 4

// figureFromStart finds the figure of a shorter period with the same start. It prefers the same concept, then
// the first tier, because companies change concepts within a year.
func (v *factsView) figureFromStart(l compiledLine, long reportedValue, c periodClass) (reportedValue, bool) {
	return v.newestInTiers(l, long.unit, c, long.concept, func(f taggedFact) bool {
		return withinDays(f.start, long.last.start, maxStartGap) && f.end < long.last.end
	})
}

// newestInTiers finds the newest matching figure of a class. It prefers the concept that the figure will be
// compared with, because differences between concepts are meaningless; otherwise it tries the tiers in order.
func (v *factsView) newestInTiers(l compiledLine, unit string, c periodClass, like string, fits func(taggedFact) bool) (reportedValue, bool) {
	if f, ok := v.newest(like, unit, c, fits); ok {
		return f, true
	}
	return v.bestInTiers(l, func(tag string) (reportedValue, bool) { return v.newest(tag, unit, c, fits) })
}

// newest returns the newest matching figure of a concept and class.
func (v *factsView) newest(concept, unit string, c periodClass, fits func(taggedFact) bool) (reportedValue, bool) {
	for _, r := range v.company.facts[concept] {
		if r.unit != unit {
			continue
		}
		for i := len(r.facts) - 1; i >= 0; i-- {
			f := r.facts[i]
			if f.class != c || f.filing.filed > v.known || !fits(f) {
				continue
			}
			found, _ := v.vintages(r.ending(f.end), c)
			found.concept, found.unit = concept, unit
			return found, true
		}
	}
	return reportedValue{}, false
}

// restateLike returns the long figure as reported under the concept of the shorter period, if the
// values agree. A later filing may move an old concept's figure to another concept with a different
// first value.
func (v *factsView) restateLike(long, short reportedValue) reportedValue {
	if other, ok := v.reportedFigure(short.concept, long.unit, long.last.class, long.last.end); ok && !valuesDiffer(other.last.value, long.last.value) {
		other.doubtful = long.doubtful
		return other
	}
	return long
}

// comparable reports whether two figures may be compared. They may if they have the same concept, or if their
// concepts have equal values wherever the company reported both: within the period of the first figure if
// possible, else in any period. If it never reported both, it switched from one to the other.
func (v *factsView) comparable(a, b reportedValue) bool {
	if a.concept == b.concept {
		return true
	}
	type period struct{ start, end day }
	values, agree := make(map[period][]decimal.Decimal), make(map[period]bool)
	for f, unit := range v.knownFacts(a.concept) {
		if unit != a.unit {
			continue
		}
		values[period{f.start, f.end}] = append(values[period{f.start, f.end}], f.value)
	}
	for f, unit := range v.knownFacts(b.concept) {
		if unit != b.unit {
			continue
		}
		p := period{f.start, f.end}
		if previous, ok := values[p]; ok {
			// Compare any vintage, because a later filing may restate only one of the two.
			agree[p] = agree[p] || slices.ContainsFunc(previous, func(d decimal.Decimal) bool { return !valuesDiffer(d, f.value) })
		}
	}
	anywhere, seenWithin, within := true, false, true
	for p, same := range agree {
		anywhere = anywhere && same
		if p.start >= a.last.start-maxStartGap && p.end <= a.last.end+maxStartGap {
			seenWithin, within = true, within && same
		}
	}
	if seenWithin {
		return within
	}
	return anywhere
}

// flowInput is one input of a difference or sum, with the value first reported.
type flowInput struct {
	taggedFact
	concept  string
	unit     string
	first    taggedFact
	repeated day
	restated bool
}

func (v *factsView) newInput(l compiledLine, f reportedValue) flowInput {
	return flowInput{taggedFact: f.last, concept: f.concept, unit: f.unit, first: f.first, repeated: f.repeated, restated: v.restated(l, f)}
}

// alignVintages returns comparable versions of two periods of one year, and whether they are as first
// reported. If only one was restated (a business that was sold is removed from the year but never from its
// nine months), the difference of the newest values would be wrong. Then both are used as known when the long
// period was first reported. The newest values are comparable if a filing repeated the other one after the
// restatement, or if the short one was not filed by that day, because a successor's reports repeat only
// restated figures. An original figure is never combined with a restated one.
func (v *factsView) alignVintages(a, b flowInput) (flowInput, flowInput, bool) {
	if a.restated == b.restated || a.restated && b.repeated >= a.filing.filed || b.restated && a.repeated >= b.filing.filed {
		return a, b, false
	}
	then := *v
	then.known = a.first.filing.filed
	asKnown, ok := then.reportedFigure(b.concept, b.unit, b.class, b.end)
	if !ok {
		return a, b, false
	}
	a.taggedFact, b.taggedFact = a.first, asKnown.last
	return a, b, true
}

// deriveItem returns a figure computed from others. Its filing date is that of the latest input.
func deriveItem(value decimal.Decimal, unit, formula string, parts ...flowInput) market.Item {
	out := market.Item{Value: value, Unit: unit, Formula: formula}
	for _, p := range parts {
		if filed := p.filing.filed.date(); filed.After(out.Filed) {
			out.Filed, out.Form, out.Accession = filed, p.filing.form, p.filing.accession
		}
		out.Inputs = append(out.Inputs, p.concept+" "+p.start.String()+" to "+p.end.String())
	}
	return out
}

// trailingFlow returns the figure for the four quarters that end with the period: the fiscal year,
// or the last fiscal year plus this year to date minus the same months of last year.
func (d *statementDraft) trailingFlow(l compiledLine) (market.Item, bool) {
	v := d.view
	if f, ok := v.figure(l, d.currency, periodYear, d.end); ok {
		d.noteStart(f.last.start)
		return v.item(l, f), true
	}
	if l.measure != measureMoney {
		return d.fourQuarters(l)
	}
	for _, c := range [...]periodClass{periodNineMonths, periodHalfYear, periodQuarter} {
		now, ok := v.figure(l, d.currency, c, d.end)
		if !ok {
			continue
		}
		full, ok := v.newestInTiers(l, now.unit, periodYear, now.concept, func(f taggedFact) bool { return withinDays(f.end+1, now.last.start, maxStartGap) })
		if !ok {
			continue
		}
		before, ok := v.figureFromStart(l, full, c)
		if !ok {
			continue
		}
		full = v.restateLike(full, before)
		a, b, _ := v.alignVintages(v.newInput(l, full), v.newInput(l, before))
		n := v.newInput(l, now)
		d.noteStart(before.last.end + 1)
		out := deriveItem(a.value.Add(n.value).Sub(b.value), d.currency, "FY + "+c.String()+" - "+c.String()+" of the year before", a, n, b)
		if now.doubtful || full.doubtful || before.doubtful || !v.comparable(full, now) || !v.comparable(full, before) {
			out.Flags = append(out.Flags, market.FlagSuspect)
		}
		return out, true
	}
	return market.Item{}, false
}

// fourQuarters adds the per-share figures, or averages the share counts, of four quarters as filed or
// derived. All are converted to the split basis of the newest filing among them.
func (d *statementDraft) fourQuarters(l compiledLine) (market.Item, bool) {
	v := d.view
	var parts []quarterFigure
	var newest market.Item
	end, suspect := d.end, false
	for i := range 4 {
		q, ok := d.quarterEnding(end).quarter(l)
		if !ok {
			return market.Item{}, false
		}
		suspect = suspect || q.doubtful() || i > 0 && !v.comparable(parts[i-1].reported(l, d.currency), q.reported(l, d.currency))
		if q.item.Filed.After(newest.Filed) {
			newest = q.item
		}
		parts, end = append(parts, q), q.start-1
	}
	out := market.Item{Unit: newest.Unit, Formula: "sum of four quarters", Form: newest.Form, Accession: newest.Accession, Filed: newest.Filed}
	for _, q := range parts {
		value, ok := v.onBasis(l.measure, q.item.Value, dayOf(q.item.Filed), dayOf(newest.Filed))
		if !ok {
			return market.Item{}, false
		}
		if l.measure == measureShares {
			value = value.Mul(decimal.NewFromInt(int64(q.end - q.start + 1)))
		}
		out.Value = out.Value.Add(value)
		if q.item.Formula == "" {
			out.Inputs = append(out.Inputs, q.concept+" "+q.start.String()+" to "+q.end.String())
		}
		out.Inputs = append(out.Inputs, q.item.Inputs...)
	}
	if l.measure == measureShares {
		out.Formula = "mean of four quarters, weighted by days"
		out.Value = out.Value.DivRound(decimal.NewFromInt(int64(parts[0].end-parts[3].start+1)), 0)
	}
	if suspect {
		out.Flags = append(out.Flags, market.FlagSuspect)
	}
	return out, true
}

// reported returns the quarter as input for [factsView.comparable].
func (q quarterFigure) reported(l compiledLine, currency string) reportedValue {
	return reportedValue{concept: q.concept, unit: unitOf(l.measure, currency), last: taggedFact{start: q.start, end: q.end}}
}

// quarterEnding returns the draft of the quarter that ends on a date or within a few days of it, because
// companies differ in the dates they file.
func (d *statementDraft) quarterEnding(end day) *statementDraft {
	if i := slices.IndexFunc(d.view.quarterEnds, func(q day) bool { return withinDays(q, end, maxStartGap) }); i >= 0 {
		end = d.view.quarterEnds[i]
	}
	return &statementDraft{view: d.view, span: market.SpanQuarterly, end: end, currency: d.currency}
}
