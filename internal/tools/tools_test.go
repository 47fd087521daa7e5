package tools_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/golden"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools"
	"github.com/nfa-cli/nfa/internal/tools/files"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

var update = flag.Bool("update", false, "rewrite testdata/specs.golden")

type args = toolstest.Args

var allTools = toolstest.Group[tools.Deps](tools.All)

// deps returns the dependencies of most tests: the sample data, on a fixed day.
func deps(t testing.TB) tools.Deps {
	t.Helper()
	s := feed.NewSampleSource()
	return tools.Deps{Quotes: s, Bars: s, Directory: s, Series: s, Filings: s, Now: toolstest.Clock(t, toolstest.Now)}
}

// systemDeps returns the dependencies of all tools.
func systemDeps(t testing.TB) tools.Deps {
	t.Helper()
	d := deps(t)
	d.Files = files.NewWorkspace(files.WorkspaceOptions{Dir: t.TempDir(), Home: t.TempDir()})
	d.Machine, d.Web = func() files.MachineFacts { return files.MachineFacts{} }, files.NewWebClient(files.WebOptions{})
	feeds := &markettest.FakeFeeds{}
	d.Store, d.ReadFile = &userStore{}, func(string) (string, []byte, error) { return "", nil, errors.New("no file") }
	d.Searches, d.Curves, d.Rates, d.News, d.Options, d.WebSearch = feeds, feeds, feeds, feeds, feeds, feeds
	return d
}

// The golden file has every tool as the model sees it, so that wording is reviewed like code.
func TestAll_SpecsAreAsReviewed(t *testing.T) {
	d := systemDeps(t)
	d.Skills = skill.Open(skill.Options{Roots: []skill.Root{skill.Builtin()}})
	path := filepath.Join("testdata", "specs.golden")
	reviewed, err := os.ReadFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	got := specs(t, tools.All(d), string(reviewed))
	golden.CheckFile(t, path, got, *update)
}

// specs prints tools as the model sees them, in the order of the golden file with new ones last, so
// that a diff shows changes and not moves.
func specs(t testing.TB, tools []tool.Tool, reviewed string) string {
	t.Helper()
	place := func(tl tool.Tool) int {
		if at := strings.Index(reviewed, "== "+tl.Name+" ("); at >= 0 {
			return at
		}
		return len(reviewed)
	}
	slices.SortStableFunc(tools, func(a, b tool.Tool) int { return place(a) - place(b) })
	var b strings.Builder
	for _, tl := range tools {
		spec := tl.Spec()
		var schema any
		if err := json.Unmarshal(spec.Parameters, &schema); err != nil {
			t.Fatal(err)
		}
		pretty, err := json.MarshalIndent(schema, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "== %s (%s)\n%s\n%s\n\n", spec.Name, tl.Effect, spec.Description, pretty)
	}
	return b.String()
}

// Each heading appears once in the list for people.
func TestAll_EveryToolIsListedUnderOneHeading(t *testing.T) {
	var headings []string
	for i, tl := range tools.All(systemDeps(t)) {
		if tl.Heading == "" || tl.Order != i+1 {
			t.Errorf("%s is number %d under %q, want %d under some heading", tl.Name, tl.Order, tl.Heading, i+1)
		}
		if n := len(headings); n == 0 || headings[n-1] != tl.Heading {
			if slices.Contains(headings, tl.Heading) {
				t.Errorf("the heading %q comes again with %s", tl.Heading, tl.Name)
			}
			headings = append(headings, tl.Heading)
		}
	}
}

// A schema is resolved at the first call of its tool, so a broken one must fail here and not for a user.
func TestAll_ArgumentsAreCheckedByASchemaThatResolves(t *testing.T) {
	d := systemDeps(t)
	d.Skills = skill.Open(skill.Options{Roots: []skill.Root{skill.Builtin()}})
	for _, tl := range tools.All(d) {
		if err := tl.Check([]byte(`{"no such argument":1}`)); err == nil {
			t.Errorf("%s takes an argument that it does not have", tl.Name)
		}
	}
}

