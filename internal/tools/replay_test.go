package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools"
	"github.com/nfa-cli/nfa/internal/tools/companies"
	"github.com/nfa-cli/nfa/internal/tools/files"
	"github.com/nfa-cli/nfa/internal/tools/planning"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// replayClock is the time of the clock. All later data of the fakes is from laterYear and contains the
// canary, as a number or a word.
const (
	replayClock = "2024-06-28T18:00:00Z"
	laterYear   = "2031"
	canary      = "77777.7"
	canaryWord  = "canarybird"
)

// replayCase is a call that would show later data if its tool were wrong.
type replayCase struct {
	in args
	// shows is a part of the answer from before the clock, so that an empty answer does not pass. ""
	// means that the tool must not answer at all.
	shows string
}

// replayCases returns a case for every tool that reads data. A new tool belongs here or, with a
// reason, into timelessTools.
func replayCases() map[string]replayCase {
	return map[string]replayCase{
		"quote":                  {args{"symbols": []string{"VTI", "BND"}}, `"as_of":"2024-06-28"`},
		"price_history":          {args{"symbol": "VTI", "range": "max"}, `"to":"2024-06-28"`},
		"crypto_price":           {args{"coin": "BTC"}, `"as_of":"2024-06-28"`},
		"dividends_splits":       {args{"symbol": "VTI"}, `"trailing_12m":"1.5"`},
		"search_symbol":          {args{"query": "VTI"}, `"symbol":"VTI"`},
		"market_status":          {args{}, `"asked":"2024-06-28T14:00:00-04:00"`},
		"macro_series":           {args{"series_id": "UNRATE", "to": "2035"}, `"vintage"`},
		"optimize_portfolio":     {args{"symbols": []string{"VTI", "BND"}, "objective": "min_volatility", "range": "5y"}, `"to":"2024-06-28"`},
		"efficient_frontier":     {args{"symbols": []string{"VTI", "BND"}, "range": "5y"}, `"to":"2024-06-28"`},
		"company_profile":        {args{"symbol": "VTI"}, ""},
		"earnings":               {args{"symbol": "VTI"}, ""},
		"financial_statements":   {args{"symbol": "VTI"}, `"period":"FY2023"`},
		"key_ratios":             {args{"symbol": "VTI"}, `"period":"FY2023"`},
		"insider_trades":         {args{"symbol": "VTI", "to": "2035"}, "insider of before"},
		"filings":                {args{"symbol": "VTI"}, `"filed":"2024-01-31"`},
		"filing_section":         {args{"symbol": "VTI", "item": "1A"}, "risks of before"},
		"yield_curve":            {args{"date": "2035", "compare_to": "2024-06-26"}, `"date":"2024-06-27"`},
		"fx_rate":                {args{"pair": "EUR/USD", "from": "2024-06-01", "to": "2035", "amount": 10}, `"converted":"10.712345678"`},
		"news":                   {args{"symbol": "VTI", "to": "2035"}, "a title of before"},
		"option_chain":           {args{"symbol": "VTI"}, ""},
		"returns_stats":          {args{"symbol": "VTI", "to": "2035"}, `"to":"2024-06-28"`},
		"chart":                  {args{"symbol": "VTI", "to": "2035"}, `"to":"2024-06-28"`},
		"risk_metrics":           {args{"symbol": "VTI", "range": "1y", "benchmark": "BND"}, "2024-06-28"},
		"compare_assets":         {args{"symbols": []string{"VTI", "BND"}}, "2024-06-28"},
		"correlation":            {args{"symbols": []string{"VTI", "BND"}}, "2024-06-28"},
		"technical_indicators":   {args{"symbol": "VTI", "indicators": []string{"sma:20"}}, "2024-06-28"},
		"retirement_simulation":  {args{"current_balance": 100, "years": 1, "annual_withdrawal": 4, "symbol": "VTI", "method": "historical"}, "2024-06-28"},
		"goal_plan":              {args{"goal": 100, "years": 1, "current_balance": 90, "symbol": "VTI", "paths": 200}, "2024-06-28"},
		"backtest":               {args{"symbols": []string{"VTI", "BND"}, "strategy": "fixed_weights", "to": "2035"}, `"to":"2024-06-28"`},
		"portfolio_positions":    {args{}, `"quantity":"10"`},
		"portfolio_allocation":   {args{}, "2024-06-28"},
		"portfolio_performance":  {args{}, "2024-06-28"},
		"tax_lots":               {args{}, "2023-06-01"},
		"income_calendar":        {args{}, `"from":"2024-06-29"`},
		"portfolio_transactions": {args{}, "bought 2023-06-01"},
		"portfolio_checkup":      {args{}, `"as_of":"2024-06-28"`},
		"rebalance_plan":         {args{"targets": map[string]float64{"VTI": 0.6123456789}}, `"as_of":"2024-06-28"`},
		"watchlist":              {args{}, "a note of before"},
		"decision_journal":       {args{"action": "review"}, "2024-01-02"},
		"current_time":           {args{"timezone": "UTC"}, replayClock},
		"web_search":             {args{"query": "page"}, "a page of before"},
		"web_fetch":              {args{"url": "https://example.com/"}, ""},
		"check_api":              {args{"url": "https://example.com/"}, ""},
	}
}

