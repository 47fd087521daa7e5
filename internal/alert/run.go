package alert

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// Runner evaluates rules.
type Runner struct {
	Store Store
	Tools Caller
	Now   func() time.Time
	// Channels are the names of all channels; a rule without its own sends to all of them.
	Channels []string
	// Hold returns the time until which a message is held, or the zero time; a nil Hold means never.
	Hold func(now time.Time) time.Time
}

// Report is the result of a run.
type Report struct {
	Evaluated int               `json:"evaluated"`
	Fired     []Alert           `json:"fired"`
	Unknown   map[string]string `json:"unknown,omitempty"` // why a rule has no figure, by its ID
	// NoSource means that no rule has a figure because no source answered.
	NoSource bool `json:"-"`
}

// maxStaleSessions is the number of sessions without a new figure after which a notice is sent.
const maxStaleSessions = 3

// Run evaluates all rules once and records the alerts that fired. Rules that were not evaluated within the
// time limit come first in the next run.
func (r *Runner) Run(ctx context.Context) (Report, error) {
	report := Report{Fired: []Alert{}, Unknown: map[string]string{}}
	rules, states, err := r.load(ctx)
	if err != nil || len(rules) == 0 {
		return report, err
	}
	e := &evaluation{answers: newAnswers(r.Tools), now: r.Now(), states: states}
	quotes, calls := e.collect(rules)
	e.fetchQuotes(ctx, quotes)
	e.fetch(ctx, calls...)
	var changed []State
	var alerts []NewAlert
	for _, s := range rules {
		if ctx.Err() != nil {
			report.Unknown[s.ID] = "not evaluated within the time limit"
			continue
		}
		readings, err := e.read(ctx, s)
		for _, reading := range readings {
			before, known := states[stateKey{s.ID, reading.stateSubject()}]
			after, alert := s.step(before, known, reading, e.now)
			if alert != nil {
				alerts = append(alerts, r.address(s, *alert, e.now))
			}
			if !known || !same(before, after) {
				changed = append(changed, after)
			}
			if alert != nil && s.Once {
				break
			}
		}
		problem := ""
		if err != nil {
			problem = err.Error()
			report.Unknown[s.ID] = problem
			if notice := s.notice(err, e.now); notice != nil {
				alerts = append(alerts, r.address(s, *notice, e.now))
			}
		} else {
			report.Evaluated++
		}
		if before := states[stateKey{s.ID, ""}]; before.Problem != problem {
			changed = append(changed, State{RuleID: s.ID, Problem: problem})
		}
	}
	report.NoSource = report.Evaluated == 0 && !e.answered()
	if len(changed) == 0 && len(alerts) == 0 {
		return report, nil
	}
	// Record what was evaluated even if the time limit is reached.
	fired, err := r.Store.Record(context.WithoutCancel(ctx), changed, alerts)
	report.Fired = append(report.Fired, fired...)
	return report, err
}

type stateKey struct{ rule, subject string }

func same(a, b State) bool {
	return a.Armed == b.Armed && a.LastAsOf.Equal(b.LastAsOf) && a.LastValue.Equal(b.LastValue) && a.Edge == b.Edge
}

// load returns the rules to evaluate, the longest unevaluated ones first, and all states.
func (r *Runner) load(ctx context.Context) ([]StoredRule, map[stateKey]State, error) {
	all, err := r.Store.Rules(ctx)
	if err != nil {
		return nil, nil, err
	}
	stored, err := r.Store.States(ctx)
	if err != nil {
		return nil, nil, err
	}
	states, latest, done := map[stateKey]State{}, map[string]time.Time{}, map[string]bool{}
	for _, s := range stored {
		states[stateKey{s.RuleID, s.Subject}] = s
		if s.LastAsOf.After(latest[s.RuleID]) {
			latest[s.RuleID] = s.LastAsOf
		}
		done[s.RuleID] = done[s.RuleID] || s.Edge > 0
	}
	now := r.Now()
	rules := slices.DeleteFunc(all, func(s StoredRule) bool { return s.pausedAt(now) || s.Once && done[s.ID] })
	slices.SortStableFunc(rules, func(a, b StoredRule) int { return cmp.Compare(latest[a.ID].Unix(), latest[b.ID].Unix()) })
	return rules, states, nil
}

// address adds the channels of a rule to an alert.
func (r *Runner) address(s StoredRule, a Alert, now time.Time) NewAlert {
	out := NewAlert{Alert: a, Channels: s.Channels}
	if len(s.Channels) == 0 {
		out.Channels = r.Channels
	}
	if r.Hold != nil {
		out.Hold = r.Hold(now)
	}
	return out
}

