package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// LoadLedger loads a whole ledger. A row that a person made invalid is an error that names it.
func LoadLedger(ctx context.Context, tx Tx) (l portfolio.Ledger, err error) {
	if l.Accounts, err = loadAccounts(ctx, tx); err != nil {
		return l, err
	}
	err = forRows(ctx, tx, func(rows *sql.Rows) error {
		var name, symbol market.Symbol
		if err := rows.Scan(&name, &symbol); err != nil {
			return err
		}
		if l.Aliases == nil {
			l.Aliases = map[market.Symbol]market.Symbol{}
		}
		l.Aliases[name] = symbol
		return nil
	}, "SELECT name, symbol FROM alias")
	if err != nil {
		return l, fmt.Errorf("read aliases: %w", err)
	}
	securities := smallTable{"security", []string{"symbol", "class", "region", "sector", "fee", "said", "exchange", "currency"}, "symbol"}
	err = eachRow(ctx, tx, securities, func(p *rowParser) {
		l.Securities = append(l.Securities, portfolio.Security{
			Symbol: market.Symbol(p.text()), Class: p.class(), Region: p.text(), Sector: p.text(), Fee: p.decimal(), RecordedOn: p.date(), Exchange: p.text(), Currency: p.text(),
		})
	})
	if err != nil {
		return l, err
	}
	err = eachRow(ctx, tx, smallTable{"target", []string{"symbol", "weight"}, "symbol"}, func(p *rowParser) {
		l.Targets = append(l.Targets, portfolio.Target{Symbol: market.Symbol(p.text()), Weight: p.decimal().Decimal})
	})
	if err != nil {
		return l, err
	}
	l.Transactions, err = loadTransactions(ctx, tx)
	return l, err
}

func loadAccounts(ctx context.Context, tx Tx) (all []portfolio.Account, err error) {
	err = forRows(ctx, tx, func(rows *sql.Rows) error {
		var a portfolio.Account
		if err := rows.Scan(&a.Name, &a.Method, &a.Cash, &a.Untaxed, &a.Owner); err != nil {
			return fmt.Errorf("read accounts: %w", err)
		}
		all = append(all, a)
		return checkAccount(a)
	}, "SELECT name, cost_basis, cash, untaxed, coalesce(owner, '') FROM account ORDER BY seq")
	return all, err
}

// checkAccount checks an account when it is written and when it is read, because a person may have
// edited the row.
func checkAccount(a portfolio.Account) error {
	if !slices.Contains(portfolio.Methods(), a.Method) {
		return fmt.Errorf("account %q: cost basis %q is not one of %q", a.Name, a.Method, portfolio.Methods())
	}
	if !slices.Contains(portfolio.CashPolicies(), a.Cash) {
		return fmt.Errorf("account %q: cash %q is not one of %q", a.Name, a.Cash, portfolio.CashPolicies())
	}
	return nil
}

func loadTransactions(ctx context.Context, tx Tx) ([]portfolio.Transaction, error) {
	var count int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM transactions WHERE removed_at IS NULL").Scan(&count); err != nil {
		return nil, fmt.Errorf("count transactions: %w", err)
	}
	if count == 0 {
		return nil, nil
	}
	all, seqs := make([]portfolio.Transaction, 0, count), make([]int64, 0, count)
	parse := newRowParser()
	err := forRows(ctx, tx, func(rows *sql.Rows) error {
		var seq int64
		var row string
		if err := rows.Scan(&seq, &row); err != nil {
			return fmt.Errorf("read transactions: %w", err)
		}
		t, err := parse.transaction(seq, row)
		all, seqs = append(all, t), append(seqs, seq)
		return err
	}, "SELECT seq, "+concatColumns(transactionColumns())+" FROM transactions WHERE removed_at IS NULL ORDER BY seq")
	if err != nil {
		return nil, err
	}
	return all, loadPicks(ctx, tx, func(seq int64) *portfolio.Transaction {
		index, ok := slices.BinarySearch(seqs, seq)
		if !ok {
			return nil
		}
		return &all[index]
	})
}

// loadPicks adds the lots that transactions name. transactionOf returns the transaction of a row,
// or nil if it was not requested.
func loadPicks(ctx context.Context, tx Tx, transactionOf func(seq int64) *portfolio.Transaction) error {
	return forRows(ctx, tx, func(rows *sql.Rows) error {
		var seq int64
		var pick portfolio.LotPick
		var quantity string
		err := rows.Scan(&seq, &pick.Lot, &quantity)
		if err != nil {
			return fmt.Errorf("read lot picks: %w", err)
		}
		t := transactionOf(seq)
		if t == nil {
			return nil
		}
		if pick.Quantity, err = parseDecimal(quantity); err != nil {
			return fmt.Errorf("row %d of lot_pick, of transaction %s: quantity: %w", seq, t.ID, err)
		}
		t.Lots = append(t.Lots, pick)
		return nil
	}, "SELECT transaction_seq, lot, quantity FROM lot_pick ORDER BY transaction_seq, position")
}

// transactionColumns returns the columns of a transaction, in the order used by transactionRow and
// rowParser.
func transactionColumns() []string {
	return []string{
		"id", "date", "time", "kind", "account", "symbol", "isin", "name", "quantity", "price", "currency", "amount", "fee", "tax",
		"cost_unknown", "acquired", "to_account", "to_symbol", "to_currency", "to_amount", "new", "old", "cost_part",
		"short", "note", "source", "source_id",
	}
}
