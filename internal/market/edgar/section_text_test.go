package edgar_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/edgar"
)

func TestText_ReadsWhatAReaderSees(t *testing.T) {
	for _, c := range []struct{ name, doc, want string }{
		{"paragraphs are lines", `<p>One</p><div>Two<br>Three</div>`, "One\nTwo\nThree"},
		{"white space is one blank", "<p>One&nbsp;&#160;\u2003two\n\tthree</p>", "One two three"},
		{"entities", `<p>R&amp;D &#8220;x&#8221; &#150; &lt;b&gt;</p>`, "R&D “x” – <b>"},
		{"inline tags join", `<p>B<b>ol</b>d <i>text</i></p>`, "Bold text"},
		{"an inline block is no line", `<p>Net</p><div style="display: inline">In</div><div style="display:inline">come</div>`, "Net\nIncome"},
		{"definitions", `<dl><dt>One<dd>1<dt>Two<dd>2</dl>`, "One\n1\nTwo\n2"},
		{"a stray end tag ends nothing around it", `<div style="display:none"><table><tr><td></div>no</td></tr></table>no</div><p>Seen</p>`, "Seen"},
		{"deeper than any filing", strings.Repeat("<div>", 999) + "One" + strings.Repeat("</div>", 999) + "<p hidden>no</p><p>Two</p>", "One\nTwo"},
		{"lists", `<ul><li>One<li>Two</ul>`, "• One\n• Two"},
		{"hidden elements", `<p>Seen<span style="DISPLAY : none">no</span> too</p><div hidden>no</div>`, "Seen too"},
		{"hidden with its like inside", `<div style="display:none"><div>no</div>no</div><p>Seen</p>`, "Seen"},
		{"hidden ends with what holds it", `<table><tr><td><div style="display:none">no</td><td>Seen</td></tr></table>`, "Seen"},
		{"inline XBRL header", `<div><ix:header><ix:hidden><a>no</a></ix:hidden></ix:header></div><p>Net <ix:nonFraction>5</ix:nonFraction></p>`, "Net 5"},
		{"scripts and styles", `<style>p{}</style><script>if(a<b)</script><p>Seen</p>`, "Seen"},
		{"an unclosed title hides no text", `<html><head><title>no</head><body><p>Seen</p>`, "Seen"},
		{"closed as XML", `<html><title/><p>Seen</p><table><tr><td/><td>5</td></tr></table>`, "Seen\n5"},
		{"marks of width nought", "<p>a\u200bb\u00adc\ufeffd\u202ee</p>", "abcde"},
		{"no escape to the terminal", "<p>a\x1b[31mb\u009bc</p>", "a [31mbc"},
		{"older encoding", "<p>\x93Quoted\x94 caf\xe9\xa0bar</p>", "“Quoted” café bar"},
		{"a text in columns", "Item 1.  Business\n\nWe  sell goods.\n<TABLE>\n<S>   <C>\nSales     1,234    5\n</TABLE>", "Item 1. Business\nWe sell goods.\nSales | 1,234 | 5"},
		{"preformatted", "<p>x</p><pre>One\nTwo    3</pre>", "x\nOne\nTwo | 3"},
	} {
		if got := documentText(t, c.doc); got != c.want {
			t.Errorf("%s: text of %q = %q, want %q", c.name, c.doc, got, c.want)
		}
	}
}

