package toolbox_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/market/sample"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox"
)

var update = flag.Bool("update", false, "write testdata/specs.golden anew")

type args map[string]any

// deps are the tools' world in most tests: the embedded sample, on a fixed day.
func deps(t testing.TB) toolbox.Deps {
	t.Helper()
	s := sample.New()
	return toolbox.Deps{Quotes: s, Bars: s, Directory: s, Series: s, Filings: s, Now: clock(t, "2026-11-20T10:30:00Z")}
}

// depsOf are the tools over the given series alone.
func depsOf(t testing.TB, series ...market.Series) toolbox.Deps {
	t.Helper()
	s := markettest.NewSource(series...)
	return toolbox.Deps{Quotes: s, Bars: s, Directory: s, Now: clock(t, "2026-11-20T10:30:00Z")}
}

func clock(t testing.TB, at string) func() time.Time {
	t.Helper()
	now, err := time.Parse(time.RFC3339, at)
	if err != nil {
		t.Fatal(err)
	}
	return func() time.Time { return now }
}

func day(t testing.TB, s string) market.Date {
	t.Helper()
	d, err := time.Parse(time.DateOnly, s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func open(t testing.TB, d toolbox.Deps) *tool.Router {
	t.Helper()
	router, err := tool.NewRouter(toolbox.All(d), tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return router
}

// call runs a tool as everyone does, through a Router with its usual limits.
func call(t testing.TB, d toolbox.Deps, name string, in args) tool.Result {
	t.Helper()
	return ask(t, open(t, d), name, in)
}

func ask(t testing.TB, router *tool.Router, name string, in args) tool.Result {
	t.Helper()
	raw, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	out, err := router.Call(t.Context(), llm.ToolCall{ID: "1", Name: name, Arguments: string(raw)})
	if err != nil {
		t.Fatal(err)
	}
	return out.Result
}

// answered is a result that must not be an error, as the JSON that callers see.
func answered(t testing.TB, d toolbox.Deps, name string, in args) (tool.Result, map[string]any) {
	t.Helper()
	res := call(t, d, name, in)
	if res.IsError {
		t.Fatalf("%s %v = error: %s", name, in, res.ErrorText())
	}
	return res, decoded(t, res)
}

func decoded(t testing.TB, res tool.Result) map[string]any {
	t.Helper()
	raw, err := json.Marshal(res.Value)
	if err != nil {
		t.Fatal(err)
	}
	return object(t, string(raw))
}

func object(t testing.TB, raw string) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(raw), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func figure(t testing.TB, res tool.Result, id string) tool.Figure {
	t.Helper()
	for _, f := range res.Figures {
		if f.ID == id {
			return f
		}
	}
	t.Fatalf("no figure %q among %d", id, len(res.Figures))
	return tool.Figure{}
}

// wantFields compares the fields of an answer that a test is about.
func wantFields(t testing.TB, got, want map[string]any) {
	t.Helper()
	picked := map[string]any{}
	for k := range want {
		if v, ok := got[k]; ok {
			picked[k] = v
		}
	}
	if diff := cmp.Diff(want, picked); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
}

func wantError(t testing.TB, res tool.Result, code, part string) {
	t.Helper()
	if !res.IsError || res.Code != code || !strings.Contains(res.ErrorText(), part) {
		t.Errorf("result = %q, code %q, error %v; want an error of code %q with %q", res.ModelText(), res.Code, res.IsError, code, part)
	}
}

// Wording is reviewed like code: this is every tool as the model sees it.
func TestAll_SpecsAreAsReviewed(t *testing.T) {
	var b strings.Builder
	d, _ := inWorld(t, nil)
	d.Skills = skill.Open(skill.Options{Roots: []skill.Root{skill.Builtin()}})
	for _, tl := range toolbox.All(d) {
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
	path := filepath.Join("testdata", "specs.golden")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("specs differ from %s; if meant, run go test ./internal/toolbox -update (-want +got):\n%s", path, diff)
	}
}

func TestAll_ClockMayBeLeftOut(t *testing.T) {
	d := deps(t)
	d.Now = nil
	if res := call(t, d, "current_time", nil); res.IsError {
		t.Errorf("current_time without a clock = %s", res.ErrorText())
	}
}

// Every figure needs what it takes to trust it, whatever tool it is from.
func TestAll_FiguresAreCompleteAndUnique(t *testing.T) {
	for name, in := range map[string]args{
		"quote":          {"symbols": []string{"AAPL", "^GSPC"}},
		"price_history":  {"symbol": "^GSPC", "range": "1m"},
		"returns_stats":  {"symbol": "^GSPC"},
		"macro_series":   {"series_id": "CPIAUCSL", "units": "pct_change_1y"},
		"filing_section": {"symbol": "AAPL", "year": 2024, "item": "8"},
	} {
		res, _ := answered(t, deps(t), name, in)
		seen := map[string]bool{}
		for _, f := range res.Figures {
			if f.ID == "" || f.Label == "" || f.Unit == "" || f.Source == "" || f.AsOf.IsZero() || seen[f.ID] {
				t.Errorf("%s: figure %+v is incomplete or not unique", name, f)
			}
			seen[f.ID] = true
		}
	}
}

func TestAll_SampleDataIsLoudWhereverItIsShown(t *testing.T) {
	for name, in := range map[string]args{
		"quote": {"symbol": "AAPL"}, "price_history": {"symbol": "AAPL"}, "returns_stats": {"symbol": "AAPL"},
		"macro_series": {"series_id": "UNRATE"}, "filings": {"symbol": "AAPL"}, "filing_section": {"symbol": "AAPL", "year": 2024, "item": "1A"},
	} {
		res, _ := answered(t, deps(t), name, in)
		if !strings.Contains(res.ForUser, "SAMPLE") || !strings.Contains(res.Summary, "SAMPLE") {
			t.Errorf("%s shows %q and %q, want SAMPLE in both", name, res.Summary, res.ForUser)
		}
		if !strings.Contains(res.ModelText(), `"flags":["sample"]`) {
			t.Errorf("%s tells the model %.300q, want the sample flag", name, res.ModelText())
		}
	}
}

func TestAll_SourceOutOfReachIsNotNoData(t *testing.T) {
	s := markettest.NewSource(markettest.Daily("VTI", day(t, "2020-01-02"), "100", "101", "102"))
	s.Err = fmt.Errorf("yahoo: status 503: %w", market.ErrUnavailable)
	d := toolbox.Deps{Quotes: s, Bars: s, Directory: s, Now: clock(t, "2020-02-01T00:00:00Z")}
	for _, name := range []string{"quote", "price_history", "returns_stats"} {
		wantError(t, call(t, d, name, args{"symbol": "VTI"}), "", "status 503")
	}
}

// A clock set back must hide what came later, from every tool.
func TestAll_NothingAfterNowIsShown(t *testing.T) {
	s := markettest.NewSource(markettest.Daily("VTI", day(t, "2020-01-01"), "100", "101", "102", "103"))
	d := toolbox.Deps{Quotes: s, Bars: forgetful{s}, Directory: s, Now: clock(t, "2020-01-02T18:00:00Z")}
	_, quoted := answered(t, d, "quote", args{"symbol": "VTI"})
	wantFields(t, quoted["quotes"].([]any)[0].(map[string]any), map[string]any{"price": "101", "as_of": "2020-01-02", "change": "1"})
	_, history := answered(t, d, "price_history", args{"symbol": "VTI", "range": "max", "to": ""})
	wantFields(t, history, map[string]any{"to": "2020-01-02", "as_of": "2020-01-02", "count": 2.0})
	_, stats := answered(t, d, "returns_stats", args{"symbol": "VTI", "from": "2019-12-01", "to": "2020-12-31"})
	wantFields(t, stats, map[string]any{"to": "2020-01-02", "observations": 2.0, "total_return": 0.01})

	d.Now = clock(t, "2019-12-31T18:00:00Z")
	for _, name := range []string{"quote", "price_history", "returns_stats"} {
		wantError(t, call(t, d, name, args{"symbol": "VTI"}), tool.CodeNoData, "2019-12-31")
	}
}
