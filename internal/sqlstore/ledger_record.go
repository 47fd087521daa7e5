package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// recordChange writes a change to l, which was loaded in the same transaction. A change that l does
// not allow is an error of package portfolio, and tx must then be rolled back. Removals come first,
// so that a transaction can be corrected under the same ID, which lots refer to.
func (s Portfolio) recordChange(ctx context.Context, tx Tx, l portfolio.Ledger, c portfolio.Change) error {
	// The database checks the IDs of transactions itself. Searching all of them for each addition would
	// take as long as loading them.
	known := l
	known.Transactions = nil
	c = known.Merge(c)
	settings := c
	settings.Add, settings.Remove = nil, nil
	if _, err := known.Apply(settings); err != nil {
		return err
	}
	now := formatTimestamp(s.engine.Now())
	if err := recordAccounts(ctx, tx, c.Accounts); err != nil {
		return err
	}
	if err := recordAliases(ctx, tx, c.Aliases); err != nil {
		return err
	}
	if err := recordSecurities(ctx, tx, c.Securities); err != nil {
		return err
	}
	if err := recordTargets(ctx, tx, c.Targets); err != nil {
		return err
	}
	if err := removeTransactions(ctx, tx, c.Remove, now); err != nil {
		return err
	}
	return s.addTransactions(ctx, tx, l, c, now)
}

func recordAccounts(ctx context.Context, tx Tx, accounts []portfolio.Account) error {
	for _, a := range accounts {
		if err := checkAccount(a); err != nil {
			return fmt.Errorf("save account: %w", err)
		}
		w := &rowWriter{}
		name, owner := w.required("name", a.Name), w.text("owner", a.Owner)
		if w.err != nil {
			return fmt.Errorf("save account %q: %w", a.Name, w.err)
		}
		err := updateOrInsert(ctx, tx, "account", []string{"cost_basis", "cash", "untaxed", "owner"}, []any{string(a.Method), string(a.Cash), flag(a.Untaxed), owner},
			[]string{"name"}, []any{name})
		if err != nil {
			return fmt.Errorf("save account %q: %w", a.Name, err)
		}
	}
	return nil
}

func recordAliases(ctx context.Context, tx Tx, aliases map[market.Symbol]market.Symbol) error {
	for name, symbol := range aliases {
		w := &rowWriter{}
		w.required("name", string(name))
		w.text("symbol", string(symbol))
		err := w.err
		if err != nil {
			return fmt.Errorf("save alias %q: %w", name, err)
		}
		if symbol == "" {
			_, err = tx.ExecContext(ctx, "DELETE FROM alias WHERE name = ?", string(name))
		} else {
			err = updateOrInsert(ctx, tx, "alias", []string{"symbol"}, []any{string(symbol)}, []string{"name"}, []any{string(name)})
		}
		if err != nil {
			return fmt.Errorf("save alias %q: %w", name, err)
		}
	}
	return nil
}

// recordSecurities replaces the facts about securities. A security without facts is deleted.
func recordSecurities(ctx context.Context, tx Tx, securities []portfolio.Security) error {
	for _, s := range securities {
		w := &rowWriter{}
		row := []any{
			w.required("symbol", string(s.Symbol)), w.text("class", string(s.Class)), w.text("region", s.Region), w.text("sector", s.Sector),
			w.decimalIfValid("fee", s.Fee), w.dateOrNone("said", s.RecordedOn), w.text("exchange", s.Exchange), w.text("currency", s.Currency),
		}
		if w.err != nil {
			return fmt.Errorf("save %s: %w: %w", s.Symbol, portfolio.ErrInvalid, w.err)
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM security WHERE symbol = ?", row[0]); err != nil {
			return fmt.Errorf("save %s: %w", s.Symbol, err)
		}
		if s.IsEmpty() {
			continue
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO security (symbol, class, region, sector, fee, said, exchange, currency) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row...); err != nil {
			return fmt.Errorf("save %s: %w", s.Symbol, err)
		}
	}
	return nil
}

// recordTargets replaces all targets, because they belong together; nil keeps them.
func recordTargets(ctx context.Context, tx Tx, targets []portfolio.Target) error {
	if targets == nil {
		return nil
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM target"); err != nil {
		return fmt.Errorf("save targets: %w", err)
	}
	for _, t := range targets {
		w := &rowWriter{}
		symbol, weight := w.required("symbol", string(t.Symbol)), w.decimal("weight", t.Weight)
		if w.err != nil {
			return fmt.Errorf("save target of %s: %w: %w", t.Symbol, portfolio.ErrInvalid, w.err)
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO target (symbol, weight) VALUES (?, ?)", symbol, weight); err != nil {
			return fmt.Errorf("save target of %s: %w", t.Symbol, err)
		}
	}
	return nil
}

func removeTransactions(ctx context.Context, tx Tx, ids []string, now string) error {
	removed := make(map[string]bool, len(ids))
	for _, id := range ids {
		if removed[id] {
			continue
		}
		removed[id] = true
		result, err := tx.ExecContext(ctx, "UPDATE transactions SET removed_at = ? WHERE id = ? AND removed_at IS NULL", now, id)
		if err != nil {
			return fmt.Errorf("remove transaction %s: %w", id, err)
		}
		if n, err := result.RowsAffected(); err != nil || n != 1 {
			return errors.Join(err, fmt.Errorf("remove transaction %s: %w", id, portfolio.ErrUnknownTransaction))
		}
	}
	return nil
}

