package chart_test

import (
	"fmt"

	"github.com/nfa-cli/nfa/internal/chart"
)

func ExampleRender() {
	spec := chart.Spec{Kind: chart.KindBars, Title: "Allocation", Unit: "EUR", Parts: []chart.Part{
		{Label: "Equity", Value: 20000}, {Label: "Bonds", Value: 10000}, {Label: "Cash", Value: 5000}}}
	for _, line := range chart.Render(spec, chart.RenderOptions{Width: 48, Height: 10, Charset: chart.CharsetASCII}) {
		fmt.Println(line)
	}
	fmt.Println(chart.Describe(spec))
	// Output:
	// Allocation, EUR
	// Equity ############################ 57.1% 20,000
	// Bonds  ##############               28.6% 10,000
	// Cash   #######                      14.3%  5,000
	// Allocation, EUR: Equity 20,000 (57.1%), Bonds 10,000 (28.6%), Cash 5,000 (14.3%).
}

func ExampleSparkline() {
	fmt.Println(chart.Sparkline([]float64{1, 3, 2, 5, 8, 7, 9, 4}, 8, chart.CharsetBlock))
	// Output: ▁▃▂▅▇▆█▄
}
