package facts

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// View says how the figures are looked at.
type View struct {
	Span market.Span // annual where empty
	// KnownOn, where set, leaves out what was filed after that day.
	KnownOn  market.Date
	Template market.Template // general where empty
}

// endless is after every date of filing.
const endless day = 1<<31 - 1

// view is a company as of a day.
type view struct {
	company    *Company
	known      day
	template   market.Template
	lines      []compiled
	core       []string
	currencies []string // the company's first
	calendar   calendar
	covers     map[*filing]day // the end of the period that a filing reports on
	splits     []split
}

// compiled is a line with its concepts taken apart.
type compiled struct {
	line
	tags [][]string
}

func (c *Company) view(v View) *view {
	out := &view{company: c, known: endless, template: v.Template, core: core(), covers: make(map[*filing]day)}
	if !v.KnownOn.IsZero() {
		out.known = dayOf(v.KnownOn)
	}
	if out.template == "" {
		out.template = market.TemplateGeneral
	}
	for _, l := range linesOf(out.template) {
		tags := make([][]string, len(l.tiers))
		for i, t := range l.tiers {
			tags[i] = tier(t)
		}
		out.lines = append(out.lines, compiled{line: l, tags: tags})
	}
	out.survey()
	out.calendar = newCalendar(out.covers)
	out.splits = out.findSplits()
	return out
}

// survey counts currencies and finds what period each filing reports on: the
// last one that its core figures have.
func (v *view) survey() {
	uses := make(map[string]int)
	for f, unit := range v.coreFacts() {
		if len(unit) == 3 {
			uses[unit]++
		}
		// A 10-K shows the last quarter of its year and years; their end is one.
		if f.class != other && f.end > v.covers[f.filing] {
			v.covers[f.filing] = f.end
		}
	}
	v.currencies = slices.SortedFunc(maps.Keys(uses), func(a, b string) int {
		return cmp.Or(cmp.Compare(uses[b], uses[a]), strings.Compare(a, b))
	})
}

// coreFacts are the figures of the core concepts that were known.
func (v *view) coreFacts() func(yield func(*fact, string) bool) {
	return func(yield func(*fact, string) bool) {
		for _, tag := range v.core {
			for _, r := range v.company.facts[tag] {
				for i := range r.facts {
					if f := &r.facts[i]; f.filing.filed <= v.known && !yield(f, r.unit) {
						return
					}
				}
			}
		}
	}
}

// currencyAt is the currency of the statement that ends on a day: translations
// into another for the reader's convenience stand beside it and are rarer.
func (v *view) currencyAt(end day) string {
	for _, currency := range v.currencies {
		for _, tag := range v.core {
			for _, r := range v.company.facts[tag] {
				if r.unit != currency {
					continue
				}
				for _, f := range r.ending(end) {
					if f.filing.filed <= v.known {
						return currency
					}
				}
			}
		}
	}
	return ""
}

// ending are the figures that end on a day.
func (r run) ending(end day) []fact {
	from := sort.Search(len(r.facts), func(i int) bool { return r.facts[i].end >= end })
	to := from
	for to < len(r.facts) && r.facts[to].end == end {
		to++
	}
	return r.facts[from:to]
}

// figure is what filings say of one line and period.
type figure struct {
	concept, unit string
	last, first   fact // of the same start and end: the newest and the original
	doubtful      bool // another concept of the same meaning says otherwise
}

// figure looks a line up in its tiers. The concept is chosen for this period.
func (v *view) figure(l compiled, currency string, c class, end day) (figure, bool) {
	for _, tags := range l.tags {
		var best figure
		found := false
		for _, tag := range tags {
			f, ok := v.reported(tag, unitOf(l.of, currency), c, end)
			switch {
			case !ok:
			case !found:
				best, found = f, true
			case l.largest:
				if f.last.value.GreaterThan(best.last.value) {
					best = f
				}
			case differ(best.last.value, f.last.value):
				// "9.2 billion" out of a note's text is of less than the table has.
				if places(f.last.value) > places(best.last.value) {
					best = f
				}
				best.doubtful = true
			case v.restated(l, best) && !v.restated(l, f) && f.first.filing.filed <= best.first.filing.filed:
				// Told rightly from the first, beside something else under the other.
				f.doubtful = best.doubtful
				best = f
			}
		}
		if found {
			return best, true
		}
	}
	return figure{}, false
}

func unitOf(m measure, currency string) string {
	switch m {
	case shares:
		return "shares"
	case perShare:
		return currency + "/shares"
	}
	return currency
}

// reported finds the newest and the original of a concept's figure for a period.
func (v *view) reported(concept, unit string, c class, end day) (figure, bool) {
	for _, r := range v.company.facts[concept] {
		if r.unit != unit {
			continue
		}
		if last, first, ok := v.vintages(r.ending(end), c); ok {
			return figure{concept: concept, unit: unit, last: last, first: first}, true
		}
	}
	return figure{}, false
}

func (v *view) vintages(all []fact, c class) (last, first fact, ok bool) {
	for _, f := range all {
		if f.class != c || f.filing.filed > v.known {
			continue
		}
		if !ok || newer(f, last) {
			last, ok = f, true
		}
	}
	if !ok {
		return last, first, false
	}
	first = last
	for _, f := range all {
		if f.start == last.start && f.class == c && earlier(f, first) {
			first = f
		}
	}
	return v.whence(all, last), first, true
}

// whence is the filing that first gave the figure its newest value: later ones
// only repeat it for comparison, and a reader is sent to the report itself.
func (v *view) whence(all []fact, last fact) fact {
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

// newer reports whether a stands for the later word, and earlier for the first one.
// Where a filing says the same figure twice, the one that is not rounded ("383.3
// billion") comes before the other in both.
func newer(a, b fact) bool {
	if a.filing == b.filing {
		return places(a.value) > places(b.value)
	}
	return after(a, b)
}

func earlier(a, b fact) bool {
	if a.filing == b.filing {
		return places(a.value) > places(b.value)
	}
	return after(b, a)
}

func after(a, b fact) bool {
	return cmp.Or(cmp.Compare(a.filing.filed, b.filing.filed), strings.Compare(a.filing.accession, b.filing.accession)) > 0
}

// places counts the digits a value is given to: -6 for millions.
func places(d decimal.Decimal) int {
	text := d.String()
	if point := strings.IndexByte(text, '.'); point >= 0 {
		return len(text) - point - 1
	}
	return len(strings.TrimRight(text, "0")) - len(text)
}

// differ reports whether two figures differ by more than half a per cent, which
// is more than rounding does.
func differ(a, b decimal.Decimal) bool {
	return a.Sub(b).Abs().GreaterThan(decimal.Max(a.Abs(), b.Abs()).Mul(decimal.New(5, -3)))
}
