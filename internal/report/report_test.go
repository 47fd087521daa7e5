package report_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/report"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/trace"
)

var reportTime = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// known returns the figures of two calls: a price, and a return computed from closes.
func known() []tool.TracedFigure {
	quote := llm.ToolCall{ID: "c1", Name: "quote", Arguments: `{"symbols":["AAPL"]}`}
	sum := llm.ToolCall{ID: "c2", Name: "calculate", Arguments: `{"expression":"70.70/64.5-1"}`}
	return []tool.TracedFigure{
		{Call: quote, Figure: tool.Figure{ID: "price", Label: "AAPL price", Value: decimal.RequireFromString("70.7"), Unit: "USD", AsOf: time.Date(2020, 4, 17, 0, 0, 0, 0, time.UTC), Source: "SAMPLE_data"}},
		{Call: sum, Figure: tool.Figure{ID: "return", Label: "AAPL annual return", Value: decimal.RequireFromString("9.612"), Unit: "%", Formula: "last / first - 1", Inputs: []string{"first close 64.50 on 2019-04-17"}}},
	}
}

// tracer returns a tracer of known figures; the user wrote 10,000.
func tracer(traced ...tool.TracedFigure) tool.Tracer {
	return func(text string) ([]trace.MatchedNumber, []tool.TracedFigure) {
		var all []trace.KnownFigure
		for i, g := range traced {
			all = append(all, trace.KnownFigure{ID: g.Figure.ID, Label: g.Figure.Label, Value: g.Figure.Value, Unit: g.Figure.Unit, Index: i})
		}
		found := trace.Match(text, all, "I have $10,000")
		var notes []tool.TracedFigure
		for _, n := range found.Numbers {
			if n.Note > len(notes) {
				notes = append(notes, traced[n.Index])
			}
		}
		return found.Numbers, notes
	}
}

func options(format report.Format) report.Options {
	return report.Options{Format: format, Name: "r" + format.Extension(), Trace: tracer(known()...), Session: "s1", Program: "1.2.3", Now: reportTime}
}

func newReport(t testing.TB, text string, o report.Options) report.Report {
	t.Helper()
	r, err := report.New(text, o)
	if err != nil {
		t.Fatalf("New(%q, %s) = %v", text, o.Format, err)
	}
	return r
}

const sampleText = `# Apple

AAPL costs 70.70 USD, up **9.6%** a year; it may reach $99.
The AAPL annual return is 12.5%, of $10,000 invested.

- 70.70 USD again
`