func TestText_TablesKeepFiguresWholeAndInTheirColumns(t *testing.T) {
	for _, c := range []struct{ name, rows, want string }{
		{"signs join their figure", `<td>Sales</td><td>$</td><td>1,234</td><td></td><td>$</td><td>(56</td><td>)</td>`, "Sales | $1,234 | $(56)"},
		{"per cent", `<td>Growth</td><td>12</td><td>%</td><td>(3</td><td>)%</td>`, "Growth | 12% | (3)%"},
		{"a dash is a figure", `<td>Debt</td><td>$</td><td>—</td><td>5</td>`, "Debt | $— | 5"},
		{"a bullet leads", `<td>•</td><td>One</td>`, "• One"},
		{"so does the number of an item", `<td>Item 7.</td><td>Discussion</td><td>21</td>`, "Item 7. Discussion | 21"},
		{"what is missing stays missing",
			`<td>Year</td><td>2024</td><td>2023</td><td>2022</td></tr><tr><td>Sales</td><td></td><td>2</td><td>3</td></tr><tr><td>Cost</td><td>1</td><td></td><td>3</td></tr><tr><td>Tax</td><td>1</td>`,
			"Year | 2024 | 2023 | 2022\nSales | | 2 | 3\nCost | 1 | | 3\nTax | 1"},
		{"in wide cells too",
			`<td>Sales</td><td colspan="2">1</td><td></td><td colspan="2">2</td></tr><tr><td>Cost</td><td colspan="2"></td><td></td><td>$</td><td>4</td>`,
			"Sales | 1 | 2\nCost | | $4"},
		{"cells over several rows tell no column",
			`<td rowspan="2">Sales</td><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td>`, "Sales | 1 | 2\n3 | 4"},
		{"nor where the label of a row is elsewhere",
			`<td rowspan="2">Sales</td><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr><tr><td></td><td>5</td><td>6</td>`, "Sales | 1 | 2\n3 | 4\n5 | 6"},
		{"paragraphs of a cell join in a row", `<td>June 29,<br>2024</td><td>July 1,<br>2023</td>`, "June 29, 2024 | July 1, 2023"},
		{"and stay apart alone", `<td><p>One</p><p>Two</p></td>`, "One\nTwo"},
		{"a table for the layout", `<td>Left<table><tr><td>Tax</td><td>5</td></tr></table>Right</td>`, "Left\nTax | 5\nRight"},
		{"tables deeper than any filing's", `<td>One` + strings.Repeat("<table><tr><td>", 99) + "Two" + strings.Repeat("</td></tr></table>", 99) + "Three", "One\nTwo\nThree"},
		{"heads of columns", `<th>Year<th>2024</th><td>x</td>`, "Year | 2024 | x"},
		{"a sign of its own", `<td>Loss</td><td>$</td><td>(</td><td>5</td><td>)</td><td>US$</td><td>7</td>`, "Loss | $(5) | US$7"},
		{"spans that are no number", `<td colspan="x">Sales</td><td colspan="-4">5</td>`, "Sales | 5"},
		{"unclosed cells", `<td>Sales<td>5<tr><td>Cost<td>3`, "Sales | 5\nCost | 3"},
	} {
		doc := "<html><table><tr>" + c.rows + "</tr></table></html>"
		if got := documentText(t, doc); got != c.want {
			t.Errorf("%s: %q = %q, want %q", c.name, c.rows, got, c.want)
		}
	}
}

func TestText_AFootnoteDoesNotBecomeADigit(t *testing.T) {
	for _, c := range []struct{ name, doc, want string }{
		{"plain", `<p>1,234<sup>1</sup></p>`, "1,234 [1]"},
		{"in brackets", `<p>Services<sup>(1)</sup></p>`, "Services [1]"},
		{"two of them", `<p>Total<sup>(1)(2)</sup></p>`, "Total(1)(2)"},
		{"by style", `<p>5.5<span style="position:relative;top:-3.5pt">2</span></p>`, "5.5 [2]"},
		{"an ordinal is a word", `<p>10<sup>th</sup></p>`, "10th"},
		{"a figure set higher stays one", `<p>$<span style="top:-1pt">50</span></p>`, "$50"},
		{"the next line is no note", `<div>ab<sup>x<br>y 12</sup></div>`, "abx\ny 12"},
		{"so does a longer one", `<p>1<span style="top:-1pt">,234</span></p>`, "1,234"},
	} {
		if got := documentText(t, c.doc); got != c.want {
			t.Errorf("%s: text of %q = %q, want %q", c.name, c.doc, got, c.want)
		}
	}
}

func TestText_LeavesOutWhatIsThereForThePrinter(t *testing.T) {
	var doc strings.Builder
	doc.WriteString("<html><body>")
	for i, body := range []string{"Alpha", "Beta", "Gamma", "Delta"} {
		doc.WriteString("<p>ACME CORP</p><p>(In millions)</p><p>" + body + " 1 of it</p><p>20" + string(rune('0'+i)) + "0</p>")
		doc.WriteString("<p>Acme | Form 10-K | " + string(rune('5'+i)) + "</p><p>- " + string(rune('1'+i)) + " -</p><hr style='page-break-after: always'>")
	}
	got := documentText(t, doc.String())
	for _, gone := range []string{"Form 10-K", "- 1 -", "- 4 -"} {
		if strings.Contains(got, gone) {
			t.Errorf("text = %q, want no %q", got, gone)
		}
	}
	if strings.Count(got, "(In millions)") != 4 || strings.Count(got, " 1 of it") != 4 || strings.Count(got, "\n20") != 4 {
		t.Errorf("text = %q, want every unit, sentence and year", got)
	}
	// The first page has no break before it, so its header is an ordinary line.
	if n := strings.Count(got, "ACME CORP"); n != 1 {
		t.Errorf("text = %q holds the running head %d times, want once", got, n)
	}
}

func TestParse_RefusesWhatIsNoFiling(t *testing.T) {
	for _, c := range []struct {
		name string
		doc  []byte
		want error
	}{
		{"nothing", nil, market.ErrMalformed},
		{"no text", []byte("<html><head><title>x</title></head><body></body></html>"), market.ErrMalformed},
		{"too much", make([]byte, 64<<20+1), edgar.ErrTooLarge},
	} {
		if _, err := edgar.ParseDocument(c.doc, "10-K"); !errors.Is(err, c.want) {
			t.Errorf("%s: Parse = %v, want %v", c.name, err, c.want)
		}
	}
}
