package edgar

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
)

// StatementView says how the figures are looked at.
type StatementView struct {
	Span market.Span // default annual
	// KnownOn, if set, ignores everything filed after that day.
	KnownOn  market.Date
	Template market.Template // default general
	// Classes are the ratios of the company's classes of shares if their economic rights differ, the
	// class with the most rights first.
	Classes []reference.ShareRatio
}

// endlessDay is after every date of filing.
const endlessDay day = 1<<31 - 1

// factsView is a company as of a day.
type factsView struct {
	company    *CompanyFacts
	known      day
	template   market.Template
	classes    []reference.ShareRatio
	lines      []compiledLine
	core       []string
	currencies []string // the company's first
	calendar   fiscalCalendar
	covers     map[*factFiling]day // the end of the period that a filing reports on
	splits     []stockSplit
	// quarterEnds are the last days of the periods within a year that the company reports on.
	quarterEnds []day
}

// compiledLine is a line with its concepts taken apart.
type compiledLine struct {
	statementLine
	tags [][]string
}

func (c *CompanyFacts) view(v StatementView) *factsView {
	out := &factsView{company: c, known: endlessDay, template: v.Template, classes: v.Classes, core: coreConcepts(), covers: make(map[*factFiling]day)}
	if !v.KnownOn.IsZero() {
		out.known = dayOf(v.KnownOn)
	}
	if out.template == "" {
		out.template = market.TemplateGeneral
	}
	for _, l := range linesOf(out.template) {
		tags := make([][]string, len(l.tiers))
		for i, t := range l.tiers {
			tags[i] = splitConcepts(t)
		}
		out.lines = append(out.lines, compiledLine{statementLine: l, tags: tags})
	}
	out.survey()
	out.calendar = newFiscalCalendar(out.covers)
	out.splits = out.findSplits()
	out.quarterEnds = out.periodEnds(market.SpanQuarterly)
	return out
}

// survey counts currencies and finds the period of each report: the last one of its core figures.
func (v *factsView) survey() {
	uses := make(map[string]int)
	for f, unit := range v.knownFacts(v.core...) {
		if len(unit) == 3 {
			uses[unit]++
		}
		// A 10-K shows the last quarter of its year and years; their end is one.
		if f.class != periodOther && f.end > v.covers[f.filing] {
			v.covers[f.filing] = f.end
		}
	}
	v.currencies = slices.SortedFunc(maps.Keys(uses), func(a, b string) int {
		return cmp.Or(cmp.Compare(uses[b], uses[a]), strings.Compare(a, b))
	})
}

// knownFacts are the figures of some concepts that were known, with their unit.
func (v *factsView) knownFacts(concepts ...string) iter.Seq2[*taggedFact, string] {
	return func(yield func(*taggedFact, string) bool) {
		for _, concept := range concepts {
			for _, r := range v.company.facts[concept] {
				for i := range r.facts {
					if f := &r.facts[i]; f.filing.filed <= v.known && !yield(f, r.unit) {
						return
					}
				}
			}
		}
	}
}

// currencyAt returns the currency of the statement that ends on a day. Convenience translations
// into other currencies are rarer.
func (v *factsView) currencyAt(end day) string {
	for _, currency := range v.currencies {
		for _, tag := range v.core {
			for _, r := range v.company.facts[tag] {
				if r.unit == currency && slices.ContainsFunc(r.ending(end), func(f taggedFact) bool { return f.filing.filed <= v.known }) {
					return currency
				}
			}
		}
	}
	return ""
}

// ending are the figures that end on a day.
func (r factRun) ending(end day) []taggedFact {
	from := sort.Search(len(r.facts), func(i int) bool { return r.facts[i].end >= end })
	to := from
	for to < len(r.facts) && r.facts[to].end == end {
		to++
	}
	return r.facts[from:to]
}

// reportedValue holds what filings report for one line and period.
type reportedValue struct {
	concept, unit string
	last, first   taggedFact // of the same start and end: the newest and the original
	repeated      day        // when the newest filing with the value of last was filed
	doubtful      bool       // another concept of the same meaning says otherwise
}

// figure looks a line up in its tiers. The concept is chosen for this period.
func (v *factsView) figure(l compiledLine, currency string, c periodClass, end day) (reportedValue, bool) {
	return v.bestInTiers(l, func(tag string) (reportedValue, bool) {
		return v.reportedFigure(tag, unitOf(l.measure, currency), c, end)
	})
}

