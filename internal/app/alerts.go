package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nfa-cli/nfa/internal/alert"
	"github.com/nfa-cli/nfa/internal/alert/channel"
	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/tool"
)

// alertRunTime limits a run of the alert rules.
const alertRunTime = 90 * time.Second

// AlertStore opens the store of alerts.
func (s *Stores) AlertStore(ctx context.Context) (alert.Store, error) {
	if s.Shared != nil {
		return s.Shared.Alerts(ctx)
	}
	db, err := s.Open(ctx)
	if err != nil {
		return nil, err
	}
	return db.Alerts(), nil
}

// alertChannelNames returns the names of the channels in the settings.
func (s Settings) alertChannelNames() []string {
	names := make([]string, len(s.Channels))
	for i, c := range s.Channels {
		names[i] = c.Name
	}
	return names
}

// channelKeys returns the alert channels as providers, so that nfa auth can store their secrets.
func (s Settings) channelKeys() []catalog.Provider {
	var all []catalog.Provider
	for _, c := range s.Channels {
		all = append(all, catalog.Provider{Name: c.Name, Title: "the alert channel " + c.Name})
	}
	return all
}

// AlertChannel opens the named channel in the settings. The channel reads its secret only when it sends.
func (a *App) AlertChannel(name string) (alert.Channel, error) {
	for _, c := range a.Channels {
		if c.Name == name {
			return a.openChannel(c)
		}
	}
	if len(a.Channels) == 0 {
		return nil, errors.New("no channel in your settings; docs/alerts.md shows how to add one")
	}
	return nil, fmt.Errorf("no channel %.40q in your settings; channels: %s", name, strings.Join(a.alertChannelNames(), ", "))
}

func (a *App) openChannel(c config.AlertChannel) (alert.Channel, error) {
	to := c.To
	if rest, ok := strings.CutPrefix(to, "~/"); ok && c.Kind == "file" {
		if home, err := os.UserHomeDir(); err == nil {
			to = filepath.Join(home, rest)
		}
	}
	keys := a.openKeys(a.Log)
	opened, err := channel.Open(channel.Config{
		Name: c.Name, Kind: c.Kind, URL: c.URL, To: to, From: c.From, Host: c.Host, User: c.User,
		Secret: func(ctx context.Context) (string, error) {
			secret, err := keys.Get(ctx, c.Name)
			if errors.Is(err, credential.ErrNotFound) {
				return "", nil
			}
			return secret, err
		},
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Origin, err)
	}
	return opened, nil
}

// AlertRun is the result of RunAlerts.
type AlertRun struct {
	alert.Report
	Sent   int      `json:"sent"`
	Failed []string `json:"failed,omitempty"` // deliveries that failed for good
}

// AlertRunOptions configure RunAlerts.
type AlertRunOptions struct {
	// Tools reads the figures; nil means the tools of the app.
	Tools  *tool.Router
	DryRun bool // record and send nothing
}

// RunAlerts evaluates the alert rules once and sends what is due. If another run is active, the error is
// alert.ErrLocked. With --as-of the rules are evaluated for that day: their state is stored separately, and
// nothing is sent.
func (a *App) RunAlerts(ctx context.Context, o AlertRunOptions) (out AlertRun, err error) {
	ctx, cancel := context.WithTimeout(ctx, alertRunTime)
	defer cancel()
	store, err := a.Stores.AlertStore(ctx)
	if err != nil {
		return out, err
	}
	quiet, err := alert.ParseQuiet(a.QuietHours)
	if err != nil {
		return out, err
	}
	runner := &alert.Runner{Store: store, Tools: a.alertTools(o.Tools), Now: a.DataClock(), Channels: a.alertChannelNames(), Hold: quiet.Hold}
	switch {
	case o.DryRun:
		runner.Store = alert.Rehearse(store)
	case a.AsOf != "":
		if runner.Store, err = a.replayStore(ctx, store); err != nil {
			return out, err
		}
		runner.Channels = nil
	}
	release, err := runner.Store.Lock(ctx)
	if err != nil {
		return out, err
	}
	defer release()
	if out.Report, err = runner.Run(ctx); err != nil || o.DryRun || a.AsOf != "" {
		return out, err
	}
	sender := &alert.Sender{Store: store, Channels: map[string]alert.Channel{}, Now: a.Now}
	for _, c := range a.Channels {
		opened, err := a.openChannel(c)
		if err != nil {
			a.Log.Warn().Err(err).Msg("alert channel")
			continue
		}
		sender.Channels[c.Name] = opened
	}
	var failed []alert.Delivery
	out.Sent, failed, err = sender.Deliver(ctx)
	for _, f := range failed {
		out.Failed = append(out.Failed, f.Channel+": "+f.Error)
	}
	return out, err
}

