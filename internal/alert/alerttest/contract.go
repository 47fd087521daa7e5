// Package alerttest tests implementations of alert.Store.
package alerttest

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/alert"
	"github.com/nfa-cli/nfa/internal/tool"
)

// RunStore checks a store against the contract of alert.Store. open returns an empty store.
func RunStore(t *testing.T, open func(t *testing.T) alert.Store) {
	now := time.Date(2026, 3, 2, 21, 0, 0, 0, time.UTC)
	must := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	equal := func(t *testing.T, what string, want, got any) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	add := func(t *testing.T, s alert.Store, r alert.StoredRule) string {
		t.Helper()
		id, err := s.AddRule(t.Context(), r)
		must(t, err)
		return id
	}
	t.Run("rules keep their fields and their ID", func(t *testing.T) {
		s := open(t)
		rule := alert.StoredRule{Text: "AAPL below 150", Channels: []string{"phone", "mail"}, Once: true, CreatedAt: now, Paused: true, PausedUntil: now.Add(time.Hour)}
		first := add(t, s, rule)
		second := add(t, s, alert.StoredRule{Text: "VTI above 300", CreatedAt: now})
		must(t, s.RemoveRule(t.Context(), second))
		if third := add(t, s, alert.StoredRule{Text: "a rule of a later version", CreatedAt: now}); third == second {
			t.Errorf("the ID %s of a removed rule is used again", third)
		}
		if id := add(t, s, alert.StoredRule{ID: "r40", Text: "VTI above 310", CreatedAt: now}); id != "r40" {
			t.Errorf("a rule with the ID r40 has %s", id)
		}
		rules, err := s.Rules(t.Context())
		must(t, err)
		if rule.ID = first; len(rules) != 3 || rules[0].Rule.Kind != alert.Price || rules[1].Rule.Kind != "" {
			t.Fatalf("rules = %+v", rules)
		}
		rules[0].Rule = alert.Rule{}
		equal(t, "the first rule", rule, rules[0])
		rule.Paused, rule.PausedUntil, rule.Channels = false, time.Time{}, nil
		must(t, s.PutRule(t.Context(), rule))
		rules, err = s.Rules(t.Context())
		must(t, err)
		rules[0].Rule = alert.Rule{}
		equal(t, "the changed rule", rule, rules[0])
		if id := add(t, s, alert.StoredRule{Text: "VTI above 320", CreatedAt: now}); id != "r41" {
			t.Errorf("the rule after r40 has %s", id)
		}
		for _, id := range []string{"r99", "", "r", "x1"} {
			if err := errors.Join(s.RemoveRule(t.Context(), id)); !errors.Is(err, alert.ErrNotFound) {
				t.Errorf("RemoveRule(%q) = %v, want ErrNotFound", id, err)
			}
		}
	})
	t.Run("states are replaced, and removed with their rule", func(t *testing.T) {
		s := open(t)
		id := add(t, s, alert.StoredRule{Text: "AAPL below 150", CreatedAt: now})
		state := alert.State{RuleID: id, Subject: "AAPL", Armed: true, LastAsOf: now, LastValue: decimal.RequireFromString("149.2"), Edge: 2, Problem: "stale"}
		other := alert.State{RuleID: id, Subject: "", Problem: "no source"}
		for range 2 {
			_, err := s.Record(t.Context(), []alert.State{state, other}, nil)
			must(t, err)
			state.Armed, state.Edge = false, 3
		}
		state.Armed, state.Edge = false, 3
		_, err := s.Record(t.Context(), []alert.State{state}, nil)
		must(t, err)
		states, err := s.States(t.Context())
		must(t, err)
		equal(t, "states", []alert.State{other, state}, states)
		must(t, s.RemoveRule(t.Context(), id))
		if states, err = s.States(t.Context()); len(states) != 0 || err != nil {
			t.Errorf("%d states of a removed rule, %v", len(states), err)
		}
	})
	t.Run("an alert is recorded once, with a delivery to each channel", func(t *testing.T) {
		s := open(t)
		one := alert.Alert{ID: "a1", RuleID: "r1", Rule: "AAPL below 150", Text: `quotes " and 中文`, At: now, Figure: tool.Figure{Value: decimal.RequireFromString("149.2"), AsOf: now}}
		for range 2 {
			_, err := s.Record(t.Context(), nil, []alert.NewAlert{{Alert: one, Channels: []string{"phone", "mail"}, Hold: now.Add(time.Hour)}})
			must(t, err)
		}
		later := one
		later.ID, later.At = "a2", now.Add(time.Minute)
		fresh, err := s.Record(t.Context(), nil, []alert.NewAlert{{Alert: one, Channels: []string{"file"}}, {Alert: later}})
		must(t, err)
		equal(t, "new alerts", []alert.Alert{later}, fresh)
		alerts, err := s.Alerts(t.Context(), 10)
		must(t, err)
		equal(t, "the log", []alert.Alert{later, one}, alerts)
		waiting, err := s.Deliveries(t.Context(), now)
		must(t, err)
		want := []alert.Delivery{{Alert: one, Channel: "mail", Hold: now.Add(time.Hour)}, {Alert: one, Channel: "phone", Hold: now.Add(time.Hour)}}
		equal(t, "deliveries", want, waiting)

		want[0].Sent, want[0].Tries = now.Add(2*time.Hour), 1
		want[1].Failed, want[1].Tries, want[1].Error = true, 6, "phone answered Forbidden"
		must(t, errors.Join(s.PutDelivery(t.Context(), want[0]), s.PutDelivery(t.Context(), want[1])))
		waiting, err = s.Deliveries(t.Context(), now)
		must(t, err)
		equal(t, "what failed", want[1:], waiting)
		if waiting, err = s.Deliveries(t.Context(), now.Add(time.Second)); len(waiting) != 0 || err != nil {
			t.Errorf("deliveries that failed before = %v, %v", waiting, err)
		}
		if n, err := s.SentSince(t.Context(), now); n != 1 || err != nil {
			t.Errorf("SentSince = %d, %v, want 1", n, err)
		}
	})
	t.Run("one run at a time", func(t *testing.T) {
		s := open(t)
		release, err := s.Lock(t.Context())
		must(t, err)
		release()
		release, err = s.Lock(t.Context())
		must(t, err)
		release()
	})
}
