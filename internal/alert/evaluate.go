package alert

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Reading is the result of evaluating a rule for one subject.
type Reading struct {
	Subject string // a symbol, "portfolio", a limit, an accession number
	// Event is the key of something that happens once, such as a filing; "" for a value compared with a
	// threshold.
	Event string
	AsOf  time.Time
	Value decimal.Decimal
	// Holds means that the condition is met. Clear means that the value is far enough on the other side for
	// the rule to fire again. In between, both are false.
	Holds, Clear bool
	// Baseline means that the first reading does not fire but only starts the comparison.
	Baseline bool
	Text     string // what happened, in one sentence
	Figure   tool.Figure
	Figures  []tool.Figure // of a morning note
	Call     llm.ToolCall
}

var (
	hundred = decimal.NewFromInt(100)
	// rearmAt is how far beyond its threshold a value must return before the rule can fire again: one
	// percent of the threshold.
	rearmAt = decimal.New(1, -2)
	// maxJump is the largest plausible change between two prices without a split.
	maxJump = decimal.New(6, -1)
	// agreement is how close a second source must be to confirm a price.
	agreement = decimal.New(1, -1)
)

// isOneEvent reports whether the reading is of something that happens once.
func (r Reading) isOneEvent() bool { return r.Event != "" && !r.Baseline }

// stateSubject returns the subject of the state that the reading changes.
func (r Reading) stateSubject() string {
	if r.isOneEvent() {
		return r.Subject + " " + r.Event
	}
	return r.Subject
}

// compare sets Holds and Clear from the value and a threshold.
func (r *Reading) compare(threshold decimal.Decimal, above bool) {
	distance := r.Value.Sub(threshold)
	if !above {
		distance = distance.Neg()
	}
	r.Holds = distance.Sign() >= 0
	r.Clear = !r.Holds && distance.Neg().GreaterThanOrEqual(threshold.Abs().Mul(rearmAt))
}

// evaluation evaluates rules on one day.
type evaluation struct {
	*answers
	now time.Time
	// states are the states before the run. A morning note that was already sent is not written again.
	states map[stateKey]State
	// preview means that a morning note is written at any time of day.
	preview bool
	// needs holds the data needs by the subject of the rules.
	needs map[string]*need
}

// need is the data required by all rules about a subject.
type need struct {
	since string   // creation of the oldest rule
	from  string   // day of the first close
	forms []string // of filings
}

func day(t time.Time) string { return t.Format(time.DateOnly) }

// collect fills needs and returns the calls that all rules need.
func (e *evaluation) collect(rules []StoredRule) (quotes []string, calls []llm.ToolCall) {
	e.needs = map[string]*need{}
	today := day(e.now)
	for _, s := range rules {
		n := e.needs[s.Rule.Subject]
		if n == nil {
			n = &need{since: s.created(), from: today}
			e.needs[s.Rule.Subject] = n
		}
		n.since = min(n.since, s.created())
		switch r := s.Rule; r.Kind {
		case Price:
			quotes = append(quotes, r.Subject)
		case Move, Drawdown, Average:
			n.from = min(n.from, day(r.firstClose(e.now)))
		case Filing:
			n.forms = append(n.forms, r.Form)
		}
	}
	for _, s := range rules {
		switch r := s.Rule; r.Kind {
		case Price:
			calls = append(calls, newCall("dividends_splits", e.actionArgs(r.Subject)))
		case ExDividend:
			if r.Subject != Portfolio {
				calls = append(calls, newCall("dividends_splits", e.actionArgs(r.Subject)))
			}
		case Move, Drawdown, Average:
			if r.Subject != Portfolio {
				calls = append(calls, newCall("price_history", e.barArgs(r.Subject)))
			}
		case Earnings:
			calls = append(calls, newCall("earnings", args{"symbol": r.Subject}))
		case Ratio:
			calls = append(calls, newCall("key_ratios", args{"symbol": r.Subject}))
		case Filing:
			calls = append(calls, newCall("filings", e.filingArgs(r.Subject)))
		case Series, Release:
			calls = append(calls, newCall("macro_series", args{"series_id": r.Subject}))
		}
	}
	slices.Sort(quotes)
	return slices.Compact(quotes), calls
}

