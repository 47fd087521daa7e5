package edgar_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
)

// quarterlyReport returns a small 10-Q, with or without the names of its parts.
func quarterlyReport(first, second string) string {
	return htmlPage(first, "Item 1. Financial Statements", paragraphs(19000), "Item 2. Management’s Discussion and Analysis", paragraphs(11000),
		"Item 3. Quantitative and Qualitative Disclosures About Market Risk", "None.", "Item 4. Controls and Procedures", "Effective.",
		second, "Item 1. Legal Proceedings", paragraphs(500), "Item 1A. Risk Factors", paragraphs(500),
		"Item 2. Unregistered Sales of Equity Securities", "None.", "Item 3. Defaults Upon Senior Securities", "None.",
		"Item 5. Other Information", "None.", "Item 6. Exhibits", "31.1", "SIGNATURE", "A. Name")
}

func TestForm_QuarterlyReportRepeatsItsNumbers(t *testing.T) {
	want := []string{"I-1", "I-2", "I-3", "I-4", "II-1", "II-1A", "II-2", "II-3", "II-5", "II-6"}
	for _, c := range []struct{ name, one, two string }{
		{"parts named", "PART I. FINANCIAL INFORMATION", "PART II – OTHER INFORMATION"},
		{"parts not named", "Acme", "More"},
		{"one part named", "PART I. FINANCIAL INFORMATION", "More"},
	} {
		d := parseDocument(t, quarterlyReport(c.one, c.two), "10-Q")
		if diff := cmp.Diff(want, itemNames(d)); diff != "" {
			t.Errorf("%s: items (-want +got):\n%s", c.name, diff)
		}
		_, err := d.Section(market.FilingItem{Item: "1"})
		if !errors.Is(err, market.ErrNoData) || !strings.Contains(err.Error(), "more than one part") {
			t.Errorf("%s: Section(1) = %v, want ErrNoData that names both parts", c.name, err)
		}
		if s := readSection(t, d, "II-1"); s.Item.Title != "Legal Proceedings" || !strings.HasPrefix(s.Text, "Item 1. Legal Proceedings\n") {
			t.Errorf("%s: Section(II-1) = %q, %.40q", c.name, s.Item.Title, s.Text)
		}
		if s := readSection(t, d, "1A"); s.Item.Part != "II" {
			t.Errorf("%s: Section(1A) = %s, want Part II", c.name, s.Item)
		}
	}
}

