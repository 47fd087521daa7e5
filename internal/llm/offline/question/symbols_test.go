package question_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm/offline/question"
)

func TestSymbols_NamesAndTickersInTheirForms(t *testing.T) {
	for _, tt := range []struct {
		words string
		want  []string
	}{
		{"the S&P 500", []string{"^GSPC"}},
		{"S&P500", []string{"^GSPC"}},
		{"s and p 500", []string{"^GSPC"}},
		{"Standard & Poor's 500", []string{"^GSPC"}},
		{"SPX", []string{"^GSPC"}},
		{"^gspc", []string{"^GSPC"}},
		{"Nasdaq Composite", []string{"^IXIC"}},
		{"the Dow Jones", []string{"^DJI"}},
		{"apple, Microsoft's, IBM; alphabet", []string{"AAPL", "MSFT", "IBM", "GOOGL"}},
		{"Johnson & Johnson and AT&T", []string{"JNJ", "T"}},
		{"Berkshire Hathaway", []string{"BRK.B"}},
		{"“AAPL”", []string{"AAPL"}},
		{"(MSFT)", []string{"MSFT"}},
		{"`msft`", []string{"MSFT"}},
		{"$f and $brk-b", []string{"F", "BRK-B"}},
		{"$USD", []string{"USD"}}, // a dollar sign overrules
		{"BRK.B", []string{"BRK.B"}},
		{"0700.HK", []string{"0700.HK"}},
		{"EURUSD=X", []string{"EURUSD=X"}},
		{"ticker X", []string{"X"}},
		{"Ford and Nike", []string{"F", "NKE"}},
		{"WXYZ", []string{"WXYZ"}}, // what looks like a ticker is left to the tool to know
		{"AAPL or Apple", []string{"AAPL"}},
		{"苹果和微软", []string{"AAPL", "MSFT"}},
	} {
		t.Run(tt.words, func(t *testing.T) {
			q := read("quote of " + tt.words)
			if diff := cmp.Diff(tt.want, q.Symbols); diff != "" || q.Topic != question.TopicQuote {
				t.Errorf("topic %d, symbols (-want +got):\n%s", q.Topic, diff)
			}
		})
	}
}

func TestSymbols_WordsThatAreNone(t *testing.T) {
	for _, words := range []string{
		"I", "A", "THE", "CEO", "USD", "EUR", "ETF", "ETFs", "GDP", "CPI", "USA", "U.S.", "YTD", "AI", "10-K", "Q4", "JAN", "X",
		"$5", "$1,000", "100%", "a visa", "my target", "the cat", "^", "$", "&", "PRE-IPO",
	} {
		t.Run(words, func(t *testing.T) {
			if q := read("how risky is " + words); len(q.Symbols) > 0 {
				t.Errorf("taken for a symbol: %v", q.Symbols)
			}
		})
	}
}

func TestSymbols_ShoutedWordsAreNone(t *testing.T) {
	q := read("PLEASE TELL EVERYBODY HOW RISKY MSFT REALLY IS")
	if diff := cmp.Diff([]string{"MSFT"}, q.Symbols); diff != "" {
		t.Errorf("symbols (-want +got):\n%s", diff)
	}
}
