package intake

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
)

// sorted are the entries of a file by what a book has of them.
type sorted struct {
	added    []portfolio.Transaction
	lines    map[string][]int // of the file, by ID
	already  int
	problems []broker.Remark
	// otherwise are those that are there already, by their IDs, and say something else.
	otherwise []string
}

// plan decides what of a file is new to a ledger, and whether the book holds with
// it. Nothing is taken where a line has a problem, unless those are to be left out.
func (d Deps) plan(l portfolio.Ledger, in *reading) (portfolio.Change, report, error) {
	set := in.settingsFor(l)
	s := in.sort(l, set.change.Aliases)
	c := set.change
	c.Add, c.Aliases = s.added, book.Merged(c.Aliases, in.aliasesFor(l))
	named := portfolio.Ledger{Accounts: slices.Concat(l.Accounts, c.Accounts)}
	c.Accounts = slices.Concat(c.Accounts, book.Missing(named, in.accounts(s.added)))
	r := d.report(l, in, s, set, c)
	if len(s.problems) > 0 && !in.skip {
		return c, r, d.refusal(r)
	}
	c, held, err := d.completed(l, in, s, c)
	r.open(held)
	return c, r, err
}

// sort tells what is new, by the broker's own numbers, and by IDs where the file is
// nfa's own. What looks like an entry from elsewhere is a problem: it would count
// twice.
func (in *reading) sort(l portfolio.Ledger, aliases map[market.Symbol]market.Symbol) sorted {
	n := len(in.statement.Entries)
	s := sorted{added: make([]portfolio.Transaction, 0, n), lines: make(map[string][]int, n), problems: slices.Clone(in.statement.Problems)}
	origins := l.Origins()
	byID := make(map[string]*portfolio.Transaction, len(l.Transactions))
	for i := range l.Transactions {
		byID[l.Transactions[i].ID] = &l.Transactions[i]
	}
	var alike map[book.Likeness]string
	named := in.others(l, origins)
	named.Aliases = book.Merged(book.Merged(l.Aliases, aliases), in.names.aliases)
	for i, e := range in.statement.Entries {
		t := e.Transaction
		old, taken := byID[t.ID]
		taken = taken && t.ID != ""
		origin, imported := t.Origin()
		if id, there := origins[origin]; imported && there {
			s.there(t, *byID[id])
			continue
		}
		if taken {
			if book.LikenessOf(*old, named.Aliases) == book.LikenessOf(t, named.Aliases) {
				s.there(t, *old)
				continue
			}
			s.problems = append(s.problems, problem(e, "its ID "+t.ID+" is that of another transaction of the book"))
			continue
		}
		if lines, twice := s.lines[t.ID]; twice && t.ID != "" {
			s.problems = append(s.problems, problem(e, fmt.Sprintf("its ID %s is that of line %s", t.ID, numbers(lines))))
			continue
		}
		if id, there := in.counted(t, named, &alike); there {
			s.problems = append(s.problems, problem(e, "the same is in the book as "+id+", by hand or from another file: it would count twice; leave it out, or record it all the same with again true"))
			continue
		}
		if t.ID == "" {
			t.ID = in.ids[i]
		}
		s.lines[t.ID] = e.Lines
		s.added = append(s.added, t)
	}
	slices.SortStableFunc(s.problems, func(a, b broker.Remark) int { return a.Line - b.Line })
	return s
}

// others is a ledger without what the file itself has by its numbers: a second fill of
// as many shares at the same price is like the first one of its day, which is in both.
func (in *reading) others(l portfolio.Ledger, origins map[portfolio.Origin]string) portfolio.Ledger {
	there := map[string]bool{}
	for i := range in.statement.Entries {
		if origin, imported := in.statement.Entries[i].Transaction.Origin(); imported && origins[origin] != "" {
			there[origins[origin]] = true
		}
	}
	if len(there) > 0 {
		l.Transactions = slices.DeleteFunc(slices.Clone(l.Transactions), func(t portfolio.Transaction) bool { return there[t.ID] })
	}
	return l
}

// counted finds what the book has of the same event from elsewhere. The index is made
// once, and not at all for the first file of a book.
func (in *reading) counted(t portfolio.Transaction, l portfolio.Ledger, alike *map[book.Likeness]string) (id string, there bool) {
	if in.again || len(l.Transactions) == 0 {
		return "", false
	}
	if *alike == nil {
		*alike = book.Likenesses(l)
	}
	id, there = (*alike)[book.LikenessOf(t, l.Aliases)]
	return id, there
}

// aliasesFor are those that say something new.
func (in *reading) aliasesFor(l portfolio.Ledger) map[market.Symbol]market.Symbol {
	news := maps.Clone(in.names.aliases)
	maps.DeleteFunc(news, func(from, to market.Symbol) bool { return l.Aliases[from] == to })
	return news
}

// accounts are all that the transactions name. Where the file has trades and nothing
// that paid for them, cash cannot be kept.
func (in *reading) accounts(added []portfolio.Transaction) []portfolio.Account {
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

// unsound says which lines keep the book from holding, and what helps.
func (d Deps) unsound(err error, s sorted, c portfolio.Change) error {
	told := d.Veil(err)
	var refused *portfolio.TransactionError
	var overdrawn *portfolio.OverdrawnError
	switch {
	case errors.As(err, &overdrawn):
		help := fmt.Sprintf("where the file has trades alone, set cash to untracked with portfolio_settings for the account %q", overdrawn.Account)
		if slices.ContainsFunc(c.Accounts, func(a portfolio.Account) bool { return a.Name == overdrawn.Account }) {
			help = "where the file lacks what paid for it, call again with cash untracked; where the account may owe, with cash margin"
		}
		return fmt.Errorf("%w: nothing was written; %s: %w; %s", errImport, linesOn(s, overdrawn), told, help)
	case errors.As(err, &refused):
		where := "with these lines an earlier entry does not hold any more"
		if lines, ours := s.lines[refused.Transaction.ID]; ours {
			where = fmt.Sprintf("line %s", numbers(lines))
		}
		help := ""
		if errors.Is(err, portfolio.ErrNotHeld) {
			help = "; where the file begins in the middle, read the older ones first, or record with add_transaction what was held before, as a transfer_in"
		}
		return fmt.Errorf("%w: nothing was written; %s: %w%s", errImport, where, told, help)
	}
	return fmt.Errorf("%w: nothing was written: %w", errImport, told)
}

// linesOn are the lines of the day on which the cash ran out.
func linesOn(s sorted, at *portfolio.OverdrawnError) string {
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
	return "line " + numbers(slices.Compact(lines))
}

// numbers lists the first of some lines.
func numbers(lines []int) string {
	const most = 10
	text := ""
	for i, n := range lines {
		switch {
		case i == most:
			return fmt.Sprintf("%s and %d more", text, len(lines)-most)
		case i > 0:
			text += ", "
		}
		text += fmt.Sprint(n)
	}
	return text
}
