package intake

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
)

// settings are what nfa's own file says of a book beside its transactions, set
// against a ledger. Where the two differ the ledger's own stays, and the user is
// asked, unless the user said that the file's is to be taken.
type settings struct {
	change    portfolio.Change // accounts, aliases, securities and targets alone
	said      []string         // what is new, in words
	questions []string
	take      bool // what the file says holds
}

// settingsFor is empty where the file says nothing of them.
func (in *reading) settingsFor(l portfolio.Ledger) settings {
	s := settings{take: in.settings}
	from := in.statement.Settings
	if from == nil {
		return s
	}
	s.accounts(l, from.Accounts, in.cash)
	s.aliases(l, from.Aliases, in.names.aliases)
	// Both may know the same security by different names.
	ends := book.Merged(book.Merged(l.Aliases, s.change.Aliases), in.names.aliases)
	s.securities(l, from.Securities, ends)
	s.targets(l, from.Targets, ends)
	return s
}

// differs decides between the two, and asks where that is for the user.
func (s *settings) differs(what, file, here string) (take bool) {
	if !s.take {
		s.questions = append(s.questions, fmt.Sprintf("%s: the file says %s, and the book %s, which stays; to have it as in the file call again with take_settings true", what, file, here))
	}
	return s.take
}

// accounts are all that the file has, also those without an entry. What the user says
// of cash holds for those that are made.
func (s *settings) accounts(l portfolio.Ledger, from []portfolio.Account, cash portfolio.CashPolicy) {
	for _, a := range from {
		old, there := l.Account(a.Name)
		switch {
		case !there && cash != "":
			a.Cash = cash
		case !there:
		case old == a || !s.differs(fmt.Sprintf("account %q", a.Name), kept(a), kept(old)):
			continue
		default:
			s.said = append(s.said, fmt.Sprintf("account %q: %s", a.Name, kept(a)))
		}
		s.change.Accounts = append(s.change.Accounts, a)
	}
}

func kept(a portfolio.Account) string {
	said := fmt.Sprintf("cost basis %s, cash %s", a.Method, a.Cash)
	if a.Untaxed {
		said += ", gains not taxed each year"
	}
	if a.Owner != "" {
		said += ", of " + a.Owner
	}
	return said
}

// aliases leaves those to the user that a call names itself.
func (s *settings) aliases(l portfolio.Ledger, from, named map[market.Symbol]market.Symbol) {
	for _, name := range slices.Sorted(maps.Keys(from)) {
		to := from[name]
		if _, own := named[name]; own {
			continue
		}
		old, there := l.Aliases[name]
		if there && (old == to || !s.differs(string(name), "that it is another name of "+string(to), "of "+string(old))) {
			continue
		}
		if s.change.Aliases == nil {
			s.change.Aliases = map[market.Symbol]market.Symbol{}
		}
		s.change.Aliases[name] = to
		s.said = append(s.said, fmt.Sprintf("%s is another name of %s", name, to))
	}
}

func (s *settings) securities(l portfolio.Ledger, from []portfolio.Security, ends map[market.Symbol]market.Symbol) {
	known := map[market.Symbol]portfolio.Security{}
	for _, old := range l.Securities {
		known[old.Symbol] = old
	}
	for _, n := range from {
		n.Symbol = book.Ending(ends, n.Symbol)
		old, there := known[n.Symbol]
		switch {
		case book.Facts(n) == "": // nothing is said
			continue
		case there && book.Facts(old) == book.Facts(n):
			continue // when it was said is no reason to ask
		case there && !s.differs(string(n.Symbol), book.Facts(n), book.Facts(old)):
			continue
		}
		known[n.Symbol] = n
		s.change.Securities = append(s.change.Securities, n)
		s.said = append(s.said, fmt.Sprintf("%s: %s", n.Symbol, book.Facts(n)))
	}
}

// targets belong together: they are taken all or not at all.
func (s *settings) targets(l portfolio.Ledger, from []portfolio.Target, ends map[market.Symbol]market.Symbol) {
	if len(from) == 0 {
		return
	}
	from = slices.Clone(from)
	for i := range from {
		from[i].Symbol = book.Ending(ends, from[i].Symbol)
	}
	file, here := aims(from), aims(l.Targets)
	if file == here || here != "" && !s.differs("targets", file, here) {
		return
	}
	s.change.Targets = from
	s.said = append(s.said, "targets "+file)
}

// aims says targets, by their symbols.
func aims(targets []portfolio.Target) string {
	said := make([]string, len(targets))
	for i, t := range targets {
		said[i] = fmt.Sprintf("%s %s %%", t.Symbol, t.Weight.Shift(2))
	}
	slices.Sort(said)
	return strings.Join(said, ", ")
}