// timelessTools lists the tools that do not depend on the clock, with the reason.
func timelessTools() map[string]string {
	const (
		pure  = "it computes only from its arguments"
		disk  = "it shows the user's own files"
		parts = "it returns the text of a skill"
		still = "it writes, which is refused while the --as-of sets the date"
	)
	reasons := map[string]string{
		"read_file": disk, "list_files": disk, "write_report": disk, "storage_usage": disk, "system_info": "it shows the state of this computer",
		"add_transaction": still, "import_transactions": still, "remove_transaction": still, "portfolio_settings": "settings of accounts and securities have no date",
		"investor_profile": "a profile has no date except that of the last answer",
		"Skill":            parts, "read_skill_file": parts, "run_skill_script": "it runs the code of a skill, which has no market data",
	}
	for _, t := range slices.Concat(planning.CalculatorTools(), companies.ValuationTools()) {
		reasons[t.Name] = pure
	}
	return reasons
}

// With the clock set back, every tool must hide later data completely: the answer is the same as if
// that data did not exist.
func TestAll_AClockSetBackHidesLaterData(t *testing.T) {
	cases, reasons := replayCases(), timelessTools()
	before, after := replayDeps(t, false), replayDeps(t, true)
	then, now := toolstest.Open(t, tools.All(before)), toolstest.Open(t, tools.All(after))
	exists := map[string]bool{}
	for _, tl := range tools.All(after) {
		exists[tl.Name] = true
		c, ok := cases[tl.Name]
		if !ok {
			// The steps of a skill call the same tools.
			if reasons[tl.Name] == "" && !strings.HasPrefix(tl.Name, "skill_") {
				t.Errorf("%s has no case: add one, or a reason to timelessTools", tl.Name)
			}
			continue
		}
		t.Run(tl.Name, func(t *testing.T) {
			res := toolstest.CallRouter(t, now, tl.Name, c.in)
			output := allText(t, res)
			for _, word := range []string{canary, canaryWord, laterYear + "-"} {
				if strings.Contains(output, word) {
					t.Errorf("%s %v shows later data, %q:\n%s", tl.Name, c.in, word, output)
				}
			}
			if (c.shows == "") != res.IsError || !strings.Contains(output, c.shows) {
				t.Fatalf("%s %v = error %v, want an answer with %q (an error if empty):\n%s", tl.Name, c.in, res.IsError, c.shows, output)
			}
			if res.IsError {
				return
			}
			if diff := cmp.Diff(allText(t, toolstest.CallRouter(t, then, tl.Name, c.in)), output); diff != "" {
				t.Errorf("%s %v changes with later data (-without +with):\n%s", tl.Name, c.in, diff)
			}
		})
	}
	wantSameTools(t, cases, exists)
	wantSameTools(t, reasons, exists)
}

// wantSameTools checks that all tools in a table exist.
func wantSameTools[V any](t testing.TB, table map[string]V, registered map[string]bool) {
	t.Helper()
	for name := range table {
		if !registered[name] {
			t.Errorf("no tool named %s", name)
		}
	}
}

