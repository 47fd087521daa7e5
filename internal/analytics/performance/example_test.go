package performance_test

import (
	"fmt"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
)

func Example() {
	transactions := ledger(
		deposit("2024-01-01", "1000"), buy("2024-01-01", "FUND", "100", "1000"),
		dividend("2024-03-01", "FUND", "30", "0"),
	)
	data := marketOf(closesFrom("FUND", "2024-06-30", "2024-01-01", "10", "2024-04-01", "10.7"))
	history, err := performance.NewHistory(transactions, data, performance.Request{Base: "USD", To: date("2024-06-30")})
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := history.Measure(history.First(), history.Last())
	if err != nil {
		fmt.Println(err)
		return
	}
	gain := report.Attribution.Total
	fmt.Printf("gain %s: price %s, income %s\n", gain.Gain, gain.Price, gain.Income)
	fmt.Printf("time-weighted %.1f%% over %d days\n", 100**report.TimeWeighted.Value, report.Days)
	// Output:
	// gain 100: price 70, income 30
	// time-weighted 10.0% over 182 days
}
