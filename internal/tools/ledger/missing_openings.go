package ledger

import (
	"errors"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// openingNote is the note on transactions that record positions from before a file begins. Imports
// recognize their own opening positions by it.
const openingNote = "opening position from before the file; cost unknown"

// openings are the positions that a file needs from before it begins.
type openings struct {
	added   []portfolio.Transaction
	removed []portfolio.Transaction // recorded by an earlier import and no longer needed
	// margin lists the new accounts whose cash falls below zero, with the reason.
	margin map[string]string
	cash   []openingCash
}

// addOpenings completes a change so that the ledger is valid with it. It adds the shares that the file
// sells or transfers out but never buys, at unknown cost, and lets the cash of a new account go below zero
// if the file's own lines do. Opening positions of an earlier import of the same accounts are computed
// again, because this file may be the older one that explains them. Actions on shares that were never held
// are dropped from s.added.
func (d Deps) addOpenings(l portfolio.Ledger, in *parsedFile, s *sortedEntries, c portfolio.Change) (portfolio.Change, openings, error) {
	var o openings
	if len(c.Add)+len(c.Accounts)+len(c.Aliases)+len(c.Securities)+len(c.Targets) == 0 {
		return c, o, nil // the ledger is unchanged, whether it is valid or not
	}
	earlier := earlierOpenings(l, c.Add)
	without := c
	for _, t := range earlier {
		without.Remove = append(slices.Clip(without.Remove), t.ID)
	}
	derived := false
	_, err := positions.ApplyChange(l, without)
	for err != nil {
		var overdrawn *portfolio.OverdrawnError
		switch {
		case errors.As(err, &overdrawn) && in.cash == "" && useMargin(&without, overdrawn.Account):
			if o.margin == nil {
				o.margin = map[string]string{}
			}
			o.margin[overdrawn.Account] = fmt.Sprintf("these lines alone would make the %s cash negative on %s", overdrawn.Currency, toolkit.FormatDate(overdrawn.Date))
			_, err = positions.ApplyChange(l, without)
		case errors.Is(err, portfolio.ErrNotHeld) && in.refuseOpenings:
			return c, o, openingsError(l, in, s, c, err)
		case errors.Is(err, portfolio.ErrNotHeld) && !derived:
			derived = true
			without, err = d.deriveOpenings(l, s, without, earlier, &o)
		default:
			return c, o, ledgerError(err, *s, without)
		}
	}
	o.removed = slices.DeleteFunc(earlier, func(t portfolio.Transaction) bool { return !slices.Contains(without.Remove, t.ID) })
	return without, o, nil
}

// earlierOpenings returns the opening positions that imports recorded in the accounts of added.
func earlierOpenings(l portfolio.Ledger, added []portfolio.Transaction) []portfolio.Transaction {
	touched := map[string]bool{}
	for i := range added {
		touched[added[i].Account] = true
	}
	var found []portfolio.Transaction
	for i := range l.Transactions {
		if t := &l.Transactions[i]; t.Kind == portfolio.KindTransferIn && t.CostUnknown && t.Source == "" && t.Note == openingNote && touched[t.Account] {
			found = append(found, *t)
		}
	}
	return found
}

// deriveOpenings adds to c the openings that the ledger would lack after it. Openings that are already
// recorded are kept.
func (d Deps) deriveOpenings(l portfolio.Ledger, s *sortedEntries, c portfolio.Change, earlier []portfolio.Transaction, o *openings) (portfolio.Change, error) {
	changed, err := positions.WithAdded(l, portfolio.Change{Remove: c.Remove, Accounts: c.Accounts, Aliases: c.Aliases, Securities: c.Securities, Add: c.Add})
	if err != nil {
		return c, err
	}
	found, idle, err := lots.Openings(changed, s.held)
	if err != nil {
		return c, err
	}
	c.Add = s.drop(idle)
	for _, t := range found {
		t.Note = openingNote
		same := slices.IndexFunc(earlier, func(e portfolio.Transaction) bool {
			return e.Account == t.Account && positions.ResolveAlias(changed.Aliases, e.Symbol) == t.Symbol && e.Date.Equal(t.Date) && e.Quantity.Equal(t.Quantity)
		})
		if same >= 0 {
			c.Remove = slices.DeleteFunc(slices.Clone(c.Remove), func(id string) bool { return id == earlier[same].ID })
			continue
		}
		o.added = append(o.added, t)
	}
	ids, err := d.NewIDs(len(o.added))
	if err != nil {
		return c, err
	}
	for i := range o.added {
		o.added[i].ID = ids[i]
	}
	c.Add = slices.Concat(c.Add, o.added)
	_, err = positions.ApplyChange(l, c)
	return c, err
}

// drop removes and reports actions on shares that were never held.
func (s *sortedEntries) drop(idle []string) []portfolio.Transaction {
	if len(idle) == 0 {
		return s.added
	}
	s.added = slices.DeleteFunc(slices.Clone(s.added), func(t portfolio.Transaction) bool {
		if !slices.Contains(idle, t.ID) || len(s.lines[t.ID]) == 0 {
			return false
		}
		s.problems = append(s.problems, newProblem(importer.Entry{Lines: s.lines[t.ID], Transaction: t},
			fmt.Sprintf("the ledger has no earlier position in %s, and the file gives no quantity: import the older files, or enter the purchase and this %s manually", t.Symbol, t.Kind)))
		return true
	})
	s.sortProblems()
	return s.added
}

// useMargin lets the cash of a new account be negative. It reports false if the account is not new or its
// cash already may be.
func useMargin(c *portfolio.Change, account string) bool {
	i := slices.IndexFunc(c.Accounts, func(a portfolio.Account) bool { return a.Name == account })
	if i < 0 || c.Accounts[i].Cash != portfolio.CashTracked {
		return false
	}
	c.Accounts = slices.Clone(c.Accounts)
	c.Accounts[i].Cash = portfolio.CashMargin
	return true
}

// openingsError names all missing shares at once.
func openingsError(l portfolio.Ledger, in *parsedFile, s *sortedEntries, c portfolio.Change, cause error) error {
	changed, err := positions.WithAdded(l, portfolio.Change{Accounts: c.Accounts, Aliases: c.Aliases, Add: c.Add})
	if err != nil {
		return ledgerError(err, *s, c)
	}
	found, _, err := lots.Openings(changed, s.held)
	if err != nil || len(found) == 0 {
		return ledgerError(cause, *s, c)
	}
	var list ownLines
	for i, t := range found {
		if i == maxProblems {
			list.add("- and %d more", len(found)-i)
			break
		}
		list.add("- %s %s on %s in %q", toolkit.Amount(t.Quantity.String()), t.Symbol, toolkit.FormatDate(t.Date), t.Account)
	}
	return toolkit.Errorf("%w: nothing was written; %s sells or transfers out shares that it never buys:\n%s\nimport the older files of the account first, or call again with opening true to record each as an opening position at unknown cost: %w",
		errImport, in.file.Name, list, positions.Redact(cause))
}

// heldQuantity is the quantity held according to a line of the file, by transaction ID.
type heldQuantity map[string]decimal.Decimal