func (e *evaluation) actionArgs(symbol string) args {
	since := day(e.now)
	if n := e.needs[symbol]; n != nil {
		since = n.since
	}
	return args{"symbol": symbol, "from": since}
}

func (e *evaluation) barArgs(symbol string) args {
	return args{"symbol": symbol, "from": e.needs[symbol].from, "interval": "daily"}
}

func (e *evaluation) filingArgs(symbol string) args {
	n := e.needs[symbol]
	slices.Sort(n.forms)
	return args{"symbol": symbol, "form": strings.Join(slices.Compact(n.forms), ","), "from": n.since, "limit": 50}
}

// slack is the number of additional days of closes to request, to allow for holidays.
const slack = 10

// firstClose returns the first day whose close the rule may need.
func (r Rule) firstClose(now time.Time) time.Time {
	switch {
	case r.Kind == Average:
		return now.AddDate(0, 0, -r.Count*8/5-3*slack) // seven days have five sessions, fewer with holidays
	case r.Kind == Drawdown && r.Since != "":
		from, _ := time.Parse(time.DateOnly, r.Since)
		return from
	case r.Kind == Drawdown:
		return now.AddDate(-1, 0, -slack)
	}
	return r.first(now).AddDate(0, 0, -slack)
}

// read evaluates a rule. An error says why its result is unknown.
func (e *evaluation) read(ctx context.Context, s StoredRule) ([]Reading, error) {
	r := s.Rule
	switch r.Kind {
	case Price:
		return e.price(ctx, s)
	case Move, Drawdown:
		if r.Subject == Portfolio {
			return e.portfolioReturn(ctx, r)
		}
		return e.closes(ctx, r)
	case Average:
		return e.closes(ctx, r)
	case Drift, Weight, Cash:
		return e.allocation(ctx, r)
	case Limits:
		return e.limits(ctx)
	case Series, Release:
		return e.series(ctx, r)
	case Spread:
		return e.spread(ctx, r)
	case Filing:
		return e.filings(ctx, s)
	case ExDividend:
		return e.exDividends(ctx, s)
	case Earnings:
		return e.earnings(ctx, s)
	case LongTerm, Harvest:
		return e.lots(ctx, r)
	case Review:
		return e.reviews(ctx)
	case Ratio:
		return e.ratio(ctx, r)
	case Note:
		return e.note(ctx, s)
	}
	return nil, unknown("this version of nfa does not support this rule")
}

func (e *evaluation) price(ctx context.Context, s StoredRule) ([]Reading, error) {
	r := s.Rule
	q, figure, from, err := e.quote(ctx, r.Subject)
	switch {
	case err != nil:
		return nil, err
	case q.check() != nil:
		return nil, q.check()
	case r.Currency != "" && q.Currency != r.Currency:
		return nil, unknown(fmt.Sprintf("the rule is in %s, but the price is in %s", r.Currency, q.Currency))
	case q.time().IsZero():
		return nil, unknown("the price has no date")
	}
	if err := e.checkSession(ctx, q); err != nil {
		return nil, err
	}
	splits, err := e.splits(ctx, e.actionArgs(r.Subject))
	if err != nil {
		return nil, err
	}
	factor := splits.factor(s.created(), q.day())
	if err := e.confirm(ctx, q); err != nil {
		return nil, err
	}
	threshold, adjusted := r.Value, ""
	if !factor.Equal(decimal.NewFromInt(1)) {
		threshold = r.Value.Div(factor)
		adjusted = fmt.Sprintf(" (%s before the split)", number(r.Value))
	}
	out := Reading{Subject: r.Subject, AsOf: q.time(), Value: q.Price, Figure: figure, Call: from.call}
	out.compare(threshold, r.Above)
	at := r.side()
	if q.Price.Equal(threshold) {
		at = "at"
	}
	out.Text = fmt.Sprintf("%s %s is %s %s%s.", r.Subject, amount(q.Price, q.unit()), at, number(threshold), adjusted)
	return []Reading{out}, nil
}