// allText returns all output of a result.
func allText(t testing.TB, res tool.Result) string {
	t.Helper()
	value, err := json.Marshal(res.Value)
	if err != nil {
		t.Fatal(err)
	}
	figures, err := json.Marshal(res.Figures)
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := json.Marshal(res.Chart)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join([]string{res.Title, res.Summary, res.ModelText(), res.UserText(), string(value), string(figures), string(drawn)}, "\n")
}

// replayDeps returns sources that ignore the clock; later adds data from after it.
func replayDeps(t testing.TB, later bool) tools.Deps {
	t.Helper()
	prices := markettest.NewSource(replaySeries(t, "VTI", "equity", later), replaySeries(t, "BND", "equity", later), replaySeries(t, "BTC-USD", "crypto", later))
	feeds := replayFeeds(t, later)
	filings, series, company := replayFilings(t, later), replayEconomics(t, later), newReplayCompany(t, later)
	return tools.Deps{
		Quotes: prices, Bars: toolstest.UnrangedBars{BarSource: prices}, Directory: prices, Searches: feeds,
		Series: series, Filings: filings, Curves: feeds, Rates: feeds, News: feeds, Options: feeds, WebSearch: feeds,
		Statements: company, Profiles: company, Earnings: company, Insiders: company,
		Skills:  skill.Open(skill.Options{Roots: []skill.Root{skill.Builtin()}}),
		Files:   files.NewWorkspace(files.WorkspaceOptions{Dir: t.TempDir(), Home: t.TempDir()}),
		Machine: func() files.MachineFacts { return files.MachineFacts{} }, Web: laterWeb{},
		Store: replayStore(t, later), Base: "USD", ReadFile: func(string) (string, []byte, error) { return "", nil, errors.New("no file") },
		NewIDs: func(int) ([]string, error) { return nil, errors.New("nothing is written") },
		Now:    toolstest.Clock(t, replayClock), Replay: true,
	}
}

// replaySeries returns six years of closes until the clock and a dividend; later adds a close and a
// dividend with the canary.
func replaySeries(t testing.TB, sym market.Symbol, kind string, later bool) market.Series {
	t.Helper()
	var closes []string
	for i := range 1565 { // weekdays until the clock
		closes = append(closes, fmt.Sprintf("%d.%02d%09d", 100+(i*int(sym[0]))%23, (i*31)%100, i*7654321%1e9+1))
	}
	s := markettest.Daily(sym, toolstest.MustDay("2018-07-02"), closes...)
	if got := s.Bars[len(s.Bars)-1].Date; !got.Equal(toolstest.MustDay("2024-06-28")) {
		t.Fatalf("the closes end on %s", got)
	}
	s.Kind, s.Provenance.Adjustment = kind, market.AdjustmentSplit
	dividend := func(day, amount string) {
		s.Actions = append(s.Actions, market.Action{Kind: market.ActionDividend, Date: toolstest.MustDay(day), Amount: decimal.RequireFromString(amount)})
	}
	dividend("2024-03-15", "1.5")
	if later {
		day := toolstest.MustDay(laterYear + "-03-03")
		s.Bars = append(s.Bars, market.Bar{Date: day, Close: decimal.RequireFromString(canary)})
		s.Provenance.AsOf = day
		dividend(laterYear+"-03-03", canary)
	}
	return s
}

func replayFilings(t testing.TB, later bool) *markettest.FilingSource {
	t.Helper()
	risks := market.FilingItem{Item: "1A", Title: "Risk Factors"}
	sections := []market.FilingSection{markettest.Section("VTI", "0000000001-24-000001", "10-K", toolstest.MustDay("2023-12-31"), risks, "risks of before")}
	if later {
		sections = append(sections, markettest.Section("VTI", "0000000001-31-000001", "10-K", toolstest.MustDay(laterYear+"-01-31"), risks, canaryWord))
	}
	source := markettest.NewFilingSource(sections...)
	source.IgnoresQuery = true
	return source
}

