package sqlite

import (
	"context"
	"database/sql"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
)

// JournalEntry is a decision or a watch as it is written: one row, and those that belong to it.
type JournalEntry struct {
	rows                           [][]any
	deleteOld, insert, insertChild string
}

// Put writes it in the place of that of its name.
func (e JournalEntry) Put(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, e.deleteOld, e.rows[0][0]); err != nil {
		return err
	}
	statement := e.insert
	for _, row := range e.rows {
		if _, err := tx.ExecContext(ctx, statement, row...); err != nil {
			return err
		}
		statement = e.insertChild
	}
	return nil
}

// LoadDecisions lists all of them, oldest first; those of a day by ID.
func LoadDecisions(ctx context.Context, tx *sql.Tx) (all []investor.Decision, err error) {
	place := map[string]int{} // in all
	names := []string{"id", "date", "action", "thesis", "disproof", "review_on", "confidence", "closed", "outcome"}
	err = eachRow(ctx, tx, smallTable{"decision", names, "date, id"}, func(p *rowParser) {
		d := investor.Decision{
			ID: p.text(), Date: p.date(), Action: investor.DecisionAction(p.text()), Thesis: p.text(), Invalidation: p.text(),
			ReviewOn: p.date(), Confidence: p.decimal(), Closed: p.date(), Outcome: p.text(),
		}
		place[d.ID] = len(all)
		all = append(all, d)
	})
	if err != nil {
		return nil, err
	}
	marks := smallTable{"decision_mark", []string{"decision_id", "position", "symbol", "price", "currency", "as_of", "source"}, "decision_id, position"}
	return all, eachRow(ctx, tx, marks, func(p *rowParser) {
		i, ok := place[p.text()]
		benchmark := p.text() == "0"
		m := investor.PricedAsset{Symbol: market.Symbol(p.text()), Price: p.decimal(), Currency: p.text(), AsOf: p.date(), Source: p.text()}
		switch {
		case !ok: // of a decision that somebody took out by hand
		case benchmark:
			all[i].Benchmark = &m
		default:
			all[i].Assets = append(all[i].Assets, m)
		}
	})
}

// DecisionEntry is how a decision is written, or why it would not come back as it is.
func DecisionEntry(d investor.Decision) (JournalEntry, error) {
	w := &rowWriter{}
	rows := [][]any{{
		w.required("id", d.ID), w.date("date", d.Date), w.required("action", string(d.Action)), w.required("thesis", d.Thesis), w.required("disproof", d.Invalidation),
		w.dateOrNone("review_on", d.ReviewOn), w.decimalIfValid("confidence", d.Confidence), w.dateOrNone("closed", d.Closed), w.text("outcome", d.Outcome),
	}}
	mark := func(position int, m investor.PricedAsset) {
		rows = append(rows, []any{
			d.ID, position, w.required("symbol", string(m.Symbol)), w.decimalIfValid("price", m.Price), w.text("currency", m.Currency),
			w.dateOrNone("as_of", m.AsOf), w.text("source", m.Source),
		})
	}
	if d.Benchmark != nil {
		mark(0, *d.Benchmark)
	}
	for i, m := range d.Assets {
		mark(i+1, m)
	}
	return JournalEntry{
		rows: rows, deleteOld: "DELETE FROM decision WHERE id = ?",
		insert:      "INSERT INTO decision (id, date, action, thesis, disproof, review_on, confidence, closed, outcome) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
		insertChild: "INSERT INTO decision_mark (decision_id, position, symbol, price, currency, as_of, source) VALUES (?, ?, ?, ?, ?, ?, ?)",
	}, w.err
}

// LoadWatches lists all of them by their symbols.
func LoadWatches(ctx context.Context, tx *sql.Tx) (all []investor.WatchedSymbol, err error) {
	place := map[market.Symbol]int{} // in all
	err = eachRow(ctx, tx, smallTable{"watch", []string{"symbol", "added", "note"}, "symbol"}, func(p *rowParser) {
		w := investor.WatchedSymbol{Symbol: market.Symbol(p.text()), Added: p.date(), Note: p.text()}
		place[w.Symbol] = len(all)
		all = append(all, w)
	})
	if err != nil {
		return nil, err
	}
	targets := smallTable{"watch_target", []string{"symbol", "side", "price", "currency"}, "symbol, position"}
	return all, eachRow(ctx, tx, targets, func(p *rowParser) {
		symbol := market.Symbol(p.text())
		t := investor.PriceTarget{Side: investor.TargetSide(p.text()), Price: p.decimal().Decimal, Currency: p.text()}
		if i, ok := place[symbol]; ok {
			all[i].Targets = append(all[i].Targets, t)
		}
	})
}

// WatchEntry is how a watch is written, or why it would not come back as it is.
func WatchEntry(w investor.WatchedSymbol) (JournalEntry, error) {
	v := &rowWriter{}
	rows := [][]any{{v.required("symbol", string(w.Symbol)), v.date("added", w.Added), v.text("note", w.Note)}}
	for i, t := range w.Targets {
		rows = append(rows, []any{string(w.Symbol), i + 1, string(t.Side), v.decimal("price", t.Price), t.Currency})
	}
	return JournalEntry{
		rows: rows, deleteOld: "DELETE FROM watch WHERE symbol = ?",
		insert:      "INSERT INTO watch (symbol, added, note) VALUES (?, ?, ?)",
		insertChild: "INSERT INTO watch_target (symbol, position, side, price, currency) VALUES (?, ?, ?, ?, ?)",
	}, v.err
}