func TestNew_MarkdownHasAFootnoteForEachFigure(t *testing.T) {
	want := `# Apple

> 3 of 5 figures traced; 1 contradicted by a tool, marked [contradicted].

AAPL costs 70.70 USD[^1], up **9.6%[^2]** a year; it may reach $99 [untraced].
The AAPL annual return is 12.5%[^2] [contradicted], of $10,000 invested.

- 70.70 USD[^1] again

[^1]: AAPL price 70.7 USD · as of 2020-04-17 · source: SAMPLE\_data · tool: ` + "`quote {\"symbols\":[\"AAPL\"]}`" + `
[^2]: AAPL annual return 9.612 % · formula: ` + "`last / first - 1`" + ` · from: first close 64.50 on 2019-04-17 · tool: ` + "`calculate {\"expression\":\"70.70/64.5-1\"}`" + `
`
	got := newReport(t, sampleText, options(report.Markdown))
	if diff := cmp.Diff(want, string(got.Data)); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

func TestNew_TheRecordHoldsEachNumberWithItsLineAndItsFigure(t *testing.T) {
	p := newReport(t, sampleText, options(report.Markdown)).Provenance
	want := []report.Number{
		{Line: 5, Text: "70.70 USD", Status: trace.Traced, Note: 1}, {Line: 5, Text: "9.6%", Status: trace.Traced, Note: 2},
		{Line: 5, Text: "$99", Status: trace.Untraced}, {Line: 6, Text: "12.5%", Status: trace.Contradicted, Note: 2},
		{Line: 6, Text: "$10,000", Status: report.StatusStated}, {Line: 8, Text: "70.70 USD", Status: trace.Traced, Note: 1},
	}
	if diff := cmp.Diff(want, p.Numbers); diff != "" {
		t.Errorf("numbers (-want +got):\n%s", diff)
	}
	figure := report.Figure{
		Note: 2, ID: "return", Label: "AAPL annual return", Value: "9.612", Unit: "%", Formula: "last / first - 1",
		Inputs: []string{"first close 64.50 on 2019-04-17"}, Call: report.Call{ID: "c2", Name: "calculate", Arguments: `{"expression":"70.70/64.5-1"}`},
	}
	if diff := cmp.Diff(figure, p.Figures[1]); diff != "" || len(p.Figures) != 2 {
		t.Errorf("%d figures, the second (-want +got):\n%s", len(p.Figures), diff)
	}
	if p.Report != "r.md" || p.Session != "s1" || p.Program != "1.2.3" || !p.WrittenAt.Equal(reportTime) || len(p.SHA256) != 64 {
		t.Errorf("record = %+v", p)
	}
}

func TestNew_WithoutAConversationNothingIsTracedAndThatIsSaid(t *testing.T) {
	o := options(report.Markdown)
	o.Trace = nil
	r := newReport(t, "It costs 70.70 USD.", o)
	want := "> 0 of 1 figures traced: written outside a session, so no tool results are known.\n\nIt costs 70.70 USD [untraced].\n"
	if string(r.Data) != want || r.Provenance.Conversation {
		t.Errorf("report = %q, want %q", r.Data, want)
	}
}

func TestNew_ATextWithoutFiguresIsLeftAsItIs(t *testing.T) {
	for format, want := range map[report.Format]string{report.Markdown: "# Title\n\nNo figure [^1].\n\n[^1]: own\n", report.CSV: "a,b\nx,y\n"} {
		if r := newReport(t, want, options(format)); string(r.Data) != want || len(r.Provenance.Numbers) != 0 {
			t.Errorf("%s = %q, want %q", format, r.Data, want)
		}
	}
}

func TestNew_NotesGoOnAfterThoseOfTheText(t *testing.T) {
	r := newReport(t, "AAPL costs 70.70 USD.[^3]\n\n[^3]: closed at 70.70 USD", options(report.Markdown))
	for _, part := range []string{"70.70 USD[^4].[^3]", "\n[^3]: closed at 70.70 USD\n", "\n[^4]: AAPL price"} {
		if !strings.Contains(string(r.Data), part) {
			t.Errorf("the report misses %q:\n%s", part, r.Data)
		}
	}
	wantSound(t, r)
}

func TestNew_MarkdownThatFollowsAFigureStaysWhatItIs(t *testing.T) {
	for text, want := range map[string]string{
		"up 9.6%(a year)":    "up 9.6%[^1] (a year)",
		"`9.6%` a year":      "`9.6%`[^1] a year",
		"| r |\n|-|\n|9.6%|": "| r |\n|-|\n|9.6%[^1]|",
		"9.6%":               "9.6%[^1]",
	} {
		if got := string(newReport(t, text, options(report.Markdown)).Data); !strings.Contains(got, want+"\n") {
			t.Errorf("report of %q =\n%s\nwant %q in it", text, got, want)
		}
	}
}

func TestNew_WhatToolsSayCannotEndItsNote(t *testing.T) {
	given := known()[:1]
	given[0].Figure.Source = "x\n[^1]: *forged* <script>`a`\x1b[31m\u202e " + strings.Repeat("long ", 200)
	given[0].Call.Arguments = "`\n# big"
	for _, format := range []report.Format{report.Markdown, report.HTML, report.CSV} {
		o := options(format)
		o.Trace = tracer(given...)
		r := newReport(t, "| AAPL price |\n|---|\n| 70.70 USD |\n", o)
		data := string(r.Data)
		markup := format != report.CSV && strings.Contains(strings.ReplaceAll(data, `\<`, ""), "<script>")
		if markup || strings.ContainsAny(data, "\x1b\u202e") || strings.Contains(data, "\n[^1]: *") || len(data) > 6000 {
			t.Errorf("%s, %d bytes:\n%s", format, len(r.Data), r.Data)
		}
	}
}

func TestNew_WhatWouldMakeAHugeFileIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"cells":   strings.Repeat("|-", 5000) + "|\n" + strings.Repeat("|\n", 5000),
		"numbers": strings.Repeat("7.5%\n\n", 20_001),
	} {
		if r, err := report.New(text, options(report.Markdown)); err == nil {
			t.Errorf("%s: a report of %d bytes, want none", name, len(r.Data))
		}
	}
}

func TestFormatOf_GoesByTheEnding(t *testing.T) {
	for name, want := range map[string]report.Format{"a.md": report.Markdown, "a.HTML": report.HTML, "b/a.csv": report.CSV, "a": "", "a.sh": ""} {
		if got := report.FormatOf(name); got != want {
			t.Errorf("FormatOf(%q) = %q, want %q", name, got, want)
		}
	}
}

// sampleTexts returns the story files, which are reports as people write them. Every format of each must be
// read back to the same numbers.
func sampleTexts(t testing.TB) map[string]string {
	t.Helper()
	out := map[string]string{"story": sampleText}
	paths, err := filepath.Glob("testdata/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out[path] = string(b)
	}
	if len(out) < 2 {
		t.Fatal("no stories in testdata")
	}
	return out
}
