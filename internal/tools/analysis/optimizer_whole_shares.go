package analysis

import (
	"fmt"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// maxPriceAge is how far back a close may lie for a purchase without a word of warning.
const maxPriceAge = 7 * 24 * time.Hour

// buyWholeShares lays the sum out in whole shares at the last closes.
func (p *optimization) buyWholeShares(now time.Time) error {
	prices := make([]decimal.Decimal, len(p.weights))
	for i, bar := range p.universe.latest {
		s := p.universe.series[i]
		if s.Kind == "index" && p.weights[i] != 0 {
			return fmt.Errorf("%w: %s is an index, of which there are no shares; leave sum out, or name a fund that follows it", errInvalidInput, s.Symbol)
		}
		if p.weights[i] < 0 {
			return fmt.Errorf("%w: %s has a weight below zero; whole shares are for what is bought, so leave sum out or negative weights", errInvalidInput, s.Symbol)
		}
		prices[i] = bar.Close
		if now.Sub(bar.Date) > maxPriceAge {
			p.universe.warnings = append(p.universe.warnings, fmt.Sprintf("the last close of %s is of %s, perhaps adjusted since: take today's price before buying", s.Symbol, toolkit.FormatDate(bar.Date)))
		}
	}
	bought, err := optimize.WholeShares(p.weights, prices, decimal.NewFromFloat(p.input.Sum))
	if err != nil {
		return err
	}
	p.purchase = &bought
	return nil
}
