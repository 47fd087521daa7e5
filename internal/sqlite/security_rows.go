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

func loadSecurities(ctx context.Context, tx *sql.Tx) ([]portfolio.Security, error) {
	table := smallTable{"security", []string{"symbol", "class", "region", "sector", "fee", "said"}, "symbol"}
	var all []portfolio.Security
	err := eachRow(ctx, tx, table, func(p *rowParser) {
		all = append(all, portfolio.Security{
			Symbol: market.Symbol(p.text()), Class: p.class(), Region: p.text(), Sector: p.text(), Fee: p.decimal(), RecordedOn: p.date(),
		})
	})
	return all, err
}

func loadTargets(ctx context.Context, tx *sql.Tx) ([]portfolio.Target, error) {
	var all []portfolio.Target
	err := eachRow(ctx, tx, smallTable{"target", []string{"symbol", "weight"}, "symbol"}, func(p *rowParser) {
		all = append(all, portfolio.Target{Symbol: market.Symbol(p.text()), Weight: p.decimal().Decimal})
	})
	return all, err
}

// smallTable is a small table, with what is read of it.
type smallTable struct {
	name    string
	columns []string // the first names a row for people
	order   string
}

// eachRow hands each row to take, which reads the columns in their order.
func eachRow(ctx context.Context, tx *sql.Tx, t smallTable, take func(*rowParser)) error {
	rows, err := tx.QueryContext(ctx, "SELECT "+concatColumns(t.columns)+" FROM "+t.name+" ORDER BY "+t.order)
	if err != nil {
		return fmt.Errorf("reading %s: %w", t.name, err)
	}
	defer rows.Close()
	p := &rowParser{columns: t.columns}
	for rows.Next() {
		var row string
		if err := rows.Scan(&row); err != nil {
			return fmt.Errorf("reading %s: %w", t.name, err)
		}
		if err := p.begin(row); err != nil {
			return fmt.Errorf("table %s: %w", t.name, err)
		}
		take(p)
		if p.err != nil {
			first, _, _ := strings.Cut(row, separator)
			return fmt.Errorf("row %q of table %s: %w", first, t.name, p.err)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("reading %s: %w", t.name, err)
	}
	return nil
}

func (p *rowParser) class() portfolio.Class {
	value := portfolio.Class(p.text())
	if value != "" && !slices.Contains(portfolio.Classes(), value) {
		p.fail(string(value), fmt.Errorf("none of %q", portfolio.Classes()))
	}
	return value
}

// recordSecurities puts what is said now in the place of what was; where nothing is
// said any more nothing stays.
func recordSecurities(ctx context.Context, tx *sql.Tx, securities []portfolio.Security) error {
	for _, s := range securities {
		w := &rowWriter{}
		row := []any{
			w.required("symbol", string(s.Symbol)), w.text("class", string(s.Class)), w.text("region", s.Region), w.text("sector", s.Sector),
			w.decimalIfValid("fee", s.Fee), w.dateOrNone("said", s.RecordedOn),
		}
		if w.err != nil {
			return fmt.Errorf("recording %s: %w: %w", s.Symbol, portfolio.ErrInvalid, w.err)
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM security WHERE symbol = ?", row[0]); err != nil {
			return fmt.Errorf("recording %s: %w", s.Symbol, err)
		}
		if s.Class == "" && s.Region == "" && s.Sector == "" && !s.Fee.Valid {
			continue
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO security (symbol, class, region, sector, fee, said) VALUES (?, ?, ?, ?, ?, ?)", row...); err != nil {
			return fmt.Errorf("recording %s: %w", s.Symbol, err)
		}
	}
	return nil
}

// recordTargets replaces all, because they belong together; nil leaves them.
func recordTargets(ctx context.Context, tx *sql.Tx, targets []portfolio.Target) error {
	if targets == nil {
		return nil
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM target"); err != nil {
		return fmt.Errorf("recording targets: %w", err)
	}
	for _, t := range targets {
		w := &rowWriter{}
		symbol, weight := w.required("symbol", string(t.Symbol)), w.decimal("weight", t.Weight)
		if w.err != nil {
			return fmt.Errorf("recording the target of %s: %w: %w", t.Symbol, portfolio.ErrInvalid, w.err)
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO target (symbol, weight) VALUES (?, ?)", symbol, weight); err != nil {
			return fmt.Errorf("recording the target of %s: %w", t.Symbol, err)
		}
	}
	return nil
}
