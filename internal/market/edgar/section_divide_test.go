package edgar_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/edgar"
)

func TestItems_ByHeadingsHoweverTheyAreWritten(t *testing.T) {
	for _, c := range []struct{ name, heading, item, title string }{
		{"dot", "Item 7. Management’s Discussion and Analysis", "II-7", "Management’s Discussion and Analysis of Financial Condition and Results of Operations"},
		{"blanks that do not break", "Item&#160;1A.&#160;&#160;&#160;Risk Factors", "I-1A", "Risk Factors"},
		{"dash", "ITEM 9A – CONTROLS AND PROCEDURES", "II-9A", "Controls and Procedures"},
		{"long dash", "Item 3—Legal Proceedings", "I-3", "Legal Proceedings"},
		{"colon", "ITEM 2: PROPERTIES", "I-2", "Properties"},
		{"bare", "Item 5", "II-5", "Market for Registrant’s Common Equity, Related Stockholder Matters and Issuer Purchases of Equity Securities"},
		{"no stop", "ITEM 11 Executive Compensation", "III-11", "Executive Compensation"},
		{"letter apart", "Item 9 B. Other Information", "II-9B", "Other Information"},
		{"small company's", "Item 9A(T). Controls and Procedures", "II-9A", "Controls and Procedures"},
		{"with its part", "PART I. ITEM 1. BUSINESS", "I-1", "Business"},
		{"title in the next line", "Item 4.</p><p>Mine Safety Disclosures", "I-4", "Mine Safety Disclosures"},
		{"in a table", "<table><tr><td>Item 1C.</td><td>Cybersecurity</td></tr></table>", "I-1C", "Cybersecurity"},
		{"nought before", "Item 01. Business", "I-1", "Business"},
		{"older name", "Item 6. Selected Financial Data", "II-6", "Selected Financial Data"},
		{"text in the same paragraph", "Item 3. Legal Proceedings. We are party to a suit that began in 2023.", "I-3", "Legal Proceedings"},
	} {
		d := parseDocument(t, htmlPage(paragraphs(400), c.heading, paragraphs(400)), "10-K")
		if diff := cmp.Diff([]string{c.item}, itemNames(d)); diff != "" {
			t.Errorf("%s: items of %q (-want +got):\n%s", c.name, c.heading, diff)
			continue
		}
		if got := d.Items()[0].Title; got != c.title {
			t.Errorf("%s: title of %q = %q, want %q", c.name, c.heading, got, c.title)
		}
	}
}

func TestItems_ASentenceIsNoHeading(t *testing.T) {
	for _, line := range []string{
		"Item 7 of this report describes our results.", "Item 1A, “Risk Factors,” applies.", "Item 8 and the notes", "Items sold rose.",
		"Part I of this report", "Item 99. Nothing", "Item 7. (continued)", "Item 7. Management’s Discussion and Analysis (Continued)",
		"Item 7 Sales rose. " + paragraphs(300), "Item 1A description of", "See Item 7.", "Itemized 7", "Item", "Item 123. Long",
	} {
		if d := parseDocument(t, htmlPage(paragraphs(400), line, paragraphs(400)), "10-K"); len(d.Items()) > 0 {
			t.Errorf("items of %q = %v, want none", line, itemNames(d))
		}
	}
}

// annualReport returns a small 10-K, with a table of contents before the text if contents are given.
func annualReport(contents ...string) string {
	body := append(contents, "PART I", `<a name="b"></a>Item 1. Business`, paragraphs(9000),
		`<a name="item_1a_risk_factors"></a>Item 1A. Risk Factors`, "See Item 7 of this report.", paragraphs(17000),
		"PART II", `<a name="d"></a>Item 7. Management’s Discussion and Analysis`, "Revenue rose.", paragraphs(12000),
		`<a name="e"></a>Item 8. Financial Statements and Supplementary Data`,
		"The information required by this item is set forth in Part IV, Item 15.",
		"PART IV", `<a name="f"></a>Item 15. Exhibits and Financial Statement Schedules`, paragraphs(300), "SIGNATURES", "A. Name")
	return htmlPage(body...)
}