// CheckAlertRule evaluates one rule now and returns its readings. It records and sends nothing.
func (a *App) CheckAlertRule(ctx context.Context, id string) (alert.StoredRule, []alert.Reading, error) {
	store, err := a.Stores.AlertStore(ctx)
	if err != nil {
		return alert.StoredRule{}, nil, err
	}
	return (&alert.Runner{Store: store, Tools: a.alertTools(a.Tools), Now: a.DataClock()}).Check(ctx, id)
}

// alertTools returns what alert rules call: the tools, and the skills that a morning note runs.
func (a *App) alertTools(router *tool.Router) alert.Caller {
	if router == nil {
		router = a.Tools
	}
	return &alertCaller{Router: router, skills: sync.OnceValue(func() *tool.Router { return a.Skills.Library.WithWorkflows(router) })}
}

// alertCaller adds the skills to the tools only when a rule needs one, because most rules need none.
type alertCaller struct {
	*tool.Router
	skills func() *tool.Router
}

// Dispatch implements [alert.Caller].
func (c *alertCaller) Dispatch(ctx context.Context, calls []llm.ToolCall, obs tool.Observer) ([]tool.Outcome, error) {
	if slices.ContainsFunc(calls, func(call llm.ToolCall) bool { return strings.HasPrefix(call.Name, "skill_") }) {
		return c.skills().Dispatch(ctx, calls, obs)
	}
	return c.Router.Dispatch(ctx, calls, obs)
}

// replayStore returns the store of alerts for past days. It copies the user's current rules into it and
// removes copies of rules that no longer exist.
func (a *App) replayStore(ctx context.Context, store alert.Store) (alert.Store, error) {
	rules, err := store.Rules(ctx)
	if err != nil {
		return nil, err
	}
	replay, err := a.Stores.replay.Open(ctx)
	if err != nil {
		return nil, err
	}
	copied, err := replay.Alerts().Rules(ctx)
	if err != nil {
		return nil, err
	}
	same := func(a, b alert.StoredRule) bool { return a.ID == b.ID && a.Text == b.Text }
	for _, r := range copied {
		if !slices.ContainsFunc(rules, func(other alert.StoredRule) bool { return same(r, other) }) {
			if err := replay.Alerts().RemoveRule(ctx, r.ID); err != nil {
				return nil, err
			}
		}
	}
	for _, r := range rules {
		if slices.ContainsFunc(copied, func(other alert.StoredRule) bool { return same(r, other) }) {
			continue
		}
		r.Channels, r.CreatedAt = nil, a.DataClock()()
		if _, err := replay.Alerts().AddRule(ctx, r); err != nil {
			return nil, err
		}
	}
	return replay.Alerts(), nil
}

// FindAlert returns the alert whose ID starts with id.
func (a *App) FindAlert(ctx context.Context, id string) (alert.Alert, error) {
	const all = 10_000
	store, err := a.Stores.AlertStore(ctx)
	if err != nil {
		return alert.Alert{}, err
	}
	if a.AsOf != "" {
		if store, err = a.replayStore(ctx, store); err != nil {
			return alert.Alert{}, err
		}
	}
	alerts, err := store.Alerts(ctx, all)
	if err != nil {
		return alert.Alert{}, err
	}
	for _, one := range alerts {
		if id != "" && strings.HasPrefix(one.ID, strings.ToLower(id)) {
			return one, nil
		}
	}
	return alert.Alert{}, fmt.Errorf("alert %.40q: %w; nfa alerts log lists the alerts", id, alert.ErrNotFound)
}