// bestInTiers finds the value of a line in the first tier whose concepts have one.
func (v *factsView) bestInTiers(l compiledLine, find func(concept string) (reportedValue, bool)) (reportedValue, bool) {
	for _, tags := range l.tags {
		var best reportedValue
		found := false
		for _, tag := range tags {
			f, ok := find(tag)
			switch {
			case !ok:
			case !found:
				best, found = f, true
			case l.largest:
				if f.last.value.GreaterThan(best.last.value) {
					best = f
				}
			case valuesDiffer(best.last.value, f.last.value):
				// "9.2 billion" out of a note's text is of less than the table has.
				if decimalPlaces(f.last.value) > decimalPlaces(best.last.value) {
					best = f
				}
				best.doubtful = true
			case v.restated(l, best) && !v.restated(l, f) && f.first.filing.filed <= best.first.filing.filed:
				// The tag was right from the first, next to another figure under the other tag.
				f.doubtful = best.doubtful
				best = f
			}
		}
		if found {
			return best, true
		}
	}
	return reportedValue{}, false
}

func unitOf(m lineMeasure, currency string) string {
	switch m {
	case measureShares:
		return "shares"
	case measurePerShare:
		return currency + "/shares"
	}
	return currency
}

// reportedFigure finds the newest and the original of a concept's figure for a period.
func (v *factsView) reportedFigure(concept, unit string, c periodClass, end day) (reportedValue, bool) {
	for _, r := range v.company.facts[concept] {
		if r.unit != unit {
			continue
		}
		if f, ok := v.vintages(r.ending(end), c); ok {
			f.concept, f.unit = concept, unit
			return f, true
		}
	}
	return reportedValue{}, false
}

// vintages finds the newest and the original of figures that end on a day, without their concept.
func (v *factsView) vintages(all []taggedFact, c periodClass) (reportedValue, bool) {
	var last taggedFact
	ok := false
	for _, f := range all {
		if f.class != c || f.filing.filed > v.known {
			continue
		}
		if !ok || isNewer(f, last) {
			last, ok = f, true
		}
	}
	if !ok {
		return reportedValue{}, false
	}
	first := last
	for _, f := range all {
		if f.start == last.start && f.class == c && isEarlier(f, first) {
			first = f
		}
	}
	return reportedValue{last: v.firstWithValue(all, last), first: first, repeated: last.filing.filed}, true
}

// firstWithValue is the filing that first gave the figure its newest value: later ones
// only repeat it for comparison, and a reader is sent to the report itself.
func (v *factsView) firstWithValue(all []taggedFact, last taggedFact) taggedFact {
	for i := len(all) - 1; i >= 0; i-- {
		f := all[i]
		if f.start != last.start || f.filing.filed > last.filing.filed {
			continue
		}
		if !f.value.Equal(last.value) {
			if f.filing == last.filing {
				continue
			}
			break
		}
		last = f
	}
	return last
}

// isNewer reports whether a is the newer value, and isEarlier the earlier one. If a filing has the
// same figure twice, both prefer the one that is not rounded ("383.3 billion").
func isNewer(a, b taggedFact) bool {
	return a.filing == b.filing && decimalPlaces(a.value) > decimalPlaces(b.value) || filedAfter(a, b)
}

func isEarlier(a, b taggedFact) bool {
	return a.filing == b.filing && decimalPlaces(a.value) > decimalPlaces(b.value) || filedAfter(b, a)
}

func filedAfter(a, b taggedFact) bool {
	return cmp.Or(cmp.Compare(a.filing.filed, b.filing.filed), strings.Compare(a.filing.accession, b.filing.accession)) > 0
}

// decimalPlaces counts the digits a value is given to: -6 for millions.
func decimalPlaces(d decimal.Decimal) int {
	text := d.String()
	if point := strings.IndexByte(text, '.'); point >= 0 {
		return len(text) - point - 1
	}
	return len(strings.TrimRight(text, "0")) - len(text)
}

// valuesDiffer reports whether two figures differ by more than 0.5%, which exceeds rounding.
func valuesDiffer(a, b decimal.Decimal) bool {
	return a.Sub(b).Abs().GreaterThan(decimal.Max(a.Abs(), b.Abs()).Mul(decimal.New(5, -3)))
}
