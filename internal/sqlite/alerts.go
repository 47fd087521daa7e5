package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/alert"
	"github.com/nfa-cli/nfa/internal/sqlstore"
)

// alertStore implements alert.Store in a DB.
type alertStore struct{ *DB }

// Alerts returns the store of alerts in this file.
func (d *DB) Alerts() alert.Store { return alertStore{d} }

// micros converts a time to a column; the zero time is 0.
func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func fromMicros(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMicro(n).UTC()
}

func (s alertStore) Rules(ctx context.Context) (rules []alert.StoredRule, err error) {
	defer s.explainError(&err)
	err = forRows(ctx, s.db, func(rows *sql.Rows) error {
		var r alert.StoredRule
		var created int64
		var paused sql.NullInt64
		var channels string
		if err := rows.Scan(&r.ID, &r.Text, &channels, &created, &paused, &r.Once); err != nil {
			return err
		}
		r.CreatedAt, r.Paused, r.PausedUntil = fromMicros(created), paused.Valid, fromMicros(paused.Int64)
		if channels != "" {
			r.Channels = strings.Split(channels, ",")
		}
		r.Rule, _ = alert.Parse(r.Text) // a later version may have written a rule that this one does not know
		rules = append(rules, r)
		return nil
	}, "SELECT 'r' || n, text, channels, created_at, paused_until, once FROM alert_rule ORDER BY n")
	if err != nil {
		return nil, fmt.Errorf("list alert rules: %w", err)
	}
	return rules, nil
}

// ruleValues returns the columns of a rule after its ID.
func ruleValues(r alert.StoredRule) []any {
	paused := sql.NullInt64{Int64: micros(r.PausedUntil), Valid: r.Paused}
	return []any{r.Text, strings.Join(r.Channels, ","), micros(r.CreatedAt), paused, r.Once}
}

func (s alertStore) AddRule(ctx context.Context, r alert.StoredRule) (id string, err error) {
	defer s.explainError(&err)
	err = s.inDurableTransaction(ctx, func(tx sqlstore.Tx) error {
		var n sql.NullInt64
		if known, err := strconv.ParseInt(strings.TrimPrefix(r.ID, "r"), 10, 64); err == nil {
			n = sql.NullInt64{Int64: known, Valid: true}
		}
		result, err := tx.ExecContext(ctx, "INSERT INTO alert_rule (n, text, channels, created_at, paused_until, once) VALUES (?, ?, ?, ?, ?, ?)", append([]any{n}, ruleValues(r)...)...)
		if err != nil {
			return err
		}
		last, err := result.LastInsertId()
		id = fmt.Sprintf("r%d", last)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("add alert rule: %w", err)
	}
	return id, nil
}

func (s alertStore) PutRule(ctx context.Context, r alert.StoredRule) error {
	return s.changeRule(ctx, r.ID, "UPDATE alert_rule SET text = ?, channels = ?, created_at = ?, paused_until = ?, once = ? WHERE 'r' || n = ?", append(ruleValues(r), r.ID)...)
}

func (s alertStore) RemoveRule(ctx context.Context, id string) error {
	return s.changeRule(ctx, id, "DELETE FROM alert_rule WHERE 'r' || n = ?", id)
}

// changeRule changes one rule, and drops the state of a rule that is no longer there.
func (s alertStore) changeRule(ctx context.Context, id, statement string, values ...any) (err error) {
	defer s.explainError(&err)
	err = s.inDurableTransaction(ctx, func(tx sqlstore.Tx) error {
		result, err := tx.ExecContext(ctx, statement, values...)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, alert.ErrNotFound)
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM alert_state WHERE rule_id = ? AND rule_id NOT IN (SELECT 'r' || n FROM alert_rule)", id)
		return err
	})
	if err != nil {
		return fmt.Errorf("change alert rule %.40q: %w", id, err)
	}
	return nil
}

func (s alertStore) States(ctx context.Context) (states []alert.State, err error) {
	defer s.explainError(&err)
	err = forRows(ctx, s.db, func(rows *sql.Rows) error {
		var state alert.State
		var asOf int64
		var value string
		if err := rows.Scan(&state.RuleID, &state.Subject, &state.Armed, &asOf, &value, &state.Edge, &state.Problem); err != nil {
			return err
		}
		state.LastAsOf = fromMicros(asOf)
		if state.LastValue, err = decimal.NewFromString(value); err != nil {
			return fmt.Errorf("value of rule %s: %w", state.RuleID, err)
		}
		states = append(states, state)
		return nil
	}, "SELECT rule_id, subject, armed, last_as_of, last_value, edge, problem FROM alert_state ORDER BY rule_id, subject")
	if err != nil {
		return nil, fmt.Errorf("list alert states: %w", err)
	}
	return states, nil
}

