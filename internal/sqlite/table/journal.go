package table

import (
	"context"
	"database/sql"

	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/market"
)

// Entry is a decision or a watch as it is written: one row, and those that belong to it.
type Entry struct {
	rows               [][]any
	remove, head, each string
}

// Put writes it in the place of that of its name.
func (e Entry) Put(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, e.remove, e.rows[0][0]); err != nil {
		return err
	}
	statement := e.head
	for _, row := range e.rows {
		if _, err := tx.ExecContext(ctx, statement, row...); err != nil {
			return err
		}
		statement = e.each
	}
	return nil
}

// LoadDecisions lists all of them, oldest first; those of a day by ID.
func LoadDecisions(ctx context.Context, tx *sql.Tx) (all []journal.Decision, err error) {
	place := map[string]int{} // in all
	names := []string{"id", "date", "action", "thesis", "disproof", "review_on", "confidence", "closed", "outcome"}
	err = eachRow(ctx, tx, small{"decision", names, "date, id"}, func(p *rowParser) {
		d := journal.Decision{
			ID: p.text(), Date: p.date(), Action: journal.Action(p.text()), Thesis: p.text(), Disproof: p.text(),
			ReviewOn: p.date(), Confidence: p.decimal(), Closed: p.date(), Outcome: p.text(),
		}
		place[d.ID] = len(all)
		all = append(all, d)
	})
	if err != nil {
		return nil, err
	}
	marks := small{"decision_mark", []string{"decision_id", "position", "symbol", "price", "currency", "as_of", "source"}, "decision_id, position"}
	return all, eachRow(ctx, tx, marks, func(p *rowParser) {
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
}

// DecisionOf is how a decision is written, or why it would not come back as it is.
func DecisionOf(d journal.Decision) (Entry, error) {
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
	return Entry{
		rows: rows, remove: "DELETE FROM decision WHERE id = ?",
		head: "INSERT INTO decision (id, date, action, thesis, disproof, review_on, confidence, closed, outcome) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
		each: "INSERT INTO decision_mark (decision_id, position, symbol, price, currency, as_of, source) VALUES (?, ?, ?, ?, ?, ?, ?)",
	}, w.err
}

// LoadWatches lists all of them by their symbols.
func LoadWatches(ctx context.Context, tx *sql.Tx) (all []journal.Watch, err error) {
	place := map[market.Symbol]int{} // in all
	err = eachRow(ctx, tx, small{"watch", []string{"symbol", "added", "note"}, "symbol"}, func(p *rowParser) {
		w := journal.Watch{Symbol: market.Symbol(p.text()), Added: p.date(), Note: p.text()}
		place[w.Symbol] = len(all)
		all = append(all, w)
	})
	if err != nil {
		return nil, err
	}
	targets := small{"watch_target", []string{"symbol", "side", "price", "currency"}, "symbol, position"}
	return all, eachRow(ctx, tx, targets, func(p *rowParser) {
		symbol := market.Symbol(p.text())
		t := journal.Target{Side: journal.Side(p.text()), Price: p.decimal().Decimal, Currency: p.text()}
		if i, ok := place[symbol]; ok {
			all[i].Targets = append(all[i].Targets, t)
		}
	})
}

// WatchOf is how a watch is written, or why it would not come back as it is.
func WatchOf(w journal.Watch) (Entry, error) {
	v := &rowWriter{}
	rows := [][]any{{v.needed("symbol", string(w.Symbol)), v.date("added", w.Added), v.text("note", w.Note)}}
	for i, t := range w.Targets {
		rows = append(rows, []any{string(w.Symbol), i + 1, string(t.Side), v.decimal("price", t.Price), t.Currency})
	}
	return Entry{
		rows: rows, remove: "DELETE FROM watch WHERE symbol = ?",
		head: "INSERT INTO watch (symbol, added, note) VALUES (?, ?, ?)",
		each: "INSERT INTO watch_target (symbol, position, side, price, currency) VALUES (?, ?, ?, ?, ?)",
	}, v.err
}
