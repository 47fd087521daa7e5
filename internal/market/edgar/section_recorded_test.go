package edgar_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market/edgar"
)

func recordedDocument(t *testing.T, name, form string) edgar.Document {
	t.Helper()
	return parseDocument(t, string(sectionRecording(t, name)), form)
}

func TestRecorded_AnnualReportHasEveryItemInOrder(t *testing.T) {
	d := recordedDocument(t, "10-K-Apple.html.gz", "10-K")
	want := []string{"I-1", "I-1A", "I-1B", "I-1C", "I-2", "I-3", "I-4", "II-5", "II-6", "II-7", "II-7A", "II-8",
		"II-9", "II-9A", "II-9B", "II-9C", "III-10", "III-11", "III-12", "III-13", "III-14", "IV-15", "IV-16"}
	if diff := cmp.Diff(want, itemNames(d)); diff != "" {
		t.Fatalf("items of a 10-K (-want +got):\n%s", diff)
	}
	for _, item := range d.Items() {
		s, err := d.Section(item)
		if err != nil || s.Confidence != 1 || len(s.Warnings) > 0 || s.Method != edgar.MethodContents {
			t.Errorf("Section(%s) = %s, %.1f, %q, %v; want contents and headings to agree", item, s.Method, s.Confidence, s.Warnings, err)
		}
		if !strings.HasPrefix(s.Text, "Item "+item.Item) {
			t.Errorf("Section(%s) begins %.40q, want its heading", item, s.Text)
		}
	}
}

// Sentences and figures of the report for the year that ended on 2024-09-28.
func TestRecorded_AnnualReportSaysWhatItSays(t *testing.T) {
	d := recordedDocument(t, "10-K-Apple.html.gz", "10-K")
	for _, c := range []struct {
		item, heading string
		has           []string
		lacks         []string
	}{
		{"1", "Item 1. Business\nCompany Background\n", []string{"iPhone® is the Company’s line of smartphones"}, []string{"Item 1A"}},
		{"7", "Item 7. Management’s Discussion and Analysis of Financial Condition and Results of Operations\n",
			[]string{
				"The following discussion should be read in conjunction with the consolidated financial statements",
				"Percentage of total net sales | 8% | | 8% | | 7%", // the percentage change columns remain empty
				"Services [1] | 96,169 | 13% | 85,200 | 9% | 78,129",
			}, []string{"Form 10-K | 2", "Item 7A."}},
		{"8", "Item 8. Financial Statements and Supplementary Data\n",
			[]string{
				"(In millions, except number of shares, which are reflected in thousands, and par value)",
				"Total assets | $364,980 | $352,583",
				"Accumulated deficit | (19,154) | (214)",
				"Net income | $93,736 | $96,995 | $99,803",
			}, nil},
		{"5", "Item 5. ", []string{"Total | 112,260 | | | $89,074"}, []string{"Item 6."}},
		{"1B", "Item 1B. Unresolved Staff Comments\nNone.", nil, nil},
	} {
		s := readSection(t, d, c.item)
		if !strings.HasPrefix(s.Text, c.heading) {
			t.Errorf("Item %s begins %.120q, want %q", c.item, s.Text, c.heading)
		}
		for _, has := range c.has {
			if !strings.Contains(s.Text, has) {
				t.Errorf("Item %s lacks %q", c.item, has)
			}
		}
		for _, lacks := range c.lacks {
			if strings.Contains(s.Text, lacks) {
				t.Errorf("Item %s holds %q", c.item, lacks)
			}
		}
	}
	if s := readSection(t, d, "11"); !s.CrossReference {
		t.Errorf("Item 11 = %q, want a cross reference", s.Text)
	}
	if whole := d.Text(); strings.Contains(whole, "us-gaap:") || strings.Contains(whole, "Apple Inc. | 2024 Form 10-K |") {
		t.Error("the text holds machine-readable facts or running feet")
	}
}

func TestRecorded_QuarterlyReportKeepsItsPartsApart(t *testing.T) {
	d := recordedDocument(t, "10-Q-Apple.html.gz", "10-Q")
	want := []string{"I-1", "I-2", "I-3", "I-4", "II-1", "II-1A", "II-2", "II-3", "II-4", "II-5", "II-6"}
	if diff := cmp.Diff(want, itemNames(d)); diff != "" {
		t.Fatalf("items of a 10-Q (-want +got):\n%s", diff)
	}
	statements, legal := readSection(t, d, "I-1"), readSection(t, d, "II-1")
	if !strings.Contains(statements.Text, "Total net sales | 85,777 | 81,797 | 296,105 | 293,787") || statements.Confidence != 1 {
		t.Errorf("Part I Item 1 has confidence %.1f, or lacks the sales of the quarter", statements.Confidence)
	}
	if !strings.HasPrefix(legal.Text, "Item 1. Legal Proceedings\n") || legal.Item.Title != "Legal Proceedings" {
		t.Errorf("Part II Item 1 = %q, %.60q", legal.Item.Title, legal.Text)
	}
	if s := readSection(t, d, "I-4"); strings.Contains(s.Text, "PART II") {
		t.Errorf("Part I Item 4 ends %q, want the next part's name left out", s.Text[len(s.Text)-60:])
	}
}

func TestRecorded_CurrentReport(t *testing.T) {
	d := recordedDocument(t, "8k-nvda-20260302.htm", "8-K")
	if diff := cmp.Diff([]string{"5.02", "9.01"}, itemNames(d)); diff != "" {
		t.Fatalf("items of an 8-K (-want +got):\n%s", diff)
	}
	if s := readSection(t, d, "5.02"); !strings.Contains(s.Text, "President and Chief Executive Officer | $4,000,000 | 200%") {
		t.Errorf("Item 5.02 lacks the targets: %q", s.Text)
	}
	if s := readSection(t, d, "9.01"); strings.Contains(s.Text, "SIGNATURE") || s.Item.Title != "Financial Statements and Exhibits" {
		t.Errorf("Item 9.01 = %q, %q; want it to end before the signatures", s.Item.Title, s.Text)
	}
}

func BenchmarkParseDocument_AnnualReport(b *testing.B) {
	doc := sectionRecording(b, "10-K-Apple.html.gz")
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := edgar.ParseDocument(doc, "10-K"); err != nil {
			b.Fatal(err)
		}
	}
}