// confirm returns an error for an implausible price. A jump without a split counts only if the daily
// closes show it too.
func (e *evaluation) confirm(ctx context.Context, q quoteLine) error {
	if q.Price.IsPositive() && !jumped(q.Previous, q.Price) {
		return nil
	}
	doubt := suspectError{text: fmt.Sprintf("the price of %s went from %s to %s", q.Symbol, number(q.Previous), number(q.Price)), asOf: q.time()}
	closes, _, err := get[barList](ctx, e.answers, "price_history", args{"symbol": q.Symbol, "from": day(q.time().AddDate(0, 0, -slack)), "interval": "daily"})
	if err != nil || len(closes.Bars) == 0 || closes.check() != nil || closes.Bars[len(closes.Bars)-1].Date < q.day() {
		return doubt // not checked against a second source yet
	}
	second := closes.Bars[len(closes.Bars)-1].Close
	if q.Price.IsPositive() && second.IsPositive() && agrees(q.Price, second) {
		return nil
	}
	doubt.text += fmt.Sprintf(", but %s has a close of %s", closes.Source, number(second))
	doubt.confirmed = true
	return doubt
}

// jumped reports whether the change between two prices is implausible without a split.
func jumped(before, after decimal.Decimal) bool {
	return before.IsPositive() && after.Div(before).Sub(decimal.NewFromInt(1)).Abs().GreaterThan(maxJump)
}

// agrees reports whether a second source confirms a price.
func agrees(price, second decimal.Decimal) bool {
	return second.Sub(price).Abs().LessThanOrEqual(price.Mul(agreement))
}

// closes evaluates rules about the closes of a symbol.
func (e *evaluation) closes(ctx context.Context, r Rule) ([]Reading, error) {
	list, from, err := get[barList](ctx, e.answers, "price_history", e.barArgs(r.Subject))
	switch {
	case err != nil:
		return nil, err
	case list.check() != nil:
		return nil, list.check()
	case len(list.Bars) < 2:
		return nil, unknown("too few closes for " + r.Subject)
	}
	bars, err := e.adjust(ctx, r.Subject, list)
	if err != nil {
		return nil, err
	}
	last := bars[len(bars)-1]
	asOf, err := time.Parse(time.DateOnly, last.Date)
	if err != nil {
		return nil, unknown("a close for " + r.Subject + " has no date")
	}
	out := Reading{Subject: r.Subject, AsOf: asOf, Call: from.call}
	out.Figure = tool.Figure{Label: r.Subject + " " + string(r.Kind), Unit: "%", AsOf: asOf, Source: list.Source}
	dated := func(b bar) string { return fmt.Sprintf("close %s on %s", b.Close, b.Date) }
	var base bar
	switch r.Kind {
	case Move:
		first := day(r.first(asOf))
		i := slices.IndexFunc(bars, func(b bar) bool { return b.Date > first })
		if i < 1 {
			return nil, unknown("no close for " + r.Subject + " on or before " + first)
		}
		base = bars[i-1]
		out.Figure.Formula = "(last close - first close) / first close * 100"
	case Drawdown:
		since := r.Since
		if since == "" {
			since = day(asOf.AddDate(0, 0, -365))
		}
		for _, b := range bars {
			if b.Date >= since && b.Close.GreaterThan(base.Close) {
				base = b
			}
		}
		out.Figure.Formula = "(highest close - last close) / highest close * 100"
	case Average:
		return out.average(r, bars, list.unit())
	}
	if !base.Close.IsPositive() || !last.Close.IsPositive() {
		return nil, suspectError{text: "a close for " + r.Subject + " is not positive", asOf: asOf}
	}
	if before := bars[len(bars)-2].Close; jumped(before, last.Close) {
		q, _, _, err := e.quote(ctx, r.Subject)
		if err != nil || !agrees(last.Close, q.Price) {
			return nil, suspectError{text: fmt.Sprintf("%s closed at %s after %s, which its quote does not confirm", r.Subject, number(last.Close), number(before)), asOf: asOf, confirmed: err == nil}
		}
	}
	out.Value = last.Close.Sub(base.Close).Mul(hundred).Div(base.Close)
	out.Figure.Inputs = []string{"first " + dated(base), "last " + dated(last)}
	if r.Kind == Drawdown {
		out.Value = out.Value.Neg()
		out.Figure.Inputs[0] = "highest " + dated(base)
		out.compare(r.Value, true)
		out.Text = fmt.Sprintf("%s is %s%% below its highest close, %s on %s.", r.Subject, percent(out.Value), amount(base.Close, list.unit()), base.Date)
	} else {
		out.compare(r.Value, r.Above)
		verb := "rose"
		if out.Value.IsNegative() {
			verb = "fell"
		}
		out.Text = fmt.Sprintf("%s %s %s%% in %d%s, from %s on %s to %s.", r.Subject, verb, percent(out.Value.Abs()), r.Count, r.Unit, number(base.Close), base.Date, amount(last.Close, list.unit()))
	}
	out.Figure.Value = out.Value
	return []Reading{out}, nil
}

