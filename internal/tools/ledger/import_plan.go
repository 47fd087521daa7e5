package ledger

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/tools/positions"
)

// sortedEntries are the transactions of a file by what the ledger has of them.
type sortedEntries struct {
	added    []portfolio.Transaction
	lines    map[string][]int // of the file, by ID
	existing int
	problems []importer.SkippedLine
	// conflicts are those that are there already, by their IDs, and say something else.
	conflicts []string
}

// plan decides which transactions of a file are new to a ledger, and whether the ledger is
// valid with them. Nothing is imported if a line has a problem, unless such lines are to be
// left out.
func (d Deps) plan(l portfolio.Ledger, in *parsedFile) (portfolio.Change, importReport, error) {
	set := in.settingsFor(l)
	s := in.sortEntries(l, set.change.Aliases)
	c := set.change
	c.Add, c.Aliases = s.added, positions.MergeAliases(c.Aliases, in.newAliases(l))
	named := portfolio.Ledger{Accounts: slices.Concat(l.Accounts, c.Accounts)}
	c.Accounts = slices.Concat(c.Accounts, positions.MissingAccounts(named, in.accounts(s.added)))
	r := d.newReport(l, in, s, set, c)
	if len(s.problems) > 0 && !in.skipProblems {
		return c, r, r.problemsError()
	}
	c, held, err := d.addOpenings(l, in, s, c)
	r.addOpenings(held)
	return c, r, err
}

// sortEntries tells what is new, by the broker's own numbers, and by IDs where the file is
// nfa's own. What looks like an entry from elsewhere is a problem: it would count
// twice.
func (in *parsedFile) sortEntries(l portfolio.Ledger, aliases map[market.Symbol]market.Symbol) sortedEntries {
	n := len(in.statement.Entries)
	s := sortedEntries{added: make([]portfolio.Transaction, 0, n), lines: make(map[string][]int, n), problems: slices.Clone(in.statement.Problems)}
	origins := l.Origins()
	byID := make(map[string]*portfolio.Transaction, len(l.Transactions))
	for i := range l.Transactions {
		byID[l.Transactions[i].ID] = &l.Transactions[i]
	}
	var alike map[positions.TransactionKey]string
	named := in.withoutImported(l, origins)
	named.Aliases = positions.MergeAliases(positions.MergeAliases(l.Aliases, aliases), in.names.aliases)
	for i, e := range in.statement.Entries {
		t := e.Transaction
		old, sameID := byID[t.ID]
		sameID = sameID && t.ID != ""
		origin, imported := t.Origin()
		if id, exists := origins[origin]; imported && exists {
			s.addExisting(t, *byID[id])
			continue
		}
		if sameID {
			if positions.NewTransactionKey(*old, named.Aliases) == positions.NewTransactionKey(t, named.Aliases) {
				s.addExisting(t, *old)
				continue
			}
			s.problems = append(s.problems, newProblem(e, "its ID "+t.ID+" is that of another transaction in the ledger"))
			continue
		}
		if lines, twice := s.lines[t.ID]; twice && t.ID != "" {
			s.problems = append(s.problems, newProblem(e, fmt.Sprintf("its ID %s is that of line %s", t.ID, lineNumbers(lines))))
			continue
		}
		if id, exists := in.findDuplicate(t, named, &alike); exists {
			s.problems = append(s.problems, newProblem(e, "the ledger has it as "+id+", by hand or from another file: it would count twice; skip it, or record it again with again true"))
			continue
		}
		if t.ID == "" {
			t.ID = in.ids[i]
		}
		s.lines[t.ID] = e.Lines
		s.added = append(s.added, t)
	}
	slices.SortStableFunc(s.problems, func(a, b importer.SkippedLine) int { return a.Line - b.Line })
	return s
}

// withoutImported is a ledger without what the file itself has by its numbers: a second fill of
// as many shares at the same price is like the first one of its day, which is in both.
func (in *parsedFile) withoutImported(l portfolio.Ledger, origins map[portfolio.Origin]string) portfolio.Ledger {
	imports := map[string]bool{}
	for i := range in.statement.Entries {
		if origin, imported := in.statement.Entries[i].Transaction.Origin(); imported && origins[origin] != "" {
			imports[origins[origin]] = true
		}
	}
	if len(imports) > 0 {
		l.Transactions = slices.DeleteFunc(slices.Clone(l.Transactions), func(t portfolio.Transaction) bool { return imports[t.ID] })
	}
	return l
}

