package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/alert"
)

// Alerts stores alert rules, their state and the messages.
type Alerts struct {
	engine Engine
	lock   func(context.Context) (release func(), err error)
}

var _ alert.Store = Alerts{}

// NewAlerts returns the alerts that an engine holds. lock makes other runs fail with alert.ErrLocked.
func NewAlerts(e Engine, lock func(context.Context) (release func(), err error)) Alerts {
	return Alerts{e, lock}
}

// Lock makes other runs fail with alert.ErrLocked until release is called.
func (s Alerts) Lock(ctx context.Context) (release func(), err error) { return s.lock(ctx) }

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

// Rules lists the rules by ID.
func (s Alerts) Rules(ctx context.Context) (rules []alert.StoredRule, err error) {
	err = s.engine.Read(ctx, func(tx Tx) error {
		return forRows(ctx, tx, func(rows *sql.Rows) error {
			var r alert.StoredRule
			var n, created int64
			var paused sql.NullInt64
			var channels string
			if err := rows.Scan(&n, &r.Text, &channels, &created, &paused, &r.Once); err != nil {
				return err
			}
			r.ID, r.CreatedAt, r.Paused, r.PausedUntil = fmt.Sprintf("r%d", n), fromMicros(created), paused.Valid, fromMicros(paused.Int64)
			if channels != "" {
				r.Channels = strings.Split(channels, ",")
			}
			r.Rule, _ = alert.Parse(r.Text) // a later version may have written a rule that this one does not know
			rules = append(rules, r)
			return nil
		}, "SELECT n, text, channels, created_at, paused_until, once FROM alert_rule ORDER BY n")
	})
	if err != nil {
		return nil, fmt.Errorf("list alert rules: %w", err)
	}
	return rules, nil
}

var ruleColumns = []string{"text", "channels", "created_at", "paused_until", "once"}

func ruleValues(r alert.StoredRule) []any {
	return []any{r.Text, strings.Join(r.Channels, ","), micros(r.CreatedAt), sql.NullInt64{Int64: micros(r.PausedUntil), Valid: r.Paused}, flag(r.Once)}
}

