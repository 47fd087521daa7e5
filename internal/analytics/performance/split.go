package performance

import (
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// splitRatio is new shares for old ones.
type splitRatio struct{ new, old decimal.Decimal }

func (r splitRatio) equal(o splitRatio) bool { return r.new.Mul(o.old).Equal(o.new.Mul(r.old)) }

func (r splitRatio) String() string { return r.new.String() + ":" + r.old.String() }

// splitEvent is a split or spin-off: of an account in the ledger, or of a series if account is empty.
type splitEvent struct {
	day     int
	account string
	splitRatio
	spinOff bool
}

// Disagreement is a split or spin-off on which prices and ledger disagree.
type Disagreement struct {
	Symbol      market.Symbol
	Account     string
	Date        market.Date
	SeriesRatio string // "4:1"; empty if the series has no such split
	LedgerRatio string // the same for the ledger
	// StillValued is false if the security has no value from Date on, because price and quantity
	// may not belong together.
	StillValued bool
	Message     string // a sentence for the user
}

const (
	// splitToleranceDays is how many days the two dates of one split may be apart, because brokers
	// record it late.
	splitToleranceDays = 10
	// spinOffToleranceDays is longer, because shares of a new company are distributed later.
	spinOffToleranceDays = 45
)

// splitEvents returns the splits and spin-offs of a series, oldest first, for which its prices are
// adjusted.
func splitEvents(prices market.Series, g grid) []splitEvent {
	var out []splitEvent
	for _, a := range prices.Actions {
		if a.Kind != market.ActionDividend && isPlausible(a.New) && isPlausible(a.Old) {
			out = append(out, splitEvent{day: g.index(a.Date), splitRatio: splitRatio{a.New, a.Old}, spinOff: a.Kind == market.ActionSpinOff})
		}
	}
	slices.SortStableFunc(out, func(a, b splitEvent) int { return a.day - b.day })
	return out
}

// distinctByDay merges a split that is recorded in several accounts.
func distinctByDay(splits []splitEvent) []splitEvent {
	var out []splitEvent
	for _, s := range splits {
		if n := len(out); n == 0 || out[n-1].day != s.day || !out[n-1].equal(s.splitRatio) {
			out = append(out, s)
		}
	}
	return out
}

// reconcile moves the ledger's splits to the dates of the series, so that price and quantity change
// together, and records a disagreement if one of them has none.
func (h *History) reconcile(s *security, prices market.Series) {
	if prices.Actions == nil {
		if prices.Provenance.Adjustment == market.AdjustmentSplit || len(s.splits) > 0 {
			h.notes = append(h.notes, fmt.Sprintf("The source of %s does not report splits; recorded splits could not be checked.", s.symbol))
		}
		return
	}
	theirs := splitEvents(prices, h.grid)
	moved, matched := map[accountDay]int{}, map[accountDay]bool{}
	for _, b := range s.splits {
		if i, ok := nearestSplit(theirs, b, matched); ok {
			matched[accountDay{b.account, i}] = true
			if s.tradedBetween(b.account, b.day, theirs[i].day) {
				h.addDisagreement(s, splitEvent{day: min(b.day, theirs[i].day), account: b.account}, theirs[i].String(), b.String())
				continue
			}
			moved[accountDay{b.account, b.day}] = theirs[i].day
			continue
		}
		if first, last := h.grid.index(prices.Bars[0].Date), h.grid.index(prices.Bars[len(prices.Bars)-1].Date); b.day > first && b.day <= last {
			h.addDisagreement(s, b, "", b.String())
		}
	}
	for i, t := range theirs {
		if t.day <= 0 || t.day >= h.grid.days {
			continue
		}
		for _, account := range s.holders(t.day - 1) {
			if t.spinOff && !slices.ContainsFunc(s.spinOffs, func(d int) bool { return max(d-t.day, t.day-d) <= spinOffToleranceDays }) ||
				!t.spinOff && !matched[accountDay{account, i}] {
				h.addDisagreement(s, splitEvent{t.day, account, t.splitRatio, t.spinOff}, t.String(), "")
			}
		}
	}
	for i, c := range s.changes {
		if to, ok := moved[accountDay{c.account, c.day}]; ok && c.split {
			s.changes[i].day = min(to, h.grid.days-1)
		}
	}
	slices.SortStableFunc(s.changes, func(a, b change) int { return a.day - b.day })
}

// accountDay is a day, or the index of a split, in an account.
type accountDay struct {
	account string
	day     int
}

// nearestSplit finds the split of the series that corresponds to a split of the ledger, if there is one.
func nearestSplit(theirs []splitEvent, b splitEvent, taken map[accountDay]bool) (int, bool) {
	best, apart := noIndex, splitToleranceDays+1
	for i, t := range theirs {
		if off := max(t.day-b.day, b.day-t.day); off < apart && !t.spinOff && t.equal(b.splitRatio) && !taken[accountDay{b.account, i}] {
			best, apart = i, off
		}
	}
	return best, best != noIndex
}

// tradedBetween reports whether quantities changed between the two dates of one split, including the first.
// Such trades may be in shares from before or after the split.
func (s *security) tradedBetween(account string, a, b int) bool {
	return slices.ContainsFunc(s.changes, func(c change) bool {
		return c.account == account && !c.split && c.day >= min(a, b) && c.day < max(a, b)
	})
}

// holders returns the accounts that hold the security at the close of a day, according to the
// ledger.
func (s *security) holders(i int) []string {
	sums, order := map[string]decimal.Decimal{}, []string{}
	for _, c := range s.changes {
		if c.day > i {
			break
		}
		if _, ok := sums[c.account]; !ok {
			order = append(order, c.account)
		}
		sums[c.account] = sums[c.account].Add(c.quantity)
	}
	return slices.DeleteFunc(order, func(account string) bool { return sums[account].IsZero() })
}

func (h *History) addDisagreement(s *security, at splitEvent, theirs, ours string) {
	d := Disagreement{Symbol: s.symbol, Account: at.account, Date: h.grid.date(at.day), SeriesRatio: theirs, LedgerRatio: ours, StillValued: at.spinOff}
	switch {
	case at.spinOff:
		d.Message = fmt.Sprintf("The prices of %s show a spin-off (%s) on %s that is not recorded; the distributed shares are missing from %s.", s.symbol, theirs, formatDate(d.Date), at.account)
	case ours == "":
		d.Message = fmt.Sprintf("The prices of %s show a split of %s on %s that is not recorded in %s; record the split.", s.symbol, theirs, formatDate(d.Date), at.account)
	case theirs != "":
		d.Message = fmt.Sprintf("%s records a split of %s on a different day than its prices show (the earlier day is %s), with trades in between; change its date to match the prices.", at.account, s.symbol, formatDate(d.Date))
	default:
		d.Message = fmt.Sprintf("%s records a split of %s, %s on %s, that the prices do not show; check its date and ratio.", at.account, s.symbol, ours, formatDate(d.Date))
	}
	h.disagreements = append(h.disagreements, d)
}

// cutDisputed removes the prices from the day of a disagreement until the position is closed.
func (h *History) cutDisputed(s *security) {
	for _, d := range h.disagreements {
		if d.Symbol != s.symbol || d.StillValued {
			continue
		}
		from, to := h.grid.index(d.Date), h.grid.days-1
		for _, st := range s.steps {
			if st.day >= from && st.quantity.IsZero() {
				to = st.day
				break
			}
		}
		s.prices.cut(from, to)
		s.noPriceReason = "its recorded splits disagree with its prices"
	}
}