// step returns the state after a reading, and the alert if the rule fires. A reading that is not newer
// than the last one, and an event that fired before, change nothing.
func (s StoredRule) step(before State, known bool, now Reading, at time.Time) (State, *Alert) {
	if known && (now.isOneEvent() || !now.AsOf.After(before.LastAsOf)) {
		return before, nil
	}
	after := State{RuleID: s.ID, Subject: now.stateSubject(), Armed: true}
	if known {
		after = before
	}
	after.LastAsOf, after.LastValue = now.AsOf, now.Value
	switch {
	case now.Baseline && !known:
	case after.Armed && now.Holds:
		after.Armed = now.Baseline
		after.Edge++
		event := now.Event
		if event == "" {
			event = strconv.Itoa(after.Edge)
		}
		alert := s.alert(now, event, at)
		if !known && now.Event == "" {
			alert.Text += " This was already the case when the rule was first checked."
		}
		return after, &alert
	case !after.Armed && now.Clear:
		after.Armed = true
	}
	return after, nil
}

func (s StoredRule) alert(now Reading, event string, at time.Time) Alert {
	return Alert{
		ID: alertID(s.ID, now.Subject, event), RuleID: s.ID, Rule: s.Text, Subject: now.Subject, Text: now.Text,
		Figure: now.Figure, Figures: now.Figures, Tool: now.Call.Name, Args: now.Call.Arguments, At: at.UTC(),
	}
}

// notice returns a notice about data that prevents the evaluation of a rule, or nil. Each problem has one
// notice.
func (s StoredRule) notice(err error, at time.Time) *Alert {
	var stale staleError
	var suspect suspectError
	text, event := "", ""
	switch {
	case errors.As(err, &stale) && sessionsBetween(stale.asOf, at) > maxStaleSessions:
		text, event = "The rule cannot be checked: "+stale.Error()+".", "stale "+day(stale.asOf)
	case errors.As(err, &suspect) && suspect.confirmed:
		text, event = "The rule was not checked: "+suspect.text+".", "suspect "+day(suspect.asOf)
	default:
		return nil
	}
	return &Alert{ID: alertID(s.ID, s.Rule.Subject, event), RuleID: s.ID, Rule: s.Text, Subject: s.Rule.Subject, Text: text, Notice: true, At: at.UTC()}
}

// sessionsBetween counts the days from Monday to Friday after a day, up to now.
func sessionsBetween(asOf, now time.Time) int {
	const most = 30
	n := 0
	for d := asOf.AddDate(0, 0, 1); !d.After(now) && n < most; d = d.AddDate(0, 0, 1) {
		if d.Weekday() != time.Saturday && d.Weekday() != time.Sunday {
			n++
		}
	}
	return n
}

// answered reports whether any call returned data.
func (a *answers) answered() bool {
	for _, made := range a.made {
		if !made.result.IsError {
			return true
		}
	}
	return false
}

// rehearsal is a store without states that records nothing.
type rehearsal struct{ Store }

// Rehearse returns a store for a run that only shows what the rules would send.
func Rehearse(s Store) Store { return rehearsal{s} }

func (rehearsal) States(context.Context) ([]State, error) { return nil, nil }

func (rehearsal) Record(_ context.Context, _ []State, alerts []NewAlert) ([]Alert, error) {
	out := make([]Alert, len(alerts))
	for i, a := range alerts {
		out[i] = a.Alert
	}
	return out, nil
}

func (rehearsal) Lock(context.Context) (release func(), err error) { return func() {}, nil }

// Check evaluates one rule. It records nothing.
func (r *Runner) Check(ctx context.Context, id string) (StoredRule, []Reading, error) {
	rules, err := r.Store.Rules(ctx)
	if err != nil {
		return StoredRule{}, nil, err
	}
	i := slices.IndexFunc(rules, func(s StoredRule) bool { return s.ID == id })
	if i < 0 {
		return StoredRule{}, nil, fmt.Errorf("alert rule %.40q: %w; run nfa alerts for the list", id, ErrNotFound)
	}
	e := &evaluation{answers: newAnswers(r.Tools), now: r.Now(), preview: true}
	e.collect(rules[i : i+1])
	readings, err := e.read(ctx, rules[i])
	return rules[i], readings, err
}

// Message returns the message that a reading would send.
func (s StoredRule) Message(now Reading, at time.Time) Message {
	return NewMessage(s.alert(now, now.Event, at))
}
