package alert_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/alert"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/tool"
)

// reports provides the annual statements of Apple in the sample data, but not flagged as sample.
type reports struct{ market.StatementSource }

func (r reports) Statements(ctx context.Context, sym market.Symbol, q market.StatementQuery) ([]market.Statement, error) {
	all, err := r.StatementSource.Statements(ctx, sym, q)
	for i := range all {
		all[i].Provenance.Flags = nil
	}
	return all, err
}

// A limit of an investment thesis: the rule fires with the report that crosses it, and not again.
func TestRun_ARatioFiresWithTheReportThatCrossesIt(t *testing.T) {
	w := newWorld(t, "2026-01-05", "AAPL operating margin above 30%", "AAPL operating margin below 30%", "AAPL price to earnings above 30", "AAPL cash conversion above 1%")
	w.statements = reports{feed.NewSampleSource()}
	w.runner.Tools = w.router(t)
	report := w.run(t)
	// 133,050 / 416,161 million USD of FY2025, of the 10-K filed on 2025-10-31.
	if len(report.Fired) != 1 || report.Fired[0].RuleID != "r1" || !strings.Contains(report.Fired[0].Text, "AAPL: operating margin is 32.0%, above 30% (FY2025).") {
		t.Errorf("fired %+v", report.Fired)
	}
	if f := report.Fired[0].Figure; f.Unit != "%" || len(f.Inputs) != 2 || !strings.Contains(f.Source, "SEC EDGAR") || !f.AsOf.Equal(date("2025-09-27")) {
		t.Errorf("figure %+v", f)
	}
	if why := report.Unknown["r3"]; !strings.Contains(why, "price") {
		t.Errorf("a valuation without a price: %q", why)
	}
	if why := report.Unknown["r4"]; !strings.Contains(why, "not a percentage") {
		t.Errorf("a percentage of a multiple: %q", why)
	}
	if fired := w.run(t).Fired; len(fired) != 0 {
		t.Errorf("fired again: %+v", fired)
	}
}

// noteTools stands in for the skill morning-note.
type noteTools struct {
	calls int
	steps string
}

func (n *noteTools) Dispatch(_ context.Context, calls []llm.ToolCall, _ tool.Observer) (out []tool.Outcome, err error) {
	for _, c := range calls {
		n.calls++
		out = append(out, tool.Outcome{Call: c, Result: tool.Result{
			Value:   json.RawMessage(`{"steps": [` + n.steps + `]}`),
			Figures: []tool.Figure{{ID: "positions.day_change_pct", Label: "day change", Value: decimal.RequireFromString("0.62"), Unit: "%", Source: "yahoo"}, {ID: "positions.positions.1.day_change_pct", Label: "MSFT day change", Value: decimal.RequireFromString("-2.04"), Unit: "%", Source: "yahoo"}},
		}})
	}
	return out, nil
}

const noteSteps = `{"id": "alerts", "output": {"alerts": [
		{"at": "2026-11-23 06:00:00", "rule_id": "r9", "text": "AAPL 149.2 USD is below 150."},
		{"at": "2026-11-19 06:00:00", "rule_id": "r9", "text": "too old"}]}},
	{"id": "positions", "output": {"total": "41114.80", "day_change_pct": "0.62", "positions": [
		{"symbol": "AAPL", "day_change_pct": "1.5", "as_of": "2026-11-20", "quantity": "40"},
		{"symbol": "MSFT", "day_change_pct": "-2.04", "as_of": "2026-11-20"}]}},
	{"id": "income", "output": {"payments": [{"date": "2026-12-10", "symbol": "MSFT", "kind": "dividend", "declared": true, "amount": "777"}]}}`

// A morning note is written once a day from its time on, in the user's time zone, and sent to the channels.
// Its figures are those of the tools, and it has no amounts.
func TestRun_AMorningNoteIsWrittenOnceADay(t *testing.T) {
	zone := time.FixedZone("east", 9*3600)
	store, tools := openStore(t), &noteTools{steps: noteSteps}
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, zone) // a Saturday
	addRules(t, store, now, "morning note at 07:30 on weekdays")
	runner := &alert.Runner{Store: store, Tools: tools, Now: func() time.Time { return now }, Channels: []string{"phone"}}
	phone := &fakeChannel{}
	sender := &alert.Sender{Store: store, Channels: map[string]alert.Channel{"phone": phone}, Now: runner.Now}
	want := "Morning note of 2026-11-23.\nAlert: AAPL 149.2 USD is below 150.\nPortfolio: +0.6% on the day.\nLargest moves: MSFT -2.0% on 2026-11-20, AAPL +1.5% on 2026-11-20.\nNext payments: MSFT dividend on 2026-12-10 (declared).\nRule r1. Details: nfa why "
	for _, row := range []struct {
		at    time.Time
		notes int
	}{
		{now, 0},
		{time.Date(2026, 11, 22, 8, 0, 0, 0, zone), 0}, // a Sunday
		{time.Date(2026, 11, 23, 7, 29, 0, 0, zone), 0},
		{time.Date(2026, 11, 23, 15, 10, 0, 0, zone), 1}, // the computer was off at the time
		{time.Date(2026, 11, 23, 15, 20, 0, 0, zone), 1},
		{time.Date(2026, 11, 24, 7, 30, 0, 0, zone), 2},
	} {
		now = row.at
		if _, err := runner.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, _, err := sender.Deliver(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(phone.got) != row.notes || tools.calls != row.notes {
			t.Fatalf("at %s %d notes after %d calls, want %d", row.at, len(phone.got), tools.calls, row.notes)
		}
	}
	if got := phone.got[0]; !strings.HasPrefix(got.Text, want) || strings.Contains(got.Text, "41114") || strings.Contains(got.Text, "777") {
		t.Errorf("note %q, want %q", got.Text, want)
	}
	ids := []string{}
	for _, f := range phone.got[0].Alerts[0].Figures {
		ids = append(ids, f.ID)
	}
	if !slices.Equal(ids, []string{"positions.day_change_pct", "positions.positions.1.day_change_pct"}) {
		t.Errorf("figures %v", ids)
	}
	// The note is also written without a portfolio.
	tools.steps, now = `{"id": "alerts", "output": {"alerts": []}}, {"id": "positions", "error": "the portfolio is empty"}`, now.AddDate(0, 0, 1)
	report, err := runner.Run(t.Context())
	if err != nil || len(report.Fired) != 1 || !strings.HasPrefix(report.Fired[0].Text, "Morning note of 2026-11-25.\nNo alerts.\nPositions: the portfolio is empty.") {
		t.Errorf("empty portfolio: %+v, %v", report, err)
	}
}
