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

// sortedEntries are the transactions of a file, sorted by whether the ledger has them.
type sortedEntries struct {
	added    []portfolio.Transaction
	lines    map[string][]int // line numbers in the file, by ID
	existing int
	problems []importer.SkippedLine
	held     heldQuantity
	// conflicts describe transactions whose ID is in the ledger with different contents.
	conflicts []string
}

// plan decides which transactions of a file are new, and what else the ledger needs to be valid with them.
// Lines with a problem are left out; a file with nothing else is refused.
func (d Deps) plan(l portfolio.Ledger, in *parsedFile) (portfolio.Change, importReport, error) {
	set := in.settingsFor(l)
	s := in.sortEntries(l, set.change.Aliases)
	c := set.change
	c.Add, c.Aliases = s.added, positions.MergeAliases(c.Aliases, in.newAliases(l))
	c.Securities = slices.Concat(c.Securities, in.names.securities)
	c, cash, err := d.addOpeningCash(l, in, c)
	if err != nil {
		return c, importReport{}, err
	}
	named := portfolio.Ledger{Accounts: slices.Concat(l.Accounts, c.Accounts)}
	c.Accounts = slices.Concat(c.Accounts, positions.MissingAccounts(named, in.accounts(s.added)))
	if nothing := len(s.added)+s.existing+len(set.lines) == 0; len(s.problems) > 0 && (in.refuseProblems || nothing) {
		r := d.newReport(l, in, s, set, c, openings{})
		return c, r, r.problemsError(nothing)
	}
	c, o, err := d.addOpenings(l, in, &s, c)
	o.cash = cash
	return c, d.newReport(l, in, s, set, c, o), err
}

// sortEntries finds new transactions by the broker's own numbers, or by ID in an nfa export. A
// transaction that matches one from another source is a problem, because it would be counted twice.
func (in *parsedFile) sortEntries(l portfolio.Ledger, aliases map[market.Symbol]market.Symbol) sortedEntries {
	n := len(in.statement.Entries)
	s := sortedEntries{added: make([]portfolio.Transaction, 0, n), lines: make(map[string][]int, n), held: heldQuantity{}, problems: slices.Clone(in.statement.Problems)}
	origins := l.Origins()
	byID := make(map[string]*portfolio.Transaction, len(l.Transactions))
	for i := range l.Transactions {
		byID[l.Transactions[i].ID] = &l.Transactions[i]
	}
	var index map[positions.TransactionKey]string
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
			s.problems = append(s.problems, newProblem(e, "its ID "+t.ID+" belongs to another transaction in the ledger"))
			continue
		}
		if lines, twice := s.lines[t.ID]; twice && t.ID != "" {
			s.problems = append(s.problems, newProblem(e, fmt.Sprintf("it has the same ID %s as line %s", t.ID, lineNumbers(lines))))
			continue
		}
		if id, exists := in.findDuplicate(t, named, &index); exists {
			s.problems = append(s.problems, newProblem(e, "already recorded as "+id+", manually or from another file; to record both, call again with again true"))
			continue
		}
		if t.ID == "" {
			t.ID = in.ids[i]
		}
		s.lines[t.ID] = e.Lines
		if !e.Held.IsZero() {
			s.held[t.ID] = e.Held
		}
		s.added = append(s.added, t)
	}
	for _, e := range in.statement.Canceled {
		origin, _ := e.Transaction.Origin()
		if id, recorded := origins[origin]; recorded {
			s.problems = append(s.problems, newProblem(e, fmt.Sprintf("line %d reverses it; remove it with nfa portfolio remove %s", e.Lines[1], id)))
		}
	}
	s.sortProblems()
	return s
}

func (s *sortedEntries) sortProblems() {
	slices.SortStableFunc(s.problems, func(a, b importer.SkippedLine) int { return a.Line - b.Line })
}

// withoutImported returns the ledger without the transactions that the file itself identifies by
// number. Otherwise a second fill of the same size and price would match the first one of its day,
// which is in both.
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

// findDuplicate finds a transaction of the same event that came from another file. The index is
// built on first use, so never for the first file of a ledger.
func (in *parsedFile) findDuplicate(t portfolio.Transaction, l portfolio.Ledger, index *map[positions.TransactionKey]string) (id string, duplicate bool) {
	if in.allowDuplicates || len(l.Transactions) == 0 {
		return "", false
	}
	if *index == nil {
		*index = positions.TransactionKeys(l)
	}
	id, duplicate = (*index)[positions.NewTransactionKey(t, l.Aliases)]
	return id, duplicate
}

// newAliases returns the aliases that change the ledger.
func (in *parsedFile) newAliases(l portfolio.Ledger) map[market.Symbol]market.Symbol {
	news := maps.Clone(in.names.aliases)
	maps.DeleteFunc(news, func(from, to market.Symbol) bool { return l.Aliases[from] == to })
	return news
}

// accounts returns all accounts that the transactions name. If the file has trades but neither
// deposits nor balances, their cash cannot be tracked.
func (in *parsedFile) accounts(added []portfolio.Transaction) []portfolio.Account {
	paid := map[string]bool{}
	balances := map[string]bool{}
	for _, b := range in.statement.CashBefore {
		balances[b.Account] = true
	}
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
		case !paid[name] && !balances[name]:
			accounts[i].Cash = portfolio.CashUntracked
		}
	}
	return accounts
}

// ledgerError names the lines that make the ledger invalid, and the next step.
func ledgerError(err error, s sortedEntries, c portfolio.Change) error {
	redacted := positions.Redact(err)
	var refused *portfolio.TransactionError
	var overdrawn *portfolio.OverdrawnError
	switch {
	case errors.As(err, &overdrawn):
		help := fmt.Sprintf("if the file has only trades, set cash to untracked for the account %q with portfolio_settings", overdrawn.Account)
		if slices.ContainsFunc(c.Accounts, func(a portfolio.Account) bool { return a.Name == overdrawn.Account }) {
			help = "call again with cash untracked if the file has no deposits, or with cash margin if the balance may be negative"
		}
		return fmt.Errorf("%w: nothing was written; %s: %w; %s", errImport, linesOfDay(s, overdrawn), redacted, help)
	case errors.As(err, &refused):
		location := "these lines make an earlier transaction invalid"
		if lines, ours := s.lines[refused.Transaction.ID]; ours {
			location = fmt.Sprintf("line %s", lineNumbers(lines))
		}
		help := ""
		if errors.Is(err, portfolio.ErrNotHeld) {
			help = "; if the file does not go back to your first transaction, import the older files first, or record the opening positions with add_transaction as transfer_in"
		}
		return fmt.Errorf("%w: nothing was written; %s: %w%s", errImport, location, redacted, help)
	}
	return fmt.Errorf("%w: nothing was written: %w", errImport, redacted)
}

// linesOfDay names the lines of the day on which the cash ran out.
func linesOfDay(s sortedEntries, at *portfolio.OverdrawnError) string {
	var lines []int
	for _, t := range s.added {
		if t.Date.Equal(at.Date) && (t.Account == at.Account || t.ToAccount == at.Account) {
			lines = append(lines, s.lines[t.ID]...)
		}
	}
	if len(lines) == 0 {
		return "these lines make cash negative on an earlier day"
	}
	slices.Sort(lines)
	return "line " + lineNumbers(slices.Compact(lines))
}

// lineNumbers lists the first line numbers.
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
