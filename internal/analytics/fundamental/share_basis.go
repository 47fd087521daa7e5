package fundamental

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
)

// securityProblem returns why figures per common share do not apply to the security, or "". A
// security of unknown class counts as a common share.
func (c Company) securityProblem() string {
	if c.Security.Class == market.ClassUnknown || c.Security.Class == market.ClassFund {
		return ""
	}
	if _, ok := c.ratio(); ok {
		return ""
	}
	switch c.Security.Class {
	case market.ClassCommon, market.ClassADR:
		return fmt.Sprintf("%s is %s, and the number of common shares it represents is unknown, so figures per share do not apply", c.Security.Symbol, c.Security.Class.Noun())
	}
	return fmt.Sprintf("%s is %s, so figures per common share do not apply", c.Security.Symbol, c.Security.Class.Noun())
}

// ratio returns how many shares of the statements a unit of the security represents.
func (c Company) ratio() (reference.ShareRatio, bool) {
	on := c.Period.PeriodEnd
	if c.Price != nil {
		on = c.Price.AsOf
	}
	return reference.RatioOf(c.Security, on)
}

// actionsSince returns splits and similar events between an item and the price, oldest first.
func (c Company) actionsSince(s market.Statement, item market.Item) []market.Action {
	if c.Price == nil {
		return nil
	}
	known := item.Filed
	if known.IsZero() {
		known = s.PeriodEnd
	}
	return slices.DeleteFunc(slices.Clone(c.Price.Actions), func(a market.Action) bool {
		return a.Kind == market.ActionDividend || !a.Date.After(known) || a.Date.After(c.Price.AsOf) || !a.New.IsPositive() || !a.Old.IsPositive()
	})
}

// onTradedBasis returns the company with share counts and per-share figures converted to units of the
// security as priced. It adjusts for splits since the filing that the price source reports, and for the
// number of shares that a unit represents.
func (c Company) onTradedBasis() Company {
	for _, s := range []*market.Statement{&c.Period, &c.End, &c.Begin, &c.ShareCount} {
		*s = c.convertShares(*s)
	}
	c.Years = slices.Clone(c.Years)
	for i := range c.Years {
		c.Years[i] = c.convertShares(c.Years[i])
	}
	return c
}

func (c Company) convertShares(s market.Statement) market.Statement {
	ratio, known := c.ratio()
	items := maps.Clone(s.Items)
	for name, item := range s.Items {
		if !strings.Contains(item.Unit, "share") || splitWarning(s) != "" && warningConcerns(splitWarning(s), name, s) {
			continue
		}
		each := item.Unit != "shares"
		var changes []string
		for _, a := range c.actionsSince(s, item) {
			if a.Kind != market.ActionSplit {
				continue
			}
			from, to := a.Old, a.New
			if each {
				from, to = to, from
			}
			item.Value = item.Value.Mul(to).DivRound(from, quotientDigits)
			item.Filed = a.Date
			changes = append(changes, fmt.Sprintf("adjusted for the split of %s for %s on %s", a.New, a.Old, day(a.Date)))
		}
		if known && !ratio.IsOne() {
			if each {
				item.Value = ratio.PerUnit(item.Value)
			} else {
				item.Value = ratio.InUnits(item.Value)
			}
			changes = append(changes, fmt.Sprintf("in units of %s: %d units are %d shares in the statements", c.Security.Symbol, ratio.Units, ratio.Shares))
		}
		if len(changes) > 0 {
			item.Formula = strings.Join(append([]string{cmp.Or(item.Formula, name)}, changes...), ", ")
			items[name] = item
		}
	}
	s.Items = items
	return s
}