// average compares the last close with the average of the last closes.
func (r Reading) average(rule Rule, bars []bar, unit string) ([]Reading, error) {
	if len(bars) < rule.Count {
		return nil, unknown(fmt.Sprintf("only %d closes for %s; the average needs %d", len(bars), rule.Subject, rule.Count))
	}
	window := bars[len(bars)-rule.Count:]
	sum := decimal.Zero
	for _, b := range window {
		sum = sum.Add(b.Close)
	}
	mean, last := sum.Div(decimal.NewFromInt(int64(rule.Count))), bars[len(bars)-1]
	r.Value = last.Close
	r.compare(mean, rule.Above)
	r.Figure = tool.Figure{
		Label: fmt.Sprintf("%s %d-day average", rule.Subject, rule.Count), Value: mean, Unit: unit, AsOf: r.AsOf, Source: r.Figure.Source,
		Formula: fmt.Sprintf("sum of the last %d closes / %d", rule.Count, rule.Count), Inputs: []string{"first close on " + window[0].Date, fmt.Sprintf("last close %s on %s", last.Close, last.Date)},
	}
	r.Text = fmt.Sprintf("%s closed at %s, %s its %d-day average of %s.", rule.Subject, amount(last.Close, unit), rule.side(), rule.Count, number(mean))
	return []Reading{r}, nil
}

// portfolioReturn evaluates rules about the time-weighted return of the portfolio.
func (e *evaluation) portfolioReturn(ctx context.Context, r Rule) ([]Reading, error) {
	from := r.Since
	if r.Kind == Move {
		from = day(r.first(e.now))
	} else if from == "" {
		from = day(e.now.AddDate(0, 0, -365))
	}
	p, result, err := get[performance](ctx, e.answers, "portfolio_performance", args{"from": from, "benchmark": "none"})
	if err != nil {
		return nil, err
	}
	asOf, err := p.check()
	if err != nil {
		return nil, err
	}
	if len(p.Windows) == 0 {
		return nil, unknown("the portfolio's return is unknown")
	}
	last := len(p.Windows) - 1
	w, out := p.Windows[last], Reading{Subject: Portfolio, AsOf: asOf, Call: result.call}
	if r.Kind == Drawdown {
		if w.Drawdown == nil {
			return nil, unknown("the drawdown of the portfolio is unknown")
		}
		if out.Figure, err = result.figure(fmt.Sprintf("windows.%d.drawdown_pct", last)); err != nil {
			return nil, err
		}
		out.Value = *w.Drawdown
		out.compare(r.Value, true)
		out.Text = fmt.Sprintf("The portfolio is %s%% below its high of %s, by time-weighted return.", percent(out.Value), w.Peak)
		return []Reading{out}, nil
	}
	for i, line := range w.Returns {
		switch {
		case line.Method != "time_weighted":
			continue
		case line.Pct == nil:
			return nil, unknown("the return of the portfolio is unknown: " + clip(line.Why))
		}
		if out.Figure, err = result.figure(fmt.Sprintf("windows.%d.returns.%d.pct", last, i)); err != nil {
			return nil, err
		}
		out.Value = *line.Pct
		out.compare(r.Value, r.Above)
		out.Text = fmt.Sprintf("The portfolio returned %s%% from %s to %s, time-weighted.", percent(out.Value), w.From, w.To)
		return []Reading{out}, nil
	}
	return nil, unknown("the return of the portfolio is unknown")
}

