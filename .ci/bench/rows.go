package main

// section is a section of the page.
type section struct {
	title string
	rows  []row
}

// row is a benchmark at one size, or at n, 2n and 4n.
type row struct {
	name  string
	unit  string // of sizes
	pkg   string // under internal
	bench string // with %d for the size
	sizes []int
	grows growth
	// once runs each size once per round, because it takes seconds.
	once bool
}

// growth is the expected growth of the time: most is the allowed ratio if the size doubles.
type growth struct {
	name string
	most float64
}

func flat() growth      { return growth{"constant", 1} }
func linear() growth    { return growth{"as n", 2} }
func quadratic() growth { return growth{"as n²", 4} }
func cubic() growth     { return growth{"as n³", 8} }

func sections() []section {
	return []section{
		{"Skills", skillRows()},
		{"Sessions", conversationRows()},
		{"Screen", screenRows()},
		{"Storage", diskRows()},
		{"Calculations", mathematicsRows()},
		{"Portfolio", portfolioRows()},
	}
}

func skillRows() []row {
	const scan = "BenchmarkOpen/skills=%d/junk=0"
	return []row{
		{name: "scan, few", unit: "skills", pkg: "skill", bench: scan, sizes: []int{8}},
		{name: "scan, some", unit: "skills", pkg: "skill", bench: scan, sizes: []int{100}},
		{name: "scan, many", unit: "skills", pkg: "skill", bench: scan, sizes: []int{500, 1_000, 2_000}, grows: linear()},
		{name: "scan, in three folders", unit: "skills", pkg: "skill", bench: scan, sizes: []int{10_000}},
		{name: "load one skill", unit: "skills", pkg: "skill", bench: "BenchmarkLoad/skills=%d", sizes: []int{100, 200, 400}, grows: flat()},
		{name: "read a cached skill", unit: "KB", pkg: "skill", bench: "BenchmarkCache_Hit/KB=%d", sizes: []int{25, 50, 100}, grows: linear()},
	}
}

func conversationRows() []row {
	return []row{
		{name: "tool calls, one per step", unit: "calls", pkg: "agent", bench: "BenchmarkRun_ToolCalls/calls=%d", sizes: []int{5, 10, 20}, grows: linear()},
		{name: "answer in deltas", unit: "deltas", pkg: "agent", bench: "BenchmarkRun_Text/deltas=%d", sizes: []int{1_000, 2_000, 4_000}, grows: linear()},
		{name: "stream parsing", unit: "MB", pkg: "llm/openai", bench: "BenchmarkStream/MB=%d", sizes: []int{1, 2, 4}, grows: linear()},
		{name: "tracing, by answer size", unit: "KB", pkg: "trace", bench: "BenchmarkMatch_ALongAnswer/KB=%d", sizes: []int{10, 20, 40}, grows: linear()},
		{name: "tracing, by known figures", unit: "figures", pkg: "trace", bench: "BenchmarkMatch_ManyKnown/known=%d", sizes: []int{300, 600, 1_200}, grows: linear()},
		{name: "report", unit: "figures", pkg: "report", bench: "BenchmarkNew/markdown_%d", sizes: []int{500, 1_000, 2_000}, grows: linear()},
	}
}

func screenRows() []row {
	return []row{
		{name: "open a session", unit: "messages", pkg: "tui", bench: "BenchmarkOpen/messages=%d", sizes: []int{2_500, 5_000, 10_000}, grows: linear()},
		{name: "draw a frame", unit: "messages", pkg: "tui", bench: "BenchmarkView/messages=%d", sizes: []int{2_500, 5_000, 10_000}, grows: flat()},
		{name: "key press and frame", unit: "messages", pkg: "tui", bench: "BenchmarkKeystroke/messages=%d", sizes: []int{2_500, 5_000, 10_000}, grows: flat()},
		{name: "stream an answer, every frame drawn", unit: "tokens", pkg: "tui", bench: "BenchmarkStream/tokens=%d", sizes: []int{5_000, 10_000, 20_000}, grows: linear()},
		{name: "stream Markdown: text", unit: "tokens", pkg: "markdown", bench: "BenchmarkStream/answer/%d", sizes: []int{10_000, 20_000, 40_000}, grows: linear()},
		{name: "stream Markdown: one table", unit: "tokens", pkg: "markdown", bench: "BenchmarkStream/table/%d", sizes: []int{10_000, 20_000, 40_000}, grows: linear()},
	}
}

