package alert

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Caller calls read-only tools. *tool.Router is one.
type Caller interface {
	Dispatch(ctx context.Context, calls []llm.ToolCall, obs tool.Observer) ([]tool.Outcome, error)
}

// answers holds the results of one run. Each call is made once, for all rules.
type answers struct {
	tools  Caller
	made   map[string]*answer
	quotes map[string]*answer // by symbol: the batch that has it
}

// answer is the result of a call.
type answer struct {
	call    llm.ToolCall
	result  tool.Result
	decoded any
}

func newAnswers(tools Caller) *answers {
	return &answers{tools: tools, made: map[string]*answer{}, quotes: map[string]*answer{}}
}

type args map[string]any

func newCall(name string, in args) llm.ToolCall {
	raw, _ := json.Marshal(in) // strings and lists of strings always encode
	return llm.ToolCall{ID: name, Name: name, Arguments: string(raw)}
}

// fetch makes the calls that were not made before, each once.
func (a *answers) fetch(ctx context.Context, calls ...llm.ToolCall) {
	var fresh []llm.ToolCall
	taken := map[string]bool{}
	for _, c := range calls {
		if key := c.Name + c.Arguments; a.made[key] == nil && !taken[key] {
			taken[key] = true
			fresh = append(fresh, c)
		}
	}
	if len(fresh) == 0 {
		return
	}
	outcomes, _ := a.tools.Dispatch(ctx, fresh, tool.Observer{}) // an interrupted call has an error result
	for _, o := range outcomes {
		a.made[o.Call.Name+o.Call.Arguments] = &answer{call: o.Call, result: o.Result}
	}
}

// fetchQuotes requests quotes in as few calls as possible.
func (a *answers) fetchQuotes(ctx context.Context, symbols []string) {
	const most = 50 // symbols per call of quote
	var calls []llm.ToolCall
	for batch := range slices.Chunk(symbols, most) {
		calls = append(calls, newCall("quote", args{"symbols": batch}))
	}
	a.fetch(ctx, calls...)
	for i, batch := range slices.Collect(slices.Chunk(symbols, most)) {
		for _, symbol := range batch {
			a.quotes[symbol] = a.made[calls[i].Name+calls[i].Arguments]
		}
	}
}

// unknown is the reason why a rule has no figure.
type unknown string

func (u unknown) Error() string { return string(u) }

// get returns the result of a tool as a T.
func get[T any](ctx context.Context, a *answers, name string, in args) (T, *answer, error) {
	call := newCall(name, in)
	a.fetch(ctx, call)
	return decode[T](a.made[call.Name+call.Arguments])
}

func decode[T any](from *answer) (T, *answer, error) {
	var out T
	if from.result.IsError {
		return out, from, unknown(clip(from.result.ErrorText()))
	}
	if done, ok := from.decoded.(T); ok {
		return done, from, nil
	}
	raw, err := json.Marshal(from.result.Value)
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil {
		return out, from, unknown(fmt.Sprintf("result of %s: %v", from.call.Name, err))
	}
	from.decoded = out
	return out, from, nil
}

// figure returns the figure of the result with an ID.
func (a *answer) figure(id string) (tool.Figure, error) {
	for _, f := range a.result.Figures {
		if f.ID == id {
			return f, nil
		}
	}
	return tool.Figure{}, unknown("no figure " + id + " in the result of " + a.call.Name)
}

// origin is the source, date and flags of data.
type origin struct {
	Source   string   `json:"source"`
	AsOf     string   `json:"as_of"`
	Currency string   `json:"currency"`
	Unit     string   `json:"unit"`
	Cache    string   `json:"cache"`
	Flags    []string `json:"flags"`
}

// day returns the date of AsOf, or "".
func (o origin) day() string { return o.AsOf[:min(len(o.AsOf), len(time.DateOnly))] }

func (o origin) time() time.Time { return parseTime(o.AsOf) }

func (o origin) unit() string { return cmp.Or(o.Currency, o.Unit) }

// parseTime parses a time or a date in a result; any other text is the zero time.
func parseTime(text string) time.Time {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t
		}
	}
	return time.Time{}
}

// check returns why data may not trigger an alert, or nil.
func (o origin) check() error {
	switch {
	case slices.Contains(o.Flags, "sample"):
		return unknown("only sample data, which triggers no alert")
	case slices.Contains(o.Flags, "stale") || o.Cache == "stale":
		return staleError{o.time(), o.Source}
	case slices.Contains(o.Flags, "suspect"):
		return unknown("the source's figure is doubtful")
	}
	return nil
}

// staleError means that the newest figure is from before the last session.
type staleError struct {
	asOf   time.Time
	source string
}

func (e staleError) Error() string {
	return fmt.Sprintf("stale: the newest figure of %s is as of %s", e.source, day(e.asOf))
}

// suspectError means that a figure is implausible and not confirmed by a second source.
type suspectError struct {
	text      string
	asOf      time.Time
	confirmed bool // a second source contradicts the figure
}

func (e suspectError) Error() string { return "suspect: " + e.text }