// allocation evaluates rules about weights.
func (e *evaluation) allocation(ctx context.Context, r Rule) ([]Reading, error) {
	a, from, err := get[allocation](ctx, e.answers, "portfolio_allocation", args{})
	if err != nil {
		return nil, err
	}
	asOf, err := a.check()
	switch {
	case err != nil:
		return nil, err
	case !a.Whole:
		return nil, unknown("some positions have no price, so the weights are unknown")
	}
	out := Reading{Subject: r.Subject, AsOf: asOf, Call: from.call}
	id := ""
	switch r.Kind {
	case Drift:
		if len(a.Drift) == 0 {
			return nil, unknown("no targets are set; run: nfa portfolio targets")
		}
		for i, line := range a.Drift {
			if line.DriftPP != nil && (id == "" || line.DriftPP.Abs().GreaterThan(out.Value)) {
				out.Value, id = line.DriftPP.Abs(), fmt.Sprintf("drift.%d.drift_pp", i)
				out.Text = fmt.Sprintf("%s is %s percentage points from its target weight, at %s%%.", line.Symbol, percent(out.Value), percent(line.Weight))
			}
		}
		if id == "" {
			return nil, unknown("the drift of every target is unknown")
		}
	case Cash:
		if slices.ContainsFunc(from.result.Notes, func(n tool.Note) bool { return n.Code == "cash_untracked" }) {
			return nil, unknown("the cash of an account is not tracked")
		}
		out.Value, id = a.weight("class", "cash")
		out.Text = fmt.Sprintf("Cash is %s%% of the portfolio, %s %s%%.", percent(out.Value), r.side(), r.Value)
	default:
		out.Value, id = a.weight("symbol", r.Subject)
		out.Text = fmt.Sprintf("%s is %s%% of the portfolio, %s %s%%.", r.Subject, percent(out.Value), r.side(), r.Value)
	}
	out.Figure = tool.Figure{Label: "weight", Unit: "%", AsOf: asOf, Source: "portfolio ledger"} // nothing is held, so there is no figure
	if id != "" {
		if out.Figure, err = from.figure(id); err != nil {
			return nil, err
		}
	}
	out.compare(r.Value, r.Above || r.Kind == Drift)
	return []Reading{out}, nil
}

// weight returns the weight of a part and the ID of its figure, or 0 and "".
func (a allocation) weight(by, name string) (decimal.Decimal, string) {
	for i, d := range a.Dimensions {
		for j, p := range d.Parts {
			if d.By == by && strings.EqualFold(p.Name, name) && p.Weight != nil {
				return *p.Weight, fmt.Sprintf("dimensions.%d.parts.%d.weight_pct", i, j)
			}
		}
	}
	return decimal.Zero, ""
}

// limits evaluates the rule about limits in the investor profile.
func (e *evaluation) limits(ctx context.Context) ([]Reading, error) {
	c, from, err := get[checkup](ctx, e.answers, "portfolio_checkup", args{})
	if err != nil {
		return nil, err
	}
	asOf := parseTime(c.AsOf)
	for _, source := range c.Sources {
		if err := source.check(); err != nil {
			return nil, err
		}
	}
	var out []Reading
	for _, row := range c.Rules {
		if !strings.HasPrefix(row.From, "your profile") || !row.Number.Valid || !row.Threshold.Valid {
			continue
		}
		value, threshold, unit := row.Number.Decimal, row.Threshold.Decimal, ""
		if row.Unit == "fraction" {
			value, threshold, unit = value.Mul(hundred), threshold.Mul(hundred), "%"
		}
		out = append(out, Reading{
			Subject: row.Rule, AsOf: asOf, Value: value, Holds: row.Outcome == "fail", Clear: row.Outcome == "pass", Call: from.call,
			Text:   fmt.Sprintf("A limit in your profile is broken: %s, %s%s, %s %s%s.", row.Measures, percent(value), unit, row.Bound, percent(threshold), unit),
			Figure: tool.Figure{Label: row.Measures, Value: value, Unit: unit, AsOf: asOf, Source: "portfolio ledger", Formula: row.Formula, Inputs: row.Inputs},
		})
	}
	if len(out) == 0 {
		return nil, unknown("your profile has no limits that can be checked; run: nfa profile")
	}
	return out, nil
}

