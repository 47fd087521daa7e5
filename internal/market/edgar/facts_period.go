package edgar

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// quarterFlow is a quarter's figure: as filed, or the difference of two spans of
// the same fiscal year. Cash flows are filed from the start of the year only, and
// fourth quarters hardly ever. Figures per share and share counts are averages of
// their spans and do not subtract.
func (d *statementDraft) quarterFlow(l compiledLine) (market.Item, bool) {
	v := d.view
	if f, ok := v.figure(l, d.currency, periodQuarter, d.end); ok {
		d.noteStart(f.last.start)
		return v.item(l, f), true
	}
	if l.measure != measureMoney {
		return market.Item{}, false
	}
	for _, pair := range [...]struct{ long, short periodClass }{{periodHalfYear, periodQuarter}, {periodNineMonths, periodHalfYear}, {periodYear, periodNineMonths}} {
		long, ok := v.figure(l, d.currency, pair.long, d.end)
		if !ok {
			continue
		}
		short, ok := v.figureFromStart(l, long, pair.short)
		if !ok {
			continue
		}
		long = v.restateLike(long, short)
		a, b, original := v.alignVintages(v.newInput(l, long), v.newInput(l, short))
		d.noteStart(short.last.end + 1)
		out := deriveItem(a.value.Sub(b.value), d.currency, pair.long.String()+" - "+pair.short.String(), a, b)
		if original {
			out.Formula += ", as first reported"
		}
		if long.doubtful || short.doubtful || !v.comparable(long, short) {
			out.Flags = append(out.Flags, market.FlagSuspect)
		}
		return out, true
	}
	return market.Item{}, false
}

// maxStartGap is how many days the filings of one company may disagree on where a
// period starts.
const maxStartGap = 4

// figureFromStart finds the figure of a shorter span that starts as the long one does: of
// its concept, or else by the same tiers, for that may have changed within the year.
func (v *factsView) figureFromStart(l compiledLine, long reportedValue, c periodClass) (reportedValue, bool) {
	return v.newestInTiers(l, long.unit, c, long.concept, func(f taggedFact) bool {
		return withinDays(f.start, long.last.start, maxStartGap) && f.end < long.last.end
	})
}

// newestInTiers finds the newest figure of a class that fits: of a concept that it will be
// set against, since a whole less a part of another whole is nothing; else in the
// order of the tiers.
func (v *factsView) newestInTiers(l compiledLine, unit string, c periodClass, like string, fits func(taggedFact) bool) (reportedValue, bool) {
	if f, ok := v.newest(like, unit, c, fits); ok {
		return f, true
	}
	return v.bestInTiers(l, func(tag string) (reportedValue, bool) { return v.newest(tag, unit, c, fits) })
}

// newest is the newest figure of a concept that is of a class and fits.
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
			last, first, _ := v.vintages(r.ending(f.end), c)
			return reportedValue{concept: concept, unit: unit, last: last, first: first}, true
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

// comparable reports whether two figures may be compared: they have the same concept, or two
// concepts with equal values wherever the company reported both, within the period of the first if
// possible, else anywhere. If it never reported both, it switched from one to the other.
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

// flowInput is one input of a difference or sum, with its original value.
type flowInput struct {
	taggedFact
	concept  string
	unit     string
	first    taggedFact
	restated bool
}

func (v *factsView) newInput(l compiledLine, f reportedValue) flowInput {
	return flowInput{taggedFact: f.last, concept: f.concept, unit: f.unit, first: f.first, restated: v.restated(l, f)}
}

// alignVintages returns comparable versions of two periods of one year. If only one was restated (a
// business that was sold is removed from the year but never from its nine months), the difference
// of the newest values would be wrong. Then it uses the original of the long period and the value
// of the short one known on that day, and the last result is true.
func (v *factsView) alignVintages(a, b flowInput) (flowInput, flowInput, bool) {
	if a.restated == b.restated {
		return a, b, false
	}
	a.taggedFact = a.first
	then := *v
	then.known = a.first.filing.filed
	if asKnown, ok := then.reportedFigure(b.concept, b.unit, b.class, b.end); ok {
		b.taggedFact = asKnown.last
	} else {
		b.taggedFact = b.first
	}
	return a, b, true
}

// deriveItem is a figure made of others; it is known once the last of them is.
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

// trailingFlow is the figure of the four quarters that end with the period: the
// fiscal year's, or the last year's with this year's months for last year's.
func (d *statementDraft) trailingFlow(l compiledLine) (market.Item, bool) {
	v := d.view
	if f, ok := v.figure(l, d.currency, periodYear, d.end); ok {
		d.noteStart(f.last.start)
		return v.item(l, f), true
	}
	if l.measure == measurePerShare {
		return d.fourQuarters(l)
	}
	if l.measure == measureShares {
		return market.Item{}, false
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

// fourQuarters adds figures per share, which only quarters filed as such allow.
func (d *statementDraft) fourQuarters(l compiledLine) (market.Item, bool) {
	v := d.view
	var parts []flowInput
	var after reportedValue // the quarter that comes next
	sum, end, doubtful := decimal.Decimal{}, d.end, false
	for range 4 {
		f, ok := v.newestInTiers(l, unitOf(l.measure, d.currency), periodQuarter, after.concept, func(f taggedFact) bool { return withinDays(f.end, end, maxStartGap) })
		// A quarter that a split came after is not of the same shares as the newest.
		if !ok || len(parts) > 0 && v.splitsAfter(f.last.filing.filed) > v.splitsAfter(parts[0].filing.filed) {
			return market.Item{}, false
		}
		doubtful = doubtful || f.doubtful || len(parts) > 0 && !v.comparable(after, f)
		parts = append(parts, v.newInput(l, f))
		sum, end, after = sum.Add(f.last.value), f.last.start-1, f
	}
	out := deriveItem(sum, unitName(unitOf(l.measure, d.currency)), "sum of four quarters", parts...)
	if doubtful {
		out.Flags = append(out.Flags, market.FlagSuspect)
	}
	return out, true
}