func TestItems_WithoutContentsComeFromHeadings(t *testing.T) {
	d := parseDocument(t, annualReport(), "10-K")
	if diff := cmp.Diff([]string{"I-1", "I-1A", "II-7", "II-8", "IV-15"}, itemNames(d)); diff != "" {
		t.Fatalf("items (-want +got):\n%s", diff)
	}
	s := readSection(t, d, "7")
	if s.Method != edgar.MethodHeadings || s.Confidence != 0.8 || len(s.Warnings) > 0 {
		t.Errorf("Item 7 = %s, %.1f, %q; want headings, 0.8, no warning", s.Method, s.Confidence, s.Warnings)
	}
	if !strings.HasPrefix(s.Text, "Item 7. Management’s Discussion and Analysis\nRevenue rose.\n") {
		t.Errorf("Item 7 begins %.80q, want its heading", s.Text)
	}
	if s := readSection(t, d, "15"); strings.Contains(s.Text, "SIGNATURES") {
		t.Errorf("Item 15 = %q, want it to end before the signatures", s.Text)
	}
	if s := readSection(t, d, "1A"); strings.Contains(s.Text, "PART II") {
		t.Error("Item 1A ends with the name of the next part")
	}
}

func TestItems_ContentsAndHeadingsThatAgreeAreSure(t *testing.T) {
	for _, c := range []struct{ name, contents string }{
		{"numbers and titles", `<table><tr><td><a href="#b">Item 1.</a></td><td><a href="#b">Business</a></td><td>3</td></tr>
			<tr><td><a href="#item_1a_risk_factors">Item 1A.</a></td><td>Risk Factors</td><td>5</td></tr>
			<tr><td><a href="#d">Item 7.</a></td><td>Discussion</td><td>21</td></tr><tr><td><a href="#e">Item 8.</a></td><td>30</td></tr>
			<tr><td><a href="#f">Item 15.</a></td><td>Exhibits</td><td>90</td></tr></table>`},
		{"titles alone", `<div><a href="#b">Business</a></div><div><a href="#item_1a_risk_factors">RISK FACTORS</a></div>
			<div><a href="#d">Management's Discussion and Analysis of Financial Condition</a></div>
			<div><a href="#e">Financial Statements and Supplementary Data</a></div><div><a href="#f">Exhibits, Financial Statement Schedules</a></div>`},
		{"page numbers alone", `<table><tr><td>Item 1.</td><td>Business</td><td><a href="#b">3</a></td></tr>
			<tr><td>Item 1A.</td><td>Risk Factors</td><td><a href="#item_1a_risk_factors">5</a></td></tr><tr><td>Item 7.</td><td>Discussion</td><td><a href="#d">21</a></td></tr>
			<tr><td>Item 8.</td><td>Statements</td><td><a href="#e">30</a></td></tr><tr><td>Item 15.</td><td>Exhibits</td><td><a href="#f">90</a></td></tr></table>`},
		{"ids alone", `<p><a href="#b">Item 1</a></p><p><a href="#item_1a_risk_factors">What may go wrong</a></p><p><a href="#d">Item 7</a></p><p><a href="#e">Item 8</a></p><p><a href="#f">Item 15</a></p>`},
	} {
		d := parseDocument(t, annualReport(c.contents), "10-K")
		if diff := cmp.Diff([]string{"I-1", "I-1A", "II-7", "II-8", "IV-15"}, itemNames(d)); diff != "" {
			t.Errorf("%s: items (-want +got):\n%s", c.name, diff)
			continue
		}
		for _, item := range []string{"1", "1A", "7", "8", "15"} {
			if s := readSection(t, d, item); s.Method != edgar.MethodContents || s.Confidence != 1 {
				t.Errorf("%s: Item %s = %s, %.1f, %q; want contents, 1", c.name, item, s.Method, s.Confidence, s.Warnings)
			}
		}
		if s := readSection(t, d, "1"); !strings.HasPrefix(s.Text, "Item 1. Business\nWe sell") {
			t.Errorf("%s: Item 1 begins %.60q, want its heading in the text", c.name, s.Text)
		}
	}
}