func (s alertStore) Record(ctx context.Context, states []alert.State, alerts []alert.NewAlert) (fresh []alert.Alert, err error) {
	defer s.explainError(&err)
	err = s.inDurableTransaction(ctx, func(tx sqlstore.Tx) error {
		fresh = nil
		for _, state := range states {
			if _, err := tx.ExecContext(ctx, `INSERT INTO alert_state (rule_id, subject, armed, last_as_of, last_value, edge, problem) VALUES (?, ?, ?, ?, ?, ?, ?)
				ON CONFLICT DO UPDATE SET armed = excluded.armed, last_as_of = excluded.last_as_of, last_value = excluded.last_value, edge = excluded.edge, problem = excluded.problem`,
				state.RuleID, state.Subject, state.Armed, micros(state.LastAsOf), state.LastValue.String(), state.Edge, state.Problem); err != nil {
				return err
			}
		}
		for _, a := range alerts {
			body, err := json.Marshal(a.Alert)
			if err != nil {
				return err
			}
			insert := func(channel string, hold, sent int64) (int64, error) {
				result, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO alert_outbox (alert_id, channel, body, created_at, hold_until, sent_at) VALUES (?, ?, ?, ?, ?, ?)",
					a.ID, channel, string(body), micros(a.At), hold, sent)
				if err != nil {
					return 0, err
				}
				return result.RowsAffected()
			}
			if n, err := insert("", 0, micros(a.At)); err != nil {
				return err
			} else if n == 0 {
				continue
			}
			fresh = append(fresh, a.Alert)
			for _, channel := range a.Channels {
				if _, err := insert(channel, micros(a.Hold), 0); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("record alerts: %w", err)
	}
	return fresh, nil
}

func (s alertStore) Alerts(ctx context.Context, limit int) ([]alert.Alert, error) {
	rows, err := s.deliveries(ctx, "channel = '' ORDER BY created_at DESC, alert_id LIMIT ?", limit)
	alerts := make([]alert.Alert, len(rows))
	for i, row := range rows {
		alerts[i] = row.Alert
	}
	return alerts, err
}

func (s alertStore) Deliveries(ctx context.Context, failedSince time.Time) ([]alert.Delivery, error) {
	return s.deliveries(ctx, "sent_at = 0 AND (next_try >= 0 OR created_at >= ?) ORDER BY created_at, alert_id, channel", micros(failedSince))
}

func (s alertStore) deliveries(ctx context.Context, where string, values ...any) (all []alert.Delivery, err error) {
	defer s.explainError(&err)
	err = forRows(ctx, s.db, func(rows *sql.Rows) error {
		var d alert.Delivery
		var body string
		var hold, next, sent int64
		if err := rows.Scan(&body, &d.Channel, &hold, &d.Tries, &next, &sent, &d.Error); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(body), &d.Alert); err != nil {
			return err
		}
		d.Hold, d.Sent, d.Failed = fromMicros(hold), fromMicros(sent), next < 0
		d.Next = fromMicros(max(next, 0))
		all = append(all, d)
		return nil
	}, "SELECT body, channel, hold_until, tries, next_try, sent_at, error FROM alert_outbox WHERE "+where, values...)
	if err != nil {
		return nil, fmt.Errorf("list alerts: %w", err)
	}
	return all, nil
}

func (s alertStore) SentSince(ctx context.Context, since time.Time) (n int, err error) {
	defer s.explainError(&err)
	err = s.db.QueryRowContext(ctx, "SELECT count(DISTINCT channel || sent_at) FROM alert_outbox WHERE channel <> '' AND sent_at >= ?", micros(since)).Scan(&n)
	return n, err
}

func (s alertStore) PutDelivery(ctx context.Context, d alert.Delivery) (err error) {
	defer s.explainError(&err)
	next := micros(d.Next)
	if d.Failed {
		next = -1
	}
	return s.inDurableTransaction(ctx, func(tx sqlstore.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE alert_outbox SET hold_until = ?, tries = ?, next_try = ?, sent_at = ?, error = ? WHERE alert_id = ? AND channel = ?",
			micros(d.Hold), d.Tries, next, micros(d.Sent), d.Error, d.ID, d.Channel)
		return err
	})
}

// Lock locks a file, because the system releases it when the process dies.
func (s alertStore) Lock(context.Context) (release func(), err error) {
	l := flock.New(s.path + ".alerts.lock")
	ok, err := l.TryLock()
	switch {
	case err != nil:
		return nil, fmt.Errorf("lock alerts: %w", err)
	case !ok:
		return nil, alert.ErrLocked
	}
	return func() { _ = l.Close() }, nil
}