func TestForm_QuarterlyReportWithoutTitles(t *testing.T) {
	for _, c := range []struct {
		name string
		doc  []string
		want []string
	}{
		{"the part decides", []string{"PART I", "Item 1.", paragraphs(900), "PART II", "Item 2.", paragraphs(900)}, []string{"I-1", "II-2"}},
		{"without parts, the order", []string{"Item 1.", paragraphs(900), "Item 2.", paragraphs(900), "Item 1.", paragraphs(900)}, []string{"I-1", "I-2", "II-1"}},
		{"the parts of the contents are over", []string{"PART I", "Item 1. Statements | 3", "Item 2. Discussion | 9", "PART II", "Item 1. Suits | 20", paragraphs(900),
			"Item 1.", paragraphs(900), "Item 2.", paragraphs(900), "PART II", "Item 1.", paragraphs(900)}, []string{"I-1", "I-2", "II-1"}},
	} {
		if diff := cmp.Diff(c.want, itemNames(parseDocument(t, htmlPage(c.doc...), "10-Q"))); diff != "" {
			t.Errorf("%s: items (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestForm_ListOfExhibitsIsNoReference(t *testing.T) {
	d := parseDocument(t, htmlPage("PART II", "Item 6. Exhibits", "31.1 | Certification | Incorporated by reference"), "10-Q")
	if s := readSection(t, d, "II-6"); s.CrossReference {
		t.Errorf("Item 6 = %q is a cross reference, want a list", s.Text)
	}
}

// Numbers in cells without a link, spacing cells in between, and on each page a link back to the contents.
func TestForm_QuarterlyReportWhoseContentsLinkTitles(t *testing.T) {
	row := func(number, id, title, at string) string {
		return `<tr><td><p>` + number + `</p></td><td><p>&#160;</p></td><td><p><a href="#` + id + `"><span>` + title + `</span></a></p></td><td><p>` + at + `</p></td></tr>`
	}
	back := `<hr style="page-break-after:always;"><div><p><a href="#toc">Table of Contents</a></p></div>`
	doc := `<html><body><p id="toc">TABLE OF CONTENTS</p><table><tr style="visibility:collapse;"><td style="width:9%;"/><td/></tr>` +
		row("PART I.", "part_i", "FINANCIAL INFORMATION", "3") + row("Item 1.", "item_1_financial_statements_unaudited", "Financial Statements (Unaudited)", "3") +
		row("Item 2.", "item_2_mda", "Management’s Discussion and Analysis", "20") + row("PART II.", "part_ii", "OTHER INFORMATION", "40") +
		row("Item 1.", "item_1_legal", "Legal Proceedings", "40") + row("Item 6.", "item_6_exhibits", "Exhibits", "41") + `</table>` + back +
		`<p id="part_i">PART I. FINANCIAL INFORMATION</p><p id="item_1_financial_statements_unaudited">Item 1. Financial Statements (Unaudited)</p><p>` + paragraphs(19000) + "</p>" + back +
		`<p id="item_2_mda">Item 2. Management’s Discussion and Analysis</p><p>` + paragraphs(11000) + "</p>" + back +
		`<p id="part_ii">PART II. OTHER INFORMATION</p><p id="item_1_legal">Item 1. Legal Proceedings</p><p>None.</p><p id="item_6_exhibits">Item 6. Exhibits</p><p>31.1</p></body></html>`
	d := parseDocument(t, doc, "10-Q")
	if diff := cmp.Diff([]string{"I-1", "I-2", "II-1", "II-6"}, itemNames(d)); diff != "" {
		t.Fatalf("items (-want +got):\n%s", diff)
	}
	for _, item := range []string{"I-1", "I-2", "II-1", "II-6"} {
		if s := readSection(t, d, item); s.Confidence != 1 || strings.Contains(s.Text, "Table of Contents") || strings.Contains(s.Text, "PART") {
			t.Errorf("Section(%s) = %s, %.1f, %q, %.60q; want contents and headings to agree", item, s.Method, s.Confidence, s.Warnings, s.Text)
		}
	}
}

// Without titles, only the parts tell which Item 1 is meant.
func TestForm_QuarterlyReportByPartsAlone(t *testing.T) {
	d := parseDocument(t, htmlPage("PART I", "Item 1.", paragraphs(19000), "Item 2.", paragraphs(11000), "PART II", "Item 1.", paragraphs(300), "Item 2.", "None."), "10-Q")
	if diff := cmp.Diff([]string{"I-1", "I-2", "II-1", "II-2"}, itemNames(d)); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
}

func TestForm_AnnualReportOfAForeignIssuer(t *testing.T) {
	d := parseDocument(t, htmlPage("PART I", "ITEM 1. IDENTITY OF DIRECTORS, SENIOR MANAGEMENT AND ADVISERS", "Not applicable.",
		"ITEM 3. KEY INFORMATION", paragraphs(3000), "ITEM 4A. UNRESOLVED STAFF COMMENTS", "None.",
		"PART II", "ITEM 16. [RESERVED]", "ITEM 16A. AUDIT COMMITTEE FINANCIAL EXPERT", "Ms A.", "Item 16K. Cybersecurity", paragraphs(900),
		"PART III", "ITEM 17. FINANCIAL STATEMENTS", "See Item 18.", "ITEM 18. FINANCIAL STATEMENTS", "Set forth in pages F-1 to F-90.", "ITEM 19. EXHIBITS", "None."), "20-F")
	if diff := cmp.Diff([]string{"I-1", "I-3", "I-4A", "II-16", "II-16A", "II-16K", "III-17", "III-18", "III-19"}, itemNames(d)); diff != "" {
		t.Fatalf("items (-want +got):\n%s", diff)
	}
	s, err := d.Section(market.FilingItem{Item: "16K"})
	if err != nil || s.Item.Title != "Cybersecurity" {
		t.Errorf("Section(16K) = %v, %v", s.Item, err)
	}
	if s := readSection(t, d, "18"); !s.CrossReference {
		t.Errorf("Item 18 = %q, want a cross reference", s.Text)
	}
}

func TestForm_CurrentReport(t *testing.T) {
	d := parseDocument(t, htmlPage("Acme", "Item 2.02 Results of Operations and Financial Condition.", "We issued a release.", "Item 5.02(b). Departure of Directors",
		"Ms A left.", "Item 9.01. Financial Statements and Exhibits", "(d) Exhibits", "SIGNATURES", "A. Name"), "8-K/A")
	if diff := cmp.Diff([]string{"2.02", "5.02", "9.01"}, itemNames(d)); diff != "" {
		t.Fatalf("items (-want +got):\n%s", diff)
	}
	if s := readSection(t, d, "2.02"); s.Text != "Item 2.02 Results of Operations and Financial Condition.\nWe issued a release." || s.Item.Part != "" {
		t.Errorf("Item 2.02 = %s, %q", s.Item, s.Text)
	}
}

func TestForm_AmendmentHasTheItemsOfItsForm(t *testing.T) {
	doc := htmlPage("Item 10. Directors, Executive Officers and Corporate Governance", paragraphs(900), "Item 11. Executive Compensation", paragraphs(900))
	for _, form := range []string{"10-K/A", "10-k", "10-K405", "10-KT"} {
		if diff := cmp.Diff([]string{"III-10", "III-11"}, itemNames(parseDocument(t, doc, form))); diff != "" {
			t.Errorf("items of a %s (-want +got):\n%s", form, diff)
		}
	}
	if d := parseDocument(t, doc, "DEF 14A"); len(d.Items()) != 0 || d.Text() == "" {
		t.Errorf("items of a DEF 14A = %v, want none, and its text", itemNames(d))
	}
}

func TestForm_PartThreeThatOnlyPointsElsewhereIsNoContents(t *testing.T) {
	paragraphs := []string{"Item 9B. Other Information", "None.", "PART III"}
	for _, item := range []string{"10. Directors, Executive Officers", "11. Executive Compensation", "12. Security Ownership of Certain", "13. Certain Relationships", "14. Principal Accountant Fees"} {
		paragraphs = append(paragraphs, "Item "+item, "This is incorporated by reference from our proxy statement.")
	}
	d := parseDocument(t, htmlPage(paragraphs...), "10-K")
	if diff := cmp.Diff([]string{"II-9B", "III-10", "III-11", "III-12", "III-13", "III-14"}, itemNames(d)); diff != "" {
		t.Fatalf("items (-want +got):\n%s", diff)
	}
	if s := readSection(t, d, "14"); !s.CrossReference {
		t.Errorf("Item 14 = %q, want a cross reference", s.Text)
	}
}

func TestForm_RunningHeadsDoNotCutAnItem(t *testing.T) {
	doc := []string{"PART I", "ITEM 1. BUSINESS"}
	for range 5 {
		doc = append(doc, paragraphs(2000), "<hr style='page-break-after:always'>PART I", "Item 1", "TABLE OF CONTENTS")
	}
	doc = append(doc, paragraphs(2000), "ITEM 1A. RISK FACTORS", paragraphs(17000))
	d := parseDocument(t, htmlPage(doc...), "10-K")
	s := readSection(t, d, "1")
	if s.Confidence != 0.8 || !strings.HasPrefix(s.Text, "ITEM 1. BUSINESS\n") || len(s.Text) < 12000 {
		t.Errorf("Item 1 = %.1f, %d bytes from %.40q; want all pages", s.Confidence, len(s.Text), s.Text)
	}
	if strings.Contains(s.Text, "TABLE OF CONTENTS") || strings.Count(s.Text, "\nItem 1\n") != 1 {
		t.Errorf("Item 1 = %q, want the running heads left out but for the first that may be a heading", s.Text)
	}
}
