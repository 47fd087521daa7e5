package performance

import (
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// security holds all data of one security in scope.
type security struct {
	symbol   market.Symbol
	changes  []change
	splits   []splitEvent // of the ledger
	spinOffs []int        // days in the ledger

	steps         []quantityStep
	currency      string       // of its prices
	prices        *dailyColumn // nil if there are none
	noPriceReason string       // why prices is nil
}

// change is one posting of a quantity.
type change struct {
	day      int
	account  string
	quantity decimal.Decimal
	split    bool
}

// priceSecurities sets the prices of every security and moves its splits to the dates of the
// series.
func (h *History) priceSecurities(series map[market.Symbol]market.Series) error {
	h.collectSplits()
	for _, s := range h.securities {
		prices, ok := series[s.symbol]
		if !ok {
			s.noPriceReason = "no prices are available"
		} else if s.noPriceReason = unusableReason(prices); s.noPriceReason == "" {
			if err := checkOrder(prices); err != nil {
				return fmt.Errorf("prices of %s: %w", s.symbol, err)
			}
			h.reconcile(s, prices)
		}
		for _, c := range s.changes {
			s.steps = addStep(s.steps, c.day, c.quantity)
		}
		if s.noPriceReason == "" && len(s.steps) > 0 {
			s.currency = prices.Provenance.Currency
			s.prices = newDailyColumn(h.grid.days, unadjustedPoints(prices, h.grid, s))
			h.cutDisputed(s)
		}
	}
	return nil
}

func checkOrder(s market.Series) error {
	for i := 1; i < len(s.Bars); i++ {
		if !s.Bars[i].Date.After(s.Bars[i-1].Date) {
			return fmt.Errorf("%w: %s after %s", market.ErrMalformed, formatDate(s.Bars[i].Date), formatDate(s.Bars[i-1].Date))
		}
	}
	return nil
}

// unusableReason returns why the closes of a series are not traded prices, or "".
func unusableReason(s market.Series) string {
	switch {
	case len(s.Bars) == 0:
		return "its price series is empty"
	case s.Provenance.Currency == "":
		return "the currency of its prices is unknown"
	case s.Provenance.Adjustment == market.AdjustmentSplitDiv:
		return "its prices are adjusted for dividends, so they are not traded prices"
	case s.Provenance.Adjustment != market.AdjustmentRaw && s.Provenance.Adjustment != market.AdjustmentSplit:
		return "the adjustment of its prices is unknown"
	}
	return ""
}

// collectSplits adds the recorded splits and spin-offs to each security.
func (h *History) collectSplits() {
	bySymbol := map[market.Symbol]*security{}
	for _, s := range h.securities {
		bySymbol[s.symbol] = s
	}
	for _, t := range h.specialTransactions {
		switch t.Kind {
		case portfolio.KindSplit, portfolio.KindReverseSplit, portfolio.KindSpinOff:
		default:
			continue
		}
		s, ok := bySymbol[t.Symbol]
		i := h.grid.index(t.Date)
		if !ok || !h.scope.includes(t.Account) || i >= h.grid.days {
			continue
		}
		if t.Kind == portfolio.KindSpinOff {
			s.spinOffs = append(s.spinOffs, i)
			continue
		}
		s.splits = append(s.splits, splitEvent{day: i, account: t.Account, splitRatio: splitRatio{t.New, t.Old}})
	}
}

// AdjustedPlaces is the number of decimals of a traded price that was computed from an adjusted one with a
// fractional ratio.
const AdjustedPlaces = 12

// unadjustedPoints returns the closes of a series, as traded, for the days on which the security is held
// and the week before. Closes that are not positive are omitted.
func unadjustedPoints(prices market.Series, g grid, s *security) []point {
	from, to := s.steps[0].day-staleness, g.days-1
	if last := s.steps[len(s.steps)-1]; last.quantity.IsZero() {
		to = last.day
	}
	later := splitEvents(prices, g)
	if prices.Provenance.Adjustment == market.AdjustmentRaw {
		later = nil
	} else if prices.Actions == nil {
		later = distinctByDay(s.splits)
	}
	one := decimal.NewFromInt(1)
	factor, points := splitRatio{one, one}, []point{}
	for i := len(prices.Bars) - 1; i >= 0; i-- {
		d := g.index(prices.Bars[i].Date)
		if d < from {
			break
		}
		for n := len(later) - 1; n >= 0 && later[n].day > d; n-- {
			factor, later = splitRatio{factor.new.Mul(later[n].new), factor.old.Mul(later[n].old)}, later[:n]
		}
		if d > to || !isPlausible(prices.Bars[i].Close) {
			continue
		}
		if v := factor.adjust(prices.Bars[i].Close, one); isPlausible(v) {
			points = append(points, point{d, v})
		}
	}
	slices.Reverse(points)
	return points
}

func (r splitRatio) adjust(v, one decimal.Decimal) decimal.Decimal {
	if !r.new.Equal(one) {
		v = v.Mul(r.new)
	}
	if !r.old.Equal(one) {
		v = v.DivRound(r.old, AdjustedPlaces)
	}
	return v
}
