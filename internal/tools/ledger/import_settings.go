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

// fileSettings compares the settings of an nfa export with those of the ledger. Where they differ,
// the ledger's setting is kept and the user is asked, unless the user chose the file's settings.
type fileSettings struct {
	change    portfolio.Change // only accounts, aliases, securities and targets
	lines     []string         // descriptions of new settings
	questions []string
	take      bool // the file's settings take precedence
}

// settingsFor returns the settings to import. There are none if the file has no settings.
func (in *parsedFile) settingsFor(l portfolio.Ledger) fileSettings {
	s := fileSettings{take: in.takeSettings}
	from := in.statement.Settings
	if from == nil {
		return s
	}
	s.accounts(l, from.Accounts, in.cash)
	s.aliases(l, from.Aliases, in.names.aliases)
	// Both may use different names for the same security.
	ends := positions.MergeAliases(positions.MergeAliases(l.Aliases, s.change.Aliases), in.names.aliases)
	s.securities(l, from.Securities, ends)
	s.targets(l, from.Targets, ends)
	return s
}

// preferFile reports whether the file's setting applies. If the user has to decide, it adds a question.
func (s *fileSettings) preferFile(subject, file, ledger string) (take bool) {
	if !s.take {
		s.questions = append(s.questions, fmt.Sprintf("%s: the file has %s, the ledger has %s. The ledger's setting is kept; to use the file's, call again with take_settings true", subject, file, ledger))
	}
	return s.take
}

// accounts adds all accounts of the file, including empty ones. The cash policy that the user chose
// applies to new accounts.
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

// aliases adds the file's aliases, except those that the call itself sets.
func (s *fileSettings) aliases(l portfolio.Ledger, from, named map[market.Symbol]market.Symbol) {
	for _, name := range slices.Sorted(maps.Keys(from)) {
		to := from[name]
		if _, chosen := named[name]; chosen {
			continue
		}
		old, exists := l.Aliases[name]
		if exists && (old == to || !s.preferFile(string(name), "an alias for "+string(to), "one for "+string(old))) {
			continue
		}
		if s.change.Aliases == nil {
			s.change.Aliases = map[market.Symbol]market.Symbol{}
		}
		s.change.Aliases[name] = to
		s.lines = append(s.lines, fmt.Sprintf("alias %s -> %s", name, to))
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
		case positions.DescribeSecurity(n) == "": // nothing is recorded
			continue
		case exists && positions.DescribeSecurity(old) == positions.DescribeSecurity(n):
			continue // differs only in the date of the record
		case exists && !s.preferFile(string(n.Symbol), positions.DescribeSecurity(n), positions.DescribeSecurity(old)):
			continue
		}
		known[n.Symbol] = n
		s.change.Securities = append(s.change.Securities, n)
		s.lines = append(s.lines, fmt.Sprintf("%s: %s", n.Symbol, positions.DescribeSecurity(n)))
	}
}

// targets imports all targets of the file or none, because they belong together.
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

// targetsText lists targets with their symbols.
func targetsText(targets []portfolio.Target) string {
	parts := make([]string, len(targets))
	for i, t := range targets {
		parts[i] = fmt.Sprintf("%s %s", t.Symbol, exactPercent(t.Weight))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}
