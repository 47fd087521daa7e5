package edgar_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/market/edgar"
)

// checkDocument checks what must be true of every document, even a broken one.
func checkDocument(t *testing.T, doc []byte, form string) {
	d, err := edgar.ParseDocument(doc, form)
	if err != nil {
		return
	}
	whole := []rune(d.Text())
	if !utf8.ValidString(d.Text()) || strings.ContainsAny(d.Text(), "\x1b\x00\r\t") {
		t.Errorf("text of %q = %q, want plain UTF-8", doc, d.Text())
	}
	before := 0
	for _, item := range d.Items() {
		s, err := d.Section(item)
		if err != nil {
			t.Fatalf("Section(%s) of what Items names: %v", item, err)
		}
		if s.From < before || s.To > len(whole) || s.From >= s.To || string(whole[s.From:s.To]) != s.Text {
			t.Errorf("Section(%s) of %q = %d to %d of %d, after %d: %q", item, doc, s.From, s.To, len(whole), before, s.Text)
		}
		if s.Confidence <= 0 || s.Confidence > 1 || s.Item.Title == "" || s.Confidence <= 0.7 && len(s.Warnings) == 0 {
			t.Errorf("Section(%s) of %q = %.1f, %q, %q; want doubts with their reason", item, doc, s.Confidence, s.Item.Title, s.Warnings)
		}
		before = s.From
	}
}

func FuzzParseDocument(f *testing.F) {
	for _, seed := range []string{
		`<p>PART I<p><a href="#b">Item 1</a><p><a href="#d">Risk Factors</a><p>Item 1A.|9<p id=b>Item 1. Business<p>Goods.<p id=d>Item 1A. Risk Factors<p>SIGNATURES`,
		htmlPage("PART I", "Item 1. Financial Statements", "x", "PART II", "Item 1. Legal Proceedings", "Item 5.02. Departure of Directors"),
		"<table><tr><td>$<td>(5<td>)<td colspan=9999>%</table>", "<table><td rowspan=2><table><tr><td>Item 1.</td><td>x", "</table></td></tr><td>x</td>",
		"<p>1<sup>2</p>3</sup>", "<a href='#x'>Item 1<a href='#x'>Item 2<p id=x>y", "<ix:header>", "Item 1.\nItem 2.\n<PAGE>\n3", "\xff\x80<p>\xe2\x80",
		"<hr style='page-break-after:always'>1<hr style='page-break-after:always'>", "Items 1, 2 and 3 & 4. X", "<pre>Item 7", "<div style=';:;display:'>a<title>b",
		"SIGNATURES\nItem 16.\nSIGNATURE", "PART", "Part iv item 0", "Item 9A(T", "item 1.0", "item&nbsp;1a:x",
	} {
		for _, form := range []string{"10-K", "10-Q", "20-F", "8-K"} {
			f.Add([]byte(seed), form)
		}
	}
	f.Fuzz(checkDocument)
}

// Broken and hostile documents of many thousand tags. Parsing takes about a hundredth of a second for each;
// with quadratic time it would take many seconds.
func TestParse_HostileDocumentsEnd(t *testing.T) {
	n := 30_000
	if testing.Short() { // under the race detector everything is twenty times as slow
		n = 5_000
	}
	for _, c := range []struct{ name, piece string }{
		{"open", "<div>"}, {"never opened", "</b></div></p>"}, {"tables", "<table><tr><td>x"}, {"cells", "<td>)"}, {"signs", "<td>$<td>("},
		{"bullets", "<td>•<td>5<td>)"}, {"links", `<a href="#x">Item 1. Business`}, {"ids", "<p id=x>Item 7"}, {"headings", "<p>Item 1A. Risk Factors"},
		{"parts", "<p>PART II<p>Item 1."}, {"pages", "<p>Item 1<hr style='page-break-after:always'>"}, {"notes", "<sup>1"}, {"spans", "<tr><td colspan=1000>1<td colspan=1000>2"},
		{"hidden", "<div style=display:none>"}, {"comments", "<!--"}, {"letters", "Item "}, {"numbers", "Items 1, 1 and "}, {"signatures", "<p>SIGNATURES"}, {"less", "<"},
	} {
		begun := time.Now()
		checkDocument(t, []byte("<html><p>Item 1. Business"+strings.Repeat(c.piece, n)), "10-Q")
		if took := time.Since(begun); took > 5*time.Second {
			t.Errorf("%s: reading %q %d times took %v", c.name, c.piece, n, took)
		}
	}
}
