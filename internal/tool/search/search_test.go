package search_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tool/search"
)

// documents returns a few tools and one skill, as small as tools can be.
func documents() []search.Document {
	return []search.Document{
		{Name: "quote", Kind: "tool", Keywords: "price quote latest bid ask 股价 现价 报价", Phrasings: []string{"price of <sym>", "what is <sym> trading at", "<sym>多少钱"}},
		{Name: "bond_price", Kind: "tool", Description: "Values a bond with fixed coupons.", Keywords: "bond coupon yield maturity duration convexity 债券 久期 到期收益率", Phrasings: []string{"price of a bond", "<pct> coupon bond", "债券值多少钱"}},
		{Name: "crypto_price", Kind: "tool", Keywords: "bitcoin ethereum coin crypto 比特币 以太坊", Phrasings: []string{"price of a coin"}},
		{Name: "portfolio_settings", Kind: "tool", Keywords: "target weights settings 目标", Phrasings: []string{"set my target to <pct> <sym>"}},
		{Name: "import_transactions", Kind: "tool", Keywords: "import broker statement csv 导入", Phrasings: []string{"import <file>"}},
		{Name: "web_fetch", Kind: "tool", Keywords: "page website link 网页", Phrasings: []string{"read <url>"}},
		{Name: "search_symbol", Kind: "tool", Keywords: "ticker isin identifier 代码", Phrasings: []string{"what is <isin>"}},
		{Name: "fx_rate", Kind: "tool", Keywords: "currency exchange rate euro dollar 汇率 日元 人民币", Phrasings: []string{"<num> euros in dollars", "<num>日元换多少人民币"}},
		{Name: "dividends_splits", Kind: "tool", Keywords: "dividend payout split 分红 股息"},
		{Name: "dividend-income", Kind: "skill", Description: "Projects the dividend income of a portfolio."},
	}
}

func options() search.Options {
	return search.Options{
		Names:    []string{"Apple Inc.", "Johnson & Johnson", "S&P 500", "Target Corporation", "Bitcoin", "比特币", "标普500", "苹果"},
		IsSymbol: func(word string) bool { return slices.Contains([]string{"AAPL", "VTI", "KO"}, strings.ToUpper(word)) },
	}
}

func names(matches []search.Match) []string {
	var out []string
	for _, m := range matches {
		out = append(out, m.Name)
	}
	return out
}

func TestSearch_FindsTheToolByTheWordsOfARequest(t *testing.T) {
	ix := search.New(documents(), options())
	for _, c := range []struct{ name, query, want string }{
		{"keyword", "duration", "bond_price"},
		{"inflected word", "durations of my bonds", "bond_price"},
		{"name of the tool", "fx_rate", "fx_rate"},
		{"upper case", "DIVIDENDS PLEASE", "dividends_splits"},
		{"symbol by its shape", "price of XYZW", "quote"},
		{"known symbol in lower case", "price of ko", "quote"},
		{"symbol with a suffix", "what is 0700.HK trading at", "quote"},
		{"company", "what is Apple trading at", "quote"},
		{"company in the possessive", "apple's price", "quote"},
		{"company of two words", "price of Johnson & Johnson", "quote"},
		{"index with a number", "price of the S&P 500", "quote"},
		{"name that is a keyword too", "price of Bitcoin", "crypto_price"},
		{"word that is a name too", "set my target to 60% VTI", "portfolio_settings"},
		{"percentage", "a 4.5 % coupon", "bond_price"},
		{"percentage in words", "5 percent coupon", "bond_price"},
		{"file", "import ~/Downloads/export.csv", "import_transactions"},
		{"file after Chinese", "导入broker.xlsx", "import_transactions"},
		{"address", "read https://example.com/a?b=c", "web_fetch"},
		{"address without a scheme", "read fund.example.com/fees", "web_fetch"},
		{"ISIN", "what is US0378331005", "search_symbol"},
		{"full-width letters", "ｄｕｒａｔｉｏｎ", "bond_price"},
		{"Chinese word", "这只债券的久期", "bond_price"},
		{"Chinese company", "苹果多少钱", "quote"},
		{"Chinese name with a number", "标普500多少钱", "quote"},
		{"Chinese name that is a keyword too", "比特币多少钱", "crypto_price"},
		{"Chinese number", "一万日元换多少人民币", "fx_rate"},
		{"missing letter", "duraton", "bond_price"},
		{"letters swapped", "divdiends", "dividends_splits"},
		{"two mistakes in a long word", "etherium prise", "crypto_price"},
		{"mistake before an ending", "divdends", "dividends_splits"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := names(ix.SearchKind(c.query, "tool", 3)); len(got) == 0 || got[0] != c.want {
				t.Errorf("%q finds %v, want %s first", c.query, got, c.want)
			}
		})
	}
}