// ExplainAlert returns what an alert is based on, as Markdown.
func ExplainAlert(one alert.Alert) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n| | |\n| --- | --- |\n", one.Text)
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "| %s | %s |\n", name, strings.ReplaceAll(value, "|", `\|`))
		}
	}
	row("rule", one.RuleID+": "+one.Rule)
	row("fired", one.At.Format(time.DateTime)+" UTC")
	if f := one.Figure; f.Source != "" {
		row("figure", strings.TrimSpace(fmt.Sprintf("%s: %s %s", f.Label, f.Value.Round(6), f.Unit)))
		row("as of", f.AsOf.Format(time.DateOnly))
		row("source", f.Source)
		row("formula", f.Formula)
		row("inputs", strings.Join(f.Inputs, "; "))
	}
	for _, f := range one.Figures {
		row("figure", fmt.Sprintf("%s: %s %s, as of %s, %s", f.Label, f.Value.Round(6), f.Unit, f.AsOf.Format(time.DateOnly), f.Source))
	}
	if one.Tool != "" {
		row("tool call", one.Tool+" "+one.Args)
	}
	return b.String()
}

// IsAlertID reports whether a text has the form of an alert's ID.
func IsAlertID(text string) bool {
	return len(text) == 16 && strings.Trim(strings.ToLower(text), "abcdefghijklmnopqrstuvwxyz234567") == ""
}

// WatchAlerts returns a function that checks the alert rules while a chat is open. Each call returns a line
// for each new alert since the chat was opened, including alerts that another process recorded. The first
// call also names channels that failed recently. Errors are only logged. With --as-of WatchAlerts returns
// nil.
func (a *App) WatchAlerts() func(context.Context) []string {
	if a.AsOf != "" {
		return nil
	}
	tools := sync.OnceValues(func() (*tool.Router, error) { return a.UserTools(nil) })
	first, opened, shown := true, a.Now(), map[string]bool{}
	return func(ctx context.Context) (lines []string) {
		if !a.Stores.Exists() {
			return nil
		}
		store, err := a.Stores.AlertStore(ctx)
		if err != nil {
			return nil // the chat has reported it
		}
		if first {
			first = false
			failing, _ := alert.FailingChannels(ctx, store, a.Now())
			for _, f := range failing {
				lines = append(lines, "Alerts: "+f.Failure())
			}
		}
		if rules, err := store.Rules(ctx); err != nil || len(rules) == 0 {
			return lines
		}
		router, err := tools()
		if err == nil {
			_, err = a.RunAlerts(ctx, AlertRunOptions{Tools: router})
		}
		const most = 50
		recent, logErr := store.Alerts(ctx, most) // if it cannot be read, the next call returns them
		for _, one := range slices.Backward(recent) {
			if logErr == nil && !shown[one.ID] && !one.At.Before(opened.UTC()) {
				shown[one.ID] = true
				lines = append(lines, fmt.Sprintf("Alert: %s /why %s", strings.ReplaceAll(one.Text, "\n", " "), one.ID))
			}
		}
		if err != nil && !errors.Is(err, alert.ErrLocked) {
			a.Log.Warn().Err(err).Msg("check alert rules")
		}
		return lines
	}
}

// checkAlerts reports the alert rules and their channels.
func (a *App) checkAlerts(ctx context.Context) []Finding {
	var findings []Finding
	for _, c := range a.Channels {
		if _, err := a.openChannel(c); err != nil {
			findings = append(findings, problemFinding("alerts", err.Error(), "docs/alerts.md shows the settings of each kind"))
		}
	}
	if _, err := alert.ParseQuiet(a.QuietHours); err != nil {
		findings = append(findings, problemFinding("alerts", err.Error(), "nfa config set alerts.quiet_hours 22:00-07:00"))
	}
	if !a.Stores.Exists() {
		return findings
	}
	store, err := a.Stores.AlertStore(ctx)
	if err != nil {
		return findings
	}
	rules, err := store.Rules(ctx)
	if err != nil || len(rules) == 0 {
		return findings
	}
	failing, _ := alert.FailingChannels(ctx, store, a.Now())
	for _, f := range failing {
		findings = append(findings, noteFinding("alerts", f.Failure(), "test it with: nfa alerts send "+f.Channel))
	}
	return append(findings, okFinding("alerts", fmt.Sprintf("%s, %s", humanize.Count(len(rules), "rule", "rules"), humanize.Count(len(a.Channels), "channel", "channels")), ""))
}
