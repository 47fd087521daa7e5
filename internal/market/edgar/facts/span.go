package facts

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// quarterFlow is a quarter's figure: as filed, or the difference of two spans of
// the same fiscal year. Cash flows are filed from the start of the year only, and
// fourth quarters hardly ever. Figures per share and share counts are averages of
// their spans and do not subtract.
func (d *draft) quarterFlow(l compiled) (market.Item, bool) {
	v := d.view
	if f, ok := v.figure(l, d.currency, quarter, d.end); ok {
		d.began(f.last.start)
		return v.item(l, f), true
	}
	if l.of != money {
		return market.Item{}, false
	}
	for _, pair := range [...]struct{ long, short class }{{half, quarter}, {nine, half}, {year, nine}} {
		long, ok := v.figure(l, d.currency, pair.long, d.end)
		if !ok {
			continue
		}
		short, ok := v.beginning(l, long, pair.short)
		if !ok {
			continue
		}
		long = v.under(long, short)
		a, b, original := v.aligned(v.pick(l, long), v.pick(l, short))
		d.began(short.last.end + 1)
		out := derived(a.value.Sub(b.value), d.currency, pair.long.String()+" - "+pair.short.String(), a, b)
		if original {
			out.Formula += ", as first reported"
		}
		if long.doubtful || short.doubtful || !v.alike(long, short) {
			out.Flags = append(out.Flags, market.FlagSuspect)
		}
		return out, true
	}
	return market.Item{}, false
}

// slack is how many days the filings of one company may disagree on where a
// period starts.
const slack = 4

// beginning finds the figure of a shorter span that starts as the long one does: of
// its concept, or else by the same tiers, for that may have changed within the year.
func (v *view) beginning(l compiled, long figure, c class) (figure, bool) {
	return v.among(l, long.unit, c, long.concept, func(f fact) bool {
		return near(f.start, long.last.start, slack) && f.end < long.last.end
	})
}

// among finds the newest figure of a class that fits: of a concept that it will be
// set against, since a whole less a part of another whole is nothing; else in the
// order of the tiers.
func (v *view) among(l compiled, unit string, c class, like string, fits func(fact) bool) (figure, bool) {
	if f, ok := v.newest(like, unit, c, fits); ok {
		return f, true
	}
	for _, tags := range l.tags {
		var best figure
		found := false
		for _, tag := range tags {
			f, ok := v.newest(tag, unit, c, fits)
			switch {
			case !ok:
			case !found || l.largest && f.last.value.GreaterThan(best.last.value):
				best, found = f, true
			case !l.largest && differ(best.last.value, f.last.value):
				best.doubtful = true
			}
		}
		if found {
			return best, true
		}
	}
	return figure{}, false
}

// newest is the newest figure of a concept that is of a class and fits.
func (v *view) newest(concept, unit string, c class, fits func(fact) bool) (figure, bool) {
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
			return figure{concept: concept, unit: unit, last: last, first: first}, true
		}
	}
	return figure{}, false
}

// under is the long figure as the shorter span's concept gives it, where that says the
// same: a later filing may give an old concept's figure to another one, whose first
// word of it was something else.
func (v *view) under(long, short figure) figure {
	if other, ok := v.reported(short.concept, long.unit, long.last.class, long.last.end); ok && !differ(other.last.value, long.last.value) {
		other.doubtful = long.doubtful
		return other
	}
	return long
}

// alike reports whether two figures may be set against each other: of one concept, or
// of two under which the company gave the same figures, wherever it gave both: within
// the span of the first, or anywhere where it never did so there. One that never gave
// both has gone over from the one to the other.
func (v *view) alike(a, b figure) bool {
	if a.concept == b.concept {
		return true
	}
	type period struct{ start, end day }
	given, agree := make(map[period][]decimal.Decimal), make(map[period]bool)
	for f := range v.filed(a.concept, a.unit) {
		given[period{f.start, f.end}] = append(given[period{f.start, f.end}], f.value)
	}
	for f := range v.filed(b.concept, b.unit) {
		p := period{f.start, f.end}
		if was, ok := given[p]; ok {
			// Of any of its vintages: a later filing restates one of the two alone.
			agree[p] = agree[p] || slices.ContainsFunc(was, func(d decimal.Decimal) bool { return !differ(d, f.value) })
		}
	}
	anywhere, told, within := true, false, true
	for p, same := range agree {
		anywhere = anywhere && same
		if p.start >= a.last.start-slack && p.end <= a.last.end+slack {
			told, within = true, within && same
		}
	}
	if told {
		return within
	}
	return anywhere
}

