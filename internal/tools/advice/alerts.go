package advice

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/alert"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// AlertDeps is what the alerts tool needs.
type AlertDeps struct {
	toolkit.LatestPrices
	Watchlist investor.Watchlist
	Series    market.SeriesSource // nil: no rules about economic series
	// Open opens the store of alerts.
	Open func(ctx context.Context) (alert.Store, error)
	// Channels are the names of the channels in the settings.
	Channels []string
}

const alertsDescription = `Alert rules that nfa checks by itself, such as "AAPL below 150" or "10-K filed by AAPL": lists them, adds, pauses or removes one after the user confirms, or shows the log of alerts. Use for "tell me when X falls below 150". Alerts never trade.`

const alertsDetails = `Rules: %s. A price rule fires when the price reaches the threshold. It fires again only after the price has moved 1%% back past the threshold. Filings, ex-dividend dates and other events fire once each. Rules are checked by nfa alerts run, on the schedule set by nfa alerts install, and while a chat is open.
to lists channels from the settings (default all). once turns the rule off after its first alert. watchlist adds a rule for each target price on the watchlist.`

const alertsKeywords = "alert alerts notify tell me when warn watch rule rises falls drops below above threshold reminder notification ex-dividend filing 提醒 通知 告诉我 预警 跌破 涨到 突破 到价"

var alertsPhrasings = []string{
	"tell me when <sym> falls below <num>",
	"alert me if <sym> rises above <num>",
	"notify me when <sym> files a 10-K",
	"let me know when <sym> drops <num>% in a week",
	"which alerts do I have",
	"<sym>跌破<num>提醒我",
	"<sym>涨到<num>告诉我",
	"我有哪些提醒",
}

type alertsInput struct {
	Action    string   `json:"action,omitempty" jsonschema:"list, add, remove, pause or log. Default list."`
	Rule      string   `json:"rule,omitempty" jsonschema:"For add: AAPL below 150, or the user's sentence."`
	ID        string   `json:"id,omitempty" jsonschema:"For remove and pause: rule ID, such as r7."`
	To        []string `json:"to,omitempty" arg:"rare" jsonschema:"For add: channel names. Default all."`
	Once      bool     `json:"once,omitempty" arg:"rare" jsonschema:"For add: true to alert only the first time."`
	Until     string   `json:"until,omitempty" arg:"rare" jsonschema:"For pause: YYYY-MM-DD, or now to resume. Default: no end date."`
	Watchlist bool     `json:"watchlist,omitempty" arg:"unsent" jsonschema:"For add: a rule for each target price on the watchlist."`
}

// AlertTools returns the alerts tool.
func AlertTools(d AlertDeps) []tool.Tool {
	if d.Open == nil {
		return nil
	}
	t := toolkit.NewMutationTool("alerts", alertsDescription, tool.Reads, d.plan)
	return []tool.Tool{t.WithDetails(fmt.Sprintf(alertsDetails, strings.Join(alert.Examples(), ", "))).Find("ledger", alertsKeywords, alertsPhrasings...)}
}

func (d AlertDeps) plan(ctx context.Context, in alertsInput) toolkit.MutationPlan {
	store, err := d.Open(ctx)
	if err != nil {
		return toolkit.RefusedPlan(err)
	}
	rules, err := store.Rules(ctx)
	if err != nil {
		return toolkit.RefusedPlan(err)
	}
	if in.Action != "" && in.Action != "list" && in.Action != "log" {
		if err := toolkit.CheckWritable(d.Prices); err != nil {
			return toolkit.RefusedPlan(err)
		}
	}
	switch in.Action {
	case "", "list":
		return toolkit.ReadOnlyPlan(func(ctx context.Context) (tool.Result, error) { return d.list(ctx, store, "") })
	case "log":
		return toolkit.ReadOnlyPlan(func(ctx context.Context) (tool.Result, error) { return showAlertLog(ctx, store) })
	case "add":
		return d.planAdd(ctx, store, rules, in)
	case "remove", "pause":
		i := slices.IndexFunc(rules, func(r alert.StoredRule) bool { return r.ID == in.ID })
		if i < 0 {
			return toolkit.RefusedPlan(toolkit.NoDataf("no alert rule %.40q; run nfa alerts for the list", in.ID))
		}
		if in.Action == "remove" {
			return d.change(store, "removes the alert rule "+rules[i].ID+": "+rules[i].Text, "Removed: "+rules[i].Text, func(ctx context.Context) error { return store.RemoveRule(ctx, in.ID) })
		}
		return d.planPause(store, rules[i], in.Until)
	}
	return toolkit.RefusedPlan(toolkit.InvalidArgsf("unknown action %.40q; use list, add, remove, pause or log", in.Action))
}

