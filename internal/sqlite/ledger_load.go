package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// LoadLedger reads all of a ledger. A row that a person has spoilt is an error that names
// it.
func LoadLedger(ctx context.Context, tx *sql.Tx) (l portfolio.Ledger, err error) {
	if l.Accounts, err = loadAccounts(ctx, tx); err != nil {
		return l, err
	}
	if l.Aliases, err = loadAliases(ctx, tx); err != nil {
		return l, err
	}
	if l.Securities, err = loadSecurities(ctx, tx); err != nil {
		return l, err
	}
	if l.Targets, err = loadTargets(ctx, tx); err != nil {
		return l, err
	}
	l.Transactions, err = loadTransactions(ctx, tx)
	return l, err
}

func loadAccounts(ctx context.Context, tx *sql.Tx) ([]portfolio.Account, error) {
	rows, err := tx.QueryContext(ctx, "SELECT name, cost_basis, cash, untaxed, coalesce(owner, '') FROM account ORDER BY seq")
	if err != nil {
		return nil, fmt.Errorf("reading accounts: %w", err)
	}
	defer rows.Close()
	var all []portfolio.Account
	for rows.Next() {
		var a portfolio.Account
		if err := rows.Scan(&a.Name, &a.Method, &a.Cash, &a.Untaxed, &a.Owner); err != nil {
			return nil, fmt.Errorf("reading accounts: %w", err)
		}
		if err := checkAccount(a); err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("reading accounts: %w", err)
	}
	return all, nil
}

// checkAccount holds an account to what the engine knows, on its way in as on its
// way out: a person may have written the row.
func checkAccount(a portfolio.Account) error {
	if !slices.Contains(portfolio.Methods(), a.Method) {
		return fmt.Errorf("account %q: cost basis %q is none of %q", a.Name, a.Method, portfolio.Methods())
	}
	if !slices.Contains(portfolio.CashPolicies(), a.Cash) {
		return fmt.Errorf("account %q: cash %q is none of %q", a.Name, a.Cash, portfolio.CashPolicies())
	}
	return nil
}

func loadAliases(ctx context.Context, tx *sql.Tx) (map[market.Symbol]market.Symbol, error) {
	rows, err := tx.QueryContext(ctx, "SELECT name, symbol FROM alias")
	if err != nil {
		return nil, fmt.Errorf("reading aliases: %w", err)
	}
	defer rows.Close()
	var all map[market.Symbol]market.Symbol
	for rows.Next() {
		var name, symbol market.Symbol
		if err := rows.Scan(&name, &symbol); err != nil {
			return nil, fmt.Errorf("reading aliases: %w", err)
		}
		if all == nil {
			all = map[market.Symbol]market.Symbol{}
		}
		all[name] = symbol
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("reading aliases: %w", err)
	}
	return all, nil
}

func loadTransactions(ctx context.Context, tx *sql.Tx) ([]portfolio.Transaction, error) {
	var count int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM transactions WHERE removed_at IS NULL").Scan(&count); err != nil {
		return nil, fmt.Errorf("counting transactions: %w", err)
	}
	if count == 0 {
		return nil, nil
	}
	all, seqs := make([]portfolio.Transaction, 0, count), make([]int64, 0, count)
	rows, err := tx.QueryContext(ctx, "SELECT seq, "+concatColumns(transactionColumns())+" FROM transactions WHERE removed_at IS NULL ORDER BY seq")
	if err != nil {
		return nil, fmt.Errorf("reading transactions: %w", err)
	}
	defer rows.Close()
	parse := newRowParser()
	for rows.Next() {
		var seq int64
		var row string
		if err := rows.Scan(&seq, &row); err != nil {
			return nil, fmt.Errorf("reading transactions: %w", err)
		}
		t, err := parse.transaction(seq, row)
		if err != nil {
			return nil, err
		}
		all, seqs = append(all, t), append(seqs, seq)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("reading transactions: %w", err)
	}
	return all, loadPicks(ctx, tx, func(seq int64) *portfolio.Transaction {
		index, ok := slices.BinarySearch(seqs, seq)
		if !ok {
			return nil
		}
		return &all[index]
	})
}

// loadPicks gives transactions the lots that they name; of is the one of a row, nil
// where it is not asked for.
func loadPicks(ctx context.Context, tx *sql.Tx, transactionOf func(seq int64) *portfolio.Transaction) error {
	rows, err := tx.QueryContext(ctx, "SELECT transaction_seq, lot, quantity FROM lot_pick ORDER BY transaction_seq, position")
	if err != nil {
		return fmt.Errorf("reading picks of lots: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var seq int64
		var pick portfolio.LotPick
		var quantity string
		if err := rows.Scan(&seq, &pick.Lot, &quantity); err != nil {
			return fmt.Errorf("reading picks of lots: %w", err)
		}
		t := transactionOf(seq)
		if t == nil {
			continue
		}
		if pick.Quantity, err = parseDecimal(quantity); err != nil {
			return fmt.Errorf("row %d of lot_pick, of transaction %s: quantity: %w", seq, t.ID, err)
		}
		t.Lots = append(t.Lots, pick)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("reading picks of lots: %w", err)
	}
	return nil
}

// transactionColumns are those of a transaction, in the order in which transactionRow writes
// and rowParser reads them.
func transactionColumns() []string {
	return []string{
		"id", "date", "time", "kind", "account", "symbol", "isin", "name", "quantity", "price", "currency", "amount", "fee", "tax",
		"cost_unknown", "acquired", "to_account", "to_symbol", "to_currency", "to_amount", "new", "old", "cost_part",
		"short", "note", "source", "source_id",
	}
}

// separator stands between the columns of a row on its way from SQLite. No text of
// a transaction has it.
const separator = "\x1f"

// concatColumns selects all columns as one text: a row costs the driver as much for each
// value that it hands over, and most are not there.
func concatColumns(columns []string) string {
	return "concat_ws(char(31), coalesce(" + strings.Join(columns, ", ''), coalesce(") + ", ''))"
}