// filed are the figures of a concept that were known.
func (v *view) filed(concept, unit string) func(yield func(fact) bool) {
	return func(yield func(fact) bool) {
		for _, r := range v.company.facts[concept] {
			if r.unit != unit {
				continue
			}
			for _, f := range r.facts {
				if f.filing.filed <= v.known && !yield(f) {
					return
				}
			}
		}
	}
}

// part is one input of a difference or a sum, with what it was at first.
type part struct {
	fact
	concept  string
	unit     string
	first    fact
	restated bool
}

func (v *view) pick(l compiled, f figure) part {
	return part{fact: f.last, concept: f.concept, unit: f.unit, first: f.first, restated: v.restated(l, f)}
}

// aligned puts two spans of one year on the same footing: where only one of them
// was restated (a business sold off is taken out of the year, and never out of
// its nine months), the difference of the newest would be of neither. The long
// span then is the original, the short one what was known of it on that day, and
// the last result is true.
func (v *view) aligned(a, b part) (part, part, bool) {
	if a.restated == b.restated {
		return a, b, false
	}
	a.fact = a.first
	then := *v
	then.known = a.first.filing.filed
	if was, ok := then.reported(b.concept, b.unit, b.class, b.end); ok {
		b.fact = was.last
	} else {
		b.fact = b.first
	}
	return a, b, true
}

// derived is a figure made of others; it is known once the last of them is.
func derived(value decimal.Decimal, unit, formula string, parts ...part) market.Item {
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
func (d *draft) trailingFlow(l compiled) (market.Item, bool) {
	v := d.view
	if f, ok := v.figure(l, d.currency, year, d.end); ok {
		d.began(f.last.start)
		return v.item(l, f), true
	}
	if l.of == perShare {
		return d.fourQuarters(l)
	}
	if l.of == shares {
		return market.Item{}, false
	}
	for _, c := range [...]class{nine, half, quarter} {
		now, ok := v.figure(l, d.currency, c, d.end)
		if !ok {
			continue
		}
		full, ok := v.among(l, now.unit, year, now.concept, func(f fact) bool { return near(f.end+1, now.last.start, slack) })
		if !ok {
			continue
		}
		before, ok := v.beginning(l, full, c)
		if !ok {
			continue
		}
		full = v.under(full, before)
		a, b, _ := v.aligned(v.pick(l, full), v.pick(l, before))
		n := v.pick(l, now)
		d.began(before.last.end + 1)
		out := derived(a.value.Add(n.value).Sub(b.value), d.currency, "FY + "+c.String()+" - "+c.String()+" of the year before", a, n, b)
		if now.doubtful || full.doubtful || before.doubtful || !v.alike(full, now) || !v.alike(full, before) {
			out.Flags = append(out.Flags, market.FlagSuspect)
		}
		return out, true
	}
	return market.Item{}, false
}

// fourQuarters adds figures per share, which only quarters filed as such allow.
func (d *draft) fourQuarters(l compiled) (market.Item, bool) {
	v := d.view
	var parts []part
	var after figure // the quarter that comes next
	sum, end, doubtful := decimal.Decimal{}, d.end, false
	for range 4 {
		f, ok := v.among(l, unitOf(l.of, d.currency), quarter, after.concept, func(f fact) bool { return near(f.end, end, slack) })
		// A quarter that a split came after is not of the same shares as the newest.
		if !ok || len(parts) > 0 && v.unaware(f.last.filing.filed) > v.unaware(parts[0].filing.filed) {
			return market.Item{}, false
		}
		doubtful = doubtful || f.doubtful || len(parts) > 0 && !v.alike(after, f)
		parts = append(parts, v.pick(l, f))
		sum, end, after = sum.Add(f.last.value), f.last.start-1, f
	}
	out := derived(sum, unitName(unitOf(l.of, d.currency)), "sum of four quarters", parts...)
	if doubtful {
		out.Flags = append(out.Flags, market.FlagSuspect)
	}
	return out, true
}
