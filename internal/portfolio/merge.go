package portfolio

import (
	"cmp"
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
)

// Merge returns c together with the changes that its aliases make to the securities and targets of l. When
// a name becomes an alias, its record moves to the final symbol. If that symbol already has a record, only
// its empty fields are filled; target weights are added up. Records in c itself take precedence. Apply
// calls Merge; a Store that saves changes instead of whole ledgers must call it too.
func (l Ledger) Merge(c Change) Change {
	after := Ledger{Aliases: make(map[market.Symbol]market.Symbol, len(l.Aliases)+len(c.Aliases))}
	after.putAliases(l.Aliases)
	after.putAliases(c.Aliases)
	ends, err := after.resolvedAliases()
	if err != nil {
		return c // Apply reports the error
	}
	c.Securities = mergeSecurities(l.Securities, c.Securities, ends)
	if c.Targets == nil {
		c.Targets = mergeTargets(l.Targets, ends)
	}
	return c
}

func mergeSecurities(current, changed []Security, ends map[market.Symbol]market.Symbol) []Security {
	var moved []Security
	for _, s := range current {
		end, alias := ends[s.Symbol]
		if !alias || indexOfSecurity(changed, s.Symbol) >= 0 {
			continue
		}
		moved = append(moved, Security{Symbol: s.Symbol}) // removed
		s.Symbol = end
		switch at, existing := indexOfSecurity(moved, end), indexOfSecurity(current, end); {
		case indexOfSecurity(changed, end) >= 0:
		case at >= 0:
			moved[at] = moved[at].fillFrom(s)
		case existing >= 0:
			moved = append(moved, current[existing].fillFrom(s))
		default:
			moved = append(moved, s)
		}
	}
	return append(moved, changed...)
}

func indexOfSecurity(securities []Security, symbol market.Symbol) int {
	return slices.IndexFunc(securities, func(s Security) bool { return s.Symbol == symbol })
}

// fillFrom fills the empty fields of s from other. The result has the earlier of the two dates.
func (s Security) fillFrom(other Security) Security {
	s.Class, s.Region, s.Sector = cmp.Or(s.Class, other.Class), cmp.Or(s.Region, other.Region), cmp.Or(s.Sector, other.Sector)
	if s.Currency == "" { // they describe one listing together
		s.Exchange, s.Currency = cmp.Or(s.Exchange, other.Exchange), other.Currency
	}
	if !s.Fee.Valid {
		s.Fee = other.Fee
	}
	if s.RecordedOn.IsZero() || !other.RecordedOn.IsZero() && other.RecordedOn.Before(s.RecordedOn) {
		s.RecordedOn = other.RecordedOn
	}
	return s
}

// mergeTargets returns all targets under their final symbols, or nil if no target is an alias.
func mergeTargets(targets []Target, ends map[market.Symbol]market.Symbol) []Target {
	var all []Target
	renamed := false
	for _, t := range targets {
		if end, alias := ends[t.Symbol]; alias {
			t.Symbol, renamed = end, true
		}
		if i := slices.IndexFunc(all, func(o Target) bool { return o.Symbol == t.Symbol }); i >= 0 {
			all[i].Weight = all[i].Weight.Add(t.Weight)
			continue
		}
		all = append(all, t)
	}
	if !renamed {
		return nil
	}
	return all
}