func diskRows() []row {
	return []row{
		{name: "write daily bars", unit: "years", pkg: "sqlite", bench: "BenchmarkBars_Save/years=%d", sizes: []int{10, 20, 40}, grows: linear()},
		{name: "read daily bars", unit: "years", pkg: "sqlite", bench: "BenchmarkBars_Load/years=%d", sizes: []int{10, 20, 40}, grows: linear()},
		{name: "read a session", unit: "entries", pkg: "sqlite", bench: "BenchmarkLoad/entries=%d", sizes: []int{2_500, 5_000, 10_000}, grows: linear()},
		{name: "write transactions", unit: "transactions", pkg: "sqlite", bench: "BenchmarkBook_Import/%d", sizes: []int{25_000, 50_000, 100_000}, grows: linear(), once: true},
		{name: "read transactions", unit: "transactions", pkg: "sqlite", bench: "BenchmarkBook_Ledger/%d", sizes: []int{25_000, 50_000, 100_000}, grows: linear(), once: true},
	}
}

func mathematicsRows() []row {
	bars := []int{250_000, 500_000, 1_000_000}
	assets := []int{125, 250, 500}
	return []row{
		{name: "SMA(20)", unit: "bars", pkg: "analytics/indicator", bench: "BenchmarkColumns/sma/bars=%d", sizes: bars, grows: linear()},
		{name: "RSI(14)", unit: "bars", pkg: "analytics/indicator", bench: "BenchmarkColumns/rsi/bars=%d", sizes: bars, grows: linear()},
		{name: "MACD(12, 26, 9)", unit: "bars", pkg: "analytics/indicator", bench: "BenchmarkColumns/macd_line/bars=%d", sizes: bars, grows: linear()},
		{name: "ADX(14)", unit: "bars", pkg: "analytics/indicator", bench: "BenchmarkColumns/adx/bars=%d", sizes: bars, grows: linear()},
		{name: "Aroon(25)", unit: "bars", pkg: "analytics/indicator", bench: "BenchmarkColumns/aroon_up/bars=%d", sizes: bars, grows: linear()},
		{name: "Ichimoku(9, 26, 52)", unit: "bars", pkg: "analytics/indicator", bench: "BenchmarkColumns/conversion/bars=%d", sizes: bars, grows: linear()},
		{name: "minimum volatility, few", unit: "assets", pkg: "analytics/optimize", bench: "BenchmarkMinVolatility/%d", sizes: []int{50}},
		{name: "minimum volatility", unit: "assets", pkg: "analytics/optimize", bench: "BenchmarkMinVolatility/%d", sizes: assets, grows: cubic()},
		{name: "efficient frontier", unit: "assets", pkg: "analytics/optimize", bench: "BenchmarkFrontier/%d", sizes: assets, grows: cubic()},
		{name: "risk parity", unit: "assets", pkg: "analytics/optimize", bench: "BenchmarkRiskParity/%d", sizes: assets, grows: cubic()},
		{name: "simulation of 50 years, normal", unit: "paths", pkg: "analytics/simulate", bench: "BenchmarkRun_50Years/normal/paths=%d", sizes: []int{25_000, 50_000, 100_000}, grows: linear(), once: true},
		{name: "simulation of 50 years, bootstrap", unit: "paths", pkg: "analytics/simulate", bench: "BenchmarkRun_50Years/bootstrap/paths=%d", sizes: []int{25_000, 50_000, 100_000}, grows: linear(), once: true},
		{name: "earliest year of a goal", unit: "paths", pkg: "analytics/simulate", bench: "BenchmarkSoonest_60Years/paths=%d", sizes: []int{50_000, 100_000, 200_000}, grows: linear(), once: true},
	}
}

func portfolioRows() []row {
	transactions := []int{25_000, 50_000, 100_000}
	return []row{
		{name: "lots and gains, 5 symbols", unit: "transactions", pkg: "portfolio/lots", bench: "BenchmarkEngine/fifo/5symbols/%d", sizes: transactions, grows: linear()},
		{name: "lots and gains, 500 symbols", unit: "transactions", pkg: "portfolio/lots", bench: "BenchmarkEngine/fifo/500symbols/%d", sizes: transactions, grows: linear()},
		{name: "daily values of 20 years", unit: "transactions", pkg: "analytics/performance", bench: "BenchmarkNew_Transactions/%d_tracked", sizes: transactions, grows: linear()},
		{name: "daily values of 20 years, constant positions", unit: "positions", pkg: "analytics/performance", bench: "BenchmarkNew_Positions/%d_in_USD", sizes: []int{50, 100, 200}, grows: linear()},
	}
}