// ruleNumber returns the number in the ID of a rule, or 0.
func ruleNumber(id string) int64 {
	n, err := strconv.ParseInt(strings.TrimPrefix(id, "r"), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// AddRule adds a rule and returns its ID, which is never used again. A rule that has an ID keeps it.
func (s Alerts) AddRule(ctx context.Context, r alert.StoredRule) (id string, err error) {
	columns, values := ruleColumns, ruleValues(r)
	if n := ruleNumber(r.ID); n > 0 {
		columns, values = append([]string{"n"}, columns...), append([]any{n}, values...)
	}
	err = s.engine.Write(ctx, func(tx Tx) error {
		var n int64
		err := tx.QueryRowContext(ctx, insertStatement("alert_rule", columns)+" RETURNING n", values...).Scan(&n)
		id = fmt.Sprintf("r%d", n)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("add alert rule: %w", err)
	}
	return id, nil
}

// PutRule replaces a rule. An unknown ID is alert.ErrNotFound.
func (s Alerts) PutRule(ctx context.Context, r alert.StoredRule) error {
	return s.changeRule(ctx, r.ID, "UPDATE alert_rule SET "+strings.Join(ruleColumns, " = ?, ")+" = ? WHERE n = ?", append(ruleValues(r), ruleNumber(r.ID))...)
}

// RemoveRule removes a rule and its state. Its alerts stay in the log.
func (s Alerts) RemoveRule(ctx context.Context, id string) error {
	return s.changeRule(ctx, id, "DELETE FROM alert_rule WHERE n = ?", ruleNumber(id))
}

// changeRule changes one rule, and drops the state of a rule that is no longer there.
func (s Alerts) changeRule(ctx context.Context, id, statement string, values ...any) error {
	err := s.engine.Write(ctx, func(tx Tx) error {
		result, err := tx.ExecContext(ctx, statement, values...)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, alert.ErrNotFound)
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM alert_state WHERE rule_id = ? AND NOT EXISTS (SELECT 1 FROM alert_rule WHERE n = ?)", id, ruleNumber(id))
		return err
	})
	if err != nil {
		return fmt.Errorf("change alert rule %.40q: %w", id, err)
	}
	return nil
}

// States lists what is known about each rule and subject.
func (s Alerts) States(ctx context.Context) (states []alert.State, err error) {
	err = s.engine.Read(ctx, func(tx Tx) error {
		return forRows(ctx, tx, func(rows *sql.Rows) error {
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
	})
	if err != nil {
		return nil, fmt.Errorf("list alert states: %w", err)
	}
	return states, nil
}

// Record saves states together with alerts, and a delivery of each alert to each channel. An alert that is
// already recorded is not recorded again; Record returns the new ones.
func (s Alerts) Record(ctx context.Context, states []alert.State, alerts []alert.NewAlert) (fresh []alert.Alert, err error) {
	err = s.engine.Write(ctx, func(tx Tx) error {
		fresh = nil
		for _, state := range states {
			err := updateOrInsert(ctx, tx, "alert_state", []string{"armed", "last_as_of", "last_value", "edge", "problem"},
				[]any{flag(state.Armed), micros(state.LastAsOf), state.LastValue.String(), state.Edge, state.Problem}, []string{"rule_id", "subject"}, []any{state.RuleID, state.Subject})
			if err != nil {
				return err
			}
		}
		for _, a := range alerts {
			body, err := json.Marshal(a.Alert)
			if err != nil {
				return err
			}
			insert := func(channel string, hold, sent int64) (int64, error) {
				result, err := tx.ExecContext(ctx, insertStatement("alert_outbox", []string{"alert_id", "channel", "body", "created_at", "hold_until", "sent_at"})+" ON CONFLICT DO NOTHING",
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

// Alerts lists the alerts, newest first, at most limit.
func (s Alerts) Alerts(ctx context.Context, limit int) ([]alert.Alert, error) {
	rows, err := s.deliveries(ctx, "channel = '' ORDER BY created_at DESC, alert_id LIMIT ?", limit)
	alerts := make([]alert.Alert, len(rows))
	for i, row := range rows {
		alerts[i] = row.Alert
	}
	return alerts, err
}

// Deliveries lists what is not yet delivered, and what has failed since a time.
func (s Alerts) Deliveries(ctx context.Context, failedSince time.Time) ([]alert.Delivery, error) {
	return s.deliveries(ctx, "sent_at = 0 AND (next_try >= 0 OR created_at >= ?) ORDER BY created_at, alert_id, channel", micros(failedSince))
}

func (s Alerts) deliveries(ctx context.Context, where string, values ...any) (all []alert.Delivery, err error) {
	err = s.engine.Read(ctx, func(tx Tx) error {
		return forRows(ctx, tx, func(rows *sql.Rows) error {
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
	})
	if err != nil {
		return nil, fmt.Errorf("list alerts: %w", err)
	}
	return all, nil
}

// SentSince counts the messages sent since a time. One message has one time.
func (s Alerts) SentSince(ctx context.Context, since time.Time) (n int, err error) {
	err = s.engine.Read(ctx, func(tx Tx) error {
		return tx.QueryRowContext(ctx, "SELECT count(DISTINCT channel || sent_at) FROM alert_outbox WHERE channel <> '' AND sent_at >= ?", micros(since)).Scan(&n)
	})
	return n, err
}

// PutDelivery saves the result of a try.
func (s Alerts) PutDelivery(ctx context.Context, d alert.Delivery) error {
	next := micros(d.Next)
	if d.Failed {
		next = -1
	}
	return s.engine.Write(ctx, func(tx Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE alert_outbox SET hold_until = ?, tries = ?, next_try = ?, sent_at = ?, error = ? WHERE alert_id = ? AND channel = ?",
			micros(d.Hold), d.Tries, next, micros(d.Sent), d.Error, d.ID, d.Channel)
		return err
	})
}
