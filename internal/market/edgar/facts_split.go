package edgar

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// stockSplit is a split detected from filings: a later filing reports the shares, or the earnings per
// share, of the same period on another basis.
type stockSplit struct {
	ratio splitRatio
	// The split took effect after the first filing and no later than the second.
	after, by day
	shownBy   *factFiling // the filing of the day by
}

// splitRatio is the number of new shares for a number of old shares.
type splitRatio struct{ new, old int64 }

func (r splitRatio) String() string { return fmt.Sprintf("%d for %d", r.new, r.old) }

func (r splitRatio) applyTo(d decimal.Decimal) decimal.Decimal {
	return d.Mul(decimal.NewFromInt(r.new)).Div(decimal.NewFromInt(r.old))
}

// splitBetween returns the split, if any, that turns before into after. Options and rounding change weighted
// share counts by well under 1%.
func splitBetween(before, after decimal.Decimal) (splitRatio, bool) {
	if !before.IsPositive() || !after.IsPositive() {
		return splitRatio{}, false
	}
	times := after.Div(before).InexactFloat64()
	turned := times < 1
	if turned {
		times = 1 / times
	}
	for _, r := range [...]splitRatio{{3, 2}, {5, 4}, {4, 3}, {5, 2}} {
		if exact := float64(r.new) / float64(r.old); times > exact*0.99 && times < exact*1.01 {
			return r.invertIf(turned), true
		}
	}
	whole := int64(times + 0.5)
	if whole >= 2 && whole <= 100 && times > float64(whole)*0.99 && times < float64(whole)*1.01 {
		return splitRatio{whole, 1}.invertIf(turned), true
	}
	return splitRatio{}, false
}

func (r splitRatio) invertIf(turned bool) splitRatio {
	if turned {
		return splitRatio{r.old, r.new}
	}
	return r
}

// weightedShareConcepts returns concepts whose restated figures reveal splits. Companies with several share
// classes tag average shares only per class, and companyfacts omits those, but they tag earnings per share
// and shares outstanding for all classes together.
func weightedShareConcepts() []string {
	return splitConcepts(`WeightedAverageNumberOfDilutedSharesOutstanding WeightedAverageNumberOfSharesOutstandingBasic
		ifrs-full:AdjustedWeightedAverageShares ifrs-full:WeightedAverageShares`)
}

func outstandingShareConcepts() []string {
	return splitConcepts("CommonStockSharesOutstanding ifrs-full:NumberOfSharesOutstanding")
}

func earningsPerShareConcepts() []string {
	return splitConcepts(`EarningsPerShareDiluted EarningsPerShareBasic EarningsPerShareBasicAndDiluted
		ifrs-full:DilutedEarningsLossPerShare ifrs-full:BasicEarningsLossPerShare`)
}

// findSplits compares what filings report for the same period: average shares; shares outstanding, which only
// a split changes; and earnings per share, if those of several periods changed by one factor. If several
// periods reveal the same split, the narrowest bounds apply.
func (v *factsView) findSplits() []stockSplit {
	var found []stockSplit
	for a, b := range v.vintagePairs(weightedShareConcepts()) {
		if ratio, ok := splitBetween(a.value, b.value); ok {
			found = append(found, stockSplit{ratio, a.filing.filed, b.filing.filed, b.filing})
		}
	}
	for a, b := range v.vintagePairs(outstandingShareConcepts()) {
		if ratio, ok := splitBetween(a.value, b.value); ok && isExactSplit(ratio, a.value, b.value) {
			found = append(found, stockSplit{ratio, a.filing.filed, b.filing.filed, b.filing})
		}
	}
	found = append(found, v.splitsOfEarnings()...)
	slices.SortFunc(found, func(a, b stockSplit) int { return cmp.Or(cmp.Compare(a.by, b.by), cmp.Compare(a.after, b.after)) })
	var out []stockSplit
	for _, s := range found {
		same := slices.IndexFunc(out, func(o stockSplit) bool { return o.ratio == s.ratio && s.after < o.by && o.after < s.by })
		if same < 0 {
			out = append(out, s)
			continue
		}
		out[same].after = max(out[same].after, s.after)
		if s.by < out[same].by {
			out[same].by, out[same].shownBy = s.by, s.shownBy
		}
	}
	return out
}

// vintagePairs returns pairs of figures for one period, from a filing and from the next filing that
// has them.
func (v *factsView) vintagePairs(concepts []string) iter.Seq2[taggedFact, taggedFact] {
	return func(yield func(a, b taggedFact) bool) {
		for _, tag := range concepts {
			for _, r := range v.company.facts[tag] {
				for i := 1; i < len(r.facts); i++ {
					a, b := r.facts[i-1], r.facts[i]
					if a.start != b.start || a.end != b.end || b.filing.filed > v.known || a.filing.filed == b.filing.filed {
						continue
					}
					if !yield(a, b) {
						return
					}
				}
			}
		}
	}
}

// isExactSplit reports whether the share count on a day changed only by a split. The counts may be
// in thousands or millions.
func isExactSplit(r splitRatio, before, after decimal.Decimal) bool {
	const rounding = 0.001
	exact := r.applyTo(before)
	return exact.Sub(after).Abs().LessThanOrEqual(exact.Mul(decimal.NewFromFloat(rounding)))
}