func TestSearch_WithoutAWordInCommonFindsNothing(t *testing.T) {
	ix := search.New(documents(), options())
	for _, query := range []string{"", " ", "the of and", "frobnicate", "xx", "天气", "?!", "\xff\xfe"} {
		if got := ix.SearchKind(query, "tool", 5); len(got) != 0 {
			t.Errorf("%q finds %v", query, got)
		}
	}
	for _, n := range []int{0, -1} {
		if got := ix.SearchKind("bond", "tool", n); len(got) != 0 {
			t.Errorf("%d matches are %v", n, got)
		}
	}
	if got := search.New(nil, search.Options{}).SearchKind("bond", "tool", 5); len(got) != 0 {
		t.Errorf("an empty index finds %v", got)
	}
}

func TestSearch_KindsAreToldApart(t *testing.T) {
	ix := search.New(documents(), options())
	if got := names(ix.SearchKind("dividend", "tool", 5)); !slices.Equal(got, []string{"dividends_splits"}) {
		t.Errorf("tools: %v", got)
	}
	if got := names(ix.SearchKind("dividend", "skill", 5)); !slices.Equal(got, []string{"dividend-income"}) {
		t.Errorf("skills: %v", got)
	}
	if got := ix.SearchKind("dividend", "agent", 5); len(got) != 0 {
		t.Errorf("a kind that is not there: %v", got)
	}
}

func TestSearch_SkillsDoNotChangeTheOrderOfTools(t *testing.T) {
	few, many := search.New(documents(), options()), search.New(append(documents(), skills(300)...), options())
	for _, query := range []string{"price of AAPL", "duraton of a bond", "import a csv", "dividend of apple", "债券"} {
		a, b := few.SearchKind(query, "tool", 5), many.SearchKind(query, "tool", 5)
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%q finds %v without skills and %v with 300", query, a, b)
		}
	}
}

func TestSearch_EqualScoresAreOrderedByName(t *testing.T) {
	ix := search.New([]search.Document{{Name: "c", Kind: "tool", Keywords: "bond"}, {Name: "a", Kind: "tool", Keywords: "bond"}, {Name: "b", Kind: "tool", Keywords: "bond"}}, search.Options{})
	if got := names(ix.SearchKind("bond", "tool", 5)); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("order %v", got)
	}
	if got := names(ix.SearchKind("bond", "tool", 2)); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("the best two are %v", got)
	}
}

func TestSearch_OnlyTheFirstThreeSentencesCount(t *testing.T) {
	ix := search.New([]search.Document{{Name: "x", Kind: "tool", Description: "One is 1.5 alpha. Two is beta! Three is gamma? Four is delta."}}, search.Options{})
	for query, want := range map[string]int{"alpha": 1, "beta": 1, "gamma": 1, "delta": 0} {
		if got := ix.SearchKind(query, "tool", 5); len(got) != want {
			t.Errorf("%q finds %v", query, got)
		}
	}
}

func TestNearest_OffersNamesThatShareWordsOrLetters(t *testing.T) {
	known := []string{"quote", "price_history", "bond_price", "compare_assets", "correlation", "portfolio_positions", "portfolio_performance", "financial_statements", "key_ratios", "Skill", "find_tools"}
	for _, c := range []struct{ name, asked, want string }{
		{"misspelled", "qoute", "quote"},
		{"verb in front", "get_quote", "quote"},
		{"other case", "GetFinancialStatements", "financial_statements"},
		{"words swapped", "history_price", "price_history"},
		{"longer", "get_historical_price_history", "price_history"},
		{"one word of two", "get_portfolio_positions_list", "portfolio_positions"},
		{"misspelled word", "compare_asets", "compare_assets"},
		{"other form of the word", "correlations", "correlation"},
		{"hyphens", "key-ratios", "key_ratios"},
		{"lower case", "skill", "Skill"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := search.Nearest(c.asked, known, 3)
			if len(got) == 0 || len(got) > 3 || got[0] != c.want {
				t.Errorf("%q is near %v, want %s first", c.asked, got, c.want)
			}
		})
	}
	if got := search.Nearest("zzzz", known, 3); len(got) != 0 {
		t.Errorf("nothing is near zzzz, got %v", got)
	}
	if got := search.Nearest("quote", known, 0); len(got) != 0 {
		t.Errorf("no names are %v", got)
	}
}