// change returns a plan that makes one change and shows the rules.
func (d AlertDeps) change(store alert.Store, line, done string, run func(context.Context) error) toolkit.MutationPlan {
	return toolkit.MutationPlan{Changes: []string{line}, Run: func(ctx context.Context) (tool.Result, error) {
		if err := run(ctx); err != nil {
			return tool.Result{}, err
		}
		return d.list(ctx, store, done)
	}}
}

func (d AlertDeps) planPause(store alert.Store, r alert.StoredRule, until string) toolkit.MutationPlan {
	r.Paused, r.PausedUntil = until != "now", time.Time{}
	line, done := "pauses the alert rule "+r.ID+": "+r.Text, "Paused: "+r.Text
	switch {
	case !r.Paused:
		line, done = "resumes the alert rule "+r.ID+": "+r.Text, "Resumed: "+r.Text
	case until != "":
		_, last, err := toolkit.ParseDate(until)
		if err != nil || !last.After(d.Now()) {
			return toolkit.RefusedPlan(toolkit.InvalidArgsf("until must be a day after today, such as 2027-01-31, or now"))
		}
		r.PausedUntil = last
		line += " (until " + toolkit.FormatDate(last) + ")"
	}
	return d.change(store, line, done, func(ctx context.Context) error { return store.PutRule(ctx, r) })
}

func (d AlertDeps) planAdd(ctx context.Context, store alert.Store, rules []alert.StoredRule, in alertsInput) toolkit.MutationPlan {
	for _, name := range in.To {
		if !slices.Contains(d.Channels, name) {
			return toolkit.RefusedPlan(toolkit.InvalidArgsf("no channel %.40q in the settings; channels: %s", name, strings.Join(d.Channels, ", ")))
		}
	}
	var texts []string
	if in.Watchlist {
		off, err := d.targetsWithoutRule(ctx, rules)
		if err != nil {
			return toolkit.RefusedPlan(err)
		}
		if texts = off; len(off) == 0 {
			return toolkit.RefusedPlan(toolkit.NoDataf("every target price on the watchlist already has a rule"))
		}
	} else {
		r, err := alert.Parse(in.Rule)
		if err != nil {
			return toolkit.RefusedPlan(toolkit.InvalidArgs(err))
		}
		if r, err = d.resolve(ctx, r); err != nil {
			return toolkit.RefusedPlan(err)
		}
		if texts = []string{r.String()}; ruleWithText(rules, r.String()) != "" {
			return toolkit.RefusedPlan(toolkit.InvalidArgsf("the rule %q exists: %s", r, ruleWithText(rules, r.String())))
		}
	}
	a := toolkit.MutationPlan{Run: func(ctx context.Context) (tool.Result, error) {
		for _, text := range texts {
			if _, err := store.AddRule(ctx, alert.StoredRule{Text: text, Channels: in.To, Once: in.Once, CreatedAt: d.Now()}); err != nil {
				return tool.Result{}, err
			}
		}
		return d.list(ctx, store, "Saved: "+strings.Join(texts, ", "))
	}}
	for _, text := range texts {
		a.Changes = append(a.Changes, fmt.Sprintf("adds the alert rule: %s (sent to %s)", text, describeChannels(in.To, d.Channels)))
	}
	return a
}

func describeChannels(own, all []string) string {
	if len(own) > 0 {
		return strings.Join(own, ", ")
	}
	if len(all) > 0 {
		return strings.Join(all, ", ")
	}
	return "the log and an open chat"
}

func ruleWithText(rules []alert.StoredRule, text string) string {
	for _, r := range rules {
		if r.Text == text {
			return r.ID
		}
	}
	return ""
}

// resolve replaces the subject of a rule by the symbol that it names, and sets the currency of a price.
// A price rule about an economic series becomes a rule about the series.
func (d AlertDeps) resolve(ctx context.Context, r alert.Rule) (alert.Rule, error) {
	if !r.NamesSymbol() {
		return r, nil
	}
	if r.Kind != alert.Price {
		sym, err := toolkit.ResolveSymbol(ctx, d.Directory, r.Subject)
		if err != nil {
			return r, err
		}
		listed, err := d.Directory.Instruments(ctx)
		if err == nil && slices.ContainsFunc(listed, func(i market.Instrument) bool { return i.Symbol == sym }) {
			r.Subject = string(sym)
			return r, nil
		}
	}
	q, err := d.FindPrice(ctx, r.Subject)
	if errors.Is(err, market.ErrUnknownSymbol) && r.Kind == alert.Price && d.Series != nil {
		id := market.SeriesID(strings.ToUpper(r.Subject))
		if _, seriesErr := d.Series.EconomicSeries(ctx, id, market.SeriesQuery{}); seriesErr == nil {
			r.Kind, r.Subject = alert.Series, string(id)
			return r, nil
		}
	}
	if err != nil {
		return r, err
	}
	r.Subject = string(q.Symbol)
	if r.Kind != alert.Price {
		return r, nil
	}
	unit := q.Provenance.Currency
	if r.Currency != "" && r.Currency != unit {
		return r, toolkit.InvalidArgsf("%s is priced in %s; give the price in %s", q.Symbol, unit, unit)
	}
	if !r.Value.IsPositive() {
		return r, toolkit.InvalidArgsf("price %s must be above zero", r.Value)
	}
	r.Currency = unit
	return r, nil
}

