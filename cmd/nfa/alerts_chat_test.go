package main

import (
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/alert"
)

// In an open chat each alert is one line, shown only once, even if another process recorded it.
func TestWatchAlerts_ALineForEachAlertSinceTheChatOpened(t *testing.T) {
	p := newSessionProgram(t)
	store, err := p.Stores.AlertStore(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.AddRule(t.Context(), alert.StoredRule{Text: "decision review due", CreatedAt: p.Now()}); err != nil {
		t.Fatal(err)
	}
	record := func(id string, at time.Time) {
		t.Helper()
		if _, err := store.Record(t.Context(), nil, []alert.NewAlert{{Alert: alert.Alert{ID: id, RuleID: "r1", Text: "AAPL " + id + "\nis below 150.", At: at}}}); err != nil {
			t.Fatal(err)
		}
	}
	record("before", p.Now().Add(-time.Hour))
	watch := p.WatchAlerts()
	release, err := store.Lock(t.Context()) // another run is active
	if err != nil {
		t.Fatal(err)
	}
	record("during", p.Now().Add(time.Second))
	if lines := watch(t.Context()); len(lines) != 1 || lines[0] != "Alert: AAPL during is below 150. /why during" {
		t.Errorf("lines %q", lines)
	}
	release()
	if lines := watch(t.Context()); len(lines) != 0 {
		t.Errorf("shown again: %q", lines)
	}
}
