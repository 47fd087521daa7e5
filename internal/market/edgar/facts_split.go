package edgar

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// stockSplit is a split detected from filings: a later filing reports the weighted number of shares
// of the same period multiplied by a ratio.
type stockSplit struct {
	ratio splitRatio
	// The split took effect for reports after the one and no later than the other.
	after, by day
}

// splitRatio is new shares for old ones.
type splitRatio struct{ new, old int64 }

func (r splitRatio) String() string { return fmt.Sprintf("%d for %d", r.new, r.old) }

func (r splitRatio) applyTo(d decimal.Decimal) decimal.Decimal {
	return d.Mul(decimal.NewFromInt(r.new)).Div(decimal.NewFromInt(r.old))
}

// splitBetween returns the split, if any, that turns before into after. Options and rounding change
// weighted counts by well under 1%.
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

// weightedShareConcepts are the concepts whose restated figures show splits.
func weightedShareConcepts() []string {
	return splitConcepts(`WeightedAverageNumberOfDilutedSharesOutstanding WeightedAverageNumberOfSharesOutstandingBasic
		ifrs-full:AdjustedWeightedAverageShares ifrs-full:WeightedAverageShares`)
}

// findSplits compares each share count with the previous filing of the same period. If several
// periods show one split, the narrowest bounds apply.
func (v *factsView) findSplits() []stockSplit {
	var found []stockSplit
	for _, tag := range weightedShareConcepts() {
		for _, r := range v.company.facts[tag] {
			for i := 1; i < len(r.facts); i++ {
				a, b := r.facts[i-1], r.facts[i]
				if a.start != b.start || a.end != b.end || b.filing.filed > v.known || a.filing.filed == b.filing.filed {
					continue
				}
				if ratio, ok := splitBetween(a.value, b.value); ok {
					found = append(found, stockSplit{ratio, a.filing.filed, b.filing.filed})
				}
			}
		}
	}
	slices.SortFunc(found, func(a, b stockSplit) int { return cmp.Or(cmp.Compare(a.by, b.by), cmp.Compare(a.after, b.after)) })
	var out []stockSplit
	for _, s := range found {
		same := slices.IndexFunc(out, func(o stockSplit) bool { return o.ratio == s.ratio && s.after < o.by && o.after < s.by })
		if same < 0 {
			out = append(out, s)
			continue
		}
		out[same].after, out[same].by = max(out[same].after, s.after), min(out[same].by, s.by)
	}
	return out
}

// restated reports whether the newest figure differs from the original by more
// than rounding and for another reason than splits.
func (v *factsView) restated(l compiledLine, f reportedValue) bool {
	if !valuesDiffer(f.last.value, f.first.value) {
		return false
	}
	if l.measure == measureMoney {
		// A company that switches to millions rounds the figures it repeats.
		unit := int32(max(decimalPlaces(f.last.value), maxShareRounding))
		return !f.first.value.Round(unit).Equal(f.last.value)
	}
	original, adjusted := f.first.value, false
	for _, s := range v.splits {
		if f.first.filing.filed <= s.after && f.last.filing.filed >= s.by {
			if l.measure == measurePerShare {
				original = splitRatio{s.ratio.old, s.ratio.new}.applyTo(original)
			} else {
				original = s.ratio.applyTo(original)
			}
			adjusted = true
		}
	}
	if !adjusted {
		return true
	}
	// Cents do not divide: 1.74 after ten for one is 0.17, and a year's dividends
	// are the sum of four that were rounded.
	return original.Sub(f.last.value).Abs().GreaterThan(decimal.New(2, -2)) && valuesDiffer(original, f.last.value)
}

// maxShareRounding are the largest units of a statement, in places of a figure.
const maxShareRounding = -6

// splitWarnings returns the figures of a statement that must not be compared with newer ones or
// with each other. A cover page keeps the share count of its day, while reports restate averages
// for two more years.
func (v *factsView) splitWarnings(items map[string]market.Item) []string {
	var out []string
	for _, s := range v.splits {
		var before, around []string
		for name, item := range items {
			switch filed := dayOf(item.Filed); {
			case !strings.Contains(item.Unit, "share"):
			case filed <= s.after:
				before = append(before, name)
			case filed < s.by:
				around = append(around, name)
			}
		}
		slices.Sort(before)
		slices.Sort(around)
		if len(before) > 0 {
			out = append(out, fmt.Sprintf("filed before a split of %s (shown in reports from %s) and not adjusted for it: %s", s.ratio, s.by, strings.Join(before, ", ")))
		}
		if len(around) > 0 {
			out = append(out, fmt.Sprintf("filed around a split of %s (between %s and %s) and possibly not adjusted for it: %s", s.ratio, s.after, s.by, strings.Join(around, ", ")))
		}
	}
	return out
}
