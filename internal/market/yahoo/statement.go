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
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshStatements    = 24 * time.Hour
	staleStatements    = 30 * 24 * time.Hour
	firstStatementYear = 1985 // Yahoo has no earlier ones
	// maxValues limits the periods of one line: a century of quarters.
	maxValues = 400
)

// Statements returns Yahoo's statements of a company, newest first: about four years or five
// quarters, in the newest version. Yahoo dates periods by month end and reports no filing dates, so
// KnownOn assumes the latest permitted filing date and cannot undo restatements; warnings report
// both.
func (s *Source) Statements(ctx context.Context, sym market.Symbol, q market.StatementQuery) ([]market.Statement, error) {
	op := "statements of " + string(sym)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	span := q.Span
	if span == "" {
		span = market.SpanAnnual
	}
	yahooSymbol := YahooSymbol(sym)
	lines, answer, err := get(ctx, s, apiRequest{
		op: op,
		url: s.at(hostData, "/ws/fundamentals-timeseries/v1/finance/timeseries/"+url.PathEscape(yahooSymbol), url.Values{
			"type":    {strings.Join(lineTypes(span), ",")},
			"period1": {strconv.FormatInt(time.Date(firstStatementYear, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), 10)},
			"period2": {strconv.FormatInt(nextMonth(s.o.Now()).Unix(), 10)},
		}),
		kind: client.JSON, fresh: freshStatements, stale: staleStatements,
	}, func(body []byte) (map[string][]statementValue, error) { return parseTimeseries(body, yahooSymbol) })
	if err != nil {
		return nil, err
	}
	found := q.Filter(groupStatements(sym, span, lines, answer))
	if len(found) == 0 {
		return nil, s.dataClients[0].NewError(op, market.ErrNoData, "")
	}
	if !q.KnownOn.IsZero() {
		for i := range found {
			found[i].Warnings = append(found[i].Warnings, "Figures may have been restated after "+q.KnownOn.Format("2006-01-02")+"; Yahoo has only the latest version.")
		}
	}
	return found, nil
}

// nextMonth returns the end of the requested range. Yahoo dates a period by the end of its month, which may
// be in the future. The range stays the same for weeks, so that cached responses are reused.
func nextMonth(now time.Time) time.Time {
	y, m, _ := now.UTC().Date()
	return time.Date(y, m+1, 1, 0, 0, 0, 0, time.UTC)
}

// spanPrefix returns the prefix of Yahoo's line names for a span.
func spanPrefix(span market.Span) string {
	switch span {
	case market.SpanQuarterly:
		return "quarterly"
	case market.SpanTrailing:
		return "trailing"
	}
	return "annual"
}

// lineTypes returns the lines to request. They include annual revenue, which shows the month in which the
// fiscal year ends and thus the numbers of the quarters.
func lineTypes(span market.Span) []string {
	wanted := statementLines()
	if span == market.SpanTrailing {
		wanted = flowLines() // balances have no trailing sum
	}
	var out []string
	for _, f := range wanted {
		out = append(out, spanPrefix(span)+f.line)
	}
	if span == market.SpanQuarterly {
		out = append(out, annualRevenueLine)
	}
	return out
}

const annualRevenueLine = "annualTotalRevenue"

// statementValue is one figure of a statement line.
type statementValue struct {
	AsOfDate      string
	PeriodType    string
	CurrencyCode  string
	ReportedValue Number
}

func parseTimeseries(body []byte, yahooSymbol string) (map[string][]statementValue, error) {
	results, err := decodeService[[]map[string]json.RawMessage](body, "timeseries")
	if err != nil {
		return nil, err
	}
	lines := make(map[string][]statementValue, len(results))
	for _, result := range results {
		if err := parseLine(yahooSymbol, result, lines); err != nil {
			return nil, err
		}
	}
	return lines, nil
}

// parseLine parses one result, whose metadata has the key of its values. A line that the company does not
// have has no values; single values may be null.
func parseLine(yahooSymbol string, result map[string]json.RawMessage, into map[string][]statementValue) error {
	var m struct{ Symbol, Type []string }
	if err := client.DecodeJSON(result["meta"], &m); err != nil {
		return err
	}
	if len(m.Symbol) != 1 || !SameYahooSymbol(yahooSymbol, m.Symbol[0]) || len(m.Type) != 1 {
		return client.Malformedf("unexpected line")
	}
	raw, ok := result[m.Type[0]]
	if !ok {
		return nil
	}
	var values []*statementValue
	if err := client.DecodeJSON(raw, &values); err != nil {
		return err
	}
	if len(values) > maxValues {
		return client.Malformedf("%d values in a line", len(values))
	}
	for _, v := range values {
		if v != nil && v.ReportedValue.Valid {
			into[m.Type[0]] = append(into[m.Type[0]], *v)
		}
	}
	return nil
}

