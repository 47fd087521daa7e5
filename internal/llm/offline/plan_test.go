package offline_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// quoteOf and the functions below are short forms of the calls that a question should make.
func quoteOf(symbols ...string) string {
	return `quote{"symbols":["` + strings.Join(symbols, `","`) + `"]}`
}

func history(rest string) string { return "price_history{" + rest + "}" }

func returns(rest string) string { return "returns_stats{" + rest + "}" }

func calculation(expression string) string { return `calculate{"expression":"` + expression + `"}` }

func TestPlan_PhrasesBecomeTheirCalls(t *testing.T) {
	const now, nothing = `current_time{}`, ``
	both := func(rest string) []string { return []string{history(rest), returns(rest)} }
	for _, tt := range []struct {
		question string
		want     []string
	}{
		// How it has done.
		{"How has the S&P 500 done since 2008, and how bad did it get?", both(`"symbol":"^GSPC","from":"2008-01-01"`)},
		{"how did apple do in 2015?", both(`"symbol":"AAPL","from":"2015-01-01","to":"2015-12-31"`)},
		{"How has MSFT performed over the last five years?", both(`"symbol":"MSFT","range":"5y"`)},
		{"How is IBM doing?", both(`"symbol":"IBM","range":"max"`)},
		{"How have Apple and Microsoft done since 2010?", []string{returns(`"symbol":"AAPL","from":"2010-01-01"`), returns(`"symbol":"MSFT","from":"2010-01-01"`)}},
		{"AAPL since 2010", both(`"symbol":"AAPL","from":"2010-01-01"`)},
		{"Wie hat sich Apple seit 2010 entwickelt?", both(`"symbol":"AAPL","from":"2010-01-01"`)},

		// Prices.
		{"AAPL price?", []string{quoteOf("AAPL")}},
		{"what is Apple trading at", []string{quoteOf("AAPL")}},
		{"What's Apple's stock price?", []string{quoteOf("AAPL")}},
		{"Price of $brk.b please", []string{quoteOf("BRK.B")}},
		{"quote ^GSPC, AAPL and MSFT", []string{quoteOf("^GSPC", "AAPL", "MSFT")}},
		{"quote AAPL,MSFT,IBM", []string{quoteOf("AAPL", "MSFT", "IBM")}},
		{"prices of aapl and msft", []string{quoteOf("AAPL", "MSFT")}},
		{"AAPL", []string{quoteOf("AAPL")}},
		{"what does one share of Coca-Cola cost?", []string{quoteOf("KO")}},
		{"Where is the Nasdaq?", []string{quoteOf("^IXIC")}},
		{"the latest S&P level", []string{quoteOf("^GSPC")}},
		{"stock price of F", []string{quoteOf("F")}},
		{"how much is Visa worth in USD", []string{quoteOf("V")}},
		{"WHAT IS THE PRICE OF AAPL", []string{quoteOf("AAPL")}},
		{"price of SIE.DE and BTC-USD", []string{quoteOf("SIE.DE", "BTC-USD")}},
		{"AAPL AAPL Apple price", []string{quoteOf("AAPL")}},
		{"Was kostet der Kurs von Microsoft?", []string{quoteOf("MSFT")}},
		{"Quel est le cours de Google ?", []string{quoteOf("GOOGL")}},
		{"¿Cuál es el precio de Amazon?", []string{quoteOf("AMZN")}},
		{"苹果股价多少？", []string{quoteOf("AAPL")}},

		// History.
		{"history of MSFT over 5 years", []string{history(`"symbol":"MSFT","range":"5y"`)}},
		{"price history of IBM between 2010 and 2015", []string{history(`"symbol":"IBM","from":"2010-01-01","to":"2015-12-31"`)}},
		{"chart AAPL since March 2015", []string{history(`"symbol":"AAPL","from":"2015-03-01"`)}},
		{"history of XRX last 10 years", []string{history(`"symbol":"XRX","range":"10y"`)}},
		{"Show the monthly history of ^GSPC in 2009", []string{history(`"symbol":"^GSPC","from":"2009-01-01","to":"2009-12-31","interval":"monthly"`)}},
		{"AAPL price on 2015-03-02", []string{history(`"symbol":"AAPL","from":"2015-01-16","to":"2015-03-02"`)}}, // 45 days reach a monthly close
		{"AAPL on 2015-03-02", []string{history(`"symbol":"AAPL","from":"2015-01-16","to":"2015-03-02"`)}},
		{"AAPL price on 2015/3/2", []string{history(`"symbol":"AAPL","from":"2015-01-16","to":"2015-03-02"`)}},
		{"ADBE prices from 4 March 2015 to June 2016", []string{history(`"symbol":"ADBE","from":"2015-03-04","to":"2016-06-30"`)}},
		{"MSFT trend ytd", []string{history(`"symbol":"MSFT","range":"ytd"`)}},
		{"history of AMZN, whole history", []string{history(`"symbol":"AMZN","range":"max"`)}},
		{"historical prices of AAPL and IBM for the past six months", []string{history(`"symbol":"AAPL","range":"6m"`), history(`"symbol":"IBM","range":"6m"`)}},

		// Return and risk.
		{"how risky is AAPL", []string{returns(`"symbol":"AAPL"`)}},
		{"volatility of the S&P 500 since 2000", []string{returns(`"symbol":"^GSPC","from":"2000-01-01"`)}},
		{"max drawdown IBM 2007-2010", []string{returns(`"symbol":"IBM","from":"2007-01-01","to":"2010-12-31"`)}},
		{"worst fall of Microsoft after 2015", []string{returns(`"symbol":"MSFT","from":"2016-01-01"`)}},
		{"What return did ADBE give before 2010?", []string{returns(`"symbol":"ADBE","to":"2009-12-31"`)}},
		{"how much did Apple fall in 2008", []string{returns(`"symbol":"AAPL","from":"2008-01-01","to":"2008-12-31"`)}},
		{"performance of Dell last year", []string{returns(`"symbol":"DELL","from":"2025-01-01","to":"2025-12-31"`)}},
		{"performance of Dell over the last year", []string{returns(`"symbol":"DELL","range":"1y"`)}},
		{"CAGR of AMZN over two decades", []string{returns(`"symbol":"AMZN","range":"20y"`)}},
		{"Rendite von IBM letzten 5 Jahre", []string{returns(`"symbol":"IBM","range":"5y"`)}},
		{"标普500 2008年以来的风险", []string{returns(`"symbol":"^GSPC","from":"2008-01-01"`)}},

		// Comparison.
		{"compare AAPL and MSFT since 2010", []string{returns(`"symbol":"AAPL","from":"2010-01-01"`), returns(`"symbol":"MSFT","from":"2010-01-01"`)}},
		{"AAPL vs IBM", []string{returns(`"symbol":"AAPL"`), returns(`"symbol":"IBM"`)}},
		{"Which was riskier, Apple or the S&P 500?", []string{returns(`"symbol":"AAPL"`), returns(`"symbol":"^GSPC"`)}},
		{"AAPL/MSFT/IBM compared over 3y", []string{returns(`"symbol":"AAPL","range":"3y"`), returns(`"symbol":"MSFT","range":"3y"`), returns(`"symbol":"IBM","range":"3y"`)}},

		// Arithmetic, and what only looks like it.
		{"what is 12.5% of 3,400", []string{calculation("12.5% * 3400")}},
		{"(1+0.07)^10", []string{calculation("(1+0.07)^10")}},
		{"Calculate 1,250.50 * 3 - 17?", []string{calculation("1250.50 * 3 - 17")}},
		{"what is 15 times 4 plus 2", []string{calculation("15 * 4 + 2")}},
		{"how much is 3 x 4", []string{calculation("3 * 4")}},
		{"$1,000 * 1.05 ** 3 =", []string{calculation("1000 * 1.05 ** 3")}},
		{"max(100,200) / 7", []string{calculation("max(100,200) / 7")}},
		{"the square root of 2 + 1", []string{calculation("sqrt(2) + 1")}},
		{"calculate the volatility of AAPL", []string{returns(`"symbol":"AAPL"`)}},
		{"2008-01-02", nil},
		{"555-1234", nil},
		{"I have 3 dogs and 4 cats - what now", nil},

		// Amounts, holdings, currencies.
		{"How much would 10000 dollars in Microsoft in 2000 be worth?", []string{returns(`"symbol":"MSFT","from":"2000-01-01"`)}},
		{"If I had invested $2,000 in Apple since 2010, what would I have?", []string{returns(`"symbol":"AAPL","from":"2010-01-01"`)}},
		{"what would 2000 dollars in AAPL from 2010 to 2015 have become", []string{returns(`"symbol":"AAPL","from":"2010-01-01","to":"2015-12-31"`)}},
		{"I have 10 AAPL and 5 MSFT, what is it worth?", []string{quoteOf("AAPL", "MSFT")}},
		{"what is my portfolio worth: 10 AAPL, 5 MSFT", []string{quoteOf("AAPL", "MSFT")}},
		{"Apple in euros", []string{quoteOf("AAPL")}},

		// Time.
		{"what time is it?", []string{now}},
		{"What's the date today?", []string{now}},
		{"what day is it", []string{now}},

		// Skills.
		{"use the analyze-trend skill on MSFT", []string{`Skill{"name":"analyze-trend"}`}},
		{"run get-price for IBM", []string{`Skill{"name":"get-price"}`}},
		{"run get price for IBM", []string{`Skill{"name":"get-price"}`}},
		{"use the rebalance skill", []string{`Skill{"name":"rebalance"}`}},
		{"use the dcf-magic skill on IBM", []string{`Skill{"name":"dcf-magic"}`}},

		// No call: words that are no tickers, and questions beyond rules.
		{"I think A CEO in the USA likes USD and ETF", nil},
		{"hello", nil},
		{"what can you do?", nil},
		{"thanks!", nil},
		{"should I buy AAPL?", nil},
		{"price target for MSFT", nil},
		{"price of Foobar Industries", nil},
		{"compare AAPL and Foobar", nil},
		{"how risky?", nil},
		{"tell me a joke about penguins", nil},
		{"how do I buy AAPL", nil},
		{"price of AAPL on 9/11/2001", nil},
		{"how did AAPL do since 01.03.2015", nil},
		{"worst year of MSFT", nil},
		{"dividend yield of AAPL", nil},
		{"how much would 10000 dollars in MSFT be worth", nil},
		{nothing, nil},
	} {
		t.Run(tt.question, func(t *testing.T) {
			m := newChat(t, everyTool...).ask(tt.question)
			if diff := cmp.Diff(tt.want, shown(m.ToolCalls)); diff != "" {
				t.Errorf("calls for %q (-want +got):\n%s\n%s", tt.question, diff, m.Content)
			}
			if len(m.ToolCalls) == 0 && strings.TrimSpace(m.Content) == "" {
				t.Error("neither calls nor words")
			}
		})
	}
}
