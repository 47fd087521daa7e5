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

// StatementView selects statements and the date as of which they were known.
type StatementView struct {
	Span market.Span // default annual
	// KnownOn, if set, ignores everything filed after that day.
	KnownOn  market.Date
	Template market.Template // default general
	// Classes are the ratios of the company's share classes if their economic rights differ, the class with
	// the most rights first.
	Classes []reference.ShareRatio
}

// endlessDay is after every filing date.
const endlessDay day = 1<<31 - 1

// factsView holds the facts of a company known on a day.
type factsView struct {
	company    *CompanyFacts
	known      day
	template   market.Template
	classes    []reference.ShareRatio
	lines      []compiledLine
	core       []string
	currencies []string // most used first
	calendar   fiscalCalendar
	covers     map[*factFiling]day // the end of the period that a filing reports on
	splits     []stockSplit
	// quarterEnds are the last days of the reported periods within fiscal years.
	quarterEnds []day
}

// compiledLine is a line with its concepts split into tiers.
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

// survey counts currencies and finds the period of each report, which is the latest period of its
// core figures.
func (v *factsView) survey() {
	uses := make(map[string]int)
	for f, unit := range v.knownFacts(v.core...) {
		if len(unit) == 3 {
			uses[unit]++
		}
		// A 10-K has the fiscal year and sometimes its last quarter; both end on the same day.
		if f.class != periodOther && f.end > v.covers[f.filing] {
			v.covers[f.filing] = f.end
		}
	}
	v.currencies = slices.SortedFunc(maps.Keys(uses), func(a, b string) int {
		return cmp.Or(cmp.Compare(uses[b], uses[a]), strings.Compare(a, b))
	})
}

// knownFacts yields the known figures of some concepts with their unit.
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

// ending returns the figures of periods that end on a day.
func (r factRun) ending(end day) []taggedFact {
	from := sort.Search(len(r.facts), func(i int) bool { return r.facts[i].end >= end })
	to := from
	for to < len(r.facts) && r.facts[to].end == end {
		to++
	}
	return r.facts[from:to]
}

// reportedValue holds the figures that filings report for one line and period.
type reportedValue struct {
	concept, unit string
	last, first   taggedFact // the newest and the original figure, with the same start and end
	repeated      day        // when the newest filing with the value of last was filed
	doubtful      bool       // another concept with the same meaning has another value
}

// figure finds the value of a line for this period, trying its tiers in order.
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
				// "9.2 billion" in the text of a note is less precise than the table.
				if decimalPlaces(f.last.value) > decimalPlaces(best.last.value) {
					best = f
				}
				best.doubtful = true
			case v.restated(l, best) && !v.restated(l, f) && f.first.filing.filed <= best.first.filing.filed:
				// The same filing used this tag for this figure and the other tag for another figure.
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

// reportedFigure finds the newest and the first reported figure of a concept for a period.
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

// vintages finds the newest and the original of the figures that end on a day. It does not set the concept.
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

// firstWithValue returns the filing that first reported the newest value, because later filings
// only repeat it for comparison.
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

// isNewer reports whether a is the newer value, and isEarlier whether it is the earlier one. If a filing has
// the same figure twice, both prefer the one that is not rounded ("383.3 billion").
func isNewer(a, b taggedFact) bool {
	return a.filing == b.filing && decimalPlaces(a.value) > decimalPlaces(b.value) || filedAfter(a, b)
}

func isEarlier(a, b taggedFact) bool {
	return a.filing == b.filing && decimalPlaces(a.value) > decimalPlaces(b.value) || filedAfter(b, a)
}

func filedAfter(a, b taggedFact) bool {
	return cmp.Or(cmp.Compare(a.filing.filed, b.filing.filed), strings.Compare(a.filing.accession, b.filing.accession)) > 0
}

// decimalPlaces returns the precision of a value in decimal places: -6 for millions.
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
