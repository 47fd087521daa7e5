package rebalance_test

import (
	"fmt"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
)

// Three quarters of the portfolio are in A, but 60% should be: 15 shares of A become 30 of B.
func ExampleRequest_Plan() {
	plan, err := rebalance.Request{
		Day:      day("2024-06-03"),
		Prices:   prices("A 100 B 50"),
		Targets:  weights("A 0.6 B 0.4"),
		Band:     rebalance.Band{Absolute: known("0.05"), Relative: known("0.25")},
		Accounts: []rebalance.Account{account("main", "0", "A 75 B 50")},
	}.Plan()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range plan.Trades {
		fmt.Println(t.Side, t.Quantity, t.Symbol, "in", t.Account, "for", t.Value)
	}
	// Output:
	// sell 15 A in main for 1500
	// buy 30 B in main for 1500
}