func (e *evaluation) series(ctx context.Context, r Rule) ([]Reading, error) {
	s, from, err := get[seriesAnswer](ctx, e.answers, "macro_series", args{"series_id": r.Subject})
	switch {
	case err != nil:
		return nil, err
	case s.check() != nil:
		return nil, s.check()
	}
	asOf := parseTime(s.Latest.Date)
	out := Reading{Subject: r.Subject, AsOf: asOf, Value: s.Latest.Value, Call: from.call}
	out.Figure = tool.Figure{Label: clip(s.Title), Value: out.Value, Unit: s.Unit, AsOf: asOf, Source: s.Source}
	if r.Kind == Release {
		out.Event, out.Holds, out.Baseline = s.Latest.Date, true, true
		out.Text = fmt.Sprintf("%s (%s) for %s was released: %s.", r.Subject, clip(s.Title), s.Latest.Date, s.Latest.Value)
		return []Reading{out}, nil
	}
	out.compare(r.Value, r.Above)
	out.Text = fmt.Sprintf("%s (%s) is %s, %s %s.", r.Subject, clip(s.Title), s.Latest.Value, r.side(), r.Value)
	return []Reading{out}, nil
}

func (e *evaluation) spread(ctx context.Context, r Rule) ([]Reading, error) {
	c, from, err := get[curve](ctx, e.answers, "yield_curve", args{})
	switch {
	case err != nil:
		return nil, err
	case c.check() != nil:
		return nil, c.check()
	}
	for i, s := range c.Spreads {
		if s.Name != "10Y-2Y" {
			continue
		}
		out := Reading{Subject: spreadName, AsOf: parseTime(c.Date), Value: s.Value, Call: from.call}
		if out.Figure, err = from.figure(fmt.Sprintf("spreads.%d.value", i)); err != nil {
			return nil, err
		}
		out.compare(r.Value, r.Above)
		out.Text = fmt.Sprintf("The 10-year Treasury yield minus the 2-year yield is %s percentage points, %s %s.", s.Value, r.side(), r.Value)
		return []Reading{out}, nil
	}
	return nil, unknown("the yield curve has no 2-year and 10-year yields")
}

func (e *evaluation) filings(ctx context.Context, s StoredRule) ([]Reading, error) {
	r := s.Rule
	list, from, err := get[filingList](ctx, e.answers, "filings", e.filingArgs(r.Subject))
	switch {
	case err != nil && from.result.Code == tool.CodeNoData:
		return nil, nil // nothing was filed
	case err != nil:
		return nil, err
	case slices.Contains(list.Flags, "sample"):
		return nil, list.check()
	}
	var out []Reading
	for _, f := range slices.Backward(list.Filings) {
		if !strings.EqualFold(f.Form, r.Form) || f.Filed < s.created() || r.Item != "" && !slices.Contains(f.Items, r.Item) {
			continue
		}
		item := ""
		if r.Item != "" {
			item = " with item " + r.Item
		}
		asOf := parseTime(f.Filed)
		out = append(out, Reading{
			Subject: r.Subject, Event: f.Accession, AsOf: asOf, Holds: true, Call: from.call,
			Text:   fmt.Sprintf("%s (%s) filed a %s%s on %s.", clip(list.Company), r.Subject, r.Form, item, f.Filed),
			Figure: tool.Figure{Label: r.Form + " of " + r.Subject, Unit: "filing", Value: decimal.NewFromInt(1), AsOf: asOf, Source: list.Source, Inputs: []string{"accession " + f.Accession, f.URL}},
		})
	}
	return out, nil
}

