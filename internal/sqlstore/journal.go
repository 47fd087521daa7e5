package sqlstore

import (
	"cmp"
	"context"
	"fmt"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
)

var _ investor.JournalStore = Portfolio{}

var (
	decisionTable = smallTable{"decision", []string{"id", "date", "action", "thesis", "disproof", "review_on", "confidence", "closed", "outcome"}, "date, id"}
	markTable     = smallTable{"decision_mark", []string{"decision_id", "position", "symbol", "price", "currency", "as_of", "source"}, "decision_id, position"}
	watchTable    = smallTable{"watch", []string{"symbol", "added", "note"}, "symbol"}
	targetTable   = smallTable{"watch_target", []string{"symbol", "position", "side", "price", "currency"}, "symbol, position"}
)

// Decisions lists all decisions, oldest first; decisions of the same day by ID.
func (s Portfolio) Decisions(ctx context.Context) (all []investor.Decision, err error) {
	place := map[string]int{} // index in all
	err = s.engine.Read(ctx, func(tx Tx) error {
		err := eachRow(ctx, tx, decisionTable, func(p *rowParser) {
			d := investor.Decision{
				ID: p.text(), Date: p.date(), Action: investor.DecisionAction(p.text()), Thesis: p.text(), Invalidation: p.text(),
				ReviewOn: p.date(), Confidence: p.decimal(), Closed: p.date(), Outcome: p.text(),
			}
			place[d.ID] = len(all)
			all = append(all, d)
		})
		if err != nil {
			return err
		}
		return eachRow(ctx, tx, markTable, func(p *rowParser) {
			i, ok := place[p.text()]
			benchmark := p.text() == "0"
			m := investor.PricedAsset{Symbol: market.Symbol(p.text()), Price: p.decimal(), Currency: p.text(), AsOf: p.date(), Source: p.text()}
			switch {
			case !ok: // a person deleted the decision with another program
			case benchmark:
				all[i].Benchmark = &m
			default:
				all[i].Assets = append(all[i].Assets, m)
			}
		})
	})
	if err != nil {
		return nil, fmt.Errorf("read journal: %w", err)
	}
	return all, nil
}

// PutDecision adds a decision, or replaces the one with the same ID.
func (s Portfolio) PutDecision(ctx context.Context, d investor.Decision) error {
	if err := d.Validate(); err != nil {
		return err
	}
	w := &rowWriter{}
	row := []any{
		w.required("id", d.ID), w.date("date", d.Date), w.required("action", string(d.Action)), w.required("thesis", d.Thesis), w.required("disproof", d.Invalidation),
		w.dateOrNone("review_on", d.ReviewOn), w.decimalIfValid("confidence", d.Confidence), w.dateOrNone("closed", d.Closed), w.text("outcome", d.Outcome),
	}
	var marks [][]any
	mark := func(position int, m investor.PricedAsset) {
		marks = append(marks, []any{
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
	if w.err != nil {
		return fmt.Errorf("decision %s: %w: %w", d.ID, investor.ErrInvalidEntry, w.err)
	}
	return s.engine.Write(ctx, func(tx Tx) error {
		if err := replaceRow(ctx, tx, decisionTable, row, markTable, marks); err != nil {
			return fmt.Errorf("decision %s: %w", d.ID, err)
		}
		return nil
	})
}

// RemoveDecision removes a decision. An unknown ID is ErrEntryNotFound.
func (s Portfolio) RemoveDecision(ctx context.Context, id string) error {
	return s.removeEntry(ctx, "DELETE FROM decision WHERE id = ?", id)
}

// Watches lists the watched symbols in their saved order.
func (s Portfolio) Watches(ctx context.Context) (all []investor.WatchedSymbol, err error) {
	place := map[market.Symbol]int{} // index in all
	err = s.engine.Read(ctx, func(tx Tx) error {
		err := eachRow(ctx, tx, watchTable, func(p *rowParser) {
			w := investor.WatchedSymbol{Symbol: market.Symbol(p.text()), Added: p.date(), Note: p.text()}
			place[w.Symbol] = len(all)
			all = append(all, w)
		})
		if err != nil {
			return err
		}
		return eachRow(ctx, tx, targetTable, func(p *rowParser) {
			symbol, _ := market.Symbol(p.text()), p.text()
			t := investor.PriceTarget{Side: investor.TargetSide(p.text()), Price: p.decimal().Decimal, Currency: p.text()}
			if i, ok := place[symbol]; ok {
				all[i].Targets = append(all[i].Targets, t)
			}
		})
	})
	if err != nil {
		return nil, fmt.Errorf("read watchlist: %w", err)
	}
	return all, nil
}

// PutWatch adds a watched symbol, or replaces its entry.
func (s Portfolio) PutWatch(ctx context.Context, watched investor.WatchedSymbol) error {
	if err := watched.Validate(); err != nil {
		return err
	}
	w := &rowWriter{}
	row := []any{w.required("symbol", string(watched.Symbol)), w.date("added", watched.Added), w.text("note", watched.Note)}
	var targets [][]any
	for i, t := range watched.Targets {
		targets = append(targets, []any{string(watched.Symbol), i + 1, string(t.Side), w.decimal("price", t.Price), t.Currency})
	}
	if w.err != nil {
		return fmt.Errorf("watch %s: %w: %w", watched.Symbol, investor.ErrInvalidEntry, w.err)
	}
	return s.engine.Write(ctx, func(tx Tx) error {
		if err := replaceRow(ctx, tx, watchTable, row, targetTable, targets); err != nil {
			return fmt.Errorf("watch %s: %w", watched.Symbol, err)
		}
		return nil
	})
}

// RemoveWatch removes a watched symbol. An unknown symbol is ErrEntryNotFound.
func (s Portfolio) RemoveWatch(ctx context.Context, symbol market.Symbol) error {
	return s.removeEntry(ctx, "DELETE FROM watch WHERE symbol = ?", string(symbol))
}

// removeEntry runs the statement that deletes the entry called name.
func (s Portfolio) removeEntry(ctx context.Context, statement, name string) error {
	return s.engine.Write(ctx, func(tx Tx) error {
		result, err := tx.ExecContext(ctx, statement, name)
		if err != nil {
			return fmt.Errorf("remove %s: %w", name, err)
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return fmt.Errorf("remove %.64q: %w", name, cmp.Or(err, investor.ErrEntryNotFound))
		}
		return nil
	})
}
