package report_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/report"
	"github.com/nfa-cli/nfa/internal/tool"
)

func TestParse_GivesTheRecordBack(t *testing.T) {
	for _, format := range []report.Format{report.Markdown, report.HTML} {
		p := newReport(t, sampleText, options(format)).Provenance
		if diff := cmp.Diff(p, reparse(t, p), cmpopts.IgnoreUnexported(report.Provenance{})); diff != "" {
			t.Errorf("%s: the record (-written +read):\n%s", format, diff)
		}
	}
}

// edited returns a record after an edit.
func edited(t testing.TB, edit func(record map[string]any)) []byte {
	t.Helper()
	p := newReport(t, sampleText, options(report.Markdown)).Provenance
	b, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	var record map[string]any
	if err := json.Unmarshal(b, &record); err != nil {
		t.Fatal(err)
	}
	edit(record)
	if b, err = json.Marshal(record); err != nil {
		t.Fatal(err)
	}
	return b
}

func figure(record map[string]any) map[string]any {
	return record["figures"].([]any)[0].(map[string]any)
}
func number(record map[string]any) map[string]any {
	return record["numbers"].([]any)[0].(map[string]any)
}

func TestParse_RefusesWhatNfaHasNotWritten(t *testing.T) {
	for name, edit := range map[string]func(map[string]any){
		"no version":         func(r map[string]any) { delete(r, "version") },
		"no format":          func(r map[string]any) { r["format"] = "pdf" },
		"no sum":             func(r map[string]any) { r["sha256"] = "abc" },
		"a huge value":       func(r map[string]any) { figure(r)["value"] = "1e999999999" },
		"a tiny value":       func(r map[string]any) { figure(r)["value"] = "1e-999999999" },
		"a long value":       func(r map[string]any) { figure(r)["value"] = strings.Repeat("9", 1<<20) },
		"no value":           func(r map[string]any) { delete(figure(r), "value") },
		"a note of nothing":  func(r map[string]any) { number(r)["note"] = 99 },
		"a negative note":    func(r map[string]any) { figure(r)["note"] = -1 },
		"notes out of order": func(r map[string]any) { figure(r)["note"] = 7 },
		"a status of no use": func(r map[string]any) { number(r)["status"] = "fine" },
		"a number of words":  func(r map[string]any) { number(r)["text"] = strings.Repeat("word ", 99) },
		"long arguments":     func(r map[string]any) { figure(r)["call"].(map[string]any)["arguments"] = strings.Repeat("x", 1<<20) },
		"very many inputs":   func(r map[string]any) { figure(r)["inputs"] = make([]string, 5000) },
	} {
		t.Run(name, func(t *testing.T) {
			if p, err := report.Parse(edited(t, edit)); err == nil {
				t.Errorf("Parse = %+v, want an error", p)
			}
		})
	}
	for _, text := range []string{"", "[]", "{", "null", strings.Repeat("[", 1<<20), `{"version":1}`} {
		if _, err := report.Parse([]byte(text)); err == nil {
			t.Errorf("Parse(%.20q) = nil, want an error", text)
		}
	}
}

func TestParse_ARecordOfALaterVersionIsDistinguished(t *testing.T) {
	if _, err := report.Parse(edited(t, func(r map[string]any) { r["version"] = 2 })); !errors.Is(err, report.ErrNewer) {
		t.Errorf("Parse = %v, want ErrNewer", err)
	}
	if _, err := report.Parse(make([]byte, report.MaxProvenance+1)); !errors.Is(err, report.ErrTooLarge) {
		t.Errorf("Parse of a huge file = %v, want ErrTooLarge", err)
	}
}

func TestCalls_AreEachGivenOnceWithTheirFigures(t *testing.T) {
	given := known()
	twice := given[1]
	twice.Figure.ID, twice.Figure.Label, twice.Figure.Value = "total", "total return", decimal.RequireFromString("44.2")
	twice.Call.ID = "c9" // a second call with the same request
	o := options(report.Markdown)
	o.Trace = tracer(append(given, twice)...)
	p := newReport(t, "AAPL price 70.70 USD, annual return 9.6%, total return 44.2%.", o).Provenance
	var got []string
	for _, asked := range p.Calls() {
		names := asked.Call.Name
		for _, f := range asked.Figures {
			names += " " + f.ID
		}
		got = append(got, names)
	}
	if diff := cmp.Diff([]string{"quote price", "calculate return total"}, got); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

func TestCompare_SetsFiguresBesideThoseOfNow(t *testing.T) {
	p := newReport(t, sampleText, options(report.Markdown)).Provenance
	asked := p.Calls()[1]
	figure := func(id, value string) []tool.Figure {
		return []tool.Figure{{ID: id, Label: "AAPL annual return", Unit: "%", Value: decimal.RequireFromString(value)}}
	}
	for _, row := range []struct {
		name string
		now  []tool.Figure
		want report.ComparedFigure
	}{
		{"the same in other digits", figure("return", "9.6120"), report.ComparedFigure{Now: "9.612", Same: true}},
		{"another value", figure("return", "9.613"), report.ComparedFigure{Now: "9.613"}},
		{"with more digits than were recorded", figure("return", "9.61204"), report.ComparedFigure{Now: "9.61204", Same: true}},
		{"under a new ID", figure("quotes.0.return", "9.612"), report.ComparedFigure{Now: "9.612", Same: true}},
		{"another figure", []tool.Figure{{ID: "volatility", Label: "AAPL volatility", Unit: "%", Value: decimal.RequireFromString("9.612")}}, report.ComparedFigure{}},
		{"nothing", nil, report.ComparedFigure{}},
	} {
		t.Run(row.name, func(t *testing.T) {
			row.want.Note, row.want.Label, row.want.Unit, row.want.Was = 2, "AAPL annual return", "%", "9.612"
			if diff := cmp.Diff([]report.ComparedFigure{row.want}, asked.Compare(row.now)); diff != "" {
				t.Errorf("compared (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add(edited(f, func(map[string]any) {}), []byte(sampleText))
	f.Add(edited(f, func(r map[string]any) { r["format"] = "html" }), []byte("<table><tr><td>9.6%</table>"))
	f.Add(edited(f, func(r map[string]any) { r["format"] = "csv" }), []byte("a,figures\n9.6%,x\n"))
	f.Add([]byte(`{"version":1,"figures":[{"note":1,"value":"1e60","inputs":["1e18"]}]}`), []byte("[^1]"))
	f.Fuzz(func(t *testing.T, record, data []byte) {
		p, err := report.Parse(record)
		if err != nil {
			return
		}
		if found, err := p.Check(data); err == nil && found.Traced > found.Total {
			t.Errorf("%d of %d traced", found.Traced, found.Total)
		}
		p.Calls()
	})
}
