package alert_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/alert"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/sqlite"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools"
)

// pastMarket is ten years of real daily closes of the S&P 500 (sp500-2000.csv of vega-datasets, in the
// sample data) and real filings of Apple, moved to these years. The stock PAYR has the closes of the
// index with a split and quarterly dividends. Unlike the sample data it is not flagged as such.
type pastMarket struct {
	series     map[market.Symbol]market.Series
	quotes     map[market.Symbol]market.Quote // instead of the last close
	filings    []market.Filing
	next       market.Earnings
	statements market.StatementSource
	now        time.Time
	replay     bool
	fail       error
}

const filingYearsBack = 8

func newPastMarket(t testing.TB) *pastMarket {
	t.Helper()
	sample := feed.NewSampleSource()
	index, err := sample.Bars(t.Context(), "^GSPC", market.Range{From: date("2009-01-02")})
	if err != nil {
		t.Fatal(err)
	}
	index.Provenance.Flags = nil
	stock := index
	stock.Symbol, stock.Name, stock.Kind = "PAYR", "Payer Inc.", "equity"
	stock.Provenance.Currency, stock.Provenance.Unit = "USD", ""
	stock.Provenance.Source = "test closes"
	stock.Bars = slices.Clone(stock.Bars)
	split := date("2014-06-09")
	for i, b := range stock.Bars {
		scaled := b.Close
		if !b.Date.Before(split) {
			scaled = scaled.Div(decimal.NewFromInt(7)).Round(4)
		}
		stock.Bars[i] = market.Bar{Date: b.Date, Close: scaled}
		if month := b.Date.Month(); month%3 == 2 && i > 0 && stock.Bars[i-1].Date.Month() != month {
			stock.Actions = append(stock.Actions, market.Action{Kind: market.ActionDividend, Date: b.Date, Amount: decimal.New(5, -1)})
		}
	}
	stock.Actions = append(stock.Actions, market.Action{Kind: market.ActionSplit, Date: split, New: decimal.NewFromInt(7), Old: decimal.NewFromInt(1)})
	slices.SortFunc(stock.Actions, func(a, b market.Action) int { return a.Date.Compare(b.Date) })
	m := &pastMarket{series: map[market.Symbol]market.Series{"^GSPC": index, "PAYR": stock}, replay: true}
	filings, err := sample.Filings(t.Context(), "AAPL", market.FilingQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range filings {
		f.Filed, f.Provenance.Flags = f.Filed.AddDate(-filingYearsBack, 0, 0), nil
		m.filings = append(m.filings, f)
	}
	return m
}

func date(text string) market.Date {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

func (m *pastMarket) Instruments(context.Context) ([]market.Instrument, error) {
	return []market.Instrument{m.series["^GSPC"].Instrument, m.series["PAYR"].Instrument, {Symbol: "AAPL", Name: "Apple Inc.", Kind: "equity"}}, nil
}

func (m *pastMarket) Bars(_ context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	s, ok := m.series[sym]
	switch {
	case m.fail != nil:
		return market.Series{}, m.fail
	case !ok:
		return market.Series{}, market.ErrUnknownSymbol
	}
	part := s.Within(r)
	if len(part.Bars) == 0 {
		return market.Series{}, market.ErrNoData
	}
	part.Provenance.AsOf = part.Bars[len(part.Bars)-1].Date
	return part, nil
}

func (m *pastMarket) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	if q, ok := m.quotes[sym]; ok {
		return q, nil
	}
	s, err := m.Bars(ctx, sym, market.Range{To: m.now})
	if err != nil {
		return market.Quote{}, err
	}
	q, _ := s.Latest()
	return q, nil
}

func (m *pastMarket) Filings(_ context.Context, _ market.Symbol, q market.FilingQuery) ([]market.Filing, error) {
	return q.Filter(m.filings), m.fail
}

func (m *pastMarket) FilingSection(context.Context, string, market.FilingItem) (market.FilingSection, error) {
	return market.FilingSection{}, market.ErrNoData
}

func (m *pastMarket) Earnings(context.Context, market.Symbol) (market.Earnings, error) {
	if m.next.From.IsZero() {
		return market.Earnings{}, market.ErrNoData
	}
	return m.next, nil
}

// router offers the real tools over the market, as known at m.now.
func (m *pastMarket) router(t testing.TB) *tool.Router {
	t.Helper()
	r, err := tool.NewRouter(tools.All(tools.Deps{
		Quotes: m, Bars: m, Directory: m, Filings: m, Earnings: m, Statements: m.statements, Replay: m.replay, Now: func() time.Time { return m.now },
	}), tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func openStore(t testing.TB) alert.Store {
	t.Helper()
	db, err := sqlite.Open(t.Context(), t.TempDir()+"/nfa.db", sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db.Alerts()
}

func addRules(t testing.TB, s alert.Store, created time.Time, texts ...string) {
	t.Helper()
	for _, text := range texts {
		rule, err := alert.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.AddRule(t.Context(), alert.StoredRule{Text: rule.String(), CreatedAt: created}); err != nil {
			t.Fatal(err)
		}
	}
}

// dyingStore ends the process before and after each write that records an alert, and some other writes,
// before it allows the write.
type dyingStore struct {
	alert.Store
	n, writes int
}

var errKilled = errors.New("killed")

func (d *dyingStore) Record(ctx context.Context, states []alert.State, alerts []alert.NewAlert) ([]alert.Alert, error) {
	d.writes++
	if d.n%3 == 0 && len(alerts) == 0 && d.writes%50 != 0 {
		return d.Store.Record(ctx, states, alerts)
	}
	d.n++
	switch d.n % 3 {
	case 1:
		return nil, errKilled
	case 2:
		_, err := d.Store.Record(ctx, states, alerts)
		return nil, errors.Join(err, errKilled)
	}
	return d.Store.Record(ctx, states, alerts)
}

var tenYears = flag.Bool("ten-years", false, "replay each session of ten years, not only every fourth of the three in which each rule fires")

// C-6: alerts over ten recorded years (make kill) equal those of a brute-force computation. None is missing
// or duplicated, even if the process is killed at each write.
func TestReplay_EqualsBruteForce(t *testing.T) {
	t.Parallel()
	start, end, every := date("2013-01-02"), date("2015-12-31"), 4
	if *tenYears {
		start, end, every = date("2010-04-19"), date("2020-04-17"), 1
	}
	m, store := newPastMarket(t), openStore(t)
	runs := map[market.Date]bool{}
	var last market.Date
	for i, b := range m.series["^GSPC"].Bars {
		if i%every == 0 && !b.Date.Before(start) && !b.Date.After(end) {
			runs[b.Date], last = true, b.Date
		}
	}
	addRules(t, store, start,
		"^GSPC above 2000", "^GSPC below 1900", "^GSPC down 5% in 5d", "^GSPC up 8% in 1m", "^GSPC drawdown above 10%", "^GSPC below its 200d average",
		"PAYR below 1500", "PAYR above 1700", "PAYR down 4% in 1w", "ex-dividend of PAYR within 5d", "10-K filed by AAPL", "8-K item 2.02 filed by AAPL")
	dying := &dyingStore{Store: store}
	runner := &alert.Runner{Store: dying, Tools: m.router(t), Now: func() time.Time { return m.now }}
	for d := start; !d.After(end); d = d.AddDate(0, 0, 1) {
		if !runs[d] {
			continue
		}
		m.now = d.Add(24*time.Hour - time.Second)
		for {
			_, err := runner.Run(t.Context())
			if err == nil {
				break
			}
			if !errors.Is(err, errKilled) {
				t.Fatalf("%s: %v", d.Format(time.DateOnly), err)
			}
		}
	}
	alerts, err := store.Alerts(t.Context(), 10_000)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range alerts {
		if a.Notice {
			t.Errorf("notice: %+v", a)
			continue
		}
		got = append(got, a.RuleID+" "+a.Figure.AsOf.Format(time.DateOnly))
	}
	slices.Sort(got)
	want := bruteForce(m, start, last, runs)
	if !slices.Equal(got, want) {
		t.Errorf("%d alerts, want %d", len(got), len(want))
		for _, line := range got {
			if !slices.Contains(want, line) {
				t.Errorf("too many: %s", line)
			}
		}
		for _, line := range want {
			if !slices.Contains(got, line) {
				t.Errorf("missing: %s", line)
			}
		}
	}
	for rule := range 12 {
		if !slices.ContainsFunc(want, func(line string) bool { return strings.HasPrefix(line, fmt.Sprintf("r%d ", rule+1)) }) {
			t.Errorf("rule %d never fires: the test shows little", rule+1)
		}
	}
}

// bruteForce computes the alerts of the rules above on the days of the runs from the closes, with floats and
// without code of the program.
func bruteForce(m *pastMarket, start, end market.Date, runs map[market.Date]bool) []string {
	type point struct {
		day   time.Time
		close float64 // as traded
	}
	load := func(sym market.Symbol) (all []point) {
		for _, b := range m.series[sym].Bars {
			all = append(all, point{b.Date, b.Close.InexactFloat64()})
		}
		return all
	}
	index, stock := load("^GSPC"), load("PAYR")
	var out []string
	// edges returns the days on which value crosses a threshold, after it has returned by one percent of the
	// threshold.
	edges := func(rule string, series []point, above bool, read func(i int) (value, threshold float64)) {
		armed := true
		for i, p := range series {
			if !runs[p.day] {
				continue
			}
			value, threshold := read(i)
			distance := value - threshold
			if !above {
				distance = -distance
			}
			switch {
			case armed && distance >= 0:
				armed = false
				out = append(out, rule+" "+p.day.Format(time.DateOnly))
			case !armed && distance < 0 && -distance >= 0.01*abs(threshold):
				armed = true
			}
		}
	}
	level := func(series []point, threshold func(time.Time) float64) func(int) (float64, float64) {
		return func(i int) (float64, float64) { return series[i].close, threshold(series[i].day) }
	}
	fixed := func(t float64) func(time.Time) float64 { return func(time.Time) float64 { return t } }
	split := date("2014-06-09")
	perShare := func(t float64) func(time.Time) float64 {
		return func(d time.Time) float64 {
			if d.Before(split) {
				return t
			}
			return t / 7
		}
	}
	adjusted := func(p point, on time.Time) float64 {
		if p.day.Before(split) && !on.Before(split) {
			return p.close / 7
		}
		return p.close
	}
	change := func(series []point, splits bool, back func(time.Time) time.Time, threshold float64) func(int) (float64, float64) {
		return func(i int) (float64, float64) {
			first, base := back(series[i].day), 0.0
			for _, p := range series[:i+1] {
				if p.day.After(first) {
					break
				}
				if base = p.close; splits {
					base = adjusted(p, series[i].day)
				}
			}
			return 100 * (series[i].close/base - 1), threshold
		}
	}
	days := func(n int) func(time.Time) time.Time {
		return func(d time.Time) time.Time { return d.AddDate(0, 0, -n) }
	}
	edges("r1", index, true, level(index, fixed(2000)))
	edges("r2", index, false, level(index, fixed(1900)))
	edges("r3", index, false, change(index, false, days(5), -5))
	edges("r4", index, true, change(index, false, func(d time.Time) time.Time { return d.AddDate(0, -1, 0) }, 8))
	edges("r5", index, true, func(i int) (float64, float64) {
		high := 0.0
		for _, p := range index[:i+1] {
			if !p.day.Before(index[i].day.AddDate(0, 0, -365)) {
				high = max(high, p.close)
			}
		}
		return 100 * (1 - index[i].close/high), 10
	})
	edges("r6", index, false, func(i int) (float64, float64) {
		sum := 0.0
		for _, p := range index[i-199 : i+1] {
			sum += p.close
		}
		return index[i].close, sum / 200
	})
	edges("r7", stock, false, level(stock, perShare(1500)))
	edges("r8", stock, true, level(stock, perShare(1700)))
	edges("r9", stock, false, change(stock, true, days(7), -4))
	for _, a := range m.series["PAYR"].Actions {
		if a.Kind == market.ActionDividend && !a.Date.Before(start) && !a.Date.After(end) {
			out = append(out, "r10 "+a.Date.Format(time.DateOnly))
		}
	}
	for _, f := range m.filings {
		if f.Filed.Before(start) || f.Filed.After(end) {
			continue
		}
		if f.Form == "10-K" {
			out = append(out, "r11 "+f.Filed.Format(time.DateOnly))
		}
		if f.Form == "8-K" && slices.Contains(f.Items, "2.02") {
			out = append(out, "r12 "+f.Filed.Format(time.DateOnly))
		}
	}
	slices.Sort(out)
	return out
}

func abs(x float64) float64 { return max(x, -x) }

// C-6: look-ahead. A filing is invisible before the day it was filed.
func TestReplay_AFilingIsInvisibleBeforeItWasFiled(t *testing.T) {
	m, store := newPastMarket(t), openStore(t)
	filed := m.filings[len(m.filings)/2]
	addRules(t, store, filed.Filed.AddDate(0, 0, -3), fmt.Sprintf("%s filed by AAPL", filed.Form))
	runner := &alert.Runner{Store: store, Tools: m.router(t), Now: func() time.Time { return m.now }}
	for _, row := range []struct {
		at   time.Time
		want int
	}{{filed.Filed.Add(-time.Second), 0}, {filed.Filed.Add(23 * time.Hour), 1}, {filed.Filed.Add(23 * time.Hour), 0}} {
		m.now = row.at
		report, err := runner.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, a := range report.Fired {
			if a.Figure.AsOf.Equal(filed.Filed) {
				n++
			}
		}
		if n != row.want {
			t.Errorf("at %s %d alerts, want %d: %+v %v", row.at, n, row.want, report.Fired, report.Unknown)
		}
	}
}

// C-6: 500 rules from cache take under 200 ms of CPU.
func BenchmarkRun_500Rules(b *testing.B) {
	m, store := newPastMarket(b), openStore(b)
	m.now = date("2019-06-03").Add(22 * time.Hour)
	conditions := []string{"above 2000", "below 1900", "above 2500", "below 1500", "above 3000", "down 5% in 5d", "up 8% in 1m", "drawdown above 10%", "below its 200d average", "above 3100"}
	for i := range 50 {
		s := m.series["PAYR"]
		s.Symbol = market.Symbol(fmt.Sprintf("S%02d", i))
		m.series[s.Symbol] = s
		for _, c := range conditions {
			addRules(b, store, date("2019-06-01"), string(s.Symbol)+" "+c)
		}
	}
	runner := &alert.Runner{Store: store, Tools: m.router(b), Now: func() time.Time { return m.now }}
	for b.Loop() {
		if report, err := runner.Run(b.Context()); err != nil || report.Evaluated != 500 {
			b.Fatal(report.Evaluated, report.Unknown, err)
		}
		m.now = m.now.AddDate(0, 0, 1)
	}
}