func replayEconomics(t testing.TB, later bool) *markettest.SeriesSource {
	t.Helper()
	values := []string{"3.4", "3.5", "3.6", "3.9", "4.0"}
	series := markettest.Monthly("UNRATE", toolstest.MustDay("2024-01-01"), values...)
	if later {
		series.Observations = append(series.Observations, market.Observation{
			Date: toolstest.MustDay(laterYear + "-01-01"), Value: decimal.NewNullDecimal(decimal.RequireFromString(canary)),
		})
	}
	series.Vintage = toolstest.MustDay("2024-06-20")
	source := markettest.NewSeriesSource(series)
	source.IgnoresQuery = true
	return source
}

func replayFeeds(t testing.TB, later bool) *markettest.FakeFeeds {
	t.Helper()
	at := func(text string) time.Time { return toolstest.MustDay(text).Add(15 * time.Hour) }
	from := market.Provenance{Source: "markettest", AsOf: at("2024-06-26"), FetchedAt: at("2024-06-26"), Currency: "USD"}
	pair := market.Pair{Base: "EUR", Quote: "USD"}
	f := &markettest.FakeFeeds{
		IgnoresQuery: true,
		Listed:       []market.Instrument{{Symbol: "VTI", Name: "VTI of the test", Kind: "equity"}},
		Curves: map[string][]market.YieldCurve{market.CurveTreasury: {
			markettest.Curve(toolstest.MustDay("2024-06-26"), "3", "5.3", "24", "4.7", "120", "4.3"),
			markettest.Curve(toolstest.MustDay("2024-06-27"), "3", "5.4", "24", "4.6", "120", "4.2"),
		}},
		FX:       map[market.Pair]market.RateSeries{pair: markettest.DailyRates(pair, toolstest.MustDay("2024-06-24"), "1.0512345678", "1.0812345678", "1.0612345678", "1.0712345678")},
		Articles: []market.Article{{Title: "a title of before", URL: "https://example.com/1", Published: at("2024-06-26"), Provenance: from}},
		Pages:    []market.WebResult{{Title: "a page of before", URL: "https://example.com/1", Published: at("2024-06-26"), Provenance: from}},
		Chains:   map[market.Symbol]market.OptionChain{},
	}
	if !later {
		return f
	}
	day := toolstest.MustDay(laterYear + "-03-03")
	f.Curves[market.CurveTreasury] = append(f.Curves[market.CurveTreasury], markettest.Curve(day, "3", canary, "24", canary, "120", canary))
	rates := f.FX[pair]
	rates.Rates = append(rates.Rates, market.Rate{Date: day, Value: decimal.RequireFromString(canary)})
	rates.Provenance.AsOf = day
	f.FX[pair] = rates
	from.AsOf = day
	f.Articles = append([]market.Article{
		{Title: canaryWord, URL: "https://example.com/2", Published: day, Provenance: from},
		{Title: canaryWord + " without a date", URL: "https://example.com/3", Provenance: from},
	}, f.Articles...)
	f.Pages = append([]market.WebResult{
		{Title: canaryWord, URL: "https://example.com/2", Published: day, Provenance: from},
		{Title: canaryWord + " without a date", URL: "https://example.com/3", Provenance: from},
	}, f.Pages...)
	f.Chains["VTI"] = market.OptionChain{
		Instrument: market.Instrument{Symbol: "VTI"}, Spot: decimal.NewNullDecimal(decimal.RequireFromString(canary)), Expiry: day, Expiries: []market.Date{day},
		Options:    []market.OptionQuote{{Kind: market.Call, Strike: decimal.RequireFromString(canary)}},
		Provenance: from,
	}
	return f
}

// laterWeb is a web whose pages are all later than the clock.
type laterWeb struct{}

func (laterWeb) Get(context.Context, string) (files.WebPage, error) {
	return files.WebPage{URL: "https://example.com/", Kind: "text/plain", Text: canaryWord}, nil
}

func (laterWeb) Check(context.Context, string, string) (files.URLProbe, error) {
	return files.URLProbe{URL: "https://example.com/", Status: 200, Beginning: canaryWord}, nil
}
