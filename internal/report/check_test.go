package report_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/report"
	"github.com/nfa-cli/nfa/internal/trace"
)

// reparse returns the record as it is read back from its file.
func reparse(t testing.TB, p report.Provenance) report.Provenance {
	t.Helper()
	b, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := report.Parse(b)
	if err != nil {
		t.Fatalf("Parse of what was written = %v\n%s", err, b)
	}
	return back
}

func checked(t testing.TB, p report.Provenance, data []byte) report.CheckResult {
	t.Helper()
	p = reparse(t, p)
	f, err := p.Check(data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// wantSound checks that a report is read back as it was recorded.
func wantSound(t testing.TB, r report.Report) {
	t.Helper()
	f := checked(t, r.Provenance, r.Data)
	if !f.Unchanged || len(f.Missing) > 0 || len(f.Numbers) != len(r.Provenance.Numbers) {
		t.Errorf("unchanged %v, %d numbers of %d, gone %v", f.Unchanged, len(f.Numbers), len(r.Provenance.Numbers), f.Missing)
	}
	for i, n := range f.Numbers {
		if (report.Number{Line: n.Line, Text: n.Text, Status: n.Status, Note: n.Note}) != r.Provenance.Numbers[i] || n.Recorded != n.Status {
			t.Errorf("number %+v, recorded as %+v", n, r.Provenance.Numbers[i])
		}
	}
}

func TestCheck_AReportIsReadBackAsItWasRecorded(t *testing.T) {
	for name, text := range sampleTexts(t) {
		for _, format := range []report.Format{report.Markdown, report.HTML, report.CSV} {
			if format == report.CSV && !strings.Contains(text, "|--") {
				continue
			}
			t.Run(name+" "+string(format), func(t *testing.T) { wantSound(t, newReport(t, text, options(format))) })
		}
	}
}

// texts returns the numbers of a record in short form.
func texts(p report.Provenance) []string {
	out := []string{}
	for _, n := range p.Numbers {
		out = append(out, n.Text+" "+string(n.Status))
	}
	return out
}

func TestNew_APageStatesTheNumbersOfItsMarkdown(t *testing.T) {
	for name, text := range sampleTexts(t) {
		// HTML leaves these out.
		text = strings.ReplaceAll(text, "![chart of 88.8%](https://spy.example/p.gif)", "chart of 88.8%")
		text = strings.NewReplacer("<b>", "", "</b>", "").Replace(text)
		want, got := newReport(t, text, options(report.Markdown)).Provenance, newReport(t, text, options(report.HTML)).Provenance
		if diff := cmp.Diff(texts(want), texts(got)); diff != "" {
			t.Errorf("%s: numbers of the page (-Markdown +page):\n%s", name, diff)
		}
	}
}

func TestCheck_FindsWhatWasChangedSince(t *testing.T) {
	r := newReport(t, sampleText, options(report.Markdown))
	for _, row := range []struct {
		name, old, new string
		added, gone    []string
	}{
		{"a traced number", "70.70 USD[^1], up", "80.70 USD[^1], up", []string{"80.70 USD untraced"}, []string{"70.70 USD"}},
		{"one that now fits", "$99 [untraced]", "70.7 USD", []string{"70.7 USD traced"}, []string{"$99"}},
		{"what the user said", "$10,000", "$20,000", []string{"$20,000 untraced"}, []string{"$10,000"}},
		{"one taken out", "- 70.70 USD[^1] again\n", "", nil, []string{"70.70 USD"}},
		{"the count", "3 of 5 figures", "5 of 5 figures", []string{"5 untraced", "5 untraced", "1 untraced"}, nil},
		{"words alone", "again", "once more", nil, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			changed := strings.Replace(string(r.Data), row.old, row.new, 1)
			f := checked(t, r.Provenance, []byte(changed))
			var added, gone []string
			for _, n := range f.Numbers {
				if n.Recorded == "" {
					added = append(added, n.Text+" "+string(n.Status))
				}
			}
			for _, n := range f.Missing {
				gone = append(gone, n.Text)
			}
			if diff := cmp.Diff([]any{false, row.added, row.gone}, []any{f.Unchanged, added, gone}); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCheck_ANumberThatItsFigureDoesNotBearOutIsFound(t *testing.T) {
	r := newReport(t, sampleText, options(report.Markdown))
	p := reparse(t, r.Provenance)
	p.Figures[0].Value = "71.7" // the record was changed, not the report
	f := checked(t, p, r.Data)
	n := f.Numbers[0]
	if !f.Unchanged || n.Sound || n.Recorded != trace.Traced || n.Status == trace.Traced {
		t.Errorf("unchanged %v, %+v; want a number that is not traced any more", f.Unchanged, n)
	}
}

func TestFinding_OnlyTracedAndStatedNumbersAreSound(t *testing.T) {
	r := newReport(t, sampleText, options(report.Markdown))
	var got []bool
	for _, n := range checked(t, r.Provenance, r.Data).Numbers {
		got = append(got, n.Sound)
	}
	if diff := cmp.Diff([]bool{true, true, false, false, true, true}, got); diff != "" {
		t.Errorf("sound (-want +got):\n%s", diff)
	}
}

func TestCheck_AFileOfDigitsAloneIsRefused(t *testing.T) {
	p := reparse(t, newReport(t, sampleText, options(report.Markdown)).Provenance)
	for name, text := range map[string]string{"very many": strings.Repeat("7 ", 1<<20), "too many to list": strings.Repeat("7.5%\n\n", 20_001)} {
		if f, err := p.Check([]byte(text)); !errors.Is(err, report.ErrTooLarge) {
			t.Errorf("%s: %d numbers, %v; want ErrTooLarge", name, len(f.Numbers), err)
		}
	}
}