// leastPreciseEPS is the smallest EPS for which rounding to a cent is an error of at most one percent.
var leastPreciseEPS = decimal.New(5, -1)

// splitsOfEarnings finds splits by earnings per share. A corrected error, in contrast, changes only one
// period, or each period by a different factor.
func (v *factsView) splitsOfEarnings() []stockSplit {
	type filingPair struct{ a, b *factFiling }
	type period struct{ start, end day }
	changed := map[filingPair]map[splitRatio]map[period]bool{}
	unchanged := map[filingPair]bool{}
	for a, b := range v.vintagePairs(earningsPerShareConcepts()) {
		pair := filingPair{a.filing, b.filing}
		before, after := a.value.Abs(), b.value.Abs()
		if a.value.Sign() != b.value.Sign() || before.LessThan(leastPreciseEPS) || after.LessThan(leastPreciseEPS) {
			continue
		}
		ratio, ok := splitBetween(after, before)
		if !ok {
			unchanged[pair] = true
			continue
		}
		if changed[pair] == nil {
			changed[pair] = map[splitRatio]map[period]bool{}
		}
		if changed[pair][ratio] == nil {
			changed[pair][ratio] = map[period]bool{}
		}
		changed[pair][ratio][period{a.start, a.end}] = true
	}
	for a, b := range v.vintagePairs(weightedShareConcepts()) {
		if _, ok := splitBetween(a.value, b.value); !ok {
			unchanged[filingPair{a.filing, b.filing}] = true
		}
	}
	var out []stockSplit
	for pair, ratios := range changed {
		for ratio, periods := range ratios {
			if len(ratios) == 1 && len(periods) > 1 && !unchanged[pair] {
				out = append(out, stockSplit{ratio, pair.a.filed, pair.b.filed, pair.b})
			}
		}
	}
	return out
}

// toNewestBasis converts share figures to the basis of the newest filing: figures filed before a
// split are divided or multiplied by its ratio.
func (d *statementDraft) toNewestBasis() {
	for name, item := range d.items {
		if !strings.Contains(item.Unit, "share") {
			continue
		}
		measure := measureShares
		if item.Unit != "shares" {
			measure = measurePerShare
		}
		input := inputOf(name, item) + " filed " + item.Filed.Format("2006-01-02")
		var ratios []string
		for _, s := range d.view.splits {
			if dayOf(item.Filed) > s.after {
				continue
			}
			ratios = append(ratios, s.ratio.String())
			item.Value, item.First.Decimal = s.convert(measure, item.Value), s.convert(measure, item.First.Decimal)
			item.Form, item.Accession, item.Filed = s.shownBy.form, s.shownBy.accession, s.by.date()
		}
		if len(ratios) > 0 {
			item.Formula = cmp.Or(item.Formula, name) + ", adjusted for splits of " + strings.Join(ratios, " and ")
			item.Inputs = append(slices.Clone(item.Inputs), input)
			d.items[name] = item
		}
	}
}

// convert converts a figure from before a split to the shares after it.
func (s stockSplit) convert(m lineMeasure, value decimal.Decimal) decimal.Decimal {
	if m == measurePerShare {
		return splitRatio{s.ratio.old, s.ratio.new}.applyTo(value)
	}
	return s.ratio.applyTo(value)
}

// restated reports whether the newest figure differs from the original by more than rounding and splits
// explain.
func (v *factsView) restated(l compiledLine, f reportedValue) bool {
	if !valuesDiffer(f.last.value, f.first.value) {
		return false
	}
	if l.measure == measureMoney {
		// A company that switches to millions rounds earlier figures.
		unit := int32(max(decimalPlaces(f.last.value), maxShareRounding))
		return !f.first.value.Round(unit).Equal(f.last.value)
	}
	original, adjusted := f.first.value, false
	for _, s := range v.splits {
		if f.first.filing.filed <= s.after && f.last.filing.filed >= s.by {
			original, adjusted = s.convert(l.measure, original), true
		}
	}
	if !adjusted {
		return true
	}
	// Cents do not divide evenly: 1.74 becomes 0.17 after a ten-for-one split, and a year's
	// dividends are the sum of four rounded amounts.
	return original.Sub(f.last.value).Abs().GreaterThan(decimal.New(2, -2)) && valuesDiffer(original, f.last.value)
}

// maxShareRounding is the coarsest rounding of a statement, in decimal places.
const maxShareRounding = -6

// splitWarnings lists the figures of a statement that may or may not be adjusted for a split, because they
// were filed between the last filing before it and the first one after it.
func (v *factsView) splitWarnings(items map[string]market.Item) []string {
	var out []string
	for _, s := range v.splits {
		var around []string
		for name, item := range items {
			if filed := dayOf(item.Filed); strings.Contains(item.Unit, "share") && filed > s.after && filed < s.by {
				around = append(around, name)
			}
		}
		slices.Sort(around)
		if len(around) > 0 {
			out = append(out, fmt.Sprintf("filed around a split of %s (between %s and %s) and possibly not adjusted for it: %s", s.ratio, s.after, s.by, strings.Join(around, ", ")))
		}
	}
	return out
}
