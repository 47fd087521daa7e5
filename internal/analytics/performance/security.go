package performance

import (
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// security is all of one security in the scope.
type security struct {
	symbol   market.Symbol
	changes  []change
	splits   []split // of the book
	spinOffs []int   // days of the book's

	steps    []step
	currency string  // of its prices
	prices   *column // nil where there are none
	why      string  // there are none
}

// change is one posting of a quantity.
type change struct {
	day      int
	account  string
	quantity decimal.Decimal
	split    bool
}

// price gives every security its prices, and its splits the days of the series.
func (h *History) price(series map[market.Symbol]market.Series) error {
	h.bookSplits()
	for _, s := range h.securities {
		given, ok := series[s.symbol]
		if !ok {
			s.why = "no prices were given"
		} else if s.why = unusable(given); s.why == "" {
			if err := ordered(given); err != nil {
				return fmt.Errorf("prices of %s: %w", s.symbol, err)
			}
			h.reconcile(s, given)
		}
		for _, c := range s.changes {
			s.steps = stepped(s.steps, c.day, c.quantity)
		}
		if s.why == "" && len(s.steps) > 0 {
			s.currency = given.Provenance.Currency
			s.prices = newColumn(h.grid.days, asTraded(given, h.grid, s))
			h.cutDisputed(s)
		}
	}
	return nil
}

func ordered(s market.Series) error {
	for i := 1; i < len(s.Bars); i++ {
		if !s.Bars[i].Date.After(s.Bars[i-1].Date) {
			return fmt.Errorf("%w: %s after %s", market.ErrMalformed, text(s.Bars[i].Date), text(s.Bars[i-1].Date))
		}
	}
	return nil
}

// unusable says why the closes of a series are not what a share cost.
func unusable(s market.Series) string {
	switch {
	case len(s.Bars) == 0:
		return "its series of prices is empty"
	case s.Provenance.Currency == "":
		return "the currency of its prices is not known"
	case s.Provenance.Adjustment == market.AdjustmentSplitDiv:
		return "its prices are adjusted for dividends: they are not what was paid"
	case s.Provenance.Adjustment != market.AdjustmentRaw && s.Provenance.Adjustment != market.AdjustmentSplit:
		return "what its prices are adjusted for is not known"
	}
	return ""
}

// bookSplits gives each security the splits and spin-offs that the book has of it.
func (h *History) bookSplits() {
	bySymbol := map[market.Symbol]*security{}
	for _, s := range h.securities {
		bySymbol[s.symbol] = s
	}
	for _, t := range h.rare {
		switch t.Kind {
		case portfolio.KindSplit, portfolio.KindReverseSplit, portfolio.KindSpinOff:
		default:
			continue
		}
		s, ok := bySymbol[t.Symbol]
		i := h.grid.index(t.Date)
		if !ok || !h.scope.has(t.Account) || i >= h.grid.days {
			continue
		}
		if t.Kind == portfolio.KindSpinOff {
			s.spinOffs = append(s.spinOffs, i)
			continue
		}
		s.splits = append(s.splits, split{day: i, account: t.Account, ratio: ratio{t.New, t.Old}})
	}
}

// AdjustedPlaces are the digits after the point of a price that was put back to what
// was traded by a ratio that is no whole number.
const AdjustedPlaces = 12

// asTraded are the closes of a series, as traded, over the days on which the security
// is held and the week before. A close that is not above zero is no price.
func asTraded(given market.Series, g grid, s *security) []point {
	from, to := s.steps[0].day-staleness, g.days-1
	if last := s.steps[len(s.steps)-1]; last.held.IsZero() {
		to = last.day
	}
	later := splitsOf(given, g)
	if given.Provenance.Adjustment == market.AdjustmentRaw {
		later = nil
	} else if given.Actions == nil {
		later = oncePerDay(s.splits)
	}
	one := decimal.NewFromInt(1)
	factor, points := ratio{one, one}, []point{}
	for i := len(given.Bars) - 1; i >= 0; i-- {
		d := g.index(given.Bars[i].Date)
		if d < from {
			break
		}
		for n := len(later) - 1; n >= 0 && later[n].day > d; n-- {
			factor, later = ratio{factor.new.Mul(later[n].new), factor.old.Mul(later[n].old)}, later[:n]
		}
		if d > to || !plausible(given.Bars[i].Close) {
			continue
		}
		if v := factor.of(given.Bars[i].Close, one); plausible(v) {
			points = append(points, point{d, v})
		}
	}
	slices.Reverse(points)
	return points
}

func (r ratio) of(v, one decimal.Decimal) decimal.Decimal {
	if !r.new.Equal(one) {
		v = v.Mul(r.new)
	}
	if !r.old.Equal(one) {
		v = v.DivRound(r.old, AdjustedPlaces)
	}
	return v
}
