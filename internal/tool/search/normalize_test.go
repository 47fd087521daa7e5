package search

import (
	"slices"
	"strings"
	"testing"
)

// terms returns the words of a text for an index that knows some of them.
func terms(text string, mode textMode, known ...string) []string {
	n := newNormalizer(Options{
		Names:    []string{"Apple Inc.", "Berkshire Hathaway Inc. (class B)", "Bank of America", "S&P 500", "3M Company", "Target Corp", "茅台", "标普500", "黄金"},
		IsSymbol: func(word string) bool { return strings.EqualFold(word, "vti") },
	})
	var out []string
	for _, w := range n.words(text, mode, func(term string) bool { return slices.Contains(known, term) }) {
		out = append(out, w.term)
	}
	return out
}

func TestWords_ClassesReplaceWhatDiffersBetweenRequests(t *testing.T) {
	for _, c := range []struct {
		name, text string
		known      []string
		want       string
	}{
		{"symbols", "VTI vti XOM ^GSPC BRK.B 0700.HK BTC-USD EURUSD=X", nil, "<sym> <sym> <sym> <sym> <sym> <sym> <sym> <sym>"},
		{"known abbreviation", "RSI of XOM", []string{"rsi"}, "rsi <sym>"},
		{"companies", "Apple, berkshire hathaway, Bank of America, the S&P 500", nil, "<sym> <sym> <sym> <sym>"},
		{"possessive", "Apple's cash, apple’s cash", []string{"cash"}, "<sym> cash <sym> cash"},
		{"word that is a name", "target and Target", []string{"target"}, "target <sym> target"},
		{"numbers", "5 1,234.50 $30 1e5", nil, "<num> <num> <num> <num> 1e5"},
		{"amounts", "50k 7A 401(k)", nil, "<num> <num> 50k 7a <num> k"},
		{"percentages", "5% 4.5 % 3 percent 2 per cent", nil, "<pct> <pct> <pct> <pct>"},
		{"Chinese numbers", "50万 三万五千 百分之十二点五 十年", nil, "<num> <num> <pct> <num> 年"},
		{"no Chinese numbers", "一些 统一", nil, "一些 统一"},
		{"addresses", "https://example.com/a,b?c=1 www.example.com sec.gov/edgar", nil, "<url> <url> <url>"},
		{"files", "report.txt, ~/a/b ./notes 看plan.md", nil, "<file> txt <file> <file> 看 <file> md"},
		{"ISIN", "US0378331005 us0378331005", nil, "<isin> <isin>"},
		{"compounds", "P/E 10-K 60/40 S&P EV/EBITDA long-term", []string{"ev"}, "pe 10k <num> <num> sp ev ebitda long term"},
		{"written classes", "<num> % coupon of <sym>", nil, "<num> coupon <sym>"},
		{"Chinese pairs", "久期 债 K线图", []string{"k"}, "久期 债 k 线图"},
		{"Chinese names", "茅台市值，标普500", nil, "<sym> 市值 <sym>"},
		{"Chinese name that is a word", "黄金价格", []string{"黄金"}, "<sym> 黄金 金价 价格"},
		{"width and case", "ＲＯＥ Yield", []string{"roe", "yield"}, "roe yield"},
		{"stop words", "the price of it is in there", nil, "pric"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(terms(c.text, requestText, c.known...), " "); got != c.want {
				t.Errorf("%q has the words\n %s\nwant\n %s", c.text, got, c.want)
			}
		})
	}
}

func TestWords_DocumentsNameCompaniesInCapitals(t *testing.T) {
	if got := strings.Join(terms("an apple for Apple and vti or VTI, SEC", documentText), " "); got != "appl <sym> vti <sym> sec" {
		t.Errorf("words of a description: %s", got)
	}
	if got := strings.Join(terms("Apple VTI", literalText), " "); got != "appl vti" {
		t.Errorf("keywords: %s", got)
	}
}

func TestStem_FormsOfAWordAreTheSame(t *testing.T) {
	for _, forms := range []string{
		"price prices priced pricing", "yield yields yielding", "company companies", "sell sells selling", "loss losses",
		"run running", "volatile volatility", "allocate allocation allocated", "optimize optimization", "correlated correlation",
		"month months monthly", "tax taxes", "match matches", "carry carried carries", "split splits splitting",
	} {
		var stems []string
		for form := range strings.FieldsSeq(forms) {
			stems = append(stems, stem(form))
		}
		if len(slices.Compact(stems)) != 1 {
			t.Errorf("%s have the stems %v", forms, stems)
		}
	}
}

func TestStem_OtherWordsDiffer(t *testing.T) {
	for _, pair := range [][2]string{{"news", "new"}, {"bond", "bonus"}, {"thing", "the"}, {"basis", "base"}, {"rate", "ratio"}, {"red", "r"}, {"ring", "r"}} {
		if stem(pair[0]) == stem(pair[1]) {
			t.Errorf("%s and %s have the stem %s", pair[0], pair[1], stem(pair[0]))
		}
	}
}