func TestItems_ListedInContentsWithoutLinksAreSkipped(t *testing.T) {
	for _, c := range []struct{ name, contents string }{
		{"page numbers", "Item 1. Business ........ 3</p><p>Item 1A. Risk Factors ........ 5</p><p>Item 7. Management’s Discussion ..... 21</p><p>Item 8. Financial Statements ... 30</p><p>Item 15. Exhibits .... 90"},
		{"a preface after them", "Item 1. Business</p><p>Item 1A. Risk Factors</p><p>Item 7. Management’s Discussion</p><p>Item 8. Financial Statements</p><p>Item 15. Exhibits and Financial Statement Schedules</p><p>" + paragraphs(9000)},
		{"no page numbers", "Item 1. Business</p><p>Item 1A. Risk Factors</p><p>Item 7. Management’s Discussion</p><p>Item 8. Financial Statements</p><p>Item 15. Exhibits"},
	} {
		d := parseDocument(t, annualReport("CONTENTS", c.contents), "10-K")
		for _, item := range []string{"1", "1A", "7", "8", "15"} {
			s := readSection(t, d, item)
			if s.Method != edgar.MethodHeadings || len(s.Warnings) > 0 {
				t.Errorf("%s: Item %s = %s, %q; want headings, no warning", c.name, item, s.Method, s.Warnings)
			}
		}
		if s := readSection(t, d, "1"); len(s.Text) < 9000 {
			t.Errorf("%s: Item 1 = %q, want the text, not the contents", c.name, s.Text)
		}
		if s := readSection(t, d, "15"); len(s.Text) > 2000 {
			t.Errorf("%s: Item 15 = %.60q, want the text, not the contents", c.name, s.Text)
		}
	}
}

func TestItems_TitledByLinksOnlyWhereTheTextHasNoNumbers(t *testing.T) {
	d := parseDocument(t, htmlPage(`<a href="#x">Our business</a>`, `<a href="#item1">Item 1</a>`, `<a href="#risk">Risk Factors</a>`, `<a href="#mda">Management’s Discussion and Analysis</a>`,
		paragraphs(400), `<a id="item1"></a>What we do`, paragraphs(9000), `<a id="risk"></a>What may go wrong`, paragraphs(17000), `<a id="mda"></a>How we did`, paragraphs(12000)), "10-K")
	if diff := cmp.Diff([]string{"I-1", "I-1A", "II-7"}, itemNames(d)); diff != "" {
		t.Fatalf("items (-want +got):\n%s", diff)
	}
	s := readSection(t, d, "1A")
	if s.Method != edgar.MethodContents || s.Confidence != 0.9 || !strings.HasPrefix(s.Text, "What may go wrong\n") {
		t.Errorf("Item 1A = %s, %.1f, %.40q; want contents, 0.9, from the anchor on", s.Method, s.Confidence, s.Text)
	}
}

func TestItems_OnlyListedAreNotThere(t *testing.T) {
	d := parseDocument(t, htmlPage("Item 1. Business | 3", "Item 6. [Reserved]", "Item 7. Discussion | 21", "Item 8. Statements | 30", paragraphs(9000)), "10-K")
	if len(d.Items()) != 0 {
		t.Errorf("items = %v, want none: the text has no headings", itemNames(d))
	}
}

// If the contents link to a place near the heading, or one that several items share, the heading counts.
func TestItems_ContentsThatLeadNearTheHeading(t *testing.T) {
	lines := strings.Repeat("</p><p>A line.", 20)
	d := parseDocument(t, htmlPage(`<a href="#b">Item 1. Business</a>`, `<a href="#c">Item 10. Directors</a>`, `<a href="#c">Item 11. Executive Compensation</a>`, `<a href="#c">Item 12. Security Ownership</a>`,
		`<a id="b"></a>Acme Corp`, "Annual report", "Item 1. Business", paragraphs(9000),
		`<a id="c"></a>PART III`, "Item 10. Directors, Executive Officers"+lines, "Item 11. Executive Compensation"+lines, "Item 12. Security Ownership of Certain"+lines), "10-K")
	for _, item := range []string{"1", "10", "11", "12"} {
		if s := readSection(t, d, item); s.Confidence != 1 || !strings.HasPrefix(s.Text, "Item "+item+". ") {
			t.Errorf("Item %s = %.1f, %q, %.40q; want its heading, sure", item, s.Confidence, s.Warnings, s.Text)
		}
	}
	// A heading far below the target does not count.
	d = parseDocument(t, htmlPage(`<a href="#b">Business</a>`, `<a href="#c">Risk Factors</a>`, `<a href="#d">Cybersecurity</a>`, `<a id="b"></a>What we do`, paragraphs(9000), "Item 1. Business", "As told.", `<a id="c"></a>Risks`, paragraphs(17000), `<a id="d"></a>Security`, paragraphs(2000)), "10-K")
	if s := readSection(t, d, "1"); !strings.HasPrefix(s.Text, "What we do\n") || s.Confidence != 0.7 {
		t.Errorf("Item 1 = %.1f, %.40q; want it from the anchor on, and doubted", s.Confidence, s.Text)
	}
}