// breakPoints returns the rules that the disproof of a decision states, such as "gross margin below 40%;
// AAPL below 120". Parts that are not rules are left to the review.
func (d AlertDeps) breakPoints(ctx context.Context, decision investor.Decision) (rules []string) {
	if d.Open == nil {
		return nil
	}
	for part := range strings.FieldsFuncSeq(decision.Invalidation, func(r rune) bool { return strings.ContainsRune(";；\n", r) }) {
		r, err := alert.Parse(part)
		for i := 0; err != nil && i < len(decision.Assets); i++ {
			r, err = alert.Parse(string(decision.Assets[i].Symbol) + " " + part)
		}
		if err != nil || !r.NamesSymbol() {
			continue
		}
		if r, err = d.resolve(ctx, r); err == nil {
			rules = append(rules, r.String())
		}
	}
	return rules
}

// addMissing adds the rules that do not exist yet.
func (d AlertDeps) addMissing(ctx context.Context, texts []string) error {
	if len(texts) == 0 {
		return nil
	}
	store, err := d.Open(ctx)
	if err != nil {
		return err
	}
	rules, err := store.Rules(ctx)
	if err != nil {
		return err
	}
	for _, text := range texts {
		if ruleWithText(rules, text) == "" {
			if _, err := store.AddRule(ctx, alert.StoredRule{Text: text, CreatedAt: d.Now()}); err != nil {
				return err
			}
		}
	}
	return nil
}

// ruleOf returns the rule for a target price of the watchlist.
func ruleOf(sym market.Symbol, t investor.PriceTarget) string {
	return alert.Rule{Kind: alert.Price, Subject: string(sym), Above: t.Side == investor.Above, Value: t.Price, Currency: t.Currency}.String()
}