// groupStatements groups the lines by the end of the period, newest first.
func groupStatements(sym market.Symbol, span market.Span, lines map[string][]statementValue, answer client.Response) []market.Statement {
	byEnd := make(map[market.Date]*market.Statement)
	for _, f := range statementLines() {
		tag := spanPrefix(span) + f.line
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
				st.Items[f.item] = f.toItem(v, tag)
			}
		}
	}
	yearEnd := lastPeriodEnd(lines[annualRevenueLine])
	out := make([]market.Statement, 0, len(byEnd))
	for _, st := range byEnd {
		completeStatement(st, yearEnd, answer)
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

func lastPeriodEnd(values []statementValue) market.Date {
	var last market.Date
	for _, v := range values {
		if end, err := time.Parse(time.DateOnly, v.AsOfDate); err == nil && end.After(last) {
			last = end
		}
	}
	return last
}

// toItem converts a value to nfa's unit and sign.
func (f statementLine) toItem(v statementValue, tag string) market.Item {
	currency, parts := MajorUnit(v.CurrencyCode)
	item := market.Item{Value: v.ReportedValue.Decimal, Unit: currency, Tag: name + ":" + tag}
	if f.unit == unitShares {
		item.Unit = unitShares
		return item
	}
	if f.unit == unitPerShare {
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

// completeStatement sets the labels of a statement once its items are known: template, fiscal
// period, currency and warnings.
func completeStatement(st *market.Statement, yearEnd market.Date, answer client.Response) {
	st.Template = templateOf(st.Items)
	if st.Template == market.TemplateGeneral {
		for _, item := range bankItems() {
			delete(st.Items, item)
		}
	}
	st.FiscalYear, st.FiscalPeriod = st.PeriodEnd.Year(), "FY"
	st.Warnings = append(st.Warnings, "Yahoo dates periods by month end; the company's date may differ by a few days.")
	switch st.Span {
	case market.SpanTrailing:
		st.FiscalPeriod = "TTM"
	case market.SpanQuarterly:
		st.FiscalYear, st.FiscalPeriod = fiscalQuarter(st.PeriodEnd, yearEnd)
	}
	st.Warnings = append(st.Warnings, "The fiscal year is named for the year it ends in; the company may name it differently.")
	st.PeriodStart = periodStart(st.Span, st.PeriodEnd)
	p := newProvenance("fundamentals-timeseries", answer)
	p.AsOf, p.Adjustment, p.Unit = st.PeriodEnd, market.AdjustmentUnknown, "units"
	var mixed bool
	p.Currency, mixed = mainCurrency(st.Items)
	if mixed {
		st.Warnings = append(st.Warnings, "Figures are in more than one currency; check the unit of each.")
	}
	st.Provenance = p
}

// periodStart returns the first day of a period of whole months.
func periodStart(span market.Span, end market.Date) market.Date {
	months := 12
	if span == market.SpanQuarterly {
		months = 3
	}
	return time.Date(end.Year(), end.Month()+1-time.Month(months), 1, 0, 0, 0, 0, time.UTC)
}

// templateOf detects banks and insurers by the lines that only they have.
func templateOf(items map[string]market.Item) market.Template {
	reported := func(item string) bool { _, ok := items[item]; return ok }
	switch {
	case reported(market.ItemPremiumsEarned):
		return market.TemplateInsurer
	case reported(market.ItemDeposits) || reported(market.ItemNonInterestIncome) && reported(market.ItemNetInterestIncome):
		return market.TemplateBank
	}
	return market.TemplateGeneral
}

// fiscalQuarter returns the name of a quarter, given the month in which the fiscal year ends. If that is
// unknown, the quarter has no name and the year is the calendar year.
func fiscalQuarter(end, yearEnd market.Date) (year int, period string) {
	if yearEnd.IsZero() {
		return end.Year(), ""
	}
	after := (int(end.Month()) - int(yearEnd.Month()) + 12) % 12
	year = end.Year()
	if end.Month() > yearEnd.Month() {
		year++
	}
	if after%3 != 0 {
		return year, ""
	}
	if after == 0 {
		return year, "Q4"
	}
	return year, "Q" + strconv.Itoa(after/3)
}

// mainCurrency returns the currency of most items, and whether there are others.
func mainCurrency(items map[string]market.Item) (most string, mixed bool) {
	counts := make(map[string]int)
	for _, item := range items {
		if item.Unit != unitShares && len(item.Unit) == 3 {
			counts[item.Unit]++
		}
	}
	names := make([]string, 0, len(counts))
	for name := range counts {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if counts[name] > counts[most] {
			most = name
		}
	}
	return most, len(names) > 1
}