type quoteLine struct {
	Symbol   string          `json:"symbol"`
	Price    decimal.Decimal `json:"price"`
	Previous decimal.Decimal `json:"previous"`
	origin
}

type quoteList struct {
	Quotes []quoteLine `json:"quotes"`
	Errors []struct{ Symbol, Error string }
}

// quote returns the quote of a symbol with its figure.
func (a *answers) quote(ctx context.Context, symbol string) (quoteLine, tool.Figure, *answer, error) {
	if a.quotes[symbol] == nil {
		a.fetchQuotes(ctx, []string{symbol})
	}
	list, from, err := decode[quoteList](a.quotes[symbol])
	if err != nil {
		return quoteLine{}, tool.Figure{}, from, err
	}
	for i, q := range list.Quotes {
		if strings.EqualFold(q.Symbol, symbol) {
			f, err := from.figure(fmt.Sprintf("quotes.%d.price", i))
			return q, f, from, err
		}
	}
	for _, e := range list.Errors {
		if strings.EqualFold(e.Symbol, symbol) {
			return quoteLine{}, tool.Figure{}, from, unknown(clip(e.Error))
		}
	}
	return quoteLine{}, tool.Figure{}, from, unknown("no price of " + symbol)
}

type bar struct {
	Date  string          `json:"date"`
	Close decimal.Decimal `json:"close"`
}

type barList struct {
	Kind       string `json:"kind"`
	Bars       []bar  `json:"bars"`
	Adjustment string `json:"adjustment"`
	origin
}

type action struct {
	Date   string           `json:"date"`
	Amount *decimal.Decimal `json:"amount"`
	New    *decimal.Decimal `json:"new_shares"`
	Old    *decimal.Decimal `json:"old_shares"`
}

type earningsDates struct {
	Next       string `json:"next_date"`
	Estimated  bool   `json:"next_date_is_estimate"`
	ExDividend string `json:"ex_dividend_date"`
	origin
}

type actionList struct {
	Actions []action `json:"actions"`
	origin
}

// factor returns how many shares one share of a past day had become on another day: 4 after a split of 4 for
// 1.
func (l actionList) factor(since, until string) decimal.Decimal {
	factor := decimal.NewFromInt(1)
	for _, action := range l.Actions {
		if action.New != nil && action.Old != nil && action.Old.IsPositive() && action.Date > since && action.Date <= until {
			factor = factor.Mul(*action.New).Div(*action.Old)
		}
	}
	return factor
}

// splits returns the splits of a symbol. CodeNoData means that there were none.
func (e *evaluation) splits(ctx context.Context, in args) (actionList, error) {
	list, from, err := get[actionList](ctx, e.answers, "dividends_splits", in)
	if err != nil && from.result.Code != tool.CodeNoData {
		return list, unknown("the splits are unknown: " + err.Error())
	}
	return list, nil
}

// adjust returns the closes per share as of the last day.
func (e *evaluation) adjust(ctx context.Context, symbol string, list barList) ([]bar, error) {
	switch {
	case list.Adjustment == "split_div":
		return nil, unknown("the closes for " + symbol + " are adjusted for dividends")
	case list.Adjustment != "raw" || list.Kind == "index" || len(list.Bars) == 0:
		return list.Bars, nil
	}
	bars := slices.Clone(list.Bars)
	splits, err := e.splits(ctx, args{"symbol": symbol, "from": bars[0].Date})
	if err != nil {
		return nil, err
	}
	if last := bars[len(bars)-1].Date; slices.ContainsFunc(splits.Actions, func(a action) bool { return a.New != nil }) {
		for i := range bars {
			bars[i].Close = bars[i].Close.Div(splits.factor(bars[i].Date, last))
		}
	}
	return bars, nil
}

type statusAnswer struct {
	Open bool   `json:"is_session_day"`
	MIC  string `json:"mic"`
	Last *struct {
		Date string `json:"date"`
	} `json:"last_completed"`
}

// checkSession returns an error for a price that is from a day without a session, or older than the last
// completed session. Coins, currencies and exchanges without a calendar are not checked.
func (e *evaluation) checkSession(ctx context.Context, q quoteLine) error {
	status, _, err := get[statusAnswer](ctx, e.answers, "market_status", args{"symbol": q.Symbol})
	if err != nil || status.MIC == "" {
		return nil
	}
	if status.Last != nil && q.day() < status.Last.Date {
		return staleError{q.time(), q.Source}
	}
	if status.Last != nil && q.day() == status.Last.Date {
		return nil
	}
	status, _, err = get[statusAnswer](ctx, e.answers, "market_status", args{"symbol": q.Symbol, "date": q.day()})
	if err == nil && !status.Open {
		return unknown("the price is from " + q.day() + ", when the exchange was closed")
	}
	return nil
}

type priceOrigins struct {
	Prices []struct {
		Symbol string `json:"symbol"`
		origin
	} `json:"prices"`
	Day string `json:"day"`
}