func TestAll_ClockIsOptional(t *testing.T) {
	d := deps(t)
	d.Now = nil
	if res := allTools.Call(t, d, "current_time", nil); res.IsError {
		t.Errorf("current_time without a clock = %s", res.ErrorText())
	}
}

// Every figure of every tool needs a source, a label and a unit.
func TestAll_FiguresAreCompleteAndUnique(t *testing.T) {
	for name, in := range map[string]args{
		"quote":          {"symbols": []string{"AAPL", "^GSPC"}},
		"price_history":  {"symbol": "^GSPC", "range": "1m"},
		"returns_stats":  {"symbol": "^GSPC"},
		"macro_series":   {"series_id": "CPIAUCSL", "units": "pct_change_1y"},
		"filing_section": {"symbol": "AAPL", "year": 2024, "item": "8"},
	} {
		res, _ := allTools.CallOK(t, deps(t), name, in)
		toolstest.WantFigures(t, res, toolstest.HasDate)
	}
	all := toolstest.Open(t, tools.All(replayDeps(t, false)))
	for name, c := range replayCases() {
		toolstest.WantFigures(t, toolstest.CallRouter(t, all, name, c.in), toolstest.HasDate)
	}
}

func TestAll_SampleDataIsMarkedEverywhere(t *testing.T) {
	for name, in := range map[string]args{
		"quote": {"symbol": "AAPL"}, "price_history": {"symbol": "AAPL"}, "returns_stats": {"symbol": "AAPL"},
		"macro_series": {"series_id": "UNRATE"}, "filings": {"symbol": "AAPL"}, "filing_section": {"symbol": "AAPL", "year": 2024, "item": "1A"},
	} {
		res, _ := allTools.CallOK(t, deps(t), name, in)
		if !strings.Contains(res.UserText(), "SAMPLE") || !strings.Contains(res.Summary, "SAMPLE") {
			t.Errorf("%s shows %q and %q, want SAMPLE in both", name, res.Summary, res.UserText())
		}
		if !strings.Contains(res.ModelText(), `"flags":["sample"]`) {
			t.Errorf("%s tells the model %.300q, want the sample flag", name, res.ModelText())
		}
	}
}

func TestAll_AnUnreachableSourceIsNotNoData(t *testing.T) {
	s := markettest.NewSource(markettest.Daily("VTI", toolstest.MustDay("2020-01-02"), "100", "101", "102"))
	s.Err = fmt.Errorf("yahoo: status 503: %w", market.ErrUnavailable)
	d := tools.Deps{Quotes: s, Bars: s, Directory: s, Now: toolstest.Clock(t, "2020-02-01T00:00:00Z")}
	for _, name := range []string{"quote", "price_history", "returns_stats"} {
		toolstest.WantError(t, allTools.Call(t, d, name, args{"symbol": "VTI"}), "", "status 503")
	}
}

// With the clock set back, every tool must hide later data.
func TestAll_NothingAfterNowIsShown(t *testing.T) {
	s := markettest.NewSource(markettest.Daily("VTI", toolstest.MustDay("2020-01-01"), "100", "101", "102", "103"))
	d := tools.Deps{Quotes: s, Bars: toolstest.UnrangedBars{BarSource: s}, Directory: s, Now: toolstest.Clock(t, "2020-01-02T18:00:00Z")}
	_, quoted := allTools.CallOK(t, d, "quote", args{"symbol": "VTI"})
	toolstest.WantFields(t, quoted["quotes"].([]any)[0].(map[string]any), map[string]any{"price": "101", "as_of": "2020-01-02", "change": "1"})
	_, history := allTools.CallOK(t, d, "price_history", args{"symbol": "VTI", "range": "max", "to": ""})
	toolstest.WantFields(t, history, map[string]any{"to": "2020-01-02", "as_of": "2020-01-02", "count": 2.0})
	_, stats := allTools.CallOK(t, d, "returns_stats", args{"symbol": "VTI", "from": "2019-12-01", "to": "2020-12-31"})
	toolstest.WantFields(t, stats, map[string]any{"to": "2020-01-02", "observations": 2.0, "total_return": 0.01})

	d.Now = toolstest.Clock(t, "2019-12-31T18:00:00Z")
	for _, name := range []string{"quote", "price_history", "returns_stats"} {
		toolstest.WantError(t, allTools.Call(t, d, name, args{"symbol": "VTI"}), tool.CodeNoData, "2019-12-31")
	}
}