func TestItems_AMentionIsNotTheHeading(t *testing.T) {
	d := parseDocument(t, htmlPage("Item 1. Business", paragraphs(9000), "Item 1A", paragraphs(20000), "Read also:", "Item 3. Legal Proceedings", "Item 7. Management’s Discussion and Analysis", paragraphs(300),
		"Item 1A. Risk Factors", paragraphs(17000), "Item 3. Legal Proceedings", paragraphs(5000), "Item 7. Management’s Discussion and Analysis", paragraphs(12000)), "10-K")
	for item, least := range map[string]int{"1A": 17000, "3": 5000, "7": 12000} {
		if s := readSection(t, d, item); len(s.Text) < least || !strings.HasPrefix(s.Text, "Item "+item+". ") {
			t.Errorf("Item %s = %d bytes, %.40q; want the heading with the text below", item, len(s.Text), s.Text)
		}
	}
}

// Some filers use their own order and end with an index of the form's items.
func TestItems_IndexAtTheEndLeadsBack(t *testing.T) {
	d := parseDocument(t, htmlPage(`<a id="p1"></a>What we do`, paragraphs(9000), `<a id="p2"></a>How we did`, paragraphs(12000), `<a id="p3"></a>What may go wrong`, paragraphs(17000),
		"FORM 10-K CROSS-REFERENCE INDEX", `<a href="#p1">Item 1.</a> Business`, `<a href="#p3">Item 1A.</a> Risk Factors`, `<a href="#p2">Item 7.</a> Management’s Discussion and Analysis`), "10-K")
	if diff := cmp.Diff([]string{"I-1", "II-7", "I-1A"}, itemNames(d)); diff != "" {
		t.Fatalf("items, in the order of the document (-want +got):\n%s", diff)
	}
	if s := readSection(t, d, "7"); s.Method != edgar.MethodContents || !strings.HasPrefix(s.Text, "How we did\n") || strings.Contains(s.Text, "go wrong") {
		t.Errorf("Item 7 = %s, %.60q; want where the index leads", s.Method, s.Text)
	}
	// Headings that link back to the contents are not an index.
	d = parseDocument(t, htmlPage(`<a id="toc"></a>CONTENTS`, `<a href="#toc">Item 1. Business</a>`, paragraphs(9000), `<a href="#toc">Item 1A. Risk Factors</a>`, paragraphs(17000), `<a href="#toc">Item 3. Legal Proceedings</a>`, "None."), "10-K")
	for _, item := range []string{"1", "1A", "3"} {
		if s := readSection(t, d, item); s.Method != edgar.MethodHeadings || s.Confidence != 0.8 {
			t.Errorf("Item %s = %s, %.1f, %.60q; want the heading", item, s.Method, s.Confidence, s.Text)
		}
	}
}

func TestItems_MethodsThatDifferAreFlagged(t *testing.T) {
	// The contents link to a page of their own, far from the heading.
	contents := `<div><a href="#b">Item 1. Business</a></div><div><a href="#item_1a_risk_factors">Item 1A. Risk Factors</a></div><div><a href="#wrong">Item 7. Management’s Discussion</a></div>`
	doc := strings.Replace(annualReport(contents), "See Item 7 of this report.", `<a name="wrong"></a>`+paragraphs(900)+strings.Repeat("</p><p>A line.", 20), 1)
	s := readSection(t, parseDocument(t, doc, "10-K"), "7")
	if s.Confidence != 0.7 || len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "disagree") {
		t.Errorf("Item 7 = %s, %.1f, %q; want a warning that the two differ", s.Method, s.Confidence, s.Warnings)
	}
	// If only one of the two gives the usual length, it is used.
	doc = strings.Replace(annualReport(contents), `<a name="item_1a_risk_factors"></a>`, strings.Repeat("</p><p>A line.", 20)+`</p><p><a name="wrong"></a>A line.`+strings.Repeat("</p><p>A line.", 20)+`<a name="item_1a_risk_factors"></a></p><p>`, 1)
	s = readSection(t, parseDocument(t, doc, "10-K"), "7")
	if s.Method != edgar.MethodHeadings || !strings.Contains(s.Text, "Revenue rose.") {
		t.Errorf("Item 7 = %s, %.60q; want the heading's, which has the usual length", s.Method, s.Text)
	}
}

