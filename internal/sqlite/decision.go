package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/market"
)

// Decisions lists all of them, oldest first; those of a day by ID.
func (b *Book) Decisions(ctx context.Context) (all []journal.Decision, err error) {
	defer b.explain(&err)
	err = b.reading(ctx, func(tx *sql.Tx) error {
		place := map[string]int{} // in all
		names := []string{"id", "date", "action", "thesis", "disproof", "review_on", "confidence", "closed", "outcome"}
		err := eachRow(ctx, tx, table{"decision", names, "date, id"}, func(p *rowParser) {
			d := journal.Decision{
				ID: p.text(), Date: p.date(), Action: journal.Action(p.text()), Thesis: p.text(), Disproof: p.text(),
				ReviewOn: p.date(), Confidence: p.decimal(), Closed: p.date(), Outcome: p.text(),
			}
			place[d.ID] = len(all)
			all = append(all, d)
		})
		if err != nil {
			return err
		}
		marks := table{"decision_mark", []string{"decision_id", "position", "symbol", "price", "currency", "as_of", "source"}, "decision_id, position"}
		return eachRow(ctx, tx, marks, func(p *rowParser) {
			i, ok := place[p.text()]
			benchmark := p.text() == "0"
			m := journal.Mark{Symbol: market.Symbol(p.text()), Price: p.decimal(), Currency: p.text(), AsOf: p.date(), Source: p.text()}
			switch {
			case !ok: // of a decision that somebody took out by hand
			case benchmark:
				all[i].Benchmark = &m
			default:
				all[i].Marks = append(all[i].Marks, m)
			}
		})
	})
	if err != nil {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	return all, nil
}

// PutDecision adds d, or puts it in the place of that of its ID.
func (b *Book) PutDecision(ctx context.Context, d journal.Decision) error {
	if err := d.Validate(); err != nil {
		return err
	}
	rows, err := decisionRows(d)
	if err != nil {
		return fmt.Errorf("decision %s: %w: %w", d.ID, journal.ErrInvalid, err)
	}
	return b.writing(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "DELETE FROM decision WHERE id = ?", d.ID); err != nil {
			return fmt.Errorf("decision %s: %w", d.ID, err)
		}
		err := insertAll(ctx, tx, rows,
			"INSERT INTO decision (id, date, action, thesis, disproof, review_on, confidence, closed, outcome) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
			"INSERT INTO decision_mark (decision_id, position, symbol, price, currency, as_of, source) VALUES (?, ?, ?, ?, ?, ?, ?)")
		if err != nil {
			return fmt.Errorf("decision %s: %w", d.ID, err)
		}
		return nil
	})
}

func decisionRows(d journal.Decision) ([][]any, error) {
	w := &rowWriter{}
	rows := [][]any{{
		w.needed("id", d.ID), w.date("date", d.Date), w.needed("action", string(d.Action)), w.needed("thesis", d.Thesis), w.needed("disproof", d.Disproof),
		w.dateOrNone("review_on", d.ReviewOn), w.ifValid("confidence", d.Confidence), w.dateOrNone("closed", d.Closed), w.text("outcome", d.Outcome),
	}}
	mark := func(position int, m journal.Mark) {
		rows = append(rows, []any{
			d.ID, position, w.needed("symbol", string(m.Symbol)), w.ifValid("price", m.Price), w.text("currency", m.Currency),
			w.dateOrNone("as_of", m.AsOf), w.text("source", m.Source),
		})
	}
	if d.Benchmark != nil {
		mark(0, *d.Benchmark)
	}
	for i, m := range d.Marks {
		mark(i+1, m)
	}
	return rows, w.err
}

// RemoveDecision takes one away. Where there is none it is ErrNotFound.
func (b *Book) RemoveDecision(ctx context.Context, id string) error {
	return b.removeEntry(ctx, "DELETE FROM decision WHERE id = ?", id)
}