func FuzzSearch(f *testing.F) {
	for _, seed := range []string{"price of AAPL", "一万日元换多少人民币", "百分之", "<num><sym", "https://", "S&P 500's", "5 per cent %", "^.-=", "10-K/8-K", "标普500多少", "~/", "50万亿", "İstanbul ﬁling ①"} {
		f.Add(seed)
	}
	ix := search.New(documents(), options())
	f.Fuzz(func(t *testing.T, query string) {
		first := ix.SearchKind(query, "tool", 5)
		if again := ix.SearchKind(query, "tool", 5); !reflect.DeepEqual(first, again) {
			t.Errorf("%q finds %v, then %v", query, first, again)
		}
		for i, m := range first {
			if !(m.Score > 0) || i > 0 && (m.Score > first[i-1].Score || m.Score == first[i-1].Score && m.Name < first[i-1].Name) {
				t.Errorf("%q: match %d of %v is out of order", query, i, first)
			}
		}
		search.Nearest(query, names(first), 3)
		search.New([]search.Document{{Name: query, Description: query, Keywords: query, Phrasings: []string{query}}}, search.Options{Names: []string{query}})
	})
}

// skills returns documents without keywords, like the user's own skills.
func skills(n int) []search.Document {
	subjects := strings.Fields("dividend bond option momentum inflation retirement budget mortgage crypto sector earnings insider macro currency commodity dividend")
	acts := strings.Fields("screen compare summarize track project explain translate review rank chart")
	var out []search.Document
	for i := range n {
		subject, act := subjects[i%len(subjects)], acts[i/len(subjects)%len(acts)]
		out = append(out, search.Document{
			Name: fmt.Sprintf("%s-%s-%d", act, subject, i), Kind: "skill",
			Description: fmt.Sprintf("Steps to %s the %s of region%d for clients. Use when the user asks for topic%d or wants a table of results by year.", act, subject, i%90, i),
		})
	}
	return out
}

// toolsLike returns n tools with as many words as real ones have.
func toolsLike(n int) []search.Document {
	var out []search.Document
	base := documents()
	for i := range n {
		d := base[i%9]
		d.Name = fmt.Sprintf("%s_%d", d.Name, i)
		d.Description = strings.Repeat("Total and annual return, volatility and maximum drawdown of one symbol, with the dates of the period. ", 3)
		for k := range 25 {
			d.Keywords += fmt.Sprintf(" keyword%c%c%c", 'a'+i%26, 'a'+i/26, 'a'+k)
		}
		d.Phrasings = append(slices.Clone(d.Phrasings), "what did <sym> do over the last <num> years", "过去<num>年的最大回撤", "is it better than holding cash", "show me how it went")
		out = append(out, d)
	}
	return out
}

// manyNames returns as many names as the embedded table has.
func manyNames() search.Options {
	o := options()
	first, second := strings.Fields("Northern Alpine Pacific Royal United Golden Silver Western Eastern Coastal"), strings.Fields("Energy Foods Steel Motors Bank Chemical Pharma Software Mining Retail")
	for i := range 2000 {
		o.Names = append(o.Names, fmt.Sprintf("%s%c%c %s Holdings plc", first[i%10], 'a'+i/100%26, 'a'+i%26, second[i/10%10]))
	}
	return o
}

func BenchmarkNew_SeventyTools(b *testing.B) {
	docs, o := toolsLike(70), manyNames()
	b.ReportAllocs()
	for b.Loop() {
		search.New(docs, o)
	}
}

func BenchmarkSearch_SeventyToolsAndAThousandSkills(b *testing.B) {
	ix := search.New(append(toolsLike(70), skills(1000)...), manyNames())
	for _, c := range []struct{ name, query string }{
		{"English", "how did apple do over the last ten years and what was its worst drawdown"},
		{"Misspelled", "waht is teh volatilty and maximun drawdwn of appel over the lst ten yeras"},
		{"Chinese", "苹果过去十年的最大回撤是多少，和标普500相比怎么样"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ix.SearchKind(c.query, "tool", 5)
			}
		})
	}
}
