package report_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/report"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/trace"
	"github.com/nfa-cli/nfa/internal/usage"
)

// tracedFigures returns the figures of a call that computes, of one that asks a source and of one that
// writes.
func tracedFigures() []tool.TracedFigure {
	figure := func(name, value string) tool.TracedFigure {
		return tool.TracedFigure{
			Call:   llm.ToolCall{ID: name, Name: name, Arguments: `{}`},
			Figure: tool.Figure{ID: name, Label: name, Value: decimal.RequireFromString(value), Unit: "USD"},
		}
	}
	return []tool.TracedFigure{figure("pure", "12.34"), figure("ask", "56.78"), figure("write", "90.12")}
}

// writeReport writes a report of these figures, with its record, to a file.
func writeReport(t *testing.T) (path string) {
	t.Helper()
	trace := func(text string) ([]trace.MatchedNumber, []tool.TracedFigure) {
		var all []trace.KnownFigure
		for i, g := range tracedFigures() {
			all = append(all, trace.KnownFigure{ID: g.Figure.ID, Label: g.Figure.Label, Value: g.Figure.Value, Unit: g.Figure.Unit, Index: i})
		}
		found := trace.Match(text, all, "")
		var notes []tool.TracedFigure
		for _, n := range found.Numbers {
			if n.Note > len(notes) {
				notes = append(notes, tracedFigures()[n.Index])
			}
		}
		return found.Numbers, notes
	}
	r, err := report.New("It is 12.34 USD, then 56.78 USD, then 90.12 USD.\n", report.Options{
		Format: report.Markdown, Name: "r.md", Trace: trace, Program: "1.2.3", Now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC),
	})
	if err != nil {
		t.Fatal(err)
	}
	record, err := r.Provenance.Encode()
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "r.md")
	for name, data := range map[string][]byte{path: r.Data, path + report.Suffix: record} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// callLog records the calls; read-only calls run concurrently.
type callLog struct {
	mu    sync.Mutex
	names []string
}

func (l *callLog) add(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.names = append(l.names, name)
}

// sorted returns the names in alphabetical order, because the order of the calls varies.
func (l *callLog) sorted() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Sorted(slices.Values(l.names))
}

// verifyOptions returns options with these tools; the pure one returns now, and all calls are recorded.
func verifyOptions(t *testing.T, now string, called *callLog) report.VerifyOptions {
	t.Helper()
	made := func(name string, effect tool.Effect, value string) tool.Tool {
		return tool.New(name, "Gives a figure.", effect, func(context.Context, struct{}) (tool.Result, error) {
			called.add(name)
			return tool.Result{ForModel: "done", Figures: []tool.Figure{{ID: name, Label: name, Value: decimal.RequireFromString(value), Unit: "USD"}}}, nil
		})
	}
	router, err := tool.NewRouter([]tool.Tool{made("pure", tool.Reads, now), made("ask", tool.Reads, "56.78"), made("write", tool.Writes, "90.12")}, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return report.VerifyOptions{Router: router, Pure: map[string]bool{"pure": true}}
}

func TestOf_CallsAgainWhatComputesAndOnlyLiveWhatAsks(t *testing.T) {
	path := writeReport(t)
	for _, row := range []struct {
		live bool
		want []string
		says string
	}{
		{false, []string{"pure"}, "2 figures not checked again (ask, write)"},
		{true, []string{"ask", "pure"}, "1 figure not checked again (write)"},
	} {
		var called callLog
		c := verifyOptions(t, "12.34", &called)
		c.Live = row.live
		r, err := report.Verify(t.Context(), path, c)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(called.sorted(), row.want) || !r.Same || !strings.Contains(r.String(), row.says) {
			t.Errorf("live %v: called %v, want %v; same %v\n%s", row.live, called.sorted(), row.want, r.Same, r)
		}
	}
}

func TestOf_AFigureThatIsAnotherNowIsADifference(t *testing.T) {
	var called callLog
	r, err := report.Verify(t.Context(), writeReport(t), verifyOptions(t, "12.35", &called))
	if err != nil || r.Same || !strings.Contains(r.String(), "note 1: pure was 12.34 USD, is 12.35 now") {
		t.Errorf("same %v, %v\n%s", r.Same, err, r)
	}
}

func TestOf_AReportThatWasChangedIsReported(t *testing.T) {
	path := writeReport(t)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), "56.78", "56.79", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	var called callLog
	r, err := report.Verify(t.Context(), path, verifyOptions(t, "12.34", &called))
	if err != nil || r.Same || r.Unchanged || !strings.Contains(r.String(), "! changed since it was written") || !strings.Contains(r.String(), "56.79") {
		t.Errorf("same %v, unchanged %v, %v\n%s", r.Same, r.Unchanged, err, r)
	}
}

func TestOf_WhatIsNoReportIsAMisuseAndWhatHasNoRecordHasNone(t *testing.T) {
	var called callLog
	c := verifyOptions(t, "12.34", &called)
	var mistake *usage.Error
	if _, err := report.Verify(t.Context(), t.TempDir(), c); !errors.As(err, &mistake) {
		t.Errorf("of a folder: %v, want a misuse", err)
	}
	path := writeReport(t)
	if err := os.Remove(path + report.Suffix); err != nil {
		t.Fatal(err)
	}
	if _, err := report.Verify(t.Context(), path, c); !errors.Is(err, report.ErrNoRecord) || !strings.Contains(err.Error(), "r.md.provenance.json is missing") {
		t.Errorf("without a record: %v", err)
	}
}