// findDuplicate finds a transaction of the same event that the ledger has from another file.
// The index is made once, and not at all for the first file of a ledger.
func (in *parsedFile) findDuplicate(t portfolio.Transaction, l portfolio.Ledger, alike *map[positions.TransactionKey]string) (id string, duplicate bool) {
	if in.allowDuplicates || len(l.Transactions) == 0 {
		return "", false
	}
	if *alike == nil {
		*alike = positions.TransactionKeys(l)
	}
	id, duplicate = (*alike)[positions.NewTransactionKey(t, l.Aliases)]
	return id, duplicate
}

// newAliases are those that say something new.
func (in *parsedFile) newAliases(l portfolio.Ledger) map[market.Symbol]market.Symbol {
	news := maps.Clone(in.names.aliases)
	maps.DeleteFunc(news, func(from, to market.Symbol) bool { return l.Aliases[from] == to })
	return news
}

// accounts are all that the transactions name. Where the file has trades and nothing
// that paid for them, cash cannot be kept.
func (in *parsedFile) accounts(added []portfolio.Transaction) []portfolio.Account {
	paid := map[string]bool{}
	var names []string
	for i := range added {
		t := &added[i]
		for _, name := range []string{t.Account, t.ToAccount} {
			if _, seen := paid[name]; !seen && name != "" {
				names, paid[name] = append(names, name), false
			}
		}
		if t.Kind == portfolio.KindDeposit {
			paid[t.Account] = true
		}
		if t.Kind == portfolio.KindTransferOut && t.ToAccount != "" && t.Symbol == "" {
			paid[t.ToAccount] = true
		}
	}
	accounts := make([]portfolio.Account, len(names))
	for i, name := range names {
		accounts[i] = portfolio.NewAccount(name)
		switch {
		case in.cash != "":
			accounts[i].Cash = in.cash
		case !paid[name]:
			accounts[i].Cash = portfolio.CashUntracked
		}
	}
	return accounts
}

// ledgerError says which lines make the ledger invalid, and what helps.
func ledgerError(err error, s sortedEntries, c portfolio.Change) error {
	redacted := positions.Redact(err)
	var refused *portfolio.TransactionError
	var overdrawn *portfolio.OverdrawnError
	switch {
	case errors.As(err, &overdrawn):
		help := fmt.Sprintf("where the file has trades alone, set cash to untracked with portfolio_settings for the account %q", overdrawn.Account)
		if slices.ContainsFunc(c.Accounts, func(a portfolio.Account) bool { return a.Name == overdrawn.Account }) {
			help = "where the file lacks what paid for it, call again with cash untracked; where the account may owe, with cash margin"
		}
		return fmt.Errorf("%w: nothing was written; %s: %w; %s", errImport, linesOfDay(s, overdrawn), redacted, help)
	case errors.As(err, &refused):
		location := "with these lines an earlier entry does not hold any more"
		if lines, ours := s.lines[refused.Transaction.ID]; ours {
			location = fmt.Sprintf("line %s", lineNumbers(lines))
		}
		help := ""
		if errors.Is(err, portfolio.ErrNotHeld) {
			help = "; where the file begins in the middle, read the older ones first, or record with add_transaction what was held before, as a transfer_in"
		}
		return fmt.Errorf("%w: nothing was written; %s: %w%s", errImport, location, redacted, help)
	}
	return fmt.Errorf("%w: nothing was written: %w", errImport, redacted)
}

// linesOfDay are the lines of the day on which the cash ran out.
func linesOfDay(s sortedEntries, at *portfolio.OverdrawnError) string {
	var lines []int
	for _, t := range s.added {
		if t.Date.Equal(at.Date) && (t.Account == at.Account || t.ToAccount == at.Account) {
			lines = append(lines, s.lines[t.ID]...)
		}
	}
	if len(lines) == 0 {
		return "with these lines an earlier day does not hold any more"
	}
	slices.Sort(lines)
	return "line " + lineNumbers(slices.Compact(lines))
}

// lineNumbers lists the first of some lines.
func lineNumbers(lines []int) string {
	const limit = 10
	text := ""
	for i, n := range lines {
		switch {
		case i == limit:
			return fmt.Sprintf("%s and %d more", text, len(lines)-limit)
		case i > 0:
			text += ", "
		}
		text += fmt.Sprint(n)
	}
	return text
}