func (e *evaluation) exDividends(ctx context.Context, s StoredRule) ([]Reading, error) {
	symbols := []string{s.Rule.Subject}
	if s.Rule.Subject == Portfolio {
		p, _, err := get[positionList](ctx, e.answers, "portfolio_positions", args{})
		if err != nil {
			return nil, err
		}
		symbols = nil
		for _, position := range p.Positions {
			symbols = append(symbols, position.Symbol)
		}
	}
	var out []Reading
	var problems []error
	for _, symbol := range symbols {
		list, from, err := get[actionList](ctx, e.answers, "dividends_splits", e.actionArgs(symbol))
		switch {
		case err != nil:
			if from.result.Code != tool.CodeNoData {
				problems = append(problems, fmt.Errorf("%s: %w", symbol, err))
			}
			continue
		case slices.Contains(list.Flags, "sample"):
			problems = append(problems, list.check())
			continue
		}
		until := day(e.now.AddDate(0, 0, s.Rule.Count))
		for i, a := range slices.Backward(list.Actions) {
			if a.Amount == nil || a.Date < s.created() || a.Date > until {
				continue
			}
			verb := "went"
			if a.Date > day(e.now) {
				verb = "goes"
			}
			reading := Reading{
				Subject: symbol, Event: a.Date, AsOf: parseTime(a.Date), Value: *a.Amount, Holds: true, Call: from.call,
				Text: fmt.Sprintf("%s %s ex-dividend on %s: %s a share.", symbol, verb, a.Date, amount(*a.Amount, list.unit())),
			}
			if reading.Figure, err = from.figure(fmt.Sprintf("actions.%d.amount", i)); err != nil {
				reading.Figure = tool.Figure{Label: symbol + " dividend", Value: *a.Amount, Unit: list.unit(), AsOf: reading.AsOf, Source: list.Source}
			}
			out = append(out, reading)
		}
		// Some sources announce the date before they list the dividend.
		next, from, err := get[earningsDates](ctx, e.answers, "earnings", args{"symbol": symbol})
		if err == nil && next.check() == nil && next.ExDividend > day(e.now) && next.ExDividend <= until && !slices.ContainsFunc(out, func(r Reading) bool { return r.Subject == symbol && r.Event == next.ExDividend }) {
			out = append(out, next.reading(symbol, next.ExDividend, "ex-dividend date", fmt.Sprintf("%s goes ex-dividend on %s.", symbol, next.ExDividend), from.call))
		}
	}
	return out, errors.Join(problems...)
}

// earnings evaluates rules about the next earnings date.
func (e *evaluation) earnings(ctx context.Context, s StoredRule) ([]Reading, error) {
	symbol := s.Rule.Subject
	next, from, err := get[earningsDates](ctx, e.answers, "earnings", args{"symbol": symbol})
	switch {
	case err != nil:
		return nil, err
	case next.check() != nil:
		return nil, next.check()
	case next.Next < day(e.now) || next.Next > day(e.now.AddDate(0, 0, s.Rule.Count)):
		return nil, nil
	}
	text := fmt.Sprintf("%s reports earnings on %s.", symbol, next.Next)
	if next.Estimated {
		text = fmt.Sprintf("%s is expected to report earnings on %s; the company has not confirmed the date.", symbol, next.Next)
	}
	return []Reading{next.reading(symbol, next.Next, "earnings date", text, from.call)}, nil
}

// reading returns the reading of an announced date.
func (d earningsDates) reading(symbol, date, label, text string, call llm.ToolCall) Reading {
	asOf := d.time()
	return Reading{
		Subject: symbol, Event: date, AsOf: asOf, Holds: true, Call: call, Text: text,
		Figure: tool.Figure{Label: label + " of " + symbol, Unit: "date", Value: decimal.NewFromInt(1), AsOf: asOf, Source: d.Source, Inputs: []string{date}},
	}
}

func (e *evaluation) lots(ctx context.Context, r Rule) ([]Reading, error) {
	kind := "open"
	if r.Kind == Harvest {
		kind = "harvest"
	}
	l, from, err := get[lotList](ctx, e.answers, "tax_lots", args{"kind": kind})
	if err != nil {
		return nil, err
	}
	if _, err := l.check(); err != nil && r.Kind == Harvest {
		return nil, err
	}
	if l.Jurisdiction == "" {
		return nil, unknown("the tax rules are unknown; run: nfa profile answer tax_jurisdiction us")
	}
	asOf := parseTime(l.Day)
	until := day(e.now.AddDate(0, 0, r.Count))
	var out []Reading
	for i, lot := range l.Lots {
		reading := Reading{Subject: lot.Symbol, AsOf: asOf, Holds: true, Call: from.call}
		switch {
		case r.Kind == LongTerm && lot.LongFrom >= l.Day && lot.LongFrom <= until:
			reading.Event = lot.Lot + " " + lot.LongFrom
			reading.Text = fmt.Sprintf("The lot of %s bought on %s becomes long-term on %s.", lot.Symbol, lot.Acquired, lot.LongFrom)
			reading.Figure, err = from.figure(fmt.Sprintf("lots.%d.days_held", i))
		case r.Kind == Harvest && lot.GainPct != nil && lot.GainPct.Neg().GreaterThanOrEqual(r.Value):
			// Fire once a year, because an unrealized loss persists.
			reading.Event, reading.Value = lot.Lot+" "+l.Day[:4], *lot.GainPct
			reading.Text = fmt.Sprintf("The lot of %s bought on %s is at a loss of %s%%.", lot.Symbol, lot.Acquired, percent(lot.GainPct.Neg()))
			reading.Figure, err = from.figure(fmt.Sprintf("lots.%d.gain_base_pct", i))
		default:
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, reading)
	}
	return out, nil
}