func TestSection_OfUnusualLengthIsDoubted(t *testing.T) {
	d := parseDocument(t, htmlPage("Item 1. Business", "We sell goods.", "Item 1A. Risk Factors", paragraphs(17000), "Item 3. Legal Proceedings", "None."), "10-K")
	s := readSection(t, d, "1")
	if s.Confidence != 0.5 || len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "unusual length of 31 characters; this item usually has 8000 to 321000") {
		t.Errorf("Item 1 = %.1f, %q; want 0.5 and a warning of its length", s.Confidence, s.Warnings)
	}
	for _, item := range []string{"1A", "3"} {
		if s := readSection(t, d, item); s.Confidence != 0.8 || len(s.Warnings) > 0 {
			t.Errorf("Item %s = %.1f, %q; want no doubt", item, s.Confidence, s.Warnings)
		}
	}
}

func TestSection_ThatRefersElsewhereIsNotDoubted(t *testing.T) {
	s := readSection(t, parseDocument(t, annualReport(), "10-K"), "8")
	if !s.CrossReference || s.Confidence != 0.8 || len(s.Warnings) > 0 {
		t.Errorf("Item 8 = %v, %.1f, %q; want a cross reference and no warning", s.CrossReference, s.Confidence, s.Warnings)
	}
}

func TestSection_AbsentNamesWhatThereIs(t *testing.T) {
	d := parseDocument(t, annualReport(), "10-K")
	_, err := d.Section(market.FilingItem{Item: "9A"})
	if !errors.Is(err, market.ErrNoData) || !strings.Contains(err.Error(), "II-7 (Management’s Discussion") {
		t.Errorf("Section(9A) = %v, want ErrNoData that names the items", err)
	}
}

func TestSection_OfTwoItemsAtOnceIsFlagged(t *testing.T) {
	d := parseDocument(t, htmlPage("Items 1 and 2. Business and Properties", paragraphs(9000), "Item 3. Legal Proceedings", "None.", "Items 7 and 7A. Management’s Discussion and Analysis", paragraphs(12000)), "10-K")
	if diff := cmp.Diff([]string{"I-1", "I-2", "I-3", "II-7", "II-7A"}, itemNames(d)); diff != "" {
		t.Fatalf("items (-want +got):\n%s", diff)
	}
	one, two := readSection(t, d, "1"), readSection(t, d, "2")
	if one.Text != two.Text || !strings.Contains(strings.Join(two.Warnings, " "), "the same text as Part I Item 1") {
		t.Errorf("Item 2 = %.40q, %q; want the text of Item 1 and a warning", two.Text, two.Warnings)
	}
}

func TestSection_LastGoesOnToStatementsAfterTheSignatures(t *testing.T) {
	d := parseDocument(t, strings.Replace(annualReport(), "A. Name", "A. Name</p><p>CONSOLIDATED BALANCE SHEETS</p><p>"+paragraphs(30000), 1), "10-K")
	s := readSection(t, d, "15")
	if !strings.Contains(s.Text, "CONSOLIDATED BALANCE SHEETS") || !strings.Contains(strings.Join(s.Warnings, " "), "past the signatures") {
		t.Errorf("Item 15 has %d bytes, %q; want the statements and a warning", len(s.Text), s.Warnings)
	}
}

func TestSection_RangeIsInCharactersOfTheWholeText(t *testing.T) {
	d := parseDocument(t, strings.ReplaceAll(annualReport(), "We sell", "Wir ‘verkäufen’"), "10-K")
	all := []rune(d.Text())
	for _, item := range []string{"1", "1A", "7", "8", "15"} {
		s := readSection(t, d, item)
		if got := string(all[s.From:s.To]); got != s.Text {
			t.Errorf("Item %s: characters %d to %d = %.40q, want %.40q", item, s.From, s.To, got, s.Text)
		}
	}
}
