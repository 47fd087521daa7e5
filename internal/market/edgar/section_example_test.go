package edgar_test

import (
	"fmt"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/edgar"
)

func ExampleParseDocument() {
	doc := `<html><body><p><b>Item&#160;2.02</b> Results of Operations and Financial Condition.</p>
		<table><tr><td>Revenue</td><td>$</td><td>1,234</td><td></td></tr><tr><td>Loss</td><td>$</td><td>(56</td><td>)</td></tr></table>
		<p>Item 9.01. Financial Statements and Exhibits</p><p>99.1 Press release</p></body></html>`
	filing, err := edgar.ParseDocument([]byte(doc), "8-K")
	if err != nil {
		fmt.Println(err)
		return
	}
	results, err := filing.Section(market.FilingItem{Item: "2.02"})
	fmt.Println(results.Text, err)
	_, err = filing.Section(market.FilingItem{Item: "5.02"})
	fmt.Println(err)
	// Output:
	// Item 2.02 Results of Operations and Financial Condition.
	// Revenue | $1,234
	// Loss | $(56) <nil>
	// no Item 5.02; available: 2.02 (Results of Operations and Financial Condition), 9.01 (Financial Statements and Exhibits)
}
