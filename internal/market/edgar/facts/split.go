package facts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// split is a split of shares as filings show it: a weighted number of shares that
// a later filing gives for the same period, times a ratio.
type split struct {
	ratio ratio
	// The split took effect for reports after the one and no later than the other.
	after, by day
}

// ratio is new shares for old ones.
type ratio struct{ new, old int64 }

func (r ratio) String() string { return fmt.Sprintf("%d for %d", r.new, r.old) }

func (r ratio) of(d decimal.Decimal) decimal.Decimal {
	return d.Mul(decimal.NewFromInt(r.new)).Div(decimal.NewFromInt(r.old))
}

// splitBetween tells which split, if any, makes before into after. Shares out of
// options and rounding move weighted counts by well under one per cent.
func splitBetween(before, after decimal.Decimal) (ratio, bool) {
	if !before.IsPositive() || !after.IsPositive() {
		return ratio{}, false
	}
	times := after.Div(before).InexactFloat64()
	turned := times < 1
	if turned {
		times = 1 / times
	}
	for _, r := range [...]ratio{{3, 2}, {5, 4}, {4, 3}, {5, 2}} {
		if exact := float64(r.new) / float64(r.old); times > exact*0.99 && times < exact*1.01 {
			return r.turn(turned), true
		}
	}
	whole := int64(times + 0.5)
	if whole >= 2 && whole <= 100 && times > float64(whole)*0.99 && times < float64(whole)*1.01 {
		return ratio{whole, 1}.turn(turned), true
	}
	return ratio{}, false
}

func (r ratio) turn(turned bool) ratio {
	if turned {
		return ratio{r.old, r.new}
	}
	return r
}

// weighted are the concepts whose restated figures show splits.
func weighted() []string {
	return tier(`WeightedAverageNumberOfDilutedSharesOutstanding WeightedAverageNumberOfSharesOutstandingBasic
		ifrs-full:AdjustedWeightedAverageShares ifrs-full:WeightedAverageShares`)
}

// findSplits compares each share count with the one filed before it for the same
// period. Of what different periods show of one split, the narrowest bounds hold.
func (v *view) findSplits() []split {
	var found []split
	for _, tag := range weighted() {
		for _, r := range v.company.facts[tag] {
			for i := 1; i < len(r.facts); i++ {
				a, b := r.facts[i-1], r.facts[i]
				if a.start != b.start || a.end != b.end || b.filing.filed > v.known || a.filing.filed == b.filing.filed {
					continue
				}
				if ratio, ok := splitBetween(a.value, b.value); ok {
					found = append(found, split{ratio, a.filing.filed, b.filing.filed})
				}
			}
		}
	}
	slices.SortFunc(found, func(a, b split) int { return cmp.Or(cmp.Compare(a.by, b.by), cmp.Compare(a.after, b.after)) })
	var out []split
	for _, s := range found {
		same := slices.IndexFunc(out, func(o split) bool { return o.ratio == s.ratio && s.after < o.by && o.after < s.by })
		if same < 0 {
			out = append(out, s)
			continue
		}
		out[same].after, out[same].by = max(out[same].after, s.after), min(out[same].by, s.by)
	}
	return out
}

// unaware are the splits that a figure of a filing does not know of.
func (v *view) unaware(filed day) int {
	n := 0
	for _, s := range v.splits {
		if filed <= s.after {
			n++
		}
	}
	return n
}

// restated reports whether the newest figure differs from the original by more
// than rounding and for another reason than splits.
func (v *view) restated(l compiled, f figure) bool {
	if !differ(f.last.value, f.first.value) {
		return false
	}
	if l.of == money {
		// A company that goes over to millions rounds what it repeats.
		unit := int32(max(places(f.last.value), millions))
		return !f.first.value.Round(unit).Equal(f.last.value)
	}
	was, adjusted := f.first.value, false
	for _, s := range v.splits {
		if f.first.filing.filed <= s.after && f.last.filing.filed >= s.by {
			if l.of == perShare {
				was = ratio{s.ratio.old, s.ratio.new}.of(was)
			} else {
				was = s.ratio.of(was)
			}
			adjusted = true
		}
	}
	if !adjusted {
		return true
	}
	// Cents do not divide: 1.74 after ten for one is 0.17, and a year's dividends
	// are the sum of four that were rounded.
	return was.Sub(f.last.value).Abs().GreaterThan(decimal.New(2, -2)) && differ(was, f.last.value)
}

// millions are the largest units of a statement, in places of a figure.
const millions = -6

// splitWarnings say of a statement which of its figures a reader must not compare
// with newer ones, nor with each other: a cover counts the shares of its day for
// ever, while reports restate averages for two more years.
func (v *view) splitWarnings(items map[string]market.Item) []string {
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
			out = append(out, fmt.Sprintf("filed before a split of %s that reports show from %s, and not adjusted for it: %s", s.ratio, s.by, strings.Join(before, ", ")))
		}
		if len(around) > 0 {
			out = append(out, fmt.Sprintf("filed around a split of %s, between %s and %s, and maybe not adjusted for it: %s", s.ratio, s.after, s.by, strings.Join(around, ", ")))
		}
	}
	return out
}