func (s Portfolio) addTransactions(ctx context.Context, tx Tx, l portfolio.Ledger, c portfolio.Change, now string) error {
	if len(c.Add) == 0 {
		return nil
	}
	columns := append(transactionColumns(), "recorded_at")
	single, err := tx.PrepareContext(ctx, insertStatement("transactions", columns))
	if err != nil {
		return fmt.Errorf("add transactions: %w", err)
	}
	defer single.Close()
	var several *sql.Stmt
	if len(c.Add) >= addedTogether {
		if several, err = tx.PrepareContext(ctx, insertRows("transactions", columns, addedTogether)); err != nil {
			return fmt.Errorf("add transactions: %w", err)
		}
		defer several.Close()
	}
	for chunk := range slices.Chunk(c.Add, addedTogether) {
		if len(chunk) == addedTogether {
			added, err := addTogether(ctx, tx, several, chunk, now)
			if err != nil {
				return fmt.Errorf("add transactions: %w", err)
			}
			if added {
				continue
			}
		}
		for _, t := range chunk {
			err := addTransaction(ctx, tx, single, t, now)
			if err = s.explainRefusal(l, c, t, err); err != nil {
				return fmt.Errorf("add transaction %s: %w", t.ID, err)
			}
		}
	}
	return nil
}

// addedTogether is the number of transactions in one statement. An import of 20,000 transactions takes half
// the time with one statement for 64 of them.
const addedTogether = 64

// addTogether adds transactions with one statement. If it cannot, it adds none and returns false, so that
// adding them one by one shows which of them is refused.
func addTogether(ctx context.Context, tx Tx, insert *sql.Stmt, all []portfolio.Transaction, now string) (added bool, err error) {
	values := make([]any, 0, len(all)*32)
	for _, t := range all {
		row, err := transactionRow(t)
		if err != nil || len(t.Lots) > 0 || t.Validate() != nil {
			return false, nil
		}
		values = append(append(values, row...), now)
	}
	if _, err := tx.ExecContext(ctx, "SAVEPOINT added_together"); err != nil {
		return false, err
	}
	_, refused := insert.ExecContext(ctx, values...)
	if refused != nil {
		if _, err := tx.ExecContext(ctx, "ROLLBACK TO SAVEPOINT added_together"); err != nil {
			return false, errors.Join(refused, err)
		}
	}
	_, err = tx.ExecContext(ctx, "RELEASE SAVEPOINT added_together")
	return refused == nil, err
}

func addTransaction(ctx context.Context, tx Tx, insert *sql.Stmt, t portfolio.Transaction, now string) error {
	if err := t.Validate(); err != nil {
		return err
	}
	row, err := transactionRow(t)
	if err != nil {
		return fmt.Errorf("%w: %w", portfolio.ErrInvalid, err)
	}
	if _, err := insert.ExecContext(ctx, append(row, now)...); err != nil {
		return err
	}
	if len(t.Lots) == 0 {
		return nil
	}
	var seq int64
	if err := tx.QueryRowContext(ctx, "SELECT seq FROM transactions WHERE id = ? AND removed_at IS NULL", t.ID).Scan(&seq); err != nil {
		return err
	}
	for i, pick := range t.Lots {
		w := &rowWriter{}
		lot, quantity := w.text("lot", pick.Lot), w.decimal("quantity", pick.Quantity)
		if w.err != nil {
			return fmt.Errorf("%w: lots: %w", portfolio.ErrInvalid, w.err)
		}
		if _, err := tx.ExecContext(ctx, insertStatement("lot_pick", []string{"transaction_seq", "position", "lot", "quantity"}), seq, i+1, lot, quantity); err != nil {
			return fmt.Errorf("lot %q: %w", pick.Lot, err)
		}
	}
	return nil
}

// explainRefusal describes why the database refused a transaction of c, in terms of the ledger.
func (s Portfolio) explainRefusal(l portfolio.Ledger, c portfolio.Change, t portfolio.Transaction, err error) error {
	same := func(other portfolio.Transaction) bool { return other.ID == t.ID }
	switch s.engine.Refusal(err) {
	case ErrUnique:
		if slices.ContainsFunc(l.Transactions, same) && !slices.Contains(c.Remove, t.ID) || len(slices.DeleteFunc(slices.Clone(c.Add), same)) < len(c.Add)-1 {
			return fmt.Errorf("%w: the ledger already has a transaction with this ID", portfolio.ErrInvalid)
		}
		return fmt.Errorf("%w: line %q of %s is already in the ledger, in account %q", portfolio.ErrInvalid, t.SourceID, t.Source, t.Account)
	case ErrForeign:
		return unknownAccountError(l, c, t)
	case ErrCheck:
		return fmt.Errorf("%w: %w", portfolio.ErrInvalid, err)
	}
	return err
}

func unknownAccountError(l portfolio.Ledger, c portfolio.Change, t portfolio.Transaction) error {
	var names []string
	for _, a := range slices.Concat(l.Accounts, c.Accounts) {
		if !slices.Contains(names, a.Name) {
			names = append(names, a.Name)
		}
	}
	missing := t.Account
	if slices.Contains(names, t.Account) {
		missing = t.ToAccount
	}
	return fmt.Errorf("%w %q: choose from %s", portfolio.ErrUnknownAccount, missing, strings.Join(names, ", "))
}