// check returns the date of the newest price behind figures of the portfolio, or why they may not
// trigger an alert.
func (p priceOrigins) check() (time.Time, error) {
	newest := parseTime(p.Day)
	for i, price := range p.Prices {
		if err := price.check(); err != nil {
			return newest, fmt.Errorf("%s: %w", price.Symbol, err)
		}
		if at := price.time(); i == 0 || at.After(newest) {
			newest = at
		}
	}
	return newest, nil
}

type allocation struct {
	Whole      bool `json:"whole"`
	Dimensions []struct {
		By    string `json:"by"`
		Parts []struct {
			Name   string           `json:"name"`
			Weight *decimal.Decimal `json:"weight_pct"`
		} `json:"parts"`
	} `json:"dimensions"`
	Drift []struct {
		Symbol  string           `json:"symbol"`
		Weight  decimal.Decimal  `json:"weight_pct"`
		DriftPP *decimal.Decimal `json:"drift_pp"`
	} `json:"drift"`
	priceOrigins
}

type performance struct {
	Windows []struct {
		From     string           `json:"from"`
		To       string           `json:"to"`
		Drawdown *decimal.Decimal `json:"drawdown_pct"`
		Peak     string           `json:"drawdown_peak"`
		Returns  []struct {
			Method string           `json:"method"`
			Pct    *decimal.Decimal `json:"pct"`
			Why    string           `json:"why"`
		} `json:"returns"`
	} `json:"windows"`
	priceOrigins
}

type checkup struct {
	AsOf  string `json:"as_of"`
	Rules []struct {
		Rule      string              `json:"rule"`
		Measures  string              `json:"measures"`
		Outcome   string              `json:"outcome"`
		Number    decimal.NullDecimal `json:"number"`
		Threshold decimal.NullDecimal `json:"threshold"`
		Bound     string              `json:"bound"`
		Unit      string              `json:"unit"`
		From      string              `json:"threshold_from"`
		Formula   string              `json:"formula"`
		Inputs    []string            `json:"inputs"`
	} `json:"rules"`
	Sources []origin `json:"sources"`
}

type keyRatios struct {
	Period struct {
		Period string `json:"period"`
	} `json:"period"`
	Price  *origin `json:"price"`
	Ratios []struct {
		ID      string          `json:"id"`
		Label   string          `json:"label"`
		Group   string          `json:"group"`
		Value   decimal.Decimal `json:"value"`
		Unit    string          `json:"unit"`
		Formula string          `json:"formula"`
		Inputs  []string        `json:"inputs"`
		AsOf    string          `json:"as_of"`
	} `json:"ratios"`
	Absent []struct {
		ID     string `json:"id"`
		Reason string `json:"reason"`
	} `json:"absent"`
	origin
}

// noteRun is a run of the skill morning-note.
type noteRun struct {
	Steps []struct {
		ID     string          `json:"id"`
		Output json.RawMessage `json:"output"`
		Error  string          `json:"error"`
	} `json:"steps"`
}

type alertLog struct {
	Alerts []struct {
		At   string `json:"at"`
		Rule string `json:"rule_id"`
		Text string `json:"text"`
	} `json:"alerts"`
}

type dayChange struct {
	ChangePct *decimal.Decimal `json:"day_change_pct"`
	Positions []struct {
		Symbol    string           `json:"symbol"`
		ChangePct *decimal.Decimal `json:"day_change_pct"`
		origin
	} `json:"positions"`
}

type income struct {
	Payments []struct {
		Date     string `json:"date"`
		Symbol   string `json:"symbol"`
		Kind     string `json:"kind"`
		Declared bool   `json:"declared"`
	} `json:"payments"`
}

type filingList struct {
	Company string `json:"company"`
	Filings []struct {
		Filed     string   `json:"filed"`
		Form      string   `json:"form"`
		Items     []string `json:"items"`
		Accession string   `json:"accession"`
		URL       string   `json:"url"`
	} `json:"filings"`
	origin
}

type lotList struct {
	Jurisdiction string `json:"jurisdiction"`
	Day          string `json:"day"`
	Lots         []struct {
		Lot      string           `json:"lot"`
		Symbol   string           `json:"symbol"`
		Acquired string           `json:"acquired"`
		LongFrom string           `json:"long_from"`
		GainPct  *decimal.Decimal `json:"gain_base_pct"`
	} `json:"lots"`
	priceOrigins
}

type journal struct {
	Decisions []struct {
		ID       string `json:"id"`
		Decision string `json:"decision"`
		Date     string `json:"date"`
		ReviewOn string `json:"review_on"`
		Due      bool   `json:"due"`
		Marks    []struct {
			Symbol string `json:"symbol"`
		} `json:"marks"`
	} `json:"decisions"`
}

type seriesAnswer struct {
	Title  string `json:"title"`
	Latest struct {
		Date  string          `json:"date"`
		Value decimal.Decimal `json:"value"`
	} `json:"latest"`
	origin
}

type curve struct {
	Date    string `json:"date"`
	Spreads []struct {
		Name  string          `json:"name"`
		Value decimal.Decimal `json:"value"`
	} `json:"spreads"`
	origin
}

type positionList struct {
	Positions []struct {
		Symbol string `json:"symbol"`
	} `json:"positions"`
}
