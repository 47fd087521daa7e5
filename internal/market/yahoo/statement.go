package yahoo

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/wire"
	"github.com/nfa-cli/nfa/internal/market/yahoo/chart"
)

const (
	freshStatements = 24 * time.Hour
	staleStatements = 30 * 24 * time.Hour
	firstStatement  = 1985 // earlier ones Yahoo does not have
	// mostValues bounds the periods of one line: a century of quarters.
	mostValues = 400
)

// Statements returns what Yahoo has of a company's statements, newest first:
// about four years or five quarters, in the newest form. Yahoo dates periods by
// the end of a month and does not tell when they were filed, so that KnownOn goes
// by the longest time that filing may take and cannot undo restatements; both are
// said in the warnings.
func (s *Source) Statements(ctx context.Context, sym market.Symbol, q market.StatementQuery) ([]market.Statement, error) {
	doing := "statements of " + string(sym)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	span := q.Span
	if span == "" {
		span = market.SpanAnnual
	}
	asked := chart.Spelled(sym)
	lines, answer, err := get(ctx, s, question{
		doing: doing,
		url: s.at(hostData, "/ws/fundamentals-timeseries/v1/finance/timeseries/"+url.PathEscape(asked), url.Values{
			"type":    {strings.Join(types(span), ",")},
			"period1": {strconv.FormatInt(time.Date(firstStatement, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), 10)},
			"period2": {strconv.FormatInt(nextMonth(s.o.Now()).Unix(), 10)},
		}),
		kind: fetch.JSON, fresh: freshStatements, stale: staleStatements,
	}, timeseriesParser(asked))
	if err != nil {
		return nil, err
	}
	found := q.Of(statements(sym, span, lines, answer))
	if len(found) == 0 {
		return nil, s.taps[0].Failed(doing, market.ErrNoData, "")
	}
	if !q.KnownOn.IsZero() {
		for i := range found {
			found[i].Warnings = append(found[i].Warnings, "Figures may have been restated after "+q.KnownOn.Format("2006-01-02")+": Yahoo has the newest form only.")
		}
	}
	return found, nil
}

// nextMonth is the end of what is asked for: Yahoo dates a period by the end of its
// month, which may be ahead. It stays the same for weeks, so that a kept answer is
// found again.
func nextMonth(now time.Time) time.Time {
	y, m, _ := now.UTC().Date()
	return time.Date(y, m+1, 1, 0, 0, 0, 0, time.UTC)
}

// prefix is how Yahoo marks the lines of a span.
func prefix(span market.Span) string {
	switch span {
	case market.SpanQuarterly:
		return "quarterly"
	case market.SpanTrailing:
		return "trailing"
	}
	return "annual"
}

// types are the lines to ask for. The annual revenue tells in which month the
// company's year ends, which numbers its quarters.
func types(span market.Span) []string {
	wanted := figures()
	if span == market.SpanTrailing {
		wanted = flows() // a balance is of one day
	}
	var out []string
	for _, f := range wanted {
		out = append(out, prefix(span)+f.line)
	}
	if span == market.SpanQuarterly {
		out = append(out, yearly)
	}
	return out
}

const yearly = "annualTotalRevenue"

// value is one figure of a line.
type value struct {
	AsOfDate      string
	PeriodType    string
	CurrencyCode  string
	ReportedValue chart.Number
}

func timeseriesParser(asked string) func([]byte) (map[string][]value, error) {
	return func(body []byte) (map[string][]value, error) {
		var b struct {
			Timeseries *struct {
				Result []map[string]json.RawMessage
				Error  *chart.Complaint
			}
		}
		if err := wire.Decode(body, &b); err != nil {
			return nil, err
		}
		if b.Timeseries == nil {
			return nil, wire.Malformed("no time series")
		}
		if b.Timeseries.Error != nil {
			return nil, b.Timeseries.Error.Meaning(0)
		}
		lines := make(map[string][]value, len(b.Timeseries.Result))
		for _, result := range b.Timeseries.Result {
			if err := line(asked, result, lines); err != nil {
				return nil, err
			}
		}
		return lines, nil
	}
}

// line reads one result: its meta data name the key under which its values stand.
// A line that the company does not have has no values; single ones may be null.
func line(asked string, result map[string]json.RawMessage, into map[string][]value) error {
	var m struct{ Symbol, Type []string }
	if err := wire.Decode(result["meta"], &m); err != nil {
		return err
	}
	if len(m.Symbol) != 1 || !chart.SameSymbol(asked, m.Symbol[0]) || len(m.Type) != 1 {
		return wire.Malformed("a line about something else")
	}
	raw, ok := result[m.Type[0]]
	if !ok {
		return nil
	}
	var values []*value
	if err := wire.Decode(raw, &values); err != nil {
		return err
	}
	if len(values) > mostValues {
		return wire.Malformed("%d values in a line", len(values))
	}
	for _, v := range values {
		if v != nil && v.ReportedValue.Valid {
			into[m.Type[0]] = append(into[m.Type[0]], *v)
		}
	}
	return nil
}

// statements gathers the lines by the periods' ends, newest first.
func statements(sym market.Symbol, span market.Span, lines map[string][]value, answer fetch.Response) []market.Statement {
	byEnd := make(map[market.Date]*market.Statement)
	for _, f := range figures() {
		tag := prefix(span) + f.line
		for _, v := range lines[tag] {
			end, err := time.Parse(time.DateOnly, v.AsOfDate)
			if err != nil || v.PeriodType != periodType(span) {
				continue
			}
			st := byEnd[end]
			if st == nil {
				st = &market.Statement{
					Instrument: market.Instrument{Symbol: sym, Name: string(sym), Kind: "equity"},
					Span:       span, PeriodEnd: end, Items: make(map[string]market.Item),
				}
				byEnd[end] = st
			}
			if _, have := st.Items[f.item]; !have {
				st.Items[f.item] = f.read(v, tag)
			}
		}
	}
	yearEnd := lastOf(lines[yearly])
	out := make([]market.Statement, 0, len(byEnd))
	for _, st := range byEnd {
		finish(st, yearEnd, answer)
		out = append(out, *st)
	}
	slices.SortFunc(out, func(a, b market.Statement) int { return b.PeriodEnd.Compare(a.PeriodEnd) })
	return out
}

func periodType(span market.Span) string {
	switch span {
	case market.SpanQuarterly:
		return "3M"
	case market.SpanTrailing:
		return "TTM"
	}
	return "12M"
}

func lastOf(values []value) market.Date {
	var last market.Date
	for _, v := range values {
		if end, err := time.Parse(time.DateOnly, v.AsOfDate); err == nil && end.After(last) {
			last = end
		}
	}
	return last
}

// read is a value in the unit and with the sign that nfa gives it.
func (f figure) read(v value, tag string) market.Item {
	currency, parts := chart.Major(v.CurrencyCode)
	item := market.Item{Value: v.ReportedValue.Decimal, Unit: currency, Tag: name + ":" + tag}
	if f.of == count {
		item.Unit = count
		return item
	}
	if f.of == perShare {
		item.Unit = currency + "/share"
	}
	if parts > 1 {
		item.Value = item.Value.Div(decimal.NewFromInt(parts))
		item.Flags = []market.Flag{market.FlagConverted}
	}
	if f.outflow {
		item.Value = item.Value.Neg()
	}
	return item
}