// targetsWithoutRule returns the missing rules of watchlist targets. Targets set before nfa had alerts have
// no rule until the user adds it.
func (d AlertDeps) targetsWithoutRule(ctx context.Context, rules []alert.StoredRule) ([]string, error) {
	watches, err := d.Watchlist.Watches(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, w := range watches {
		for _, t := range w.Targets {
			if text := ruleOf(w.Symbol, t); ruleWithText(rules, text) == "" {
				out = append(out, text)
			}
		}
	}
	return out, nil
}

// SyncTargets makes the rules of a watched symbol follow its target prices.
func (d AlertDeps) SyncTargets(ctx context.Context, before, after investor.WatchedSymbol) error {
	if d.Open == nil || slices.Equal(targetRules(before), targetRules(after)) {
		return nil
	}
	store, err := d.Open(ctx)
	if err != nil {
		return err
	}
	rules, err := store.Rules(ctx)
	if err != nil {
		return err
	}
	old, wanted := targetRules(before), targetRules(after)
	for _, text := range old {
		if id := ruleWithText(rules, text); id != "" && !slices.Contains(wanted, text) {
			if err := store.RemoveRule(ctx, id); err != nil {
				return err
			}
		}
	}
	return d.addMissing(ctx, slices.DeleteFunc(wanted, func(text string) bool { return slices.Contains(old, text) }))
}

func targetRules(w investor.WatchedSymbol) []string {
	var out []string
	for _, t := range w.Targets {
		out = append(out, ruleOf(w.Symbol, t))
	}
	return out
}

type alertRule struct {
	ID      string `json:"id" label:"id"`
	Rule    string `json:"rule" label:"rule"`
	State   string `json:"state" label:"state"`
	To      string `json:"to,omitempty" label:"to" sparse:"true"`
	Value   string `json:"value,omitempty" label:"last value" sparse:"true"`
	AsOf    string `json:"as_of,omitempty" label:"as of" sparse:"true"`
	Problem string `json:"problem,omitempty" label:"not checked because" sparse:"true"`
}

type alertRules struct {
	Done     string        `json:"done,omitempty"` // what the call changed
	Rules    []alertRule   `json:"rules" table:"Rules"`
	Warnings toolkit.Notes `json:"warnings,omitempty"`
}

// Headline implements [toolkit.Answer].
func (a alertRules) Headline(lang string) string {
	active := 0
	for _, r := range a.Rules {
		if r.State != "off" && !strings.HasPrefix(r.State, "paused") {
			active++
		}
	}
	switch {
	case lang == "zh" && len(a.Rules) == 0:
		return `没有提醒规则。添加：nfa alerts add "AAPL below 150"`
	case lang == "zh":
		return a.done("。") + fmt.Sprintf("%d 条提醒规则，%d 条有效。", len(a.Rules), active)
	case len(a.Rules) == 0 && a.Done != "":
		return a.Done + "."
	case len(a.Rules) == 0:
		return `No alert rules. Add one: nfa alerts add "AAPL below 150"`
	}
	return a.done(". ") + fmt.Sprintf("%s, %d active.", humanize.Count(len(a.Rules), "alert rule", "alert rules"), active)
}

// Title implements [toolkit.Titled].
func (a alertRules) Title() string { return a.Done }

// done returns what the call changed as a sentence, or "".
func (a alertRules) done(period string) string {
	if a.Done == "" {
		return ""
	}
	return a.Done + period
}

// list shows the rules, what the call changed, and watchlist targets without a rule.
func (d AlertDeps) list(ctx context.Context, store alert.Store, done string) (tool.Result, error) {
	rules, err := store.Rules(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	states, err := store.States(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	a := alertRules{Done: done, Rules: []alertRule{}}
	for _, r := range rules {
		a.Rules = append(a.Rules, d.describe(r, states))
	}
	off, err := d.targetsWithoutRule(ctx, rules)
	if err != nil {
		return tool.Result{}, err
	}
	for _, text := range off {
		a.Rules = append(a.Rules, alertRule{Rule: text, State: "off"})
	}
	if len(off) > 0 {
		a.Warnings.Note("off", "Some target prices on the watchlist have no alert rule. Add rules for them: nfa alerts add --watchlist")
	}
	failing, err := alert.FailingChannels(ctx, store, d.Now())
	if err != nil {
		return tool.Result{}, err
	}
	for _, f := range failing {
		a.Warnings.Warn("channel", "%s", f.Failure())
	}
	return toolkit.Render(a), nil
}

func (d AlertDeps) describe(r alert.StoredRule, states []alert.State) alertRule {
	line := alertRule{ID: r.ID, Rule: r.Text, State: "not checked yet", To: strings.Join(r.Channels, ", ")}
	fired, checked, armed := 0, false, true
	for _, s := range states {
		switch {
		case s.RuleID != r.ID:
			continue
		case s.Subject == "":
			line.Problem = s.Problem
			continue
		}
		checked = true
		fired += s.Edge
		armed = armed && s.Armed
		if asOf := toolkit.FormatDate(s.LastAsOf); asOf > line.AsOf && !r.Rule.IsEvent() {
			line.AsOf, line.Value = asOf, s.LastValue.Round(4).String()
		}
	}
	switch {
	case r.Paused && r.PausedUntil.IsZero():
		line.State = "paused"
	case r.Paused && r.PausedUntil.After(d.Now()):
		line.State = "paused until " + toolkit.FormatDate(r.PausedUntil)
	case r.Once && fired > 0:
		line.State = "done"
	case fired > 0 && !armed && !r.Rule.IsEvent():
		line.State = "fired"
	case checked || r.Rule.IsEvent():
		line.State = "waiting"
	}
	if r.Rule.Kind == "" {
		line.Problem = "this version of nfa does not support this rule"
	}
	return line
}

type alertLogLine struct {
	At   string `json:"at" label:"at"`
	ID   string `json:"id" label:"id"`
	Rule string `json:"rule_id" label:"rule"`
	Text string `json:"text" label:"alert"`
}

type alertLog struct {
	Alerts []alertLogLine `json:"alerts" table:"Alerts"`
}

// Headline implements [toolkit.Answer].
func (a alertLog) Headline(lang string) string {
	if lang == "zh" {
		return fmt.Sprintf("%d 条提醒。", len(a.Alerts))
	}
	return humanize.Count(len(a.Alerts), "alert", "alerts") + "."
}

// Text implements [toolkit.Texter].
func (a alertLog) Text() string {
	if len(a.Alerts) == 0 {
		return "No alerts yet."
	}
	return "nfa why ID shows the source of an alert."
}

const maxAlertLog = 50

func showAlertLog(ctx context.Context, store alert.Store) (tool.Result, error) {
	alerts, err := store.Alerts(ctx, maxAlertLog)
	if err != nil {
		return tool.Result{}, err
	}
	a := alertLog{Alerts: []alertLogLine{}}
	for _, one := range alerts {
		a.Alerts = append(a.Alerts, alertLogLine{At: one.At.Format(time.DateTime), ID: one.ID, Rule: one.RuleID, Text: one.Text})
	}
	return toolkit.Render(a), nil
}
