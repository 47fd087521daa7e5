package portfolio

import (
	"cmp"
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
)

// Merge returns c with what its aliases change in the securities and targets of l. A record
// under a name that becomes an alias moves to the symbol that the name ends in. If that symbol
// has a record of its own, only its empty fields are filled; the weights of targets are added
// up. What c itself says stays as it is. Apply calls Merge, and so does a Store that writes the
// change and not the ledger after it.
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
		moved = append(moved, Security{Symbol: s.Symbol}) // taken back
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

// fillFrom fills what s leaves open. What it then says was so on the earlier day of both.
func (s Security) fillFrom(other Security) Security {
	s.Class, s.Region, s.Sector = cmp.Or(s.Class, other.Class), cmp.Or(s.Region, other.Region), cmp.Or(s.Sector, other.Sector)
	if !s.Fee.Valid {
		s.Fee = other.Fee
	}
	if s.RecordedOn.IsZero() || !other.RecordedOn.IsZero() && other.RecordedOn.Before(s.RecordedOn) {
		s.RecordedOn = other.RecordedOn
	}
	return s
}

// mergeTargets are all of them, or nil where none has another name.
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