func TestAll_ACompanyWithoutPricesIsNeitherOfferedNorMisnamed(t *testing.T) {
	for _, name := range []string{"NVDA", "nvidia"} {
		for _, tool := range []string{"quote", "price_history", "returns_stats"} {
			res := allTools.Call(t, deps(t), tool, args{"symbol": name})
			if text := res.ErrorText(); !strings.Contains(text, "the sample data has no prices for NVDA") || strings.Contains(text, "range") {
				t.Errorf("%s of %s = %q, want it to say that there are no prices", tool, name, text)
			}
		}
	}
	if text := allTools.Call(t, deps(t), "quote", args{"symbol": "ZZZZ"}).ErrorText(); strings.Contains(text, "NVDA") {
		t.Errorf("offered: %s", text)
	}
}

func TestAll_WithoutASourceItsToolsAreAbsent(t *testing.T) {
	d := deps(t)
	d.Series, d.Filings = nil, nil
	for _, name := range []string{"macro_series", "filings", "filing_section", "yield_curve", "fx_rate", "news", "option_chain", "web_search"} {
		toolstest.WantError(t, allTools.Call(t, d, name, args{"symbol": "AAPL"}), tool.CodeUnknownTool, name)
	}
}

// Without a configured source, every tool says that this is a setting and not a failure.
func TestAll_WithoutConfiguredSourceEveryToolSaysSo(t *testing.T) {
	none := market.NewFallback(market.Sources{})
	d := deps(t)
	d.Quotes, d.Bars, d.Series, d.Filings, d.Curves, d.Rates = none, none, none, none, none, none
	d.News, d.Options, d.Searches, d.WebSearch = none, none, none, none
	router := toolstest.Open(t, tools.All(d))
	for _, name := range []string{
		"quote", "price_history", "crypto_price", "dividends_splits", "macro_series", "filings", "filing_section", "yield_curve", "fx_rate",
		"news", "option_chain", "web_search", "returns_stats", "compare_assets", "correlation", "technical_indicators", "risk_metrics",
		"retirement_simulation", "goal_plan", "backtest",
	} {
		res := toolstest.CallRouter(t, router, name, replayCases()[name].in)
		if !res.IsError || !strings.Contains(res.ErrorText(), market.ErrNotConfigured.Error()) {
			t.Errorf("%s without a source = %q, want it to say %q", name, res.ErrorText(), market.ErrNotConfigured)
		}
	}
	// The local table needs no source.
	if res := toolstest.CallRouter(t, router, "search_symbol", args{"query": "apple"}); res.IsError || !strings.Contains(res.UserText(), "only the local table was searched") {
		t.Errorf("search_symbol without a source = %q, want the table's matches", res.UserText()+res.ErrorText())
	}
}

func TestAll_WithoutFilesMachineAndWebTheirToolsAreAbsent(t *testing.T) {
	d := deps(t)
	d.Files, d.Machine, d.Web = nil, nil, nil
	for _, tl := range tools.All(d) {
		if strings.Contains(" read_file list_files write_report storage_usage system_info web_fetch check_api ", " "+tl.Name+" ") {
			t.Errorf("%s is offered without its dependency", tl.Name)
		}
	}
}

func TestAll_EachToolHasALabelForItsCard(t *testing.T) {
	d := systemDeps(t)
	d.Skills = skill.Open(skill.Options{Roots: []skill.Root{skill.Builtin()}})
	for _, one := range tools.All(d) {
		if n := len(one.Label); n == 0 || n > 10 {
			t.Errorf("label of %s is %q, want 1 to 10 letters", one.Name, one.Label)
		}
	}
}