func (e *evaluation) reviews(ctx context.Context) ([]Reading, error) {
	j, from, err := get[journal](ctx, e.answers, "decision_journal", args{"action": "list"})
	if err != nil {
		if from.result.Code == tool.CodeNoData {
			return nil, nil
		}
		return nil, err
	}
	var out []Reading
	for _, d := range j.Decisions {
		if !d.Due {
			continue
		}
		var symbols []string
		for _, m := range d.Marks {
			symbols = append(symbols, m.Symbol)
		}
		asOf := parseTime(d.ReviewOn)
		out = append(out, Reading{
			Subject: d.ID, Event: d.ReviewOn, AsOf: asOf, Holds: true, Call: from.call,
			Text:   fmt.Sprintf("Your decision of %s (%s %s) has been due for review since %s.", d.Date, d.Decision, strings.Join(symbols, ", "), d.ReviewOn),
			Figure: tool.Figure{Label: "review date", Value: decimal.NewFromInt(1), Unit: "decision", AsOf: asOf, Source: "decision journal", Inputs: []string{"decision " + d.ID}},
		})
	}
	return out, nil
}

// ratio evaluates rules about a ratio of a company.
func (e *evaluation) ratio(ctx context.Context, r Rule) ([]Reading, error) {
	k, from, err := get[keyRatios](ctx, e.answers, "key_ratios", args{"symbol": r.Subject})
	switch {
	case err != nil:
		return nil, err
	case k.check() != nil:
		return nil, k.check()
	}
	for _, line := range k.Ratios {
		if line.ID != r.Ratio {
			continue
		}
		if r.Unit == "%" && line.Unit != "%" {
			return nil, unknown(fmt.Sprintf("%s is not a percentage; write the rule without %%", line.Label))
		}
		asOf := parseTime(line.AsOf)
		if line.Group == "valuation" {
			if k.Price == nil || k.Price.check() != nil {
				return nil, unknown("no current price of " + r.Subject)
			}
			asOf = k.Price.time() // a new price changes the ratio
		}
		out := Reading{Subject: r.Subject, AsOf: asOf, Value: line.Value, Call: from.call}
		out.Figure = tool.Figure{Label: r.Subject + " " + line.Label, Value: line.Value, Unit: line.Unit, AsOf: asOf, Source: k.Source, Formula: line.Formula, Inputs: line.Inputs}
		out.compare(r.Value, r.Above)
		out.Text = fmt.Sprintf("%s: %s is %s, %s %s%s (%s).", r.Subject, line.Label, ratioLevel(line.Value, line.Unit), r.side(), r.Value, r.Unit, k.Period.Period)
		return []Reading{out}, nil
	}
	for _, line := range k.Absent {
		if line.ID == r.Ratio {
			return nil, unknown(clip(line.Reason))
		}
	}
	return nil, unknown(r.Subject + " has no " + strings.ReplaceAll(r.Ratio, "_", " "))
}

// ratioLevel formats a ratio: 43.3%, 12.5, 91 days.
func ratioLevel(value decimal.Decimal, unit string) string {
	switch unit {
	case "%":
		return percent(value) + "%"
	case "x":
		return value.StringFixed(2)
	}
	return amount(value.Round(2), unit)
}

// number formats a price with at most four decimals, without its unit.
func number(d decimal.Decimal) string { return d.Round(4).String() }

func amount(d decimal.Decimal, unit string) string { return strings.TrimSpace(number(d) + " " + unit) }

// percent formats a number with one decimal.
func percent(d decimal.Decimal) string { return d.StringFixed(1) }

func signedPercent(d decimal.Decimal) string {
	if d.IsNegative() {
		return percent(d) + "%"
	}
	return "+" + percent(d) + "%"
}
