package ledger

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/positions"
)

// fileSettings are the settings in nfa's own file, apart from its transactions, compared with
// those of a ledger. If the two differ the ledger's setting stays and the user is asked, unless
// the user said that the file's setting is to be used.
type fileSettings struct {
	change    portfolio.Change // accounts, aliases, securities and targets alone
	lines     []string         // what is new, in words
	questions []string
	take      bool // what the file says holds
}

// settingsFor is empty where the file says nothing of them.
func (in *parsedFile) settingsFor(l portfolio.Ledger) fileSettings {
	s := fileSettings{take: in.takeSettings}
	from := in.statement.Settings
	if from == nil {
		return s
	}
	s.accounts(l, from.Accounts, in.cash)
	s.aliases(l, from.Aliases, in.names.aliases)
	// Both may know the same security by different names.
	ends := positions.MergeAliases(positions.MergeAliases(l.Aliases, s.change.Aliases), in.names.aliases)
	s.securities(l, from.Securities, ends)
	s.targets(l, from.Targets, ends)
	return s
}

// preferFile decides between the two, and asks where that is for the user.
func (s *fileSettings) preferFile(subject, file, ledger string) (take bool) {
	if !s.take {
		s.questions = append(s.questions, fmt.Sprintf("%s: the file says %s, and the ledger %s, which stays; to use the file's, call again with take_settings true", subject, file, ledger))
	}
	return s.take
}

// accounts are all that the file has, also those without an entry. What the user says
// of cash holds for those that are made.
func (s *fileSettings) accounts(l portfolio.Ledger, from []portfolio.Account, cash portfolio.CashPolicy) {
	for _, a := range from {
		old, exists := l.Account(a.Name)
		switch {
		case !exists && cash != "":
			a.Cash = cash
		case !exists:
		case old == a || !s.preferFile(fmt.Sprintf("account %q", a.Name), describeAccount(a), describeAccount(old)):
			continue
		default:
			s.lines = append(s.lines, fmt.Sprintf("account %q: %s", a.Name, describeAccount(a)))
		}
		s.change.Accounts = append(s.change.Accounts, a)
	}
}

// aliases leaves those to the user that a call names itself.
func (s *fileSettings) aliases(l portfolio.Ledger, from, named map[market.Symbol]market.Symbol) {
	for _, name := range slices.Sorted(maps.Keys(from)) {
		to := from[name]
		if _, chosen := named[name]; chosen {
			continue
		}
		old, exists := l.Aliases[name]
		if exists && (old == to || !s.preferFile(string(name), "that it is another name of "+string(to), "of "+string(old))) {
			continue
		}
		if s.change.Aliases == nil {
			s.change.Aliases = map[market.Symbol]market.Symbol{}
		}
		s.change.Aliases[name] = to
		s.lines = append(s.lines, fmt.Sprintf("%s is another name of %s", name, to))
	}
}

func (s *fileSettings) securities(l portfolio.Ledger, from []portfolio.Security, ends map[market.Symbol]market.Symbol) {
	known := map[market.Symbol]portfolio.Security{}
	for _, old := range l.Securities {
		known[old.Symbol] = old
	}
	for _, n := range from {
		n.Symbol = positions.ResolveAlias(ends, n.Symbol)
		old, exists := known[n.Symbol]
		switch {
		case positions.DescribeSecurity(n) == "": // nothing is said
			continue
		case exists && positions.DescribeSecurity(old) == positions.DescribeSecurity(n):
			continue // when it was said is no reason to ask
		case exists && !s.preferFile(string(n.Symbol), positions.DescribeSecurity(n), positions.DescribeSecurity(old)):
			continue
		}
		known[n.Symbol] = n
		s.change.Securities = append(s.change.Securities, n)
		s.lines = append(s.lines, fmt.Sprintf("%s: %s", n.Symbol, positions.DescribeSecurity(n)))
	}
}

// targets belong together: they are taken all or not at all.
func (s *fileSettings) targets(l portfolio.Ledger, from []portfolio.Target, ends map[market.Symbol]market.Symbol) {
	if len(from) == 0 {
		return
	}
	from = slices.Clone(from)
	for i := range from {
		from[i].Symbol = positions.ResolveAlias(ends, from[i].Symbol)
	}
	file, ledger := targetsText(from), targetsText(l.Targets)
	if file == ledger || ledger != "" && !s.preferFile("targets", file, ledger) {
		return
	}
	s.change.Targets = from
	s.lines = append(s.lines, "targets "+file)
}

// targetsText says targets, by their symbols.
func targetsText(targets []portfolio.Target) string {
	parts := make([]string, len(targets))
	for i, t := range targets {
		parts[i] = fmt.Sprintf("%s %s", t.Symbol, exactPercent(t.Weight))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}
