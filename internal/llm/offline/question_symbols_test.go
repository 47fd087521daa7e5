package offline_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm/offline"
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
		{"the Nasdaq 100", []string{"^NDX"}},
		{"S&P 400", []string{"^SP400"}},
		{"the FTSE 250 and the FTSE MIB", []string{"^FTMC", "FTSEMIB.MI"}},
		{"VOW3.DE and D05.SI", []string{"VOW3.DE", "D05.SI"}},
		{"$vow3.de", []string{"VOW3.DE"}},
		{"AAPL in INR", []string{"AAPL"}},
		{"AAPL and SAP in SEK", []string{"AAPL", "SAP"}},
		{"NOK", []string{"NOK"}}, // Nokia
		{"EQNR in NOK", []string{"EQNR"}},
		{"苹果和微软", []string{"AAPL", "MSFT"}},
	} {
		t.Run(tt.words, func(t *testing.T) {
			q := readMessages("quote of " + tt.words)
			if diff := cmp.Diff(tt.want, q.Symbols); diff != "" || q.Topic != offline.TopicQuote {
				t.Errorf("topic %d, symbols (-want +got):\n%s", q.Topic, diff)
			}
		})
	}
}

func TestSymbols_WordsThatAreNone(t *testing.T) {
	for _, input := range []string{
		"I", "A", "THE", "CEO", "USD", "EUR", "ETF", "ETFs", "GDP", "CPI", "USA", "U.S.", "YTD", "AI", "10-K", "Q4", "JAN", "X",
		"$5", "$1,000", "100%", "a visa", "my target", "the cat", "^", "$", "&", "PRE-IPO",
	} {
		t.Run(input, func(t *testing.T) {
			if q := readMessages("how risky is " + input); len(q.Symbols) > 0 {
				t.Errorf("taken for a symbol: %v", q.Symbols)
			}
		})
	}
}

func TestSymbols_ShoutedWordsAreNone(t *testing.T) {
	q := readMessages("PLEASE TELL EVERYBODY HOW RISKY MSFT REALLY IS")
	if diff := cmp.Diff([]string{"MSFT"}, q.Symbols); diff != "" {
		t.Errorf("symbols (-want +got):\n%s", diff)
	}
}

// The S&P 1500 is not the S&P 500: the figures of one would pass for the other's.
func TestSymbols_TheNumberOfAnotherIndexIsNotThisIndex(t *testing.T) {
	for _, input := range []string{"S&P 1500", "FTSE 350", "Nasdaq 250", "the Hang Seng Tech", "Dow Jones Transportation"} {
		if q := readMessages("quote of " + input); len(q.Symbols) > 0 {
			t.Errorf("%q is taken for %v", input, q.Symbols)
		}
	}
	for input, want := range map[string]string{"the S&P 10 years": "^GSPC", "the Nasdaq 2008": "^IXIC", "the Dow 20 trading days": "^DJI"} {
		if q := readMessages("risk of " + input); !cmp.Equal(q.Symbols, []string{want}) {
			t.Errorf("%q is taken for %v, want %s", input, q.Symbols, want)
		}
	}
}

func TestHoldings_TheNumberOfAnIndexCountsNoShares(t *testing.T) {
	for input, want := range map[string][]offline.ShareCount{
		"price of S&P 500, AAPL and MSFT":   nil,
		"what are 10 AAPL, 5 MSFT worth":    {{Symbol: "AAPL", Shares: "10"}, {Symbol: "MSFT", Shares: "5"}},
		"what are 2000 shares of SAP worth": {{Symbol: "SAP", Shares: "2000"}},
	} {
		if diff := cmp.Diff(want, readMessages(input).ShareCounts); diff != "" {
			t.Errorf("%q: holdings (-want +got):\n%s", input, diff)
		}
	}
}
